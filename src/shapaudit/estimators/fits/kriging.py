"""The odd part of a game as a Gaussian process: its mean, and statistics that screen sets."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
import scipy
from scipy.linalg import blas, lapack

from .fourier import OddFeatures
from .likelihood import Hyper, covariance_triangle, joint_scales
from .profile import profile_features, profile_shapley
from .relevance import (
    OddCovariance,
    joint_features,
    joint_shapley,
    triple_shapley,
)
from .screening import Products, products_of
from .triangular import lower_inverse
from .unanimity import alike_covariances, alike_triangles, unanimity_shapley

PROBES = 8  # of a trace
DEPENDENT = 1e-3  # a pivot over the largest one, from which the Gram matrix would lose digits
TRIES, JITTER_GROWTH = 6, 30.0
KNOWN = 1e-9  # share of a feature's information, below which the additive part contains it


@dataclass(frozen=True, eq=False)
class Observations:
    """Signs (n, d), values (n,) of the odd part, and noise variances (n,).

    The rows are those of the pairs and, last, of the grand coalition, whose value is known: its
    noise variance is 0.
    """

    signs: np.ndarray
    values: np.ndarray
    noises: np.ndarray

    def part(self, rows: np.ndarray) -> "Observations":
        """Some of the rows."""
        return Observations(self.signs[rows], self.values[rows], self.noises[rows])


@dataclass(frozen=True, eq=False)
class Sets:
    """Interaction terms: sets (n, order) by order, and their prior variances (p,)."""

    members: Sequence[np.ndarray] = ()
    variances: np.ndarray = field(default_factory=lambda: np.empty(0))

    def joined(self, members: Sequence[np.ndarray], variances: np.ndarray) -> "Sets":
        """These and further terms, which are not among them."""
        parts: dict[int, list[tuple[np.ndarray, np.ndarray]]] = {}
        for sets, values in ((self.members, self.variances), (members, variances)):
            ends = np.cumsum([len(same_order) for same_order in sets], dtype=int)
            for same_order, own in zip(sets, np.split(values, ends)[:-1], strict=True):
                parts.setdefault(same_order.shape[1], []).append((same_order, own))
        merged = [[np.concatenate(both) for both in zip(*parts[k], strict=True)] for k in parts]
        return Sets([sets for sets, _ in merged], np.concatenate([own for _, own in merged]))


class Kriging:
    """The posterior of the process given its values at the rows (universal kriging).

    The mean is signs' slopes + sum_i dual_i covariance(., row_i), with V dual = values - X slopes
    and X'dual = 0. ``alone``, ``joint`` and ``products`` may be taken over from a process on the
    same rows with the same relevances, weights and sets; else they are computed.

    Attributes
    ----------
    basis : (n, d), P = L^-T (I - basis basis') L^-1 with V = L L'
    slopes : (d,) of the additive part
    dual : (n,)
    scale : estimated variance of the unit
    """

    def __init__(
        self,
        rows: Observations,
        hyper: Hyper,
        sets: Sets | None = None,
        alone: np.ndarray | None = None,
        joint: tuple[np.ndarray, np.ndarray] | None = None,
        products: np.ndarray | None = None,
    ):
        self.rows, self.hyper, self.sets = rows, hyper, sets or Sets()
        signs, n = rows.signs, len(rows.values)
        self.kernel = OddCovariance(hyper.relevance)
        self.alone = self._alone_triangle() if alone is None else alone
        self._sign_products: Products | None = None
        self.joint, self._joint_scales = self._scaled() if joint is None else joint
        if products is None:
            products = OddFeatures(signs.shape[1], self.sets.members).products(signs)
        self.products = products
        spread = np.sqrt(self.sets.variances)[:, None] * self.products
        self.functions = profile_features(signs)
        profile = np.sqrt(hyper.interactions * hyper.profile) * self.functions
        spread = np.vstack([np.sqrt(hyper.joint) * self.joint, profile, spread]).T
        self.factor, self.nugget = self._factor(spread)
        drift = self.half(np.column_stack([signs, rows.values]))
        drift, half = drift[:, :-1], drift[:, -1]
        self.basis, self._triangle = _orthogonal(drift)
        self.slopes = _solved(self._triangle, self.basis.T @ half)
        left = half - drift @ self.slopes
        self.dual = lapack.dtrtrs(self.factor, left, lower=1, trans=1)[0]
        self.scale = max(left @ left / max(n - signs.shape[1], 1), 1e-300)

    def _factor(self, spread: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Lower factor of the covariance of the values, and the variances (n,) on its diagonal.

        ``spread`` (n, k) times its transpose is the covariance of the joint features, the functions
        of the size and the sets. Noise is added to the diagonal, and jitter until the matrix is
        positive definite. Entries above the diagonal of the factor are zero.
        """
        hyper, jitter = self.hyper, self.kernel.jitter
        noise, diagonal = hyper.noise * self.rows.noises, np.diag_indices(len(spread))
        for attempt in range(TRIES):
            covariance = hyper.interactions * self.alone
            covariance = blas.dsyrk(1.0, spread, 1.0, covariance, lower=1, overwrite_c=1)
            jitter *= JITTER_GROWTH if attempt else max(1.0, np.trace(covariance) / len(spread))
            covariance[diagonal] += noise + jitter
            factor, refused = lapack.dpotrf(covariance, lower=1, clean=0, overwrite_a=1)
            if not refused:
                return factor, noise + jitter
        raise scipy.linalg.LinAlgError("a covariance of the process is not positive definite.")

    def _scaled(self) -> tuple[np.ndarray, np.ndarray]:
        """The joint features (k, n), each over its root mean square, and these (k, 1)."""
        joint = joint_features(self.hyper.weights, self.rows.signs)
        scales = joint_scales(joint)
        return joint / scales, scales

    def _alone_triangle(self) -> np.ndarray:
        """The lower triangle of `across` at the rows."""
        signs, kernel = self.rows.signs, self.kernel
        plus, linear = kernel.plus(signs, signs).T, ((signs * kernel.relevance) @ signs.T).T
        triples, unanimity = alike_triangles(signs)
        scales = 1.0 / kernel.variance, 0.0, self.hyper.triples, self.hyper.unanimity, 0.0
        parts = plus, linear, triples, triples, unanimity, triples
        return covariance_triangle(*parts, kernel.level, np.array(scales), np.zeros(len(signs)))

    def across(self, signs: np.ndarray) -> np.ndarray:
        """Covariances (m, n) between signs (m, d) and the rows, without the interaction terms.

        They are the same for all processes that `changed` returns.
        """
        covariances = self.kernel(signs, self.rows.signs)
        triples, unanimity = alike_covariances(signs, self.rows.signs)
        covariances += self.hyper.triples * triples
        covariances += self.hyper.unanimity * unanimity
        return covariances

    @property
    def sign_products(self) -> Products:
        """Products of the signs of every two of the most relevant players."""
        if self._sign_products is None:
            self._sign_products = products_of(self.rows.signs, self.hyper.relevance)
        return self._sign_products

    def changed(self, hyper: Hyper, sets: Sets) -> "Kriging":
        """The process with the same relevances, other variances and other sets."""
        joint = (self.joint, self._joint_scales) if hyper.weights is self.hyper.weights else None
        products = self.products if sets.members is self.sets.members else None
        other = Kriging(self.rows, hyper, sets, self.alone, joint, products)
        other._sign_products = self._sign_products
        return other

    def part(self, rows: np.ndarray) -> "Kriging":
        """The process at some of its rows."""
        alone = self.alone.T[np.ix_(rows, rows)].T
        return Kriging(self.rows.part(rows), self.hyper, self.sets, alone)

    def half(self, columns: np.ndarray) -> np.ndarray:
        """L^-1 times columns (n, k), V = L L'."""
        return lapack.dtrtrs(self.factor, columns, lower=1)[0]

    def information(self, features: np.ndarray) -> np.ndarray:
        """f'P f (k,) for features f (k, n): the expected square of f'dual, over the scale.

        Zero for features that the additive part contains up to rounding.
        """
        half = self.half(features.T)
        whole = np.square(half).sum(axis=0)
        known = whole - np.square(self.basis.T @ half).sum(axis=0)
        return np.where(known > KNOWN * whole, known, 0.0)

    def expected(self) -> tuple[np.ndarray, float, float]:
        """`information` of the products (p,), its sum over the joint features, and that of noise.

        The latter is the trace of P times the noise variances; with many rows it is estimated with
        random signs (Hutchinson 1990).
        """
        noises, joint = self.rows.noises, len(self.joint)
        features, few = [self.joint, self.products], len(self.rows.noises) <= 16 * PROBES
        if not few:
            features.append(np.sqrt(noises) * _random_signs(PROBES, len(noises)))
        informations = self.information(np.vstack(features))
        ends = joint, joint + len(self.products)
        noise = noises @ self.precisions() if few else informations[ends[1] :].mean()
        return informations[ends[0] : ends[1]], informations[:joint].sum(), noise

    def precisions(self) -> np.ndarray:
        """Diagonal (n,) of P: the leave-one-out residual of a row is its dual over its entry."""
        half = lower_inverse(self.factor)
        return np.square(half).sum(axis=0) - np.square(self.basis.T @ half).sum(axis=0)

    def shapley(self) -> np.ndarray:
        """Shapley values (d,) of the mean."""
        hyper, d = self.hyper, len(self.slopes)
        values = 2.0 * self.slopes
        signs, dual = self.rows.signs, hyper.interactions * self.dual
        values += self.kernel.shapley(signs, dual) + hyper.triples * triple_shapley(signs, dual)
        values += hyper.unanimity * unanimity_shapley(signs, dual)
        values += hyper.profile * (self.functions @ dual) @ profile_shapley(d)
        shares = joint_shapley(hyper.weights) / self._joint_scales
        values += hyper.joint * (self.joint @ self.dual) @ shares
        coefficients = self.sets.variances * (self.products @ self.dual)
        return values + OddFeatures(d, self.sets.members).shapley(np.zeros(d), coefficients)

    def at(self, signs: np.ndarray, across: np.ndarray | None = None) -> np.ndarray:
        """The mean (m,) at other signs (m, d); ``across`` are their covariances, if known."""
        hyper, d = self.hyper, len(self.slopes)
        across = self.across(signs) if across is None else across
        mean = signs @ self.slopes + hyper.interactions * (across @ self.dual)
        profile = hyper.interactions * hyper.profile * (self.functions @ self.dual)
        mean += profile @ profile_features(signs)
        joint = joint_features(hyper.weights, signs) / self._joint_scales
        mean += hyper.joint * (self.joint @ self.dual) @ joint
        coefficients = self.sets.variances * (self.products @ self.dual)
        return mean + coefficients @ OddFeatures(d, self.sets.members).products(signs)

    def least_slope_error(self) -> float:
        """Lower bound of the standard errors of the slopes: as if the other slopes were known."""
        return float(np.sqrt(self.scale / np.square(self._triangle).sum(axis=0).max()))

    def joint_share(self) -> float:
        """Share of the joint features in the variance of the interactions at the rows."""
        joint = self.hyper.joint * ((self.joint @ self.dual) @ self.joint)
        everything = self.rows.values - self.rows.signs @ self.slopes - self.residuals()
        return float(joint.var() / max(joint.var() + (everything - joint).var(), 1e-300))

    def residuals(self) -> np.ndarray:
        """Residuals (n,) of the mean at the rows."""
        return self.nugget * self.dual


def _orthogonal(columns: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Thin QR factorisation of the columns: basis (n, d) and upper triangle (d, d)."""
    triangle, refused = lapack.dpotrf(blas.dsyrk(1.0, columns, trans=1), clean=1)
    if refused or _dependent(triangle):
        return np.linalg.qr(columns)
    return blas.dtrsm(1.0, triangle, columns, side=1), triangle


def _solved(triangle: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Solution (d,) of an upper triangular system; the one of least norm where it is singular."""
    if not _dependent(triangle):
        return lapack.dtrtrs(triangle, right)[0]
    return scipy.linalg.lstsq(
        triangle, right, cond=1e-10, lapack_driver="gelsy", check_finite=False
    )[0]


def _dependent(triangle: np.ndarray) -> bool:
    pivots = np.abs(np.diag(triangle))
    return pivots.min() <= DEPENDENT * pivots.max()


@lru_cache(maxsize=8)
def _random_signs(count: int, n: int) -> np.ndarray:
    """The same signs (count, n) each time."""
    signs = np.random.default_rng(0).choice([-1.0, 1.0], (count, n))
    signs.setflags(write=False)
    return signs
