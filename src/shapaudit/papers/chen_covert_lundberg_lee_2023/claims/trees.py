"""Claim 15: interventional and path-dependent TreeSHAP, on random small trees."""

from shapaudit.audit.base import Verdict
from shapaudit.audit.evidence import Evidence
from shapaudit.audit.exact import show
from shapaudit.audit.judges.identity import against, first_mismatch

from ..evidence.trees import (
    gather_biased,
    gather_drawing,
    gather_exact,
    gather_independent,
)
from .common import claim

ROUNDING = 1e-12


def check_exact(evidence: Evidence, alpha: float) -> Verdict:
    """Proved when every entry agrees, and the code to rounding."""
    sample, code = {"entries": len(evidence["cases"])}, {"code": evidence["code"]}
    if wrong := first_mismatch(evidence["cases"]):
        told = f"{wrong.label}: {wrong.left}, and by enumeration {wrong.right}."
        return against(wrong, told, numbers=code, sample=sample)
    if evidence["code"] > ROUNDING:
        return Verdict(
            "inconclusive",
            f"The formula is exact; the code is off by {show(evidence['code'])}.",
            numbers=code,
            sample=sample,
            evidence="prop:chen-trees",
        )
    return Verdict(
        "proved",
        f"The sum over leaves is exact in {sample['entries']} entries for random trees, which may "
        "split on a feature again, and for all. The code that gives this project its exact values "
        f"is off by {show(evidence['code'])} at most.",
        numbers=code,
        sample=sample,
        evidence="prop:chen-trees",
    )


CORNERS = ((1, 1), (1, 0), (0, 1), (0, 0))  # independent


def check_biased(evidence: Evidence, alpha: float) -> Verdict:
    """Proved by the example, if its values differ."""
    rows = tuple(evidence["rows"])
    numbers = {"differing": evidence["differing"]}
    sample = {"trees": evidence["trees"]}
    if all(row["path_dependent"] == row["conditional"] for row in rows):
        return Verdict(
            "refuted", "They agree in the example.", numbers=numbers, sample=sample, rows=rows
        )
    return Verdict(
        "proved",
        "Already for the product of two binary features, the second never without the first, "
        "explained at 1 and 1 on the rows 11, 10 and 00. On random trees and dependent rows the "
        f"values differ in {evidence['differing']} of {evidence['trees']} cases.",
        numbers=numbers,
        sample=sample,
        rows=rows,
    )


def check_independent(evidence: Evidence, alpha: float) -> Verdict:
    """Proved when every entry agrees."""
    sample = {"entries": len(evidence["cases"])}
    if wrong := first_mismatch(evidence["cases"]):
        told = f"{wrong.label}: {wrong.left} by the path, exactly {wrong.right}."
        return against(wrong, told, sample=sample)
    return Verdict(
        "proved",
        f"Exact in {sample['entries']} entries for random trees, and for all: the shares along a "
        "path multiply to the probability of each feature's own conditions. So the bias is owed "
        "to dependence alone, that of the sample included, not to repeated splits or interactions.",
        sample=sample,
        evidence="prop:chen-trees",
    )


def check_drawing(evidence: Evidence, alpha: float) -> Verdict:
    """Proved when the two trees have different values."""
    rows = tuple(evidence["rows"])
    first, second = ([row for row in rows if row["root"] == root] for root in ("x1", "x2"))
    pairs = list(zip(first, second, strict=True))
    numbers = {"differing": sum(a["path_dependent"] != b["path_dependent"] for a, b in pairs)}
    if not numbers["differing"]:
        return Verdict("refuted", "Both trees have the same values.", numbers=numbers, rows=rows)
    shown = " and ".join(
        f"({', '.join(str(row['path_dependent']) for row in part)})" for part in (first, second)
    )
    return Verdict(
        "proved",
        f"The same function has the values {shown}, depending on the feature at the root: "
        "path-dependent values are no attribute of function and data.",
        numbers=numbers,
        rows=rows,
    )


SECTION = "Section 5.2.3"

CLAIMS = (
    claim(
        id="ccll23-15a",
        title="Interventional TreeSHAP",
        heading="Trees",
        topic="identities",
        where=f"{SECTION}, paragraph on Interventional TreeSHAP; Table 1, columns Bias-free and "
        "Variance-free",
        words="exactly calculates baseline and marginal Shapley values",
        statement=r"Interventional TreeSHAP gives baseline and marginal Shapley values of trees "
        r"exactly, without bias and variance.",
        gather=gather_exact,
        check=check_exact,
    ),
    claim(
        id="ccll23-15b",
        title="Path-dependent TreeSHAP is biased",
        heading="Trees",
        topic="convergence",
        where=f"{SECTION}, paragraph on Path-dependent TreeSHAP; Table 1, column Bias-free",
        words="Path-dependent TreeSHAP is a biased estimator for conditional Shapley values",
        statement=r"Path-dependent TreeSHAP is a biased estimator of conditional Shapley values.",
        gather=gather_biased,
        check=check_biased,
    ),
    claim(
        id="ccll23-15c",
        title="Path-dependent TreeSHAP with independent features",
        heading="Trees",
        topic="convergence",
        where=f"{SECTION}, beyond what is said there",
        statement=r"When the features are independent in the rows that weigh the nodes, "
        r"path-dependent, conditional and marginal Shapley values are the same.",
        gather=gather_independent,
        check=check_independent,
        source="this project",
    ),
    claim(
        id="ccll23-15d",
        title="Path-dependent values and the drawing of the tree",
        heading="Trees",
        topic="identities",
        where=f"{SECTION}, beyond what is said there",
        statement=r"Two trees of the same function can have different path-dependent values on "
        r"the same data.",
        gather=gather_drawing,
        check=check_drawing,
        source="this project",
    ),
)
