"""Claim 6: how many evaluations it takes to be exact on additive games."""

from fractions import Fraction

from shapaudit.statistics.limits import Limit, clopper_pearson
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import tell
from shapaudit_audit.audit.judges.identity import against, first_mismatch, told
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.paper import OURS
from shapaudit_audit.audit.verdict import Verdict

from ..evidence.recovery import gather_ranks
from .common import claim


def check_ranks(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted if d pairs fail with positive probability, and one walk is exact, in every sample."""
    exact, counts, walks = evidence["exact"], evidence["counts"], evidence["walks"]
    if wrong := first_mismatch(walks):
        return against(wrong, f"One walk is not exact. {told(wrong)}", "inconclusive")
    limits = [
        clopper_pearson(
            f"d = {c['players']}, {c['pairs']} pairs", c["full"], c["trials"], alpha / len(counts)
        )
        for c in counts
    ]
    trials = {"trials": counts[0]["trials"]} if counts else {}
    return tell(
        "supported" if all(p == 1 for p in exact.values()) else "refuted",
        {
            "supported": "All samples of $d$ pairs have full rank.",
            "refuted": lambda: _told_probabilities(exact, counts, limits),
        },
        numbers={f"probability_{d}": p for d, p in exact.items()},
        limits=limits,
        sample={"values_of_walks": len(walks)} | trials,
        rows=_rows(exact, counts, limits),
    )


def _rows(
    exact: dict[int, Fraction], counts: list[Evidence], limits: list[Limit]
) -> list[Evidence]:
    listed = [
        {"players": d, "pairs": d, "trials": "all", "probability": float(p), "low": p, "high": p}
        for d, p in exact.items()
    ]
    return listed + [
        {"players": c["players"], "pairs": c["pairs"], "trials": c["trials"]}
        | {"probability": limit.estimate, "low": limit.low, "high": limit.high}
        for c, limit in zip(counts, limits, strict=True)
    ]


def _told_probabilities(
    exact: dict[int, Fraction], counts: list[Evidence], limits: list[Limit]
) -> str:
    listed = ", ".join(f"{p} for d = {d}" for d, p in exact.items())
    sampled = [
        "; ".join(
            f"{show(limit.estimate)} for {limit.name}"
            for limit, c in zip(limits, counts, strict=True)
            if c["pairs"] == share * c["players"]
        )
        for share in (1, 2)
    ]
    return (
        f"The sample must span $d-1$ directions, and $d$ pairs do so with probability {listed}"
        + (f"; by sampling, {'; '.join(sampled)}" if limits else "")
        + ". A complement adds no direction: on additive games the same number of draws without "
        "pairs, at half the evaluations, is as good. One walk of $d+1$ evaluations is always "
        "exact, because a player contributes its weight to every coalition."
    )


CLAIMS = (
    claim(
        id="field26-06b",
        title="Evaluations to recover an additive game",
        heading="Additive games",
        topic="convergence",
        where="a known property of permutation sampling, and its counterpart for weighted least "
        "squares; no source prints them",
        statement=r"On additive games a permutation method is exact after one walk, and KernelSHAP "
        r"after $d$ pairs of complements.",
        gather=gather_ranks,
        check=check_ranks,
        source=OURS,
        falls="hypothesis",
        matters="On an additive game KernelSHAP needs about two pairs per player before it is "
        "exact, or coalitions whose indicator vectors span all directions.",
    ),
)
