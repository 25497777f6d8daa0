"""Hardness, axioms, semivalues, orders, causal graphs and groups of Chen et al. 2023."""

import re
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product
from math import comb, sqrt

from .chen import PAPER, games, labels_of
from .definitions import entries, shapley
from .registry import rederives

WEIGHTS = re.compile(r"weights ([\d, ]+)")


@rederives(f"{PAPER}foundations.gather_partition")
def partition(piece, _):
    """A voter of weight 1 decides where the others lack one vote: where they split in half."""
    largest, voters, cases = piece["largest"], piece["voters"], []
    for n in range(2, voters + 1):
        for weights in combinations_with_replacement(range(1, largest + 1), n):
            half, odd = divmod(sum(weights), 2)
            if odd:
                continue
            splits = [
                size
                for size in range(n + 1)
                for chosen in combinations(weights, size)
                if sum(chosen) == half
            ]
            value = sum((Fraction(1, (n + 1) * comb(n, size)) for size in splits), Fraction(0))
            sides = Fraction(value > 0), Fraction(bool(splits))
            cases.append((f"weights {', '.join(map(str, weights))}", *sides))
    return {"cases": cases}


def shared_out(values):
    """What unanimity games share out equally, by inclusion and exclusion."""
    d = len(values).bit_length() - 1
    shares = [Fraction(0)] * d
    for members in range(1, 1 << d):
        inside = (part for part in range(1 << d) if part & members == part)
        signed = (
            values[part] * (-1) ** (members.bit_count() - part.bit_count()) for part in inside
        )
        worth = sum(signed, Fraction(0)) / members.bit_count()
        for j in range(d):
            shares[j] += worth * (members >> j & 1)
    return shares


@rederives(f"{PAPER}foundations.gather_uniqueness")
def uniqueness(piece, draws):
    """Shares of unanimity games, and Shapley values."""
    cases = []
    for label, _, values in games(draws, "ccll23-36", labels_of(piece)):
        cases += entries(label, shared_out(values), shapley(values))
    return {"cases": cases}


def _either(made):
    sound = [row["own_worth"] and row["symmetric"] for row in made["rows"]]
    either = [row["by_size"] or row["sum_to_one"] for row in made["rows"]]
    return all(fair for fair, meant in zip(sound, either, strict=True) if meant)


@rederives(f"{PAPER}foundations.gather_semivalues", _either)
def semivalues(piece, _):
    """An additive game pays w_i times the sum of weights; sizes pay by the weight of each size."""
    one, half, third = Fraction(1), Fraction(1, 2), Fraction(1, 3)
    by_size = {  # weight of a coalition of 0, 1 and 2 others
        "one for every coalition": (one, one, one),
        "Shapley": (third, third * half, third),
        "equal": (half * half,) * 3,
    }
    sums = {name: a + 2 * b + c for name, (a, b, c) in by_size.items()}
    rows = {
        name: {"by_size": True, "sum_to_one": total == 1, "own_worth": total == 1}
        | {"symmetric": True}
        for name, total in sums.items()
    }
    # Player 1 gains 1 from nobody, in squares of sizes; the others gain 3 from player 1.
    rows["all on the coalition of player 1, or on none"] = {
        "by_size": False,
        "sum_to_one": True,
        "own_worth": True,
        "symmetric": False,
    }
    names = [row["weights"] for row in piece["rows"]]
    return {"rows": [{"weights": name} | rows[name] for name in names]}


@rederives(
    f"{PAPER}foundations.gather_inverse",
    lambda made: not any(row["containing"] for row in made["rows"]),
)
def inverse(piece, _):
    """A complement of a coalition of others always contains the player."""
    counts = [row["players"] for row in piece["rows"]]
    rows = [{"players": d, "subsets": d << (d - 1), "containing": d << (d - 1)} for d in counts]
    return {"rows": rows}


@rederives(f"{PAPER}foundations.gather_equal_weights")
def equal_weights(piece, _):
    """There are 2^(d - 1) coalitions of the others."""
    return {
        "cases": [
            (f"d = {d}", Fraction(1 << (d - 1), 2 ** (d - 1)), Fraction(1))
            for d in range(2, piece["max_dimension"] + 1)
        ]
    }


@rederives(
    f"{PAPER}beyond.gather_order",
    lambda made: any(row["deviation"] < 0.05 and row["wrong"] > 0.05 for row in made["rows"]),
)
def order(piece, _):
    """Means of contributions that are 0 or 1 by a coin, and 0 or 27/20 by a third."""
    rows, gain, third = [], Fraction(27, 20), Fraction(1, 3)
    for n in (row["draws"] for row in piece["rows"]):
        first = [Fraction(comb(n, k), 2**n) for k in range(n + 1)]
        second = [comb(n, k) * third**k * (1 - third) ** (n - k) for k in range(n + 1)]
        upper = [Fraction(0)]
        for chance in reversed(second):
            upper.append(upper[-1] + chance)
        upper.reverse()  # chance of at least so many
        wrong = Fraction(0)
        for k, chance in enumerate(first):
            above = int(k / gain) + 1
            wrong += chance * (upper[above] if above <= n else 0)
            if (k / gain).denominator == 1:
                wrong += chance * second[int(k / gain)] / 2
        deviation = max(sqrt(Fraction(1, 4) / n), gain * sqrt(third * (1 - third) / n))
        rows.append({"draws": n, "deviation": deviation, "wrong": float(wrong)})
    return {"rows": rows, "values": [Fraction(1, 2), gain * third]}


@rederives(
    f"{PAPER}beyond.gather_flat_graph",
    lambda made: any(row["intervention"] != row["marginal"] for row in made["linked"]),
)
def linked_graph(piece, _):
    """Two equal coins, the second a copy of the first in half of the cases: their product."""
    states = list(product((0, 1), repeat=3))  # cause, first, noise of the second
    natural = [(first, noise if cause else first) for cause, first, noise in states]
    forced = [(1, noise if cause else 1) for cause, _, noise in states]
    rows = []
    for members in range(4):
        sampled = [(1 if members & 1 else a) * (1 if members & 2 else b) for a, b in natural]
        caused = [
            (1 if members & 1 else a) * (1 if members & 2 else b)
            for a, b in (forced if members & 1 else natural)
        ]
        sides = (Fraction(sum(x), len(x)) for x in (caused, sampled))
        row = dict(zip(("intervention", "marginal"), sides, strict=True))
        rows.append({"coalition": members} | row)
    return {"linked": rows}


@rederives(
    f"{PAPER}beyond.gather_groups",
    lambda made: all(row["evaluated"] < row["coalitions"] for row in made["rows"]),
)
def groups(piece, _):
    """A power of two for features, and one for groups."""
    counts = [(row["features"], row["groups"]) for row in piece["rows"]]
    keys = ("features", "groups", "coalitions", "evaluated")
    return {"rows": [dict(zip(keys, (d, g, 2**d, 2**g), strict=True)) for d, g in counts]}
