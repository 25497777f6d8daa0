"""Claim 11 on the study's games: the law of the error after one step, by enumeration."""

from collections.abc import Mapping
from math import log

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import tell
from shapaudit_audit.audit.numbers_in_words import show, show_power
from shapaudit_audit.audit.verdict import Verdict
from shapaudit_papers.theory.deviation_law import excess, level

from ...evidence.probability.deviation_law import gather_laws
from ..common import claim, grouped, required
from .deviation import INEQUALITY


def _rows(laws):
    return [
        {
            "game": game,
            "rule": rule,
            "explicands": len(members),
            "explicands_violating": sum(law["excess"] > 0 for law in members),
            "largest_z_over_mean": max(law["z"] / law["mean"] for law in members),
        }
        for (game, rule), members in grouped(laws, "game", "rule").items()
    ]


def check_laws(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted by any law whose tail exceeds the bound, A its mean; one step proves no more."""
    laws = [law | {"excess": excess(law)} for law in required(evidence["laws"])]
    broken = [law for law in laws if law["excess"] > 0]
    worst = max(broken, key=lambda law: law["excess"]) if broken else {}
    numbers: dict[str, float] = {"laws": len(laws), "violations": len(broken)}
    if worst:
        numbers |= {
            "worst_z_over_mean": worst["z"] / worst["mean"],
            "worst_tail": worst["tail"],
            "worst_log_bound": log(2) - level(worst) * level(worst),
        }
    return tell(
        "refuted" if broken else "inconclusive",
        {
            "inconclusive": "It holds for the distribution of $Z$ after one step in all "
            f"{len(laws)} cases. Later steps are too many to enumerate; GT 11d simulates them.",
            "refuted": lambda: _told_worst(
                worst, numbers, f"{len(broken)} of {len(laws)} distributions"
            ),
        },
        numbers=numbers,
        sample={
            "explicands": len({(law["game"], law["explicand"]) for law in laws}),
            "laws": len(laws),
        },
        rows=_rows(laws),
    )


def _told_worst(worst: Evidence, numbers: Mapping[str, float], failing: str) -> str:
    return (
        f"By enumeration of all first draws, on {worst['game']}, explicand {worst['explicand']}, "
        f"{worst['rule']} step, $Z$ after one step is at least "
        f"{show(numbers['worst_z_over_mean'])} times its mean with probability "
        f"{show(worst['tail'])}, whereas the bound, at $a$ = {show(level(worst))}, is "
        f"{show_power(numbers['worst_log_bound'] / log(10))}. The inequality fails for "
        f"{failing}. It requires a light tail, which rare coalitions of large value prevent."
    )


CLAIMS = (
    claim(
        id="gt20-11c",
        title="Deviation inequality for the error of SGD on the games of the study",
        heading="Bounds in probability",
        topic="probability",
        where="left out by the paper, whose Section 4.2 has no game in mind",
        source="this project",
        statement=rf"{INEQUALITY} for $A=\mathbb E[Z]$, $Z=\|\bar\phi_T-\phi^*\|^2$, the three "
        r"step sizes and every $T$, on the games of the study.",
        matters="Even models of ordinary data violate the inequality after a few steps; only "
        "Markov's inequality holds in general.",
        gather=gather_laws,
        check=check_laws,
        falls="hypothesis",
    ),
)
