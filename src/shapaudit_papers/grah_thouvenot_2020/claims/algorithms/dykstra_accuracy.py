"""Claim 14b: the accuracy of Dykstra's projection with the public cap and tolerance."""

import numpy as np

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import tell
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.verdict import Verdict

from ...evidence.algorithms.dykstra import CAP, TOLERANCE
from ...evidence.algorithms.dykstra_accuracy import gather_accuracy
from ..common import claim, grouped
from .dykstra import ACCURATE


def _row(group, members):
    biting = [trial["factor"] for trial in members if trial["bites"]]
    wrong = [trial for trial in members if trial["error"] > ACCURATE]
    return {
        "group": group,
        "points": len(members),
        "ball_bites": len(biting),
        "capped": sum(trial["capped"] for trial in members),
        "wrong": len(wrong),
        "wrong_before_cap": sum(not trial["capped"] for trial in wrong),
        "median_factor": float(np.median(biting)) if biting else 0.0,
        "largest_error": max(trial["error"] for trial in members),
    }


def check_accuracy(evidence: Evidence, alpha: float) -> Verdict:
    """Supported if every error is within `ACCURATE` of D, and the result in K; else refuted.

    The causes of the errors are counted.
    """
    groups = grouped(evidence["trials"], "group")
    rows = [_row(group, members) for (group,), members in groups.items()]
    sums = ("points", "ball_bites", "capped", "wrong", "wrong_before_cap")
    numbers = {key: sum(row[key] for row in rows) for key in sums}
    numbers["largest_error"] = max(row["largest_error"] for row in rows)
    empty = evidence["empty"]
    apart = max(empty["distance_to_ball"], empty["distance_to_hyperplane"])
    outside = _told_empty(empty, apart) if apart > TOLERANCE else ""
    worst = show(numbers["largest_error"])
    return tell(
        "refuted" if numbers["wrong"] or outside else "supported",
        {
            "supported": f"At all {numbers['points']} points, for {numbers['ball_bites']} of "
            f"which the ball constraint is active, the error is at most {worst} $D$; the cap of "
            f"{CAP} passes is reached at {numbers['capped']}.",
            "refuted": f"At {numbers['wrong']} of {numbers['points']} points the error exceeds "
            f"{show(ACCURATE)} $D$ and is up to {worst} $D$. The cause is the cap of {CAP} "
            f"passes, except at {numbers['wrong_before_cap']} points where the moves had become "
            "small although the error had not. The factor by which a pass reduces the error tends "
            f"to 1 as the distance from the ball grows; the closed form takes one pass.{outside}",
        },
        numbers=numbers,
        sample={"groups": len(rows), "cap": CAP, "tolerance": TOLERANCE},
        rows=rows,
    )


def _told_empty(empty, apart):
    example = empty["example"]
    return (
        rf" With $d={len(example['phi'])}$, $v(\mathcal M)$ = {show(example['total'])} and "
        f"$D={show(example['radius'])}$, no point in the ball sums to "
        r"$v(\mathcal M)$, and Algorithm 2 returns, without a warning, a point at distance "
        rf"{show(apart)} from the ball. The paper's condition $\|\phi^*\|\le D$ excludes this "
        r"case, but $\phi^*$ is unknown; checking that $|v(\mathcal M)|\le D\sqrt d$ costs nothing."
    )


CLAIMS = (
    claim(
        id="gt20-14b",
        title="Accuracy of Algorithm 2 as it is run",
        heading="Algorithms and their cost",
        topic="convergence",
        where="left out by the paper, whose Section 4.1 takes D to be at least the norm of phi*; "
        "cap "
        "and tolerance of the authors' public code",
        statement=r"With $L=100$ and equality relaxed to a move of at most $10^{-6}$, Algorithm 2 "
        r"returns the orthogonal projection onto $K$, to $10^{-3}D$, for the points that projected "
        r"SGD meets on the games of the study and for any other, and a point of $K$ for any "
        r"$v(\mathcal M)$ and $D$.",
        matters="The closed form of the projection takes one pass and has no such errors; it "
        "should replace the iteration, after a check that the ball intersects the hyperplane.",
        gather=gather_accuracy,
        check=check_accuracy,
        falls="hypothesis",
        source="this project",
    ),
)
