"""Claim 14c and d: the accuracy of Dykstra's projection with the public cap and tolerance."""

import numpy as np

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import tell
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.verdict import Verdict

from ...evidence.algorithms.dykstra import CAP, TOLERANCE
from ...evidence.algorithms.dykstra_accuracy import gather_paths, gather_random
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
    """Supported if every error is within `ACCURATE` of D; refuted otherwise, with the causes."""
    groups = grouped(evidence["trials"], "group")
    rows = [_row(group, members) for (group,), members in groups.items()]
    sums = ("points", "ball_bites", "capped", "wrong", "wrong_before_cap")
    numbers = {key: sum(row[key] for row in rows) for key in sums}
    numbers["largest_error"] = max(row["largest_error"] for row in rows)
    worst = show(numbers["largest_error"])
    return tell(
        "refuted" if numbers["wrong"] else "supported",
        {
            "supported": f"At all {numbers['points']} points, for {numbers['ball_bites']} of "
            f"which the ball constraint is active, the error is at most {worst} $D$; the cap of "
            f"{CAP} passes is reached at {numbers['capped']}.",
            "refuted": f"At {numbers['wrong']} of {numbers['points']} points the error exceeds "
            f"{show(ACCURATE)} $D$ and is up to {worst} $D$. The cause is the cap of {CAP} "
            f"passes, except at {numbers['wrong_before_cap']} points where the moves had become "
            "small although the error had not. The factor by which a pass reduces the error tends "
            "to 1 as the distance from the ball grows; the closed form takes one pass.",
        },
        numbers=numbers,
        sample={"groups": len(rows), "cap": CAP, "tolerance": TOLERANCE},
        rows=rows,
    )


WHERE = "Section 4.1, Algorithm 2; cap and tolerance of the authors' public code"
STATEMENT = (
    r"With $L=100$ and equality relaxed to a move of at most $10^{-6}$, Algorithm 2 returns the "
    r"orthogonal projection onto $K$, to $10^{-3}D$,"
)

CLAIMS = (
    claim(
        id="gt20-14c",
        title="Accuracy of Algorithm 2 on the path of SGD",
        heading="Algorithms and their cost",
        topic="convergence",
        where=WHERE,
        statement=f"{STATEMENT} for the points that projected SGD meets on the games of the study.",
        matters="The closed form of the projection takes one pass and has no such errors; it "
        "should replace the iteration.",
        gather=gather_paths,
        check=check_accuracy,
        falls="hypothesis",
        source="this project",
    ),
    claim(
        id="gt20-14d",
        title="Accuracy of Algorithm 2 far from K",
        heading="Algorithms and their cost",
        topic="convergence",
        where=WHERE,
        statement=f"{STATEMENT} for any point.",
        matters="With a cap on its passes, the iteration is not a projection for points far from "
        "the ball; the closed form takes one pass.",
        gather=gather_random,
        check=check_accuracy,
        falls="hypothesis",
        source="this project",
    ),
)
