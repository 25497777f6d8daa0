"""Claim 11, in theory: the deviation inequality for any Z, and for SGD on any game."""

from math import log

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import tell
from shapaudit_audit.audit.numbers_in_words import show, show_power
from shapaudit_audit.audit.verdict import Verdict
from shapaudit_papers.theory.bounds import deviation_probability, deviation_threshold

from ...evidence.probability.deviation import gather_general, gather_one_step
from ..common import claim

WHERE = "Section 4.2, High-Probability bounds (HAL and arXiv); Section 8.2 (HAL)"
USE = (
    "In order to obtain high-probability bounds for projected stochastic gradient descent "
    "algorithm (SGD), we can use the deviation inequality"
)
INEQUALITY = r"$\mathbb E[Z]\le A\Rightarrow\mathbb P\bigl(Z\ge A(2+4a)\bigr)\le2e^{-a^2}$"


def check_general(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted by any law with P(Z >= A (2 + 4 a)) above 2 exp(-a^2), A its mean."""
    table = []
    for law in evidence["laws"]:
        mean = sum(p * z for p, z in law["outcomes"])
        level = deviation_threshold(mean, law["a"]) * (1 - 1e-12)
        tail = sum(p for p, z in law["outcomes"] if z >= level)
        table.append({"a": law["a"], "tail": tail, "bound": deviation_probability(law["a"])})
    broken = [row for row in table if row["tail"] > row["bound"]]
    return tell(
        "refuted" if broken else "supported",
        {
            "supported": f"It holds for all {len(table)} distributions tested.",
            "refuted": lambda: _told_two_points(broken[len(broken) // 2], evidence),
        },
        shown_by={"refuted": "prop:deviation"},
        numbers={"crossing": evidence["crossing"], "vacuous_below": evidence["vacuous"]},
        rows=table,
    )


def _told_two_points(worst, evidence):
    return (
        "Let $Z=A(2+4a)$ with probability $1/(2+4a)$, and 0 otherwise, so that its mean is $A$. "
        f"At $a={show(worst['a'])}$ the probability is {show(worst['tail'])}, whereas the bound "
        f"is {show(worst['bound'])}. Below $a={show(evidence['crossing'])}$ the inequality "
        "follows from Markov's inequality and is weaker; beyond, where it says more, this "
        f"distribution contradicts it. Below $a={show(evidence['vacuous'])}$ it is vacuous; "
        "beyond, $Z=0$ contradicts it at $A=0$."
    )


def check_one_step(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted when the enumerated law breaks the inequality at any of its own values."""
    outcomes = evidence["outcomes"]
    mean = sum(p * z for p, z in outcomes)
    table = []
    for value in sorted({z for _, z in outcomes}):
        if value > 2 * mean:
            a = (value / mean - 2) / 4
            tail = sum(p for p, z in outcomes if z >= value)
            # 2 exp(-a^2) underflows for large a; its logarithm does not.
            table.append({"a": a, "z": value, "tail": tail, "log_bound": log(2) - a * a})
    broken = [row for row in table if log(row["tail"]) > row["log_bound"]]
    worst = max(broken, key=lambda row: log(row["tail"]) - row["log_bound"], default={})
    return tell(
        "refuted" if broken else "supported",
        {
            "supported": f"It holds for the distribution of $Z$ on {len(outcomes)} outcomes.",
            "refuted": lambda: _told_one_step(worst, evidence["players"], mean),
        },
        numbers={"players": evidence["players"], "mean_z": mean}
        | {f"worst_{key}": value for key, value in worst.items()},
        sample={"outcomes": len(outcomes)},
        rows=broken or table or [{"mean_z": mean}],
    )


def _told_one_step(worst, players, mean):
    return (
        f"Consider the game of {players} players that pays 1 to one coalition of half of them and "
        rf"0 to all others. After one step $\mathbb E[Z]$ is {show(mean)}, but $Z$ is "
        rf"{show(worst['z'])} with probability {show(worst['tail'])}. With $A=\mathbb E[Z]$ this "
        f"corresponds to $a={show(worst['a'])}$, for which the bound is "
        f"{show_power(worst['log_bound'] / log(10))}. A game whose values concentrate on few "
        "coalitions gives $Z$ the two-point distribution."
    )


CLAIMS = (
    claim(
        id="gt20-11a",
        title="Deviation inequality for any Z",
        heading="Bounds in probability",
        topic="probability",
        where=WHERE,
        words="we can use ... the deviation inequality: for all a, A >= 0, E[Z] <= A => P(Z >= "
        "A(2 + 4a)) <= 2e^(-a^2)",
        statement=rf"{INEQUALITY} for all $a,A\ge0$ and a random variable $Z$, here $Z\ge0$.",
        hedges="“with Z being a random variable” is said of Markov's inequality, just before. "
        "Credited to three sources; the conditions under which these prove such tails are omitted.",
        matters="Deviation inequalities of this kind require a hypothesis on the tail of $Z$ in "
        "addition to its mean. Without one, only Markov's inequality remains, from which the "
        "other printed bounds follow.",
        gather=gather_general,
        check=check_general,
        lacks="a light tail",
        falls="hypothesis",
    ),
    claim(
        id="gt20-11b",
        title="Deviation inequality for the error of SGD on any game",
        heading="Bounds in probability",
        topic="probability",
        where="left out by the paper, whose Section 4.2 takes the inequality for the error of SGD "
        "with the bounds on its mean for A",
        statement=rf"{INEQUALITY} for $A=\mathbb E[Z]$ and $Z=\|\bar\phi_T-\phi^*\|^2$, for any "
        r"game and any $T$.",
        source="this project",
        matters="The inequality cannot be applied to an arbitrary game: a few coalitions of large "
        "value suffice to violate it.",
        gather=gather_one_step,
        check=check_one_step,
        falls="hypothesis",
    ),
)
