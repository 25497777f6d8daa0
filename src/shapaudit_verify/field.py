"""Statements of the field: pairs, recovery, groups, served coalitions."""

from fractions import Fraction
from itertools import product
from math import comb, factorial

from .definitions import entries, kernel, shapley, walks
from .registry import rederives

PAPER = "field/"


def pair_means(values):
    """The mean of every walk and its reverse."""
    walked = dict(walks(values))
    for order, added in walked.items():
        yield [(x + y) / 2 for x, y in zip(added, walked[order[::-1]], strict=True)]


def moments(rows):
    """Mean and variance of each entry."""
    columns = list(zip(*rows, strict=True))
    means, squares = (
        [sum(x**power for x in column) / Fraction(len(column)) for column in columns]
        for power in (1, 2)
    )
    return means, [s - m * m for s, m in zip(squares, means, strict=True)]


def grouped(values, groups):
    """The first group's value, and the sum of its members'."""
    unions = [
        sum(group for k, group in enumerate(groups) if chosen >> k & 1)
        for chosen in range(1 << len(groups))
    ]
    each = shapley(values)
    summed = sum((x for j, x in enumerate(each) if groups[0] >> j & 1), Fraction(0))
    return shapley([values[union] for union in unions])[0], summed


@rederives(
    f"{PAPER}groups.gather_sums",
    lambda made: all(row["group"] == row["sum"] for row in made["rows"]),
)
def sums_of_groups(piece, draws):
    """Two players as a group, with and without interactions with the others."""
    cases, rows = [], []
    labels = [label for label, *_ in piece["cases"]]
    most = max(int(label.split()[-1]) for label in labels)
    for d in (3, 4, 5):
        pair, others = 0b11, tuple(1 << j for j in range(2, d))
        for number in range(1, most + 1):
            values = draws.game("field26-08", players=d, number=number)
            apart = [
                values[0] + sum(values[members & part] - values[0] for part in (pair, *others))
                for members in range(1 << d)
            ]
            label = f"d = {d}, game {number}"
            cases.append((label, *grouped(apart, (pair, *others))))
            sides = grouped(values, (pair, *others))
            rows.append(dict(zip(("game", "group", "sum"), (label, *sides), strict=True)))
    # Three of four players share 6, or two of them and the fourth do.
    rows.append({"game": "example", "group": Fraction(6, 2), "sum": Fraction(2 * 6, 3)})
    return {"cases": cases, "rows": rows}


def recovered(pieces, draws):
    """One walk gives the weights of an additive game."""
    cases = []
    top = max(int(label.split(",")[0].removeprefix("d = ")) for label, *_ in pieces)
    for d in range(1, top + 1):
        weights = draws.integers("field26-06", d, count=d)
        cases += entries(f"d = {d}", weights, weights)
    return cases


def independent(rows):
    """Rank of some integer vectors."""
    rows, rank = [list(map(Fraction, row)) for row in rows], 0
    for column in range(len(rows[0])):
        pivot = next((row for row in rows[rank:] if row[column]), None)
        if pivot:
            rows.remove(pivot)
            rows.insert(rank, pivot)
            for k in range(rank + 1, len(rows)):
                factor = rows[k][column] / pivot[column]
                rows[k] = [x - factor * y for x, y in zip(rows[k], pivot, strict=True)]
            rank += 1
    return rank


@rederives(f"{PAPER}recovery.gather_ranks", lambda made: set(made["exact"].values()) == {1})
def ranks(piece, draws):
    """Chance that d draws of the kernel determine an additive game, every sample counted; walks."""
    exact = {}
    for d in (3, 4):
        proper = range(1, (1 << d) - 1)
        whole = sum(kernel(d, s.bit_count()) for s in proper)
        chances = {}
        for members in proper:  # a coalition and its complement say the same of such a game
            axis = min(members, (1 << d) - 1 - members)
            chances[axis] = chances.get(axis, 0) + kernel(d, members.bit_count()) / whole
        exact[d] = Fraction(0)
        full = {}
        for sample in product(chances, repeat=d):
            axes = frozenset(sample)
            if axes not in full:
                inside = [[axis >> j & 1 for j in range(d)] for axis in axes]
                rows = [[d * x - sum(row) for x in row] for row in inside]
                full[axes] = independent(rows) == d - 1
            if full[axes]:
                chance = Fraction(1)
                for axis in sample:
                    chance *= chances[axis]
                exact[d] += chance
    return {"exact": exact, "walks": recovered(piece["walks"], draws)}


def reciprocal(draws, chance):
    """The mean of 1 / (1 + B) for a binomial B, summed."""
    return sum(
        comb(draws, k) * chance**k * (1 - chance) ** (draws - k) / (k + 1) for k in range(draws + 1)
    )


def served(d):
    """Sizes of SVARM's coalitions, in proportion to 1 / size, and the sum of these."""
    harmonic = sum(Fraction(1, k) for k in range(1, d + 1))
    return [1 / (k * harmonic) for k in range(1, d + 1)], harmonic


def _bounded(made):
    cases = all(left == right for _, left, right in made["cases"])
    return cases and all(row["holds"] for row in made["rows"])


@rederives(f"{PAPER}svarm.gather_bound", _bounded)
def svarm(piece, _):
    """Laws of a served coalition; the variance's factor and its bound."""
    cases, rows = [], []
    top = max(row["players"] for row in piece["rows"])
    for d in range(2, top + 1):
        sizes, harmonic = served(d)
        chance = sum(p * Fraction(k, d) for k, p in enumerate(sizes, start=1))
        cases.append((f"d = {d}, chance to be served", chance, 1 / harmonic))
        for k, p in enumerate(sizes, start=1):
            left = p * Fraction(k, d) / chance / comb(d - 1, k - 1)
            right = Fraction(factorial(k - 1) * factorial(d - k), factorial(d))
            cases.append((f"d = {d}, size {k}", left, right))
        for n in sorted({2, 4, *(d * k for k in (2, 4, 10, 40, 100))}):
            half = n // 2
            exact = (1 - (1 - chance) ** (half + 1)) / ((half + 1) * chance)
            bound = 2 * harmonic / n
            row = {"players": d, "evaluations": n, "exact": float(exact)}
            row |= {"bound": float(bound), "share": float(exact / bound)}
            rows.append(row | {"holds": exact <= bound})
    brute = max(int(label.split(",")[0][4:]) for label, *_ in piece["cases"] if "before" in label)
    for d in range(2, brute + 1):
        total = sum(
            Fraction(factorial(s.bit_count()) * factorial(d - 1 - s.bit_count()), factorial(d))
            for s in range(1 << (d - 1))
        )
        cases.append((f"d = {d}, all sets before a player", total, Fraction(1)))
        for n in range(1, 2 * d):
            chance = Fraction(1, d)
            right = (1 - (1 - chance) ** (n + 1)) / ((n + 1) * chance)
            cases.append((f"d = {d}, mean of 1/(1 + B), {n} draws", reciprocal(n, chance), right))
    return {"cases": cases, "rows": rows}
