"""Claim 1: the limits of the algorithms as Q grows, and as M does."""

from itertools import pairwise

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import tell
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.verdict import Verdict

from ..evidence.convergence import GAPS, gather_fixed_draws, gather_limit
from .common import claim

RATE = 0.3  # of an error that falls like 1/Q, a four-fold Q leaves a quarter


def check_limit(evidence: Evidence, alpha: float) -> Verdict:
    """Proved if the bias falls like 1/Q; the variance has the number of draws as its divisor."""
    exact = evidence["rows"]
    largest = float(max(q * row[f"Q = {q}"] for row in exact for q in GAPS))
    stays = any(row[f"Q = {GAPS[-1]}"] > RATE * row[f"Q = {GAPS[-2]}"] for row in exact)
    return tell(
        "refuted" if stays else "proved",
        {
            "refuted": "The bias does not vanish.",
            "proved": "With player $j$'s own bit left out (O 2a), the bias decreases like $1/Q$; "
            f"on games with values in [0, 1] it is at most {show(largest)}$/Q$. The variance is at "
            "most a multiple of $1/(QM)$. So $Q$ has to grow, but $M$ need not.",
        },
        shown_by={"proved": "prop:okhrati-printed"},
        numbers={"largest_bias_times_q": largest},
        rows=[{key: float(cell) for key, cell in row.items()} for row in exact],
    )


def check_fixed_draws(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted if the error vanishes on every game although M is fixed."""
    rows, draws = evidence["rows"], evidence["draws"]
    falls = all(
        row[f"Q = {b}"] <= RATE * row[f"Q = {a}"] for row in rows for a, b in pairwise(GAPS)
    )
    worst = max(row[f"Q = {GAPS[-1]}"] / max(row[f"Q = {GAPS[0]}"], 1e-300) for row in rows)
    return tell(
        "refuted" if falls else "exact",
        {
            "exact": "Some error stays.",
            "refuted": f"With $M={draws}$ the estimates converge to the Shapley values as $Q$ "
            "grows: each level has its own draws, whose errors average out. On every game here, "
            f"at most {show(100 * worst)} per cent of the exact squared error at $Q={GAPS[0]}$ "
            f"remains at $Q={GAPS[-1]}$.",
        },
        shown_by={"refuted": "prop:okhrati-printed"},
        reach=f"Q up to {GAPS[-1]} on {len(rows)} games",
        numbers={"largest_share_left": worst, "draws": draws},
        rows=rows,
    )


CLAIMS = (
    claim(
        id="ol21-01a",
        title="Convergence as Q and M increase",
        heading="Convergence",
        topic="convergence",
        where="Proposition IV.1 and Theorem IV.1",
        words="converge to the true Shapley values as Q and M increase",
        statement=r"The estimators of Algorithms 1 and 2, with player $j$'s bit left out as in "
        r"Equation 3, converge to the true Shapley values as $Q$ and $M$ increase.",
        hedges="For integrable $e(q)$, “a technical assumption” that holds for every game with "
        "finitely many players. The appendix numbers the statements differently.",
        matters="The estimates converge in the implementation that leaves the player's own bit "
        "out, as the public code does.",
        gather=gather_limit,
        check=check_limit,
    ),
    claim(
        id="ol21-01b",
        title="Convergence with two draws per level",
        heading="Convergence",
        topic="convergence",
        where="Section V.C, paragraph Variance Analysis",
        words="only when both M and Q increase. By fixing M = 2, the algorithms converge to an "
        "estimation of the Shapley values",
        statement=r"The algorithms converge to the exact Shapley values only when both $M$ and $Q$ "
        r"increase; by fixing $M=2$, they converge to an estimation of the Shapley values.",
        hedges="Concluded from the two convergence statements, which say that both increase, and "
        "not that both have to increase.",
        matters="The authors' own runs, all with $M=2$, converge to the exact values; fixing $M$ "
        "does no harm.",
        gather=gather_fixed_draws,
        check=check_fixed_draws,
    ),
)
