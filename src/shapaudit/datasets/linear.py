"""Linear regressions drawn from a known mechanism: Bell, Devanathan & Boyd 2024, Section 5.2.

Rows are not stored. A saved dataset is the mechanism with a seed, from which blocks of rows are
generated when they are asked for: a million rows of a thousand features never are in memory.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from typing import ClassVar

import numpy as np

from ..archives import UNREADABLE
from ..parameters import check_count, listed
from ..registers import loader
from ..seeding import generator
from .base import DatasetError, save_arrays

BLOCK_ROWS = 4096
SIGNAL = 2.0  # coefficient of the features that matter
# Section 2.5: covariance, coefficients and noise variance of the toy example.
TOY_COVARIANCE = np.array([[1.0, 0.7, -0.4], [0.7, 1.0, -0.5], [-0.4, -0.5, 1.0]])
TOY_COEFFICIENTS = np.array([2.1, 1.4, 0.1])


@dataclass(frozen=True, eq=False)
class LinearMechanism:
    """K regressions y = x' theta + noise, x = loadings z + specific * e, all normal.

    Attributes
    ----------
    name, provenance : str
    loadings : (K, p, f) of the common factors
    specific : (K, p), standard deviations of what is a feature's own
    coefficients : (K, p)
    noise : (K,), variances
    seed : of the rows
    n_train, n_test : rows of each regression
    """

    kind: ClassVar[str] = "linear"

    name: str
    provenance: str
    loadings: np.ndarray
    specific: np.ndarray
    coefficients: np.ndarray
    noise: np.ndarray
    seed: int
    n_train: int
    n_test: int

    @property
    def n_rows(self) -> int:
        """Training and test rows of one regression."""
        return self.n_train + self.n_test

    @property
    def n_features(self) -> int:
        """Number of features p."""
        return self.specific.shape[1]

    @property
    def n_problems(self) -> int:
        """Number of regressions K."""
        return len(self.noise)

    @property
    def feature_names(self) -> tuple[str, ...]:
        """x1, ..., xp."""
        return tuple(f"x{j + 1}" for j in range(self.n_features))

    def covariance(self, problem: int) -> np.ndarray:
        """Covariance matrix (p, p) of the features."""
        loadings = self.loadings[problem]
        return loadings @ loadings.T + np.diag(np.square(self.specific[problem]))

    def r_squared(self, problem: int) -> float:
        """R^2 of the true coefficients on infinitely many rows."""
        theta = self.coefficients[problem]
        signal = float(theta @ self.covariance(problem) @ theta)
        return signal / (signal + float(self.noise[problem]))

    def blocks(
        self, part: str, problem: int = 0
    ) -> list[Callable[[], tuple[np.ndarray, np.ndarray]]]:
        """Functions that generate blocks of rows (m, p) and responses (m,) of a part."""
        n = {"train": self.n_train, "test": self.n_test}[part]
        sizes = [min(BLOCK_ROWS, n - start) for start in range(0, n, BLOCK_ROWS)]
        return [partial(self._block, part, problem, k, m) for k, m in enumerate(sizes)]

    def rows(self, part: str, problem: int = 0) -> tuple[np.ndarray, np.ndarray]:
        """All rows (n, p) and responses (n,) of a part."""
        rows, targets = zip(*(block() for block in self.blocks(part, problem)), strict=True)
        return np.concatenate(rows), np.concatenate(targets)

    def save(self, path: str | Path) -> None:
        """Write the mechanism as .npz without pickled objects."""
        arrays = {field.name: np.asarray(getattr(self, field.name)) for field in fields(self)}
        save_arrays(path, {"kind": np.array(self.kind), **arrays})

    @classmethod
    def load(cls, path: str | Path) -> "LinearMechanism":
        """Read what `save` wrote; raises `DatasetError` for another file."""
        try:
            with np.load(path, allow_pickle=False) as file:
                arrays = {field.name: file[field.name] for field in fields(cls)}
        except UNREADABLE as error:
            raise DatasetError(
                f"{path} is not a saved mechanism ({error}); delete it and generate it again"
            ) from error
        plain = {name: arrays[name].item() for name in ("name", "provenance", "seed")}
        plain |= {name: int(arrays[name]) for name in ("n_train", "n_test")}
        return cls(**arrays | plain)

    def _block(self, part: str, problem: int, k: int, m: int) -> tuple[np.ndarray, np.ndarray]:
        rng = generator(self.seed, part, problem, k)
        loadings = self.loadings[problem]
        rows = rng.standard_normal((m, self.n_features))
        rows *= self.specific[problem]
        rows += rng.standard_normal((m, loadings.shape[1])) @ loadings.T
        noise = rng.standard_normal(m) * np.sqrt(self.noise[problem])
        return rows, rows @ self.coefficients[problem] + noise


@loader("linear", generated=True)
def load(
    rng: np.random.Generator,
    *,
    n_train: int,
    n_test: int,
    n_features: int = 3,
    design: str = "factors",
    problems: int = 1,
) -> LinearMechanism:
    """Independent regressions of one design.

    "factors" is the paper's: C is the correlation matrix of F F' + I with F (p, p // 20) standard
    normal, (p + 1) // 10 coefficients are 2, the others 0, and the noise has a fifth of the sum of
    their squares as variance, which is what the authors' code does; the paper prints 3 p^2 / 2.
    At least one column of F and one coefficient other than 0 are taken. "toy" is the example with
    three features, its coefficients, correlations and unit noise.

    Raises
    ------
    DatasetError
        For another design, counts below 1, or a toy without three features.
    """
    if design not in ("factors", "toy"):
        raise DatasetError(f"unknown design {design!r}; the known ones are 'factors' and 'toy'")
    counts = {"n_train": n_train, "n_test": n_test, "n_features": n_features, "problems": problems}
    for what, count in counts.items():
        check_count(f"dataset loader 'linear': {what}", count, 1, DatasetError)
    if design == "toy" and n_features != len(TOY_COEFFICIENTS):
        raise DatasetError(
            f"the toy example has {listed(range(1, 4))} for features; got {n_features}"
        )
    drawn = [_toy() if design == "toy" else _factors(rng, n_features) for _ in range(problems)]
    loadings, specific, coefficients, noise = map(np.stack, zip(*drawn, strict=True))
    return LinearMechanism(
        name=f"linear-{design}",
        provenance="generated",
        loadings=loadings,
        specific=specific,
        coefficients=coefficients,
        noise=noise,
        seed=int(rng.integers(2**62)),
        n_train=n_train,
        n_test=n_test,
    )


def _factors(
    rng: np.random.Generator, p: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.float64]:
    factors = rng.standard_normal((p, max(p // 20, 1)))
    scale = 1.0 / np.sqrt(1.0 + np.square(factors).sum(axis=1))
    coefficients = np.zeros(p)
    coefficients[rng.permutation(p)[: max((p + 1) // 10, 1)]] = SIGNAL
    return factors * scale[:, None], scale, coefficients, np.sum(coefficients**2) / 5


def _toy() -> tuple[np.ndarray, np.ndarray, np.ndarray, np.float64]:
    root = np.linalg.cholesky(TOY_COVARIANCE)
    return root, np.zeros(3), TOY_COEFFICIENTS, np.float64(1.0)
