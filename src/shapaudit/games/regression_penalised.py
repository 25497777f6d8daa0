"""R^2 of regressions with a penalty that is not quadratic, on the reduced data."""

from collections.abc import Callable, Sequence
from copy import copy

import numpy as np

from ..models.reduced import ReducedProblem
from ..models.reduction import in_order
from .base import GameError
from .regression_active import coalition_losses, walk_losses

FITS = ("non-negative", "lasso")
ROWS = 16  # coalitions, or permutations, that one thread takes at a time


class PenalisedRegressionGame:
    """v(S) = R^2 of a non-negative fit, or of the lasso, on the training data's features S.

    Bell, Devanathan & Boyd 2024, Section 4.5: only the reduction carries over, so that each
    coalition is a problem of its own with p rows. Along a walk it starts from the one before.

    Parameters
    ----------
    problems : of the same features, one per fold
    fit : one of `FITS`
    penalty : lambda of the lasso (equation 16)
    name : str
    threads : how many to evaluate on; the values do not depend on it

    Raises
    ------
    GameError
        For another fit, without problems, with a test response that does not vary, or where
        rounding keeps a fit from its end.
    """

    def __init__(
        self,
        problems: Sequence[ReducedProblem],
        fit: str,
        penalty: float = 0.0,
        name: str = "regression",
        threads: int = 1,
    ):
        if fit not in FITS:
            raise GameError(f"game {name}: unknown fit {fit!r}; known: {', '.join(FITS)}.")
        self.total = sum(problem.total for problem in problems)
        if not self.total > 0:
            raise GameError(f"game {name}: no problems, or a test response that is constant.")
        self.problems, self.fit, self.penalty, self.name = tuple(problems), fit, penalty, name
        self.n_players, self.threads = self.problems[0].factor.shape[1], threads
        signed = fit == "lasso"
        self._parts = [_arrays(problem) for problem in problems]
        self._settings = penalty / 2 if signed else 0.0, signed
        self._without = sum(float(problem.target @ problem.target) for problem in problems)

    def __call__(self, coalitions: np.ndarray) -> np.ndarray:
        """R^2 (m,) of the coalitions (m, p) bool."""
        coalitions = np.ascontiguousarray(coalitions, dtype=np.bool_)
        return (self._without - self._add_up(coalition_losses, coalitions, ())) / self.total

    def walk(self, permutations: np.ndarray) -> np.ndarray:
        """Marginal contributions (m, p), by player, along the permutations (m, p)."""
        permutations = np.ascontiguousarray(permutations, dtype=np.int64)
        losses = self._add_up(walk_losses, permutations, permutations.shape[1:])
        along = np.diff(losses, axis=1, prepend=self._without)
        contributions = np.empty(permutations.shape)
        np.put_along_axis(contributions, permutations, -along / self.total, axis=1)
        return contributions

    def with_threads(self, threads: int) -> "PenalisedRegressionGame":
        """The same game on so many threads."""
        same = copy(self)
        same.threads = threads
        return same

    def _add_up(
        self, kernel: Callable[..., bool], rows: np.ndarray, shape: tuple[int, ...]
    ) -> np.ndarray:
        """Losses (m, *shape), over the problems."""
        losses = np.zeros((len(rows), *shape))

        def evaluate(start: int) -> bool:
            block = slice(start, start + ROWS)
            return all(
                kernel(*part, *self._settings, rows[block], losses[block]) for part in self._parts
            )

        if not all(in_order(evaluate, range(0, len(rows), ROWS), self.threads)):
            raise GameError(
                f"game {self.name}: a {self.fit} fit did not converge; leave out columns that "
                "depend on others, or add a ridge."
            )
        return losses


def _arrays(problem: ReducedProblem) -> tuple[np.ndarray, ...]:
    """What the kernels take."""
    arrays = problem.factor.T, problem.response, problem.test, problem.target
    return tuple(np.ascontiguousarray(array) for array in arrays)
