"""Claim 52: DASP beside DeepLIFT, and beside an estimator that does not look into the network."""

from collections.abc import Sequence

import numpy as np

from shapaudit.statistics.simultaneous import Group
from shapaudit.statistics.typical import typical_limits
from shapaudit_audit.audit.comparisons import count_words, limits_of, span
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import by_own_limits
from shapaudit_audit.audit.verdict import Verdict

from ..evidence.network_biases import DASP, KERNEL, PASSES, PLAYERS, gather_errors
from .common import claim


def compare(evidence: Evidence, rivals: Sequence[str], alpha: float) -> list[Evidence]:
    """Return rows with the typical error of DASP over a rival's, by group of networks.

    The limits hold for all rows together.
    """
    methods, errors = evidence["methods"], evidence["errors"]
    exponents = np.zeros((len(rivals), len(methods)))
    exponents[:, methods.index(DASP)] = 1
    for row, rival in zip(exponents, rivals, strict=True):
        row[methods.index(rival)] -= 1
    limits = typical_limits([Group(units, exponents) for units in errors.values()], alpha)
    return [
        {
            "networks": name,
            "count": len(units),
            "against": rival,
            "dasp": float(np.median(units[:, methods.index(DASP)])),
            "other": float(np.median(units[:, methods.index(rival)])),
            **limit.row(),
            "error": limit.word,
        }
        for (name, units), ratios in zip(errors.items(), limits, strict=True)
        for rival, limit in zip(rivals, ratios, strict=True)
    ]


def _verdict(rows: list[Evidence], decisive: list[Evidence], told: str, alpha: float) -> Verdict:
    """Return the verdict by the limits of all rows together; a network is the unit."""
    counts = count_words(rows, ("larger", "smaller"))
    networks = sum({row["networks"]: row["count"] for row in rows}.values())
    return Verdict(
        by_own_limits(decisive),
        f"On {networks} networks of {PLAYERS} features, random with one to three hidden layers "
        "and trained with two, the error of DASP on a typical network is "
        f"{span(row['dasp'] for row in rows)} of the values. {told} Of {len(rows)} ratios "
        f"{counts['smaller']} are significantly below 1 and {counts['larger']} above.",
        numbers={
            "least_ratio": min(row["ratio"] for row in rows),
            "largest_ratio": max(row["ratio"] for row in rows),
            **counts,
        },
        limits=limits_of(rows, lambda row: f"{row['networks']}, over {row['against']}", alpha),
        sample={"networks": networks, "ratios": len(rows)},
        rows=tuple(rows),
    )


def check_deeplift(evidence: Evidence, alpha: float) -> Verdict:
    """Supported if DASP errs less than both rules of DeepLIFT on every kind of network."""
    rivals = [method for method in evidence["methods"] if method not in (DASP, KERNEL)]
    rows = compare(evidence, rivals, alpha)
    told = f"It is {span(row['ratio'] for row in rows)} times that of DeepLIFT by either rule."
    return _verdict(rows, rows, told, alpha)


def check_kernel(evidence: Evidence, alpha: float) -> Verdict:
    """Supported if DASP errs less than paired KernelSHAP on networks of one hidden layer."""
    rows = compare(evidence, [KERNEL], alpha)
    shallow, deeper = rows[:1], rows[1:]
    told = (
        f"It is {span(row['ratio'] for row in shallow)} times that of paired KernelSHAP after "
        f"{PASSES} evaluations with one hidden layer, and "
        f"{span(row['ratio'] for row in deeper)} times with more."
    )
    return _verdict(rows, shallow, told, alpha)


SECTION = "Section 5.2.3, paragraph on DASP"

CLAIMS = (
    claim(
        id="ccll23-52a",
        title="DASP beside DeepLIFT",
        heading="Networks",
        topic="orderings",
        where=SECTION,
        words="Based on an empirical study, DASP produces baseline Shapley values estimates with "
        "lower bias than DeepLIFT",
        statement=r"The estimates of DASP have lower bias than those of DeepLIFT.",
        hedges="“Based on an empirical study”, of another paper. Both are deterministic here, so "
        "that bias is error.",
        matters="Among the explainers that read the network, DASP is preferable where its cost is "
        "acceptable.",
        gather=gather_errors,
        check=check_deeplift,
        statistical=True,
    ),
    claim(
        id="ccll23-52b",
        title="DASP beside KernelSHAP at equal cost",
        heading="Networks",
        topic="orderings",
        where=f"{SECTION}, beyond what is said there",
        statement="With one hidden layer, DASP has a smaller error than paired KernelSHAP with "
        "the same number of passes through the network.",
        matters="With more than one hidden layer, DASP and an estimator that treats the network as "
        "a black box could not be distinguished at the same cost.",
        gather=gather_errors,
        check=check_kernel,
        source="this project",
        statistical=True,
    ),
)
