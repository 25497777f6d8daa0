"""Claims 27 and 28: what removals assume of the features, and ranges of data."""

from itertools import pairwise

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import by_identity, tell
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.verdict import Ruling, Verdict

from ..evidence.beyond import gather_flat_graph
from ..evidence.independence import gather_agreement, gather_assumptions, gather_ranges
from .beyond import check_flat_graph
from .common import claim

PROOF = "prop:chen-independence"
RANGE = "prop:chen-range"


def check_assumptions(evidence: Evidence, alpha: float) -> Verdict:
    """Proved if some law has one independent coalition and no independent features.

    Loosely so where independence for all coalitions together implies independent features.
    """
    rows = evidence["rows"]
    some = [row for row in rows if 0 < row["independent"] < row["coalitions"]]
    all_but = [
        row["law"] for row in rows if row["independent"] == row["coalitions"] and not row["product"]
    ]
    products = [row for row in rows if row["product"]]
    together = (
        f"So it is for all coalitions together: {'; '.join(all_but)}."
        if all_but
        else "A Shapley value involves all coalitions, and features that are independent of the "
        "absent ones for every coalition are independent of each other: for all coalitions "
        f"together both assumptions are the same, as under all {len(rows)} distributions examined, "
        f"of which {len(products)} satisfy them."
    )
    return tell(
        "proved" if some else "refuted",
        {
            "proved": lambda: (
                f"For a coalition the assumption is milder. With {some[0]['law']}, it holds for "
                f"{some[0]['independent']} of {some[0]['coalitions']} coalitions, although the "
                f"features are not independent. {together}"
            ),
            "refuted": "No distribution satisfies it for one coalition without independence of all "
            "features.",
        },
        "loosely" if some and not all_but else None,
        shown_by=PROOF,
        numbers={"laws": len(rows), "products": len(products)},
        rows=rows,
    )


def check_agreement(evidence: Evidence, alpha: float) -> Verdict:
    """Proved if the games agree for all models exactly under laws of independent features."""
    cases, distances = evidence["cases"], evidence["distances"]
    first, other, wanted = evidence["values"]
    nearer = sum(row["marginal"] < row["product"] for row in distances)
    return by_identity(
        cases,
        f"This holds under all distributions examined ({len(cases)} cases, with a basis of all "
        "models), and in general. Without independence the two also differ from each other: for "
        f"two copies, the conditional values of $x_1x_2$ at (1, 1) are {wanted} each, the marginal "
        f"ones {first} and those by the product of marginals {other}. Over a basis of all models "
        f"the marginal game is the nearer one to the conditional game under {nearer} of "
        f"{len(distances)} distributions of dependent features.",
        numbers={
            "marginal": first,
            "product": other,
            "nearer": nearer,
            "dependent": len(distances),
        },
        sample={"cases": len(cases)},
        shown_by=PROOF,
    )


def check_ranges(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted if the expected value over the range grows with the rows, or is biased if bounded."""
    rows = evidence["rows"]
    first, last = rows[0], rows[-1]
    growing = all(a["unbounded"] < b["unbounded"] for a, b in pairwise(rows))
    setting = Ruling(
        "proved",
        "Over the range of given rows, and over their columns, means of independent draws are "
        "unbiased and their variance decreases with the number of draws, as for marginal values.",
    )
    return tell(
        "refuted" if growing else "inconclusive",
        {
            "refuted": "The range of a sample is not that of the distribution. For a uniform "
            "feature, with its square as the model, the expected value of the empty coalition is "
            f"{show(first['bounded'])} with {first['rows']} rows, {show(last['bounded'])} with "
            f"{last['rows']:,}, and 1/3 in the limit. For an exponential feature it grows from "
            f"{show(first['unbounded'])} to {show(last['unbounded'])} and has no limit, so that "
            "there is nothing to estimate. Products of marginals do not have this problem.",
            "inconclusive": "The expectation over the range does not grow.",
        },
        shown_by=RANGE,
        numbers={"first": first["unbounded"], "last": last["unbounded"]},
        rows=rows,
        setting=setting,
    )


HEADING = "Ways to remove a feature"

CLAIMS = (
    claim(
        id="ccll23-27a",
        title="What marginal removal assumes",
        heading="Ways to remove a feature",
        topic="identities",
        where="Section 4.3, third paragraph; Section 4.3, second paragraph",
        words="which make a milder assumption of independence between the observed and unobserved "
        "features ... equivalent to assuming a flat causal graph (i.e., a causal graph with no "
        "causal links among features)",
        statement="Marginal Shapley values assume less than those by the product of marginals: "
        "independence of the observed from the unobserved features, and not of all features. "
        "Marginal removal is equivalent to interventions under a causal graph without causal "
        "links among features.",
        hedges="“which may be why marginal Shapley values ... are more commonly used”; stated for "
        "the observed and unobserved features of a coalition. The interventions are on the "
        "inputs of the model, not on what they represent.",
        gather=gather_assumptions,
        check=check_assumptions,
        also=((gather_flat_graph, check_flat_graph),),
        matters="Neither assumption holds for dependent features: both kinds of values then "
        "differ from conditional ones, and which is nearer is another question (C 27b). Where "
        "features cause one another, an intervention on one changes others, and marginal "
        "removal does not.",
    ),
    claim(
        id="ccll23-27b",
        title="When marginal values are conditional values",
        heading=HEADING,
        topic="identities",
        where="Section 4.3, beyond what is said there",
        statement=r"The marginal game equals the conditional one for all models if and only if the "
        r"features are independent, and so does the game by the product of marginals.",
        source="this project",
        gather=gather_agreement,
        check=check_agreement,
    ),
    claim(
        id="ccll23-28",
        title="Uniform removal from data",
        heading=HEADING,
        topic="convergence",
        where="Section 5.1.2, last paragraph; Figure 3, caption",
        words="also applies to other coalitional games such as the uniform and product of "
        "marginals, which are similarly easy to estimate",
        statement=r"Games of uniform removal and of the product of marginals are as easy to "
        r"estimate from data as the marginal game.",
        hedges="“similarly”. The uniform approach covers “the range of the baselines’ absent "
        "features”.",
        setting="The range and the columns of a given set of rows.",
        matters="Uniform removal is suitable for features with known bounds; over the range of "
        "the data its values change with the number of rows.",
        gather=gather_ranges,
        check=check_ranges,
    ),
)
