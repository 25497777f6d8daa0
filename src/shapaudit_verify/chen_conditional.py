"""Chen, Covert, Lundberg and Lee 2023: conditional expectations as data and fits give them."""

from fractions import Fraction
from itertools import combinations, product
from math import comb

from .chen_models import problems, quadratic
from .chen_removals import LAW, agree, conditional, mean, names, spread, worlds
from .definitions import entries, game_of, numbered, shapley, solve, walks
from .registry import rederives

PAPER = "chen_covert_lundberg_lee_2023/"
ZERO, ONE, HALF = Fraction(0), Fraction(1), Fraction(1, 2)


def left_of_gap(p, n):
    """E 1 / (M + 1) for a binomial number M of matches among n."""
    p = Fraction(p)
    return sum(comb(n, m) * p**m * (1 - p) ** (n - m) / (m + 1) for m in range(n + 1))


@rederives(f"{PAPER}matches.gather_limits", None)
def limits(piece, _):
    """What the own row keeps, and the chance that nothing else matches."""
    rows = []
    for chance in (Fraction(1, 2), Fraction(1, 10), Fraction(1, 100), ZERO):
        for n in (10, 100, 1000):
            # Beyond 10 rows the sum over n + 1 positions is that of a geometric series.
            left = left_of_gap(chance, n) if n == 10 else _series(chance, n)
            alone = float((1 - chance) ** n)
            rows.append({"chance": chance, "rows": n, "left": float(left), "alone": alone})
    return {"rows": rows}


def _series(p, n):
    return sum(((1 - p) ** k for k in range(n + 1)), ZERO) / (n + 1)


@rederives(
    f"{PAPER}matches.gather_own_row",
    lambda made: all(a == b for key in ("own", "without", "unique") for _, a, b in made[key]),
)
def own_row(piece, draws):
    """Expectations given how many of two rows match."""
    own, without, unique = [], [], []
    for world in worlds(names(piece["own"]), draws, "ccll23-59"):
        x, values = world.rows[-1], conditional(world.model, world.rows[-1], world.population)
        for s, value in enumerate(values):
            p = mean(Fraction(agree(row, x, s)) for row in world.population)
            off = (world.model(x) - value) * left_of_gap(p, 2)
            own.append((f"{world.label}, coalition {s}", off, off))
            without.append((f"{world.label}, coalition {s}", value, value))
        d, outputs = len(x), list(world.outputs.values())
        table = [mean(outputs), *[outputs[0]] * ((1 << d) - 1)]
        part = (outputs[0] - mean(outputs)) / d
        unique += entries(world.label, shapley(table), [part] * d)
    return {"own": own, "without": without, "unique": unique, "rows": 2}


@rederives(f"{PAPER}fitted.gather_gaussian")
def gaussian(piece, draws):
    """What is left of each absent feature is uncorrelated with the present ones."""
    cases = []
    for d, number in numbered(names(piece["cases"]), LAW):
        drawn = draws.integers("ccll23-61", d, number - 1, count=d * d)
        rows = [drawn[i * d : (i + 1) * d] for i in range(d)]
        cov = [
            [sum(a * b for a, b in zip(r, t, strict=True)) + (r is t) for t in rows] for r in rows
        ]
        for s in range(1, (1 << d) - 1):
            inside = [j for j in range(d) if s >> j & 1]
            for k in (k for k in range(d) if not s >> k & 1):
                slopes = solve(
                    [[cov[i][j] for j in inside] for i in inside], [cov[i][k] for i in inside]
                )
                for i in inside:
                    pairs = zip(inside, slopes, strict=True)
                    rest = cov[k][i] - sum(cov[i][j] * slope for j, slope in pairs)
                    name = f"d = {d}, law {number}, feature {k + 1} given coalition {s}"
                    cases.append((name, rest, ZERO))
    return {"cases": cases, "square": [ONE, HALF**2]}


@rederives(f"{PAPER}fitted.gather_square", None)
def square(piece, _):
    """X2 = X1^2 on -1, 0 and 1: without any correlation nothing is said of X2 by X1."""
    rows = []
    for k in (-1, 0, 1):
        own, whole = Fraction(k * k), Fraction(2, 3)
        for name, alone in (("exact", own), ("Gaussian", whole)):
            first, second = shapley([whole, alone, own, own])
            row = {"explicand": f"({k}, {k * k})", "law": name, "first_alone": alone}
            rows.append(row | {"first": first, "second": second})
    return {"rows": rows}


def _chances(world):
    return {row: (output + 10) / 20 for row, output in world.outputs.items()}


@rederives(f"{PAPER}fitted.gather_surrogate")
def surrogate(piece, draws):
    """Slopes at the conditional expectation, as sums over a population."""
    cases = {"squared error": [], "cross-entropy": []}
    for world in worlds(names(piece["cases"]), draws, "ccll23-64"):
        chances = _chances(world)
        for x in (world.rows[0], world.rows[-1]):
            for s, g in enumerate(conditional(chances.__getitem__, x, world.population)):
                cell = [chances[row] for row in world.population if agree(row, x, s)]
                label = f"{world.label}, coalition {s}"
                near = sum(g - f for f in cell)
                cases["squared error"].append((f"{label}, squared error", near, ZERO))
                cross = sum((g - f) / (g * (1 - g)) for f in cell)
                cases["cross-entropy"].append((f"{label}, cross-entropy", cross, ZERO))
    return {"cases": [case for group in cases.values() for case in group]}


@rederives(f"{PAPER}fitted.gather_saturated")
def saturated(piece, draws):
    """Means over all rows but the first, and what is left of their distances."""
    cases = []
    for world in worlds(names(piece["cases"]), draws, "ccll23-64b"):
        x, rows = world.rows[-1], world.rows[1:]
        for s in range(1 << len(x)):
            seen = [world.model(row) for row in rows if agree(row, x, s)]
            label, value = f"{world.label}, coalition {s}", mean(seen)
            cases += [
                (f"{label}, value", value, value),
                (f"{label}, slope", sum(value - f for f in seen), ZERO),
            ]
    return {"cases": cases}


@rederives(f"{PAPER}fitted.gather_odds", lambda made: any(row["differ"] for row in made["rows"]))
def odds(piece, _):
    """Odds of a mean, squared, against the product of odds."""
    rows = []
    for a, b in ((1, 9), (2, 5), (5, 5)):
        p, q = Fraction(a, 10), Fraction(b, 10)
        of_mean, both = (p + q) / (2 - p - q), p / (1 - p) * q / (1 - q)
        row = {"first": p, "second": q, "odds_of_mean": of_mean, "product_of_odds": both}
        rows.append(row | {"differ": of_mean**2 != both})
    return {"rows": rows}


@rederives(f"{PAPER}fitted.gather_tower")
def tower(piece, draws):
    """Mean of the target and of its mean given all features."""
    cases = []
    for world in worlds(names(piece["cases"]), draws, "ccll23-66"):
        chances = _chances(world)
        values = conditional(chances.__getitem__, world.rows[-1], world.population)
        cases += entries(world.label, values, values)
    return {"cases": cases, "labels": {"of_mean": ZERO, "mean_of": HALF}}


def least_squares(rows, target):
    """Intercept and slopes."""
    design = [[ONE, *row] for row in rows]
    columns = list(zip(*design, strict=True))
    normal = [[sum(a * b for a, b in zip(p, q, strict=True)) for q in columns] for p in columns]
    right = [sum(a * y for a, y in zip(p, target, strict=True)) for p in columns]
    return solve(normal, right)


def predicted(beta, row):
    """The fit at a row."""
    return beta[0] + sum(b * x for b, x in zip(beta[1:], row, strict=True))


@rederives(f"{PAPER}fitted.gather_separate", lambda made: any(a != b for _, a, b in made["cases"]))
def separate(piece, draws):
    """Fits of the target, and of the full fit, on each set of features."""
    cases = []
    labels = [label.replace("data", "law") for label in names(piece["cases"])]
    for d, number in numbered(labels, LAW):
        n = d + 4
        drawn = draws.integers("ccll23-67", d, number - 1, count=n * (d + 1))
        table = [drawn[i * (d + 1) : (i + 1) * (d + 1)] for i in range(n)]
        rows, target = [row[:d] for row in table], [row[d] for row in table]
        full = least_squares(rows, target)
        fitted = [predicted(full, row) for row in rows]
        for s in range(1 << d):
            part = [[row[j] for j in range(d) if s >> j & 1] for row in rows]
            sides = [predicted(least_squares(part, y), part[0]) for y in (target, fitted)]
            cases.append((f"d = {d}, data {number}, entry {s + 1}", *sides))
    return {"cases": cases}


@rederives(f"{PAPER}criterion.gather_criterion", None)
def criterion(piece, draws):
    """Mean squares over a population: seen, and noise and error."""
    cases = []
    for world in worlds(names(piece["cases"]), draws, "ccll23-68"):
        d = len(world.rows[0])
        drawn = draws.integers("ccll23-68", world.label, count=len(world.rows) << d)
        tables = {x: conditional(world.model, x, world.population) for x in world.rows}
        for s in range(1 << d):
            own = drawn[s :: 1 << d]
            guess = {
                x: next(own[k] for k, row in enumerate(world.rows) if agree(row, x, s))
                for x in world.rows
            }
            seen = mean((world.model(x) - guess[x]) ** 2 for x in world.population)
            noise = mean((world.model(x) - tables[x][s]) ** 2 for x in world.population)
            error = mean((guess[x] - tables[x][s]) ** 2 for x in world.population)
            cases.append((f"{world.label}, coalition {s}", seen, noise + error))
    return {"cases": cases}


@rederives(
    f"{PAPER}criterion.gather_draws",
    lambda made: made["rows"][0]["right"] > made["rows"][0]["always_0"],
)
def draws_of_bits(piece, _):
    """A bit against the number of ones among k draws of it, and against 0."""
    rows, p = [], Fraction(2, 5)
    for k in [row["draws"] for row in piece["rows"]]:
        right = sum(
            comb(k, m)
            * p**m
            * (1 - p) ** (k - m)
            * (p * (1 - Fraction(m, k)) ** 2 + (1 - p) * Fraction(m, k) ** 2)
            for m in range(k + 1)
        )
        rows.append({"draws": k, "right": right, "always_0": p})
    return {"rows": rows, "error_right": ZERO, "error_always_0": p * p}


@rederives(
    f"{PAPER}criterion.gather_rankings",
    lambda made: made["rows"][0]["in_v"] > made["rows"][1]["in_v"],
)
def rankings(piece, _):
    """Mean squares of what is added to a game of three players, and of its values."""
    rows = []
    for name, size in (("1 on all proper coalitions", ONE), ("1/2 on one coalition", ZERO)):
        table = [ZERO, *[size] * 6, ZERO] if size else [ZERO, HALF, *[ZERO] * 6]
        row = {"added": name, "in_v": mean(value**2 for value in table)}
        rows.append(row | {"in_values": sum(value**2 for value in shapley(table))})
    return {"rows": rows}


@rederives(
    f"{PAPER}criterion.gather_polynomials",
    lambda made: all(row["difference"] for row in made["rows"]),
)
def polynomials(piece, _):
    """Alternating sums of (2 - t - 1/4 - t / (t + 1/4)) / 2 at even steps."""
    rows = []
    for n in [row["rows"] for row in piece["rows"]]:
        total = ZERO
        for k in range(n + 2):
            t = Fraction(k + 1, 2 * (n + 3))
            value = (2 - t - Fraction(1, 4) - t / (t + Fraction(1, 4))) / 2
            total += (-1) ** (n + 1 - k) * comb(n + 1, k) * value
        rows.append({"rows": n, "difference": total})
    return {"rows": rows}


def over_signs(row):
    """Twice the mean over equal and opposite signs of the effects."""
    return row["equal_effects"] + row["opposite_effects"]


@rederives(
    f"{PAPER}criterion.gather_discrepancies",
    lambda made: all(
        over_signs(first) < over_signs(second)
        for first, second in zip(made["rows"], made["rows"][1:], strict=False)
    ),
)
def discrepancies(piece, _):
    """Half of r (b x1 - a x2) for each of the two features, squared, by the moments of the law."""
    effects = {"one effect": (1, 0), "equal effects": (1, 1), "opposite effects": (1, -1)}
    rows, cases = [], []
    for k in range(7):
        r = Fraction(k, 6)
        row = {"correlation": r}
        for name, (a, b) in effects.items():
            discrepancy = 2 * (r / 2) ** 2 * (b * b - 2 * a * b * r + a * a)
            row[name.replace(" ", "_")] = discrepancy
            cases.append((f"{name}, correlation {r}", discrepancy, discrepancy))
        rows.append(row)
    return {"rows": rows, "cases": cases}


@rederives(f"{PAPER}table_one.gather_counts", None)
def counts(piece, _):
    """Sets within windows of a chain by their first member, and intervals with one left out."""
    rows = []
    for d in (8, 12, 16):
        for name, k in (("1", 1), ("2", 2), ("all", d)):
            window = min(2 * k + 1, d)
            near = 1 + sum(2 ** (min(window, d - first) - 1) for first in range(d))
            parts = {frozenset()}
            for first, end in combinations(range(d + 1), 2):
                for i in range(max(first, end - 1 - k), min(end, first + k + 1)):
                    whole = frozenset(range(first, end))
                    parts |= {whole, whole - {i}}
            row = {"players": d, "radius": name, "l_shapley": near}
            rows.append(row | {"c_shapley": len(parts), "dasp": 2 * d**2})
    return {"rows": rows}


@rederives(f"{PAPER}drawn_baselines.gather_fresh")
def fresh(piece, draws):
    """Walks along all orders with each baseline, and the values of the mean game."""
    cases = []
    for label, c, x, rows in problems(piece, draws, "ccll23-82", lambda d: d * d):
        added = [a for row in rows for _, a in walks(game_of(quadratic(c), x, [row]))]
        average = [mean(column) for column in zip(*added, strict=True)]
        cases += entries(label, average, shapley(game_of(quadratic(c), x, rows)))
    return {"cases": cases}


@rederives(f"{PAPER}drawn_baselines.gather_counts")
def baselines_per_order(piece, draws):
    """The variance of means over two baselines, and its parts for more of them."""
    cases, factors = [], {2: [], 10: [], 100: []}
    for label, c, x, rows in problems(piece, draws, "ccll23-83", lambda d: d * d):
        added = [[a for _, a in walks(game_of(quadratic(c), x, [row]))] for row in rows]
        for i in range(len(x)):
            orders = [[vector[i] for vector in order] for order in zip(*added, strict=True)]
            a = spread(mean(order) for order in orders)
            b = mean(spread(order) for order in orders)
            pairs = [(p + q) / 2 for order in orders for p, q in product(order, repeat=2)]
            cases.append((f"{label}, feature {i + 1}", spread(pairs), a + b / 2))
            for k in factors if a + b else ():
                factors[k].append((k * a + b) / (a + b))
    rows = [{"baselines": k, "least": min(f), "largest": max(f)} for k, f in factors.items()]
    return {"cases": cases, "factors": rows}
