"""What the claims of this paper share: where they are printed, its loops, games, exact errors."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from shapaudit.audit.context import Context
from shapaudit.papers.chen_covert_lundberg_lee_2023.evidence.pairing_games import KINDS
from shapaudit.samplers.quadrature import paired_rule, quadrature_rule
from shapaudit.theory.grids import Grid
from shapaudit.theory.multilinear import bias_and_variance, size_moments
from shapaudit.theory.pairing import walk_parts

SAMPLES, DRAWS = 2000, 2  # of Table I: M_c = Q M, with M = 2
LARGEST_GAME = 16  # players of the study's games that are looked at


def algorithm_1(q: int) -> Grid:
    """Levels 0, 1/Q, ..., 1 of Algorithm 1, divided by Q as in its line 11."""
    return Grid(range(q + 1), q, [1] * (q + 1), q)


def algorithm_2(q: int) -> Grid:
    """Levels 0, 1/Q, ... up to 1/2 of Algorithm 2, each with 1 - q, divided by Q (line 13)."""
    return _both(range(q // 2 + 1), q)


def appendix_sum(q: int) -> Grid:
    """The estimator at the end of Appendix A, whose sum begins at i = 1."""
    return _both(range(1, q // 2 + 1), q)


def _both(half: range, q: int) -> Grid:
    nodes = [*half, *(q - k for k in half)]
    return Grid(nodes, q, [1] * len(nodes), q)


def tables(context: Context) -> Iterator[tuple[str, np.ndarray]]:
    """One game of each analytic kind and some games of the study, all scaled to spread 1."""
    for name, draw in KINDS.items():
        rng = context.generator("ol21", name)
        values = draw(rng)
        while np.ptp(values) == 0:
            values = draw(rng)
        yield name, values / values.std()
    for study in context.games:
        if study.n_players <= LARGEST_GAME:
            for k, (game, _) in enumerate(study.pairs(context.settings.simulated_pairs)):
                if np.ptp(game.values) > 0:
                    yield f"{study.name} {k + 1}", game.values / game.values.std()


class Errors(NamedTuple):
    """Squared bias and variance, summed over the players, of one estimate."""

    squared_bias: float
    variance: float

    @property
    def total(self) -> float:
        """Expected squared error."""
        return self.squared_bias + self.variance


def multilinear_errors(values: np.ndarray, grid: str, levels: int, draws: int, paired=False):
    """Exact `Errors` with ``draws`` at each of L levels (pairs: of the levels up to 1/2)."""
    rule = (paired_rule if paired else quadrature_rule)(grid, levels)
    counts = np.full(len(rule.weights), draws)
    bias, variance = bias_and_variance(size_moments(values, paired), rule, counts)
    return Errors(float(np.square(bias).sum()), float(variance.sum()))


def castro_errors(values: np.ndarray, walks: float, antithetic: bool = False) -> Errors:
    """Exact `Errors` of the mean of so many walks; antithetic, half of them are reversed."""
    parts = walk_parts(values)
    ratio = float(parts.ratio()) if antithetic else 1.0
    return Errors(0.0, ratio * float(parts.plain.sum()) / walks)
