"""Definitions that several papers share, in fractions and from first principles.

A game is a list of 2^d values; bit j of the index of a coalition says whether player j is in it.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import permutations
from math import comb, lcm

Vector = list[Fraction]
Case = tuple[str, Fraction, Fraction]
GAME = re.compile(r"d = (\d+), (?:game|model) (\d+)")


def players_of(values: Sequence) -> int:
    """Number of players d of a game."""
    return len(values).bit_length() - 1


def entries(label: str, left: Iterable, right: Iterable) -> list[Case]:
    """A case for each entry of two vectors."""
    pairs = enumerate(zip(left, right, strict=True), start=1)
    return [(f"{label}, entry {k}", *pair) for k, pair in pairs]


def numbered(labels: Iterable[str], pattern: re.Pattern = GAME) -> Iterator[tuple[int, int]]:
    """Sizes and numbers of games up to the largest that some labels name, from 2 and from 1."""
    named = [tuple(map(int, match.groups())) for match in map(pattern.match, labels) if match]
    if not named:
        raise ValueError("no label names a game")
    smallest = min(size for size, _ in named)
    for size in range(min(2, smallest), max(size for size, _ in named) + 1):
        for number in range(1, max(number for _, number in named) + 1):
            yield size, number


def shapley(values: Sequence) -> Vector:
    """For each player, the mean over sizes of its mean contribution at that size."""
    d = players_of(values)
    phi = [Fraction(0)] * d
    for members in range(1 << d):
        share = Fraction(1, d * comb(d - 1, members.bit_count())) if members + 1 < 1 << d else 0
        for player in range(d):
            if not members >> player & 1:
                phi[player] += share * (values[members | 1 << player] - values[members])
    return phi


def walks(values: Sequence) -> Iterator[tuple[tuple[int, ...], Vector]]:
    """Every order of the players, and what each adds when it joins those before it."""
    for order in permutations(range(players_of(values))):
        added, members = [Fraction(0)] * len(order), 0
        for player in order:
            added[player] = Fraction(values[members | 1 << player] - values[members])
            members |= 1 << player
        yield order, added


@cache
def kernel(d: int, size: int) -> Fraction:
    """The Shapley kernel, (d - 1) / (C(d, s) s (d - s))."""
    return Fraction(d - 1, comb(d, size) * size * (d - size))


def squared(vector: Iterable[Fraction]) -> Fraction:
    """The squared Euclidean norm."""
    return sum((x * x for x in vector), Fraction(0))


def size_law(nodes: Sequence[Fraction], weights: Sequence[Fraction], d: int) -> Vector:
    """Weight of each number of other players where q takes these values with these weights."""
    n, whole = (lcm(*(Fraction(x).denominator for x in numbers)) for numbers in (nodes, weights))
    terms = [(int(q * n), int(w * whole)) for q, w in zip(nodes, weights, strict=True)]
    return [
        Fraction(
            comb(d - 1, s) * sum(w * q**s * (n - q) ** (d - 1 - s) for q, w in terms),
            whole * n ** (d - 1),
        )
        for s in range(d)
    ]


def worst(law: Sequence[Fraction]) -> Fraction:
    """Largest bias of a player over games in [0, 1], of an estimate with this law of sizes."""
    return sum((abs(p - Fraction(1, len(law))) for p in law), Fraction(0))


def solve(matrix: Sequence[Sequence[Fraction]], right: Sequence[Fraction]) -> Vector:
    """The solution of a regular system, by Gauss and Jordan."""
    rows = [[*map(Fraction, row), Fraction(x)] for row, x in zip(matrix, right, strict=True)]
    for k in range(len(rows)):
        pivot = next(i for i in range(k, len(rows)) if rows[i][k])
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [x / rows[k][k] for x in rows[k]]
        for i in range(len(rows)):
            if i != k and rows[i][k]:
                factor = rows[i][k]
                rows[i] = [x - factor * y for x, y in zip(rows[i], rows[k], strict=True)]
    return [row[-1] for row in rows]


def game_of(model: Callable[[Sequence], Fraction], x: Sequence, backgrounds: Sequence) -> Vector:
    """Mean over the rows of a background of a model at x on the coalition and the row off it."""
    return [
        sum(
            (
                model([x[j] if members >> j & 1 else row[j] for j in range(len(x))])
                for row in backgrounds
            ),
            Fraction(0),
        )
        / len(backgrounds)
        for members in range(1 << len(x))
    ]
