"""Claims 20 and 41: how SGD-Shapley is described, and its bias."""

from dataclasses import replace

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import by_identity, tell
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.verdict import Ruling, Verdict

from ..evidence.descent import gather_bias
from .common import TABLE_1, claim

DISTANCE_ROUNDING = 1e-9


def check_sizes(evidence: Evidence, alpha: float) -> Verdict:
    """Inconsistent if the cited paper samples coalitions from another law."""
    rows = evidence["rows"]
    apart = [row for row in rows if row["distance"] > DISTANCE_ROUNDING]
    return tell(
        "inconsistent" if apart else "exact",
        {
            "inconsistent": lambda: (
                "The cited paper, and its public code, which the benchmark imports, start at the "
                "equal split and sample coalitions in proportion to a bound on their gradients. "
                f"With {apart[-1]['players']} players and the ratio of its public code, a "
                "coalition has all players but one with probability "
                f"{show(apart[-1]['all_but_one'])} and only one with probability "
                f"{show(apart[-1]['one'])}; under the kernel both have the probability "
                f"{show(apart[-1]['one_by_kernel'])}."
            ),
            "exact": "Both distributions are the same.",
        },
        reach=f"{len(rows)} numbers of players and ratios",
        numbers={"largest_distance": max(row["distance"] for row in rows)},
        rows=rows,
    )


def check_descent(evidence: Evidence, alpha: float) -> Verdict:
    """Proved if the bias is the initial error, reduced by a factor in each step.

    In the paper's setting the printed biases decide whether it is high.
    """
    setting = _in_the_tables(evidence["printed"])
    if not evidence["biased"]:
        rows = ({"games": evidence["games"], "biased": 0},)
        return Verdict("refuted", "No game shows a bias.", "wrong", rows=rows, setting=setting)
    verdict = by_identity(
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
    return replace(verdict, setting=setting)


def _in_the_tables(printed: list[Evidence]) -> Ruling:
    told = ", ".join(f"{row['largest']} of {row['columns']} on {row['data']}" for row in printed)
    most = all(2 * row["largest"] > row["columns"] for row in printed)
    return Ruling(
        "supported" if most else "refuted",
        f"Columns of the printed tables in which its bias is the largest of all methods: {told}.",
    )


CLAIMS = (
    claim(
        id="ccll23-41b",
        title="SGD-Shapley has a high bias",
        heading="Least squares on samples",
        topic="convergence",
        where=f"{TABLE_1}, and row SGD-Shapley, column Bias-free",
        words="SGD-Shapley is consistent, but based on our empirical analysis it has high bias "
        "relative to other approaches",
        statement=r"SGD-Shapley is not free of bias; its bias is high relative to other "
        r"approaches.",
        hedges="“based on our empirical analysis”. That it is consistent follows from the rates of "
        "the cited paper, which are judged there.",
        setting="Tables 2 to 4. In general: whether there is a bias.",
        gather=gather_bias,
        check=check_descent,
        matters="The bias is a remainder of the starting point. More steps reduce it, whereas "
        "averaging more runs does not.",
    ),
)
