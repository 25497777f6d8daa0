"""Claim 10: the bias of KernelSHAP, by enumeration of its samples."""

from shapaudit.audit.evidence import Evidence
from shapaudit.audit.exact import show
from shapaudit.audit.judges import tell
from shapaudit.audit.verdict import Verdict

from ..evidence.kernel import gather_bias, gather_limit
from .common import AGNOSTIC, TABLE_1, claim


def check_bias(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted by an expectation that is not the vector of Shapley values."""
    rows = evidence["rows"]
    biased = [row for row in rows if not row["unbiased"]]
    return tell(
        "refuted" if biased else "proved",
        {
            "proved": "All expectations are the Shapley values.",
            "refuted": lambda: _told_biased(rows, biased),
        },
        evidence={"refuted": "prop:chen-kernel"},
        numbers={"biased": len(biased), "cases": len(rows)},
        rows=rows,
    )


def _told_biased(rows: list[Evidence], biased: list[Evidence]) -> str:
    least = min(row["players"] for row in biased)
    only = all(row["from_repeated_draws_only"] for row in rows if row["players"] == 3)
    source = (
        "At d = 3 it comes only from samples that draw one pair of complements throughout, and "
        "falls by the factor 3 with every draw; from d = 4 on it is of order 1/m. "
    )
    return (
        f"In rational arithmetic over all samples the bias is not zero in {len(biased)} of "
        f"{len(rows)} cases, from d = {least} on. {source if only else ''}The mark is right of the "
        "limit and of the other version, as the caption has it."
    )


def check_limit(evidence: Evidence, alpha: float) -> Verdict:
    """Proved when m times the bias comes at least twice as close to its limit."""
    rows, last = evidence["rows"], evidence["rows"][-1]
    by_game = {}
    for row in rows:
        by_game.setdefault(row["game"], []).append(row["distance"])
    apart = any(distances[-1] > distances[0] / 2 for distances in by_game.values())
    return tell(
        "refuted" if apart else "proved",
        {
            "refuted": "m times the bias has another limit.",
            "proved": "m times the bias tends to a limit in closed form, which is not zero in "
            f"general. At m = {last['draws']} draws the exact values are "
            f"{show(last['scaled_bias'])} and {show(last['limit'])} in norm.",
        },
        evidence={"proved": "prop:chen-kernel"},
        numbers={} if apart else {"draws": last["draws"]},
        sample={"games": len(by_game)},
        rows=rows,
    )


CLAIMS = (
    claim(
        id="ccll23-10a",
        title="KernelSHAP among the bias-free methods",
        heading="Least squares on samples",
        topic="convergence",
        where="Table 1, row KernelSHAP, column Bias-free, and caption; Figure 5, caption",
        words="KernelSHAP, Bias-free: Yes ... the original version is asymptotically unbiased",
        statement=r"KernelSHAP is bias-free: one version has been proven to be so, and the "
        r"original version is asymptotically unbiased. (Here: the mark Yes, taken exactly and of "
        r"the original version.)",
        gather=gather_bias,
        check=check_bias,
        falls="slip",
    ),
    claim(
        id="ccll23-10b",
        title="KernelSHAP is asymptotically unbiased",
        heading="Least squares on samples",
        topic="convergence",
        where=f"{AGNOSTIC}, paragraph on KernelSHAP; {TABLE_1}",
        words="KernelSHAP is consistent and asymptotically unbiased",
        statement=r"KernelSHAP is consistent and asymptotically unbiased; made quantitative, "
        r"$m\,\mathbb E[\hat\phi-\phi]$ tends to $-\frac1{c^2}\mathbb E\bigl[\|a\|^2ar\bigr]$.",
        gather=gather_limit,
        check=check_limit,
    ),
)
