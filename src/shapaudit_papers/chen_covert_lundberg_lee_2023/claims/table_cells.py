"""Cells of Table 1 on LinearSHAP, TreeSHAP, DeepLIFT, DeepSHAP, DASP and ShapNets.

Of the columns Model-agnostic and Variance-free; the column Bias-free is judged with the methods.
"""

from collections.abc import Callable

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import tell
from shapaudit_audit.audit.judges.identity import first_mismatch
from shapaudit_audit.audit.verdict import Ruling, Verdict

from ..evidence.forms import gather_forms
from ..evidence.repeats import gather_baselines, gather_repeats
from .common import claim

PROOF = "prop:chen-cells"
Check = Callable[[Evidence, float], Verdict]

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


def agnostic(method: str) -> Check:
    """Return the check of a method's cell of the column Model-agnostic that is printed as no."""

    def check(evidence: Evidence, alpha: float) -> Verdict:
        """Proved when values depend on the form of a function, or another kind is out of reach."""
        alike, foreign = first_mismatch(evidence["cases"]), evidence["outside"].get(method)
        apart = differing(evidence, method) and not alike
        return tell(
            "proved" if apart or foreign else "refuted",
            {
                "proved": "Two models that are the same function have different values, so that "
                "the values do not depend on the outputs of the model alone."
                if apart
                else f"It is designed for models of one kind: {OUTSIDE.get(method, '')}.",
                "refuted": "Its values depend only on the function, and it applies to every model.",
            },
            shown_by={"proved": PROOF},
            rows=[row for row in evidence["rows"] if row["method"] == method]
            or ({"method": method, "outside": foreign or 0},),
        )

    return check


def check_function(evidence: Evidence, alpha: float) -> Verdict:
    """Proved if two forms of a function have equal values for the exact methods alone."""
    names = list(dict.fromkeys(row["method"] for row in evidence["rows"]))
    apart = [name for name in names if differing(evidence, name)]
    alike = [name for name in names if name not in apart]
    wrong = first_mismatch(evidence["cases"])
    as_said = alike == ["Interventional TreeSHAP", "Shallow ShapNet"] and not wrong
    return tell(
        "proved" if as_said else "refuted",
        {
            "proved": "The same function in two forms has the same values by "
            f"{' and '.join(alike)}, as by plain or correlated LinearSHAP; it has different "
            f"values by {', '.join(apart)}. For the largest of three numbers, DeepLIFT gives all "
            "credit to the first or to the third, depending on the order of the comparisons.",
            "refuted": f"Values agree for {' and '.join(alike) or 'none'}."
            if not wrong
            else f"The two forms are not the same function: {wrong.label}.",
        },
        shown_by={"proved": PROOF},
        numbers={"alike": len(alike), "apart": len(apart)},
        rows=evidence["rows"],
    )


def answers_of(evidence: Evidence, method: str) -> list[Evidence]:
    """Return the rows of the runs of a method; DASP has several."""
    rows = evidence["rows"]
    return [row for row in rows if row["method"].split(",")[0] == method]


def deterministic(method: str) -> Check:
    """Return the check of a method's cell of the column Variance-free that is printed as yes."""

    def check(evidence: Evidence, alpha: float) -> Verdict:
        """Proved when all runs give the same bytes."""
        rows = answers_of(evidence, method)
        several = max(row["answers"] for row in rows) > 1
        return tell(
            "refuted" if several else "proved",
            {
                "refuted": "Runs with different generators give different values.",
                "proved": f"{rows[0]['runs']} runs on each of {rows[0]['models']} random models "
                "give identical bytes, because nothing is drawn. What varies is the network, from "
                "one training to the next, and it is the model that is explained.",
            },
            shown_by={"proved": PROOF},
            sample={"models": rows[0]["models"]},
            rows=rows,
        )

    return check


def given(method: str, of: str) -> Check:
    """Return the check of a cell of the column Variance-free where baselines or rows are drawn."""

    def check(evidence: Evidence, alpha: float) -> Verdict:
        """Proved for what is given when one baseline's variance is divided by their number.

        Refuted in general when values vary with the sample.
        """
        row = next(row for row in evidence["rows"] if row["method"] == method)
        cases = [case for case in evidence["cases"] if case.label.startswith(method)]
        varies, wrong = row["variance"] != 0, first_mismatch(cases)
        there = Ruling(
            "inconclusive" if wrong else "proved",
            f"If the {of} are given, nothing is left to chance.",
        )
        return tell(
            "refuted" if varies else "proved",
            {
                "refuted": f"Over all samples of {evidence['drawn']} of three {of}, the variances "
                f"of the values of an example sum to {row['variance']}, which is the variance for "
                f"one divided by {evidence['drawn']}. IME counts as free of bias because its "
                "baselines are drawn at random; then the values here have a variance too.",
                "proved": "The values do not vary with the sample.",
            },
            shown_by={"proved": PROOF},
            numbers={"variance": row["variance"]},
            rows=({"method": method, "variance": row["variance"]},),
            setting=there,
        )

    return check


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


METHODS = {
    "LinearSHAP": "LinearSHAP [28] Linear Marginal Empirical No Yes Yes",
    "Correlated LinearSHAP": "Correlated LinearSHAP [28] Linear Conditional Parametric No No No",
    "Interventional TreeSHAP": "Interventional TreeSHAP [16] Tree Marginal Empirical No Yes Yes",
    "Path-dependent TreeSHAP": "Path-dependent TreeSHAP [16] Tree Conditional Empirical* No No Yes",
    "DeepLIFT": "DeepLIFT [17] Deep Baseline Exact No No Yes",
    "DeepSHAP": "DeepSHAP [15] Deep Marginal Empirical No No Yes",
    "DASP": "DASP [33] Deep Baseline Exact No No No",
    "Shallow ShapNet": "Shallow ShapNet [34] Deep Baseline Exact No Yes Yes",
    "Deep ShapNet": "Deep ShapNet [34] Deep Baseline Exact No No Yes",
}
HEADINGS = {"LinearSHAP": "Ways to remove a feature", "TreeSHAP": "Trees"}
# By the method: the ids of its cells of the columns Model-agnostic and Variance-free, the latter
# with what may be drawn.
AGNOSTIC = {
    "LinearSHAP": "46a",
    "Correlated LinearSHAP": "47a",
    "Interventional TreeSHAP": "48a",
    "Path-dependent TreeSHAP": "49b",
    "DeepLIFT": "50c",
    "DeepSHAP": "51a",
    "DASP": "52c",
    "Shallow ShapNet": "53c",
    "Deep ShapNet": "54c",
}
GIVEN = {
    "LinearSHAP": ("46c", "baselines"),
    "Interventional TreeSHAP": ("48c", "baselines"),
    "Path-dependent TreeSHAP": ("49d", "rows that weigh the nodes"),
    "DeepSHAP": ("51c", "baselines"),
}
DETERMINISTIC = {"DeepLIFT": "50d", "Shallow ShapNet": "53d", "Deep ShapNet": "54d"}
KIND = "It applies to models of one kind only, and its values are then those of any exact method."
FORM = (
    "Rewriting a model without changing any prediction can change the explanation by this method."
)


def _cell(method: str, number: str, column: str, **facts):
    return claim(
        id=f"ccll23-{number}",
        heading=HEADINGS.get(method.split()[-1], "Networks"),
        where=f"Table 1, row {method}, column {column}",
        words=METHODS[method],
        **facts,
    )


CLAIMS = (
    *(
        _cell(
            method,
            number,
            "Model-agnostic",
            title=f"{method} is not model-agnostic",
            topic="identities",
            statement=f"{method} is not model-agnostic.",
            matters=KIND if method in OUTSIDE else FORM,
            gather=gather_forms,
            check=agnostic(method),
        )
        for method, number in AGNOSTIC.items()
    ),
    *(
        _cell(
            method,
            number,
            "Variance-free",
            title=f"{method} is free of variance",
            topic="convergence",
            statement=f"{method} is free of variance.",
            hedges="Section 6 derives bias and variance from “the feature removal approach and "
            "estimation strategy”.",
            setting=f"The {of} are given.",
            matters=f"If the {of} are drawn at random, the values inherit their variance, however "
            "exact they are for each draw.",
            gather=gather_baselines,
            check=given(method, of),
        )
        for method, (number, of) in GIVEN.items()
    ),
    *(
        _cell(
            method,
            number,
            "Variance-free",
            title=f"{method} is free of variance",
            topic="convergence",
            statement=f"{method} is free of variance.",
            matters="A single run suffices, and repeating it does not reveal the bias.",
            gather=gather_repeats,
            check=deterministic(method),
        )
        for method, number in DETERMINISTIC.items()
    ),
    _cell(
        "DASP",
        "52e",
        "Variance-free",
        title="DASP has variance",
        topic="convergence",
        statement="DASP is not free of variance.",
        hedges="A note to the caption, and Section 5.2.3, call it deterministic with "
        "quadratically many evaluations.",
        matters="DASP is reproducible to the last bit; repeating it provides no error limits.",
        gather=gather_repeats,
        check=check_dasp,
        falls="slip",
    ),
    claim(
        id="ccll23-46e",
        title="Values that depend on the function alone",
        heading="Networks",
        topic="identities",
        where="Table 1, column Model-agnostic, beyond what is said there",
        statement="The values of LinearSHAP, correlated LinearSHAP, interventional TreeSHAP and "
        "shallow ShapNets depend only on the model's outputs; those of path-dependent TreeSHAP, "
        "DeepLIFT, DeepSHAP, DASP and deep ShapNets differ between two models that are the same "
        "function.",
        matters="Two networks, or trees, that predict the same everywhere can be explained "
        "differently by five of the nine methods.",
        gather=gather_forms,
        check=check_function,
        source="this project",
    ),
)
