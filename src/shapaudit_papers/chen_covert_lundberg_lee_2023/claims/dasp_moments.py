"""Claim 52: where the bias of DASP comes from, other baselines, other activations."""

from typing import Any

import numpy as np

from shapaudit.statistics.simultaneous import Group
from shapaudit.statistics.typical import typical_limits
from shapaudit_audit.audit.comparisons import limits_of, span
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import by_own_limits, tell
from shapaudit_audit.audit.judges.identity import against, first_mismatch
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.verdict import Verdict

from ..evidence.dasp_moments import gather_baselines, gather_causes, gather_moments
from .common import claim

VALUE_ROUNDING = 1e-9


def off_rows(evidence: Evidence) -> list[Evidence]:
    """Return the rows in which DASP differs from the Shapley value by more than rounding."""
    return [
        row for row in evidence["rows"] if abs(row["dasp"] - float(row["exact"])) > VALUE_ROUNDING
    ]


# First over second: by their places among the methods.
CONTRASTS = {"dependence over own moments": (2, 1), "dependence over DASP": (2, 0)}


def check_cause(evidence: Evidence, alpha: float) -> Verdict:
    """Supported if accounting for dependence reduces the error of DASP.

    The input of the second layer has its exact variance then; it is compared with exact moments of
    each unit that are taken as independent. Loosely so if DASP is biased without inputs from an
    earlier layer as well, so that dependence is not the only cause.
    """
    off = off_rows(evidence)
    exponents = np.zeros((len(CONTRASTS), len(evidence["methods"])))
    for row, (over, under) in zip(exponents, CONTRASTS.values(), strict=True):
        row[over], row[under] = 1, -1
    groups = [Group(units, exponents) for units in evidence["errors"].values()]
    rows = [
        {"networks": name, "count": len(units), "contrast": contrast, **limit.row()}
        for (name, units), ratios in zip(
            evidence["errors"].items(), typical_limits(groups, alpha), strict=True
        )
        for contrast, limit in zip(CONTRASTS, ratios, strict=True)
    ]
    decisive, whole = ([row for row in rows if row["contrast"] == name] for name in CONTRASTS)
    status = by_own_limits(decisive)
    return Verdict(
        status,
        f"On {' and '.join(str(len(units)) for units in evidence['errors'].values())} networks, "
        "random and trained, exact moments that account for the dependence of the first layer's "
        f"units leave {span(row['ratio'] for row in decisive)} of the error of exact moments that "
        f"ignore it, on a typical network, and {span(row['ratio'] for row in whole)} of the error "
        f"of DASP. {_told_alone(evidence, off)}",
        "loosely" if status == "supported" and off else None,
        numbers={
            "off": len(off),
            "least": min(row["ratio"] for row in rows),
            "largest": max(row["ratio"] for row in rows),
        },
        limits=limits_of(rows, lambda row: f"{row['networks']}, {row['contrast']}", alpha),
        sample={"networks": sum(map(len, evidence["errors"].values()))},
        rows=tuple(rows),
    )


def _told_alone(evidence: Evidence, off: list[Evidence]) -> str:
    if not off:
        return "Without inputs from an earlier layer there is no bias."
    first = off[0]
    return (
        "With a single hidden unit no independence is assumed, and the mean and variance of its "
        f"input are exact. Nevertheless {len(off)} of {len(evidence['rows'])} values are biased, "
        "because sums over coalitions are not normal: for "
        rf"$\max(0,a+b+c-1)$ at {first['explicand']}, with zeros as the baseline, feature "
        f"{first['feature']} has the value {show(first['dasp'])} by DASP and {first['exact']} "
        "exactly."
    )


def check_baselines(evidence: Evidence, alpha: float) -> Verdict:
    """Proved when deep ShapNets stay efficient against any baseline, and DASP only shifts."""
    cases, off = evidence["cases"], evidence["dasp_off"]
    details: dict[str, Any] = {"numbers": {"dasp_off": off}, "sample": {"entries": len(cases)}}
    if wrong := first_mismatch(cases):
        return against(wrong, f"{wrong.label}: {wrong.left}, not {wrong.right}.", **details)
    return tell(
        "proved" if off <= VALUE_ROUNDING else "refuted",
        {
            "proved": "DASP with a baseline equals DASP with the baseline zero for the "
            "correspondingly shifted network. Deep ShapNets keep their sums with any baseline, "
            "and their values with the baseline zero, if the baseline passes through the stages "
            f"as a row does. This holds in {len(cases)} entries of random networks. Means over "
            "baselines estimate marginal values.",
            "refuted": f"DASP of the shifted network is off by {show(off)}.",
        },
        shown_by={"proved": "prop:chen-baselines"},
        rows=({"dasp_off": off},),
        **details,
    )


def check_moments(evidence: Evidence, alpha: float) -> Verdict:
    """Exact when the moments of all activations are matched."""
    rows = evidence["rows"]
    missed = [row["activation"] for row in rows if not row["within"]]
    return tell(
        "refuted" if missed else "exact",
        {
            "exact": "First and second moments can be matched for every activation of one number, "
            "by a closed form for ReLU, leaky ReLU and probit and by a sum of a few dozen terms "
            f"for logistic and tanh; both are within {show(evidence['close'])} of adaptive "
            "quadrature.",
            "refuted": f"The moments are wrong for {', '.join(missed)}.",
        },
        reach=f"{len(rows)} activations at {evidence['cases']} normal distributions",
        numbers={"activations": len(rows)},
        rows=rows,
    )


SECTION = "Section 5.2.3, paragraph on DASP"

CLAIMS = (
    claim(
        id="ccll23-52f",
        title="Moments in DASP",
        heading="Networks",
        topic="convergence",
        where="Section 5.2.3, paragraph on DASP; Table 1, row DASP, column Bias-free; Section "
        "5.2.3, paragraph on assumptions",
        words="it is biased because the moment propagation relies on an assumption of "
        "independent inputs that is violated at internal nodes ... DASP makes a strong "
        "assumption that we can perform first and second-order central moment matching for "
        "each layer",
        statement="DASP is biased because the moment propagation assumes inputs to be "
        "independent, which is violated at internal nodes. DASP assumes that first and second "
        "moments can be matched for each layer.",
        hedges="“strong assumption”; the original is said to have affine layers, ReLU and max "
        "pooling only.",
        gather=gather_causes,
        check=check_cause,
        also=((gather_moments, check_moments),),
        statistical=True,
        matters="Dependence accounts for part of the error with two hidden layers; networks "
        "with one hidden layer have a bias too. Moments can be matched for other activations "
        "of one number as well; for other kinds of layers this was not examined.",
    ),
    claim(
        id="ccll23-52h",
        title="Other baselines for DASP and deep ShapNets",
        heading="Networks",
        topic="identities",
        where="Section 5.2.3, paragraph on baselines of deep methods",
        words="it may be possible to adapt DASP and Deep ShapNets to use arbitrary baselines",
        statement=r"It may be possible to adapt DASP and deep ShapNets to arbitrary baselines, "
        r"and so to marginal Shapley values.",
        hedges="“may be possible”.",
        gather=gather_baselines,
        check=check_baselines,
        matters="Marginal values can be estimated by all deep methods, with the bias that each "
        "has.",
    ),
)
