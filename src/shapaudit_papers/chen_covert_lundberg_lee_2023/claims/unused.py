"""Claims 25, 26, 29, 30 and 55: which features get credit, and by which axioms."""

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import by_identity, tell
from shapaudit_audit.audit.judges.identity import against, first_mismatch
from shapaudit_audit.audit.verdict import Ruling, Verdict

from ..evidence.encodings import gather_encodings, gather_splitting
from ..evidence.unused import (
    gather_baselines,
    gather_dependence,
    gather_identify,
    gather_ignored,
    gather_matching,
    gather_unused,
)
from .common import claim
from .encodings import check_encodings, check_splitting

SWAPPED, UNUSED, AXIOMS = "prop:chen-swapped", "prop:chen-unused", "prop:chen-axioms"


def check_baselines(evidence: Evidence, alpha: float) -> Verdict:
    """Proved if baseline and explicand alone explain equal parts of the variance in every case."""
    cases, least = evidence["cases"], min(evidence["shares"])
    return by_identity(
        cases,
        "If explicands and baselines come from one distribution, the values change sign when the "
        "two are exchanged. Whatever the model, the baseline alone therefore explains exactly as "
        "much of their variance as the explicand, and is involved in at least half of it. Over "
        f"random tables it is involved in {float(min(evidence['shares'])):.2f} to "
        f"{float(max(evidence['shares'])):.2f}.",
        lambda case: (
            f"{case.label}: {case.left} of the variance is explained by the baseline, "
            f"{case.right} by the explicand."
        ),
        numbers={"least_share": float(least), "largest_share": float(max(evidence["shares"]))},
        sample={"values": len(cases)},
        shown_by=SWAPPED,
    )


def check_unused(evidence: Evidence, alpha: float) -> Verdict:
    """Proved if values are nonzero exactly where features are informative about the output;
    loosely so if a feature that is correlated is not.
    """
    rows = evidence["rows"]
    wrong = [row["law"] for row in rows if row["tells"] != bool(row["credit"])]
    spread = any(evidence["orthogonal"])
    counts = {"telling": sum(row["tells"] for row in rows), "laws": len(rows)}
    return tell(
        "refuted" if wrong or spread else "proved",
        {
            "refuted": "Credit does not follow from the information in a feature: "
            f"{'; '.join(wrong) or 'the example of correlated features'}.",
            "proved": "A feature that the model does not use has credit for some explicand "
            "exactly if it changes the expected output given some of the features, as in "
            f"{counts['telling']} of {counts['laws']} random distributions. Correlation is not "
            "the condition: of two correlated features, the unused one has no credit for any "
            "explicand if the expected output is the same for all of its values.",
        },
        "loosely" if not (wrong or spread) and evidence["covariance"] else None,
        shown_by={"proved": UNUSED},
        numbers=counts | {"covariance": evidence["covariance"]},
        rows=rows,
    )


def check_ignored(evidence: Evidence, alpha: float) -> Verdict:
    """Proved if the unused feature has the value 0 in every case."""
    cases = evidence["cases"]
    return by_identity(
        cases,
        f"Exactly 0 in {len(cases)} cases, and in general, because no hybrid row changes. "
        "Conditional values of such features are 0 for all models if and only if the feature is "
        "independent of the others jointly.",
        sample={"values": len(cases)},
        shown_by=UNUSED,
    )


def check_matching(evidence: Evidence, alpha: float) -> Verdict:
    """Proved if every feature that equals the baseline has the value 0."""
    cases, value = evidence["cases"], evidence["marginal"]
    return by_identity(
        cases,
        f"A feature with the baseline's value is a null player: its value is 0 in {len(cases)} "
        f"cases. With a distribution of baselines it may have credit, {value} in the smallest "
        "example, where half of the rows have its value.",
        numbers={"marginal": value},
        sample={"values": len(cases)},
        shown_by=AXIOMS,
    )


def check_axioms(evidence: Evidence, alpha: float) -> Verdict:
    """Proved when both sides of every axiom agree."""
    cases, removals = evidence["cases"], len(evidence["removals"])
    return by_identity(
        cases,
        f"For the games of all {removals} removals of random tables, efficiency, additivity, "
        f"dummy and symmetry hold exactly, in {len(cases)} comparisons, and for every game. The "
        "axioms concern the game: a null player need not be a feature that the model ignores.",
        sample={"comparisons": len(cases)},
        shown_by=AXIOMS,
    )


def check_identify(evidence: Evidence, alpha: float) -> Verdict:
    """Judge the example by values of the unused feature, and the general claim by hidden ones."""
    unused, hidden = evidence["unused"], evidence["hidden"]
    wrong = first_mismatch(unused)
    setting = Ruling(
        "refuted" if wrong else "proved",
        f"The marginal value of the unused feature is 0 in all {len(unused)} cases, whereas the "
        f"conditional value is not 0 in {evidence['spread']}."
        if not wrong
        else f"{wrong.label} has the value {wrong.left}.",
    )
    if wrong:
        return against(wrong, f"{wrong.label} has the value {wrong.left}.", setting=setting)
    told = all(row["first"] or row["second"] for row in hidden)
    return tell(
        "exact" if told else "refuted",
        {
            "exact": "Values of 0 belong to features that the model does not use.",
            "refuted": "A value other than 0 belongs to a used feature, but the converse does not "
            "hold: if two features are copies in the data, the model $(x_1-x_2)^2$ uses both, and "
            "both marginal values are 0 at every row of the data. The features are distinguished "
            "if rows outside the data are explained too (C 55b).",
        },
        reach="one model of two features",
        rows=hidden,
        setting=setting,
    )


def check_dependence(evidence: Evidence, alpha: float) -> Verdict:
    """Proved if a feature has a nonzero value somewhere exactly when the model uses it."""
    cases = evidence["cases"]
    return by_identity(
        cases,
        f"This holds in {len(cases)} cases of random models and distributions, some without part "
        "of the rows, and in general: nothing can cancel the largest interactions of a feature.",
        sample={"features": len(cases)},
        shown_by=UNUSED,
    )


HEADING = "Ways to remove a feature"

CLAIMS = (
    claim(
        id="ccll23-25",
        title="The choice of the baseline, and encodings",
        heading="Ways to remove a feature",
        topic="identities",
        where="Section 4.2, second paragraph; Section 4.4, third paragraph; Section 4.4, second "
        "and third paragraphs; Figures 4a and 4b",
        words="the choice of baseline heavily influences the feature attributions ... removing "
        "features with a baseline cannot give credit to pixels that match the baseline ... a "
        "zero baseline has a different meaning in each example ... the same regardless of how "
        "we encode gender",
        statement="The choice of the baseline heavily influences baseline Shapley values. A "
        "feature whose value is that of the baseline gets no credit. For equivalent linear "
        "models a zero baseline produces different baseline Shapley values for different "
        "encodings of gender, and a mean baseline does not.",
        hedges="“heavily” has no number. Judged for baselines drawn from the distribution of the "
        "rows to be explained, one of the choices that the paper lists. Features that match the "
        "baseline are spoken of as pixels of images. Encodings are those of gender, in one "
        "example.",
        gather=gather_baselines,
        check=check_baselines,
        also=(
            (gather_matching, check_matching),
            (gather_encodings, check_encodings),
        ),
        matters="A baseline drawn from the data decides as much about the values as the row that "
        "is explained.",
    ),
    claim(
        id="ccll23-26a",
        title="Conditional credit of correlated features",
        heading=HEADING,
        topic="identities",
        where="Section 4.3, first paragraph; Section 4.4, last paragraph; Figure 4c",
        words="will spread credit among correlated features even if the model does not "
        "directly use all of them ... conditional Shapley values split credit between "
        "correlated features",
        statement="Conditional Shapley values spread credit among correlated features, and "
        "split it between them, even if the model does not use all of them.",
        hedges="“correlated”, where dependence is meant: Section 4.5 speaks of “correlated or "
        "statistically dependent features”. Inferred from comparing two cases, for the "
        "explicand (1, 1, 1) and the baseline 0; interpreted for standard Gaussian features.",
        gather=gather_unused,
        check=check_unused,
        also=((gather_splitting, check_splitting),),
        matters="A conditional value other than zero is no evidence that the model uses the "
        "feature.",
    ),
    claim(
        id="ccll23-55a",
        title="What the model depends on",
        heading=HEADING,
        topic="identities",
        where="Section 4.5, second paragraph",
        words="are able to distinguish between correlated variables and identify whether the model "
        "functionally depends on BMI or weight",
        statement="Marginal Shapley values identify which of several correlated features the "
        "model depends on.",
        hedges="Stated about an example of two features.",
        setting="Two dependent features, BMI and weight, of which the model uses one.",
        matters="A marginal value of zero does not prove that a feature is unused: explain rows "
        "outside the data, or inspect the model.",
        gather=gather_identify,
        check=check_identify,
    ),
    claim(
        id="ccll23-55b",
        title="Unused features under each removal",
        heading=HEADING,
        topic="identities",
        where="Sections 4.3 to 4.5, beyond what is said there",
        statement="A feature that the model does not use has the value $0$ under baseline, "
        "uniform, product and marginal removal; under conditional removal it has the value $0$ "
        "for all such models if and only if it is independent of the others. A model depends on a "
        "feature if and only if, for every background, the feature's marginal Shapley value is "
        "other than $0$ for some explicand among all combinations of values.",
        source="this project",
        gather=gather_ignored,
        check=check_ignored,
        also=((gather_dependence, check_dependence),),
    ),
)
