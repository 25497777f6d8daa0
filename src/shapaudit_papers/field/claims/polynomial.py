"""Claim 7: with pairs, an even order of PolySHAP adds nothing to the odd order below it."""

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import by_identity
from shapaudit_audit.audit.verdict import Verdict

from ..evidence.polynomial import gather_orders
from .common import POLYSHAP, claim


def check_orders(evidence: Evidence, alpha: float) -> Verdict:
    """Proved when both orders have the same Shapley values in every sample."""
    return by_identity(
        evidence["cases"],
        f"In rational arithmetic for all {evidence['games']} random games and samples, for orders "
        "2 and 4 alike: on samples closed under complements the even functions are orthogonal to "
        "the odd ones, and only the odd ones have Shapley values other than zero. An even order "
        "adds cost without changing the estimates.",
        lambda case: f"{case.label}: {case.left} at the even order, {case.right} at the odd one.",
        sample={"games": evidence["games"]},
        shown_by="prop:polynomial",
    )


CLAIMS = (
    claim(
        id="field26-07",
        title="Paired KernelSHAP equals PolySHAP of order two",
        heading="Sampling in pairs",
        topic="identities",
        where=f"{POLYSHAP}, abstract",
        statement=r"Paired sampling outputs exactly the same Shapley value approximations as "
        r"second-order PolySHAP, without ever fitting a polynomial of degree 2.",
        gather=gather_orders,
        check=check_orders,
    ),
)
