"""Single counterexamples and small examples of several papers, checked as they stand."""

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from math import hypot, sqrt

from .chen import error
from .definitions import entries, numbered, shapley, walks
from .field import moments, pair_means
from .registry import rederives

GRAH, CHEN = "grah_thouvenot_2020/", "chen_covert_lundberg_lee_2023/"
CLOSE = 1e-6  # distance, in radii, within which a projection is called right
STAIRS = ((1, 1), (1, 0), (0, 0))  # the row that is explained first
Model = Callable[[dict[int, int], list], Fraction]


def projected(phi, total, radius):
    """The point of the sphere's and hyperplane's intersection, or its inside, nearest to phi."""
    d = len(phi)
    centre, mean = total / d, sum(phi) / d
    across = [x - mean for x in phi]
    reach = sqrt(max(radius**2 - total**2 / d, 0.0))
    scale = min(1.0, reach / (hypot(*across) or 1.0))
    return [centre + scale * x for x in across]


@rederives(
    f"{GRAH}algorithms.dykstra.gather_stop",
    lambda made: all(trial["error"] <= CLOSE for trial in made["trials"]),
)
def dykstra_stops(piece, _):
    """How far what Algorithm 2 returned is from the projection, in radii."""
    trials = []
    for trial in piece["trials"]:
        right = projected(trial["phi"], trial["total"], trial["radius"])
        off = [x - y for x, y in zip(trial["returned"], right, strict=True)]
        given = {key: trial[key] for key in ("phi", "total", "radius", "tolerance", "returned")}
        trials.append(given | {"error": hypot(*off) / trial["radius"]})
    return {"trials": trials}


@rederives(
    f"{GRAH}algorithms.dykstra_accuracy.gather_accuracy",
    lambda made: (
        max(made["empty"]["distance_to_ball"], made["empty"]["distance_to_hyperplane"]) <= CLOSE
    ),
)
def dykstra_on_nothing(piece, _):
    """Distances of what was returned to both sets, which do not meet; no other point."""
    example, returned = piece["empty"]["example"], piece["empty"]["returned"]
    d, norm = len(returned), hypot(*returned)
    if example["total"] <= example["radius"] * sqrt(d):
        raise ValueError("the ball meets the hyperplane")
    empty = {
        "example": example,
        "returned": returned,
        "distance_to_ball": max(0.0, norm - example["radius"]),
        "distance_to_hyperplane": abs(sum(returned) - example["total"]) / sqrt(d),
    }
    return {"empty": empty}


@rederives(f"{GRAH}probability.deviation.gather_general", None)
def two_points(piece, _):
    """Laws on 0 and 2 + 4 a with mean 1."""
    laws = []
    for k in range(1, 17):
        value = 2 + Fraction(k)
        chance = float(1 / value)
        laws.append({"a": k / 4, "outcomes": [(1 - chance, 0.0), (chance, float(value))]})
    return {"laws": laws}


@rederives("field/pairing.gather_always", None)
def pairs(piece, draws):
    """Variances of a walk and of its mean with its reverse, over all orders."""
    games = [
        (f"d = {d}, game {n}", draws.game("field26-01", players=d, number=n), True)
        for d, n in numbered([label for label, *_ in piece["cases"]])
    ]
    for d in sorted({int(key[-1]) for key in piece["ratios"] if key.startswith("majority")}):
        sets = range(1 << d)
        games += [
            (f"majority, d = {d}", [Fraction(2 * s.bit_count() > d) for s in sets], False),
            (f"parity of 3, d = {d}", [Fraction((s & 7).bit_count() % 2) for s in sets], False),
        ]
    cases = []
    for label, values, random in games:
        if random:
            single = moments(added for _, added in walks(values))[1]
            cases += entries(f"{label}, walk", single, single)
        paired = moments(pair_means(values))[1]
        cases += entries(f"{label}, pair" if random else label, paired, paired)
    return {"cases": cases}


@rederives(f"{CHEN}decomposition.gather_trials")
def trials(piece, draws):
    """Expected squared bias, times T - 1, and variance of T walks, all samples listed."""
    left, right = [], []
    for number in range(1, len(piece["cases"]) // 2 + 1):
        values = draws.game("ccll23-08b", players=3, number=number)
        truth, walked = shapley(values), [added for _, added in walks(values)]
        for count in (2, 3):
            bias = variance = Fraction(0)
            for sample in product(walked, repeat=count):
                mean = [sum(column) / count for column in zip(*sample, strict=True)]
                bias += error(mean, truth)
                variance += sum(error(vector, mean) for vector in sample) / count
            left.append(bias * (count - 1) / len(walked) ** count)
            right.append(variance / len(walked) ** count)
    return {"cases": entries("walk", left, right)}


def stump_values(first, given, rows):
    """x_1 x_2 on the features in ``given``, splits on the others by shares of rows; tree order."""
    second = 1 - first

    def weight(feature, among):
        if feature in given:
            return Fraction(given[feature]), among
        ones = [row for row in among if row[feature]]
        return (Fraction(len(ones), len(among)) if among else Fraction(0)), ones

    reached, _ = weight(first, rows)
    right = [row for row in rows if row[first]]
    return reached * weight(second, right)[0]


def drawn_both_ways(rows):
    """Path-dependent and conditional values of both drawings of x_1 x_2."""
    x, listed = rows[0], []
    for first in (0, 1):
        path, conditional = [], []
        for members in range(4):
            given = {j: x[j] for j in range(2) if members >> j & 1}
            path.append(stump_values(first, given, rows))
            agree = [row for row in rows if all(row[j] == v for j, v in given.items())]
            conditional.append(Fraction(sum(a * b for a, b in agree), len(agree)))
        sides = zip(shapley(path), shapley(conditional), strict=True)
        for j, (a, b) in enumerate(sides, start=1):
            row = {"root": f"x{first + 1}", "feature": j}
            listed.append(row | {"path_dependent": a, "conditional": b})
    return listed


def _biased(made):
    return any(row["path_dependent"] != row["conditional"] for row in made["rows"])


@rederives(f"{CHEN}trees.gather_biased", _biased)
def biased(piece, _):
    """The smallest example of dependent features."""
    return {"rows": drawn_both_ways(STAIRS)}


def _drawing_matters(made):
    values = [row["path_dependent"] for row in made["rows"]]
    return values[:2] != values[2:]


@rederives(f"{CHEN}trees.gather_drawing", _drawing_matters)
def drawing(piece, _):
    """One function as two trees."""
    return {"rows": drawn_both_ways(STAIRS)}


def _one_unit_biased(made):
    return any(row["deeplift"] != row["exact"] for row in made["rows"])


@rederives(f"{CHEN}networks.gather_bias", _one_unit_biased)
def one_unit(piece, _):
    """DeepLIFT of max(0, a + b - 1) at 2 and 1 against 0 and 0, where nothing is negative."""
    steps = (2, 1)

    def after(entering):
        return Fraction(max(0, entering - 1))

    present = [
        sum(step for j, step in enumerate(steps) if members >> j & 1) for members in range(4)
    ]
    exact = shapley([after(entering) for entering in present])
    rate = (after(sum(steps)) - after(0)) / sum(steps)
    return {
        "rows": [
            {"rule": rule, "feature": j + 1, "deeplift": rate * step, "exact": exact[j]}
            for rule in ("rescale", "reveal-cancel")
            for j, step in enumerate(steps)
        ]
    }


def _by_cohorts(made):
    path, nodes, *_ = (row["value"] for row in made["rows"])
    return path == nodes


@rederives(f"{CHEN}trees.gather_cohort", _by_cohorts)
def cohort(piece, _):
    """A tree with 1 on the right of x_1, and left of it 4 x_2, where x_2 = 1 is given."""
    rows = ((0, 0), (0, 0), (0, 1), (1, 0), (1, 1), (1, 1))

    def output(a, b):
        return Fraction(1 if a else 4 * b)

    def mean(chosen):
        return sum((output(*row) for row in chosen), Fraction(0)) / len(chosen)

    right = Fraction(sum(a for a, _ in rows), len(rows))
    values = {
        "by the path": right * output(1, 1) + (1 - right) * output(0, 1),
        # Half of all rows are right of x_1; of those left of it, the ones with x_2 = 1 are kept.
        "cohorts at each node": (mean([(1, 1)] * 3) + mean([(0, 1)])) / 2,
        "mean of rows alike": mean([row for row in rows if row[1]]),
        "mean of leaves in reach": mean([row for row in rows if row[0] or row[1]]),
    }
    return {"rows": [{"reading": name, "value": value} for name, value in values.items()]}
