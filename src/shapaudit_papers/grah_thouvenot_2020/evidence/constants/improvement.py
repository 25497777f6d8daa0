"""Evidence on claim 4d: the bounds on the norm of the gradient under both samplings.

Both are linear in D and C. In units of 2 n they are the largest and the mean over all coalitions of
w_l (l D + sqrt(l) C): what is compared are the coefficients of D, exactly, and of C.
"""

from math import comb, sqrt

from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.exact import exact_dimensions
from shapaudit_papers.theory.constants import kernel_weight
from shapaudit_papers.theory.least_squares import Weight


def gather_improvement(context: Context, weight: Weight = kernel_weight) -> Evidence:
    """Coefficients of D and C in the root of the uniform bound and in B, for every d."""
    rows = []
    for d in exact_dimensions(context):
        counts = {size: comb(d, size) * weight(d, size) for size in range(1, d)}
        n, last = 2**d - 2, weight(d, d - 1)
        rows.append(
            {
                "players": d,
                "uniform_d": 2 * n * last * (d - 1),
                "importance_d": 2 * sum(count * size for size, count in counts.items()),
                "uniform_c": 2 * n * float(last) * sqrt(d - 1),
                "importance_c": 2 * sum(float(c) * sqrt(size) for size, c in counts.items()),
            }
        )
    return {"rows": rows}
