"""Claim 7: with pairs, an even order of PolySHAP adds nothing to the odd order below it."""

from shapaudit.audit.base import Verdict
from shapaudit.audit.evidence import Evidence
from shapaudit.audit.judges.identity import against, first_mismatch

from ..evidence.polynomial import gather_orders
from .common import POLYSHAP, claim


def check_orders(evidence: Evidence, alpha: float) -> Verdict:
    """Proved when both orders have the same Shapley values in every sample."""
    sample = {"games": evidence["games"]}
    if wrong := first_mismatch(evidence["cases"]):
        text = f"{wrong.label}: {wrong.left} at the even order, {wrong.right} at the odd one."
        return against(wrong, text, sample=sample)
    return Verdict(
        "proved",
        f"In rational arithmetic on all {sample['games']} random games and samples, for orders 2 "
        "and 4 alike: over complements the even functions are orthogonal to the odd ones, and only "
        "the odd ones have Shapley values. An even order pays for what changes nothing.",
        sample=sample,
        evidence="prop:polynomial",
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
