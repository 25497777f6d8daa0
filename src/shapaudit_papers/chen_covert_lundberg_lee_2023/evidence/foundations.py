"""Evidence on claims 35 to 38, 88 and 90: hardness, axioms, semivalues, cross-references."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb

import numpy as np

from shapaudit.truth.rational import rationals, shapley_values
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Case, Evidence
from shapaudit_audit.audit.exact import (
    exact_dimensions,
    integer_games,
    random_integers,
    small_dimensions,
    vector_cases,
)

LARGEST_WEIGHT, MOST = 4, 4  # of the voters, and how many of them beside the last
Rule = Callable[[np.ndarray], np.ndarray]  # values (2^d,) -> what each player gets (d,)


def half_of(total: int) -> int:
    """Return the quota that the last voter, of weight 1, meets with exactly half of the others."""
    return total // 2 + 1


def voting_game(weights: Sequence[int], quota: int) -> np.ndarray:
    """Return 1 for the coalitions (2^d,) that meet the quota."""
    totals = [
        sum(weight for j, weight in enumerate(weights) if members >> j & 1)
        for members in range(1 << len(weights))
    ]
    return rationals([int(total >= quota) for total in totals])


def gather_partition(context: Context, quota: Callable[[int], int] = half_of) -> Evidence:
    """Return whether the last voter's value is positive, and whether some weights sum to half."""
    cases = []
    for n in range(2, MOST + 1):
        for weights in combinations_with_replacement(range(1, LARGEST_WEIGHT + 1), n):
            total = sum(weights)
            if total % 2 == 0:
                value = shapley_values(voting_game([*weights, 1], quota(total)))[-1]
                sums = {0}
                for weight in weights:
                    sums |= {weight + other for other in sums}
                label = f"weights {', '.join(map(str, weights))}"
                sides = Fraction(value > 0), Fraction(total // 2 in sums)
                cases.append(Case(label, *sides))
    return {"cases": cases, "largest": LARGEST_WEIGHT, "voters": MOST}


def coefficients(values: np.ndarray) -> np.ndarray:
    """Return the Moebius coefficients (2^d,) of a game, by which unanimity games sum to it."""
    out = np.array(values)
    for j in range(len(out).bit_length() - 1):
        for members in range(len(out)):
            if members >> j & 1:
                out[members] -= out[members ^ 1 << j]
    return out


def by_unanimity(values: np.ndarray) -> np.ndarray:
    """Return the sum of the shares that the axioms leave: a_T / |T| for the members of T."""
    shares = rationals([0] * (len(values).bit_length() - 1))
    for members, coefficient in enumerate(coefficients(values)):
        for j in range(len(shares)):
            if members >> j & 1:
                shares[j] += coefficient / members.bit_count()
    return shares


def banzhaf(values: np.ndarray) -> np.ndarray:
    """Return mean contributions (d,) over all coalitions of the others."""
    d = len(values).bit_length() - 1
    signs = [[1 if members >> j & 1 else -1 for members in range(1 << d)] for j in range(d)]
    return np.array([(sign * values).sum() for sign in np.array(signs)]) / Fraction(1 << (d - 1))


def in_order(values: np.ndarray) -> np.ndarray:
    """Return contributions (d,) of the players as they join one after the other."""
    d = len(values).bit_length() - 1
    return rationals([values[(2 << j) - 1] - values[(1 << j) - 1] for j in range(d)])


def equal_split(values: np.ndarray) -> np.ndarray:
    """Return an equal share (d,) for everybody."""
    d = len(values).bit_length() - 1
    return rationals([(values[-1] - values[0]) / d] * d)


def split_among_others(values: np.ndarray) -> np.ndarray:
    """Return an equal share (d,) for all players but those without any contribution."""
    d, index = len(values).bit_length() - 1, np.arange(len(values))
    active = [bool((values[index | 1 << j] != values[index & ~(1 << j)]).any()) for j in range(d)]
    share = (values[-1] - values[0]) / Fraction(max(1, sum(active)))
    return rationals([share * int(is_active) for is_active in active])


RULES: dict[str, Rule] = {
    "Shapley": shapley_values,
    "Banzhaf": banzhaf,
    "contributions in one order": in_order,
    "equal split": equal_split,
    "equal split among others than null players": split_among_others,
}


def satisfied(rule: Rule, context: Context) -> dict[str, bool]:
    """Return which axioms a rule satisfies on random games, and on games made to test them."""
    met = dict.fromkeys(("efficiency", "symmetry", "null", "additivity"), True)
    for label, d, values in integer_games(
        context, "ccll23-36", dimensions=small_dimensions(context, 4)
    ):
        index = np.arange(1 << d)
        swapped = index & ~3 | (index & 1) << 1 | index >> 1 & 1
        last = 1 << (d - 1)
        other = random_integers(context, "ccll23-36", "other", label, count=1 << d)
        ends = values[-1] - values[0]
        met["efficiency"] &= rule(values).sum() == ends
        first, second = rule(values + values[swapped])[:2]
        met["symmetry"] &= first == second
        without = values[index & ~last]
        met["null"] &= rule(without)[-1] == 0
        met["additivity"] &= bool((rule(without + other) == rule(without) + rule(other)).all())
    return {axiom: bool(holds) for axiom, holds in met.items()}


def gather_uniqueness(context: Context, rules: Mapping[str, Rule] = RULES) -> Evidence:
    """Return what the axioms leave and Shapley values, and which axioms other rules satisfy."""
    cases = []
    for label, _, values in integer_games(
        context, "ccll23-36", dimensions=small_dimensions(context, 5)
    ):
        cases += vector_cases(label, by_unanimity(values), shapley_values(values))
    rows = [{"rule": name} | satisfied(rule, context) for name, rule in rules.items()]
    return {"cases": cases, "rows": rows}


PLAYERS = 3  # of the semivalues
Weights = Callable[[int, int], Fraction]  # player, coalition of the others -> P(S)
SCHEMES: dict[str, Weights] = {
    "one for every coalition": lambda player, members: Fraction(1),
    "all on the coalition of player 1, or on none": lambda player, members: Fraction(
        members == (0 if player == 0 else 1)
    ),
    "Shapley": lambda player, members: Fraction(1, PLAYERS * comb(2, members.bit_count())),
    "equal": lambda player, members: Fraction(1, 1 << (PLAYERS - 1)),
}


def weighted(values: np.ndarray, weights: Weights) -> np.ndarray:
    """Return weighted sums (d,) of contributions, Equation 6."""
    totals = rationals([0] * PLAYERS)
    for player in range(PLAYERS):
        for members in range(1 << PLAYERS):
            if not members >> player & 1:
                gain = values[members | 1 << player] - values[members]
                totals[player] += weights(player, members) * gain
    return totals


def gather_semivalues(context: Context, schemes: Mapping[str, Weights] = SCHEMES) -> Evidence:
    """Return by scheme of weights whether they depend on the size and sum to one, and two axioms.

    The values of an additive game should be the players' own, and those of a game that knows
    only sizes equal.
    """
    additive = rationals([sum(2**j for j in range(3) if m >> j & 1) for m in range(8)])
    of_sizes = rationals([m.bit_count() ** 2 for m in range(8)])
    rows = []
    for name, weights in schemes.items():
        each = [
            [weights(player, m) for m in range(8) if not m >> player & 1]
            for player in range(PLAYERS)
        ]
        by_size = {
            (m.bit_count(), weights(player, m))
            for player in range(PLAYERS)
            for m in range(8)
            if not m >> player & 1
        }
        rows.append(
            {
                "weights": name,
                "by_size": len(by_size) == PLAYERS,
                "sum_to_one": all(sum(own) == 1 for own in each),
                "own_worth": weighted(additive, weights).tolist() == [1, 2, 4],
                "symmetric": len(set(weighted(of_sizes, weights))) == 1,
            }
        )
    return {"rows": rows}


def whole_complement(members: int, player: int, everybody: int) -> int:
    """Return N without S, as printed."""
    return everybody ^ members


def gather_inverse(
    context: Context, inverse: Callable[[int, int, int], int] = whole_complement
) -> Evidence:
    """Return how many inverse subsets of a player's coalitions contain the player."""
    rows = []
    for d in small_dimensions(context, 5):
        everybody = (1 << d) - 1
        containing = [
            inverse(members, player, everybody) >> player & 1
            for player in range(d)
            for members in range(1 << d)
            if not members >> player & 1
        ]
        rows.append({"players": d, "subsets": len(containing), "containing": sum(containing)})
    return {"rows": rows}


def gather_equal_weights(
    context: Context, weight: Callable[[int], Fraction] = lambda d: Fraction(1, 1 << (d - 1))
) -> Evidence:
    """Return sums of equal weights over all coalitions of the others, and one."""
    cases = [
        Case(f"d = {d}", sum((comb(d - 1, s) * weight(d) for s in range(d)), Fraction(0)), one)
        for one in (Fraction(1),)
        for d in exact_dimensions(context)
    ]
    return {"cases": cases, "max_dimension": exact_dimensions(context)[-1]}


# Section 1, third paragraph: what is announced, the section it names, and where the text has it.
REFERENCES = (
    ("an empirical comparison of convergence", "4", "5.2.2"),
    ("the key assumptions of model-specific approaches", "5", "5.2.3"),
)


def gather_references(context: Context, references=REFERENCES) -> Evidence:
    """Return cross-references of the introduction beside the places of what they announce."""
    keys = ("announced", "printed", "found")
    return {"rows": [dict(zip(keys, row, strict=True)) for row in references]}
