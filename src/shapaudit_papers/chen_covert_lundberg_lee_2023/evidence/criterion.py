"""Evidence on claims 68, 70 and 73: errors of conditional values, in data and in themselves."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import pairwise

import numpy as np

from shapaudit.truth.rational import rationals, shapley_values
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Case, Evidence
from shapaudit_audit.audit.exact import random_integers
from shapaudit_papers.theory.conditional import agrees, conditional_table
from shapaudit_papers.theory.joint_tables import Game, JointLaw, conditional
from shapaudit_papers.theory.removal import gaussian_game

from .laws import BinaryWorld, last, worlds

ZERO, ONE, HALF = Fraction(0), Fraction(1), Fraction(1, 2)
SAMPLES = range(1, 9)  # rows, of which no statistic is unbiased
CORRELATIONS = [Fraction(k, 6) for k in range(7)]
EFFECTS = {"one effect": (1, 0), "equal effects": (1, 1), "opposite effects": (1, -1)}
Target = Callable[[BinaryWorld, int, Fraction], Fraction]


def model_output(world: BinaryWorld, row: int, expected: Fraction) -> Fraction:
    """Return the target of the approximations: the model's output at a row."""
    return world.outputs[row]


def gather_criterion(context: Context, target: Target = model_output) -> Evidence:
    """Return E(f - g)^2 of a random g(x_S) by coalition, and E Var(f

    x_S) + E(g - v)^2.
    """
    cases = []
    for world in worlds(context, "ccll23-68"):
        law, d = world.law, len(world.law.rows[0])
        tables = [conditional_table(*law, list(world.outputs), x) for x in law.rows]
        drawn = random_integers(context, "ccll23-68", world.label, count=len(law.rows) << d)
        for members in range(1 << d):
            guesses = dict(zip(law.rows, drawn[members :: 1 << d], strict=True))
            first = {
                x: next(guesses[row] for row in law.rows if agrees(row, x, members))
                for x in law.rows
            }
            parts = [ZERO] * 3
            for k, (x, weight) in enumerate(zip(*law, strict=True)):
                g, v, f = first[x], tables[k][members], world.outputs[k]
                parts[0] += weight * (target(world, k, v) - g) ** 2
                parts[1] += weight * (f - v) ** 2
                parts[2] += weight * (g - v) ** 2
            seen, noise, error = (part / law.total for part in parts)
            cases.append(Case(f"{world.label}, coalition {members}", seen, noise + error))
    return {"cases": cases}


def gather_draws(context: Context, draws: tuple[int, ...] = (1, 2, 10, 100)) -> Evidence:
    """Return the mean squared error of means of K draws, for two generators of a bit.

    The bit is 1 with probability 2/5. One generator draws from its law, the other always gives
    0. The error is given both in data and in v.
    """
    chance = Fraction(2, 5)
    noise = chance * (1 - chance)
    rows = [{"draws": k, "right": noise + noise / k, "always_0": noise + chance**2} for k in draws]
    return {"rows": rows, "error_right": ZERO, "error_always_0": chance**2}


def gather_rankings(context: Context, scale: Fraction = ONE) -> Evidence:
    """Return two approximations of a game of three players with their errors in v and in values.

    The first adds 1 to every proper coalition, the second adds 1/2 to {1} alone.
    """
    first = [ZERO, *[scale] * 6, ZERO]
    second = [ZERO, HALF, *[ZERO] * 6]
    rows = []
    for name, table in (("1 on all proper coalitions", first), ("1/2 on one coalition", second)):
        square = sum((x * x for x in table), ZERO) / len(table)
        values = shapley_values(table)
        rows.append({"added": name, "in_v": square, "in_values": Fraction((values**2).sum())})
    return {"rows": rows}


def bits(both: Fraction) -> JointLaw:
    """Return the law of two bits with the given P(1, 1) and P(1, 0) = P(0, 1) = 1/4."""
    rows = [(ONE, ONE), (ONE, ZERO), (ZERO, ONE), (ZERO, ZERO)]
    return JointLaw(rows, [both, Fraction(1, 4), Fraction(1, 4), HALF - both])


def gather_polynomials(context: Context, game: Game = conditional) -> Evidence:
    """Return differences of order n + 1 of a value over laws of two bits, for f(x) = x2.

    The value is that of the second feature. The expectation of a statistic of n rows is a
    polynomial of degree n in P(1, 1), whose difference of order n + 1 is 0.
    """
    rows = []
    for n in SAMPLES:
        grid = [Fraction(k, 2 * (n + 3)) for k in range(1, n + 3)]
        values = [shapley_values(game(last, (ONE, ONE), bits(t)))[1] for t in grid]
        for _ in range(n + 1):
            values = [b - a for a, b in pairwise(values)]
        rows.append({"rows": n, "difference": values[0]})
    return {"rows": rows}


def mean_discrepancy(effects: tuple[int, int], rho: Fraction) -> Fraction:
    """Return the mean squared distance of conditional from marginal values over explicands.

    The features are two standard Gaussians of correlation rho, and the model is effects'x. The
    difference is linear in the explicand and hence known from unit rows.
    """
    beta = rationals(effects)
    columns = []
    for unit in np.eye(2, dtype=int):
        x = rationals(unit.tolist())
        game = gaussian_game(beta.tolist(), x.tolist(), rho)
        columns.append(shapley_values(game) - beta * x)
    matrix = np.array(columns).T
    moments = np.array([[ONE, rho], [rho, ONE]], dtype=object)
    return Fraction(np.trace(matrix @ moments @ matrix.T))


def gather_discrepancies(
    context: Context,
    mean: Callable = mean_discrepancy,
    models: Mapping[str, tuple[int, int]] = EFFECTS,
) -> Evidence:
    """Return the mean squared distance by correlation and effects, and its closed form."""
    rows, cases = [], []
    for rho in CORRELATIONS:
        row = {"correlation": rho}
        for name, effects in models.items():
            a, b = effects
            distance = mean(effects, rho)
            closed = rho**2 * (a * a + b * b - 2 * rho * a * b) / 2
            cases.append(Case(f"{name}, correlation {rho}", distance, closed))
            row[name.replace(" ", "_")] = distance
        rows.append(row)
    return {"rows": rows, "cases": cases}
