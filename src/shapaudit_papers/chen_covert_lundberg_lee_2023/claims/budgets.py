"""Claim 18: budgets beyond the number of coalitions."""

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import tell
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.verdict import Ruling, Verdict

from ..evidence.budgets import gather_budgets
from .common import AGNOSTIC, claim

ERROR_ROUNDING = 1e-12


def check_budgets(evidence: Evidence, alpha: float) -> Verdict:
    """As a description of methods it stands where players are many; the paper's budgets decide.

    Refuted when no data set has more coalitions than samples.
    """
    rows, once = evidence["rows"], evidence["enumerated"]
    beyond = [row for row in rows if row["budgets_beyond"]]
    inexact = once["relative_error"] > ERROR_ROUNDING
    status = "refuted" if len(beyond) == len(rows) else "exact"
    told = _told_beyond(beyond, once) if beyond else "All budgets are below $2^d$."
    fewer = f"On {len(rows) - len(beyond)} of {len(rows)} data sets there are more coalitions "
    return tell(
        "inconclusive" if inexact else status,
        {
            "inconclusive": "Enumeration was not exact.",
            "exact": f"{fewer}than samples in every table; for the others, sampling saves nothing "
            "once there are as many samples as coalitions.",
            "refuted": "There are more samples than coalitions on every data set.",
        },
        "loosely" if beyond and status == "exact" else None,
        reach="the budgets of Tables 2 to 7",
        setting=Ruling(
            "inconclusive" if inexact else "refuted" if beyond else "exact",
            "Enumeration was not exact." if inexact else told,
        ),
        numbers={"cells_beyond": sum(row["cells_beyond"] for row in rows), **once},
        rows=rows,
    )


def _told_beyond(beyond: list[Evidence], once: Evidence) -> str:
    parts = "; ".join(
        f"{row['budgets_beyond']} of {row['budgets']} budgets and {row['cells_beyond']} of "
        f"{row['cells']} cells of the tables on the {row['data']} data ($d={row['players']}$)"
        for row in beyond
    )
    return (
        f"This does not hold for {parts}. There, evaluating each coalition once takes "
        f"{once['evaluations']} evaluations and gives the values to a relative accuracy of "
        f"{show(once['relative_error'])}, so that larger samples save no evaluations. For the "
        "other data there are more coalitions than samples."
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
        statement=r"Model-agnostic approaches are in general approximations that sidestep "
        r"evaluating the model with an exponential number of subsets by using a smaller number of "
        r"subsets chosen at random.",
        hedges="“In general”: a description of the methods, not of the budgets that are run.",
        setting="The numbers of samples of Tables 2 to 7, 500 to 100,000, for 10, 79 and 280 "
        "features.",
        matters="With ten features all coalitions can be evaluated: the comparison beyond their "
        "number shows how errors fall, and not what sampling saves.",
        gather=gather_budgets,
        check=check_budgets,
        lacks="fewer samples than coalitions",
        falls="hypothesis",
    ),
)
