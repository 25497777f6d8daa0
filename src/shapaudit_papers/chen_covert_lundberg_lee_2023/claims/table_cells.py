"""Claims 52e, 86 and 87: the columns Variance-free and Model-agnostic of Table 1."""

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import tell
from shapaudit_audit.audit.judges.identity import first_mismatch
from shapaudit_audit.audit.verdict import Verdict

from ..evidence.beyond import gather_gradients
from ..evidence.correlated import gather_orders
from ..evidence.forms import gather_forms
from ..evidence.repeats import gather_repeats
from .beyond import check_gradients
from .common import claim
from .correlated import check_variance as check_orders

PROOF = "prop:chen-cells"

# Models of another kind, for the methods whose values depend on the function alone.
LINEAR = "no linear model is the product of two features, whose mixed difference is not zero"
OUTSIDE = {
    "LinearSHAP": LINEAR,
    "Correlated LinearSHAP": LINEAR,
    "Interventional TreeSHAP": "no tree is a linear model, which has more values than it has "
    "leaves",
    "Shallow ShapNet": "no sum of functions of two features is the product of three",
}


def differing(evidence: Evidence, method: str) -> bool:
    """Return whether two forms of one function have different values."""
    rows = [row for row in evidence["rows"] if row["method"] == method]
    return any(row["first"] != row["second"] for row in rows)


def answers_of(evidence: Evidence, method: str) -> list[Evidence]:
    """Return the rows of the runs of a method; DASP has several."""
    rows = evidence["rows"]
    return [row for row in rows if row["method"].split(",")[0] == method]


def check_agnostic(evidence: Evidence, alpha: float) -> Verdict:
    """Proved if none of the nine methods applies to every model by its outputs alone.

    The values of a method depend on the form of a function, or another kind of model is out of its
    reach.
    """
    alike = first_mismatch(evidence["cases"]) is None
    apart = [method for method in METHODS if alike and differing(evidence, method)]
    bound = [
        method for method in METHODS if method not in apart and evidence["outside"].get(method)
    ]
    free = [method for method in METHODS if method not in (*apart, *bound)]
    kinds = "; ".join(dict.fromkeys(OUTSIDE[method] for method in bound if method in OUTSIDE))
    return tell(
        "refuted" if free else "proved",
        {
            "proved": f"For {', '.join(apart)} two models that are the same function have "
            "different values, so that the values do not depend on the outputs of the model alone. "
            "For the largest of three numbers, DeepLIFT gives all credit to the first or to the "
            f"third, depending on the order of the comparisons. The values of {', '.join(bound)} "
            f"do not depend on the form, but these methods are for models of one kind: {kinds}.",
            "refuted": "Values depend only on the function, and every model can be explained, by "
            f"{', '.join(free)}.",
        },
        shown_by={"proved": PROOF},
        numbers={"apart": len(apart), "bound": len(bound)},
        rows=evidence["rows"],
    )


def check_variance(evidence: Evidence, alpha: float) -> Verdict:
    """Exact if the runs of what draws differ, and those of what does not are the same bytes."""
    drawn, fixed = evidence["drawn"], [answers_of(evidence, method) for method in FIXED]
    alike = [row["method"] for row in drawn if row["answers"] == 1]
    several = [rows[0]["method"] for rows in fixed if max(row["answers"] for row in rows) > 1]
    return tell(
        "refuted" if alike or several else "exact",
        {
            "exact": f"The runs of methods that draw differ, on one game with fewer evaluations "
            f"than coalitions ({len(drawn)} rows here) and in training. {drawn[0]['runs']} runs of "
            f"{', '.join(FIXED)} on each of {fixed[0][0]['models']} random networks give identical "
            "bytes, because nothing is drawn; the networks differ from one training to the next, "
            "and it is the model that is explained.",
            "refuted": f"This does not hold for {'; '.join([*alike, *several])}.",
        },
        reach="one game, one training set and random networks",
        numbers={"drawn": len(drawn), "fixed": len(fixed)},
        rows=[
            {key: row[key] for key in ("method", "runs", "answers")}
            for row in (*drawn, *(row for rows in fixed for row in rows))
        ],
    )


def check_dasp(evidence: Evidence, alpha: float) -> Verdict:
    """Inconsistent if DASP gives the same in all runs for any number of sizes."""
    rows = answers_of(evidence, "DASP")
    several = max(row["answers"] for row in rows) > 1
    return tell(
        "exact" if several else "inconsistent",
        {
            "exact": "Runs with different generators give different values.",
            "inconsistent": "Section 5.2.3 calls DASP deterministic, “variance-free”, which it is "
            f"in all runs, with one size of coalitions as well as with all of them ({len(rows)} "
            "choices). Fewer sizes in equal steps change its bias. The last note of the caption "
            "concedes as much.",
        },
        reach=f"{len(rows)} choices of sizes",
        rows=rows,
    )


METHODS = (
    "LinearSHAP",
    "Correlated LinearSHAP",
    "Interventional TreeSHAP",
    "Path-dependent TreeSHAP",
    "DeepLIFT",
    "DeepSHAP",
    "DASP",
    "Shallow ShapNet",
    "Deep ShapNet",
)
FIXED = ("DeepLIFT", "Shallow ShapNet", "Deep ShapNet")
HEADING = "The table of methods"

CLAIMS = (
    claim(
        id="ccll23-86",
        title="Which methods have variance",
        heading="The table of methods",
        topic="convergence",
        where="Table 1, column Variance-free, but for the rows that C 32a, 52e and 74a judge; "
        "Section 5.2.3, paragraph on correlated LinearSHAP",
        words="whether approaches are bias-free and/or variance-free ... it is stochastic because "
        "... are estimated",
        statement="The model-agnostic methods, except those on neighbourhoods, are not free of "
        "variance, and neither is correlated LinearSHAP, because its matrices $A_i$ and $B_i$ "
        "are estimated; DeepLIFT and ShapNets are.",
        hedges="The caption adds that some methods can be deterministic with enough evaluations. "
        "“In practice” the matrices of correlated LinearSHAP are estimated by sampling.",
        gather=gather_repeats,
        check=check_variance,
        also=((gather_orders, check_orders),),
        matters="Of methods without variance a single run suffices, and repeating it shows "
        "nothing of a bias. Up to 20 features the matrices of correlated LinearSHAP can be "
        "computed exactly instead, once for all explicands, and then leave no variance; beyond, "
        "orders can be sampled at the cost of one factorisation each.",
    ),
    claim(
        id="ccll23-87",
        title="Which methods depend on the kind of model",
        heading="The table of methods",
        topic="identities",
        where="Table 1, column Model-agnostic; Section 8, last paragraph",
        words="We order approaches based on whether or not they are model-agnostic ... it cannot "
        "be used for certain types of non-differentiable models (e.g., tree models",
        statement="The methods for linear models, trees and networks are not model-agnostic. "
        "Integrated Gradients cannot be used for trees.",
        hedges="The other methods query the values of coalitions alone, and are agnostic by "
        "definition.",
        gather=gather_forms,
        check=check_agnostic,
        also=((gather_gradients, check_gradients),),
        matters="Two networks, or trees, that predict the same everywhere can be explained "
        "differently by five of the nine methods. Trees have exact Shapley values of their own "
        "(C 15a).",
    ),
    claim(
        id="ccll23-52e",
        title="DASP has variance",
        heading="Networks",
        topic="convergence",
        where="Table 1, row DASP, column Variance-free",
        words="DASP [33] Deep Baseline Exact No No No",
        statement="DASP is not free of variance.",
        hedges="A note to the caption, and Section 5.2.3, call it deterministic with "
        "quadratically many evaluations.",
        matters="DASP is reproducible to the last bit; repeating it provides no error limits.",
        gather=gather_repeats,
        check=check_dasp,
        falls="slip",
    ),
)
