"""Claims 16c and 18f: what carries over from single draws to permutations, and what is gained."""

from fractions import Fraction

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import tell
from shapaudit_audit.audit.judges.identity import against, first_mismatch, told
from shapaudit_audit.audit.verdict import Ruling, Verdict

from ...evidence.algorithms.walk import gather_gain
from ..common import claim

NEAR = Fraction(1, 100)  # of a half, within which the ratio at the end counts as that


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
    """Refuted, as a statement on rates, if the ratio of the errors tends to a positive constant.

    In the experiments, as a smaller error at equal evaluations, proved if laws agree and there are
    more permutations than draws.
    """
    if wrong := first_mismatch(evidence["cases"]):
        ruling = Ruling("refuted", told(wrong))
        return against(wrong, told(wrong), setting=ruling)
    rows = [
        row | {"ratio": Fraction(row["draws"], row["permutations"])} for row in evidence["rows"]
    ]
    lost = [row for row in rows if row["ratio"] >= 1]
    last = rows[-1]
    constant = abs(last["ratio"] - Fraction(1, 2)) < NEAR
    return tell(
        "refuted" if constant else "inconclusive",
        {
            "refuted": "Both mean squared errors are inversely proportional to the number of "
            f"evaluations: their ratio tends to a half, and is {last['ratio']} after "
            f"{last['evaluations']} evaluations at $d={last['players']}$. The gain is a factor, "
            f"and "
            "entirely due to the reuse of evaluations.",
            "inconclusive": f"The ratio of the errors is {last['ratio']} at the end.",
        },
        shown_by={"refuted": "prop:walk"},
        numbers={"ratio_at_the_end": float(last["ratio"])},
        rows=rows,
        setting=_smaller(lost),
    )


def _smaller(lost: list[Evidence]) -> Ruling:
    """Return whether the error is smaller at equal evaluations."""
    if lost:
        row = lost[0]
        return Ruling(
            "refuted",
            f"This does not hold at {row['evaluations']} evaluations, $d={row['players']}$.",
        )
    return Ruling(
        "proved",
        "For equal evaluations, more than $2d$, the mean squared error is below that of classical "
        "Monte Carlo on every game on which the latter is not 0.",
    )


CLAIMS = (
    claim(
        id="gt20-18f",
        title="The walk converges at a better rate",
        heading="The experiments",
        topic="rates",
        where="Abstract, last sentence; HAL version (arXiv alike)",
        words="these approaches outperform the classical Monte Carlo estimator in terms of "
        "convergence rate and number of prediction function calls",
        statement="The first approach, optimised Monte Carlo, outperforms classical Monte Carlo in "
        "terms of the rate of convergence and the number of evaluations.",
        hedges="“We empirically show”. Interpreted in the setting as a smaller mean squared error "
        "at "
        "equal evaluations, and in general as a faster rate; the gradients are in GT 18a.",
        setting="the numbers of evaluations of the experiments of Section 5",
        gather=gather_gain,
        check=check_gain,
        falls="slip",
        matters="At equal evaluations the error is smaller, by a factor of two in mean square; the "
        "rate is that of classical Monte Carlo.",
    ),
)
