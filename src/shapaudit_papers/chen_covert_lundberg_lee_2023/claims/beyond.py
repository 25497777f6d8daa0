"""Claims 43, 44, 89 and 94: orders, causal graphs, gradients of trees, groups."""

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import tell
from shapaudit_audit.audit.judges.identity import against, first_mismatch
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.verdict import Verdict

from ..evidence.beyond import gather_groups, gather_order
from .common import claim

SMALL, LIKELY = 0.1, 0.05  # deviation relative to the value; chance of a wrong order


def check_order(evidence: Evidence, alpha: float) -> Verdict:
    """Exact if the order is open although the largest standard deviation is small."""
    first, second = evidence["values"]
    small = [row for row in evidence["rows"] if row["deviation"] < SMALL * first]
    open_ = [row for row in small if row["wrong"] > LIKELY]
    return tell(
        "exact" if open_ else "refuted",
        {
            "exact": lambda: (
                f"Two players with the values {first} and {second}, whose contributions are 0 or a "
                f"gain: after {open_[-1]['draws']} draws for each the largest standard deviation "
                f"is {show(open_[-1]['deviation'])}, below a tenth of the value, and the order of "
                f"the estimates is wrong with a probability of {show(open_[-1]['wrong'])}."
            ),
            "refuted": "Where the largest standard deviation is small, the order is right.",
        },
        reach="one example",
        numbers={"wrong": open_[-1]["wrong"] if open_ else 0.0},
        rows=evidence["rows"],
    )


def check_flat_graph(evidence: Evidence, alpha: float) -> Verdict:
    """Exact if interventions give the marginal game for flat graphs, and not for a linked one."""
    cases, linked = evidence["cases"], evidence["linked"]
    if wrong := first_mismatch(cases):
        return against(wrong, f"{wrong.label}: {wrong.left}, and marginally {wrong.right}.")
    apart = [row for row in linked if row["intervention"] != row["marginal"]]
    return tell(
        "exact" if apart else "refuted",
        {
            "exact": lambda: (
                f"In {len(cases)} values of {evidence['graphs']} random graphs with a common cause "
                "but no link among features, what an intervention leaves is the marginal game, "
                f"although features are dependent in {evidence['dependent']} of them. Where the "
                "first feature causes the second, the value of the first alone is "
                f"{apart[0]['intervention']} by intervention and {apart[0]['marginal']} marginally."
            ),
            "refuted": "A link among features changes nothing.",
        },
        reach=f"{evidence['graphs']} graphs of up to three features",
        numbers={"dependent": evidence["dependent"]},
        rows=linked,
    )


def check_gradients(evidence: Evidence, alpha: float) -> Verdict:
    """Exact if gradients of trees sum to zero where the output changes."""
    rows = evidence["rows"]
    changed = [row for row in rows if row["change"]]
    lost = [row for row in changed if row["gradients"] == 0]
    return tell(
        "exact" if changed and lost == changed else "refuted",
        {
            "exact": f"The output changes between explicand and baseline in {len(changed)} of "
            f"{len(rows)} random trees, and Integrated Gradients are zero for all features in all "
            "of these: a tree is constant but for jumps, where it has no gradient.",
            "refuted": "Gradients account for part of the change.",
        },
        reach=f"{len(rows)} random trees",
        numbers={"changed": len(changed)},
        rows=rows,
    )


def check_groups(evidence: Evidence, alpha: float) -> Verdict:
    """Exact if a game of groups has fewer coalitions, by counting."""
    rows = evidence["rows"]
    fewer = all(row["evaluated"] < row["coalitions"] for row in rows)
    last = rows[-1]
    return tell(
        "exact" if fewer else "refuted",
        {
            "exact": f"With {last['features']} features in {last['groups']} groups there are "
            f"{last['evaluated']} coalitions instead of {last['coalitions']:,}: the exponent is "
            "the number of groups. The values are those of the game of groups, and not sums of the "
            "features' values (F 8).",
            "refuted": "Groups have as many coalitions.",
        },
        reach=f"up to {last['features']} features",
        numbers={"evaluated": last["evaluated"], "coalitions": last["coalitions"]},
        rows=rows,
    )


CLAIMS = (
    claim(
        id="ccll23-43",
        title="Standard deviations and the order of features",
        heading="Normalisation, bias and variance",
        topic="probability",
        where="Section 6, last paragraph",
        words="depending on the threshold, the variance may still be high enough that the relative "
        "importance of features can change",
        statement="Once the largest standard deviation is below a threshold, the variance may "
        "still be high enough that the relative importance of features can change.",
        hedges="“depending on the threshold”, “may”.",
        matters="A stopping rule for rankings has to look at differences of values.",
        gather=gather_order,
        check=check_order,
    ),
    claim(
        id="ccll23-94",
        title="Groups of features",
        heading="Structured data",
        topic="cost",
        where="Section 7, paragraph on structure within the data",
        words="grouping features may be natural for structured data ... it greatly reduces the "
        "computational complexity of most algorithms",
        statement="Grouping features reduces the computational complexity of most algorithms.",
        hedges="“most algorithms”: counted for the coalitions of a game.",
        matters="A group is explained like one feature, at the cost of as many features as there "
        "are groups.",
        gather=gather_groups,
        check=check_groups,
    ),
)
