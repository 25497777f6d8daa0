"""Statements of the field: pairs, recovery, needles, served coalitions."""

from fractions import Fraction
from itertools import product
from math import comb, factorial

from .definitions import entries, kernel, numbered, shapley, walks
from .registry import rederives

PAPER = "field/"


def games(draws, name, piece):
    """Label, d and values of the random games that the cases are about."""
    for d, number in numbered([label for label, *_ in piece["cases"]]):
        yield f"d = {d}, game {number}", d, draws.game(name, players=d, number=number)


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


@rederives(f"{PAPER}pairing.gather_unbiased")
def unbiased(piece, draws):
    """The mean over all orders of a walk and its reverse."""
    cases, count = [], 0
    for label, _, values in games(draws, "field26-03", piece):
        cases += entries(label, moments(pair_means(values))[0], shapley(values))
        count += 1
    return {"cases": cases, "games": count}


@rederives(f"{PAPER}recovery.gather_walk")
def recovery(piece, draws):
    """One walk gives the weights of an additive game."""
    cases = []
    top = max(int(label.split(",")[0].removeprefix("d = ")) for label, *_ in piece["cases"])
    for d in range(1, top + 1):
        weights = draws.integers("field26-06", d, count=d)
        cases += entries(f"d = {d}", weights, weights)
    return {"cases": cases}


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
def ranks(piece, _):
    """Chance that d draws of the kernel determine an additive game, every sample counted."""
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
    return {"exact": exact}


@rederives(f"{PAPER}stopping.gather_needle", None)
def needle(piece, _):
    """A walk passes one of all coalitions of 5 out of 10; its last player gains."""
    met = Fraction(1, comb(10, 5))
    rows = [
        {"players": 10, "size": 5, "walks": n, "missed": float((1 - met) ** n)}
        for n in (32, 128, 512)
    ]
    return {"rows": rows, "value": Fraction(factorial(4) * factorial(5), factorial(10)), "met": met}


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
        for n in (2, 4, 10, 40, 100):
            half = d * n // 2
            exact = (1 - (1 - chance) ** (half + 1)) / ((half + 1) * chance)
            bound = 2 * harmonic / (d * n)
            row = {"players": d, "evaluations": d * n, "exact": float(exact)}
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
