"""Chen, Covert, Lundberg and Lee 2023, continued: games of models with features removed."""

import re
from fractions import Fraction
from itertools import product
from math import asin, pi

from .definitions import entries, game_of, numbered, shapley
from .registry import rederives

PAPER = "chen_covert_lundberg_lee_2023/"
CORRELATIONS = [Fraction(k, 10) for k in (-9, -5, 0, 5, 9, 10)]


def linear(beta):
    """An intercept and slopes."""
    return lambda row: beta[0] + sum(b * x for b, x in zip(beta[1:], row, strict=True))


def quadratic(c):
    """All products of two features, row by row."""
    return lambda row: sum(
        c[i * len(row) + j] * x * y for i, x in enumerate(row) for j, y in enumerate(row)
    )


def mean_of(rows):
    """The mean of each feature."""
    return [sum(column) / Fraction(len(rows)) for column in zip(*rows, strict=True)]


def problems(piece, draws, name, count):
    """Label, coefficients, explicand and three rows of the random models of a piece."""
    for d, number in numbered([label for label, *_ in piece["cases"]]):
        drawn = draws.integers(name, d, number - 1, count=count(d) + 4 * d)
        rest = drawn[count(d) :]
        x, *rows = (rest[i : i + d] for i in range(0, 4 * d, d))
        yield f"d = {d}, model {number}", drawn[: count(d)], x, rows


@rederives(f"{PAPER}removal.gather_linear")
def linear_models(piece, draws):
    """Marginal values, those at the mean, and beta (x - mu)."""
    cases = []
    for label, beta, x, rows in problems(piece, draws, "ccll23-13", lambda d: d + 1):
        marginal = shapley(game_of(linear(beta), x, rows))
        mean = mean_of(rows)
        at_mean = shapley(game_of(linear(beta), x, [mean]))
        closed = [b * (a - m) for b, a, m in zip(beta[1:], x, mean, strict=True)]
        cases += entries(f"{label}, mean baseline", at_mean, marginal)
        cases += entries(f"{label}, Equation 10", closed, marginal)
    return {"cases": cases}


@rederives(
    f"{PAPER}removal.gather_average",
    lambda made: all(a == b for key in made for _, a, b in made[key]),
)
def average(piece, draws):
    """Marginal values and the mean of the values at each row; the mean over samples of two rows."""
    cases, samples = [], []
    for label, c, x, rows in problems(piece, draws, "ccll23-14", lambda d: d * d):
        own = [shapley(game_of(quadratic(c), x, [row])) for row in rows]
        cases += entries(label, shapley(game_of(quadratic(c), x, rows)), mean_of(own))
    drawn = {"cases": piece["sampled"]}
    for label, c, x, rows in problems(drawn, draws, "ccll23-14a", lambda d: d * d):
        own = [shapley(game_of(quadratic(c), x, pair)) for pair in product(rows, repeat=2)]
        samples += entries(label, mean_of(own), shapley(game_of(quadratic(c), x, rows)))
    return {"cases": cases, "sampled": samples}


@rederives(f"{PAPER}removal.gather_beyond", lambda made: not made["wrong"])
def beyond(piece, _):
    """The smallest models that are not linear, with dependent and independent rows."""
    zero, one = Fraction(0), Fraction(1)
    corners = [[a, b] for a in (zero, one) for b in (zero, one)]
    examples = [
        ("x squared, background -1 and 1", lambda r: r[0] ** 2, [zero], [[-one], [one]], True),
        ("x y, background on a diagonal", lambda r: r[0] * r[1], [one, zero], corners[::3], True),
        ("x y, background of all corners", lambda r: r[0] * r[1], [one, zero], corners, False),
    ]
    rows, wrong = [], []
    for label, model, x, background, differ in examples:
        marginal = shapley(game_of(model, x, background))
        at_mean = shapley(game_of(model, x, [mean_of(background)]))
        if (marginal != at_mean) != differ:
            wrong.append(label)
        for j, sides in enumerate(zip(marginal, at_mean, strict=True), start=1):
            row = {"model": label, "feature": j}
            rows.append(row | dict(zip(("marginal", "mean_baseline"), sides, strict=True)))
    return {"rows": rows, "wrong": wrong}


def _invariant_at_the_mean(made):
    return all(left == right for _, left, right in made["mean"]) and not all(
        left == right for _, left, right in made["zero"]
    )


@rederives(f"{PAPER}encodings.gather_encodings", _invariant_at_the_mean)
def encodings(piece, draws):
    """A feature recoded to a + b x, its coefficient to beta / b, at the mean and at zero."""
    most = max(int(re.match(r"encoding (\d+)", label)[1]) for label, *_ in piece["mean"])
    cases = {"mean": [], "zero": []}
    for k in range(most):
        drawn = draws.integers("ccll23-16", k, count=10)
        beta, x, mean = drawn[:4], drawn[4:7], drawn[7:]
        a, b = Fraction(k + 1), Fraction(-2 - k)
        recoded = [beta[0] - a * beta[3] / b, *beta[1:3], beta[3] / b]
        moved = [[*row[:2], a + b * row[2]] for row in (x, mean)]
        zero = [Fraction(0)] * 3
        for name, before, after in (("mean", mean, moved[1]), ("zero", zero, zero)):
            left = shapley(game_of(linear(beta), x, [before]))
            right = shapley(game_of(linear(recoded), moved[0], [after]))
            cases[name] += entries(f"encoding {k + 1}", left, right)
    return cases


@rederives(f"{PAPER}encodings.gather_gender", None)
def gender(piece, _):
    """The values of a man under both conventions, with the coefficient that one of them gives."""
    rows = []
    for source, x in (("text of Section 4.4", 0), ("caption of Figure 4", 1)):
        beta = Fraction(0) if x else Fraction(10)
        row = {"convention": source, "x3": x, "coefficient": beta, "value_x3": beta * x}
        rows.append(row | {"value_other": -beta * (1 - x)})
    return {"rows": rows, "printed": (0, -10)}


def gaussian(beta, rho, x=(1, 1, 1)):
    """Values of E[beta'x | x_S]; the last two of three are correlated."""
    values = []
    for members in range(8):
        inside = [members >> j & 1 for j in range(3)]
        second = x[1] if inside[1] else rho * inside[2] * x[2]
        third = x[2] if inside[2] else rho * inside[1] * x[1]
        values.append(beta[0] * inside[0] * x[0] + beta[1] * second + beta[2] * third)
    return shapley([Fraction(value) for value in values])


@rederives(f"{PAPER}encodings.gather_splitting")
def splitting(piece, draws):
    """Conditional values of a correlated pair, and how much of each goes to the other."""
    cases, gaps = [], []
    games = len(piece["gaps"]) // len(CORRELATIONS)
    for k in range(games):
        beta = draws.integers("ccll23-16c", k, count=3)
        for rho in CORRELATIONS:
            label = f"coefficients {', '.join(map(str, beta))}, correlation {rho}"
            phi = gaussian(beta, rho)
            closed = [beta[0], *(x - (x - y) * rho / 2 for x, y in (beta[1:], beta[:0:-1]))]
            cases += entries(label, phi, closed)
            gaps.append((label, abs(phi[1] - phi[2]), abs(beta[1] - beta[2])))
    return {"cases": cases, "gaps": gaps, "correlations": CORRELATIONS}


@rederives(f"{PAPER}encodings.gather_partial", None)
def partial(piece, _):
    """Conditional values of a feature that is not used; where x_2 lies between 0 and rho x_3.

    The angle of the pair, made independent, is then in two sectors of arcsin(rho) out of 2 pi.
    """
    rows = []
    for rho in (Fraction(k, 100) for k in (50, 80, 90, 95, 99)):
        phi, other = gaussian([1, 1, 0], rho), gaussian([1, 1, 0], rho, (1, Fraction(1, 10), 2))
        row = {"correlation": rho, "value_2": phi[1], "value_3": phi[2]}
        row |= {"ratio": float(phi[2] / phi[1]), "other_2": other[1], "other_3": other[2]}
        rows.append(row | {"share_larger": asin(rho) / pi})
    return {"rows": rows}
