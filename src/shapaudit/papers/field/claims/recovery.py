"""Claim 6: how many evaluations it takes to be exact on additive games."""

from fractions import Fraction

from shapaudit.audit.base import Verdict
from shapaudit.audit.evidence import Evidence
from shapaudit.audit.exact import show
from shapaudit.audit.judges.identity import against, first_mismatch
from shapaudit.statistics.limits import Limit, clopper_pearson

from ..evidence.recovery import gather_ranks, gather_walk
from .common import claim


def check_walk(evidence: Evidence, alpha: float) -> Verdict:
    """Proved when a single walk returns the weights of every additive game."""
    sample = {"values": len(evidence["cases"])}
    if wrong := first_mismatch(evidence["cases"]):
        text = f"{wrong.label}: {wrong.left}, not {wrong.right}."
        return against(wrong, text, sample=sample)
    return Verdict(
        "proved",
        "In an additive game a player contributes its weight to whatever coalition, so one walk of "
        f"d + 1 evaluations is exact; so it is, to the last bit, for {sample['values']} integer "
        "weights.",
        sample=sample,
        evidence="prop:recovery",
    )


def check_ranks(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted if d pairs fail with positive probability, by listing all samples."""
    exact, counts = evidence["exact"], evidence["counts"]
    rows = [
        {"players": d, "pairs": d, "trials": "all", "probability": float(p), "low": p, "high": p}
        for d, p in exact.items()
    ]
    limits = [
        clopper_pearson(
            f"d = {c['players']}, {c['pairs']} pairs", c["full"], c["trials"], alpha / len(counts)
        )
        for c in counts
    ]
    rows += [
        {"players": c["players"], "pairs": c["pairs"], "trials": c["trials"]}
        | {"probability": one.estimate, "low": one.low, "high": one.high}
        for c, one in zip(counts, limits, strict=True)
    ]
    details = {
        "numbers": {f"probability_{d}": p for d, p in exact.items()},
        "limits": tuple(limits),
        "sample": {"trials": counts[0]["trials"]} if counts else {},
        "rows": tuple(rows),
    }
    if all(p == 1 for p in exact.values()):
        return Verdict("supported", "All samples of d pairs have full rank.", **details)
    listed = ", ".join(f"{p} for d = {d}" for d, p in exact.items())
    sampled = "; ".join(_sentence(one) for one in _at(limits, counts, Fraction(1)))
    more = "; ".join(_sentence(one) for one in _at(limits, counts, Fraction(2)))
    return Verdict(
        "refuted",
        f"The sample must span d - 1 directions, and d pairs do so with probability {listed}"
        + (f"; by sampling, {sampled}; {more}" if limits else "")
        + ". A complement adds no direction: without pairs the same number of draws, at half the "
        "evaluations, is as good on additive games.",
        **details,
    )


def _at(limits, counts, share):
    return [
        one
        for one, c in zip(limits, counts, strict=True)
        if c["pairs"] == int(share * c["players"])
    ]


def _sentence(limit: Limit) -> str:
    return f"{show(limit.estimate)} for {limit.name}"


CLAIMS = (
    claim(
        id="field26-06a",
        title="One walk recovers an additive game",
        heading="Additive games",
        topic="convergence",
        where="as usually stated",
        statement=r"A permutation method is exact on additive games after one walk.",
        gather=gather_walk,
        check=check_walk,
    ),
    claim(
        id="field26-06b",
        title="A kernel method recovers an additive game from d pairs",
        heading="Additive games",
        topic="convergence",
        where="as usually stated",
        statement=r"KernelSHAP is exact on additive games after $d$ pairs of complements.",
        gather=gather_ranks,
        check=check_ranks,
        stands="sample",
        falls="hypothesis",
    ),
)
