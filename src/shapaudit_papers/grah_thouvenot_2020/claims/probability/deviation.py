"""Claim 11a: the deviation inequality for any Z."""

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import tell
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.verdict import Verdict
from shapaudit_papers.theory.bounds import deviation_probability, deviation_threshold

from ...evidence.probability.deviation import gather_general
from ..common import claim

WHERE = "Section 4.2, High-Probability bounds (HAL and arXiv); Section 8.2 (HAL)"
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
)
