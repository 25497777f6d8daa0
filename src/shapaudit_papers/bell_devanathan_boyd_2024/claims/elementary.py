"""Claim 19: how hard the Shapley values of elementary games are."""

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges.identity import against, first_mismatch, told
from shapaudit_audit.audit.verdict import Verdict

from ..evidence.elementary import gather_elementary
from .common import V2, claim


def check_elementary(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted if a formula of a few products gives the values of every such game."""
    cases = evidence["cases"]
    sample = {"values": len(cases)}
    if wrong := first_mismatch(cases):
        return against(wrong, told(wrong), "inconclusive", sample=sample)
    row: Evidence = {"case": cases[0].label, "left": cases[0].left, "right": cases[0].right}
    return Verdict(
        "refuted",
        "If the game pays 1 to a coalition of $t$ of $p$ players alone, a member has the value "
        "$(t-1)!(p-t)!/p!$ and another player $-t!(p-t-1)!/p!$, by counting orders; if it pays 1 "
        f"to all coalitions that contain it, $1/t$ and 0. All {len(cases)} values of such games "
        "agree with the definition.",
        sample=sample,
        rows=(row,),
    )


CLAIMS = (
    claim(
        id="bdb24-19a",
        title="Elementary games are hard",
        heading="Lifts and chains",
        topic="cost",
        where=f"Section 1.1, Cooperative game theory, last sentence; {V2}",
        words="#P-complete [DP94], as are elementary games, i.e., games whose value function is an "
        "indicator on a coalition [FK92]",
        statement=r"Computing the Shapley values of a game whose value function is the indicator "
        r"of a coalition is complete for the class $\#$P.",
        hedges="Credited to a source that was not read here; its title has “under precedence "
        "constraints”.",
        gather=gather_elementary,
        check=check_elementary,
        falls="hypothesis",
        lacks="precedence constraints between the players",
        matters="Without constraints on the order of the players, such games have values in closed "
        "form.",
    ),
)
