"""Exact expectations of KernelSHAP on small games, by enumeration of its samples.

Efficiency leaves the deviation u from the equal split, fitted along the hyperplane: coalition S of
size l has the direction a = 1_S - l/d and the reward y = v(S) - v(empty) - l/d (v(D) - v(empty)).
S and its complement have opposite directions, hence share an axis. Given how often each axis is
drawn, the Gram matrix is fixed and an axis has the mean reward (y(S) - y(complement))/2: single
draws and pairs of complements have the same expectation, and samples are enumerated by the counts
of the 2^(d - 1) - 1 axes. Where the directions drawn leave u free, the smallest u is taken, as in
`estimators.kernel` (Chen et al. 2023, Section 5.2.1; Covert & Lee 2021).
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import chain, combinations, product
from math import comb, factorial, lcm, prod

import numpy as np

from shapaudit.truth.rational import rationals, shapley_values, solve


def kernel_size_law(n_players: int) -> dict[int, Fraction]:
    """Probability of each size 1, ..., d - 1 under the Shapley kernel, as 1 / (l (d - l))."""
    d = n_players
    weights = {size: Fraction(1, size * (d - size)) for size in range(1, d)}
    return {size: weight / sum(weights.values()) for size, weight in weights.items()}


def coalition_law(n_players: int) -> dict[int, Fraction]:
    """Probability of each proper coalition under the Shapley kernel, by its index."""
    sizes = kernel_size_law(n_players)
    return {
        members: sizes[members.bit_count()] / comb(n_players, members.bit_count())
        for members in range(1, (1 << n_players) - 1)
    }


def direction(members: int, n_players: int) -> np.ndarray:
    """d 1_S - l (d,): the direction of a coalition times d, in integers."""
    size = members.bit_count()
    return np.array([n_players * (members >> j & 1) - size for j in range(n_players)])


def rewards(values: Sequence | np.ndarray) -> np.ndarray:
    """y of all coalitions (2^d,)."""
    values = rationals(values)
    d = len(values).bit_length() - 1
    shares = rationals([Fraction(members.bit_count(), d) for members in range(len(values))])
    return values - values[0] - shares * (values[-1] - values[0])


def draw_outcomes(
    values: Sequence | np.ndarray, paired: bool = False
) -> list[tuple[Fraction, np.ndarray]]:
    """Probability and deviation (d,) of one draw of the unbiased KernelSHAP.

    The Gram matrix is replaced by its expectation, a multiple of the identity along the
    hyperplane: a draw is d / (l (d - l) q_l) (v(S) - v(empty)) a, the mean over S and its
    complement when ``paired`` (Covert & Lee 2021, Section 3.3).
    """
    values = rationals(values)
    d = len(values).bit_length() - 1
    sizes = kernel_size_law(d)
    outcomes = []
    for members, probability in coalition_law(d).items():
        size = members.bit_count()
        value = values[members] - values[0]
        if paired:
            value = (values[members] - values[len(values) - 1 - members]) / 2
        factor = value / (size * (d - size) * sizes[size])
        outcomes.append((probability, factor * rationals(direction(members, d).tolist())))
    return outcomes


def expected_fit(values: Sequence | np.ndarray, draws: int, paired: bool = False) -> np.ndarray:
    """E of KernelSHAP (d,) from ``draws`` coalitions or pairs, over every sequence of draws.

    Enumerates (2^d - 2)^m sequences, and is what `expected_fit_by_axes` is compared with.
    """
    y = rewards(values)
    d = len(y).bit_length() - 1
    law, last = coalition_law(d), len(y) - 1
    fits: dict[tuple, np.ndarray] = {}
    mean = rationals([0] * d)
    for sample in product(law, repeat=draws):
        key = tuple(sorted(sample))
        if key not in fits:
            members = [*key, *(last ^ s for s in key)] if paired else list(key)
            fits[key] = _smallest_fit(members, y)
        mean = mean + prod(law[s] for s in sample) * fits[key]
    return mean + Fraction(values[-1] - values[0], d)


def penalised_moments(
    values: Sequence | np.ndarray, draws: int, penalty: Fraction
) -> tuple[np.ndarray, Fraction]:
    """Mean (d,) and total variance of least squares on sampled coalitions with a ridge penalty.

    The penalty times |u|^2 is added to the sum of squared residuals of the deviation u from the
    equal split; without it this is KernelSHAP. Enumerates (2^d - 2)^m sequences.
    """
    y = rewards(values)
    d = len(y).bit_length() - 1
    law = coalition_law(d)
    fits: dict[tuple, np.ndarray] = {}
    mean, square = rationals([0] * d), Fraction(0)
    for sample in product(law, repeat=draws):
        key = tuple(sorted(sample))
        if key not in fits:
            fits[key] = _penalised_fit(list(key), y, penalty)
        chance = prod(law[s] for s in sample)
        mean = mean + chance * fits[key]
        square += chance * (fits[key] ** 2).sum()
    shift = Fraction(values[-1] - values[0], d)
    return mean + shift, square - (mean**2).sum()


def _penalised_fit(members: list[int], y: np.ndarray, penalty: Fraction) -> np.ndarray:
    """The u (d,) of least sum of squared residuals and penalty, the smallest without a penalty."""
    if penalty == 0:
        return _smallest_fit(members, y)
    d = len(y).bit_length() - 1
    rows = np.array([rationals(direction(s, d).tolist()) / d for s in members])
    gram = rows.T @ rows + penalty * rationals(np.eye(d, dtype=int).ravel().tolist()).reshape(d, d)
    return solve(gram, rows.T @ y[members])


def _smallest_fit(members: list[int], y: np.ndarray) -> np.ndarray:
    """The smallest u (d,) that fits the rewards of the coalitions best."""
    d = len(y).bit_length() - 1
    rows = np.array([direction(s, d) for s in members])
    basis = _row_basis(rows)
    within = rows @ basis.T
    adjugate, determinant = _adjugate((within.T @ within)[None])
    right = within.T.astype(object) @ (y[members] * d)
    return (adjugate[0].astype(object) @ right) @ basis / Fraction(int(determinant[0]))


def expected_fit_by_axes(values: Sequence | np.ndarray, draws: int) -> np.ndarray:
    """E of KernelSHAP (d,) from ``draws`` coalitions, or as many pairs, for d up to 4."""
    y = rewards(values)
    d = len(y).bit_length() - 1
    law, last = coalition_law(d), len(y) - 1
    axes = range(1, 1 << (d - 1))  # the coalitions without the last player
    chances = [law[s] + law[last ^ s] for s in axes]
    targets = [d * (y[s] - y[last ^ s]) / 2 for s in axes]
    unit = lcm(*(t.denominator for t in targets))
    parts = lcm(*(p.denominator for p in chances))
    rows = np.array([direction(s, d) for s in axes])
    weights = np.array([int(p * parts) for p in chances], dtype=object)
    scaled = np.array([int(t * unit) for t in targets])
    supports = (combinations(range(len(rows)), k) for k in range(1, len(rows) + 1))
    total = rationals([0] * d)
    for support in map(list, chain.from_iterable(supports)):
        if len(support) <= draws:
            total = total + _sum_over_counts(
                rows[support], scaled[support], weights[support], draws
            )
    return total / Fraction(parts**draws * unit) + Fraction(values[-1] - values[0], d)


def _sum_over_counts(rows, targets, weights, draws) -> np.ndarray:
    """Sum of weight times fit (d,) over all positive counts of these axes, in exact integers."""
    counts = _compositions(draws, len(rows))
    basis = _row_basis(rows)
    within = rows @ basis.T
    adjugates, determinants = _adjugate(np.einsum("ks,sa,sb->kab", counts, within, within))
    fits = np.einsum("kab,kb->ka", adjugates, (counts * targets) @ within) @ basis
    factorials = np.array([factorial(k) for k in range(draws + 1)], dtype=object)
    multinomials = factorials[draws] // factorials[counts].prod(axis=1)
    weighted = (multinomials * np.power(weights, counts.astype(object)).prod(axis=1))[:, None]
    weighted = weighted * fits.astype(object)
    return sum(
        weighted[determinants == value].sum(axis=0) * Fraction(1, int(value))
        for value in np.unique(determinants)
    )


def _compositions(total: int, parts: int) -> np.ndarray:
    """All positive integers (K, parts) with the given sum."""
    bars = np.array(list(combinations(range(1, total), parts - 1)), dtype=np.int64)
    ends = np.full((len(bars), 1), total)
    return np.diff(np.hstack([np.zeros_like(ends), bars, ends]), axis=1)


def _row_basis(rows: np.ndarray) -> np.ndarray:
    """Rows that span the same space, chosen from the first on; entries are small integers."""
    basis = rows[:0]
    for row in rows:
        longer = np.vstack([basis, row])
        if np.linalg.matrix_rank(longer) == len(longer):
            basis = longer
    return basis


def _adjugate(matrices: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Adjugates (K, r, r) and determinants (K,) of symmetric integer matrices, r at most 3."""
    r = matrices.shape[-1]
    if r == 1:
        return np.ones_like(matrices), matrices[:, 0, 0]
    if r == 2:
        flipped = matrices[:, ::-1, ::-1] * np.array([[1, -1], [-1, 1]])
        return flipped, matrices[:, 0, 0] * flipped[:, 0, 0] + matrices[:, 0, 1] * flipped[:, 0, 1]
    first, second, third = matrices.transpose(1, 0, 2)
    adjugate = np.stack(
        [np.cross(second, third), np.cross(third, first), np.cross(first, second)], axis=2
    )
    return adjugate, (first * adjugate[:, :, 0]).sum(axis=1)


def first_order(values: np.ndarray) -> tuple[np.ndarray, float]:
    """Limits of m times the bias (d,) and m times the variance of KernelSHAP from m draws.

    With c = 1 / (2 H_(d - 1)) the curvature along the hyperplane and r the residuals at the
    solution they are -E[|a|^2 a r] / c^2 and E[|a|^2 r^2] / c^2, in floating point from values
    (2^d,). The bias is that of m pairs as well.
    """
    values = np.asarray(values, dtype=float)
    d = len(values).bit_length() - 1
    index = np.arange(1, len(values) - 1)
    members = (index[:, None] >> np.arange(d) & 1).astype(float)
    sizes = members.sum(axis=1)
    chances = np.array([float(p) for p in kernel_size_law(d).values()])
    chances = (chances / [comb(d, size) for size in range(1, d)])[sizes.astype(int) - 1]
    directions = members - sizes[:, None] / d
    y = values[1:-1] - values[0] - sizes / d * (values[-1] - values[0])
    curvature = 0.5 / sum(1 / k for k in range(1, d))
    residuals = y - directions @ ((chances * y) @ directions / curvature)
    lengths = chances * np.square(directions).sum(axis=1)
    bias = -((lengths * residuals) @ directions) / curvature**2
    return bias, float(lengths @ np.square(residuals)) / curvature**2


def deviation(values: Sequence | np.ndarray) -> np.ndarray:
    """Shapley values less the equal split (d,)."""
    phi = shapley_values(values)
    return phi - phi.sum() / Fraction(len(phi))
