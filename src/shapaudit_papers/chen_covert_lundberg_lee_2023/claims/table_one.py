"""Claims 74 to 77, 79 and 80: Table 1, and what stands around it."""

from fractions import Fraction
from itertools import pairwise

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import by_identity, tell
from shapaudit_audit.audit.verdict import Ruling, Verdict

from ..evidence.table_one import (
    gather_background,
    gather_conventions,
    gather_counts,
    gather_deep_rows,
    gather_removal_rows,
    gather_words,
)
from .common import TABLE_1, claim

FRESH = "prop:chen-fresh"
COUNTED = ("l_shapley", "c_shapley")


def check_conventions(evidence: Evidence, alpha: float) -> Verdict:
    """Inconsistent if printed cells follow different conventions."""
    rows = evidence["rows"]
    off = {
        name: [row for row in rows if row["printed"] != row[name]]
        for name in ("population", "rows")
    }
    both = all(off.values())
    told = {
        name: ", ".join(f"{row['method']} ({row['column']})" for row in cells)
        for name, cells in off.items()
    }
    return tell(
        "inconsistent" if both else "exact",
        {
            "inconsistent": "Relative to the values of the population, exact methods vary with "
            f"the drawn baselines, and the table differs from this for {told['population']}. "
            "Relative to the values of the given rows, a mean over exact matches has no bias, and "
            f"the table differs from this for {told['rows']}. The table thus uses the first "
            "convention for the bias and the second for the variance.",
            "exact": "All cells follow one convention.",
        },
        reach="the cells on which the conventions differ",
        numbers={"cells": len(rows)},
        rows=rows,
    )


def check_background(evidence: Evidence, alpha: float) -> Verdict:
    """Proved when means and variances are those of the closed form."""
    return by_identity(
        [*evidence["mean"], *evidence["variance"]],
        f"This is exact over all samples of {evidence['rows']} baselines, for "
        f"{len(evidence['mean'])} values of random linear models, and in general. Whether the "
        "method is free of variance depends on whether the baselines are given or drawn.",
        sample={"values": len(evidence["mean"])},
        shown_by=FRESH,
    )


def check_words(evidence: Evidence, alpha: float) -> Verdict:
    """Inconsistent if the table lacks a word that the caption explains."""
    rows = evidence["rows"]
    count = {row["word"]: row["cells"] for row in rows}
    missing = not count["Any"] or not count["LS"]
    return tell(
        "inconsistent" if missing else "exact",
        {
            "inconsistent": f"The table has no “Any” and {count['None']} times “None”, no “LS” and "
            f"{count['WLS']} times “WLS”.",
            "exact": "The table contains the words that its caption explains.",
        },
        reach="Table 1",
        rows=rows,
    )


def check_baseline(evidence: Evidence, alpha: float) -> Verdict:
    """Inconsistent if most baseline rows are printed as biased."""
    rows = evidence["baseline"]
    free = sum(row["bias_free"] == "Yes" for row in rows)
    return tell(
        "exact" if 2 * free > len(rows) else "inconsistent",
        {
            "exact": f"{free} of {len(rows)} rows say this.",
            "inconsistent": f"Table 1 prints {free} of {len(rows)} baseline methods as free of "
            "bias. The removal has no bias, since a baseline game can be evaluated exactly; the "
            "algorithms have.",
        },
        reach="Table 1",
        numbers={"unbiased": free, "methods": len(rows)},
        rows=rows,
    )


def check_deep(evidence: Evidence, alpha: float) -> Verdict:
    """Inconsistent if a method for deep models is printed as bias-free."""
    rows = evidence["rows"]
    free = [row["method"] for row in rows if row["bias_free"] == "Yes"]
    return tell(
        "inconsistent" if free else "exact",
        {
            "inconsistent": f"Table 1 prints {', '.join(free)} as free of bias, which is correct "
            "(C 53a); means over baselines then give marginal values without bias. This requires "
            "a network built for the purpose: no method for arbitrary networks is unbiased.",
            "exact": "All of them are printed as biased.",
        },
        reach="Table 1",
        rows=rows,
    )


def check_empirical(evidence: Evidence, alpha: float) -> Verdict:
    """In the setting, judge by the column of Table 1; in general, by the linear model.

    The general claim is refuted because the linear model requires the mean.
    """
    rows = evidence["marginal"]
    empirical = sum(row["variant"] == "Empirical" for row in rows)
    setting = Ruling(
        "exact" if empirical == len(rows) else "refuted",
        f"{empirical} of {len(rows)} marginal methods of Table 1 are printed as empirical.",
    )
    return Verdict(
        "refuted",
        "This is not necessary: marginal values of a linear model require only the mean of the "
        "features (C 13a), and under a known distribution, such as a table of probabilities, a "
        "marginal game is computed exactly.",
        numbers={"empirical": empirical, "methods": len(rows)},
        rows=rows,
        setting=setting,
        shown_by="prop:chen-linear",
    )


def _even(rows: list[Evidence], key: str) -> bool:
    """Return whether a count grows by the same number for each further player."""
    steps = {Fraction(b[key] - a[key], b["players"] - a["players"]) for a, b in pairwise(rows)}
    return len(steps) == 1


def check_counts(evidence: Evidence, alpha: float) -> Verdict:
    """Judge by the growth of counts: with a fixed radius in the setting, with all in general."""
    rows = evidence["rows"]
    near = [row for row in rows if row["radius"] != "all"]
    far = [row for row in rows if row["radius"] == "all"]
    by_radius = {row["radius"]: [r for r in near if r["radius"] == row["radius"]] for row in near}
    linear = all(_even(group, key) for group in by_radius.values() for key in COUNTED)
    exponential = all(row["l_shapley"] == 2 ** row["players"] for row in far)
    last = far[-1]
    setting = Ruling(
        "exact" if linear else "refuted",
        "With a fixed radius on a chain, the numbers of evaluations of L-Shapley and C-Shapley "
        f"grow in proportion to the players, to {near[-1]['l_shapley']:,} and "
        f"{near[-1]['c_shapley']:,} for {near[-1]['players']} players, and DASP takes two passes "
        "per player and size.",
    )
    return tell(
        "refuted" if exponential else "exact",
        {
            "refuted": "L-Shapley takes all coalitions of a neighbourhood, whose number is "
            f"exponential in its size: {last['l_shapley']:,} if it contains all {last['players']} "
            f"players, whereas C-Shapley takes {last['c_shapley']:,} and DASP {last['dasp']:,} "
            "evaluations.",
            "exact": "Neighbourhoods of all players take only a polynomial number.",
        },
        reach="chains of up to 16 players",
        numbers={"l_shapley": last["l_shapley"], "c_shapley": last["c_shapley"]},
        rows=rows,
        setting=setting,
    )


HEADING = "The table of methods"

CLAIMS = (
    claim(
        id="ccll23-74a",
        title="Sources of bias and variance",
        heading=HEADING,
        topic="identities",
        where=f"Section 6, paragraph on sources of bias and variance; {TABLE_1} and columns "
        "Bias-free and Variance-free",
        words="based on the feature removal approach and estimation strategy of each approach, we "
        "can understand the sources of bias and variance",
        statement=r"Table 1 reports bias and variance that come from the removal and from the "
        r"estimation.",
        hedges="“Finally, we report whether approaches are bias-free and/or variance-free”.",
        matters="Two methods can be compared by these columns only if both draw their baselines "
        "or both are given them.",
        falls="slip",
        gather=gather_conventions,
        check=check_conventions,
    ),
    claim(
        id="ccll23-74b",
        title="LinearSHAP with drawn baselines",
        heading=HEADING,
        topic="convergence",
        where="Table 1, column Variance-free, beyond what is said there",
        statement=r"With $n$ independent baselines LinearSHAP is unbiased and has the variance "
        r"$\beta_i^2\operatorname{Var}(x_i)/n$.",
        source="this project",
        gather=gather_background,
        check=check_background,
    ),
    claim(
        id="ccll23-75",
        title="Wording of the caption",
        heading=HEADING,
        topic="identities",
        where=TABLE_1,
        words="“Any” denotes that it was introduced in game theory ... least squares value (LS)",
        statement=r"The table marks methods from game theory by “Any” and the least squares value "
        r"by “LS”.",
        matters="Read “None” for “Any” and “WLS” for “LS”.",
        falls="slip",
        gather=gather_words,
        check=check_words,
    ),
    claim(
        id="ccll23-76",
        title="Algorithms for baseline values",
        heading=HEADING,
        topic="convergence",
        where="Section 6, paragraph on removal approaches",
        words="algorithms that aim to estimate baseline Shapley values are generally unbiased",
        statement=r"Algorithms that estimate baseline Shapley values are generally unbiased.",
        hedges="“In terms of feature removal approaches”, “generally”.",
        matters="A game without noise does not imply unbiased estimates.",
        falls="slip",
        gather=gather_removal_rows,
        check=check_baseline,
    ),
    claim(
        id="ccll23-77",
        title="Methods for deep models",
        heading=HEADING,
        topic="convergence",
        where="Section 6, last paragraph",
        words="Current model-specific approaches to explain deep models are biased, even for "
        "marginal Shapley values",
        statement=r"All methods that are made for deep models are biased.",
        hedges="“Current”.",
        matters="A network that has to be explained without bias can be designed accordingly.",
        falls="slip",
        gather=gather_deep_rows,
        check=check_deep,
    ),
    claim(
        id="ccll23-79",
        title="Marginal values from data",
        heading=HEADING,
        topic="identities",
        where=TABLE_1,
        words="marginal Shapley values are always estimated empirically",
        statement=r"Marginal Shapley values are always estimated empirically.",
        hedges="Stated about “the specific removal variant employed by each algorithm”.",
        setting="The methods of Table 1.",
        matters="If the mean of the features is known, LinearSHAP needs no rows.",
        gather=gather_removal_rows,
        check=check_empirical,
    ),
    claim(
        id="ccll23-80",
        title="Deterministic with polynomially many evaluations",
        heading=HEADING,
        topic="cost",
        where=f"{TABLE_1}, last note",
        words="can be deterministic with a polynomial number of model evaluations",
        statement=r"L-Shapley, C-Shapley and DASP can be deterministic with a polynomial number of "
        r"evaluations.",
        hedges="“can be”, “often run with fewer evaluations”. That the note refers to these three "
        "follows from Section 5.2.",
        setting="Neighbourhoods of a fixed size, as Section 5.2.1 has them for L-Shapley and "
        "C-Shapley.",
        matters="L-Shapley is cheap only for small neighbourhoods; its cost doubles with each "
        "feature that is added to them.",
        gather=gather_counts,
        check=check_counts,
    ),
)
