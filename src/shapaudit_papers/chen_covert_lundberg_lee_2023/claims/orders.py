"""Claim 9, continued: random q and random orders as estimators of all players together."""

from fractions import Fraction

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
    details = {
        "numbers": {"covariances": len(cases), "different": different},
        "sample": {"games": len(rows)},
        "rows": rows,
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
            f"variances are equal; {different} of {len(cases)} covariances differ. {sums}",
        },
        shown_by={"refuted": "prop:chen-shared"},
        reach=f"{len(rows)} games",
        **details,
    )


def _normalised_row(row: Evidence) -> Evidence:
    d, left = row["players"], row["variance"] - row["variance_of_sum"] / row["players"]
    return {
        "game": row["game"],
        "walk": row["variance_walk"],
        "shared_normalised": left,
        "at_equal_evaluations": Fraction(d + 1, d) * left,
    }


def check_normalised(evidence: Evidence, alpha: float) -> Verdict:
    """Proved if normalised shared draws have less variance than a walk in every game."""
    rows = [_normalised_row(row) for row in evidence["rows"]]
    sample = {"games": len(rows)}
    if any(row["shared_normalised"] > row["walk"] for row in rows):
        return Verdict("refuted", "A walk has less variance.", sample=sample, rows=rows)
    better = sum(row["at_equal_evaluations"] < row["walk"] for row in rows)
    least = min(row["at_equal_evaluations"] / row["walk"] for row in rows if row["walk"])
    return Verdict(
        "proved",
        "Normalisation reduces the variance of the shared draws by the variance of their sum "
        "divided by $d$; the variance of a walk, which is the same before normalisation, is not "
        "reduced. A shared draw costs $d+1$ evaluations and a walk $d$, apart from the end "
        f"points: at equal evaluations the shared draws are better in {better} of {len(rows)} "
        f"random games, with a variance down to {show(float(least))} of that of the walk.",
        numbers={"better_at_equal_evaluations": better, "smallest_ratio": least},
        sample=sample,
        rows=rows,
        shown_by="prop:chen-shared",
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
        matters="The two are equivalent for one player at a time; walks alone are efficient.",
        gather=gather_joint,
        check=check_joint,
        falls="hypothesis",
    ),
    claim(
        id="ccll23-09c",
        title="Random q, normalised, against random orders",
        heading="Random orders",
        topic="orderings",
        where="left out by the paper, which normalises neither",
        statement="After additive efficient normalisation, contributions to a shared coalition of "
        "random $q$ have at most the variance of a walk, summed over the players.",
        source="this project",
        gather=gather_joint,
        check=check_normalised,
    ),
)
