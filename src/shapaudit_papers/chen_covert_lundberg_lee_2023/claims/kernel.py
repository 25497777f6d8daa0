"""Claim 10: the bias of KernelSHAP, by enumeration of its samples."""

from itertools import pairwise

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import tell
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.verdict import Verdict

from ..evidence.kernel import gather_bias, gather_limit
from ..evidence.kernel_draws import gather_unbiased
from .common import claim
from .kernel_draws import check_unbiased


def check_bias(evidence: Evidence, alpha: float) -> Verdict:
    """Loosely true if the bias of the original version decreases; refuted if it does not."""
    rows = evidence["rows"]
    biased = [row for row in rows if not row["unbiased"]]
    stays = any(row["squared_bias"] > 0 for row in _not_falling(rows))
    return tell(
        "refuted" if stays else "proved",
        {
            "proved": lambda: (
                _told_biased(rows, biased)
                if biased
                else "All expectations equal the Shapley values."
            ),
            "refuted": "The bias of the original version does not decrease with the number of "
            "draws.",
        },
        "loosely" if biased and not stays else None,
        shown_by={"proved": "prop:chen-kernel"},
        numbers={"biased": len(biased), "cases": len(rows)},
        rows=rows,
    )


def _not_falling(rows: list[Evidence]) -> list[Evidence]:
    """Return the rows of a game whose squared bias is not below that of fewer draws."""
    return [
        later
        for earlier, later in pairwise(rows)
        if earlier["game"] == later["game"] and later["squared_bias"] >= earlier["squared_bias"]
    ]


def _told_biased(rows: list[Evidence], biased: list[Evidence]) -> str:
    least = min(row["players"] for row in biased)
    only = all(row["from_repeated_draws_only"] for row in rows if row["players"] == 3)
    source = (
        "At $d=3$ it comes only from samples that draw the same pair of complements throughout, "
        "and decreases by the factor 3 with every draw; from $d=4$ onwards it is of order $1/m$. "
    )
    return (
        "In rational arithmetic over all samples, the bias of the original version is not zero in "
        f"{len(biased)} of {len(rows)} cases, from $d={least}$ onwards. "
        f"{source if only else ''}The mark is correct for its limit and for the other version, as "
        "the caption says."
    )


def check_limit(evidence: Evidence, alpha: float) -> Verdict:
    """Proved if m times the bias comes at least twice as close to its limit."""
    rows, last = evidence["rows"], evidence["rows"][-1]
    by_game: dict[str, list[float]] = {}
    for row in rows:
        by_game.setdefault(row["game"], []).append(row["distance"])
    apart = any(distances[-1] > distances[0] / 2 for distances in by_game.values())
    return tell(
        "refuted" if apart else "proved",
        {
            "refuted": "$m$ times the bias has a different limit.",
            "proved": "$m$ times the bias tends to a limit in closed form, which is not zero in "
            f"general. At $m={last['draws']}$ draws the exact values are "
            f"{show(last['scaled_bias'])} and {show(last['limit'])} in norm.",
        },
        shown_by={"proved": "prop:chen-kernel"},
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
        where="Table 1, row KernelSHAP, column Bias-free, and caption; Figure 5, caption; "
        "Section 5.2.1, paragraph on KernelSHAP",
        words="KernelSHAP, Bias-free: Yes ... the original version is asymptotically unbiased "
        "... KernelSHAP is consistent and asymptotically unbiased ... One version of "
        "KernelSHAP has been proven to be bias-free",
        statement="KernelSHAP is marked as bias-free: one version has been proven to be so, "
        "and the original version is consistent and asymptotically unbiased.",
        hedges="The caption states which version the mark refers to. A footnote says that the "
        "proof concerns a global version and “holds for the original version as well”. The "
        "proof is by Covert and Lee 2021 (Sections 3.3 and 4.2), with single draws and with "
        "pairs.",
        gather=gather_bias,
        check=check_bias,
        also=(
            (gather_limit, check_limit),
            (gather_unbiased, check_unbiased),
        ),
        falls="wrong",
        matters="The version in general use has a bias of the order of one over the number of "
        "draws.",
    ),
)
