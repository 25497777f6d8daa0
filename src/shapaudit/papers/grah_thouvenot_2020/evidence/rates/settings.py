"""What the claims on rates share: constants of the games, exact error curves, looseness tables.

Exact curves come from the recursion of `theory.recursion`, on the efficiency hyperplane alone.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from shapaudit.audit.context import Context
from shapaudit.audit.evidence import Evidence
from shapaudit.games import TabularGame
from shapaudit.theory.constants import gradient_bound, importance_sizes, strong_convexity
from shapaudit.theory.recursion import Residuals, errors_from_moments, gradient_moments

HORIZON = 100_000  # steps up to which exact errors are compared with their bounds, each T
GRID = (1, 10, 100, 1_000, 10_000, 100_000)  # of these, those tabulated
ROUNDING = 1e-9  # relative; the recursion is in double precision


class Setting(NamedTuple):
    """Constants of one game: d, C, D, B, mu, v(M) and ||phi_0 - phi*||^2."""

    n_players: int
    bound: float
    radius: float
    gradient_bound: float
    mu: float
    total: float
    start: float

    @property
    def kappa(self) -> float:
        """B / mu."""
        return self.gradient_bound / self.mu

    @property
    def ceiling(self) -> float:
        """4 (D^2 - v(M)^2/d): the squared diameter of K, which no squared error on K exceeds."""
        return 4 * (self.radius**2 - self.total**2 / self.n_players)


# Steps (T,), average, and bounds on E ||average - phi*||^2 (T + 1,), for t = 0, ..., T.
Curve = tuple[np.ndarray, str, np.ndarray]


def settings_of(game: TabularGame, truth: np.ndarray) -> Iterator[tuple[str, Setting]]:
    """The constants, C = max |v(S) - v(empty)|, for D = C sqrt(d) as in the authors' public code
    ("public") and for D = ||phi*||, the smallest that the paper allows ("tight"); none when v is
    constant.
    """
    d = len(truth)
    bound = float(np.abs(game.values - game.values[0]).max())
    total = float(game.values[-1] - game.values[0])
    start = float(np.square(truth - total / d).sum())
    radii = {"public": bound * d**0.5, "tight": float(np.linalg.norm(truth))}
    for choice, radius in radii.items():
        if radius > 0:
            b = gradient_bound(d, radius, bound)
            yield choice, Setting(d, bound, radius, b, strong_convexity(d), total, start)


def exact_series(context: Context, curve: Callable[[Setting], Curve]) -> list[Evidence]:
    """Exact expected squared error against a bound, for every pair of the study's games.

    Importance sampling of the sizes. ``smallest_ratio`` is that of bound and error over all T up to
    `HORIZON`, found ``at``; ``violated`` counts the T with the error above the bound.
    """
    series = []
    for study_game in context.study_games():
        for pair, (game, truth) in enumerate(study_game.pairs(), start=1):
            residuals = Residuals.of_game(game.values, truth)
            for choice, setting in settings_of(game, truth):
                sizes = importance_sizes(setting.n_players, setting.radius / setting.bound)
                steps, average, bounds = curve(setting)
                moments = gradient_moments(residuals, sizes)
                errors = errors_from_moments(moments, steps, average)
                names = {"game": study_game.name, "pair": pair, "radius": choice}
                series.append(names | compare(errors, bounds, setting.bound))
    return series


def compare(errors: np.ndarray, bounds: np.ndarray, scale: float) -> Evidence:
    """Errors and bounds (T + 1,) at the `GRID`, and where they come closest, for T from 1 on.

    Errors are tabulated in units of ``scale`` squared.
    """
    ratios = bounds[1:] / np.maximum(errors[1:], np.finfo(float).tiny)
    grid = [t for t in GRID if t < len(errors)]
    broken = np.flatnonzero(ratios < 1 - ROUNDING)
    return {
        "steps": grid,
        "errors": (errors[grid] / scale**2).tolist(),
        "ratios": ratios[[t - 1 for t in grid]].tolist(),
        "smallest_ratio": float(ratios.min()),
        "at": int(ratios.argmin()) + 1,
        "violated": len(broken),
        "first_violated": int(broken[0]) + 1 if len(broken) else 0,
        "last_violated": int(broken[-1]) + 1 if len(broken) else 0,
    }
