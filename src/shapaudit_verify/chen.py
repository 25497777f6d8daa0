"""Chen, Covert, Lundberg and Lee 2023: grids, random subsets, walks, what pairs and sums do."""

import re
from fractions import Fraction
from itertools import permutations
from math import comb, factorial

from .definitions import (
    entries,
    numbered,
    players_of,
    shapley,
    size_law,
    squared,
    walks,
    worst,
)
from .registry import rederives

PAPER = "chen_covert_lundberg_lee_2023/"
LEVELS = (2, 3, 5, 9, 17, 33)


def games(draws, name, labels, smallest=2):
    """Label, d and values of the random games that some labels name."""
    for d, number in numbered(labels):
        if d >= smallest:
            yield f"d = {d}, game {number}", d, draws.game(name, players=d, number=number)


def labels_of(piece):
    """Labels of the cases of a piece."""
    return [case[0] for case in piece["cases"]]


def law(name, levels, d):
    """Weights of sizes where q runs over an even grid with published or trapezoidal weights."""
    gaps = levels - 1
    nodes = [Fraction(k, gaps) for k in range(levels)]
    each = Fraction(1, levels if name == "equal" else gaps)
    weights = [each] * levels
    if name == "trapezoid":
        weights[0] = weights[-1] = each / 2
    return size_law(nodes, weights, d)


def top_of(piece):
    """The largest d that a label names."""
    return max(int(size) for label in labels_of(piece) for size in re.findall(r"d = (\d+)", label))


@rederives(f"{PAPER}grids.gather_name", lambda made: made["same_levels"])
def names(piece, _):
    """Both published weights against the trapezoid rule."""
    cases, rows = [], []
    for name in ("printed", "equal", "trapezoid"):
        for levels in LEVELS:
            row = {"weights": name, "levels": levels, "estimate": law(name, levels, 10)[-1]}
            rows.append(row | {"shapley": Fraction(1, 10)})
    for name in ("printed", "equal"):
        for d in range(2, top_of(piece) + 1):
            for levels in LEVELS:
                sides = law(name, levels, d), law("trapezoid", levels, d)
                cases += entries(f"{name} weights, d = {d}, {levels} levels", *sides)
    # All three have the levels of an even grid, by definition.
    return {"cases": cases, "rows": rows, "same_levels": True}


@rederives(f"{PAPER}grids.gather_levels")
def levels(piece, _):
    """Equal weights as a mixture of the trapezoid rule and the mean of the two ends."""
    cases, largest = [], {}
    for d in range(2, piece["max_dimension"] + 1):
        ends = [Fraction((s == 0) + (s == d - 1), 2) for s in range(d)]
        for count in LEVELS:
            equal, smooth = law("equal", count, d), law("trapezoid", count, d)
            share = Fraction(1, count)
            mixed = [(1 - share) * x + share * y for x, y in zip(smooth, ends, strict=True)]
            cases += entries(f"d = {d}, {count} levels", equal, mixed)
            largest[d, count] = worst(equal)
    return {"cases": cases, "worst": largest, "max_dimension": piece["max_dimension"]}


def beta(d, s):
    """The integral of C(d - 1, s) q^s (1 - q)^(d - 1 - s), by parts: s! (d - 1 - s)! / d!."""
    return comb(d - 1, s) * Fraction(factorial(s) * factorial(d - 1 - s), factorial(d))


@rederives(f"{PAPER}grids.gather_random")
def random_q(piece, _):
    """Sizes under a uniform q against 1/d."""
    top = piece["max_dimension"]
    cases = []
    for d in range(2, top + 1):
        cases += entries(f"d = {d}", [beta(d, s) for s in range(d)], [Fraction(1, d)] * d)
    return {"cases": cases, "max_dimension": top}


def semivalue(d, size):
    """Probability of one set of predecessors."""
    return Fraction(factorial(size) * factorial(d - size - 1), factorial(d))


def by_size(piece, chance):
    """A sampler's chance of one coalition of each size against that of predecessors."""
    top = piece["max_dimension"]
    cases = []
    for d in range(2, top + 1):
        sides = ([f(d, s) for s in range(d)] for f in (chance, semivalue))
        cases += entries(f"d = {d}, sizes from 0", *sides)
    return {"cases": cases, "max_dimension": top}


@rederives(f"{PAPER}subsets.gather_size_first_subsets", None)
def size_first(piece, _):
    """Where the size is drawn first."""
    return by_size(piece, lambda d, s: Fraction(1, d) / comb(d - 1, s))


def predecessors(labels):
    """All orders, counted by who comes before a player."""
    cases = []
    for d in range(2, top_of({"cases": labels}) + 1):
        for player in range(d):
            counts = dict.fromkeys((s for s in range(1 << d) if not s >> player & 1), 0)
            for order in permutations(range(d)):
                counts[sum(1 << j for j in order[: order.index(player)])] += 1
            for members, count in counts.items():
                label = f"d = {d}, player {player + 1}, set {members}"
                right = semivalue(d, members.bit_count())
                cases.append((label, Fraction(count, factorial(d)), right))
    return cases


def mean_contributions(labels, draws):
    """Mean contributions along all orders, which are the Shapley values, for both methods."""
    cases = []
    for label, d, values in games(draws, "ccll23-09a", [case[0] for case in labels]):
        total = [Fraction(0)] * d
        orders = list(walks(values))
        for _, added in orders:
            total = [a + b for a, b in zip(total, added, strict=True)]
        mean = [value / len(orders) for value in total]
        for name in ("ApproShapley", "ApproSemivalue"):
            cases += entries(f"{label}, {name}", mean, shapley(values))
    return cases


def _all_equal(made):
    return all(a == b for key in ("random_q", "orders", "means") for _, a, b in made[key])


@rederives(f"{PAPER}subsets.gather_same_law", _all_equal)
def same_law(piece, draws):
    """Where q is uniform; all orders; mean contributions."""
    random_q = by_size(piece, lambda d, s: beta(d, s) / comb(d - 1, s))
    made = {"random_q": random_q["cases"], "max_dimension": random_q["max_dimension"]}
    made["orders"] = predecessors(piece["orders"])
    return made | {"means": mean_contributions(piece["means"], draws)}


@rederives(f"{PAPER}walks.gather_counts", None)
def counts(piece, _):
    """Two evaluations per contribution, and d per walk after the first."""
    rows = []
    for d, t in ((2, 1), (2, 7), (5, 3), (10, 20)):
        row = {"players": d, "permutations": t}
        rows.append(row | {"ime": 2 * d * t, "appro_shapley": d * t + 1})
    return {"rows": rows}


def _sums_to_the_output(made):
    return all(left == right for key in made for _, left, right in made[key])


@rederives(f"{PAPER}walks.gather_efficiency", _sums_to_the_output)
def efficiency(piece, draws):
    """The contributions along every order and their sum, beside what it might be."""
    cases, outputs = [], []
    for label, _, values in games(draws, "ccll23-12", labels_of(piece)):
        for k, (_, added) in enumerate(walks(values), start=1):
            name = f"{label}, permutation {k}"
            cases.append((name, sum(added), values[-1] - values[0]))
            outputs.append((name, sum(added), values[-1]))
    return {"cases": cases, "outputs": outputs}


def outcomes_of(values):
    """Chances and contributions of one coalition that all share, and of one walk."""
    d = players_of(values)
    shared = []
    for members in range(1 << d):
        chance = Fraction(1, (d + 1) * comb(d, members.bit_count()))
        added = [values[members | 1 << i] - values[members & ~(1 << i)] for i in range(d)]
        shared.append((chance, added))
    return shared, [(Fraction(1, factorial(d)), added) for _, added in walks(values)]


def covariances(outcomes, d):
    """Covariance of each two players' contributions, row by row."""
    mean = [sum(chance * x[i] for chance, x in outcomes) for i in range(d)]
    return [
        sum(chance * x[i] * x[j] for chance, x in outcomes) - mean[i] * mean[j]
        for i in range(d)
        for j in range(d)
    ]


def marginal(outcomes, i):
    """Chance of each contribution of a player."""
    chances = {}
    for chance, x in outcomes:
        chances[x[i]] = chances.get(x[i], 0) + chance
    return chances


@rederives(f"{PAPER}orders.gather_joint", None)
def joint(piece, draws):
    """Laws and covariances of both kinds of draws."""
    rows, cases = [], []
    for label, d, values in games(draws, "ccll23-09", labels_of(piece), 3):
        laws = outcomes_of(values)
        same = all(marginal(laws[0], i) == marginal(laws[1], i) for i in range(d))
        shared, walked = (covariances(outcomes, d) for outcomes in laws)
        cases += entries(label, shared, walked)
        row = {"game": label, "players": d, "same_marginal_laws": same}
        row |= {"variance": sum(shared[:: d + 1]), "variance_walk": sum(walked[:: d + 1])}
        rows.append(row | {"variance_of_sum": sum(shared), "variance_of_sum_walk": sum(walked)})
    return {"rows": rows, "cases": cases}


def normalised(point, total):
    """What is missing from the total, shared equally."""
    return [x + (total - sum(point)) / len(point) for x in point]


def error(point, truth):
    """Squared distance."""
    return squared(x - y for x, y in zip(point, truth, strict=True))


def _never_worse(made):
    cases = all(left == right for _, left, right in made["cases"])
    return cases and all(after <= before for before, after in made["errors"])


@rederives(f"{PAPER}normalisation.gather_error", _never_worse)
def normalisation_error(piece, draws):
    """Errors of random points before and after."""
    cases, errors = [], []
    for label, d, values in games(draws, "ccll23-07", labels_of(piece)):
        truth = shapley(values)
        for k in range(5):
            point = draws.integers("ccll23-07", "point", label, k, count=d)
            if sum(point):
                before = error(point, truth)
                after = error(normalised(point, sum(truth)), truth)
                right = (sum(truth) - sum(point)) ** 2 / d
                cases.append((f"{label}, point {k + 1}", before - after, right))
                errors.append((before, after))
    return {"cases": cases, "errors": errors}


@rederives(f"{PAPER}normalisation.gather_bias", None)
def normalisation_bias(piece, draws):
    """Squared bias of equal weights, before and after."""
    rows = []
    for label, d, values in games(draws, "ccll23-07b", [row["game"] for row in piece["rows"]]):
        truth = shapley(values)
        for count in (3, 6):
            sizes, mean = law("equal", count, d), [Fraction(0)] * d
            for members in range(1 << d):
                for i in (i for i in range(d) if not members >> i & 1):
                    s = members.bit_count()
                    gain = values[members | 1 << i] - values[members]
                    mean[i] += sizes[s] / comb(d - 1, s) * gain
            row = {"game": label, "levels": count, "squared_bias": error(mean, truth)}
            row["normalised"] = error(normalised(mean, sum(truth)), truth)
            gap = sum(mean) - sum(truth)
            rows.append(row | {"gap_squared_over_d": gap**2 / d})
    return {"rows": rows, "zero_stays": True}


@rederives(f"{PAPER}decomposition.gather_identity")
def decomposition(piece, draws):
    """Mean squared error, and squared distance of the mean plus the trials' variance."""
    pattern = re.compile(r".*sample (\d+)")
    most = max(int(pattern.match(label)[1]) for label in labels_of(piece))
    cases = []
    for trials in (2, 3, 7):
        for d in (1, 2, 5):
            for k in range(most):
                drawn = draws.integers("ccll23-08", trials, d, k, count=(trials + 1) * d)
                truth, *rows = (drawn[i : i + d] for i in range(0, len(drawn), d))
                mean = [sum(column) / trials for column in zip(*rows, strict=True)]
                left = sum(error(row, truth) for row in rows) / trials
                right = error(mean, truth) + sum(error(row, mean) for row in rows) / trials
                cases.append((f"{trials} trials, d = {d}, sample {k + 1}", left, right))
    return {"cases": cases}
