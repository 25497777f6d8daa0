"""R^2 of regressions with a penalty that is not quadratic, on the reduced data."""

from collections.abc import Callable, Sequence

import numpy as np

from ..models.reduced import ReducedProblem
from .base import GameError


def non_negative(factor: np.ndarray, response: np.ndarray, penalty: float) -> np.ndarray:
    """Parameters (k,) >= 0 with the smallest squared training error."""
    from scipy.optimize import nnls

    return nnls(factor, response)[0]


def lasso(factor: np.ndarray, response: np.ndarray, penalty: float) -> np.ndarray:
    """Parameters (k,) that minimise |factor theta - response|^2 + penalty |theta|_1."""
    from sklearn.linear_model import Lasso

    # That class halves the mean of the squares; the columns are centred already.
    strength = penalty / (2 * len(response))
    model = Lasso(alpha=strength, fit_intercept=False, tol=1e-12, max_iter=100_000)
    return model.fit(factor, response).coef_


FITS: dict[str, Callable[[np.ndarray, np.ndarray, float], np.ndarray]] = {
    "non-negative": non_negative,
    "lasso": lasso,
}


class PenalisedRegressionGame:
    """v(S) = R^2 of a non-negative fit, or of the lasso, on the training data's features S.

    Bell, Devanathan & Boyd 2024, Section 4.5: only the reduction carries over, so that each
    coalition is a problem of its own with p rows.

    Parameters
    ----------
    problems : of the same features, one per fold
    fit : a key of `FITS`
    penalty : lambda of the lasso (equation 16)
    name : str

    Raises
    ------
    GameError
        For another fit, without problems, or with a test response that does not vary.
    """

    def __init__(
        self,
        problems: Sequence[ReducedProblem],
        fit: str,
        penalty: float = 0.0,
        name: str = "regression",
    ):
        if fit not in FITS:
            raise GameError(f"game {name}: unknown fit {fit!r}; known: {', '.join(FITS)}.")
        self.total = sum(problem.total for problem in problems)
        if not self.total > 0:
            raise GameError(f"game {name}: no problems, or a test response that is constant.")
        self.problems, self.fit, self.penalty, self.name = tuple(problems), fit, penalty, name
        self.n_players = self.problems[0].factor.shape[1]

    def __call__(self, coalitions: np.ndarray) -> np.ndarray:
        """R^2 (m,) of the coalitions (m, p) bool."""
        return np.array([self._value(np.flatnonzero(row)) for row in coalitions], dtype=np.float64)

    def _value(self, members: np.ndarray) -> float:
        loss = 0.0
        for problem in self.problems:
            left = problem.target
            if len(members):
                columns = np.ascontiguousarray(problem.factor[:, members])
                theta = FITS[self.fit](columns, problem.response, self.penalty)
                left = left - theta @ problem.test[members]
            loss += problem.total - problem.target @ problem.target + left @ left
        return 1.0 - loss / self.total
