"""Removal by a Gaussian copula: columns of any continuous law, tied by a Gaussian dependence."""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
import scipy

from ..models import CountedModel
from ..parameters import listed
from .base import FittedRemoval, Removal, RemovalCard, RemovalError, TrainingData
from .completed import Completed, CompletedGame, EqualNumbers
from .gaussian import Conditioned, NormalMixture, check_draws, moments

# Share of the variance of a column's scores that ties may take, so that its correlations with
# another one are at most a tenth too small. Rounding to steps of 0.8 standard deviations takes it.
LOST = 0.1


@dataclass(frozen=True)
class Copula(Removal):
    """Absent features are drawn from the conditional law of a Gaussian copula.

    Aas, Jullum & Loland 2021, Section 3.2. A value of rank k among n rows has the normal score
    Phi^-1(k / (n + 1)); scores are taken for Gaussian, drawn, and brought back by the columns'
    quantiles (linear interpolation, type 7). Equal values have the mean of their ranks, as in a
    column that was measured with rounding; one that is coarser than `LOST` allows is refused.

    All columns are numbers; a table with categories is refused.

    Parameters
    ----------
    draws : rows K per value
    antithetic : whether the second half of the draws mirrors the first; K must be even
    outside : what an explicand beyond the range of the rows is: an "error", or taken for the
        nearest "edge" (its own features keep their values in all rows of f)
    """

    id: ClassVar = "copula"
    card: ClassVar = RemovalCard(
        definition="The mean over draws from the conditional law of a fitted Gaussian copula.",
        source="Aas, Jullum & Loland 2021, Section 3.2; Chen et al. 2023, Section 5.1.3",
        target="conditional",
        noise="frozen",
        uses="distribution",
        exact_for="features with a Gaussian copula as the rows and draws grow",
    )

    draws: int = 100
    antithetic: bool = False
    outside: Literal["error", "edge"] = "error"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_draws(self.id, self.draws, self.antithetic)

    def learn(
        self, model: CountedModel, background: TrainingData, rng: np.random.Generator
    ) -> dict[str, np.ndarray]:
        """Sorted columns, and the covariance of their scores."""
        rows, names = background.rows, background.names
        ordered = np.sort(rows, axis=0)
        scores = np.stack(
            [scores_of(column, x) for column, x in zip(ordered.T, rows.T, strict=True)], axis=1
        )
        without_ties = scipy.special.ndtri(np.arange(1, len(rows) + 1) / (len(rows) + 1))
        if (coarse := scores.var(axis=0) < (1 - LOST) * without_ties.var()).any():
            columns = listed(names[j] for j in np.flatnonzero(coarse))
            raise RemovalError(
                f"{self.id}: the features {columns} have few distinct values over "
                f"{len(rows)} training rows, so that ranks say little of them; take the removal "
                "kernel or cohort with these as categorical, or drop them."
            )
        covariance = moments(self.id, TrainingData(scores, None, names))["covariance"]
        return {"ordered": ordered, "mean": np.zeros(len(names)), "covariance": covariance}

    def play(
        self, fitted: FittedRemoval, explicand: np.ndarray, rng: np.random.Generator
    ) -> CompletedGame:
        """The mean over K draws, whose noise is drawn here."""
        ordered = fitted.arrays["ordered"]
        if self.outside == "error":
            self._refuse_outside(ordered, explicand, fitted.names)
        columns = zip(ordered.T, explicand, strict=True)
        scores = np.array([float(scores_of(column, x)) for column, x in columns])
        drawn = Conditioned(
            NormalMixture.of_one_component(fitted.arrays), scores, self.draws, self.antithetic, rng
        )
        return CompletedGame(fitted, explicand, _FromScores(drawn, explicand, ordered))

    def _refuse_outside(
        self, ordered: np.ndarray, explicand: np.ndarray, names: tuple[str, ...]
    ) -> None:
        outside = (explicand < ordered[0]) | (explicand > ordered[-1])
        if outside.any():
            told = ", ".join(
                f"{names[j]!r} = {explicand[j]:g} outside {ordered[0, j]:g} to {ordered[-1, j]:g}"
                for j in np.flatnonzero(outside)
            )
            raise RemovalError(
                f"{self.id}: the explicand has {told}, the range of the training rows, where "
                "ranks end; set outside 'edge' to take the end of the range, or take the removal "
                "gaussian."
            )


class _FromScores(EqualNumbers):
    """Draws of scores, brought back to the columns' units."""

    def __init__(self, drawn: Conditioned, explicand: np.ndarray, ordered: np.ndarray):
        self.drawn, self.explicand, self.ordered = drawn, explicand, ordered
        self.size = drawn.size

    def complete(self, coalitions: np.ndarray) -> Completed:
        """K rows of each coalition."""
        done = self.drawn.complete(coalitions)
        places = np.arange(len(self.ordered)) / (len(self.ordered) - 1)
        present = np.repeat(coalitions, self.size, axis=0)
        for j, column in enumerate(self.ordered.T):
            absent = ~present[:, j]
            shares = scipy.special.ndtr(done.rows[absent, j])
            done.rows[absent, j] = np.interp(shares, places, column)
            done.rows[~absent, j] = self.explicand[j]
        return done

    def single(self, rng: np.random.Generator) -> "_FromScores":
        """One draw."""
        return _FromScores(self.drawn.single(rng), self.explicand, self.ordered)


def scores_of(ordered: np.ndarray, values: np.ndarray | float) -> np.ndarray:
    """Normal scores of values by their interpolated ranks among an ordered column (n,).

    Tied values share the mean of their ranks; values beyond the column have its ends'.
    """
    distinct, first, counts = np.unique(ordered, return_index=True, return_counts=True)
    ranks = first + (counts + 1) / 2
    return scipy.special.ndtri(np.interp(values, distinct, ranks) / (len(ordered) + 1))
