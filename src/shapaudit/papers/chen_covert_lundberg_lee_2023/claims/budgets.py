"""Claim 18: budgets beyond the number of coalitions."""

from shapaudit.audit.evidence import Evidence
from shapaudit.audit.exact import show
from shapaudit.audit.judges import tell
from shapaudit.audit.verdict import Verdict

from ..evidence.budgets import gather_budgets
from .common import AGNOSTIC, claim

ROUNDING = 1e-12


def check_budgets(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted when published numbers of samples exceed the number of coalitions."""
    rows, once = evidence["rows"], evidence["enumerated"]
    beyond = [row for row in rows if row["budgets_beyond"]]
    inexact = once["relative_error"] > ROUNDING
    status = "inconclusive" if inexact else "refuted" if beyond else "proved"
    return tell(
        status,
        {
            "inconclusive": "Enumeration was not exact.",
            "proved": "All budgets are below 2 to the d.",
            "refuted": lambda: _told_beyond(beyond, once),
        },
        numbers={"cells_beyond": sum(row["cells_beyond"] for row in rows), **once},
        rows=rows,
    )


def _told_beyond(beyond: list[Evidence], once: Evidence) -> str:
    parts = "; ".join(
        f"{row['budgets_beyond']} of {row['budgets']} budgets and {row['cells_beyond']} of "
        f"{row['cells']} cells of the tables on the {row['data']} data (d = {row['players']})"
        for row in beyond
    )
    return (
        f"Not for {parts}. There, evaluating each coalition once takes {once['evaluations']} "
        f"evaluations and gives the values to a relative {show(once['relative_error'])}: no sample "
        "of that size is of use. On the other data there are more coalitions than samples."
    )


CLAIMS = (
    claim(
        id="ccll23-18",
        title="Fewer evaluations than coalitions",
        heading="Budgets",
        topic="cost",
        where=f"{AGNOSTIC}, first paragraph, beside Tables 2 to 7",
        words="In general, these ... sidestep evaluating the model with an exponential number of "
        "subsets by instead using a smaller number",
        statement=r"Model-agnostic approaches sidestep evaluating the model with an exponential "
        r"number of subsets, $2^d$, by using a smaller number of subsets chosen at random.",
        gather=gather_budgets,
        check=check_budgets,
        falls="hypothesis",
    ),
)
