"""Evidence on claim 8: values of groups and sums of their members' values."""

from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np

from shapaudit.truth.rational import rationals, shapley_values
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Case, Evidence
from shapaudit_audit.audit.exact import integer_games

Groups = Sequence[int]  # one set of players for each group, as bits
PLAYERS = (3, 4, 5)
# Six from the joint presence of players 2, 3 and 4; the group is of the first three.
EXAMPLE, GROUPS = (4, 0b1110, 6), (0b0111, 0b1000)


def of_groups(values: np.ndarray, groups: Groups) -> np.ndarray:
    """Values (2^g,) of the game whose players are groups."""
    return np.array(
        [
            values[sum(group for k, group in enumerate(groups) if members >> k & 1)]
            for members in range(1 << len(groups))
        ]
    )


def first_two(d: int) -> Groups:
    """The first two players as a group, each other one by itself."""
    return 0b11, *(1 << j for j in range(2, d))


def within(values: np.ndarray, groups: Groups) -> np.ndarray:
    """The game (2^d,) in which each group has what its own players are worth, and nothing else."""
    everybody = np.arange(len(values))
    return sum((values[everybody & group] - values[0] for group in groups), values[0])


def both_values(values: np.ndarray, groups: Groups) -> tuple[Fraction, Fraction]:
    """The first group's value, and the sum of its members' values."""
    d = len(values).bit_length() - 1
    each = shapley_values(values)
    summed = sum((each[j] for j in range(d) if groups[0] >> j & 1), Fraction(0))
    return shapley_values(of_groups(values, groups))[0], summed


def unanimity(d: int, members: int, worth: int) -> np.ndarray:
    """What members are worth if all of them are there."""
    return rationals([worth * (index & members == members) for index in range(1 << d)])


def gather_sums(
    context: Context, sums: Callable[[np.ndarray, Groups], tuple] = both_values
) -> Evidence:
    """Both values by random game, and as cases for games without interactions across groups."""
    cases, rows = [], []
    for label, d, values in integer_games(context, "field26-08", dimensions=PLAYERS):
        groups = first_two(d)
        cases.append(Case(label, *sums(within(values, groups), groups)))
        rows.append(_row(label, *sums(values, groups)))
    return {"cases": cases, "rows": [*rows, _row("example", *sums(unanimity(*EXAMPLE), GROUPS))]}


def _row(game: str, value: Fraction, summed: Fraction) -> Evidence:
    return {"game": game, "group": value, "sum": summed}
