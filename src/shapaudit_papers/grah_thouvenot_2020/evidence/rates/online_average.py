"""Evidence on claim 6f: the online update of the weighted average."""

from collections.abc import Callable
from fractions import Fraction

from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.exact import vector_cases

LAST = 30  # T up to which the weights are compared

Rate = Callable[[int], Fraction]


def printed_rate(t: int) -> Fraction:
    """rho_t = 2 / (t + 2)."""
    return Fraction(2, t + 2)


def gather_average(context: Context, rate: Rate = printed_rate) -> Evidence:
    """Return the weights of phi_0, ..., phi_T in the updated and in the printed average."""
    cases, weights = [], [Fraction(1)]
    for last in range(1, LAST + 1):
        weights = [(1 - rate(last)) * weight for weight in weights] + [rate(last)]
        printed = [Fraction(2 * (t + 1), (last + 1) * (last + 2)) for t in range(last + 1)]
        cases += vector_cases(f"T = {last}", weights, printed)
    return {"cases": cases, "last": LAST}
