"""Evidence on claim 19: Shapley values of games that pay for one coalition."""

from fractions import Fraction
from math import factorial

import numpy as np

from shapaudit.truth.rational import rationals, shapley_values
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.exact import small_dimensions, vector_cases

MOST_PLAYERS = 6


def exactly(index: int, d: int) -> np.ndarray:
    """Closed form (d,) for the game that pays 1 to the coalition of this index alone.

    A member is paid where the others of the coalition, and nobody else, come before it; another
    player loses where exactly the coalition comes before it.
    """
    t = index.bit_count()
    inside = Fraction(factorial(t - 1) * factorial(d - t), factorial(d))
    outside = Fraction(factorial(t) * factorial(d - t - 1), factorial(d)) if t < d else Fraction(0)
    return rationals([inside if index >> j & 1 else -outside for j in range(d)])


def at_least(index: int, d: int) -> np.ndarray:
    """Closed form (d,) for the game that pays 1 to each coalition that contains this one."""
    share = Fraction(1, index.bit_count())
    return rationals([share if index >> j & 1 else 0 for j in range(d)])


def gather_elementary(context: Context, forms=(exactly, at_least)) -> Evidence:
    """Shapley values by definition and by the closed forms, for all coalitions of few players."""
    cases = []
    for d in small_dimensions(context, MOST_PLAYERS):
        for index in range(1, 1 << d):
            payers = [
                [int(k == index) for k in range(1 << d)],
                [int(k & index == index) for k in range(1 << d)],
            ]
            for values, form in zip(payers, forms, strict=True):
                label = f"d = {d}, coalition {index}, {form.__name__}"
                cases += vector_cases(label, shapley_values(values), form(index, d))
    return {"cases": cases}
