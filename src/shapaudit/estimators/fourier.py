"""Ridge regression of the odd part of a game on Walsh functions of odd order.

Features are the d signs; products of signs over sets of three or more players, an odd number; and
three that join all players: the elementary symmetric polynomials e_3, e_5, e_7 of w_j s_j. A game
h(b's) has Walsh coefficients close to a_k prod_T b_j, so e_k(w s) with w near b has all those of
order k at once; the sets that are left are judged by the same products, as prior variances. That
is a Gaussian process with one relevance per player (automatic relevance determination), of which
two hyperparameters are fitted.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import scipy

from .single_index import SingleIndex
from .supports import ODD_ORDERS

NOISE = np.logspace(-7, 1, 17)  # in the prior variance of all sets together
TUNING_ROWS = 200
RANK_TOLERANCE = 1e-9
SMALLEST_PRIOR = 1e-12


def symmetric_sums(weights: np.ndarray, top: int) -> np.ndarray:
    """e_0, ..., e_top of the rows (m, d): the sums of products over all sets of so many members."""
    sums = np.zeros((top + 1, len(weights)))
    sums[0] = 1.0
    for column in np.ascontiguousarray(weights.T):
        sums[1:] += column * sums[:-1]
    return sums


@dataclass(frozen=True, eq=False)
class OddFeatures:
    """Odd functions of the signs, each with the Shapley values it carries.

    Attributes
    ----------
    sets : one array (n, order) per odd order of at least 3
    priors : (p,), prior variances of their coefficients
    weights : (d,) of norm 1, w of the joint features; None: none
    omitted : prior variance of the sets that were left out, which are noise
    """

    n_players: int
    sets: Sequence[np.ndarray] = ()
    priors: np.ndarray = field(default_factory=lambda: np.ones(0))
    omitted: float = 0.0
    weights: np.ndarray | None = None

    def joint(self, signs: np.ndarray) -> np.ndarray:
        """The features (k, m) at signs (m, d) that are not shrunk: the signs and joint ones."""
        rows = [signs.T]
        if self.weights is not None:
            orders = self._orders
            rows.append(symmetric_sums(self.weights * signs, ODD_ORDERS[-1])[orders])
        return np.vstack(rows)

    @property
    def _orders(self):
        return [k for k in ODD_ORDERS if k <= self.n_players]

    def products(self, signs: np.ndarray) -> np.ndarray:
        """The products (p, m) int8 over the sets, at signs (m, d)."""
        by_player = np.ascontiguousarray(signs.T, dtype=np.int8)
        rows = [np.empty((0, len(signs)), dtype=np.int8)]
        for members in self.sets:
            product = by_player[members[:, 0]]
            for place in range(1, members.shape[1]):
                product *= by_player[members[:, place]]
            rows.append(product)
        return np.concatenate(rows)

    def shapley(self, joint: np.ndarray, products: np.ndarray) -> np.ndarray:
        """Shapley values (d,) of the game with these coefficients (k,) and (p,).

        By symmetry a product over T shares its gain, 2 from the empty to the grand coalition,
        equally among T.
        """
        d = self.n_players
        values = 2.0 * joint[:d]
        if self.weights is not None:
            # Players j's share of e_k: w_j e_{k-1} of the others, times 2 / k.
            others = np.where(np.eye(d, dtype=bool), 0.0, self.weights)
            sums = symmetric_sums(others, ODD_ORDERS[-1])
            for k, coefficient in zip(self._orders, joint[d:], strict=True):
                values += coefficient * 2.0 / k * self.weights * sums[k - 1]
        start = 0
        for members in self.sets:
            n, order = members.shape
            shares = np.repeat(2.0 / order * products[start : start + n], order)
            values += np.bincount(members.ravel(), weights=shares, minlength=d)
            start += n
        return values


@dataclass(frozen=True, eq=False)
class OddRegression:
    """Fitted coefficients: of the joint features (k,) and of the products (p,).

    ``offset`` is the game of one number from which they are fitted to the differences, or None;
    ``evidence`` the log likelihood, up to a constant, of the rows that chose the ``noise``.
    """

    features: OddFeatures
    joint: np.ndarray
    products: np.ndarray
    evidence: float
    noise: float
    offset: SingleIndex | None = None

    def odd(self, coalitions: np.ndarray) -> np.ndarray:
        """The odd part (m,) at coalitions (m, d)."""
        signs = _signs(coalitions)
        found = self.joint @ self.features.joint(signs)
        found += self.products @ self.features.products(signs)
        return found if self.offset is None else found + self.offset.odd(signs)

    def shapley(self) -> np.ndarray:
        """Shapley values (d,)."""
        found = self.features.shapley(self.joint, self.products)
        return found if self.offset is None else found + self.offset.shapley()

    @property
    def linear(self) -> np.ndarray:
        """Coefficients (d,) of the signs."""
        return self.joint[: self.features.n_players]


def _signs(coalitions):
    return np.where(coalitions, 1.0, -1.0)


def fit_odd(
    candidates: Sequence[OddFeatures],
    coalitions: np.ndarray,
    odd: np.ndarray,
    offset: SingleIndex | None = None,
) -> OddRegression:
    """The ridge regression of largest restricted likelihood over the candidates and the noise.

    The joint features are not penalised: the likelihood is that of what they leave. It is taken on
    some rows, evenly spaced. ``coalitions`` (m, d) and ``odd`` (m,) end with the grand coalition.
    The candidates differ in their sets only.
    """
    evidence, noise, best = likeliest(candidates, coalitions, odd, offset)
    seen = _seen(candidates[best], coalitions, odd, offset)
    return _solved(candidates[best], *seen, offset, evidence, noise)


def likeliest(
    candidates: Sequence[OddFeatures],
    coalitions: np.ndarray,
    odd: np.ndarray,
    offset: SingleIndex | None = None,
) -> tuple[float, float, int]:
    """Log restricted likelihood, noise and place of the candidate that `fit_odd` takes."""
    n, k = len(odd), len(candidates[0].joint(_signs(coalitions[:1])))
    few = np.unique(np.linspace(0, n - 1, max(TUNING_ROWS, 2 * k)).astype(int))
    signs, joint, odd = _seen(candidates[0], coalitions[few], odd[few], offset)
    outside = _basis(joint, complement=True)
    left = outside.T @ odd
    trials = [(*_likelihood(f, signs, outside, left), place) for place, f in enumerate(candidates)]
    return max(trials, key=lambda trial: trial[0])


def refit(fitted: OddRegression, coalitions: np.ndarray, odd: np.ndarray) -> OddRegression:
    """The same features, noise and offset fitted to other rows, see `fit_odd`."""
    seen = _seen(fitted.features, coalitions, odd, fitted.offset)
    return _solved(fitted.features, *seen, fitted.offset, fitted.evidence, fitted.noise)


def _seen(features, coalitions, odd, offset):
    """Signs (m, d) of the coalitions, joint features (m, k), and what the offset leaves (m,)."""
    signs = _signs(coalitions)
    left = odd if offset is None else odd - offset.odd(signs)
    return signs, features.joint(signs).T, left


def _solved(features, signs, joint, odd, offset, evidence, noise):
    spreads = _spreads(features)
    design = spreads[:, None] * features.products(signs)
    inside = _basis(joint)
    products = _ridge(design - (design @ inside) @ inside.T, odd - inside @ (inside.T @ odd), noise)
    coefficients = np.linalg.lstsq(joint, odd - products @ design, rcond=RANK_TOLERANCE)[0]
    return OddRegression(features, coefficients, spreads * products, evidence, noise, offset)


def _basis(columns, complement=False):
    """Orthonormal basis of the span of the columns (m, k), or of its complement."""
    columns = columns / np.maximum(np.linalg.norm(columns, axis=0), 1e-300)
    vectors, levels, _ = np.linalg.svd(columns, full_matrices=complement)
    rank = int((levels > RANK_TOLERANCE * levels[0]).sum())
    return vectors[:, rank:] if complement else vectors[:, :rank]


def _spreads(features):
    """Standard deviations (p,) of the coefficients; their variances sum to 1."""
    priors = np.maximum(features.priors, SMALLEST_PRIOR * features.priors.max(initial=0.0))
    return np.sqrt(priors / max(priors.sum(), 1e-300))


def _likelihood(features, signs, outside, left):
    """Largest log restricted likelihood over the noise, up to a constant, and that noise."""
    design = (_spreads(features)[:, None] * features.products(signs)) @ outside
    levels, vectors = scipy.linalg.eigh(design.T @ design, check_finite=False)
    noises = NOISE + features.omitted / max(features.priors.sum(), 1e-300)
    levels = np.maximum(levels, 0.0) + noises[:, None]
    energy = np.square(vectors.T @ left) + 1e-300
    scores = -0.5 * len(left) * np.log((energy / levels).mean(axis=1))
    scores -= 0.5 * np.log(levels).sum(axis=1)
    place = int(np.argmax(scores))
    return scores[place], noises[place]


def _ridge(design, target, noise):
    """Coefficients (p,) of least ||target - c'design||^2 + noise ||c||^2, design (p, m)."""
    p, m = design.shape
    if p >= m:
        gram = design.T @ design
        gram[np.diag_indices(m)] += noise
        return design @ scipy.linalg.cho_solve(
            scipy.linalg.cho_factor(gram, check_finite=False), target
        )
    gram = design @ design.T
    gram[np.diag_indices(p)] += noise
    return scipy.linalg.cho_solve(
        scipy.linalg.cho_factor(gram, check_finite=False), design @ target
    )
