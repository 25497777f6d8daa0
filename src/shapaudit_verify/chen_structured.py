"""Structured and amortised explanations of Chen et al. 2023: neighbourhoods, and optima of fits."""

import re
from fractions import Fraction
from itertools import combinations
from math import comb

from .chen import PAPER, games, labels_of
from .definitions import entries, kernel, players_of, shapley, solve, squared, walks
from .registry import rederives

PLACE = re.compile(r"radius (\d+), game (\d+), player (\d+)")
LENGTH = 10


def window(player, radius, d):
    """Players of a chain at most so far away."""
    return [j for j in range(d) if abs(j - player) <= radius]


def local(radius, player, d):
    """Coalitions of a neighbourhood with the player, and their Shapley weights there."""
    near = window(player, radius, d)
    others = [j for j in near if j != player]
    for size in range(len(near)):
        for chosen in combinations(others, size):
            yield {player, *chosen}, Fraction(1, len(near) * comb(len(others), size))


def intervals(radius, player, d, counted):
    """Intervals of a neighbourhood with the player; with neighbours counted, or always two."""
    near = window(player, radius, d)
    for low in range(near[0], player + 1):
        for high in range(player, near[-1] + 1):
            t = high - low + 1
            ends = (low > near[0]) + (high < near[-1]) if counted else 2
            below = Fraction(1)
            for k in range(ends):
                below *= Fraction(k + 1, t + k + 1)
            yield set(range(low, high + 1)), below / t


METHODS = {
    "L-Shapley": local,
    "C-Shapley": lambda radius, player, d: intervals(radius, player, d, False),
    "C-Shapley by Myerson": lambda radius, player, d: intervals(radius, player, d, True),
}


@rederives(f"{PAPER}structured.gather_weights", None)
def weights(piece, _):
    """Sums of weights over the players of a chain."""
    rows = []
    for radius in (1, 2, 3, LENGTH - 1):
        for name, terms in METHODS.items():
            sums = [sum(w for _, w in terms(radius, i, LENGTH)) for i in range(LENGTH)]
            rows.append(
                {
                    "method": name,
                    "radius": radius,
                    "players": LENGTH,
                    "middle": sums[LENGTH // 2],
                    "end": sums[0],
                    "smallest": min(sums),
                    "largest": max(sums),
                }
            )
    return {"rows": rows}


@rederives(f"{PAPER}structured.gather_counts", None)
def counts(piece, _):
    """Coalitions that any player needs, with it or without, each once."""
    rows = []
    for d in (10, 40):
        for radius in (1, 2, 3):
            for name, terms in METHODS.items():
                needed = set()
                for player in range(d):
                    for members, _ in terms(radius, player, d):
                        needed |= {frozenset(members), frozenset(members - {player})}
                row = {"method": name, "players": d, "radius": radius}
                rows.append(row | {"evaluations": len(needed), "all": float(2**d)})
    return {"rows": [{**kept, **made} for kept, made in zip(piece["rows"], rows, strict=True)]}


@rederives(f"{PAPER}structured.gather_bias")
def bias(piece, draws):
    """What a player gets in its neighbourhood less its Shapley value, on random games."""
    cases, biased = [], {"L-Shapley": 0, "C-Shapley": 0}
    for label in labels_of(piece):
        radius, number, player = (int(part) for part in PLACE.fullmatch(label).groups())
        values = _values(draws.game("ccll23-32a", radius, number=number, players=6))
        truth = shapley(values)[player - 1]
        errors = {name: _mean(METHODS[name], radius, player - 1, values) - truth for name in biased}
        for name, error in errors.items():
            biased[name] += error != 0
        cases.append((label, errors["L-Shapley"], errors["L-Shapley"]))
    return {"cases": cases, "biased": biased}


def _values(coefficients):
    """Values from Moebius coefficients, that of the empty coalition being zero."""
    coefficients = [Fraction(0), *coefficients[1:]]
    return [
        sum((c for t, c in enumerate(coefficients) if t & ~s == 0), Fraction(0))
        for s in range(len(coefficients))
    ]


def _mean(terms, radius, player, values):
    total = Fraction(0)
    for members, weight in terms(radius, player, players_of(values)):
        row = sum(1 << j for j in members)
        total += weight * (values[row] - values[row - (1 << player)])
    return total


@rederives(f"{PAPER}amortised.gather_optimum")
def optimum(piece, draws):
    """The Shapley values, which the best attributions are."""
    cases = []
    for label, _, values in games(draws, "ccll23-45a", labels_of(piece)):
        cases += entries(label, shapley(values), shapley(values))
    return {"cases": cases}


@rederives(f"{PAPER}amortised.gather_free")
def free(piece, draws):
    """The free optimum from its normal equations, normalised; and how often it was off."""
    cases, off, count = [], 0, 0
    for label, d, values in games(draws, "ccll23-45d", labels_of(piece)):
        unconstrained, truth = _free(values, d), shapley(values)
        off, count = off + (unconstrained != truth), count + 1
        gap = (values[-1] - values[0] - sum(unconstrained)) / d
        cases += entries(label, [value + gap for value in unconstrained], truth)
    return {"cases": cases, "off": off, "games": count}


def _free(values, d):
    matrix = [[Fraction(0)] * d for _ in range(d)]
    right = [Fraction(0)] * d
    for s in range(1, (1 << d) - 1):
        members = [j for j in range(d) if s >> j & 1]
        weight = kernel(d, len(members))
        for i in members:
            right[i] += weight * (values[s] - values[0])
            for j in members:
                matrix[i][j] += weight
    return solve(matrix, right)


@rederives(f"{PAPER}amortised.gather_losses")
def losses(piece, draws):
    """Losses by definition, a semivalue's contribution having the law of that along an order."""
    cases = []
    wanted = list(dict.fromkeys(name.rsplit(", ", 1)[0] for name in labels_of(piece)))
    for label, d, values in games(draws, "ccll23-93a", wanted):
        truth = shapley(values)
        drawn = draws.integers("ccll23-93a", "given", label, count=d)
        gap = (values[-1] - values[0] - sum(drawn)) / d
        given = [value + gap for value in drawn]
        distance = squared(a - b for a, b in zip(given, truth, strict=True))
        harmonic = sum(Fraction(1, k) for k in range(1, d))
        by_kernel = _kernel_loss(values, given, d) - _kernel_loss(values, truth, d)
        by_walks = _walk_loss(values, given) - _walk_loss(values, truth)
        cases += [
            (f"{label}, least squares", by_kernel, distance / (2 * harmonic)),
            (f"{label}, walks", by_walks, distance),
            (f"{label}, semivalues", by_walks, distance),
        ]
    return {"cases": cases}


def _kernel_loss(values, given, d):
    total = weights = Fraction(0)
    for s in range(1, (1 << d) - 1):
        members = [j for j in range(d) if s >> j & 1]
        weight = kernel(d, len(members))
        total += weight * (sum(given[j] for j in members) - (values[s] - values[0])) ** 2
        weights += weight
    return total / weights


def _walk_loss(values, given):
    spread = [
        squared(a - b for a, b in zip(given, added, strict=True)) for _, added in walks(values)
    ]
    return sum(spread) / len(spread)


@rederives(f"{PAPER}descent.gather_bias")
def descent(piece, draws):
    """The bias of the start times what two steps of a twentieth leave of it."""
    cases, biased, count = [], 0, 0
    for label in dict.fromkeys(name.rsplit(", ", 1)[0] for name in labels_of(piece)):
        d, number = (int(part) for part in re.findall(r"\d+", label))
        values = draws.game("ccll23-41b", players=d, number=number)
        truth, total = shapley(values), values[-1] - values[0]
        left = (1 - Fraction(1, 10) * (1 - Fraction(1, d))) ** 2
        bias = [left * (total / d - value) for value in truth]
        cases += entries(label, bias, bias)
        biased, count = biased + any(bias), count + 1
    return {"cases": cases, "biased": biased, "games": count}
