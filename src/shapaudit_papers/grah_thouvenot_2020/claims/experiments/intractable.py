"""Claim 23: whether the true values of the classification with 300 players can be had."""

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import tell
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.verdict import Verdict

from ...evidence.experiments.intractable import gather_certified
from ..common import BOTH, claim


def check_certified(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted if values are certified to within less than the reference of the paper errs."""
    rows = evidence["rows"]
    had = [row for row in rows if row["bound"] is not None]
    better = [row for row in had if row["bound"] < row["reference"]]
    bounds, errors = ([row[key] for row in had] for key in ("bound", "reference"))
    return tell(
        "refuted" if len(better) == len(rows) else "inconclusive",
        {
            "refuted": lambda: (
                "The game is a weighted threshold, whose values follow from the distribution of "
                f"sums of random players. For {len(rows)} explicands of {evidence['players']} "
                "players, without sampling, the norm of the error of all values is proved to be at "
                f"most {show(max(bounds))}, each value being within {show(evidence['each'])}; "
                f"that of a reference of {evidence['walks']:,} walks, as in the paper, is "
                f"{show(min(errors))} to {show(max(errors))}."
            ),
            "inconclusive": f"Values are certified for {len(had)} of {len(rows)} explicands, for "
            f"{len(better)} to within less than a reference of {evidence['walks']:,} walks errs.",
        },
        numbers={"explicands": len(rows), "better": len(better)},
        sample={"explicands": len(rows)},
        rows=[
            {
                key: "none" if row[key] is None else row[key]
                for key in ("trial", "bound", "reference")
            }
            for row in rows
        ],
    )


CLAIMS = (
    claim(
        id="gt20-23",
        title="True values at 300 players",
        heading="The experiments",
        topic="cost",
        where=f"Section 5.2, Dimension 300, first paragraph; {BOTH}",
        words="Because the true Shapley Values are intractable, we estimate it with the optimized "
        "Monte Carlo technique and a large number of iterations",
        statement=r"In the classification with $d=300$ the true Shapley values are intractable.",
        hedges="By enumeration they are. The classifier is taken to be the rule of Section 5.1 "
        "itself, as in the authors' public code.",
        gather=gather_certified,
        check=check_certified,
        falls="slip",
        matters="Errors can be measured against values with a proved bound; those of the figure "
        "include the error of the reference.",
    ),
)
