"""Claims 16c and 18f: what carries over from single draws to permutations, and what is gained."""

from fractions import Fraction

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import tell
from shapaudit_audit.audit.judges.identity import against, first_mismatch, told
from shapaudit_audit.audit.verdict import Verdict

from ...evidence.algorithms.walk import gather_walk
from ..common import BOTH, claim


def check_law(evidence: Evidence, alpha: float) -> Verdict:
    """Proved if a contribution has the same law along a permutation as in a single draw."""
    cases = evidence["cases"]
    if wrong := first_mismatch(cases):
        return against(wrong, told(wrong))
    return Verdict(
        "proved",
        "For each player the contributions along independent permutations are independent and "
        "have the distribution of single draws, so that whatever is proved for one player, or for "
        "all players by adding their risks, remains valid. The contributions of different players "
        "are dependent, which such bounds do not exclude. All permutations of "
        f"{evidence['games']} games with $d$ up to {evidence['max_dimension']} give the same "
        "probabilities exactly.",
        shown_by="prop:walk",
        sample={"games": evidence["games"], "probabilities": len(cases)},
    )


def check_gain(evidence: Evidence, alpha: float) -> Verdict:
    """Proved if laws agree and there are more permutations than draws at equal evaluations."""
    if wrong := first_mismatch(evidence["cases"]):
        return against(wrong, told(wrong))
    rows = [
        row | {"ratio": Fraction(row["draws"], row["permutations"])} for row in evidence["rows"]
    ]
    lost = [row for row in rows if row["ratio"] >= 1]
    last = rows[-1]
    return tell(
        "refuted" if lost else "proved",
        {
            "refuted": lambda: (
                f"This does not hold at {lost[0]['evaluations']} evaluations, "
                f"$d={lost[0]['players']}$."
            ),
            "proved": "For equal evaluations, more than $2d$, its mean squared error is below "
            "that of classical Monte Carlo on every game on which the latter is not 0, and tends "
            f"to half of it: the ratio is {last['ratio']} after {last['evaluations']} evaluations "
            f"at $d={last['players']}$. The gain is entirely due to the reuse of evaluations.",
        },
        shown_by={"proved": "prop:walk"},
        numbers={"ratio_at_the_end": float(last["ratio"])},
        rows=rows,
    )


CLAIMS = (
    claim(
        id="gt20-16c",
        title="Earlier bounds hold for the walk",
        heading="Algorithms and their cost",
        topic="probability",
        where=f"Section 3, below Algorithm 1; {BOTH}",
        words="the estimation error could be bounded with high probability regarding some "
        "assumptions. These results are still valid for the optimized version",
        statement=r"Bounds with high probability on the error of a Monte Carlo estimate of Shapley "
        r"values, from independent draws under some assumptions, are still valid for Algorithm 1.",
        hedges="“regarding some assumptions”, which are not repeated. Interpreted as bounds for "
        "one player and bounds for all players that add the risks.",
        gather=gather_walk,
        check=check_law,
    ),
    claim(
        id="gt20-18f",
        title="The walk outperforms classical Monte Carlo in mean square",
        heading="The experiments",
        topic="orderings",
        where="Abstract, last sentence; HAL version (arXiv alike)",
        words="these approaches outperform the classical Monte Carlo estimator",
        statement="The first approach, optimised Monte Carlo, has a smaller mean squared error "
        "than classical Monte Carlo at equal evaluations.",
        hedges="“We empirically show”. The measure is ours; the experiments are those of GT 18a.",
        gather=gather_walk,
        check=check_gain,
    ),
)
