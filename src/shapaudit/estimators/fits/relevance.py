"""The covariance of an odd part whose players differ in relevance, and joint functions of all.

f = sum_T c_T chi_T over the sets T of an odd number of players, at least three, chi_T the product
of the signs of its members. With independent coefficients of variance prod_{j in T} r_j,

    E f(S) f(S') = (prod_j (1 + r_j u_j) - prod_j (1 - r_j u_j)) / 2 - sum_j r_j u_j,

u_j = s_j s'_j = +-1: two products sum over all sets of all odd orders (automatic relevance
determination, Neal 1996). Ridge functions h(b's) of one weighted sum have the coefficients
a_k prod_T b_j, whose signs are determined by those of b. Independent coefficients do not describe
them. Their terms of order 3, 5 and 7 are the elementary symmetric polynomials of b_j s_j, each of
which is one joint feature.
"""

from dataclasses import dataclass, field

import numpy as np

from ...games import coalition_index
from ..walsh import gather
from .fourier import symmetric_sums
from .supports import ODD_ORDERS

LEAST_VARIANCE = 1e-300
JITTER, ROUNDING = 1e-9, 3e-14  # added to the diagonal, so that the matrix is positive definite
MOST_NODES = 64  # exact up to 128 players; beyond, sets of so many members weigh nothing


@dataclass(frozen=True, eq=False)
class OddCovariance:
    """The covariance above, normalised to 1 at equal arguments; ``relevance`` r (d,) in (0, 1).

    ``jitter`` is what must be added to the diagonal of such a matrix against its rounding errors,
    ``variance`` the value that the covariance is divided by.
    """

    relevance: np.ndarray
    slopes: np.ndarray = field(init=False, repr=False)
    level: float = field(init=False, repr=False)
    variance: float = field(init=False, repr=False)
    jitter: float = field(init=False, repr=False)

    def __post_init__(self) -> None:
        rising, falling = np.log1p(self.relevance), np.log1p(-self.relevance)
        object.__setattr__(self, "slopes", 0.5 * (rising - falling))
        object.__setattr__(self, "level", 0.5 * (rising + falling).sum())
        variance = 0.5 * (np.exp(rising.sum()) - np.exp(falling.sum())) - self.relevance.sum()
        object.__setattr__(self, "variance", max(variance, LEAST_VARIANCE))
        # The products are about 1 and differ by little where all relevances are small.
        rounding = ROUNDING * np.exp(rising.sum()) / self.variance
        object.__setattr__(self, "jitter", max(JITTER, rounding))

    def products(self, signs: np.ndarray, others: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """prod_j (1 + r_j u_j) and prod_j (1 - r_j u_j), each (n, k)."""
        plus = self.plus(signs, others)
        return plus, np.exp(2.0 * self.level) / plus

    def plus(self, signs: np.ndarray, others: np.ndarray) -> np.ndarray:
        """prod_j (1 + r_j u_j) (n, k); the other product is exp(2 level) divided by it."""
        if 1 << len(self.relevance) < len(signs) * len(others):
            return gather(self._products, *(coalition_index(rows < 0) for rows in (signs, others)))
        plus = (signs * self.slopes) @ others.T
        plus += self.level
        return np.exp(plus, out=plus)

    @property
    def _products(self) -> np.ndarray:
        """The product for all u (2^d,); the bits of a place are the players whose u is -1."""
        table = np.ones(1)
        for relevance in self.relevance:
            table = np.concatenate([(1.0 + relevance) * table, (1.0 - relevance) * table])
        return table

    def __call__(self, signs: np.ndarray, others: np.ndarray) -> np.ndarray:
        """Covariances (n, k) between signs (n, d) and others (k, d)."""
        plus, minus = self.products(signs, others)
        plus -= minus
        plus *= 0.5
        plus -= (signs * self.relevance) @ others.T
        plus /= self.variance
        return plus

    def shapley(self, signs: np.ndarray, amounts: np.ndarray) -> np.ndarray:
        """Shapley values (d,) of the game sum_i amounts_i covariance(., signs_i).

        A set T gives 2 / |T| of its coefficient to each member, and 1 / |T| is the integral of
        t^(|T| - 1): a polynomial of degree below d, which Gauss-Legendre integrates.
        """
        d = len(self.relevance)
        nodes, shares = np.polynomial.legendre.leggauss(min(d // 2 + 1, MOST_NODES))
        values = np.zeros(d)
        ones = np.ones((1, d))
        for t, share in zip(0.5 * (nodes + 1.0), 0.5 * shares, strict=True):
            scaled = OddCovariance(t * self.relevance)
            plus, minus = (part[:, 0] * amounts for part in scaled.products(signs, ones))
            # (1 + t r s)^-1 takes two values, for s = 1 and s = -1; so has the one with -t.
            lower, upper = 1.0 / (1.0 + scaled.relevance), 1.0 / (1.0 - scaled.relevance)
            mean, half_difference = 0.5 * (lower + upper), 0.5 * (lower - upper)
            both = plus + minus
            # s / (1 + t r s) = s mean + h and s / (1 - t r s) = s mean - h, h the half difference.
            values += share * (mean * (both @ signs) + half_difference * (plus - minus).sum())
        return self.relevance * (values - 2.0 * (amounts @ signs)) / self.variance


def triple_covariance(total: np.ndarray, d: int) -> np.ndarray:
    """Covariances of exchangeable sets of three players, normalised to 1 at equal signs.

    ``total`` is the sum t of the u_j, s's': e_3(u) = (t^3 - (3 d - 2) t) / 6.
    """
    return total * (np.square(total) - (3 * d - 2)) / max(d * (d**2 - (3 * d - 2)), 1)


def triple_shapley(signs: np.ndarray, amounts: np.ndarray) -> np.ndarray:
    """Shapley values (d,) of sum_i amounts_i triple_covariance(s'signs_i).

    Each member of a set of three gets 2/3 of the coefficient of its product of signs.
    """
    d = signs.shape[1]
    others = signs.sum(axis=1, keepdims=True) - signs
    pairs = 0.5 * (np.square(others) - (d - 1))
    return 4.0 * (amounts @ (signs * pairs)) / (d * (d - 1) * (d - 2))


def joint_features(weights: np.ndarray, signs: np.ndarray) -> np.ndarray:
    """e_3, e_5, e_7 of w_j s_j, (k, n), at signs (n, d); ``weights`` w (d,) of norm 1."""
    orders = [k for k in ODD_ORDERS if k <= len(weights)]
    return symmetric_sums(weights * signs, ODD_ORDERS[-1])[orders]


def joint_shapley(weights: np.ndarray) -> np.ndarray:
    """Shapley values (k, d) of the joint features: 2 / k times w_j e_{k-1} of the others."""
    d = len(weights)
    sums = symmetric_sums(np.where(np.eye(d, dtype=bool), 0.0, weights), ODD_ORDERS[-1])
    orders = [k for k in ODD_ORDERS if k <= d]
    return np.array([2.0 / k * weights * sums[k - 1] for k in orders])
