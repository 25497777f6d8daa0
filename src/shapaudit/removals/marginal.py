"""Removals that draw absent features from whole rows, from single columns or from ranges.

The draws do not depend on the present features (Chen et al. 2023, Sections 4.3 and 5.1.2).
"""

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
import scipy

from ..models import CountedModel
from ..parameters import check_count
from .base import FittedRemoval, Removal, RemovalCard, RemovalError, TrainingData
from .completed import BackgroundRows, CompletedGame

ROUNDS = 100  # of Lloyd's algorithm, at most


@dataclass(frozen=True)
class Marginal(Removal):
    """v(S) = the mean of f(x_S, b_absent) over background rows b (Equation 4).

    Categories are kept, unless the rows are centres.

    Parameters
    ----------
    rows : number K of background rows; None for all training rows, however many
    choice : "random", K rows drawn without replacement; or "k-means", the centres of K clusters,
        each with the share of its rows as weight: centres are no observed rows
    """

    id: ClassVar = "marginal"
    card: ClassVar = RemovalCard(
        definition="The mean over background rows from which all absent features are taken.",
        source="Chen et al. 2023, Section 5.1.2, Equation 4",
        target="marginal",
        noise="none",
        uses="rows",
        exact_for="the empirical law of the training rows, with all of them",
    )

    rows: int | None = None
    choice: Literal["random", "k-means"] = "random"

    @property
    def keeps_categories(self) -> bool:
        """Rows that were drawn have categories; centres have none."""
        return self.choice == "random"

    def learn(
        self, model: CountedModel, background: TrainingData, rng: np.random.Generator
    ) -> dict[str, np.ndarray]:
        """Background rows and their weights."""
        rows, n = background.rows, len(background.rows)
        if self.rows is not None:
            check_count(f"{self.id}: rows", self.rows, 1, RemovalError)
            if self.rows > n:
                raise RemovalError(
                    f"{self.id}: {self.rows} background rows cannot be had of {n} training rows; "
                    f"take rows of at most {n}, or leave it out for all of them."
                )
            if self.choice == "k-means":
                centres, weights = k_means(rows, self.rows, rng)
                return {"background": centres, "weights": weights}
            rows = rows[np.sort(rng.choice(n, size=self.rows, replace=False))]
        return {"background": rows, "weights": np.ones(len(rows))}

    def play(
        self, fitted: FittedRemoval, explicand: np.ndarray, rng: np.random.Generator
    ) -> CompletedGame:
        """The mean over the background."""
        arrays = fitted.arrays
        chosen = BackgroundRows(explicand, arrays["background"], arrays["weights"])
        return CompletedGame(fitted, explicand, chosen)


@dataclass(frozen=True)
class Drawn(Removal):
    """Common part of `Product` and `Uniform`: each absent feature is drawn independently.

    Parameters
    ----------
    draws : rows K per value
    """

    draws: int = 100

    def __post_init__(self) -> None:
        super().__post_init__()
        check_count(f"{self.id}: draws", self.draws, 1, RemovalError)

    def play(
        self, fitted: FittedRemoval, explicand: np.ndarray, rng: np.random.Generator
    ) -> CompletedGame:
        """The mean over K rows that are drawn here."""
        completions = _Independent(self, fitted, explicand, self.draws, rng)
        return CompletedGame(fitted, explicand, completions)

    @abstractmethod
    def draw(self, fitted: FittedRemoval, count: int, rng: np.random.Generator) -> np.ndarray:
        """Rows (count, d) of independent features."""


class _Independent(BackgroundRows):
    """Rows that a removal draws, and from which it can draw a fresh one."""

    def __init__(
        self,
        removal: Drawn,
        fitted: FittedRemoval,
        explicand: np.ndarray,
        count: int,
        rng: np.random.Generator,
    ):
        super().__init__(explicand, removal.draw(fitted, count, rng), np.ones(count))
        self.removal, self.fitted = removal, fitted

    def single(self, rng: np.random.Generator) -> "_Independent":
        return _Independent(self.removal, self.fitted, self.explicand, 1, rng)


@dataclass(frozen=True)
class Product(Drawn):
    """Each absent feature is drawn from its own column, independently of all others.

    Categories are kept.
    """

    id: ClassVar = "product"
    card: ClassVar = RemovalCard(
        definition="The mean over rows whose absent features are drawn each from its own column.",
        source="Chen et al. 2023, Section 4.3",
        target="product",
        noise="frozen",
        uses="distribution",
        exact_for="models that are additive in the absent features, on average over draws",
    )

    @property
    def keeps_categories(self) -> bool:
        """Each column is drawn from its own entries."""
        return True

    def learn(
        self, model: CountedModel, background: TrainingData, rng: np.random.Generator
    ) -> dict[str, np.ndarray]:
        """The columns."""
        return {"columns": background.rows}

    def draw(self, fitted: FittedRemoval, count: int, rng: np.random.Generator) -> np.ndarray:
        """Rows of entries of the columns."""
        columns = fitted.arrays["columns"]
        places = rng.integers(len(columns), size=(count, columns.shape[1]))
        return np.take_along_axis(columns, places, axis=0)


@dataclass(frozen=True)
class Uniform(Drawn):
    """Each absent feature is drawn from U[min, max] of its training column.

    All columns are numbers; a table with categories is refused.
    """

    id: ClassVar = "uniform"
    card: ClassVar = RemovalCard(
        definition="The mean over rows whose absent features are uniform over the observed ranges.",
        source="Chen et al. 2023, Section 4.3",
        target="uniform",
        noise="frozen",
        uses="distribution",
    )

    def learn(
        self, model: CountedModel, background: TrainingData, rng: np.random.Generator
    ) -> dict[str, np.ndarray]:
        """The ranges."""
        return {"low": background.rows.min(axis=0), "high": background.rows.max(axis=0)}

    def draw(self, fitted: FittedRemoval, count: int, rng: np.random.Generator) -> np.ndarray:
        """Rows of uniform entries."""
        low, high = fitted.arrays["low"], fitted.arrays["high"]
        return low + (high - low) * rng.random((count, low.size))


def k_means(
    rows: np.ndarray, count: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Centres (K, d) of clusters of rows (n, d), and the shares (K,) of rows in them.

    Lloyd's algorithm on standardised columns from the seeding of Arthur & Vassilvitskii 2007;
    of rows that coincide there may be fewer distinct ones than K, and then fewer centres.
    """
    spread = rows.std(axis=0)
    scaled = rows / np.where(spread > 0, spread, 1.0)
    centres = _seeded(scaled, count, rng)
    nearest = np.full(len(rows), -1)
    for _ in range(ROUNDS):
        before, nearest = nearest, _squares(scaled, centres).argmin(axis=1)
        if np.array_equal(before, nearest):
            break
        for k in np.unique(nearest):
            centres[k] = scaled[nearest == k].mean(axis=0)
    used, members = np.unique(nearest, return_counts=True)
    means = np.stack([rows[nearest == k].mean(axis=0) for k in used])
    return means, members / len(rows)


def _seeded(rows: np.ndarray, count: int, rng: np.random.Generator) -> np.ndarray:
    """Rows (K, d) drawn with probabilities proportional to squared distances to those before."""
    chosen = rows[[rng.integers(len(rows))]]
    while len(chosen) < count:
        nearest = _squares(rows, chosen).min(axis=1)
        if nearest.sum() == 0:
            break
        chosen = np.vstack([chosen, rows[rng.choice(len(rows), p=nearest / nearest.sum())]])
    return chosen


def _squares(rows: np.ndarray, centres: np.ndarray) -> np.ndarray:
    return scipy.spatial.distance.cdist(rows, centres, "sqeuclidean")
