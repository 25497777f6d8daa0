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
from scipy.linalg import blas, lapack

from ..ridge import Tridiagonal, tridiagonal_forms
from ..walsh_design import Design, products_of_signs
from .single_index import SingleIndex
from .supports import ODD_ORDERS

NOISE = np.logspace(-7, 1, 17)  # in the prior variance of all sets together
TUNING_ROWS = 200
RANK_TOLERANCE = 1e-9
DEPENDENT = 1e-4  # smallest over largest pivot, below which a singular value decomposition is used
SMALLEST_PRIOR = 1e-12
SHARE = 0.1  # of the joint features in the interactions, from which their weights matter


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
    def _orders(self) -> list[int]:
        return [k for k in ODD_ORDERS if k <= self.n_players]

    def products(self, signs: np.ndarray) -> np.ndarray:
        """The products (p, m) int8 over the sets, at signs (m, d)."""
        return products_of_signs(self.sets, signs)

    def design(self, signs: np.ndarray) -> Design:
        """The products, times prior standard deviations of coefficients of variance 1 in all."""
        return Design(self.sets, _spreads(self), signs)

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

    ``offset`` is a ridge function, to whose residuals the coefficients are fitted, or None;
    ``evidence`` is the log restricted likelihood, up to a constant, on the rows on which the
    ``noise`` level was chosen.
    """

    features: OddFeatures
    joint: np.ndarray
    products: np.ndarray
    evidence: float
    noise: float
    offset: SingleIndex | None = None

    def odd_part(self, coalitions: np.ndarray) -> np.ndarray:
        """The odd part (m,) at coalitions (m, d)."""
        signs = _signs(coalitions)
        values = self.joint @ self.features.joint(signs)
        values += self.products @ self.features.products(signs)
        return values if self.offset is None else values + self.offset.odd_part(signs)

    def joint_share(self, coalitions: np.ndarray) -> float:
        """Share of the joint features in the variance of the interactions at coalitions (m, d)."""
        signs, d = _signs(coalitions), self.features.n_players
        joint = (self.joint[d:] @ self.features.joint(signs)[d:]).var()
        products = (self.products @ self.features.products(signs)).var()
        return float(joint / max(joint + products, 1e-300))

    def shapley(self) -> np.ndarray:
        """Shapley values (d,)."""
        values = self.features.shapley(self.joint, self.products)
        return values if self.offset is None else values + self.offset.shapley()

    @property
    def linear(self) -> np.ndarray:
        """Coefficients (d,) of the signs."""
        return self.joint[: self.features.n_players]


def _signs(coalitions: np.ndarray) -> np.ndarray:
    return np.where(coalitions, 1.0, -1.0)


def fit_odd(
    candidates: Sequence[OddFeatures],
    coalitions: np.ndarray,
    odd_part: np.ndarray,
    offset: SingleIndex | None = None,
) -> OddRegression:
    """The ridge regression of largest restricted likelihood, over candidates and noise levels.

    The joint features are not penalised, hence the restricted likelihood, which is computed on a
    subset of evenly spaced rows. ``coalitions`` (m, d) and ``odd_part`` (m,) of the game at them
    end with the grand coalition. The candidates differ in their sets only.
    """
    ((evidence, noise, best),) = likeliest(candidates, coalitions, odd_part, [offset])
    seen = _seen(candidates[best], coalitions, odd_part, offset)
    return _solved(candidates[best], *seen, offset, evidence, noise)


def likeliest(
    candidates: Sequence[OddFeatures],
    coalitions: np.ndarray,
    odd_part: np.ndarray,
    offsets: Sequence[SingleIndex | None],
) -> list[tuple[float, float, int]]:
    """Log restricted likelihood, noise level and number of the best candidate, for each offset."""
    n, k = len(odd_part), len(candidates[0].joint(_signs(coalitions[:1])))
    few = np.unique(np.linspace(0, n - 1, max(TUNING_ROWS, 2 * k)).astype(int))
    seen = [_seen(candidates[0], coalitions[few], odd_part[few], offset) for offset in offsets]
    signs, joint, _ = seen[0]
    inside = _basis(joint)
    lefts = [odd_part - inside @ (inside.T @ odd_part) for _, _, odd_part in seen]
    trials = [_likelihoods(features, signs, inside, lefts) for features in candidates]
    return [
        max(((*trial, place) for place, trial in enumerate(own)), key=lambda trial: trial[0])
        for own in zip(*trials, strict=True)
    ]


def refit(fitted: OddRegression, coalitions: np.ndarray, odd_part: np.ndarray) -> OddRegression:
    """The same features, noise and offset fitted to other rows, see `fit_odd`."""
    seen = _seen(fitted.features, coalitions, odd_part, fitted.offset)
    return _solved(fitted.features, *seen, fitted.offset, fitted.evidence, fitted.noise)


def _seen(
    features: OddFeatures, coalitions: np.ndarray, odd_part: np.ndarray, offset: SingleIndex | None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Signs (m, d), joint features (m, k), and the odd part (m,) minus that of the offset."""
    signs = _signs(coalitions)
    left = odd_part if offset is None else odd_part - offset.odd_part(signs)
    return signs, features.joint(signs).T, left


def _solved(
    features: OddFeatures,
    signs: np.ndarray,
    joint: np.ndarray,
    odd_part: np.ndarray,
    offset: SingleIndex | None,
    evidence: float,
    noise: float,
) -> OddRegression:
    design, inside = features.design(signs), _basis(joint)
    products = _ridge(design, inside, odd_part - inside @ (inside.T @ odd_part), noise)
    left = odd_part - design.at_rows(products)
    coefficients = scipy.linalg.lstsq(
        joint, left, cond=RANK_TOLERANCE, lapack_driver="gelsy", check_finite=False
    )[0]
    return OddRegression(features, coefficients, design.spreads * products, evidence, noise, offset)


def _basis(columns: np.ndarray) -> np.ndarray:
    """Orthonormal basis of the span of the columns (m, k)."""
    columns = columns / np.maximum(np.linalg.norm(columns, axis=0), 1e-300)
    first = _whitened(columns)
    second = None if first is None else _whitened(first)  # rid of the rounding errors of the first
    if second is not None:
        return second
    vectors, levels, _ = np.linalg.svd(columns, full_matrices=False)
    return vectors[:, : int((levels > RANK_TOLERANCE * levels[0]).sum())]


def _whitened(columns: np.ndarray) -> np.ndarray | None:
    """The columns times the inverse Cholesky factor of their Gram matrix; None if near-dependent.

    Applied twice (CholeskyQR2, Yamamoto et al. 2015), this gives an orthonormal basis in a fifth of
    the time of a singular value decomposition.
    """
    triangle, refused = lapack.dpotrf(blas.dsyrk(1.0, columns, trans=1), clean=0)
    pivots = np.diag(triangle)
    if refused or pivots.min(initial=np.inf) <= DEPENDENT * pivots.max(initial=0.0):
        return None
    return blas.dtrsm(1.0, triangle, columns, side=1)


def _projected(inside: np.ndarray, matrix: np.ndarray) -> np.ndarray:
    """P A P (n, n), where P projects onto the orthogonal complement of the basis (n, k).

    Of the symmetric A and of the result, the lower triangles are stored, in column-major order.
    """
    image = blas.dsymm(1.0, matrix, inside, lower=1)
    image -= 0.5 * inside @ (inside.T @ image)
    return blas.dsyr2k(-1.0, inside, image, 1.0, matrix, lower=1, overwrite_c=1)


def _spreads(features: OddFeatures) -> np.ndarray:
    """Standard deviations (p,) of the coefficients; their variances sum to 1."""
    priors = np.maximum(features.priors, SMALLEST_PRIOR * features.priors.max(initial=0.0))
    return np.sqrt(priors / max(priors.sum(), 1e-300))


def _likelihoods(
    features: OddFeatures, signs: np.ndarray, inside: np.ndarray, lefts: Sequence[np.ndarray]
) -> list[tuple[float, float]]:
    """Largest log restricted likelihood over the noise levels, and its level, per residual."""
    form = Tridiagonal(_projected(inside, features.design(signs).covariance()).T)
    n, k = inside.shape
    noises = NOISE + features.omitted / max(features.priors.sum(), 1e-300)
    likeliest_noise = []
    for left in lefts:
        turned = form.turned(left)
        energies, levels = tridiagonal_forms(form.diagonal, form.off, turned, noises)
        # The k directions that are projected away have the level of the noise, and no energy.
        scores = -0.5 * (n - k) * np.log((energies + 1e-300) / (n - k))
        scores -= 0.5 * (levels - k * np.log(noises))
        place = int(np.argmax(scores))
        likeliest_noise.append((scores[place], noises[place]))
    return likeliest_noise


def _ridge(design: Design, inside: np.ndarray, target: np.ndarray, noise: float) -> np.ndarray:
    """The c (p,) that minimises ||target - P D'c||^2 + noise ||c||^2, P as in `_projected`."""
    p, m = design.shape
    if p >= m:
        covariance = design.covariance()
        covariance[np.diag_indices(m)] += noise
        factor, refused = lapack.dpotrf(covariance, lower=1, clean=0, overwrite_a=1)
        if refused:
            raise scipy.linalg.LinAlgError("a covariance of the products is not definite.")
        half = lapack.dtrtrs(factor, np.column_stack([inside, target]), lower=1)[0]
        whitened = _basis(half[:, :-1])
        left = half[:, -1:] - whitened @ (whitened.T @ half[:, -1:])
        return design.times(lapack.dtrtrs(factor, left, lower=1, trans=1)[0])[:, 0]
    image = design.times(np.column_stack([inside, target]))
    gram = design.gram() - image[:, :-1] @ image[:, :-1].T
    gram[np.diag_indices(p)] += noise
    return scipy.linalg.cho_solve(
        scipy.linalg.cho_factor(gram, check_finite=False), image[:, -1], check_finite=False
    )
