"""Regressions reduced to triangles: training and test data, folds, ridge.

Bell, Devanathan & Boyd 2024, Sections 3.2 and 4.1 to 4.3.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy

from .base import ModelError
from .reduction import Block, conditioned, reduce_rows

# Condition number of the correlation matrix from which columns count as collinear: what rounding
# leaves of equal columns lies above.
COLLINEAR = 1e-4 / np.finfo(float).eps ** 2
LEAST_WEIGHT = 1e-6  # of a column of length 1 among those on which another one depends


@dataclass(frozen=True, eq=False)
class ReducedProblem:
    """Training and test data of one regression, as triangles.

    The losses of several problems may be added: test rows are scaled where they should be averages.

    Attributes
    ----------
    factor : (p, p), with the Gram matrix of the training columns, that of the penalty added
    response : (p,), whose products with the columns of the factor are those of the data
    test : (p, w), a row for the test column of each feature
    target : (w,), the part of the test response that the columns can reach
    total : squared norm of the test response, the loss without features
    means : (p + 1,) training means of features and response; zeros without an intercept
    n_rows, n_test : training and test rows
    methods : how the training and the test data were reduced
    """

    factor: np.ndarray
    response: np.ndarray
    test: np.ndarray
    target: np.ndarray
    total: float
    means: np.ndarray
    n_rows: int
    n_test: int
    methods: tuple[str, str] = ("qr", "qr")

    @property
    def condition(self) -> float:
        """Condition number of the correlation matrix of the training columns."""
        return conditioned(self.factor)

    def coefficients(self) -> np.ndarray:
        """Parameters (p,) of all features."""
        return scipy.linalg.solve_triangular(self.factor, self.response)

    def loss(self) -> float:
        """Squared test error of all features."""
        left = self.target - self.coefficients() @ self.test
        return self.total - float(self.target @ self.target) + float(left @ left)

    def scaled(self, weight: float) -> "ReducedProblem":
        """The problem whose losses are ``weight`` times as large."""
        root = np.sqrt(weight)
        scaled = {"test": root * self.test, "target": root * self.target}
        return replace(self, total=weight * self.total, **scaled)

    def with_ridge(self, strength: float) -> "ReducedProblem":
        """The problem with strength |theta|^2 added to the mean squared training error.

        By stacking (equation 15), times the number of rows. Raises `ModelError` below 0.
        """
        if not strength >= 0:
            raise ModelError(f"a ridge must not be negative; got {strength}")
        if strength == 0:
            return self
        p = self.factor.shape[1]
        stacked = np.vstack([self.factor, np.sqrt(self.n_rows * strength) * np.eye(p)])
        q, factor = np.linalg.qr(stacked)
        return replace(self, factor=factor, response=q[:p].T @ self.response)


def reduce_problem(
    train: Sequence[Block],
    test: Sequence[Block],
    intercept: bool = True,
    method: str = "auto",
    threads: int = 1,
) -> ReducedProblem:
    """Reduce training and test rows, streamed in blocks.

    With an intercept both lose the training means (the paper's demeaning). Columns may be
    collinear: a game refuses them, unless a ridge makes them independent. Raises `ModelError` for
    what `reduce_rows` refuses.
    """
    zeros = np.zeros(train[0]()[0].shape[1] + 1)
    own = reduce_rows(train, method, None if intercept else zeros, threads)
    other = reduce_rows(test, method if method != "cholesky" else "auto", own.means, threads)
    return ReducedProblem(
        factor=own.factor[:-1, :-1],
        response=own.factor[:-1, -1],
        test=np.ascontiguousarray(other.factor[:, :-1].T),
        target=other.factor[:, -1].copy(),
        total=float(np.square(other.factor[:, -1]).sum()),
        means=own.means,
        n_rows=own.n_rows,
        n_test=other.n_rows,
        methods=(own.method, other.method),
    )


def cross_validated(
    parts: Sequence[tuple[np.ndarray, np.ndarray]], **settings: Any
) -> list[ReducedProblem]:
    """A problem per fold, which the others train, its losses over the rows of the fold (4.1).

    ``parts`` are the rows (m, p) and responses (m,) of the folds, ``settings`` those of
    `reduce_problem`. Raises `ModelError` below two folds, and for an empty one.
    """
    if len(parts) < 2:
        raise ModelError(f"cross-validation needs at least 2 folds, got {len(parts)}")
    if not all(len(target) for _, target in parts):
        rows = sum(len(target) for _, target in parts)
        raise ModelError(f"{len(parts)} folds of {rows} rows leave folds empty; take fewer folds")
    blocks = [lambda part=part: part for part in parts]
    return [
        reduce_problem(blocks[:k] + blocks[k + 1 :], [blocks[k]], **settings).scaled(
            1.0 / len(parts[k][1])
        )
        for k in range(len(parts))
    ]


def select_ridge(problems: Sequence[ReducedProblem], candidates: Sequence[float]) -> float:
    """The candidate with the smallest test error of all features, over the folds (4.3).

    Raises `ModelError` without candidates, or with one that does not make the columns independent.
    """
    if len(candidates) == 0:
        raise ModelError("the selection of a ridge needs candidates")
    errors = []
    for strength in candidates:
        trial = [problem.with_ridge(strength) for problem in problems]
        for problem in trial:
            check_columns(problem)
        errors.append(sum(problem.loss() for problem in trial))
    return float(candidates[int(np.argmin(errors))])


def response_varies(problems: Sequence[ReducedProblem]) -> bool:
    """Whether the test response does over all folds, by more than the rounding of a constant."""
    least = sum(1e-24 * problem.n_test * problem.means[-1] ** 2 for problem in problems)
    return sum(problem.total for problem in problems) > least


def check_response(problems: Sequence[ReducedProblem], name: str) -> None:
    """Raise `ModelError`, naming the dataset, when the test response is constant over all folds."""
    if not response_varies(problems):
        raise ModelError(
            f"dataset {name!r}: the test response is constant, so R^2 is not defined; choose a "
            "target that varies, or more test rows"
        )


def constant_columns(problem: ReducedProblem) -> list[int]:
    """Numbers of the columns that are constant in the training rows, as long as there is no ridge.

    Without an intercept, of those that are zero.
    """
    lengths = np.linalg.norm(problem.factor, axis=0)
    size = np.abs(problem.means[:-1]) * np.sqrt(problem.n_rows)
    return np.flatnonzero(lengths <= 1e-12 * size + np.finfo(float).tiny).tolist()


def dependent_columns(problem: ReducedProblem) -> dict[int, list[int]]:
    """Numbers of columns that depend linearly on others, and of these others.

    Empty where the columns are independent; none may be constant.
    """
    p = problem.factor.shape[1]
    factor = problem.factor / np.linalg.norm(problem.factor, axis=0)
    if conditioned(factor) < COLLINEAR:
        return {}
    _, triangle, order = scipy.linalg.qr(factor, pivoting=True)
    rank = min(int((np.abs(np.diag(triangle)) > p / np.sqrt(COLLINEAR)).sum()), p - 1)
    weights = scipy.linalg.solve_triangular(triangle[:rank, :rank], triangle[:rank, rank:])
    needed = np.abs(weights) > LEAST_WEIGHT
    return {
        int(column): sorted(order[:rank][needed[:, k]].tolist())
        for k, column in enumerate(order[rank:])
    }


def check_columns(problem: ReducedProblem) -> None:
    """Raise `ModelError` when training columns are constant, or depend on each other linearly."""
    if constant := constant_columns(problem):
        raise ModelError(
            f"columns {constant} are constant in the training rows and predict nothing; "
            "leave them out, or add a ridge"
        )
    if problem.condition < COLLINEAR:
        return
    p = problem.factor.shape[1]
    if problem.n_rows < p:
        raise ModelError(
            f"{problem.n_rows} training rows do not determine {p} coefficients; add a ridge"
        )
    raise ModelError(
        f"columns {sorted(dependent_columns(problem))} depend linearly on others; leave them out, "
        "or add a ridge"
    )
