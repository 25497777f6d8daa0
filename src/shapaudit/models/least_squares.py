"""Least squares, kept as the reduced problems that its R^2 is attributed on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..datasets.base import Dataset, random_split, save_arrays
from ..datasets.linear import LinearMechanism
from ..parameters import check_count, listed
from ..registers import reader, trainer
from ..seeding import generator
from .base import ModelError, checked_rows, regression_scores, write_manifest
from .reduced import (
    ReducedProblem,
    check_columns,
    check_response,
    cross_validated,
    reduce_problem,
    select_ridge,
)
from .reduction import blocks_of

FITS = ("least-squares", "non-negative", "lasso")
PROBLEMS = "problems.npz"
_ARRAYS = ("factor", "response", "test", "target", "total", "means", "n_rows", "n_test")


@dataclass(frozen=True, eq=False)
class LeastSquares:
    """Reduced problems (K regressions, one per fold) with what is fitted on them.

    Attributes
    ----------
    regressions : K tuples of problems; what predicts is the first fold of the first
    fit : "least-squares", "non-negative" or "lasso"
    penalty : lambda of the lasso, which adds lambda |theta|_1 to the squared training error
    ridges : (K,) strengths that the problems hold
    conditions : (K,) condition numbers of the training columns' correlation matrices, penalty
        included, of the first fold
    """

    regressions: tuple[tuple[ReducedProblem, ...], ...]
    fit: str
    penalty: float
    ridges: tuple[float, ...]

    @property
    def n_features(self) -> int:
        """Number of features p."""
        return self.regressions[0][0].factor.shape[1]

    @property
    def conditions(self) -> tuple[float, ...]:
        """See above."""
        return tuple(folds[0].condition for folds in self.regressions)

    @property
    def n_test(self) -> int:
        """Test rows of the first regression, over its folds."""
        return sum(problem.n_test for problem in self.regressions[0])

    def predict(self, rows: np.ndarray) -> np.ndarray:
        """Predictions (m,) of least squares with all features for rows (m, p)."""
        problem = self.regressions[0][0]
        rows = checked_rows(rows, self.n_features) - problem.means[:-1]
        return rows @ problem.coefficients() + problem.means[-1]

    def score(self, rows: np.ndarray, target: np.ndarray) -> dict[str, float]:
        """R^2 and RMSE on rows (m, p) with target (m,)."""
        return regression_scores(target, self.predict(rows))

    def own_score(self) -> dict[str, float]:
        """R^2 of the first regression on its own test data, over the folds, and its condition."""
        folds = self.regressions[0]
        loss, total = (
            sum(values) for values in zip(*((f.loss(), f.total) for f in folds), strict=True)
        )
        return {"r2": 1.0 - loss / total, "condition": self.conditions[0]}

    def save(self, directory: str | Path) -> None:
        """Write the triangles."""
        directory = write_manifest(
            directory,
            "least-squares",
            PROBLEMS,
            fit=self.fit,
            penalty=self.penalty,
            ridges=list(self.ridges),
            methods=[list(folds[0].methods) for folds in self.regressions],
        )
        arrays = {
            name: np.array([[getattr(fold, name) for fold in folds] for folds in self.regressions])
            for name in _ARRAYS
        }
        save_arrays(directory / PROBLEMS, arrays)


@trainer("least-squares")
def train_least_squares(
    dataset: Dataset | LinearMechanism,
    seed: int,
    *,
    problems: int = 1,
    folds: int = 1,
    intercept: bool = True,
    ridge: float | Sequence[float] = 0.0,
    reduction: str = "auto",
    fit: str = "least-squares",
    penalty: float = 0.0,
    threads: int = 1,
) -> LeastSquares:
    """Reduce the training and test rows of one or more regressions.

    Parameters
    ----------
    problems : regressions; of a mechanism its own, of a table its split and then random ones of the
        same sizes
    folds : 1 for the test part; more for cross-validation over all rows of a table
    intercept : whether the training means are taken off
    ridge : strength, or candidates of which that with the smallest test error is taken
    reduction : "auto", "qr" or "cholesky"
    fit, penalty : see `LeastSquares`
    threads : blocks of rows reduced at a time; the result does not depend on it

    Raises
    ------
    ModelError
        For data that do not determine the coefficients, parameters out of range, folds of a
        mechanism, more folds than rows, or a target that is missing or constant in the test part.
    """
    check_count("trainer 'least-squares': problems", problems, 1, ModelError)
    check_count("trainer 'least-squares': folds", folds, 1, ModelError)
    check_count("trainer 'least-squares': threads", threads, 1, ModelError)
    if fit not in FITS or not isinstance(penalty, int | float) or not penalty >= 0:
        raise ModelError(
            f"fit {fit!r} with penalty {penalty!r}; known are {listed(FITS)}, and 0 or more"
        )
    candidates = list(ridge) if isinstance(ridge, Sequence) else [ridge]
    settings = {"intercept": intercept, "method": reduction, "threads": threads}
    regressions, ridges = [], []
    for k in range(problems):
        bare = _regression(dataset, seed, k, folds, settings)
        check_response(bare, dataset.name)
        chosen = candidates[0] if len(candidates) == 1 else select_ridge(bare, candidates)
        regressions.append(tuple(problem.with_ridge(chosen) for problem in bare))
        ridges.append(float(chosen))
        for problem in regressions[-1]:
            check_columns(problem)
    return LeastSquares(tuple(regressions), fit, float(penalty), tuple(ridges))


@reader("least-squares")
def read_least_squares(directory: Path, manifest: dict[str, Any]) -> LeastSquares:
    """The problems of a saved model."""
    with np.load(directory / PROBLEMS, allow_pickle=False) as file:
        arrays = {name: file[name] for name in _ARRAYS}
    regressions = tuple(
        tuple(
            ReducedProblem(
                **{name: arrays[name][k, m] for name in ("factor", "response", "test", "target")},
                total=float(arrays["total"][k, m]),
                means=arrays["means"][k, m],
                n_rows=int(arrays["n_rows"][k, m]),
                n_test=int(arrays["n_test"][k, m]),
                methods=tuple(methods),
            )
            for m in range(arrays["total"].shape[1])
        )
        for k, methods in enumerate(manifest["methods"])
    )
    return LeastSquares(
        regressions, manifest["fit"], manifest["penalty"], tuple(manifest["ridges"])
    )


def _regression(
    dataset: Dataset | LinearMechanism, seed: int, k: int, folds: int, settings: Mapping[str, Any]
) -> list[ReducedProblem]:
    """The k-th regression without a ridge, one problem per fold."""
    if isinstance(dataset, LinearMechanism):
        if folds > 1 or k >= dataset.n_problems:
            raise ModelError(
                f"{dataset.name} has {dataset.n_problems} problems with a test part each; take no "
                "more of them, and no folds."
            )
        return [reduce_problem(dataset.blocks("train", k), dataset.blocks("test", k), **settings)]
    if dataset.target is None:
        raise ModelError(f"dataset {dataset.name!r} has no target to regress on")
    if folds > 1:
        order = generator(seed, "folds", k).permutation(dataset.n_rows)
        parts = [
            (dataset.features[part], dataset.target[part]) for part in np.array_split(order, folds)
        ]
        return cross_validated(parts, **settings)
    split = dataset.split
    if k > 0:
        fraction = len(split["test"]) / dataset.n_rows
        split = random_split(dataset.n_rows, generator(seed, "split", k), fraction)
    train, test = (
        blocks_of(dataset.features[split[part]], dataset.target[split[part]])
        for part in ("train", "test")
    )
    return [reduce_problem(train, test, **settings)]
