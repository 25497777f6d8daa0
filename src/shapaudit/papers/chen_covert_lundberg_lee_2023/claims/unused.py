"""Claims 25, 26, 29, 30 and 55: which features get credit, and by which axioms."""

from shapaudit.audit.evidence import Evidence
from shapaudit.audit.judges import by_identity, tell
from shapaudit.audit.judges.identity import against, first_mismatch
from shapaudit.audit.verdict import Ruling, Verdict

from ..evidence.unused import (
    gather_axioms,
    gather_baselines,
    gather_dependence,
    gather_identify,
    gather_ignored,
    gather_matching,
    gather_unused,
)
from .common import claim

SWAPPED, UNUSED, AXIOMS = "prop:chen-swapped", "prop:chen-unused", "prop:chen-axioms"


def check_baselines(evidence: Evidence, alpha: float) -> Verdict:
    """Proved when baseline and explicand explain as much of the variance, in every entry."""
    cases, least = evidence["cases"], min(evidence["shares"])
    return by_identity(
        cases,
        "With explicands and baselines from one law, the values change sign when the two are "
        "exchanged: whatever the model, the baseline alone explains exactly as much of their "
        "variance as the explicand, and has a part in at least half of it. Over random tables it "
        f"has a part in {float(min(evidence['shares'])):.2f} to "
        f"{float(max(evidence['shares'])):.2f}.",
        lambda case: (
            f"{case.label}: {case.left} of the variance by the baseline, {case.right} by "
            "the explicand."
        ),
        numbers={"least_share": float(least), "largest_share": float(max(evidence["shares"]))},
        sample={"values": len(cases)},
        evidence=SWAPPED,
    )


def check_unused(evidence: Evidence, alpha: float) -> Verdict:
    """Proved when features have credit wherever they tell of the output, and nowhere else."""
    rows = evidence["rows"]
    wrong = [row["law"] for row in rows if row["tells"] != bool(row["credit"])]
    spread = any(evidence["orthogonal"])
    counts = {"telling": sum(row["tells"] for row in rows), "laws": len(rows)}
    return tell(
        "refuted" if wrong or spread else "proved",
        {
            "refuted": "Credit does not follow from what a feature tells: "
            f"{'; '.join(wrong) or 'the example of correlated features'}.",
            "proved": "A feature that the model does not use has credit for some explicand exactly "
            "where it changes the expected output, given some of the features, as in "
            f"{counts['telling']} of {counts['laws']} random laws. Correlation is not the "
            "condition: of two correlated features, the unused one has none at any explicand if "
            "the expected output is the same for all of its values.",
        },
        evidence={"proved": UNUSED},
        numbers=counts | {"covariance": evidence["covariance"]},
        rows=rows,
    )


def check_ignored(evidence: Evidence, alpha: float) -> Verdict:
    """Proved when every value is 0."""
    cases = evidence["cases"]
    return by_identity(
        cases,
        f"Exactly 0 in {len(cases)} cases, and always: no hybrid row changes. Conditional values "
        "of such features are 0 for all models if and only if the feature is independent of the "
        "others together.",
        sample={"values": len(cases)},
        evidence=UNUSED,
    )


def check_matching(evidence: Evidence, alpha: float) -> Verdict:
    """Proved when every value is 0."""
    cases, value = evidence["cases"], evidence["marginal"]
    return by_identity(
        cases,
        f"A feature with the baseline's value is a null player: 0 in {len(cases)} cases. With a "
        f"distribution of baselines it may have credit, {value} in the smallest example, where "
        "half of the rows have its value.",
        numbers={"marginal": value},
        sample={"values": len(cases)},
        evidence=AXIOMS,
    )


def check_axioms(evidence: Evidence, alpha: float) -> Verdict:
    """Proved when both sides of every axiom agree."""
    cases, removals = evidence["cases"], len(evidence["removals"])
    return by_identity(
        cases,
        f"For the games of all {removals} removals of random tables efficiency, additivity, dummy "
        f"and symmetry hold exactly, in {len(cases)} comparisons, and for every game. They speak "
        "of the game: a null player of it need not be a feature that the model ignores.",
        sample={"comparisons": len(cases)},
        evidence=AXIOMS,
    )


def check_identify(evidence: Evidence, alpha: float) -> Verdict:
    """In the example by the values of the unused feature; in general by the hidden ones."""
    unused, hidden = evidence["unused"], evidence["hidden"]
    wrong = first_mismatch(unused)
    setting = Ruling(
        "refuted" if wrong else "proved",
        f"The marginal value of the feature not in use is 0 in all {len(unused)} cases, while the "
        f"conditional one is not in {evidence['spread']}."
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
            "refuted": "A value other than 0 belongs to a feature in use, but not the other way "
            "round: where two features are copies in the data, the model (x1 - x2) squared uses "
            "both, and both marginal values are 0 at every row of the data. They are told apart "
            "when rows off the data are explained too (C 55b).",
        },
        reach="one model of two features",
        rows=hidden,
        setting=setting,
    )


def check_dependence(evidence: Evidence, alpha: float) -> Verdict:
    """Proved when features have credit somewhere exactly if they are used."""
    cases = evidence["cases"]
    return by_identity(
        cases,
        f"So in {len(cases)} cases of random models and laws, some without part of the rows, and "
        "always: of the largest interactions of a feature nothing can cancel.",
        sample={"features": len(cases)},
        evidence=UNUSED,
    )


HEADING = "Ways to remove a feature"

CLAIMS = (
    claim(
        id="ccll23-25",
        title="The choice of the baseline",
        heading=HEADING,
        topic="identities",
        where="Section 4.2, second paragraph",
        words="the choice of baseline heavily influences the feature attributions",
        statement=r"The choice of the baseline heavily influences baseline Shapley values.",
        hedges="“heavily” has no number. Judged for baselines drawn like the rows to be explained, "
        "one of the choices that the paper lists.",
        matters="A baseline drawn from the data decides as much about the values as the row that "
        "is explained.",
        gather=gather_baselines,
        check=check_baselines,
    ),
    claim(
        id="ccll23-26a",
        title="Conditional credit for unused features",
        heading=HEADING,
        topic="identities",
        where="Section 4.3, first paragraph",
        words="will spread credit among correlated features even if the model does not directly "
        "use all of them",
        statement=r"Conditional Shapley values spread credit among correlated features even if the "
        r"model does not use all of them.",
        hedges="“correlated”, where dependence is meant: Section 4.5 speaks of “correlated or "
        "statistically dependent features”.",
        matters="A conditional value other than zero is no sign that the model uses the feature.",
        gather=gather_unused,
        check=check_unused,
        stands="loosely",
    ),
    claim(
        id="ccll23-26b",
        title="Unused features under other removals",
        heading=HEADING,
        topic="identities",
        where="Sections 4.3 to 4.5, beyond what is said there",
        statement=r"A feature that the model does not use has the value $0$ under baseline, "
        r"uniform, product and marginal removal; under conditional removal it has so for all such "
        r"models if and only if it is independent of the others.",
        source="this project",
        gather=gather_ignored,
        check=check_ignored,
    ),
    claim(
        id="ccll23-29",
        title="Features equal to the baseline",
        heading=HEADING,
        topic="identities",
        where="Section 4.4, third paragraph",
        words="removing features with a baseline cannot give credit to pixels that match the "
        "baseline",
        statement=r"A feature whose value is that of the baseline gets no credit.",
        hedges="Said of images.",
        gather=gather_matching,
        check=check_matching,
    ),
    claim(
        id="ccll23-30",
        title="Axioms of each variant",
        heading=HEADING,
        topic="identities",
        where="Section 4.5, first paragraph; Section 4.4, footnote 3",
        words="each Shapley value explanation variant always satisfies the same axioms for its "
        "corresponding coalitional game",
        statement=r"Whatever the removal, Shapley values satisfy all axioms that are defined "
        r"relative to the game.",
        hedges="The paper adds that axioms relative to the model are another matter.",
        gather=gather_axioms,
        check=check_axioms,
    ),
    claim(
        id="ccll23-55a",
        title="What the model depends on",
        heading=HEADING,
        topic="identities",
        where="Section 4.5, second paragraph",
        words="are able to distinguish between correlated variables and identify whether the model "
        "functionally depends on BMI or weight",
        statement=r"Marginal Shapley values identify on which of several correlated features the "
        r"model depends.",
        hedges="Said of an example of two features.",
        setting="Two dependent features, BMI and weight, of which the model uses one.",
        matters="A marginal value of zero does not clear a feature: explain rows off the data, or "
        "look at the model.",
        gather=gather_identify,
        check=check_identify,
    ),
    claim(
        id="ccll23-55b",
        title="Marginal values over all rows",
        heading=HEADING,
        topic="identities",
        where="Section 4.5, beyond what is said there",
        statement=r"A model depends on a feature if and only if the feature's marginal Shapley "
        r"value is other than $0$ for some explicand among all combinations of values, for every "
        r"background.",
        source="this project",
        gather=gather_dependence,
        check=check_dependence,
    ),
)
