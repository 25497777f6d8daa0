"""Claims 68, 70 and 73: errors of conditional values, in data and in themselves."""

from itertools import pairwise

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import by_identity, tell
from shapaudit_audit.audit.judges.identity import first_mismatch
from shapaudit_audit.audit.verdict import Verdict

from ..evidence.criterion import (
    gather_criterion,
    gather_discrepancies,
    gather_draws,
    gather_polynomials,
    gather_rankings,
)
from .common import claim

SIGNS = ("equal_effects", "opposite_effects")
CRITERION, UNBIASED, PAIR = "prop:chen-criterion", "prop:chen-biased", "prop:chen-discrepancy"


def check_metrics(evidence: Evidence, alpha: float) -> Verdict:
    """Proved if the error in data is the error in v plus a part common to all approximations."""
    cases = evidence["cases"]
    return by_identity(
        cases,
        "On fresh rows the mean squared distance of an approximation from the model's output is "
        "its mean squared error plus the mean conditional variance of the model, which is the "
        f"same for all approximations: exactly in {len(cases)} cases, and in general. Differences "
        "between two approximations are differences of their errors. The level of the errors stays "
        "unknown with that variance, up to the distance itself, which is an upper bound.",
        sample={"cases": len(cases)},
        shown_by=CRITERION,
    )


def check_draws(evidence: Evidence, alpha: float) -> Verdict:
    """Proved if errors in data prefer the wrong generator with one draw and not with many."""
    rows = evidence["rows"]
    first, last = rows[0], rows[-1]
    reversed_ = first["right"] > first["always_0"] and last["right"] < last["always_0"]
    return tell(
        "proved" if reversed_ else "refuted",
        {
            "proved": "With one draw, the correct generator of a bit has the distance "
            f"{first['right']} and one that always gives 0 has {first['always_0']}; with "
            f"{last['draws']} draws the distances are {last['right']} and {last['always_0']}. "
            "Subtracting the variance of the draws divided by their number corrects this.",
            "refuted": "The correct generator is preferred with any number of draws.",
        },
        shown_by={"proved": CRITERION},
        rows=rows,
    )


def check_rankings(evidence: Evidence, alpha: float) -> Verdict:
    """Proved if the error in v and the error in the values rank approximations differently."""
    first, second = evidence["rows"]
    opposite = first["in_v"] > second["in_v"] and first["in_values"] < second["in_values"]
    return tell(
        "proved" if opposite else "refuted",
        {
            "proved": f"Adding {first['added']} of three players causes an error of "
            f"{first['in_v']} in $v$ and of {first['in_values']} in the values; adding "
            f"{second['added']} causes errors of {second['in_v']} and {second['in_values']}.",
            "refuted": "Both errors put the two in the same order.",
        },
        shown_by={"proved": CRITERION},
        rows=evidence["rows"],
    )


def check_biased(evidence: Evidence, alpha: float) -> Verdict:
    """Proved if the value is no polynomial of the degree of an unbiased statistic's expectation."""
    rows = evidence["rows"]
    free = [row["rows"] for row in rows if row["difference"] == 0]
    return tell(
        "refuted" if free else "proved",
        {
            "proved": "No statistic of $n$ rows is unbiased for the conditional values under all "
            "distributions: its expectation is a polynomial of degree $n$ in the probabilities of "
            "the rows, whereas a conditional value is not a polynomial, as differences show for "
            f"$n$ up to {rows[-1]['rows']}. For particular distributions, or given a match, some "
            "statistics are unbiased (C 59b).",
            "refuted": f"With {free} rows the value is such a polynomial.",
        },
        shown_by={"proved": UNBIASED},
        rows=rows,
    )


def check_correlation(evidence: Evidence, alpha: float) -> Verdict:
    """Proved if the distance grows with the correlation, on average over the signs of effects.

    Loosely so where it does not for some effects.
    """
    rows = evidence["rows"]
    if wrong := first_mismatch(evidence["cases"]):
        text = f"The distances are not those of the closed form: {wrong.label}."
        return Verdict("refuted", text, rows=rows)
    kinds = [key for key in rows[0] if key != "correlation"]
    falling = [key for key in kinds if any(b[key] < a[key] for a, b in pairwise(rows))]
    means = [sum(row[key] for key in SIGNS if key in row) for row in rows]
    grows = all(a < b for a, b in pairwise(means))
    names = ", ".join(key.replace("_", " ") for key in falling)
    return tell(
        "proved" if grows else "refuted",
        {
            "proved": "For a linear model of two features the mean squared distance increases with "
            "the square of their correlation, on average over signs of the effects."
            + (
                f" For {names} it decreases again beyond 2/3, to {rows[-1][falling[0]]} for copies."
                if falling
                else ""
            ),
            "refuted": "It does not increase with the correlation on average over signs.",
        },
        "loosely" if grows and falling else None,
        shown_by=PAIR,
        rows=rows,
    )


HEADING = "Conditional values"
SECTION = "Section 5.1.3"
AFTER = f"{SECTION}, paragraphs after the list"

CLAIMS = (
    claim(
        id="ccll23-68a",
        title="Metrics for conditional expectations",
        heading=HEADING,
        topic="convergence",
        where=AFTER,
        words="difficult to quantify the approximation quality because the conditional "
        "expectations are unknown ... two reasonable metrics based on mean squared error of the "
        "model’s output",
        statement=r"The quality of approximations of the conditional expectation is difficult to "
        r"quantify; the mean squared error from the model's output is a reasonable measure of it.",
        hedges="“except in very simple cases”; “reasonable”, on rows that were not used for "
        "fitting.",
        matters="Held-out rows can decide which approach to take for one's own data.",
        gather=gather_criterion,
        check=check_metrics,
    ),
    claim(
        id="ccll23-68c",
        title="What the metric does not tell",
        heading=HEADING,
        topic="convergence",
        where=f"{AFTER}, beyond what is said there",
        statement=r"With $K$ draws per value the metric contains the variance of the draws over "
        r"$K$; with one draw a wrong generator can be preferred to the right one. Of two "
        r"approximations the one with the smaller error in $v$ can have the larger error in the "
        "Shapley values.",
        source="this project",
        gather=gather_draws,
        check=check_draws,
        also=((gather_rankings, check_rankings),),
    ),
    claim(
        id="ccll23-70",
        title="Conditional values are estimated with bias",
        heading=HEADING,
        topic="convergence",
        where=f"Section 6, paragraph on removal approaches; {SECTION}, after the list; Table 1, "
        "column Bias-free",
        words="will be biased because the conditional expectation is fundamentally challenging to "
        "estimate",
        statement=r"Algorithms that estimate conditional Shapley values are biased.",
        hedges="Section 5.1.3 says “generally”. Interpreted for the population's values, "
        "estimated from rows alone.",
        matters="With a fixed number of rows there is no unbiased estimator to look for. Drawing "
        "rows until one matches would be unbiased, wherever matches have positive probability.",
        gather=gather_polynomials,
        check=check_biased,
    ),
    claim(
        id="ccll23-73",
        title="Correlation and the choice of removal",
        heading=HEADING,
        topic="identities",
        where="Section 7, third characteristic",
        words="In highly correlated settings, one can expect larger discrepancies between marginal "
        "and conditional Shapley values",
        statement=r"In highly correlated settings, larger discrepancies between marginal and "
        r"conditional Shapley values can be expected.",
        hedges="“one can expect”: taken as a statement on the average over signs of effects.",
        matters="Features that are nearly copies and equally important have nearly the same "
        "values under both.",
        gather=gather_discrepancies,
        check=check_correlation,
    ),
)
