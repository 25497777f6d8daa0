"""Normal laws of independent pairs, and trees: the probabilities of leaves.

A leaf is a box. Given x_S its probability is a product over the pairs of the law, and each factor
is an indicator, a normal probability or a bivariate one, as both, one or none of the pair are
present.
"""

import numpy as np
import scipy
from numba import njit

from ...datasets.laws import GaussianLaw
from ...models.base import Model
from ...models.nodes import LEAF
from ...models.trees import TreeEnsemble
from .base import tree_ensemble
from .bivariate import FAR, bivariate_normal


class Boxes:
    """The leaves of an ensemble that a row can reach.

    Attributes
    ----------
    low, high : (L, d) float32; a row is in a box when low <= x < high, x rounded to float32
    values : (L,)
    """

    def __init__(self, ensemble: TreeEnsemble):
        d, nodes = ensemble.n_features, ensemble.nodes
        leaves: list[tuple[np.ndarray, np.ndarray, float]] = []
        whole = np.full((2, d), [[-np.inf], [np.inf]], dtype=np.float32)
        waiting = [(root, whole) for root in ensemble.roots]
        while waiting:
            node, box = waiting.pop()
            j = nodes.feature[node]
            if j == LEAF:
                leaves.append((box[0], box[1], nodes.value[node]))
                continue
            for side, child in enumerate((nodes.right[node], nodes.left[node])):
                part = box.copy()
                inner = (max, min)[side]
                part[side, j] = inner(part[side, j], nodes.threshold[node])
                if part[0, j] < part[1, j]:
                    waiting.append((child, part))
        self.low, self.high, self.values = (np.array(part) for part in zip(*leaves, strict=True))


class BoxExpectation:
    """Base score plus, over leaves, value times probability.

    Parameters
    ----------
    law : GaussianLaw in which no feature is correlated with two others
    ensemble : TreeEnsemble
    pairs : the correlated features, as `pairs_of` gives them
    """

    def __init__(self, law: GaussianLaw, ensemble: TreeEnsemble, pairs: list[tuple[int, int]]):
        self.law, self.base, self.boxes = law, ensemble.base_score, Boxes(ensemble)
        self.scale = np.sqrt(np.diag(law.covariance))
        cuts = cut(self.boxes.low), cut(self.boxes.high)
        self.low, self.high = ((ends - law.mean) / self.scale for ends in cuts)
        self.pairs = pairs
        self.free = [self._both_absent(*pair) for pair in self.pairs]

    def values(self, explicands: np.ndarray, coalitions: np.ndarray) -> np.ndarray:
        """Values (n, m)."""
        coalitions = np.ascontiguousarray(coalitions, dtype=np.bool_)
        pairs = np.array(self.pairs)
        out = np.empty((len(explicands), len(coalitions)))
        for row, explicand in zip(out, explicands, strict=True):
            factors = self._factors(np.asarray(explicand, dtype=np.float64))
            _add_leaves(self.boxes.values, factors, pairs, coalitions, row)
        return out + self.base

    def _factors(self, explicand: np.ndarray) -> np.ndarray:
        """Factor (P, 4, L) of each pair and leaf; bit 0 is for its first feature, 1 the second."""
        single = explicand.astype(np.float32)
        inside = ((self.boxes.low <= single) & (single < self.boxes.high)).astype(np.float64)
        z = (explicand - self.law.mean) / self.scale
        factors = np.empty((len(self.pairs), 4, len(inside)))
        for factor, (a, b), free in zip(factors, self.pairs, self.free, strict=True):
            factor[0] = free
            if a == b:
                factor[1:] = inside[:, a]
                continue
            factor[1] = inside[:, a] * self._one_absent(b, z[a], self._correlation(a, b))
            factor[2] = inside[:, b] * self._one_absent(a, z[b], self._correlation(a, b))
            factor[3] = inside[:, a] * inside[:, b]
        return factors

    def _correlation(self, a: int, b: int) -> float:
        return float(self.law.covariance[a, b] / (self.scale[a] * self.scale[b]))

    def _one_absent(self, feature: int, other: float, correlation: float) -> np.ndarray:
        """Probability (L,) of the leaves' ends of a feature, given its partner's number."""
        spread = np.sqrt(1 - correlation**2)
        ends = self.high[:, feature], self.low[:, feature]
        top, bottom = (scipy.special.ndtr((end - correlation * other) / spread) for end in ends)
        return top - bottom

    def _both_absent(self, a: int, b: int) -> np.ndarray:
        """Probability (L,) of the leaves' ends of a pair."""
        if a == b:
            return self._one_absent(a, 0.0, 0.0)
        correlation = self._correlation(a, b)
        ends = np.stack([self.low[:, [a, b]], self.high[:, [a, b]]])  # (2, L, 2)
        ends = np.clip(ends, -FAR, FAR)
        corners, place = np.unique(
            np.stack([ends[i, :, 0] + 1j * ends[j, :, 1] for i in (0, 1) for j in (0, 1)]),
            return_inverse=True,
        )
        probabilities = bivariate_normal(corners.real, corners.imag, correlation)[
            place.reshape(4, -1)
        ]
        return probabilities[3] - probabilities[2] - probabilities[1] + probabilities[0]


def cut(threshold: np.ndarray) -> np.ndarray:
    """The number (float64) from which on rounding to float32 reaches a float32 threshold."""
    before = np.nextafter(threshold, np.float32(-np.inf)).astype(np.float64)
    with np.errstate(invalid="ignore"):
        middle = (before + threshold.astype(np.float64)) / 2
    return np.where(np.isinf(threshold), threshold, middle)


def pairs_of(law: GaussianLaw) -> list[tuple[int, int]] | None:
    """Features correlated with one another, alone ones twice; None if one has two partners."""
    linked = (law.covariance != 0) & ~np.eye(law.n_features, dtype=bool)
    if (linked.sum(axis=1) > 1).any():
        return None
    partner = np.where(linked.any(axis=1), linked.argmax(axis=1), np.arange(law.n_features))
    return [(j, int(k)) for j, k in enumerate(partner) if j <= k]


def box_expectation(law: GaussianLaw, model: Model) -> BoxExpectation | None:
    """The sum over leaves, or None for another model, categories, or a law that is not of pairs."""
    ensemble = tree_ensemble(model)
    pairs = pairs_of(law)
    if not isinstance(ensemble, TreeEnsemble) or ensemble.categorical or pairs is None:
        return None
    return BoxExpectation(law, ensemble, pairs)


@njit(cache=True, nogil=True)
def _add_leaves(
    values: np.ndarray,
    factors: np.ndarray,
    pairs: np.ndarray,
    coalitions: np.ndarray,
    out: np.ndarray,
) -> None:
    for t in range(coalitions.shape[0]):
        product = values.copy()
        for p in range(pairs.shape[0]):
            state = int(coalitions[t, pairs[p, 0]]) + 2 * int(coalitions[t, pairs[p, 1]])
            for leaf in range(values.size):
                product[leaf] *= factors[p, state, leaf]
        out[t] = product.sum()
