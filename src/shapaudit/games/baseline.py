"""The baseline game of a fitted model: absent features take the values of a reference row."""

from collections.abc import Callable

import numpy as np
from numba import njit

from ..parameters import numbers_of
from .base import GameError


@njit(cache=True, nogil=True)
def _fill_hybrid_rows(
    coalitions: np.ndarray, explicand: np.ndarray, baseline: np.ndarray, rows: np.ndarray
) -> None:
    for i in range(rows.shape[0]):
        for j in range(rows.shape[1]):
            rows[i, j] = explicand[j] if coalitions[i, j] else baseline[j]


def hybrid_rows(coalitions: np.ndarray, explicand: np.ndarray, baseline: np.ndarray) -> np.ndarray:
    """z(x, r, S) (m, d): explicand values on each coalition (m, d) bool, baseline values off it."""
    rows = np.empty(coalitions.shape)
    _fill_hybrid_rows(coalitions, explicand, baseline, rows)
    return rows


class BaselineGame:
    """v(S) = f(z(x, r, S)), z taking explicand values x on S and baseline values r off S.

    The interventional single-reference game (Merrick & Taly 2019; Grah & Thouvenot 2020,
    Section 2.2, up to the constant f(r)).

    Parameters
    ----------
    predict : maps rows (m, d) to outputs (m,)
    explicand, baseline : (d,) finite

    Raises `GameError` when shapes differ or a feature is missing.
    """

    prepared_rows = 0  # rows of the model that making the game takes

    def __init__(
        self,
        predict: Callable[[np.ndarray], np.ndarray],
        explicand: np.ndarray,
        baseline: np.ndarray,
        name: str = "baseline",
    ):
        explicand = numbers_of(f"{name}: the entries of the explicand", explicand, GameError)
        baseline = numbers_of(f"{name}: the entries of the baseline", baseline, GameError)
        if explicand.ndim != 1 or explicand.shape != baseline.shape:
            raise GameError(
                f"explicand {explicand.shape} and baseline {baseline.shape} must both be (d,)."
            )
        missing = ~(np.isfinite(explicand) & np.isfinite(baseline))
        if missing.any():
            raise GameError(
                f"features {np.flatnonzero(missing).tolist()} of the explicand or baseline of "
                f"{name} are NaN or infinite; impute or drop them before explaining."
            )
        self.predict = predict
        self.explicand = explicand
        self.baseline = baseline
        self.n_players = explicand.size
        self.name = name

    def __call__(self, coalitions: np.ndarray) -> np.ndarray:
        """Values (m,) of the coalitions (m, d) bool."""
        rows = hybrid_rows(coalitions, self.explicand, self.baseline)
        return np.asarray(self.predict(rows), dtype=np.float64)

    def rows(self, coalitions: np.ndarray) -> np.ndarray:
        """Rows of the model (m,) that the values of coalitions (m, d) take: one each."""
        return np.ones(len(coalitions), dtype=np.int64)

    def realisation(self, rng: np.random.Generator) -> "BaselineGame":
        """The game itself: it has no noise."""
        return self
