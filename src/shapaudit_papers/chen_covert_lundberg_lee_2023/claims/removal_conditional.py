"""Claim 84, h to p: cells on conditional values of the columns on removal of Table 1."""

from shapaudit_audit.audit.evidence import Evidence

from .removal_cells import READ, cell, judged, no_rows


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


CLAIMS = (
    cell(
        "h",
        ("CES",),
        "CES [23] RO Conditional Empirical",
        title="Removal of CES",
        statement=r"CES estimates conditional Shapley values by means over matching rows.",
        hedges="The paper that introduces it could not be read here; its definition is that of "
        "Section 5.1.3. Nothing in that asks for random orders, which the table prints as its "
        "strategy.",
        check=judged(
            ("CES",),
            of_matches,
            "Apart from the explicand, all {first[fit]} rows that are evaluated are observed "
            "rows; none is a hybrid that cannot occur under the distribution. The exact values "
            "are those of means over matching rows. How they are summed over coalitions is a "
            "separate question: if all coalitions are evaluated, nothing is drawn.",
        ),
    ),
    cell(
        "i",
        ("Shapley cohort refinement",),
        "Shapley cohort refinement [53] RO Conditional Empirical*",
        title="Removal of Shapley cohort refinement",
        statement=r"Shapley cohort refinement estimates conditional Shapley values by means over "
        r"similar rows.",
        hedges="“involve defining a similarity metric”. The paper that introduces it could not be "
        "read here; its definition is that of Section 5.1.3 and of its public code, cohortshapley.",
        matters="Its values sum to the mean of the explicand's cohort minus the mean output, not "
        "to the prediction.",
        check=judged(
            ("Shapley cohort refinement",),
            of_cohorts,
            "Apart from the explicand, all {first[fit]} rows that are evaluated are observed "
            "rows, and the explicand's features are not inserted into any of them. The value of "
            "the grand coalition is the mean over the explicand's cohort, not the model's output.",
        ),
    ),
    cell(
        "j",
        ("Nonparametric KernelSHAP",),
        "Nonparameteric KernelSHAP [49] WLS Conditional Empirical*",
        title="Removal of nonparametric KernelSHAP",
        statement=r"Nonparametric KernelSHAP estimates conditional Shapley values by means over "
        r"similar rows.",
        hedges="“involve defining a similarity metric”. The paper that introduces it could not be "
        "read here; its definition is that of its public code, shapr.",
        matters="Unlike a mean over matching rows, it evaluates the model where there are no data.",
        check=judged(
            ("Nonparametric KernelSHAP",),
            by_nearness,
            "Rows are weighted by their distance, and the explicand's features are inserted into "
            "them: {first[excluded]} of the rows that are evaluated cannot occur under the "
            "distribution.",
        ),
    ),
    cell(
        "k",
        ("Path-dependent TreeSHAP",),
        "Path-dependent TreeSHAP [16] Tree Conditional Empirical*",
        title="Removal of path-dependent TreeSHAP",
        statement=r"Path-dependent TreeSHAP estimates conditional Shapley values empirically, "
        r"with a similarity metric.",
        hedges="Its definition is that of Section 5.2.3, which interprets it as a mean over "
        "cohorts (C 49a).",
        matters="There is no metric to choose and no way to bring it closer to the conditional "
        "values: the tree decides.",
        falls="slip",
        check=judged(
            ("Path-dependent TreeSHAP",),
            of_nodes,
            "No row is evaluated and none is compared with the explicand; the shares of rows at "
            "the nodes are multiplied. The values are neither those of matching rows nor marginal "
            "ones.",
            status="refuted",
        ),
    ),
    cell(
        "m",
        ("Generative model",),
        "Generative model [50] RO Conditional Generative",
        title="Removal by a generative model",
        statement="The generative model estimates conditional Shapley values by means of rows "
        "that it draws.",
        hedges=f"{READ} Section 5.1.3.",
        check=judged(
            ("Generative model",),
            of_drawn,
            "It learns from rows without a model. Of {first[other]} rows that are then evaluated "
            "besides the explicand, none was observed: absent features take drawn values.",
        ),
    ),
    cell(
        "n",
        ("Surrogate model", "FastSHAP"),
        "Conditional Surrogate",
        title="Removal by a surrogate",
        statement=r"The surrogate model and FastSHAP estimate conditional Shapley values by a "
        r"surrogate of the model.",
        hedges=f"{READ} Sections 5.1.3 and 5.2.1. FastSHAP can be trained on any game (C 81).",
        check=judged(
            ("Surrogate model", "FastSHAP"),
            of_surrogate,
            "The model is evaluated on the {first[fit]} observed rows in fitting, and never for "
            "an explanation. The value of the grand coalition is the surrogate's output for the "
            "explicand, not the model's.",
        ),
    ),
    cell(
        "p",
        ("Parametric KernelSHAP", "Correlated LinearSHAP"),
        "Conditional Parametric",
        title="Removal by a normal distribution",
        statement="Parametric KernelSHAP and correlated LinearSHAP estimate conditional Shapley "
        "values by means of a parametric distribution.",
        hedges=f"{READ} Sections 5.1.3 and 5.2.3.",
        check=judged(
            ("Parametric KernelSHAP", "Correlated LinearSHAP"),
            parametric,
            "Parametric KernelSHAP evaluates {first[other]} rows completed by a normal "
            "distribution, none of them observed. For a linear model the means of the "
            "distribution suffice, and correlated LinearSHAP evaluates no row.",
        ),
    ),
)
