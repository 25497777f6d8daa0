"""Claim 18: budgets beyond the number of coalitions."""

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import tell
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.verdict import Verdict

from ..evidence.budgets import gather_budgets
from .common import claim

ERROR_ROUNDING = 1e-12


def check_budgets(evidence: Evidence, alpha: float) -> Verdict:
    """Exact if most numbers of samples on some data exceed the coalitions, whose values suffice."""
    rows, once = evidence["rows"], evidence["enumerated"]
    beyond = [row for row in rows if 2 * row["budgets_beyond"] > row["budgets"]]
    exact = once["relative_error"] <= ERROR_ROUNDING
    told = "; ".join(
        f"{row['budgets_beyond']} of {row['budgets']} numbers of samples and "
        f"{row['cells_beyond']} of {row['cells']} cells of the tables on the {row['data']} data "
        f"($d={row['players']}$)"
        for row in beyond
    )
    return tell(
        "exact" if beyond and exact else "refuted",
        {
            "exact": f"This is so for {told}. There, evaluating each coalition once takes "
            f"{once['evaluations']} evaluations and gives the values to a relative accuracy of "
            f"{show(once['relative_error'])}. For the other data there are more coalitions than "
            "samples.",
            "refuted": "No data set has more samples than coalitions for most of its columns."
            if exact
            else "Enumeration was not exact.",
        },
        reach="the columns of Tables 2 to 7",
        numbers={"cells_beyond": sum(row["cells_beyond"] for row in rows), **once},
        rows=rows,
    )


CLAIMS = (
    claim(
        id="ccll23-18",
        title="More samples than coalitions",
        heading="Budgets",
        topic="cost",
        where="Tables 2 to 7, beyond what is said of them",
        statement="For ten features most numbers of samples of the tables exceed the number of "
        "coalitions, and evaluating each coalition once gives the values exactly.",
        matters="With ten features all coalitions can be evaluated: the comparison beyond their "
        "number shows how errors fall, and not what sampling saves.",
        gather=gather_budgets,
        check=check_budgets,
        source="this project",
    ),
)
