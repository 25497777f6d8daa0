"""Claim 84: the columns Removal approach and Removal variant of Table 1."""

from collections.abc import Callable, Mapping

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import tell
from shapaudit_audit.audit.verdict import Verdict

from ..evidence.removal_cells import gather_evaluated, gather_introduced
from .common import claim

REACH = "a law of 18 rows with four features"
COLUMNS = "columns Removal approach and Removal variant"
NEAR = 0.1  # error of a method of game theory below which it gives the values of its game


def no_rows(row: Evidence) -> bool:
    """Return whether an explanation evaluates no row, but reads the model's parameters."""
    kinds = ("explicand", "observed", "hybrid", "padded", "other")
    return not any(row[kind] for kind in kinds)


def of_baseline(row: Evidence) -> bool:
    """Return whether no row of the data is evaluated and the empty coalition is the baseline."""
    data = row["observed"] or row["hybrid"] or row["other"]
    return row["empty"] == "zeros" and not data and not row["marginal"]


def of_hybrids(row: Evidence) -> bool:
    """Return whether rows combine the explicand with one observed row, with marginal values."""
    return bool(row["marginal"] and row["hybrid"] and not row["other"] and not row["padded"])


def marginal_unread(row: Evidence) -> bool:
    """Return whether the values are marginal although no row is evaluated."""
    return bool(row["marginal"]) and no_rows(row)


def of_matches(row: Evidence) -> bool:
    """Return whether only observed rows are evaluated and values are those of matching rows."""
    return bool(_of_observed(row) and row["matching"] and row["whole"])


def of_cohorts(row: Evidence) -> bool:
    """Return whether only observed rows are evaluated and their whole is not the output."""
    return _of_observed(row) and not row["matching"] and not row["whole"]


def _of_observed(row: Evidence) -> bool:
    unseen = row["hybrid"] or row["padded"] or row["other"] or row["excluded"]
    return row["fit"] == row["fit_observed"] > 0 and not unseen


def by_nearness(row: Evidence) -> bool:
    """Return whether hybrids are evaluated with other weights than the marginal ones."""
    return bool(row["hybrid"] and not row["other"] and not row["marginal"] and not row["matching"])


def of_nodes(row: Evidence) -> bool:
    """Return whether no row is evaluated and values are neither matching nor marginal."""
    return no_rows(row) and not row["marginal"] and not row["matching"]


def of_drawn(row: Evidence) -> bool:
    """Return whether absent features take values that no observed row has."""
    return bool(row["other"] and not row["observed"] and not row["padded"] and not row["fit"])


def of_surrogate(row: Evidence) -> bool:
    """Return whether the model is evaluated only in fitting and on observed rows."""
    return row["fit"] == row["fit_observed"] > 0 and no_rows(row)


def parametric(row: Evidence) -> bool:
    """Return whether values are drawn from a law, or computed from its moments.

    They are neither marginal nor those of matching rows.
    """
    return of_nodes(row) or (of_drawn(row) and not row["marginal"])


# Rows of Table 1 whose cells agree with the definitions of the survey, and what that asks of them.
AGREEING: dict[Callable[[Evidence], bool], tuple[str, ...]] = {
    of_baseline: ("SGD-Shapley", "DeepLIFT", "DASP", "Shallow ShapNet", "Deep ShapNet"),
    of_hybrids: ("IME", "KernelSHAP"),
    marginal_unread: ("LinearSHAP", "Interventional TreeSHAP", "DeepSHAP"),
    of_matches: ("CES",),
    of_cohorts: ("Shapley cohort refinement",),
    by_nearness: ("Nonparametric KernelSHAP",),
    of_drawn: ("Generative model",),
    of_surrogate: ("Surrogate model", "FastSHAP"),
    parametric: ("Parametric KernelSHAP", "Correlated LinearSHAP"),
}
THEORY = ("ApproSemivalue", "ApproShapley")
TREE = "Path-dependent TreeSHAP"
INTRODUCED = ("L-Shapley", "C-Shapley", "Multilinear extension sampling")


def by_method(evidence: Evidence) -> Mapping[str, Evidence]:
    """Return the rows by method."""
    return {row["method"]: row for row in evidence["rows"]}


def check_agreeing(evidence: Evidence, alpha: float) -> Verdict:
    """Exact if the rows that each method evaluates, and its game, are those of its cell."""
    rows = by_method(evidence)
    off = [
        method
        for holds, methods in AGREEING.items()
        for method in methods
        if not holds(rows[method])
    ]
    off += [
        row["method"]
        for row in evidence["theory"]
        if row["asked"] != row["evaluations"] or row["error"] >= NEAR
    ]
    count = sum(map(len, AGREEING.values())) + len(THEORY)
    hybrids = sum(rows[method]["excluded"] for method in AGREEING[of_hybrids])
    return tell(
        "refuted" if off else "exact",
        {
            "exact": f"By the definitions of the survey, {count} methods evaluate the rows that "
            "their cells say. The methods of game theory query coalitions alone, and play a game "
            "without a model. Those with one baseline evaluate no row of the data. IME and "
            f"KernelSHAP join the explicand with observed rows, {hybrids} of which cannot occur; "
            "LinearSHAP, interventional TreeSHAP and DeepSHAP give marginal values without an "
            "evaluation of such a row. CES and cohort refinement evaluate observed rows alone, and "
            "the grand coalition of the latter is worth the mean of a cohort, not the prediction. "
            "Nonparametric KernelSHAP joins the explicand with similar rows; generative models and "
            "normal distributions complete rows by values that were never observed; after the "
            "fit, a surrogate spares the model all evaluations.",
            "refuted": f"This does not hold for {', '.join(off)}.",
        },
        reach=f"{REACH}, and a vote of four",
        numbers={"methods": count},
        sample={"observed": evidence["observed"]},
        rows=evidence["rows"],
    )


def check_tree(evidence: Evidence, alpha: float) -> Verdict:
    """Exact if values are neither marginal nor those of matching rows; loosely so if none is read.

    Then no row is compared with the explicand: what is similar is decided by the tree.
    """
    row = by_method(evidence)[TREE]
    other = not row["marginal"] and not row["matching"]
    return tell(
        "exact" if other else "refuted",
        {
            "exact": "The values are neither those of matching rows nor marginal ones. No row is "
            "evaluated and none is compared with the explicand: shares of rows at the nodes are "
            "multiplied, so that the tree takes the place of a metric."
            if no_rows(row)
            else "Rows are compared with the explicand.",
            "refuted": "The values are those of another removal.",
        },
        ("loosely" if no_rows(row) else None) if other else "slip",
        reach=REACH,
        rows=(row,),
    )


def check_introduced(evidence: Evidence, alpha: float) -> Verdict:
    """Inconsistent with the sources if, as they have them, the game is that of zeros."""
    zeros = [row for row in evidence["rows"] if row["absent"] == "zeros"]
    given = [row for row in evidence["rows"] if row["absent"] == "rows"]
    other = [row["method"] for row in zeros if of_baseline(row) and row["baseline"]]
    served = all(of_hybrids(row) for row in given)
    padded = sum(row["padded"] for row in zeros)
    return tell(
        "inconsistent" if other else "exact" if served else "refuted",
        {
            "inconsistent": f"This is not how {', '.join(other)} were introduced. The paper on "
            "multilinear extension sampling, in Definition III.1, replaces missing features by "
            "zero and allows other baselines. In the public code of L-Shapley and C-Shapley, for "
            "texts, absent words are a token of zeros, words beyond the neighbourhood are present, "
            "and the logarithm of a probability is explained. Implemented in this way here, "
            f"{padded} rows with zeros are evaluated and none of the data. As estimation "
            f"strategies they {'can' if served else 'cannot'} also be applied to a game of hybrids "
            "with rows of the data.",
            "exact": "The sources take rows of data.",
            "refuted": "With rows of data the values are not marginal.",
        },
        reach=REACH,
        numbers={"padded": padded, "methods": len(other)},
        rows=evidence["rows"],
    )


HEADING = "The table of methods"

CLAIMS = (
    claim(
        id="ccll23-84a",
        title="Removals of Table 1",
        heading=HEADING,
        topic="identities",
        where=f"Table 1, {COLUMNS}, but for the rows that C 84c and 84k judge",
        words="we describe the specific removal variant employed by each algorithm",
        statement="Each method removes features as the table has it: none, by one baseline, or by "
        "marginal or conditional values of the variant that is named.",
        hedges="Most papers that introduce the methods could not be read here. Their definitions "
        "are those of Sections 5.1 and 5.2, against which the cells are checked: by the survey's "
        "words, and not by the sources. “Any” of the caption is printed as “None” (C 75).",
        gather=gather_evaluated,
        check=check_agreeing,
    ),
    claim(
        id="ccll23-84c",
        title="Methods introduced with zeros",
        heading=HEADING,
        topic="identities",
        where=f"Table 1, rows L-Shapley, C-Shapley and Multilinear extension sampling, {COLUMNS}",
        words="Marginal Empirical",
        statement=r"L-Shapley, C-Shapley and multilinear extension sampling estimate marginal "
        r"Shapley values from rows of data.",
        hedges="The paper that introduces L-Shapley and C-Shapley could not be read here; for them "
        "the verdict rests on their public code, LCShapley, for texts.",
        matters="The published errors of multilinear extension sampling are those for a baseline "
        "of zeros, and what the public code of L-Shapley and C-Shapley explains is not a "
        "prediction but the logarithm of a probability.",
        falls="slip",
        gather=gather_introduced,
        check=check_introduced,
    ),
)
