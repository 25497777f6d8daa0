"""Claims 1 and 7: the limits of the algorithms as Q or M grows, and their importance."""

from itertools import pairwise

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import tell
from shapaudit_audit.audit.judges.identity import against, first_mismatch
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.verdict import Verdict

from ..evidence.convergence import (
    GAPS,
    TOTAL,
    gather_fixed_draws,
    gather_limit,
    gather_more_draws,
    gather_shares,
)
from .common import claim

RATE = 0.3  # of an error that falls like 1/Q, a four-fold Q leaves a quarter
ERROR_ROUNDING = 1e-9  # relative


def check_limit(evidence: Evidence, alpha: float) -> Verdict:
    """Proved if the bias falls like 1/Q; the variance has the number of draws as its divisor."""
    exact = evidence["rows"]
    largest = float(max(q * row[f"Q = {q}"] for row in exact for q in GAPS))
    stays = any(row[f"Q = {GAPS[-1]}"] > RATE * row[f"Q = {GAPS[-2]}"] for row in exact)
    return tell(
        "refuted" if stays else "proved",
        {
            "refuted": "The bias does not vanish.",
            "proved": "As printed, line 5 draws the bit of player $j$ too (O 2e). Without it the "
            "bias decreases like $1/Q$, and on games with values in [0, 1] it is at most "
            f"{show(largest)}$/Q$. The variance is at most a multiple of $1/(QM)$. So $Q$ has to "
            "grow, but $M$ need not.",
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


def check_more_draws(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted if the closed form holds and its bias is not zero."""
    cases, worst = evidence["cases"], evidence["worst"]
    if wrong := first_mismatch(cases):
        return against(wrong, f"{wrong.label}: {wrong.left}.", "inconclusive")
    least = min(worst.values())
    return tell(
        "refuted" if least else "exact",
        {
            "exact": "There is no bias.",
            "refuted": "For fixed $Q$ the limit is the trapezoid rule plus $(e(0)+e(1))/(2Q)$, "
            f"for every $d$ and $Q$ checked, {len(cases)} weights in exact arithmetic. No number "
            "of draws removes this term.",
        },
        shown_by={"refuted": "prop:okhrati-printed"},
        numbers={"cases": len(cases), "smallest_worst_bias": float(least)},
        reach="the numbers of players and levels listed",
        rows=[
            {"Q": q} | {f"d = {d}": float(worst[d, q]) for d in (2, 3, 8) if (d, q) in worst}
            for q in sorted({q for _, q in worst})
        ],
    )


def check_shares(evidence: Evidence, alpha: float) -> Verdict:
    """Proved if more levels with fewer draws have no larger error on any game."""
    rows = evidence["rows"]
    columns = [key for key in rows[0] if key != "game"]
    gains = {row["game"]: row[columns[-1]] / row[columns[0]] for row in rows}
    odd = [r for r in rows if any(r[a] > r[b] * (1 + ERROR_ROUNDING) for a, b in pairwise(columns))]
    summary = (
        f"At $QM={TOTAL}$ the exact error grows with $M$ on {len(rows) - len(odd)} of {len(rows)} "
        f"games, up to {show(max(gains.values()))} times from {columns[0]} to {columns[-1]}"
    )
    listed = ", ".join(f"{r['game']} ({gains[r['game']]:.4f} times)" for r in odd[:3])
    return tell(
        "refuted" if odd else "exact",
        {
            "exact": f"{summary}.",
            "refuted": f"{summary}; it does not on {listed}. More levels reduce the bias, at first "
            "that of the two ends, $(e(0)+e(1))/(2Q)$. If there is no bias, they can increase the "
            "variance somewhat.",
        },
        numbers={"games": len(rows), "exceptions": len(odd), "largest_gain": max(gains.values())},
        rows=rows,
        reach=f"{len(rows)} games",
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
        stands="slip",
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
    claim(
        id="ol21-01c",
        title="More draws at fixed levels",
        heading="Convergence",
        topic="convergence",
        where="left open by Proposition IV.1; Algorithms 1 and 2",
        statement=r"For fixed $Q$ the estimators converge to the true Shapley values as $M$ grows.",
        source="this project",
        matters="Additional samples should be used for more levels: more draws at the same levels "
        "do not reduce the bias.",
        gather=gather_more_draws,
        check=check_more_draws,
        falls="hypothesis",
    ),
    claim(
        id="ol21-07",
        title="Levels matter more than draws",
        heading="Convergence",
        topic="convergence",
        where="Section IV.A, read as a statement on errors",
        statement="Of $Q$ and $M$, the parameter $Q$ plays a more significant role, because a "
        "larger $Q$ also adds draws whereas a larger $M$ adds no levels: at equal $QM$, more "
        "levels with fewer draws have no larger error.",
        source="this project",
        matters="One draw for each of many levels is the better choice on nearly all games.",
        gather=gather_shares,
        check=check_shares,
        falls="hypothesis",
    ),
)
