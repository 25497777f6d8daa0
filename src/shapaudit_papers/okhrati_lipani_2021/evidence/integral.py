"""Evidence on claim 6: the integral over q, and the axioms it starts from."""

from collections.abc import Callable

from shapaudit.truth import shapley_from_table
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.exact import integer_games, small_dimensions


def gather_efficiency(context: Context, total: Callable = lambda v: v[-1]) -> Evidence:
    """Sums of the Shapley values of integer games with v(empty) other than 0, and their totals."""
    cases = []
    for label, _, values in integer_games(
        context, "ol21-06b", dimensions=small_dimensions(context, 6)
    ):
        table = values.astype(float)
        if table[0]:
            summed = shapley_from_table(table).sum()
            cases.append((label, float(summed), float(total(table)), float(table[-1] - table[0])))
    return {"cases": cases}
