"""Evidence on claim 14b: Dykstra's projection with the public cap and tolerance."""

from collections.abc import Iterable, Iterator

import numpy as np
from numba import njit

from shapaudit.estimators.projections import dykstra, project_hyperplane, project_intersection
from shapaudit.games import TabularGame
from shapaudit.samplers import sample_sizes, uniform_subsets
from shapaudit.samplers.gradients import gradient_bound, importance_sizes, strong_convexity
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_papers.theory.dykstra import contraction, inner_radius

from .dykstra import CAP, DIMENSIONS, TOLERANCE, project_on_nothing

SPREADS = ((1, 3), (3, 10), (10, 30), (30, 100))  # ranges of ||deviation from the mean|| / D
STEPS = 200  # per path of projected SGD
TIGHT = 1.1  # a small radius that still holds the solution, in units of ||phi*||

Points = tuple[str, np.ndarray, float, float]  # group, points (n, d), v(M), D


@njit(cache=True, nogil=True)
def _descend(phi, coalitions, rewards, factors, total, radius, points):
    """Fill ``points`` (T, d) with phi after each step, before its projection."""
    for k in range(len(points)):
        residual = -rewards[k]
        for j in range(phi.size):
            residual += coalitions[k, j] * phi[j]
        for j in range(phi.size):
            points[k, j] = phi[j] - factors[k] * residual * coalitions[k, j]
        phi = project_intersection(points[k], total, radius)


@njit(cache=True, nogil=True)
def _run_trials(points, total, radius, cap, tolerance, passes, errors):
    """Fill the passes (n,) of Algorithm 2 and its errors (n,) in units of D.

    The exact projection is known in closed form.
    """
    for k in range(len(points)):
        returned, passes[k] = dykstra(points[k], total, radius, cap, tolerance)
        wrong = returned - project_intersection(points[k], total, radius)
        errors[k] = np.sqrt((wrong * wrong).sum()) / radius


def before_projection(
    game: TabularGame, radius: float, bound: float, rule: str, rng: np.random.Generator
) -> np.ndarray:
    """Return the points (STEPS, d) that projected SGD projects on K.

    Steps and sampling are those that the paper prints.
    """
    d, ratio = game.n_players, radius / bound
    probabilities = importance_sizes(d, ratio)
    total = game.values[-1] - game.values[0]
    sizes = sample_sizes(probabilities, STEPS, rng)
    coalitions = uniform_subsets(sizes, d, rng)
    rewards = game(coalitions) - game.values[0]
    t = np.arange(1, STEPS + 1)
    if rule == "inverse":
        steps = 2 / (strong_convexity(d) * (t + 1))
    else:
        steps = 2 * ratio / (gradient_bound(d, ratio, 1.0) * np.sqrt(t))
    factors = 2 * (d - 1) / (sizes * (d - sizes) * probabilities[sizes - 1])
    points, start = np.empty((STEPS, d)), np.full(d, total / d)
    _descend(start, coalitions, rewards, steps * factors, total, radius, points)
    return points


def path_points(context: Context) -> Iterator[Points]:
    """Yield the points that projected SGD projects, for the games of the study.

    There are two radii and two steps.
    """
    for study_game in context.study_games():
        for explicand, (game, truth) in enumerate(study_game.explicands()):
            bound = float(np.abs(game.values - game.values[0]).max())
            total = float(game.values[-1] - game.values[0])
            radii = {
                "public": bound * study_game.n_players**0.5,
                "tight": TIGHT * float(np.linalg.norm(truth)),
            }
            for choice, radius in radii.items():
                if radius == 0:
                    continue
                for rule in ("inverse", "square root"):
                    rng = context.generator("gt20-14b", study_game.name, explicand, rule)
                    points = before_projection(game, radius, bound, rule, rng)
                    yield f"{study_game.name}, {choice} D, {rule}", points, total, radius


def random_points(context: Context) -> Iterator[Points]:
    """Yield points outside the ball with random dimension, v(M), spread and mean, for D = 1."""
    rng = context.generator("gt20-14b")
    for low, high in SPREADS:
        for _ in range(context.settings.random_points // len(SPREADS)):
            d = int(rng.choice(DIMENSIONS))
            total = rng.uniform(-0.9, 0.9) * d**0.5
            spread = np.exp(rng.uniform(np.log(low), np.log(high)))
            direction = project_hyperplane(rng.standard_normal(d), 0.0)
            mean = rng.uniform(-2.0, 2.0) / d**0.5
            phi = mean + direction * (spread / np.linalg.norm(direction))
            yield f"spread {low} to {high} D", phi[None], total, 1.0


def trials_of(points: Iterable[Points]) -> list[Evidence]:
    """Return the result of Algorithm 2 on each point, and the theoretical factor per pass."""
    trials = []
    for group, rows, total, radius in points:
        n, d = rows.shape
        inner = inner_radius(total, radius, d)
        passes, errors = np.empty(n, dtype=np.int64), np.empty(n)
        _run_trials(rows, total, radius, CAP, TOLERANCE, passes, errors)
        spreads = np.linalg.norm(rows - rows.mean(axis=1, keepdims=True), axis=1)
        for spread, count, error in zip(
            spreads.tolist(), passes.tolist(), errors.tolist(), strict=True
        ):
            bites = spread > inner
            trials.append(
                {"group": group, "passes": count, "capped": count == CAP, "error": error}
                | {"bites": bites}
                | {"factor": contraction(total, spread, radius, d) if bites else 0.0}
            )
    return trials


def gather_accuracy(context: Context) -> Evidence:
    """Return the accuracy of Algorithm 2 where projected SGD projects, and far from K.

    The result where K is empty stands beside it.
    """
    trials = [*trials_of(path_points(context)), *trials_of(random_points(context))]
    return {"trials": trials, "empty": project_on_nothing()}
