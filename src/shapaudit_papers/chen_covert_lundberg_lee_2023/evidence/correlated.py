"""Evidence on claim 47: correlated LinearSHAP, in fractions, and from estimated moments."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import permutations, product
from math import factorial, prod

from shapaudit.truth.rational import rationals, shapley_values
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.exact import random_integers, small_dimensions, vector_cases
from shapaudit_papers.theory.conditional import conditional_table, linear_fit_game
from shapaudit_papers.theory.correlated import identity, linear_prediction_game, order_contributions
from shapaudit_papers.theory.removal import Model, Row, linear, mean_row, product_of

ROWS, LEVELS = 6, 2  # of the random tables
COUNTS = 2  # drawn from four kinds by the multinomial law
Law = tuple[Sequence[Row], Sequence[Fraction]]  # rows and their probabilities


def linear_model(numbers: list[Fraction], d: int) -> Model:
    """Return the linear model whose intercept and slopes are the first d + 1 numbers."""
    return linear(numbers[: d + 1])


def problems(context: Context, name: str, build: Callable) -> Iterator[tuple]:
    """Yield label, random model and table of binary rows; the first row is explained."""
    for d in small_dimensions(context, 3):
        for k in range(context.settings.random_games):
            drawn = random_integers(context, name, d, k, count=d * d + ROWS * d)
            rows = (drawn[d * d :] % LEVELS).reshape(ROWS, d).tolist()
            yield f"d = {d}, model {k + 1}", build(drawn[: d * d].tolist(), d), rows


def prediction_sides(model: Model, rows: list[Row]) -> tuple[list, list]:
    """Return E[f(x)

    x_S] and f(E[x

    x_S]) (2^d,) at the first of equally likely rows.
    """
    left, right = [], []
    for members in range(1 << len(rows[0])):
        inside = [j for j in range(len(rows[0])) if members >> j & 1]
        alike = [row for row in rows if all(row[j] == rows[0][j] for j in inside)]
        left.append(sum(map(model, alike), Fraction(0)) / len(alike))
        right.append(model(mean_row(alike)))
    return left, right


def gather_prediction(
    context: Context, build: Callable = linear_model, general: Model = product_of
) -> Evidence:
    """Return mean predictions and predictions at the mean, given each coalition.

    The models are random linear ones, and the product of two binary features on a diagonal.
    """
    cases = []
    for label, model, rows in problems(context, "ccll23-47d", build):
        cases += vector_cases(label, *prediction_sides(model, rows))
    corners: list[Row] = [[Fraction(a), Fraction(a)] for a in (1, 0)]
    left, right = prediction_sides(general, corners)
    return {"cases": cases, "rows": [{"mean_of_f": left[0], "f_at_mean": right[0]}]}


def gather_orders(context: Context, added: Callable = order_contributions) -> Evidence:
    """Return means over all orders of the features' contributions, and the Shapley values.

    The contributions come from one factorisation per order. Beside them is, for every model,
    the variance over orders, summed over the features.
    """
    cases, rows = [], []
    for d in small_dimensions(context, 4):
        for k in range(context.settings.random_games):
            drawn = random_integers(context, "ccll23-47e", d, k, count=2 * d + d * d)
            beta, moved, root = drawn[:d], drawn[d : 2 * d], drawn[2 * d :].reshape(d, d)
            covariance = root @ root.T + identity(d)
            game = linear_prediction_game(beta, 0 * beta, covariance, moved)
            exact = shapley_values(game)
            contributions = [
                added(beta, covariance, moved, order) for order in permutations(range(d))
            ]
            label, count = f"d = {d}, model {k + 1}", Fraction(factorial(d))
            cases += vector_cases(label, sum(contributions) / count, exact)
            spread = (
                sum(((contribution - exact) ** 2).sum() for contribution in contributions) / count
            )
            rows.append({"model": label, "variance": spread})
    return {"cases": cases, "rows": rows}


def laws(context: Context) -> Iterator[tuple[str, Law]]:
    """Yield dependent laws on a few points by name; none is Gaussian."""
    weights = random_integers(context, "ccll23-47", count=4)
    corners = [[Fraction(a), Fraction(b)] for a in (0, 1) for b in (0, 1)]
    yield "two binary features", (corners, [1 + abs(w) for w in weights])
    yield "counts of a multinomial law", multinomial()
    signs = [[Fraction(s * (i == j)) for j in range(3)] for i in range(3) for s in (-1, 1)]
    yield "one feature of three, up or down", (signs, [Fraction(1)] * 6)
    parabola = [[Fraction(x), Fraction(x * x)] for x in (-1, 0, 1)]
    yield "the second the square of the first", (parabola, [Fraction(1)] * 3)


def multinomial() -> Law:
    """Return the law of the counts of three out of four kinds, with chances 1/10, ..., 4/10."""
    rows, weights = [], []
    for row in product(range(COUNTS + 1), repeat=3):
        if sum(row) <= COUNTS:
            counts = [*row, COUNTS - sum(row)]
            ways = factorial(COUNTS) // prod(map(factorial, counts))
            rows.append([Fraction(x) for x in row])
            powers = (Fraction(k + 1, 10) ** x for k, x in enumerate(counts))
            weights.append(ways * prod(powers, start=Fraction(1)))
    return rows, weights


def gather_laws(context: Context, named: Callable = laws, fitted=linear_fit_game) -> Evidence:
    """Return conditional values of linear models, and those under a Gaussian of equal moments.

    They are taken at every point of each law, for random coefficients.
    """
    cases, rows = [], []
    for name, (points, weights) in named(context):
        largest = Fraction(0)
        for k in range(context.settings.random_games):
            beta = random_integers(context, "ccll23-47f", name, k, count=len(points[0]))
            outputs = [beta @ rationals(point) for point in points]
            for at, point in enumerate(points):
                exact = shapley_values(conditional_table(points, weights, outputs, point))
                fitted_values = shapley_values(fitted(points, weights, outputs, point))
                cases += vector_cases(
                    f"{name}, model {k + 1}, point {at + 1}", fitted_values, exact
                )
                largest = max(largest, abs(fitted_values - exact).max())
        rows.append({"law": name, "largest_bias": largest})
    return {"cases": cases, "rows": rows}
