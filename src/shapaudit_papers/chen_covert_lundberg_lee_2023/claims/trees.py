"""Claim 15: interventional and path-dependent TreeSHAP, on random small trees."""

from typing import Any

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import by_identity, tell
from shapaudit_audit.audit.judges.identity import against, first_mismatch
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.verdict import Verdict

from ..evidence.costs import gather_interventional, gather_path_dependent
from ..evidence.ensembles import gather_ensembles
from ..evidence.removal_cells import gather_evaluated
from ..evidence.trees import (
    gather_biased,
    gather_cohort,
    gather_drawing,
    gather_exact,
    gather_independent,
)
from .common import claim
from .costs import check_interventional, check_path_dependent
from .ensembles import check_ensembles
from .removal_cells import check_tree

VALUE_ROUNDING = 1e-12


def check_exact(evidence: Evidence, alpha: float) -> Verdict:
    """Proved if every entry agrees, and the code does up to rounding."""
    cases, off = evidence["cases"], evidence["code"]
    details: dict[str, Any] = {"numbers": {"code": off}, "sample": {"entries": len(cases)}}
    if wrong := first_mismatch(cases):
        text = f"{wrong.label}: {wrong.left}, and by enumeration {wrong.right}."
        return against(wrong, text, **details)
    return tell(
        "inconclusive" if off > VALUE_ROUNDING else "proved",
        {
            "inconclusive": f"The formula is exact, but the code has an error of {show(off)}.",
            "proved": f"The sum over leaves is exact in {len(cases)} entries for random trees, "
            "which may split on a feature repeatedly, and in general. The code that computes the "
            f"exact values of this project has an error of {show(off)} at most.",
        },
        shown_by="prop:chen-trees",
        **details,
    )


CORNERS = ((1, 1), (1, 0), (0, 1), (0, 0))  # independent


def check_biased(evidence: Evidence, alpha: float) -> Verdict:
    """Proved by the example, if its values differ."""
    rows = evidence["rows"]
    agree = all(row["path_dependent"] == row["conditional"] for row in rows)
    return tell(
        "refuted" if agree else "exact",
        {
            "refuted": "They agree in the example.",
            "exact": "The product of two binary features is an example, where the second feature "
            "never occurs without the first, explained at (1, 1) on the rows 11, 10 and 00. On "
            f"random trees and dependent rows the values differ in {evidence['differing']} of "
            f"{evidence['trees']} cases.",
        },
        reach=f"an example and {evidence['trees']} random trees",
        numbers={"differing": evidence["differing"]},
        sample={"trees": evidence["trees"]},
        rows=rows,
    )


def check_independent(evidence: Evidence, alpha: float) -> Verdict:
    """Proved when every entry agrees."""
    cases = evidence["cases"]
    return by_identity(
        cases,
        f"Exact in {len(cases)} entries for random trees, and in general: the shares along a path "
        "multiply to the probability of each feature's own conditions. So the bias is due only to "
        "dependence, including that of the sample, and not to repeated splits or interactions.",
        lambda case: f"{case.label}: {case.left} by the path, exactly {case.right}.",
        sample={"entries": len(cases)},
        shown_by="prop:chen-trees",
    )


def check_drawing(evidence: Evidence, alpha: float) -> Verdict:
    """Proved when the two trees have different values."""
    rows = evidence["rows"]
    first, second = (
        [row["path_dependent"] for row in rows if row["root"] == root] for root in ("x1", "x2")
    )
    differing = sum(a != b for a, b in zip(first, second, strict=True))
    shown = " and ".join(f"({', '.join(map(str, values))})" for values in (first, second))
    return tell(
        "exact" if differing else "refuted",
        {
            "refuted": "Both trees have the same values.",
            "exact": f"The same function has the values {shown}, depending on the feature at the "
            "root: path-dependent values are not determined by function and data.",
        },
        reach="two trees of one function",
        numbers={"differing": differing},
        rows=rows,
    )


def check_cohort(evidence: Evidence, alpha: float) -> Verdict:
    """Exact if cohorts refined at each node give the value; loosely so if no single cohort does."""
    rows = evidence["rows"]
    path, nodes, *means = (row["value"] for row in rows)
    told = "; ".join(f"{row['reading']} {row['value']}" for row in rows)
    return tell(
        "refuted" if path != nodes else "exact",
        {
            "exact": f"For one present feature of an example: {told}. The value is a mean over "
            "cohorts that are refined at the nodes, one by one along the path"
            + (", as over one cohort." if path in means else "; it is not a mean over one cohort."),
            "refuted": f"Not even cohorts at each node give the value: {told}.",
        },
        "loosely" if path == nodes and path not in means else None,
        reach="one tree",
        rows=rows,
    )


SECTION = "Section 5.2.3"

CLAIMS = (
    claim(
        id="ccll23-15a",
        title="Interventional TreeSHAP, exact in linear time",
        heading="Trees",
        topic="identities",
        where="Section 5.2.3, paragraph on Interventional TreeSHAP; Table 1, column Bias-free; "
        "Section 5.2.3, last sentences on trees",
        words="exactly calculates baseline and marginal Shapley values ... because the Shapley "
        "value is additive with respect to the model ... in time linear in the size of the "
        "tree model and the number of baselines",
        statement="Interventional TreeSHAP gives baseline and marginal Shapley values of trees "
        "exactly. For ensembles, explanations of the trees are combined linearly, which gives "
        "exact baseline and marginal Shapley values. Interventional TreeSHAP takes time linear "
        "in the size of the trees and in the number of baselines.",
        hedges="Of the sum that the ensemble is: log-odds, not probabilities, of a booster. "
        "Weights that depend on two numbers of features are taken from a table.",
        gather=gather_exact,
        check=check_exact,
        also=(
            (gather_ensembles, check_ensembles),
            (gather_interventional, check_interventional),
        ),
        matters="Probabilities of a boosted classifier are not sums over trees and cannot be "
        "explained in this way. A baseline may take a visit to every node of a tree, whereas a "
        "prediction follows one path.",
    ),
    claim(
        id="ccll23-15b",
        title="Path-dependent TreeSHAP is biased",
        heading="Trees",
        topic="convergence",
        where=f"{SECTION}, paragraph on Path-dependent TreeSHAP; Table 1, column Bias-free",
        words="Path-dependent TreeSHAP is a biased estimator for conditional Shapley values",
        statement=r"Path-dependent TreeSHAP is a biased estimator of conditional Shapley values, "
        r"because its estimate of the conditional expectation is imperfect.",
        hedges="If features are independent, it is exact (C 15c).",
        gather=gather_biased,
        check=check_biased,
    ),
    claim(
        id="ccll23-15c",
        title="When path-dependent values depend on the tree",
        heading="Trees",
        topic="convergence",
        where=f"{SECTION}, beyond what is said there",
        statement=r"When the features are independent in the rows that weigh the nodes, "
        r"path-dependent, conditional and marginal Shapley values are the same; otherwise two "
        "trees of the same function can have different path-dependent values on the same data.",
        gather=gather_independent,
        check=check_independent,
        also=((gather_drawing, check_drawing),),
        source="this project",
    ),
    claim(
        id="ccll23-49a",
        title="Path-dependent TreeSHAP: cohorts, similarity and cost",
        heading="Trees",
        topic="identities",
        where="Section 5.2.3, paragraph on Path-dependent TreeSHAP; Table 1, row Path-dependent "
        "TreeSHAP, columns Removal approach and Removal variant",
        words="can be viewed as an application of Shapley cohort refinement ... where the cohort "
        "is defined by the preceding nodes in the tree model ... time, where L is the number of "
        "leaves and H is the depth of the tree ... Path-dependent TreeSHAP [16] Tree "
        "Conditional Empirical*",
        statement="Path-dependent TreeSHAP can be viewed as an application of cohort refinement, "
        "with cohorts of training rows that are defined by the preceding nodes of the tree. "
        "Path-dependent values are found in $O(LH^2)$ time, $L$ leaves and depth $H$. "
        "Path-dependent TreeSHAP estimates conditional Shapley values empirically, with a "
        "similarity metric.",
        hedges="“can be viewed as”; by the caption of the table, “these empirical estimates also "
        "involve defining a similarity metric”.",
        gather=gather_cohort,
        check=check_cohort,
        also=(
            (gather_path_dependent, check_path_dependent),
            (gather_evaluated, check_tree),
        ),
        matters="Path-dependent values cannot be interpreted as averages of the model over a "
        "single set of rows. Time in proportion to leaves times depth suffices, which is faster "
        "for deep trees. There is no metric to choose and no way to bring it closer to the "
        "conditional values: the tree decides.",
    ),
)
