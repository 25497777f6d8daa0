"""Claim 9, continued: random q and random orders as estimators of all players together."""

from fractions import Fraction
from typing import Any

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import tell
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.verdict import Verdict

from ..evidence.orders import gather_joint
from .common import APPENDIX, claim


def check_joint(evidence: Evidence, alpha: float) -> Verdict:
    """Proved if laws and covariances agree; refuted if the marginal laws alone do."""
    rows, cases = evidence["rows"], evidence["cases"]
    different = sum(case.left != case.right for case in cases)
    normalised, told = _normalised(rows)
    details: dict[str, Any] = {
        "numbers": {"covariances": len(cases), "different": different} | normalised,
        "sample": {"games": len(rows)},
        "rows": [row | _at_equal_evaluations(row) for row in rows],
    }
    if not all(row["same_marginal_laws"] for row in rows):
        text = "Not even the contributions of one player have the same distribution."
        return Verdict("refuted", text, "wrong", **details)
    efficient = all(row["variance_of_sum_walk"] == 0 for row in rows)
    sums = (
        "The sum of the contributions of a walk has no variance; that of the contributions to a "
        "shared coalition has."
        if efficient
        else "Neither sum is constant."
    )
    return tell(
        "refuted" if different else "exact",
        {
            "exact": "All covariances agree.",
            "refuted": "For one player at a time they are equivalent, as the paper says, and their "
            f"variances are equal; {different} of {len(cases)} covariances differ. {sums} {told}",
        },
        shown_by={"refuted": "prop:chen-shared"},
        reach=f"{len(rows)} games",
        **details,
    )


def _at_equal_evaluations(row: Evidence) -> Evidence:
    """Variance of a normalised shared draw, and the same at the evaluations of a walk.

    A shared draw costs d + 1 evaluations and a walk d, apart from the end points.
    """
    d, left = row["players"], row["variance"] - row["variance_of_sum"] / row["players"]
    return {"normalised": left, "at_equal_evaluations": Fraction(d + 1, d) * left}


def _normalised(rows: list[Evidence]) -> tuple[dict[str, int | Fraction], str]:
    """Numbers and words on shared draws after normalisation, beside walks."""
    pairs = [(_at_equal_evaluations(row), row["variance_walk"]) for row in rows]
    worse = sum(left["normalised"] > walk for left, walk in pairs)
    better = sum(left["at_equal_evaluations"] < walk for left, walk in pairs)
    least = min(left["at_equal_evaluations"] / walk for left, walk in pairs if walk)
    numbers = {
        "worse_normalised": worse,
        "better_at_equal_evaluations": better,
        "smallest_ratio": least,
    }
    if worse:
        return numbers, f"Normalised shared draws have more variance in {worse} games."
    return numbers, (
        "Additive efficient normalisation reduces the variance of the shared draws by the "
        "variance of their sum divided by $d$, and does not change walks. A shared draw costs "
        "$d+1$ evaluations and a walk $d$, apart from the end points: at equal evaluations the "
        f"normalised draws are better in {better} of {len(rows)} random games, with a variance "
        f"down to {show(float(least))} of that of the walk."
    )


CLAIMS = (
    claim(
        id="ccll23-09b",
        title="Random q and random orders, all players together",
        heading="Random orders",
        topic="identities",
        where=f"{APPENDIX}, beyond what is said there of sampling subsets",
        statement="Contributions of all players to one coalition of random $q$ and along one "
        "random order have not only the same distribution player by player, but also the same "
        "covariances.",
        source="this project",
        matters="The two are equivalent for one player at a time; walks alone are efficient. "
        "Normalised, the shared draws have no more variance per draw than walks.",
        gather=gather_joint,
        check=check_joint,
        falls="hypothesis",
    ),
)
