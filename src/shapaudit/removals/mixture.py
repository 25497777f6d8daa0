"""Removal by a Gaussian mixture, whose conditional laws are mixtures again."""

import logging
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import scipy

from ..models import CountedModel
from ..parameters import check_count
from ..progress import progress
from .base import FittedRemoval, Removal, RemovalCard, RemovalError, TrainingData
from .completed import CompletedGame
from .gaussian import Conditioned, NormalMixture, check_draws, moments
from .marginal import k_means

logger = logging.getLogger("shapaudit.removals")


@dataclass(frozen=True)
class Mixture(Removal):
    """Absent features are drawn from the conditional law of a mixture of C Gaussians.

    Fitted by expectation and maximisation (Dempster, Laird & Rubin 1977) from k-means clusters.
    Given x_S, component k has weight proportional to pi_k N(x_S; mu_kS, C_kSS), and each is
    conditioned by itself.

    All columns are numbers; a table with categories is refused.

    Parameters
    ----------
    components : number C
    draws : rows K per value
    floor : share of each feature's variance that is added to all components' covariances: without
        one the likelihood has no maximum
    steps : of the algorithm, at most
    tolerance : gain in the mean log-likelihood per row at which it stops
    """

    id: ClassVar = "mixture"
    card: ClassVar = RemovalCard(
        definition="The mean over draws from the conditional law of a fitted Gaussian mixture.",
        source="Chen et al. 2023, Section 5.1.3 (generative model)",
        target="conditional",
        noise="frozen",
        uses="distribution",
        exact_for="mixtures of as many Gaussians, as the rows and draws grow",
    )

    components: int = 3
    draws: int = 100
    floor: float = 1e-3
    steps: int = 500
    tolerance: float = 1e-5

    def __post_init__(self) -> None:
        super().__post_init__()
        check_draws(self.id, self.draws)
        check_count(f"{self.id}: components", self.components, 1, RemovalError)
        check_count(f"{self.id}: steps", self.steps, 1, RemovalError)
        if self.floor <= 0 or self.tolerance < 0:
            raise RemovalError(f"{self.id}: floor must be above 0, and tolerance not below it.")

    def learn(
        self, model: CountedModel, background: TrainingData, rng: np.random.Generator
    ) -> dict[str, np.ndarray]:
        """Weights, means and covariances."""
        rows = background.rows
        whole = moments(self.id, background)  # refuses what has no covariance
        if self.components >= len(rows):
            raise RemovalError(
                f"{self.id}: {self.components} components need more than as many training rows; "
                f"there are {len(rows)}. Take fewer components."
            )
        return self._fitted(rows, np.diag(whole["covariance"]) * self.floor, rng)

    def _fitted(
        self, rows: np.ndarray, floor: np.ndarray, rng: np.random.Generator
    ) -> dict[str, np.ndarray]:
        centres, shares = k_means(rows, self.components, rng)
        spread = np.cov(rows, rowvar=False).reshape(rows.shape[1], -1) / len(centres)
        law = NormalMixture(
            shares, centres, np.repeat(spread[None] + np.diag(floor), len(centres), axis=0)
        )
        before = -np.inf
        for _ in progress(range(self.steps), self.id, "steps at most"):
            logs = _joint_logs(law, rows)
            totals = scipy.special.logsumexp(logs, axis=1)
            if totals.mean() - before < self.tolerance:
                break
            before = totals.mean()
            law = _maximised(rows, np.exp(logs - totals[:, None]), floor)
        else:
            logger.warning(
                "%s: the likelihood still grew after %d steps; give it more", self.id, self.steps
            )
        return {"weights": law.weights, "means": law.means, "covariances": law.covariances}

    def play(
        self, fitted: FittedRemoval, explicand: np.ndarray, rng: np.random.Generator
    ) -> CompletedGame:
        """The mean over K draws, whose noise is drawn here."""
        law = NormalMixture(**fitted.arrays)
        return CompletedGame(fitted, explicand, Conditioned(law, explicand, self.draws, False, rng))


def _joint_logs(law: NormalMixture, rows: np.ndarray) -> np.ndarray:
    """log pi_k N(row; mu_k, C_k) (n, C), but for a shared constant."""
    factors = np.linalg.cholesky(law.covariances)
    logs = np.empty((len(rows), len(law.weights)))
    for k, factor in enumerate(factors):
        scaled = scipy.linalg.solve_triangular(factor, (rows - law.means[k]).T, lower=True)
        determinant = np.log(np.diag(factor)).sum()
        logs[:, k] = np.log(law.weights[k]) - 0.5 * np.square(scaled).sum(axis=0) - determinant
    return logs


def _maximised(rows: np.ndarray, shares: np.ndarray, floor: np.ndarray) -> NormalMixture:
    """The most likely law for shares (n, C) of rows; components without rows are left out."""
    shares = shares[:, shares.sum(axis=0) > 1e-8 * len(rows)]
    mass = shares.sum(axis=0)
    means = shares.T @ rows / mass[:, None]
    covariances = [
        (rows - mean).T @ ((rows - mean) * share[:, None]) / total + np.diag(floor)
        for mean, share, total in zip(means, shares.T, mass, strict=True)
    ]
    return NormalMixture(mass / mass.sum(), means, np.stack(covariances))
