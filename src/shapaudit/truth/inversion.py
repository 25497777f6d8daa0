"""Shapley values of a threshold game of many players, by inversion, within a certified bound.

A threshold game is v(S) = 1{sum_{j in S} w_j > t}. With W_s the sum of s players drawn from those
other than i,

    phi_i = (1/d) sum_{s=0}^{d-1} P(t - w_i < W_s <= t)

for w_i >= 0, and with the sign reversed P(t < W_s <= t - w_i) for w_i < 0. Sizes of few players,
and of all but few, are counted (`few_players`). For those between, put the sums on a circle of
length L, longer than their range. The indicator of an arc is its length over L plus a difference of
two sawtooth functions; Vaaler's trigonometric polynomial of degree N, the Fourier series of the
sawtooth with its k-th term times f(k / (N + 1)), f(u) = pi u (1 - u) cot(pi u) + u, is off by at
most Fejer's kernel over 2 N + 2 at every point (Vaaler 1985, Some extremal functions in Fourier
analysis, Theorem 18; Graham and Kolesnik 1991, Theorem A.6). Both have expectations that are finite
sums over the characteristic functions of W_s (`spectrum`) at 2 pi k / L, k <= N. So

    |phi_i - estimate_i| <= (1 / (2 N + 2)) (E F(t - w_i) + E F(t)),

F being Fejer's kernel at the distance of the sum from the point, whose mean is about L times the
density there. Only the first K frequencies are computed; those from K to N are bounded in cells
(`tails`). The degree is what the bound asks for. Added are bounds of the rounding errors, and of
what it changes that a coalition within rounding of the threshold falls on either side of it, as it
may in the game itself.

A small bound needs characteristic functions that die away. Those of shifts that are multiples of
one number come back, and those of few players stay large: such games are refused.
"""

from math import ceil, log, pi

import numpy as np

from ..games.simulated import ThresholdGame
from .base import Truth, TruthError
from .few_players import counted_crossings, most_counted
from .spectrum import UNIT, characteristics_rounding, mean_characteristics
from .tails import STRIDE, Tails, vaaler

BOUND = 2e-5
LEAST_DEGREE, MOST_DEGREE = 1 << 6, 1 << 25  # multiples of the stride
MOST_FREQUENCIES = 4096
# Parts of the bound: of the degree, of frequencies not computed, of sizes left out at the others.
PARTS = {"degree": 0.6, "beyond": 0.35, "sizes": 0.02}


def inverted_shapley(game: ThresholdGame, bound: float = BOUND) -> Truth:
    """Values that are certified to be within ``bound`` of the Shapley values, player by player.

    Raises `TruthError` for fewer than two players, and where the bound is out of reach.
    """
    shifts, target = game.shifts, game.threshold - game.start
    d = shifts.size
    if d < 2 or not (np.isfinite(shifts).all() and np.isfinite(target) and shifts.any()):
        raise TruthError(
            f"game {game.name}: inversion needs two players or more, and finite shifts that are "
            "not all 0; use 'enumeration'."
        )
    size = np.abs(shifts).sum() + abs(game.start) + abs(game.threshold)
    slack = 4 * d * UNIT * float(size)
    # Beyond the reach of the sums all thresholds are the same, and farther ones leave the circle.
    beside = np.abs(shifts).max() / 4
    target = np.clip(target, shifts[shifts < 0].sum() - beside, shifts[shifts > 0].sum() + beside)
    values, errors = counted_crossings(shifts, target, slack)
    middle, gaps = _middle_sizes(shifts, target, slack, bound, game.name)
    errors = (errors + gaps) * (1 + 1e-9)  # bounds are rounded too
    if errors.max() > bound:
        raise _out_of_reach(game.name, bound, f"it is within {errors.max():.2g}")
    sign = 1 if game.positive else -1
    return Truth(sign * (values + middle), "bounded", "inversion", bounds=errors)


def _middle_sizes(
    shifts: np.ndarray, target: float, slack: float, bound: float, name: str
) -> tuple[np.ndarray, np.ndarray]:
    """Estimates and error bounds (d,) of the sizes that are not counted."""
    d, first = shifts.size, most_counted(shifts.size) + 1
    # Shorter than this, a sum could be on the arc of another one.
    step = 2 * pi / (np.abs(shifts).sum() + 2 * np.abs(shifts).max())
    # The degree that a bound asks for shows in the kernels, which hardly depend on it.
    needed, degree = max(LEAST_DEGREE, 1 / bound), 0
    while needed > degree and degree < MOST_DEGREE:
        degree = min(STRIDE * ceil(needed / STRIDE), MOST_DEGREE)
        tails = Tails(shifts, step, first, degree)
        beyond = tails.beyond
        enough = np.flatnonzero(beyond <= PARTS["beyond"] * bound)
        count = max(int(enough[0]), 1) * STRIDE
        if count > MOST_FREQUENCIES:
            left = beyond[MOST_FREQUENCIES // STRIDE]
            reason = f"frequencies after the first {MOST_FREQUENCIES} may add {left:.2g}"
            raise _out_of_reach(name, bound, reason)
        tops, omitted = tails.sizes(count, PARTS["sizes"] * bound)
        means = mean_characteristics(shifts, step, tops, first)
        share = max(d - 2 * first, 0) / d
        values, kernels = _inverted(means, shifts, target, step, degree, share)
        needed = kernels.max() / (2 * PARTS["degree"] * bound)
    rounding = _rounding(shifts, target, slack, step, count)
    gaps = kernels / (2 * degree + 2) + beyond[count // STRIDE] + omitted + rounding
    return values, gaps


def _inverted(
    means: np.ndarray, shifts: np.ndarray, target: float, step: float, degree: int, share: float
) -> tuple[np.ndarray, np.ndarray]:
    """Estimates, and sums of both expectations of Fejer's kernel, (d,) each, from means (K, d)."""
    k = np.arange(1, len(means) + 1)[:, None]
    u = k / (degree + 1)
    at_threshold = np.exp(-1j * (k * step) * target)
    at_other = np.exp(-1j * (k * step) * (target - shifts))
    terms = (vaaler(u) / (pi * k)) * ((at_other - at_threshold) * means).imag
    kernels = 2 * (1 - u) * ((at_other + at_threshold) * means).real
    return shifts * (share * step / (2 * pi)) + terms.sum(axis=0), 2 * share + kernels.sum(axis=0)


def _rounding(
    shifts: np.ndarray, target: float, slack: float, step: float, count: int
) -> np.ndarray:
    """Error bound of rounding in `_inverted` and what it is given, and of a threshold off by slack.

    Frequency k has a weight of 2 / (pi k) in an estimate, and less in the kernel's expectations.
    """
    phase = step * count * (np.abs(shifts).max() + abs(target))
    each = characteristics_rounding(shifts.size, phase) + (3 * phase + 2 * count + 16) * UNIT
    weights = 2 / pi * (1 + log(count)) + 4
    return weights * each + 4 * step * slack * count


def _out_of_reach(name: str, bound: float, reason: str) -> TruthError:
    return TruthError(
        f"game {name}: inversion cannot bound the error by {bound:g}: {reason}; raise 'bound', or "
        "use 'permutations', or 'enumeration' for at most 24 players."
    )
