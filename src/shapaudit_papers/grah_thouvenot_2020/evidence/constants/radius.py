"""Evidence on claims 4e and 4f: the constants C and D, and which D admits the Shapley values.

C bounds |v(S) - v(empty)| and D the norm of the iterates. The norm of phi* is convex in v: over all
games bounded by C it is largest where every value is C or -C. `norm_ceiling` holds at every d; the
terms 1/sqrt(l (d - l)) of its sum stay below pi, the integral over (0, 1) of 1/sqrt(x (1 - x)),
which is convex.
"""

from collections.abc import Callable
from fractions import Fraction
from math import factorial, pi

import numpy as np

from shapaudit.estimators.projections import project_intersection
from shapaudit.samplers.gradients import strong_convexity
from shapaudit.truth import shapley_from_table
from shapaudit.truth.rational import shapley_values
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.exact import exact_dimensions
from shapaudit_papers.theory.constants import kernel_weight, norm_ceiling

from ..problems import random_problems
from ..quadratic.strong_convexity import AND_GAME

ENUMERATED = (2, 3, 4)  # players for which all games with values C and -C are solved
SHARES = (0.25, 0.5, 1.0, 2.0)  # radius of K within the hyperplane over ||phi* - v(M)/d||
HALVINGS = 60  # of the distance to the minimiser of F


def gather_solution(context: Context, projection: Callable = project_intersection) -> Evidence:
    """Return minimisers of F over K by projected descent, and the least norm on K1.

    The games are random.
    """
    cases, norms = [], []
    for label, problem in random_problems(context, kernel_weight, "gt20-04"):
        d, total = problem.n_players, float(problem.total)
        star = shapley_values(problem.values).astype(float)
        inner = np.linalg.norm(star - total / d)
        least = np.linalg.norm(np.linalg.lstsq(np.ones((1, d)), np.array([total]))[0])
        norms.append({"case": label, "found": least, "expected": abs(total) / d**0.5})
        if inner == 0:
            continue
        for share in SHARES:
            radius = np.hypot(share * inner, total / d**0.5)
            minimiser = _minimiser(problem, total, radius, projection)
            distance = np.linalg.norm(minimiser - star) / inner
            cases.append({"case": label, "share": share, "distance": distance})
    return {"cases": cases, "norms": norms}


def _minimiser(problem, total, radius, projection):
    """Return the minimiser (d,) of F over K.

    The steps of the descent halve the distance where the ball has no effect.
    """
    x, y = problem.coalitions.astype(float), problem.rewards.astype(float)
    weights = problem.weights.astype(float)
    phi = np.full(problem.n_players, total / problem.n_players)
    step = 1 / (4 * strong_convexity(problem.n_players))
    for _ in range(HALVINGS):
        phi = projection(phi - step * 2 * x.T @ (weights * (x @ phi - y)), total, radius)
    return phi


def largest_norm(n_players: int) -> tuple[Fraction, tuple[int, ...]]:
    """Return the largest ||phi*||^2 over all games with values 1 and -1, and such a game.

    The games have v(empty) = 0.
    """
    count = (1 << n_players) - 1
    signs = 1 - 2 * (np.arange(1 << count)[:, None] >> np.arange(count) & 1)
    games = np.column_stack([np.zeros(len(signs)), signs])
    scaled = np.rint(shapley_from_table(games) * factorial(n_players)).astype(int)
    norms = np.square(scaled).sum(axis=1)
    # Of all the largest, one that gives the grand coalition 1.
    best = np.flatnonzero((norms == norms.max()) & (games[:, -1] == 1))[0]
    largest = Fraction(int(norms[best]), factorial(n_players) ** 2)
    return largest, tuple(games[best].astype(int).tolist())


def gather_container(context: Context, enumerate_games: Callable = largest_norm) -> Evidence:
    """Return the largest ||phi*||^2 over games bounded by C = 1, with its upper bounds.

    Beside it are the norms of the study's games. ``one`` is the norm of the game with v(S) = 1
    where S contains the first player, and otherwise -1: 4 - 3/d.
    """
    dimensions = exact_dimensions(context)
    studied: list[Evidence] = [
        {
            "game": study_game.name,
            "players": study_game.n_players,
            "ratios": np.array(
                [
                    np.linalg.norm(truth)
                    / (np.abs(game.values - game.values[0]).max() * len(truth) ** 0.5)
                    for game, truth in study_game.explicands()
                    if np.ptp(game.values) > 0
                ]
            ),
        }
        for study_game in context.study_games()
    ]
    return {
        "enumerated": {d: enumerate_games(d) for d in ENUMERATED},
        "one": {d: Fraction(4 * d - 3, d) for d in dimensions},
        "ceilings": {d: norm_ceiling(d) for d in dimensions},
        "beyond": 1 / dimensions[-1] + pi**2 * dimensions[-1] / (dimensions[-1] - 1),
        "proper": {"bound": max(map(abs, AND_GAME[:-1])), "square": shapley_square(AND_GAME)},
        "studied": [game_norms for game_norms in studied if len(game_norms["ratios"])],
    }


def shapley_square(values) -> Fraction:
    """||phi*||^2, exactly."""
    star = shapley_values(values)
    return (star * star).sum()
