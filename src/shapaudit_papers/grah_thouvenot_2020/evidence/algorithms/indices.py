"""Evidence on claim 24: variables and terms of formulas as they are indexed."""

from collections.abc import Callable

from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence

PASSES = 3  # of Algorithm 2
PLAYERS = 16

Index = Callable[[int], int]


def undefined_at(assigned: Index) -> int:
    """Return the pass in which Algorithm 2 first reads a variable without a value; 0 if none.

    Pass l reads alpha_l, p_l and q_l, sets beta_l and p_{l+1}, and, unless it ends, the alpha whose
    index is ``assigned`` of l, and q_{l+1}.
    """
    alpha, p, q = {1}, {1}, {1}
    for k in range(1, PASSES + 1):
        if not (k in alpha and k in p and k in q):
            return k
        p.add(k + 1)
        alpha.add(assigned(k))
        q.add(k + 1)
    return 0


def gather_indices(
    context: Context, assigned: Index = lambda k: k, first: int = 0, factor: str = "phi"
) -> Evidence:
    """Return what is printed and what the text defines: a pass, a number of terms, a function.

    ``assigned`` is the index of alpha in the last line of a pass, ``first`` that of the sum over
    the coalitions, and ``factor`` the function in the product of the radial model (arXiv).
    """
    coalitions = (1 << PLAYERS) - 2
    rows = [
        {"what": "Algorithm 2", "printed": undefined_at(assigned), "needed": 0},
        {"what": "sum", "printed": coalitions - first + 1, "needed": coalitions},
        {"what": "product", "printed": factor, "needed": "rho"},
    ]
    return {"rows": rows, "players": PLAYERS}
