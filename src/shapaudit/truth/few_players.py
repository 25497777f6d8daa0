"""Laws of sums over few other players, by counting coalitions in sorted lists.

Let N_s(x) be the number of coalitions of s players, of all d, whose sum is at most x, and N_s^i(x)
the same without player i. A coalition either has i or not, so that
N_s^i(x) = N_s(x) - N_{s-1}^i(x - w_i) and

    N_s^i(x) = sum_{m=0}^{s} (-1)^m N_{s-m}(x - m w_i).

N_1 and N_2 are read off sorted lists. A pair and a player whose sum is at most x are a coalition of
three, in three ways, or the player is in the pair: N_3(x) is a third of the number of the former
less that of the ordered pairs (a, b) with 2 w_a + w_b <= x.

Every count is taken at x - slack and at x + slack. Where the two agree, no rounding of at most
``slack`` in the sums or the threshold matters; where they do not, the difference is an error bound.
"""

from math import comb

import numpy as np

MOST = 3  # of the players whose coalitions are counted


def most_counted(n_players: int) -> int:
    """Largest size m counted, so that sizes 0, ..., m and d - 1 - m, ..., d - 1 do not overlap."""
    return min(MOST, (n_players - 2) // 2)


class _Counts:
    """N_s at any numbers, from sorted sums."""

    def __init__(self, shifts: np.ndarray):
        first, second = np.triu_indices(shifts.size, 1)
        apart = ~np.eye(shifts.size, dtype=bool)
        self.shifts = np.sort(shifts)
        self.pairs = np.sort(shifts[first] + shifts[second])
        self.doubled = np.sort((2 * shifts[:, None] + shifts)[apart])

    def at(self, size: int, x: np.ndarray) -> np.ndarray:
        """N_size(x), of the shape of x."""
        if size == 0:
            return (x >= 0).astype(np.int64)
        if size < MOST:
            return np.searchsorted((self.shifts, self.pairs)[size - 1], x, "right")
        x, places = np.unique(x, return_inverse=True)  # all are the same where nobody is left out
        with_player = np.searchsorted(self.pairs, x[:, None] - self.shifts, "right").sum(axis=1)
        return ((with_player - np.searchsorted(self.doubled, x, "right")) // MOST)[places]


def counted_crossings(
    shifts: np.ndarray, threshold: float, slack: float
) -> tuple[np.ndarray, np.ndarray]:
    """Crossings of a threshold at the few smallest and largest sizes of coalitions.

    Parameters
    ----------
    shifts : (d,), d >= 2
    threshold : in their units
    slack : by how much a sum may be off

    Returns
    -------
    values, bounds : ndarray (d,)
        Sum over the sizes s = 0, ..., m and d - 1 - m, ..., d - 1 of P(W_s <= t) -
        P(W_s <= t - w_i), over d, where W_s is the sum of s players drawn from those other than i.
    """
    counts, d = _Counts(shifts), shifts.size
    totals, widths = np.zeros(d), np.zeros(d)
    # A large coalition is all players less a few: its sum is above t where theirs is below this.
    for point in (threshold, shifts.sum() - threshold):
        for size in range(most_counted(d) + 1):
            for sign, start in ((1, np.full(d, point)), (-1, point - shifts)):
                low, high = _without(counts, size, start, shifts, slack)
                ways = d * comb(d - 1, size)
                totals += sign * (low + high) / (2 * ways)
                widths += (high - low) / (2 * ways)
    return totals, widths


def _without(
    counts: _Counts, size: int, start: np.ndarray, shifts: np.ndarray, slack: float
) -> tuple[np.ndarray, np.ndarray]:
    """Bounds (d,) of N_size^i at start_i."""
    low, high = np.zeros(start.shape, dtype=np.int64), np.zeros(start.shape, dtype=np.int64)
    for m in range(size + 1):
        below, above = (counts.at(size - m, start - m * shifts + by) for by in (-slack, slack))
        low, high = (low + below, high + above) if m % 2 == 0 else (low - above, high - below)
    return low, high
