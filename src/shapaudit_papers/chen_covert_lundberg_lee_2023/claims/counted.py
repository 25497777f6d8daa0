"""Claims 65, 69 and 81: rows that removals take, what they keep, what plays them."""

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import tell
from shapaudit_audit.audit.verdict import Verdict

from ..evidence.counted import gather_players, gather_rows, gather_shared
from .common import claim


def check_rows(evidence: Evidence, alpha: float) -> Verdict:
    """Exact if a surrogate's value takes one row of the surrogate and none of f."""
    rows = evidence["rows"]
    surrogate, other = rows
    cheap = (surrogate["per_value"], surrogate["own_per_value"]) == (0, 1)
    return tell(
        "exact" if cheap else "refuted",
        {
            "exact": "By counting, a value takes one row of the surrogate and none of the model, "
            f"whereas a generator with {evidence['draws']} draws takes {other['per_value']} rows "
            "of the model. Training the surrogate evaluated the model once on each of "
            f"{surrogate['fit']} rows.",
            "refuted": f"A value takes {surrogate['per_value']} rows of the model and "
            f"{surrogate['own_per_value']} of the surrogate.",
        },
        reach="all proper coalitions of one game",
        rows=rows,
    )


def check_shared(evidence: Evidence, alpha: float) -> Verdict:
    """Exact if what a removal learns is equal for two models and takes no row of either."""
    rows = evidence["rows"]
    bound = [row["removal"] for row in rows if not row["same"] or row["fit_rows"]]
    return tell(
        "refuted" if bound else "exact",
        {
            "exact": f"All {len(rows)} removals of this project that model a distribution keep "
            "the same bytes for two models, and fitting them takes no row of either.",
            "refuted": f"What is learnt depends on the model for {', '.join(bound)}.",
        },
        reach="two models",
        numbers={"removals": len(rows)},
        rows=rows,
    )


def check_players(evidence: Evidence, alpha: float) -> Verdict:
    """Exact if every strategy gives the same estimates on a removal's game and on its table."""
    rows = evidence["rows"]
    strategies = [key for key in rows[0] if key != "removal"]
    failed = [
        f"{strategy} on {row['removal']}"
        for row in rows
        for strategy in strategies
        if not row[strategy]
    ]
    return tell(
        "refuted" if failed else "exact",
        {
            "exact": f"Each of {len(strategies)} estimators gives, on the games of {len(rows)} "
            "removals, the same estimate as on the table of their values: it requires only values.",
            "refuted": f"Estimates differ or fail: {'; '.join(failed)}.",
        },
        reach=f"{len(strategies)} estimators and {len(rows)} removals of this project",
        numbers={"strategies": len(strategies), "removals": len(rows)},
        rows=rows,
    )


CONDITIONAL = "Conditional values"

CLAIMS = (
    claim(
        id="ccll23-65",
        title="One evaluation of a surrogate",
        heading=CONDITIONAL,
        topic="cost",
        where="Section 5.1.3, surrogate model",
        words="it requires only one model evaluation to estimate the conditional expectation",
        statement=r"A surrogate takes one evaluation for the value of a coalition.",
        hedges="Footnote 10: “once they are trained”.",
        matters="The evaluation is one of the surrogate; the model is needed once per training "
        "row.",
        gather=gather_rows,
        check=check_rows,
    ),
    claim(
        id="ccll23-69",
        title="Distributions serve any model",
        heading=CONDITIONAL,
        topic="identities",
        where="Section 5.1.3, paragraphs after the list",
        words="approaches based on modeling conditional distributions are independent of the "
        "particular model f",
        statement="What an approach that models conditional distributions has learnt can be "
        "reused for another model.",
        matters="Fit once per data set, and save the fit.",
        gather=gather_shared,
        check=check_shared,
    ),
    claim(
        id="ccll23-81",
        title="Any estimator on any removal",
        heading="The table of methods",
        topic="identities",
        where="Table 1, caption",
        words="the model-agnostic estimation strategies can generally be adapted to apply for any "
        "removal approach",
        statement=r"The model-agnostic estimation strategies apply to the game of any removal.",
        hedges="“generally”.",
        gather=gather_players,
        check=check_players,
    ),
)
