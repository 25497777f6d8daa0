"""Claim 11b: the law of the error of SGD after one step, by enumeration."""

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
    rare = worst_of(evidence["rare"]["outcomes"])
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
    told = [_told_rare(rare, evidence["rare"]["players"])] if rare else []
    if broken:
        told.append(_told_worst(worst, numbers, f"{len(broken)} of {len(laws)} distributions"))
    return tell(
        "refuted" if told else "inconclusive",
        {
            "inconclusive": "It holds for the distribution of $Z$ after one step in all "
            f"{len(laws)} cases. Later steps are too many to enumerate; GT 11d simulates them.",
            "refuted": " ".join(told),
        },
        numbers=numbers,
        sample={
            "explicands": len({(law["game"], law["explicand"]) for law in laws}),
            "laws": len(laws),
        },
        rows=_rows(laws),
    )


def worst_of(outcomes: list[tuple[float, float]]) -> Evidence:
    """Return where a law of probabilities and values breaks the inequality most; empty if nowhere.

    A is its mean.
    """
    mean = sum(p * z for p, z in outcomes)
    table = []
    for value in sorted({z for _, z in outcomes}):
        if value > 2 * mean:
            a = (value / mean - 2) / 4
            tail = sum(p for p, z in outcomes if z >= value)
            # 2 exp(-a^2) underflows for large a; its logarithm does not.
            table.append({"a": a, "z": value, "tail": tail, "log_bound": log(2) - a * a})
    broken = [row | {"mean": mean} for row in table if log(row["tail"]) > row["log_bound"]]
    return max(broken, key=lambda row: log(row["tail"]) - row["log_bound"], default={})


def _told_rare(worst: Evidence, players: int) -> str:
    return (
        f"Consider the game of {players} players that pays 1 to one coalition of half of them and "
        rf"0 to all others. After one step $\mathbb E[Z]$ is {show(worst['mean'])}, but $Z$ is "
        rf"{show(worst['z'])} with probability {show(worst['tail'])}. With $A=\mathbb E[Z]$ this "
        f"corresponds to $a={show(worst['a'])}$, for which the bound is "
        f"{show_power(worst['log_bound'] / log(10))}."
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
        id="gt20-11b",
        title="Deviation inequality for the error of SGD",
        heading="Bounds in probability",
        topic="probability",
        where="left out by the paper, whose Section 4.2 takes the inequality for the error of SGD "
        "with the bounds on its mean for A, and has no game in mind",
        source="this project",
        statement=rf"{INEQUALITY} for $A=\mathbb E[Z]$, $Z=\|\bar\phi_T-\phi^*\|^2$, the three "
        r"step sizes, any game and every $T$.",
        matters="The inequality cannot be applied to an arbitrary game: a few coalitions of large "
        "value suffice to violate it, as they do for models of ordinary data after a step.",
        gather=gather_laws,
        check=check_laws,
        falls="hypothesis",
    ),
)
