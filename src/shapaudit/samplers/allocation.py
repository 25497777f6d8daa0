"""How many draws each stratum gets, and how two stages of draws are pooled."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

Allocation = Literal["uniform", "variance", "deviation"]


def round_to_total(shares: np.ndarray, total: int) -> np.ndarray:
    """Integers (k,) that sum to ``total``, each within one of its share (largest remainders).

    ``shares`` (k,) are non-negative and sum to ``total``; ties go to the lower index.
    """
    counts = np.floor(shares).astype(np.int64)
    missing = total - counts.sum()
    counts[np.argsort(counts - shares, kind="stable")[:missing]] += 1
    return counts


def _relative(weights: np.ndarray) -> np.ndarray:
    """Weights (k,) of which the largest is 1: what is tiny throughout must not overflow."""
    return weights / weights.max() if weights.any() else np.ones(len(weights))


def proportional(weights: np.ndarray, total: int) -> np.ndarray:
    """Split ``total`` draws in proportion to the weights (k,); equally when all of them are 0."""
    weights = _relative(weights)
    return round_to_total(total * (weights / weights.sum()), total)


def fill_up(weights: np.ndarray, done: np.ndarray, total: int) -> np.ndarray:
    """Draws (k,) to add to those ``done`` (k,) so that all are nearest to ``weights`` (k,).

    With the standard deviations s as weights, the sum of s^2 / n is least at n = max(done, c s):
    the allocation of Neyman (1934) where some draws cannot be taken back. c is such that ``total``
    draws are added. Where all weights are 0, they are split equally.
    """
    weights = _relative(weights)
    # From the stratum most in need on: c is found once no further stratum is below c s.
    needs = np.flatnonzero(weights)
    with np.errstate(over="ignore"):  # a stratum that needs next to nothing comes last
        ratios = done[needs] / weights[needs]
    order = needs[np.argsort(ratios, kind="stable")]
    levels = (total + np.cumsum(done[order])) / np.cumsum(weights[order])
    filled = np.flatnonzero(np.sort(ratios) < levels)
    level = levels[filled[-1]] if len(filled) else 0.0
    shares = np.maximum(level * weights - done, 0.0)
    return round_to_total(shares * (total / shares.sum()) if total else shares, total)


@dataclass(frozen=True)
class StageSummary:
    """What one stage of sampling found for each of k strata.

    Attributes
    ----------
    means : (k,); anything where there were no draws
    counts : draws (k,)
    variances : of one draw (k,), so that the mean has variances / counts; NaN where not known
    """

    means: np.ndarray
    counts: np.ndarray
    variances: np.ndarray

    def standard_errors(self) -> np.ndarray | None:
        """Standard errors (k,) of the means; None unless all are known."""
        if np.isnan(self.variances).any():
            return None
        return np.sqrt(self.variances / self.counts)


def allocate(rule: Allocation, first: StageSummary, total: int) -> np.ndarray:
    """Draws (k,) of the second stage, ``total`` in all.

    "variance" splits them in proportion to the variances of the first stage, whatever was drawn
    there (Chen et al. 2023, Section 5.2.1, by their public code); "deviation" makes the draws of
    both stages together proportional to the standard deviations, which gives the least sum of
    variances; "uniform" splits them equally.
    """
    if rule == "variance":
        return proportional(first.variances, total)
    if rule == "deviation":
        return fill_up(np.sqrt(first.variances), first.counts, total)
    return proportional(np.ones(len(first.counts)), total)


def pool(first: StageSummary, second: StageSummary) -> StageSummary:
    """Both stages as one, each weighted by its draws.

    The draws of the second stage depend on those of the first, so the pooled mean of a skewed
    stratum is slightly biased. A stratum whose second variance is not known keeps its first.
    """
    counts = first.counts + second.counts
    again = np.where(second.counts > 0, second.means, 0.0)
    known = np.where(np.isnan(second.variances), first.variances, second.variances)
    means = (first.counts * first.means + second.counts * again) / counts
    variances = (first.counts * first.variances + second.counts * known) / counts
    return StageSummary(means, counts, variances)
