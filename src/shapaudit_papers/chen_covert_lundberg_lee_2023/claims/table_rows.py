"""Cells of Table 1 that need claims of their own: bias and variance of model-agnostic methods."""

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import by_identity, tell
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.verdict import Verdict

from ..evidence.table_rows import gather_descent, gather_means, gather_spread
from .common import claim


def check_means(evidence: Evidence, alpha: float) -> Verdict:
    """Proved if the expectations of both methods are the Shapley values."""
    return by_identity(
        evidence["cases"],
        "The mean contribution of a player along all permutations, and over a uniform size and a "
        "uniform coalition of that size, is its Shapley value, exactly for $d$ up to "
        f"{evidence['max_dimension']} and in general by the distribution of the coalitions drawn.",
        lambda case: (
            f"{case.label}: the expectation is {case.left}, whereas the Shapley value is "
            f"{case.right}."
        ),
        sample={"entries": len(evidence["cases"])},
        shown_by="prop:chen-sizes",
    )


def check_descent(evidence: Evidence, alpha: float) -> Verdict:
    """Proved if the bias is the initial error, reduced by a factor in each step."""
    if not evidence["biased"]:
        rows = ({"games": evidence["games"], "biased": 0},)
        return Verdict("refuted", "No game shows a bias.", "wrong", rows=rows)
    return by_identity(
        evidence["cases"],
        f"After {evidence['steps']} steps from the equal split, by listing all draws, the mean "
        f"iterate is biased in {evidence['biased']} of {evidence['games']} games. Each step "
        "multiplies the bias by one minus twice the step size times $1-1/d$, exactly and for all "
        "$d$: the remaining bias is due to the start, and vanishes as the steps add up.",
        lambda case: f"{case.label}: a bias of {case.left}, not {case.right}.",
        numbers={"biased": evidence["biased"]},
        sample={"games": evidence["games"]},
        shown_by="prop:chen-descent",
    )


def check_spread(evidence: Evidence, alpha: float) -> Verdict:
    """Exact when two runs of every method differ."""
    rows = evidence["rows"]
    equal = [row["methods"] for row in rows if not row["difference"]]
    least = min(row["difference"] for row in rows)
    return tell(
        "refuted" if equal else "exact",
        {
            "refuted": f"Two runs agree for {'; '.join(equal)}.",
            "exact": "Two runs of each on one game, with fewer evaluations than coalitions, "
            f"differ by {show(least)} or more.",
        },
        reach="one game of eight players",
        numbers={"least": least},
        rows=tuple(rows),
    )


CLAIMS = (
    claim(
        id="ccll23-34b",
        title="ApproSemivalue and ApproShapley are free of bias",
        heading="Random orders",
        topic="convergence",
        where="Table 1, rows ApproSemivalue and ApproShapley, column Bias-free; Section 5.2.1",
        words="Exact Yes Yes No",
        statement=r"ApproSemivalue and ApproShapley have no bias.",
        hedges="Stated about the estimation of a game that is given exactly.",
        gather=gather_means,
        check=check_means,
    ),
    claim(
        id="ccll23-41b",
        title="SGD-Shapley has a bias",
        heading="Least squares on samples",
        topic="convergence",
        where="Table 1, row SGD-Shapley, column Bias-free, and caption",
        words="SGD-Shapley is consistent, but based on our empirical analysis it has high bias",
        statement=r"SGD-Shapley has a bias, though it is consistent.",
        hedges="“based on our empirical analysis”.",
        gather=gather_descent,
        check=check_descent,
        matters="The bias is a remainder of the starting point. More steps reduce it, whereas "
        "averaging more runs does not. With the default step many steps are needed for few "
        "players; for many players the variance is the problem.",
    ),
    claim(
        id="ccll23-31c",
        title="Model-agnostic methods have variance",
        heading="Random orders",
        topic="convergence",
        where="Table 1, column Variance-free, the model-agnostic rows but L-Shapley and C-Shapley",
        words="whether approaches are bias-free and/or variance-free",
        statement="The model-agnostic methods, except those on neighbourhoods, are not free of "
        "variance.",
        hedges="The caption adds that they can be deterministic with enough evaluations.",
        gather=gather_spread,
        check=check_spread,
    ),
)
