"""Games: functions of coalitions whose values are fractions."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from math import prod

from ..case import Case, game

FAMILY, LIBRARY = "games", "game"
Worth = Callable[[tuple[int, ...]], Fraction | int]
BLOCKS = (45, 25, 20, 10)
COSTS = (Fraction(1), Fraction(1), Fraction(5, 2), Fraction(4))


def unanimity(members: tuple[int, ...], needed: Sequence[int]) -> int:
    """1 if all who are needed are there."""
    return int(set(needed) <= set(members))


def airport(members: tuple[int, ...]) -> Fraction:
    """The largest cost of a member (Littlechild & Owen 1973)."""
    return max((COSTS[player] for player in members), default=Fraction(0))


def glove(members: tuple[int, ...], left: int = 2) -> int:
    """Pairs of a left and a right glove, of which the first players own the left ones."""
    owners = sum(player < left for player in members)
    return min(owners, len(members) - owners)


def majority(members: tuple[int, ...]) -> int:
    """1 if the blocks of votes of the members are more than half."""
    return int(2 * sum(BLOCKS[player] for player in members) > sum(BLOCKS))


def bankruptcy(members: tuple[int, ...], estate: int = 10) -> int:
    """What the claims of the others leave of an estate (O'Neill 1982)."""
    claims = (3, 4, 5, 8)
    return max(0, estate - sum(claims[k] for k in range(4) if k not in members))


def product(members: tuple[int, ...], factors: Sequence[Fraction], start: Fraction) -> Fraction:
    """A product of factors of the members."""
    return Fraction(start * prod(factors[player] for player in members))


def additive(members: tuple[int, ...], scale: Fraction, offset: int) -> Fraction:
    """A sum over members, and a worth of the empty coalition."""
    return offset + scale * sum(player - 1 for player in members)


def pairs(members: tuple[int, ...]) -> Fraction:
    """Effects of players and pairs."""
    single = sum(Fraction(player + 1, 3) for player in members)
    both = sum(Fraction(a - 2 * b, 7) for a in members for b in members if a < b)
    return Fraction(single + both)


def scrambled(members: tuple[int, ...]) -> int:
    """Whole numbers without a pattern, one for each coalition."""
    number = sum(1 << player for player in members)
    return (number * 2654435761 % 2**32) >> 22


def parity(members: tuple[int, ...]) -> int:
    """1 if the number of members is odd: all effects of all orders."""
    return len(members) % 2


def of(worth: Worth, players: int) -> Callable[[], Case]:
    """A recipe of a game."""
    return partial(game, worth, players)


THIRDS = tuple(Fraction(k, 3) for k in (1, 2, 4, 5))
CASES = {
    "one player": of(lambda members: 3 * len(members), 1),
    "two players": of(scrambled, 2),
    "additive": of(partial(additive, scale=Fraction(1), offset=0), 5),
    "worth of nobody": of(partial(additive, scale=Fraction(1), offset=7), 4),
    "large worth of nobody": of(partial(additive, scale=Fraction(1), offset=10**7), 4),
    "small worths": of(partial(additive, scale=Fraction(1, 10**9), offset=0), 4),
    "constant": of(lambda members: 5, 4),
    "dictator": of(lambda members: 10 * (0 in members), 4),
    "pairs": of(pairs, 5),
    "unanimity of two": of(partial(unanimity, needed=(1, 3)), 5),
    "unanimity of all": of(partial(unanimity, needed=range(6)), 6),
    "airport": of(airport, 4),
    "gloves": of(glove, 5),
    "majority": of(majority, 4),
    "bankruptcy": of(bankruptcy, 4),
    "product": of(partial(product, factors=THIRDS, start=Fraction(2)), 4),
    "square of the size": of(lambda members: len(members) ** 2, 6),
    "parity of four": of(parity, 4),
    "parity of seven": of(parity, 7),
    "without pattern, four": of(scrambled, 4),
    "without pattern, eight": of(scrambled, 8),
    "without pattern, ten": of(scrambled, 10),
}
