"""Removals by a Gaussian law, a Gaussian copula or a Gaussian mixture, fitted to the rows.

Draws from the conditional law are those of the whole law, corrected: with (Y_S, Y_A) ~ N(mu, C),
Y_A + C_AS C_SS^-1 (x_S - Y_S) has the law of Y_A given Y_S = x_S. So a game keeps K draws of all
features as its noise, and each coalition corrects the same ones.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numba import njit

from ..datasets.laws import dependent_columns
from ..models import CountedModel
from ..parameters import check_count, listed
from .base import FittedRemoval, Removal, RemovalCard, RemovalError, TrainingData
from .completed import Completed, CompletedGame, EqualNumbers


@dataclass(frozen=True)
class Gaussian(Removal):
    """Absent features are drawn from N(mean, covariance) of the rows, given the present ones.

    Aas, Jullum & Loland 2021, Section 3.1; "parametric" in Chen et al. 2023, Section 5.1.3.

    All columns are numbers; a table with categories is refused.

    Parameters
    ----------
    draws : rows K per value
    antithetic : whether the second half of the draws mirrors the first; then linear models have
        their conditional expectation exactly. K must be even
    """

    id: ClassVar = "gaussian"
    card: ClassVar = RemovalCard(
        definition="The mean over draws from the conditional law of a Gaussian fitted to the rows.",
        source="Aas, Jullum & Loland 2021, Section 3.1; Chen et al. 2023, Section 5.1.3",
        target="conditional",
        noise="frozen",
        uses="distribution",
        exact_for="Gaussian features as the rows and draws grow",
    )

    draws: int = 100
    antithetic: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        check_draws(self.id, self.draws, self.antithetic)

    def learn(
        self, model: CountedModel, background: TrainingData, rng: np.random.Generator
    ) -> dict[str, np.ndarray]:
        """Mean and covariance."""
        return moments(self.id, background)

    def play(
        self, fitted: FittedRemoval, explicand: np.ndarray, rng: np.random.Generator
    ) -> CompletedGame:
        """The mean over K draws, whose noise is drawn here."""
        law = NormalMixture.of_one_component(fitted.arrays)
        return CompletedGame(
            fitted, explicand, Conditioned(law, explicand, self.draws, self.antithetic, rng)
        )


@dataclass(frozen=True, eq=False)
class NormalMixture:
    """A mixture of Gaussians: weights (C,), means (C, d), covariances (C, d, d)."""

    weights: np.ndarray
    means: np.ndarray
    covariances: np.ndarray

    @classmethod
    def of_one_component(cls, arrays: Mapping[str, np.ndarray]) -> "NormalMixture":
        """The Gaussian of a "mean" and a "covariance"."""
        return cls(np.ones(1), arrays["mean"][None], arrays["covariance"][None])

    def draw(self, count: int, antithetic: bool, rng: np.random.Generator) -> np.ndarray:
        """Draws (C, K, d) of every component from the same standard normal noise."""
        half = count // 2 if antithetic else count
        noise = rng.standard_normal((half, self.means.shape[1]))
        noise = np.vstack([noise, -noise]) if antithetic else noise
        factors = np.linalg.cholesky(self.covariances)
        return self.means[:, None] + noise @ factors.transpose(0, 2, 1)


class Conditioned(EqualNumbers):
    """Completions (of x) by draws from a law given x_S.

    Of a mixture, each draw takes the component in whose share of [0, 1] its own uniform lies.
    """

    def __init__(
        self,
        law: NormalMixture,
        explicand: np.ndarray,
        draws: int,
        antithetic: bool,
        rng: np.random.Generator,
    ):
        self.law, self.explicand, self.size = law, np.ascontiguousarray(explicand), draws
        self.noise = law.draw(draws, antithetic, rng)
        strata = (np.arange(draws) + rng.random(draws)) / draws
        self.places = rng.permutation(strata) if len(law.weights) > 1 else strata

    def complete(self, coalitions: np.ndarray) -> Completed:
        """K rows of each coalition."""
        m, total = len(coalitions), len(coalitions) * self.size
        rows = np.empty((total, self.explicand.size))
        law = self.law
        _condition(
            coalitions,
            self.explicand,
            np.log(law.weights),
            law.means,
            law.covariances,
            self.noise,
            self.places,
            rows,
        )
        return Completed(rows, np.ones(total), np.arange(m + 1) * self.size)

    def single(self, rng: np.random.Generator) -> "Conditioned":
        """One draw."""
        return Conditioned(self.law, self.explicand, 1, False, rng)


def check_draws(id: str, draws: int, antithetic: bool = False) -> None:
    """Raise `RemovalError` for draws that are no positive number, or odd and antithetic."""
    check_count(f"{id}: draws", draws, 1, RemovalError)
    if antithetic and draws % 2:
        raise RemovalError(f"{id}: antithetic draws come in pairs; {draws} is odd, take one more.")


def moments(id: str, background: TrainingData) -> dict[str, np.ndarray]:
    """Mean (d,) and covariance (d, d) of rows; raises `RemovalError` naming dependent columns."""
    rows, names = background.rows, background.names
    n, d = rows.shape
    if n <= d:
        raise RemovalError(
            f"{id}: {n} training rows do not determine the covariance of {d} features "
            f"{listed(names)}; take more than {d} rows, fewer features, or a removal that needs no "
            "covariance, as marginal or cohort."
        )
    # The rounded mean of a constant column may differ from it, which would leave it a variance.
    mean = np.where(np.ptp(rows, axis=0) > 0, rows.mean(axis=0), rows[0])
    covariance = (rows - mean).T @ (rows - mean) / (n - 1)
    refuse_dependent(id, covariance, names)
    return {"mean": mean, "covariance": covariance}


def refuse_dependent(id: str, covariance: np.ndarray, names: tuple[str, ...]) -> None:
    """Raise `RemovalError` for constant columns, and for those that depend on others, by name."""
    columns = dependent_columns(covariance)
    if not columns:
        return
    told = listed(names[j] for j in columns)
    fault = "are constant" if (np.diag(covariance)[columns] <= 0).all() else "depend linearly"
    raise RemovalError(
        f"{id}: the features {told} {fault} over the training rows, so that the covariance is "
        "singular; drop what can be told from other features, or take a removal that needs no "
        "covariance, as marginal or cohort."
    )


@njit(cache=True, nogil=True)
def factorise(matrix: np.ndarray, members: np.ndarray, factor: np.ndarray) -> float:
    """Lower triangle of the Cholesky factor of a matrix among the members; returns log det / 2."""
    logarithm = 0.0
    for a in range(members.size):
        for b in range(a + 1):
            total = matrix[members[a], members[b]]
            for k in range(b):
                total -= factor[a, k] * factor[b, k]
            factor[a, b] = np.sqrt(total) if a == b else total / factor[b, b]
        logarithm += np.log(factor[a, a])
    return logarithm


@njit(cache=True, nogil=True)
def _solve(factor: np.ndarray, vector: np.ndarray, size: int) -> None:
    """Solve L L' y = vector in place, for the leading triangle."""
    for a in range(size):
        for k in range(a):
            vector[a] -= factor[a, k] * vector[k]
        vector[a] /= factor[a, a]
    for a in range(size - 1, -1, -1):
        for k in range(a + 1, size):
            vector[a] -= factor[k, a] * vector[k]
        vector[a] /= factor[a, a]


@njit(cache=True, nogil=True)
def _regressions(
    covariance: np.ndarray,
    factor: np.ndarray,
    present: np.ndarray,
    absent: np.ndarray,
    slopes: np.ndarray,
) -> None:
    """Slopes (absent, present) of the regressions of absent on present features."""
    for a in range(absent.size):
        for k in range(present.size):
            slopes[a, k] = covariance[absent[a], present[k]]
        _solve(factor, slopes[a], present.size)


@njit(cache=True, nogil=True)
def _log_density(
    factor: np.ndarray,
    logarithm: float,
    mean: np.ndarray,
    explicand: np.ndarray,
    present: np.ndarray,
    work: np.ndarray,
) -> float:
    """log N(x_S; mean_S, C_SS), but for a constant that all components share."""
    square = 0.0
    for a in range(present.size):
        total = explicand[present[a]] - mean[present[a]]
        for k in range(a):
            total -= factor[a, k] * work[k]
        work[a] = total / factor[a, a]
        square += work[a] * work[a]
    return -0.5 * square - logarithm


@njit(cache=True, nogil=True)
def _shares(logs: np.ndarray) -> None:
    """Weights that sum to 1 from their logarithms, in place; sums of those so far."""
    top = logs.max()
    total = 0.0
    for c in range(logs.size):
        total += np.exp(logs[c] - top)
    so_far = 0.0
    for c in range(logs.size):
        so_far += np.exp(logs[c] - top) / total
        logs[c] = so_far
    logs[logs.size - 1] = np.inf  # whatever rounding left


@njit(cache=True, nogil=True)
def _condition(
    coalitions: np.ndarray,
    explicand: np.ndarray,
    log_weights: np.ndarray,
    means: np.ndarray,
    covariances: np.ndarray,
    noise: np.ndarray,
    places: np.ndarray,
    rows: np.ndarray,
) -> None:
    """Fill rows (m K, d): K draws given x_S for each coalition."""
    n_components, size, d = noise.shape
    factor, work = np.empty((d, d)), np.empty(d)
    slopes, cumulated = np.empty((n_components, d, d)), np.empty(n_components)
    for k in range(coalitions.shape[0]):
        present, absent = np.flatnonzero(coalitions[k]), np.flatnonzero(~coalitions[k])
        for c in range(n_components):
            logarithm = factorise(covariances[c], present, factor)
            _regressions(covariances[c], factor, present, absent, slopes[c])
            cumulated[c] = log_weights[c] + _log_density(
                factor, logarithm, means[c], explicand, present, work
            )
        _shares(cumulated)
        for i in range(size):
            c = 0
            while places[i] > cumulated[c]:
                c += 1
            row = rows[k * size + i]
            for b in range(present.size):
                row[present[b]] = explicand[present[b]]
                work[b] = explicand[present[b]] - noise[c, i, present[b]]
            for a in range(absent.size):
                total = noise[c, i, absent[a]]
                for b in range(present.size):
                    total += slopes[c, a, b] * work[b]
                row[absent[a]] = total
