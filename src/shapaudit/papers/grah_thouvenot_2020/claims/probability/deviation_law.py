"""Claim 11 on the study's games: the law of the error after one step, by enumeration."""

from math import log

from shapaudit.audit.base import ClaimError, Verdict
from shapaudit.audit.evidence import Evidence
from shapaudit.audit.exact import show
from shapaudit.theory.deviation_law import excess, level

from ...evidence.probability.deviation_law import gather_laws
from ..common import claim
from .deviation import INEQUALITY, USE, WHERE


def check_laws(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted by any law whose tail exceeds the bound, A its mean; one step proves no more."""
    laws = evidence["laws"]
    if not laws:
        raise ClaimError("no game of the study has two different values.")
    judged = [one | {"excess": excess(one)} for one in laws]
    broken = [one for one in judged if one["excess"] > 0]
    groups = {}
    for one in judged:
        groups.setdefault((one["game"], one["rule"]), []).append(one)
    rows = tuple(
        {
            "game": game,
            "rule": rule,
            "pairs": len(members),
            "pairs_violating": sum(one["excess"] > 0 for one in members),
            "largest_z_over_mean": max(one["z"] / one["mean"] for one in members),
        }
        for (game, rule), members in groups.items()
    )
    numbers = {"laws": len(laws), "violations": len(broken)}
    sample = {"pairs": len({(one["game"], one["pair"]) for one in laws}), "laws": len(laws)}
    if not broken:
        return Verdict(
            "inconclusive",
            f"Holds for the law of Z after one step in all {len(laws)} cases. Later steps are too "
            "many to enumerate; claim 11d simulates them.",
            numbers=numbers,
            sample=sample,
            rows=rows,
        )
    worst = max(broken, key=lambda one: one["excess"])
    a = level(worst)
    return Verdict(
        "refuted",
        f"All first draws enumerated: on {worst['game']}, pair {worst['pair']}, {worst['rule']} "
        f"step, Z after one step is at least {show(worst['z'] / worst['mean'])} times its mean "
        f"with probability {show(worst['tail'])}, where the bound, at a = {show(a)}, is e to "
        f"the power {show(log(2) - a * a)}. So for {len(broken)} of {len(laws)} laws. The "
        "inequality needs a light tail, which rare coalitions of large value take away.",
        numbers={
            **numbers,
            "worst_z_over_mean": worst["z"] / worst["mean"],
            "worst_tail": worst["tail"],
            "worst_log_bound": log(2) - a * a,
        },
        sample=sample,
        rows=rows,
    )


CLAIMS = (
    claim(
        id="gt20-11c",
        title="Deviation inequality for the error of SGD on the games of the study",
        heading="Bounds in probability",
        topic="probability",
        where=WHERE,
        words=USE,
        statement=rf"{INEQUALITY} for $A=\mathbb E[Z]$, $Z=\|\bar\phi_T-\phi^*\|^2$, the three "
        r"step sizes and every $T$, on the games of the study.",
        gather=gather_laws,
        check=check_laws,
        falls="hypothesis",
    ),
)
