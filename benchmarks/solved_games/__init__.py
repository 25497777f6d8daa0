"""Games with exact Shapley values on which estimators are developed, and on which they are judged.

Games of real models, of six kinds, on tables that scikit-learn carries and on generated ones, with
one baseline or several; and synthetic games that are hard for one estimator or another. A hash of
its name tells whether a game is one to develop on or one to be looked at only at the end.

The wider games are a part of their own, on which nothing is developed: what a training gains from
rows, data sets, features and members, losses of many rows, uncertainties, conditional removals,
clusterings, superpixels and words.
"""

from functools import cache

from . import explained, real, superpixels, synthetic, training, unlabelled, words
from .base import FEW, PARTS, WIDER, Entry, Solved

__all__ = ["FEW", "PARTS", "WIDER", "Entry", "Solved", "UnknownGame", "entries", "entry"]


FAMILIES = (real, synthetic, training, explained, unlabelled, superpixels, words)


class UnknownGame(ValueError):
    """A name that no game of the suite has."""


@cache
def entries() -> tuple[Entry, ...]:
    """All games of the suite, none built yet."""
    return tuple(entry for family in FAMILIES for entry in family.entries())


def entry(name: str) -> Entry:
    """The game of that name; raises `UnknownGame`."""
    by_name = {game.name: game for game in entries()}
    if name not in by_name:
        raise UnknownGame(f"no game {name!r} in the suite; it has {', '.join(by_name)}.")
    return by_name[name]
