"""A Gaussian process on the values of few pairs: sums of unanimity games and of their duals.

A difference of complements depends on the odd part alone, but a set of players has a share in both
parts, and with few pairs the even one tells which sets there are. The unanimity game of a set T is
1 where all its members are present, its dual where any of them is. With independent coefficients of
variance v_k / C(d, k) for the sets of k players, and a players in both of two coalitions, b in
neither, n and n' outside each of them, the covariance of their values is the sum over k of

    v_k C(a, k) / C(d, k)  for unanimity games,
    v_k (C(d, k) - C(n, k) - C(n', k) + C(b, k)) / C(d, k)  for their duals:

one table, looked up at a, and another at n, n' and b. The PolySHAP regression (Fumagalli, Witter &
Musco 2026) of least norm is the case of equal coefficients up to an order, without duals or noise.
The Shapley values are exact: each of the k members has 1 / k of the set's coefficient.

With enough pairs a function of the number of players has a part of its own, since games that
saturate consist mostly of one (`profile`): equal coefficients w_k / C(d, k) of all sets of k
players, and others of their duals, each with one variance for all k. It adds the same to the
Shapley values of all players, which the total determines.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numba import njit
from scipy.linalg import blas
from scipy.special import comb

from ..pairs import Pairs
from .fit import Fit, uncorrected
from .likelihood import inverse
from .mackay import change
from .profile import contained, enough_pairs

SIZES = 6  # with a variance of their own; larger sets have one together
ROUNDS = 12
ADDITIVE, OTHERS, NOISE = 1.0, 0.1, 1e-2  # first variances
LEAST, JITTER = 1e-12, 1e-9


def fit_value_process(pairs: Pairs) -> Fit:
    """The process with variances of approximately maximum likelihood.

    Each round multiplies a variance by the energy that its part of the covariance explains over the
    expected energy (MacKay 1992). Leave-one-out residuals omit both values of a pair.
    They do not count as too small for the variances that were chosen: these are shared by all sets,
    and on games for development the errors on unseen pairs were no larger.
    """
    rows = _rows(pairs)
    values = np.concatenate([pairs.values, pairs.opposite, [pairs.grand]]) - pairs.empty
    scale = values.std() or 1.0
    values = values / scale
    noises = pairs.weights.mean() / pairs.weights
    noises = np.concatenate([noises, noises, [0.0]])  # the grand coalition has none
    variances, noise = np.full((2, rows.tables.shape[0]), OTHERS), NOISE
    variances[0, 0], variances[1, 0] = ADDITIVE, 0.0  # the dual of a player is the player
    profile = np.full(2, OTHERS if enough_pairs(*pairs.coalitions.shape) else 0.0)
    for round_ in range(ROUNDS + 1):
        precision, _ = inverse(rows.covariance(variances, profile, noise * noises))
        dual = blas.dsymv(1.0, precision, values, lower=1)
        if round_ == ROUNDS:
            break
        unit = max(values @ dual / len(values), 1e-300)
        explained, expected = rows.sums(dual, precision)
        variances = variances * change(explained / unit, expected)
        if profile.any():
            explained, expected = rows.profile_sums(dual, precision)
            profile = profile * change(explained / unit, expected)
        explained = noises @ np.square(dual) / unit
        noise = max(noise * float(change(explained, noises @ np.diag(precision))), LEAST)
    shapley = scale * rows.shapley(variances, dual)
    left_out = scale * odd_left_out(precision, dual, len(pairs.values))
    return uncorrected(shapley, pairs.total, left_out)


@dataclass(frozen=True, eq=False)
class _Rows:
    """Coalitions (n, d) as 0 and 1; the numbers of players that any two share or both lack.

    ``tables`` (s, d + 1): for each group of sizes the sum of C(a, k) / C(d, k) at a = 0, ..., d;
    ``shares`` (s, d + 1): the sum of C(a - 1, k - 1) / (k C(d, k)), 0 at a = 0;
    ``profiles`` (2, d + 1, d + 1): covariances of functions of the size, as `_profiles` has them.
    """

    members: np.ndarray
    together: np.ndarray
    apart: np.ndarray
    tables: np.ndarray
    shares: np.ndarray
    profiles: np.ndarray

    def covariance(
        self, variances: np.ndarray, profile: np.ndarray, noises: np.ndarray
    ) -> np.ndarray:
        """Covariances of the values for ``variances`` (2, s), as a lower triangle (n, n).

        ``profile`` (2,) are the variances of functions of the size; ``noises`` (n,) and jitter are
        added to the diagonal.
        """
        by_size = np.tensordot(profile, self.profiles, 1)
        covariance = _covariance(self.together, self.apart, *(variances @ self.tables), by_size)
        jitter = JITTER * max(np.trace(covariance) / len(covariance), 1e-300)
        covariance[np.diag_indices(len(covariance))] += noises + jitter
        return covariance

    def sums(self, dual: np.ndarray, precision: np.ndarray) -> np.ndarray:
        """dual'K dual and its expectation tr(P K) (2, 2, s), K the covariance of each group.

        Only the lower triangle (n, n) of the precision P is read.
        """
        size = self.tables.shape[1]
        return _counted(self.together, self.apart, dual, precision, size) @ self.tables.T

    def profile_sums(
        self, dual: np.ndarray, precision: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """As `sums`, (2,) each, of the covariances of functions of the size."""
        d = self.members.shape[1]
        of_size = np.eye(d + 1)[np.diag(self.together)]
        weights = of_size.T @ blas.dsymm(1.0, precision, of_size, lower=1)
        sums = dual @ of_size
        return self.profiles @ sums @ sums, np.tensordot(self.profiles, weights, 2)

    def shapley(self, variances: np.ndarray, dual: np.ndarray) -> np.ndarray:
        """Shapley values (d,) of the sum of the rows' covariances times ``dual`` (n,)."""
        inside, outside = variances @ self.shares
        lacking = np.diag(self.apart)
        members = dual * inside[self.members.shape[1] - lacking]
        others = dual * outside[lacking]
        return members @ self.members + outside[-1] * dual.sum() - others @ (1.0 - self.members)


def _rows(pairs: Pairs) -> _Rows:
    grand = np.ones((1, pairs.coalitions.shape[1]), dtype=bool)
    members = np.vstack([pairs.coalitions, ~pairs.coalitions, grand]).astype(float)
    together, apart = ((sides @ sides.T).astype(np.intp) for sides in (members, 1.0 - members))
    d = members.shape[1]
    return _Rows(members, together, apart, *_tables(d), _profiles(d))


@lru_cache(maxsize=8)
def _tables(d: int) -> tuple[np.ndarray, np.ndarray]:
    """``tables`` and ``shares`` of `_Rows`.

    Over all k the sum of C(a, k) / C(d, k) is (d + 1) / (d + 1 - a), and that of
    C(a - 1, k - 1) / (k C(d, k)) is the same less 1, over a.
    """
    members, sizes = np.arange(d + 1.0), np.arange(1.0, min(SIZES, d) + 1.0)[:, None]
    tables = comb(members, sizes) / comb(d, sizes)
    rest = np.maximum((d + 1.0) / (d + 1.0 - members) - 1.0 - tables.sum(axis=0), 0.0)
    if d > SIZES:
        rest[: SIZES + 1] = 0.0
        tables = np.vstack([tables, rest])
    # A set of k within a players has C(a - 1, k - 1) / C(a, k) = k / a with a given member.
    shares = tables / np.maximum(members, 1.0)
    for table in (tables, shares):
        table.setflags(write=False)
    return tables, shares


@lru_cache(maxsize=8)
def _profiles(d: int) -> np.ndarray:
    """Covariances (2, d + 1, d + 1) of sum_k w_k p_k(s) at two sizes, w_k of variance 1 / d.

    First with p_k the shares C(s, k) / C(d, k) of unanimity games, then with those of their duals.
    """
    inside = contained(d)
    profiles = np.array([part.T @ part / d for part in (inside, 1.0 - inside[:, ::-1])])
    profiles.setflags(write=False)
    return profiles


@njit(cache=True, nogil=True, error_model="numpy")
def _covariance(
    together: np.ndarray,
    apart: np.ndarray,
    inside: np.ndarray,
    outside: np.ndarray,
    by_size: np.ndarray,
) -> np.ndarray:
    n = len(together)
    covariance, whole = np.zeros((n, n)).T, outside[-1]
    for column in range(n):
        known = whole - outside[apart[column, column]]
        same = by_size[together[column, column]]
        for row in range(column, n):
            dual = known - outside[apart[row, row]] + outside[apart[row, column]]
            dual += same[together[row, row]]
            covariance[row, column] = inside[together[row, column]] + dual
    return covariance


@njit(cache=True, nogil=True, error_model="numpy")
def _counted(
    together: np.ndarray, apart: np.ndarray, dual: np.ndarray, precision: np.ndarray, size: int
) -> np.ndarray:
    """Coefficients of the table entries in dual'K dual and in tr(P K) (2, 2, size).

    The second axis has the unanimity games first, then their duals.
    """
    counts = np.zeros((2, 2, size))
    for column in range(len(dual)):
        for row in range(column, len(dual)):
            twice = 1.0 if row == column else 2.0
            weights = twice * dual[row] * dual[column], twice * precision[row, column]
            for kind in range(2):
                counts[kind, 0, together[row, column]] += weights[kind]
                counts[kind, 1, apart[row, column]] += weights[kind]
                counts[kind, 1, size - 1] += weights[kind]
                counts[kind, 1, apart[row, row]] -= weights[kind]
                counts[kind, 1, apart[column, column]] -= weights[kind]
    return counts


def odd_left_out(precision: np.ndarray, dual: np.ndarray, m: int) -> np.ndarray:
    """Half the difference (m,) of the residuals of a pair's two values, leaving out both.

    The first rows of ``precision`` (n, n) and ``dual`` (n,), n >= 2 m, are those of the m pairs.
    """
    pair = np.arange(m)
    first, second = precision[pair, pair], precision[pair + m, pair + m]
    both = precision[pair + m, pair]
    differences = (second + both) * dual[:m] - (first + both) * dual[m : 2 * m]
    return 0.5 * differences / (first * second - both**2)
