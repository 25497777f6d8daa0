"""Evidence on claim 2, continued.

Line 6 of Algorithm 1, when the coalition already has the player.
"""

from collections.abc import Callable
from fractions import Fraction
from itertools import product

from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.exact import random_integers

PLAYERS = 4
LEVELS = (Fraction(0), Fraction(1, 4), Fraction(1, 2), Fraction(3, 4))

Reading = Callable[[tuple[int, ...], int], tuple[list[int], list[int]]]


def literal(bits: tuple[int, ...], player: int) -> tuple[list[int], list[int]]:
    """Multiples of x in both arguments of line 6 as it stands, I x + x_j and I x."""
    return [b + (k == player) for k, b in enumerate(bits)], list(bits)


def union(bits: tuple[int, ...], player: int) -> tuple[list[int], list[int]]:
    """The same, the player joining the coalition if it is not there already."""
    return [max(b, int(k == player)) for k, b in enumerate(bits)], list(bits)


def corrected(bits: tuple[int, ...], player: int) -> tuple[list[int], list[int]]:
    """The player moved in and out of a coalition of the others, as Equation 3 has it."""
    return (
        [1 if k == player else b for k, b in enumerate(bits)],
        [0 if k == player else b for k, b in enumerate(bits)],
    )


def expected(model: Callable, reading: Reading, player: int, q: Fraction) -> Fraction:
    """Expectation of one term of line 6 at inclusion probability q."""
    total = Fraction(0)
    for bits in product((0, 1), repeat=PLAYERS):
        chance = Fraction(1)
        for b in bits:
            chance *= q if b else 1 - q
        with_player, without = reading(bits, player)
        total += chance * (model(with_player) - model(without))
    return total


def gather_line(
    context: Context, readings: tuple[Reading, ...] = (literal, union, corrected)
) -> Evidence:
    """Readings of line 6 on a linear and on a quadratic model, against Equation 3."""
    x = random_integers(context, "ol21-02e", "linear", count=PLAYERS).tolist()
    x[0] = x[0] or Fraction(1)
    models = {
        "linear": lambda m: sum(a * b for a, b in zip(m, x, strict=True)),
        "quadratic": lambda m: sum(a * b for a, b in zip(m, x, strict=True)) ** 2,
    }
    rows = []
    for name, model in models.items():
        for reading in readings:
            values = [expected(model, reading, 0, q) for q in LEVELS]
            wanted = [expected(model, corrected, 0, q) for q in LEVELS]
            differ = sum(a != b for a, b in zip(values, wanted, strict=True))
            row = {"model": name, "reading": reading.__name__, "levels_that_differ": differ}
            rows.append(row | {"at_1/2": values[2], "equation_3": wanted[2]})
    return {"rows": rows}
