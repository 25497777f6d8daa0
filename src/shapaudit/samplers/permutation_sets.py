"""Sets of permutations that spread better than independent ones.

A *structured set* is drawn as a whole, and sets are independent of each other; a *quasi-random
replicate* is as long as it is asked for, and replicates are independent. Each single permutation is
uniform in all of them, so means of marginal contributions are unbiased: exactly so for the
structured sets, and but for ties of probability below d^2 / 2^31 for `sobol_permutations`.
"""

from collections.abc import Callable

import numpy as np
import scipy

from .permutations import uniform_permutations

SOBOL_BITS = 30


def single_sets(count: int, n_players: int, rng: np.random.Generator) -> np.ndarray:
    """Sets (count, 1, d) of one uniform permutation."""
    return uniform_permutations(count, n_players, rng)[:, None]


def antithetic_sets(count: int, n_players: int, rng: np.random.Generator) -> np.ndarray:
    """Sets (count, 2, d): a uniform permutation and its reverse."""
    return with_reverses(uniform_permutations(count, n_players, rng)[:, None])


def cyclic_sets(count: int, n_players: int, rng: np.random.Generator) -> np.ndarray:
    """Sets (count, d, d): the cyclic shifts of a uniform permutation.

    A set is a Latin square: each player is once at each position. Turning positions maps
    permutations one to one onto permutations, so each shift is uniform.
    """
    place = np.arange(n_players)
    shifted = (place[:, None] + place) % n_players
    return uniform_permutations(count, n_players, rng)[:, shifted]


def williams_sets(count: int, n_players: int, rng: np.random.Generator) -> np.ndarray:
    """Sets (count, d or 2 d, d): Williams' Latin squares, the players in random order.

    Rows are the zigzag 0, 1, -1, 2, -2, ... plus a constant, modulo d: each player is once at each
    position, once just after each other player, and before each other player in half of the rows.
    The reverse of a row is a row where d is even; where it is odd, the reverses are added (Williams
    1949). Players are in random order, so each row is uniform.
    """
    place = np.arange(n_players)
    zigzag = np.where(place % 2, place + 1, -place) // 2
    rows = (place[:, None] + zigzag) % n_players
    squares = uniform_permutations(count, n_players, rng)[:, rows]
    return with_reverses(squares) if n_players % 2 else squares


def affine_sets(count: int, n_players: int, rng: np.random.Generator) -> np.ndarray:
    """Sets (count, (q - 1) d, d): the maps x -> a x + b modulo a prime q, players in random order.

    q is the smallest prime that is at least d; the places from d on are left out, and turns are
    those of the d players that remain. Any two players of q = d are once at any two positions, so
    that games of pairs have no variance left: the affine maps are sharply 2-transitive. A set
    consists of q - 1 cyclic orbits, one after the other, and holds the reverse of each of them.
    """
    q = _prime_from(n_players)
    circles = np.arange(1, q)[:, None] * np.arange(q) % q
    circles = circles[circles < n_players].reshape(q - 1, n_players)
    place = np.arange(n_players)
    orbits = circles[:, (place[:, None] + place) % n_players].reshape(-1, n_players)
    return uniform_permutations(count, n_players, rng)[:, orbits]


def _prime_from(least: int) -> int:
    """The smallest prime that is at least ``least``."""
    q = max(least, 2)
    while any(q % k == 0 for k in range(2, int(q**0.5) + 1)):
        q += 1
    return q


def orthogonal_sets(count: int, n_players: int, rng: np.random.Generator) -> np.ndarray:
    """Sets (count, 2 (d - 1), d): permutations nearest to a random orthonormal basis and its minus.

    Orthogonal spherical codes (Mitchell et al. 2022, Section 4). The basis of the hyperplane of
    the permutohedron is uniform (Haar), so each permutation is. One player has one permutation.
    """
    if n_players == 1:
        return np.zeros((count, 1, 1), dtype=np.int64)
    normals = rng.standard_normal((count, n_players - 1, n_players - 1))
    basis, triangle = np.linalg.qr(normals)
    # QR leaves the signs to the algorithm; with positive diagonals the basis is uniform.
    signs = np.sign(np.diagonal(triangle, axis1=1, axis2=2))
    directions = np.swapaxes(basis * signs[:, None, :], 1, 2)
    return with_reverses(nearest_permutations(directions))


STRUCTURED: dict[str, Callable[[int, int, np.random.Generator], np.ndarray]] = {
    "uniform": single_sets,
    "antithetic": antithetic_sets,
    "cyclic": cyclic_sets,
    "williams": williams_sets,
    "affine": affine_sets,
    "orthogonal": orthogonal_sets,
}


def set_size(name: str, n_players: int) -> int:
    """Permutations in one set of a sampler of `STRUCTURED`."""
    sizes = {
        "antithetic": 2,
        "cyclic": n_players,
        "williams": n_players * (1 + n_players % 2),
        "affine": n_players * (_prime_from(n_players) - 1),
        "orthogonal": max(2 * (n_players - 1), 1),
    }
    return sizes.get(name, 1)


def with_reverses(permutations: np.ndarray) -> np.ndarray:
    """Sets (m, 2 k, d): the permutations (m, k, d), then their reverses."""
    return np.concatenate([permutations, permutations[..., ::-1]], axis=1)


def nearest_permutations(directions: np.ndarray) -> np.ndarray:
    """Orders (..., d) of the players along directions (..., d - 1) of the permutohedron's plane.

    The directions are rotated into the hyperplane of vectors in R^d that sum to zero; sorting the
    coordinates finds the vertex of the permutohedron with the largest inner product (Mitchell et
    al. 2022, Section 4). Directions uniform on the sphere give uniform permutations, because
    their coordinates in R^d are exchangeable.
    """
    return np.argsort(directions @ scipy.linalg.helmert(directions.shape[-1] + 1), axis=-1)


def sobol_points(
    count: int, dimensions: int, replicates: int, rng: np.random.Generator
) -> np.ndarray:
    """Points (replicates, count, dimensions) in (0, 1), the first ``count`` of Sobol' sequences.

    The replicates share one random linear scramble, which takes time, and have digital shifts of
    their own (Matousek 1998). Whatever the scramble, a shifted point is uniform on the grid of
    2^-30: the replicates are unbiased and, given the scramble, independent, so that the spread
    between them is an unbiased estimate of the variance of their mean.
    """

    base = scipy.stats.qmc.Sobol(dimensions, bits=SOBOL_BITS, rng=rng)
    shifts = rng.integers(1 << SOBOL_BITS, size=(replicates, 1, dimensions))
    # A whole power of two is drawn, as the sequence wants it, whatever part of it is used.
    points = base.random_base2(max(count - 1, 0).bit_length())[:count]
    digits = (points * (1 << SOBOL_BITS)).astype(np.int64)
    return ((digits ^ shifts) + 0.5) / (1 << SOBOL_BITS)


def sobol_permutations(
    count: int, n_players: int, replicates: int, rng: np.random.Generator
) -> np.ndarray:
    """Permutations (replicates, count, d) that sort Sobol' points of d dimensions."""
    return np.argsort(sobol_points(count, n_players, replicates, rng), axis=-1)


def permutohedron_permutations(
    count: int, n_players: int, replicates: int, rng: np.random.Generator
) -> np.ndarray:
    """Permutations (replicates, count, d) nearest to Sobol' points on the sphere in d - 1 axes.

    The points fill the angles of hyperspherical coordinates by the inverse of their distribution
    functions (Mitchell et al. 2022, Section 4), which keeps areas, so the points are uniform.
    """
    if n_players == 1:
        return np.zeros((replicates, count, 1), dtype=np.int64)
    cube = sobol_points(count, max(n_players - 2, 1), replicates, rng)
    if n_players == 2:
        return nearest_permutations(2.0 * cube - 1.0)
    return nearest_permutations(sphere_points(cube))


def sphere_points(cube: np.ndarray) -> np.ndarray:
    """Unit vectors (..., k + 1) from points (..., k) of the unit cube, areas kept.

    An angle of density sin^(m - 1) on [0, pi] has cos = t / sqrt(m + t^2) with t of Student's law
    of m degrees of freedom; the last angle is uniform on the circle.
    """
    k = cube.shape[-1]
    circle = 2.0 * np.pi * cube[..., -1:]
    freedom = np.arange(k, 1, -1.0)
    t = scipy.special.stdtrit(freedom, cube[..., :-1])
    length = np.sqrt(freedom + np.square(t))
    radius = np.cumprod(np.sqrt(freedom) / length, axis=-1)
    before = np.concatenate([np.ones_like(circle), radius], axis=-1)
    axes = before[..., :-1] * (t / length)
    last = before[..., -1:]
    return np.concatenate([axes, last * np.cos(circle), last * np.sin(circle)], axis=-1)


QUASI_RANDOM: dict[str, Callable[[int, int, int, np.random.Generator], np.ndarray]] = {
    "sobol": sobol_permutations,
    "permutohedron": permutohedron_permutations,
}
