"""Kinds of games on which antithetic sampling helps, does nothing, or hurts."""

from collections.abc import Callable
from itertools import combinations

import numpy as np

from shapaudit.games import (
    RadialGame,
    ThresholdGame,
    all_coalitions,
    tabulate,
)

PLAYERS = 9  # an odd number, so that a majority has no even part

Kind = Callable[[np.random.Generator], np.ndarray]


def _majority(rng):
    return (all_coalitions(PLAYERS).sum(axis=1) > PLAYERS / 2).astype(float)


def _parities(rng):
    signs = 1.0 - 2.0 * all_coalitions(PLAYERS)
    triples = list(combinations(range(PLAYERS), 3))
    columns = np.column_stack([signs[:, list(triple)].prod(axis=1) for triple in triples])
    return columns @ rng.standard_normal(len(triples))


def _threshold(rng):
    shifts = rng.standard_normal(PLAYERS)
    return tabulate(ThresholdGame(0.0, shifts, rng.random() * shifts.sum())).values


def _product(rng):
    return tabulate(RadialGame(*rng.standard_normal((2, PLAYERS)))).values


def _pairwise(rng):
    members = all_coalitions(PLAYERS).astype(float)
    weights = rng.standard_normal((PLAYERS, PLAYERS))
    return np.einsum("si,ij,sj->s", members, weights, members)


KINDS: dict[str, Kind] = {
    "majority": _majority,
    "parities of 3": _parities,
    "threshold": _threshold,
    "product": _product,
    "2-additive": _pairwise,
}
