"""Evidence on claims 8 and 9: the limits of Equation 4, numbers drawn, paths at fixed levels."""

from collections.abc import Callable
from fractions import Fraction

from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_papers.theory.grids import Grid, size_law_of

from .common import algorithm_1, algorithm_2

GAPS = (4, 16, 64, 256)  # values of Q
PLAYERS = 4  # of the additive game, whose mean contributions are 1 at every level

Loop = Callable[[int], Grid]


def gather_outer_factor(context: Context, factor: Callable = lambda q: Fraction(1)) -> Evidence:
    """The sums of Equation 4 on an additive game, with its factor before the limits or inside.

    ``factor`` is what of 1/Q stands inside the limits. A mean over M draws of a contribution that
    is always 1 is 1, so that the limit in M changes nothing.
    """
    rows = []
    for q in GAPS:
        total = Fraction(len(algorithm_1(q).nodes))
        rows.append({"Q": q, "sum": total * factor(q), "sum_over_q": total / q, "shapley": 1})
    return {"rows": rows}


def gather_draws(context: Context, loop: Loop = algorithm_2, draws: int = 2) -> Evidence:
    """Coalitions and random bits that Algorithm 2 draws, beside the numbers that are printed.

    Half of the nodes of its rule are drawn, each by M coalitions, the others are complements.
    """
    rows = []
    for q in GAPS:
        coalitions = draws * len(loop(q).nodes) // 2
        row = {"Q": q, "M": draws, "coalitions": coalitions, "bits": coalitions * PLAYERS}
        rows.append(row | {"first": draws * q // 2, "second": draws * q * PLAYERS // 2})
    return {"rows": rows, "players": PLAYERS}


def gather_still_paths(context: Context, loop: Loop = algorithm_1) -> Evidence:
    """Paths of estimates along growing M at fixed Q, on an additive game, where no draw varies.

    Every estimate is the sum of the size law, whatever was drawn: the standard deviation along the
    path is zero, and the error is what the sum differs from 1 by.
    """
    rows = []
    for q in GAPS:
        estimate = sum(size_law_of(loop(q), PLAYERS))
        rows.append({"Q": q, "estimate": estimate, "deviation": 0, "error": estimate - 1})
    return {"rows": rows}
