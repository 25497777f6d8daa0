"""Claim 6: how many evaluations it takes to be exact on additive games."""

from fractions import Fraction

from shapaudit.statistics.limits import Limit, clopper_pearson
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import by_identity, tell
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.paper import OURS
from shapaudit_audit.audit.verdict import Verdict

from ..evidence.recovery import gather_ranks, gather_walk
from .common import claim


def check_walk(evidence: Evidence, alpha: float) -> Verdict:
    """Proved when a single walk returns the weights of every additive game."""
    cases = evidence["cases"]
    return by_identity(
        cases,
        "In an additive game a player contributes its weight to every coalition, so that one walk "
        f"of $d+1$ evaluations is exact; for {len(cases)} integer weights it is exact to the last "
        "bit.",
        sample={"values": len(cases)},
        shown_by="prop:recovery",
    )


def check_ranks(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted if d pairs fail with positive probability, by listing all samples."""
    exact, counts = evidence["exact"], evidence["counts"]
    limits = [
        clopper_pearson(
            f"d = {c['players']}, {c['pairs']} pairs", c["full"], c["trials"], alpha / len(counts)
        )
        for c in counts
    ]
    return tell(
        "supported" if all(p == 1 for p in exact.values()) else "refuted",
        {
            "supported": "All samples of $d$ pairs have full rank.",
            "refuted": lambda: _told_probabilities(exact, counts, limits),
        },
        numbers={f"probability_{d}": p for d, p in exact.items()},
        limits=limits,
        sample={"trials": counts[0]["trials"]} if counts else {},
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
        "pairs, at half the evaluations, is as good."
    )


CLAIMS = (
    claim(
        id="field26-06a",
        title="One walk recovers an additive game",
        heading="Additive games",
        topic="convergence",
        where="a known property of permutation sampling; no source is quoted for it",
        statement=r"A permutation method is exact on additive games after one walk.",
        gather=gather_walk,
        check=check_walk,
        source=OURS,
    ),
    claim(
        id="field26-06b",
        title="A kernel method recovers an additive game from d pairs",
        heading="Additive games",
        topic="convergence",
        where="the counterpart of F 6a for weighted least squares; no source prints it",
        statement=r"KernelSHAP is exact on additive games after $d$ pairs of complements.",
        gather=gather_ranks,
        check=check_ranks,
        source=OURS,
        falls="hypothesis",
        matters="On an additive game KernelSHAP needs about two pairs per player before it is "
        "exact, or coalitions whose indicator vectors span all directions.",
    ),
)
