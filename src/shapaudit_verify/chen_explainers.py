"""Chen, Covert, Lundberg and Lee 2023, continued: correlated LinearSHAP, and what methods cost."""

import re
from fractions import Fraction
from itertools import permutations, product
from math import factorial, prod

from .chen_equations import conditional_mean
from .definitions import entries, numbered, shapley
from .registry import rederives

PAPER = "chen_covert_lundberg_lee_2023/"


def dot(vector, other):
    """The inner product of two vectors."""
    return sum((a * b for a, b in zip(vector, other, strict=True)), Fraction(0))


def means_given(rows, outputs, weights, x):
    """E[f | x_S] of a table."""
    values = []
    for members in range(1 << len(x)):
        inside = [j for j in range(len(x)) if members >> j & 1]
        chosen = [k for k, row in enumerate(rows) if all(row[j] == x[j] for j in inside)]
        total = sum(weights[k] for k in chosen)
        values.append(sum((weights[k] * outputs[k] for k in chosen), Fraction(0)) / total)
    return values


@rederives(f"{PAPER}correlated.gather_prediction")
def prediction(piece, draws):
    """Means of linear models given binary features, and the models at the means."""
    cases = []
    for d, number in numbered([label for label, *_ in piece["cases"]]):
        drawn = draws.integers("ccll23-47d", d, number - 1, count=d * d + 6 * d)
        beta, left = drawn[: d + 1], [x % 2 for x in drawn[d * d :]]
        rows = [left[k : k + d] for k in range(0, 6 * d, d)]

        def model(row, beta=beta):
            return beta[0] + dot(beta[1:], row)

        ones = [1] * len(rows)
        columns = (means_given(rows, column, ones, rows[0]) for column in zip(*rows, strict=True))
        at_mean = [model(row) for row in zip(*columns, strict=True)]
        mean = means_given(rows, list(map(model, rows)), ones, rows[0])
        cases += entries(f"d = {d}, model {number}", mean, at_mean)
    other = {"mean_of_f": Fraction(1, 2), "f_at_mean": Fraction(1, 4)}
    return {"cases": cases, "rows": [other]}


@rederives(f"{PAPER}correlated.gather_orders", None)
def orders(piece, draws):
    """Contributions along all orders, as differences of conditional expectations."""
    cases, rows = [], []
    for d, number in numbered([label for label, *_ in piece["cases"]]):
        drawn = draws.integers("ccll23-47e", d, number - 1, count=2 * d + d * d)
        beta, x, *root = (drawn[k : k + d] for k in range(0, len(drawn), d))
        covariance = [
            [dot(p, q) + (i == j) for j, q in enumerate(root)] for i, p in enumerate(root)
        ]
        zero = [Fraction(0)] * d
        game = [dot(beta, conditional_mean(covariance, zero, x, s)) for s in range(1 << d)]
        exact, spread = shapley(game), Fraction(0)
        for order in permutations(range(d)):
            members = 0
            for j in order:
                spread += (game[members | 1 << j] - game[members] - exact[j]) ** 2
                members |= 1 << j
        label = f"d = {d}, model {number}"
        cases += entries(label, exact, exact)
        rows.append({"model": label, "variance": spread / factorial(d)})
    return {"cases": cases, "rows": rows}


def laws(draws):
    """Points and weights by name."""
    zero, one = Fraction(0), Fraction(1)
    corners = [[a, b] for a in (zero, one) for b in (zero, one)]
    yield "two binary features", corners, [1 + abs(w) for w in draws.integers("ccll23-47", count=4)]
    rows = [row for row in product(range(3), repeat=3) if sum(row) <= 2]
    weights = []
    for row in rows:
        counts = (*row, 2 - sum(row))
        ways = 2 // prod(factorial(x) for x in counts)
        weights.append(ways * prod(Fraction(k, 10) ** x for k, x in enumerate(counts, start=1)))
    yield "counts of a multinomial law", [list(map(Fraction, row)) for row in rows], weights
    signs = [[Fraction(s * (i == j)) for j in range(3)] for i in range(3) for s in (-1, 1)]
    yield "one feature of three, up or down", signs, [1] * 6
    parabola = [[Fraction(x), Fraction(x * x)] for x in (-1, 0, 1)]
    yield "the second the square of the first", parabola, [1] * 3


@rederives(f"{PAPER}correlated.gather_laws", None)
def conditional_laws(piece, draws):
    """Conditional values of linear models of some laws, and by their moments."""
    cases, rows = [], []
    models = max(int(re.search(r"model (\d+)", label)[1]) for label, *_ in piece["cases"])
    for name, points, weights in laws(draws):
        total, largest = sum(weights), Fraction(0)
        d = len(points[0])
        mean = [dot(weights, column) / total for column in zip(*points, strict=True)]
        moved = [[a - m for a, m in zip(point, mean, strict=True)] for point in points]
        covariance = [
            [sum(w * p[i] * p[j] for w, p in zip(weights, moved, strict=True)) / total
             for j in range(d)]
            for i in range(d)
        ]  # fmt: skip
        for k in range(models):
            beta = draws.integers("ccll23-47f", name, k, count=d)
            outputs = [dot(beta, point) for point in points]
            for at, x in enumerate(points):
                exact = shapley(means_given(points, outputs, weights, x))
                means = (conditional_mean(covariance, mean, x, s) for s in range(1 << d))
                by_moments = shapley([dot(beta, m) for m in means])
                cases += entries(f"{name}, model {k + 1}, point {at + 1}", by_moments, exact)
                off = (abs(a - b) for a, b in zip(by_moments, exact, strict=True))
                largest = max(largest, *off)
        rows.append({"law": name, "largest_bias": largest})
    return {"cases": cases, "rows": rows}


@rederives(
    f"{PAPER}costs.gather_linear",
    lambda made: all(row["needed"] == row["values"] for row in made["general"]),
)
def linear_costs(piece, _):
    """A product for each feature; values of a game that change its Shapley values."""
    rows = [{"features": d, "multiplications": d} for d in (2, 4, 8, 16, 32, 64)]
    general = []
    for d in range(2, max(row["players"] for row in piece["general"]) + 1):
        units = ([Fraction(s == t) for t in range(1 << d)] for s in range(1 << d))
        needed = sum(any(shapley(game)) for game in units)
        general.append({"players": d, "values": 1 << d, "needed": needed})
    return {"rows": rows, "general": general}


@rederives(f"{PAPER}costs.gather_passes", None)
def passes(piece, _):
    """Passes of methods by their definitions, with modules of two features."""
    counts = {
        "DeepLIFT": lambda d: 3,
        "Shallow ShapNet": lambda d: 4,
        "Deep ShapNet": lambda d: 1,
        "DASP, one size": lambda d: 2 * d,
        "DASP, all sizes": lambda d: 2 * d * d,
    }
    rows = [
        {"method": method, "features": d, "passes": count(d)}
        for d in (4, 8, 16, 32)
        for method, count in counts.items()
    ]
    return {"rows": rows}
