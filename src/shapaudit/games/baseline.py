"""The baseline game of a fitted model: absent features take the values of a reference row."""

from collections.abc import Callable

import numpy as np

from .base import GameError


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

    def __init__(
        self,
        predict: Callable[[np.ndarray], np.ndarray],
        explicand: np.ndarray,
        baseline: np.ndarray,
        name: str = "baseline",
    ):
        explicand = np.asarray(explicand, dtype=np.float64)
        baseline = np.asarray(baseline, dtype=np.float64)
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
        return self.predict(np.where(coalitions, self.explicand, self.baseline))
