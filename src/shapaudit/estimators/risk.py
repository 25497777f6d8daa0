"""Error bars of walks: the risk estimate of LS-SPA, and what stands in for it elsewhere.

Bell, Devanathan & Boyd 2024, Section 3.6, on lifts of independent permutations. Means over
quasi-random or structured permutations are not of that kind: their risk comes from independent
replicates.
"""

from dataclasses import dataclass

import numpy as np
import scipy

LEVEL = 0.95
DRAWS = 2000


@dataclass(frozen=True, eq=False)
class Risk:
    """Quantiles of errors: ``features`` (d,) of |estimate - truth|, ``overall`` of the norm."""

    features: np.ndarray
    overall: float


class LiftMoments:
    """Mean (d,) and biased covariance (d, d) of lifts, batch by batch (equations 12 and 13).

    Batches may be of different sizes; for equal ones the update is that of the paper.
    """

    def __init__(self, n_players: int):
        self.count = 0
        self.mean = np.zeros(n_players)
        self.biased = np.zeros((n_players, n_players))

    def update(self, lifts: np.ndarray) -> None:
        """Add a batch (m, d)."""
        m = len(lifts)
        mean = lifts.mean(axis=0)
        share = m / (self.count + m)
        between = self.mean - mean
        own = (lifts - mean).T @ (lifts - mean) / m
        self.biased = (1 - share) * self.biased + share * own
        self.biased += share * (1 - share) * np.outer(between, between)
        self.mean = (1 - share) * self.mean + share * mean
        self.count += m

    @property
    def covariance(self) -> np.ndarray:
        """Unbiased covariance (d, d); raises ValueError below two lifts."""
        if self.count < 2:
            raise ValueError(f"a covariance needs at least 2 lifts; there are {self.count}.")
        return self.biased * (self.count / (self.count - 1))


def gaussian_risk(
    moments: LiftMoments, rng: np.random.Generator, level: float = LEVEL, draws: int = DRAWS
) -> Risk:
    """The paper's risk estimate: quantiles over draws from N(0, covariance / K).

    Right, as far as means of K lifts are normal, for independent permutations, and for nothing
    else.
    """
    values, vectors = np.linalg.eigh(moments.covariance / moments.count)
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    errors = rng.standard_normal((draws, len(values))) @ root.T
    return Risk(
        np.quantile(np.abs(errors), level, axis=0),
        float(np.quantile(np.linalg.norm(errors, axis=1), level)),
    )


def norm_risk(moments: LiftMoments, rng: np.random.Generator, draws: int = DRAWS) -> float:
    """The paper's risk estimate of the norm: `gaussian_risk`, which also has one per feature.

    The law of a normal vector's norm depends on the eigenvalues of its covariance only.
    """
    variances = np.linalg.eigvalsh(moments.covariance / moments.count)
    squares = np.square(rng.standard_normal((draws, len(variances))))
    return float(np.quantile(np.sqrt(squares @ np.maximum(variances, 0.0)), LEVEL))


def replicate_risk(standard_errors: np.ndarray, replicates: int, level: float = LEVEL) -> Risk:
    """Quantiles from the spread of independent replicates, whatever is inside of them.

    Student's for each feature. The norm's is that quantile times the root of the summed variances,
    which is exact for errors on a line and too wide for others: among sums of squares of normal
    variables with a given mean, one square has the largest upper tail (Szekely & Bakirov 2003).
    Raises ValueError below two replicates.
    """
    if replicates < 2:
        raise ValueError(f"the spread of replicates needs at least 2; got {replicates}.")
    quantile = -scipy.special.stdtrit(replicates - 1, (1 - level) / 2)
    return Risk(quantile * standard_errors, float(quantile * np.linalg.norm(standard_errors)))
