"""Strata of coalitions: their moments, the sizes that are cheap to know, and streams of draws."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from numba import njit

from ..games import Game
from .base import BLOCK_CELLS, AnytimeEstimator, Estimate


def border_cost(n_players: int) -> int:
    """Evaluations of `border_values`: all coalitions of 0, 1, d - 1 and d players, each once."""
    return min(2 * n_players + 2, 1 << n_players)


def border_values(game: Game) -> tuple[float, float, np.ndarray, np.ndarray]:
    """v(empty), v(grand), and v({i}) (d,) and v(all but i) (d,)."""
    d = game.n_players
    alone = np.eye(d, dtype=bool)
    ends = np.stack([np.zeros(d, dtype=bool), np.ones(d, dtype=bool)])
    values = game(np.concatenate([ends, alone, ~alone])[: border_cost(d)])
    if d == 1:
        return values[0], values[1], values[1:], values[:1]
    singles = values[2 : d + 2]
    return values[0], values[1], singles, values[d + 2 :] if d > 2 else singles[::-1]


def cover(n_players: int, size: int, rng: np.random.Generator) -> np.ndarray:
    """Coalitions (ceil(d / size), d) of one size that every player is in once or twice.

    They cut a uniform permutation into pieces and fill the last piece up from its start. Given
    which of them one player is in, the others in each are uniform, as players are exchangeable.
    """
    rows = -(-n_players // size)
    pieces = rng.permutation(n_players)[np.arange(rows * size) % n_players].reshape(rows, size)
    coalitions = np.zeros((rows, n_players), dtype=bool)
    np.put_along_axis(coalitions, pieces, True, axis=1)
    return coalitions


@njit(cache=True, nogil=True)
def _add(
    coalitions: np.ndarray,
    cells: np.ndarray,
    values: np.ndarray,
    counts: np.ndarray,
    means: np.ndarray,
    squares: np.ndarray,
) -> None:
    for row in range(coalitions.shape[0]):
        cell, value = cells[row], values[row]
        for player in range(coalitions.shape[1]):
            # Without a branch, so that it runs in vector registers.
            member = coalitions[row, player]
            counts[player, cell] += member
            delta = value - means[player, cell] if member else 0.0
            step = delta / max(counts[player, cell], 1)
            means[player, cell] += step
            squares[player, cell] += delta * (delta - step)


class Strata:
    """Moments of k strata for each player; the estimate is ``offset`` + means ``weights``.

    Given which draws fall into which strata, they are independent and have the stratum's law.
    So the estimate is unbiased once every stratum has a draw, and its variance is the sum of
    weights^2 variances / counts.

    Parameters
    ----------
    offset : (d,), what is known exactly
    weights : (k,)
    """

    def __init__(self, offset: np.ndarray, weights: np.ndarray):
        self.offset = offset
        self.weights = weights
        shape = (len(offset), len(weights))
        self.counts = np.zeros(shape, dtype=np.int64, order="F")  # by stratum, as draws are
        self.means = np.zeros(shape, order="F")
        self._squares = np.zeros(shape, order="F")

    def add(self, coalitions: np.ndarray, cells: np.ndarray, values: np.ndarray) -> None:
        """Add ``values[i]`` to stratum ``cells[i]`` of each member of ``coalitions[i]``."""
        _add(coalitions, cells, values, self.counts, self.means, self._squares)

    def variances(self) -> np.ndarray:
        """Variances (d, k) within the strata; every one needs two draws."""
        return self._squares / (self.counts - 1)

    def estimate(self, evaluations: int) -> Estimate:
        """Estimate, with standard errors once every stratum has two draws."""
        errors = None
        if (self.counts > 1).all():
            errors = np.sqrt(self.variances() / self.counts @ np.square(self.weights))
        return Estimate(self.offset + self.means @ self.weights, evaluations, errors)


class StrataStream(AnytimeEstimator):
    """Strata filled once over by a warm-up, and then by independent draws of equal cost."""

    draw_cost: ClassVar[int]

    @abstractmethod
    def start(self, game: Game, rng: np.random.Generator) -> Strata:
        """Strata with a draw in each, for the minimum budget."""

    @abstractmethod
    def extend(self, game: Game, strata: Strata, draws: int, rng: np.random.Generator) -> None:
        """Add independent draws."""

    def trajectory(
        self, game: Game, checkpoints: Sequence[int], rng: np.random.Generator
    ) -> list[Estimate]:
        """Estimates at increasing budgets, from one run; raises `BudgetTooSmall`."""
        d = game.n_players
        self.check_checkpoints(d, checkpoints)
        minimum = self.minimum_budget(d)
        strata = self.start(game, rng)
        block = max(1, BLOCK_CELLS // (self.draw_cost * d))
        done = 0
        estimates = []
        for checkpoint in checkpoints:
            # Where there are no strata, everything is known.
            last = (checkpoint - minimum) // self.draw_cost if len(strata.weights) else 0
            while done < last:
                draws = min(block, last - done)
                self.extend(game, strata, draws, rng)
                done += draws
            estimates.append(strata.estimate(minimum + self.draw_cost * done))
        return estimates
