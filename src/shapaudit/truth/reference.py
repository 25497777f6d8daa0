"""Reference Shapley values, with standard errors, from walks along random permutations."""

from collections.abc import Callable

import numpy as np
from numba import njit

from ..games.base import Game, GameError, walk
from ..games.simulated import ThresholdGame
from ..samplers.permutation_sets import STRUCTURED
from ..statistics.moments import RunningMoments
from .base import Truth, TruthError


def reference_values(game: Game, rng: np.random.Generator, shuffles: int = 4096) -> Truth:
    """Reference values from ``shuffles`` independent uniform permutations.

    All d cyclic shifts of each are walked for a `ThresholdGame` (`cyclic_reference`), only the
    permutation itself for other games (`converged_reference`). Standard errors are those of the
    mean over shuffles.
    """
    if isinstance(game, ThresholdGame):
        return cyclic_reference(game, rng, shuffles)
    return converged_reference(game, rng, shuffles)


def converged_reference(
    game: Game, rng: np.random.Generator, shuffles: int = 4096, block: int = 64
) -> Truth:
    """Mean marginal contributions along independent uniform permutations.

    Unbiased: the Shapley value is the mean marginal contribution over all permutations. The
    permutations do not depend on ``block``, the number walked at a time; the default walk holds
    ``block * d * d`` booleans.
    Raises `TruthError` below two shuffles, `GameError` when a contribution is not finite.
    """

    def walks(permutations: np.ndarray) -> np.ndarray:
        contributions = walk(game, permutations)
        finite = np.isfinite(contributions).all(axis=0)
        if not finite.all():
            raise GameError(
                f"game {getattr(game, 'name', type(game).__name__)} gave player "
                f"{int(np.argmin(finite))} a marginal contribution that is not finite; check the "
                "model's output and the data for missing or infinite values."
            )
        return contributions

    return _mean_over_shuffles(walks, game.n_players, rng, shuffles, block, "permutations")


def orbit_reference(
    game: Game, rng: np.random.Generator, orbits: int = 256, permutations: str = "cyclic"
) -> Truth:
    """Mean over independent structured sets of permutations, of the walks along each.

    For games whose walk is cheap along cyclic shifts, such as a `RegressionGame`: all shifts of a
    permutation cost little more than a few walks. ``permutations`` names a sampler of
    `samplers.permutation_sets.STRUCTURED`; the set is the independent unit of the standard errors.
    Raises `TruthError` for another sampler, or below two sets.
    """
    if permutations not in STRUCTURED:
        raise TruthError(f"no permutations {permutations!r}; there are {', '.join(STRUCTURED)}.")
    if orbits < 2:
        raise TruthError(f"standard errors need at least 2 sets, not {orbits}.")
    d = game.n_players
    moments = RunningMoments(d)
    for _ in range(orbits):
        sets = STRUCTURED[permutations](1, d, rng)
        moments.update(walk(game, sets[0]).mean(axis=0, keepdims=True))
    method = f"{permutations} permutations"
    return Truth(moments.mean, "reference", method, moments.standard_errors())


def cyclic_reference(game: ThresholdGame, rng: np.random.Generator, shuffles: int = 4096) -> Truth:
    """Mean over uniform permutations of the mean along all d cyclic shifts of each.

    Unbiased: a fixed rotation of positions maps permutations one to one onto permutations, so each
    cyclic shift of a uniform permutation is itself uniform, and its marginal contributions have the
    Shapley values as expectation; so has their mean over the d shifts, in which every player takes
    every position exactly once. The shifts of one permutation are dependent, so the shuffle is the
    independent unit of the standard errors.

    Walk for walk, shifts carry less information than independent permutations, because they meet
    overlapping coalitions; but one shuffle serves d walks (d^2 steps) for the sorting of one
    permutation and d (d - 1) comparisons (see `_walk_shifts`), which more than makes up for it.
    Raises `TruthError` below two shuffles.
    """

    def walks(permutations: np.ndarray) -> np.ndarray:
        contributions = np.empty(permutations.shape)
        _walk_shifts(
            game.shifts,
            game.start,
            game.threshold,
            game.positive,
            permutations,
            contributions,
        )
        return contributions

    method = "cyclic permutations"
    return _mean_over_shuffles(walks, game.n_players, rng, shuffles, 256, method)


def _mean_over_shuffles(
    walks: Callable[[np.ndarray], np.ndarray],
    d: int,
    rng: np.random.Generator,
    shuffles: int,
    block: int,
    method: str,
) -> Truth:
    """Mean and standard errors of ``walks(permutations (m, d)) -> (m, d)`` over the shuffles."""
    if shuffles < 2:
        raise TruthError(f"standard errors need at least 2 shuffles, not {shuffles}.")
    moments = RunningMoments(d)
    for start in range(0, shuffles, block):
        identity = np.tile(np.arange(d), (min(block, shuffles - start), 1))
        moments.update(walks(rng.permuted(identity, axis=1)))
    return Truth(moments.mean, "reference", method, moments.standard_errors())


@njit(cache=True, nogil=True)
def _walk_shifts(
    shifts: np.ndarray,
    start: float,
    threshold: float,
    positive: bool,
    permutations: np.ndarray,
    contributions: np.ndarray,
) -> None:
    """Mean marginal contributions (m, d), by player, over the d cyclic shifts of each permutation.

    Put the players of a permutation on a circle, twice round. The coalitions met by the walks are
    arcs: the walk that starts at location s < d meets the arcs from s to just before location
    s + n, at the position start + prefix[s + n] - prefix[s], for n = 0, ..., d. Let N[k] be the
    number of arcs of 1 to d - 1 players that end just before location k (modulo d) and are above
    the threshold. Over the d walks, the player at location k completes the arcs of N[k + 1] and the
    grand coalition, and joins the arcs of N[k] and the empty coalition. The d contributions
    therefore add up to

        N[k + 1] - N[k] + v(grand) - v(empty),

    with the sign of the N reversed where being below scores 1. These are integers: a shuffle's
    contributions add up to v(grand) - v(empty) without rounding error. A position that is within
    the rounding error of a sum of d shifts of the threshold may fall on either side of it, as it
    may in any other order of summation; sums that are exact in float64 are decided exactly.
    """
    d = shifts.size
    prefix = np.empty(2 * d)
    above = np.empty(2 * d, dtype=np.int32)
    sign = 1 if positive else -1
    # v(grand) is 1 by the definition of the game.
    gain = 1 - int((start > threshold) == positive)
    for t in range(permutations.shape[0]):
        position = 0.0
        for k in range(d):
            prefix[k] = position
            position += shifts[permutations[t, k]]
        for k in range(d):
            prefix[d + k] = prefix[k] + position
        above[:] = 0
        for s in range(d):
            _count_above(prefix[s + 1 : s + d], prefix[s], start, threshold, above[s + 1 : s + d])
        for k in range(d):
            after = (k + 1) % d
            joined = above[after] + above[after + d] - above[k] - above[k + d]
            contributions[t, permutations[t, k]] = (sign * joined + gain) / d


@njit(cache=True, nogil=True)
def _count_above(
    ends: np.ndarray, begin: float, start: float, threshold: float, above: np.ndarray
) -> None:
    """Count the arcs above the threshold by their end; alone, so that it is vectorised."""
    for n in range(ends.size):
        above[n] += np.int32(start + (ends[n] - begin) > threshold)
