"""Claims 61, 64, 66, 67 and 78: what fitted conditional expectations tend to."""

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import by_identity, tell
from shapaudit_audit.audit.judges.identity import first_mismatch
from shapaudit_audit.audit.verdict import Verdict

from ..evidence.fitted import (
    gather_gaussian,
    gather_odds,
    gather_saturated,
    gather_separate,
    gather_square,
    gather_surrogate,
    gather_tower,
)
from .common import claim

GAUSSIAN, SURROGATE = "prop:chen-fitted", "prop:chen-surrogate"
SEPARATE = "prop:chen-separate"


def check_gaussian(evidence: Evidence, alpha: float) -> Verdict:
    """Proved if regression residuals are uncorrelated with the present features."""
    cases = evidence["cases"]
    exact, plugged = evidence["square"]
    return by_identity(
        cases,
        "The conditional mean of absent Gaussian features is a regression on the present ones "
        f"({len(cases)} covariances are 0). A coalition needs the conditional mean of the model, "
        "however, which has such a form for some models only and is not the model at the mean: "
        f"for the square of $x_2$, at $x_1=1$ and a correlation of 1/2, it is {exact} and not "
        f"{plugged}.",
        numbers={"mean_of_model": exact, "model_at_mean": plugged},
        sample={"covariances": len(cases)},
        shown_by=GAUSSIAN,
    )


def _missed(evidence: Evidence) -> list[Evidence]:
    """Return pairs of rows, exact and Gaussian, that differ in the value of feature 1 alone."""
    rows = evidence["rows"]
    return [
        {"exact": exact, "fitted": fitted}
        for exact, fitted in zip(rows[::2], rows[1::2], strict=True)
        if exact["first_alone"] != fitted["first_alone"]
    ]


def check_linear(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted if the conditional values of a linear model are not recovered."""
    missed = _missed(evidence)
    return tell(
        "refuted" if missed else "proved",
        {
            "proved": "With the distribution of the example, the values of the linear model are "
            "correct.",
            "refuted": lambda: (
                "The exception requires more than a linear model: $f(x)=x_2$ is linear, but let "
                "$X_1$ be uniform on $-1$, 0 and 1, and $X_2=X_1^2$. The first feature then has "
                f"the value {missed[-1]['exact']['first']} at (1, 1). A normal distribution with "
                "the correct mean and covariance gives "
                f"{missed[-1]['fitted']['first']}: all of its credit is missed, for any number of "
                f"rows, and values are wrong at {len(missed)} of {len(evidence['rows']) // 2} "
                "explicands. That the bias can be large where parametric assumptions are wrong, "
                "Section 5.1.3 says itself. With linear conditional means the values are exact "
                "once mean and covariance are known (C 24)."
            ),
        },
        shown_by=GAUSSIAN,
        numbers={"explicands": len(missed)},
        rows=evidence["rows"],
    )


def check_surrogate(evidence: Evidence, alpha: float) -> Verdict:
    """Proved if both losses are stationary at the conditional expectation."""
    cases = evidence["cases"]
    return by_identity(
        cases,
        "Over all rows of a distribution, squared error and cross-entropy are minimised by the "
        f"conditional expectation in each of {len(cases) // 2} cells, and in general, if the "
        "features that are held out are chosen without regard to the row.",
        lambda case: f"{case.label}: slope {case.left} at the conditional expectation.",
        sample={"cells": len(cases) // 2},
        shown_by=SURROGATE,
    )


def check_saturated(evidence: Evidence, alpha: float) -> Verdict:
    """Proved if the optimal values are the means over matching rows."""
    cases = evidence["cases"]
    return by_identity(
        cases,
        f"In each of {len(cases) // 2} cells the optimum is the mean over the matching rows. So a "
        "surrogate that fits its training rows perfectly has the bias of C 59b at these rows.",
        sample={"cells": len(cases) // 2},
        shown_by=SURROGATE,
    )


def check_odds(evidence: Evidence, alpha: float) -> Verdict:
    """Proved when the log-odds of a mean differ from the mean log-odds in some row."""
    rows = evidence["rows"]
    differing = [row for row in rows if row["differ"]]
    return tell(
        "proved" if differing else "refuted",
        {
            "proved": lambda: _told_odds(differing[0]),
            "refuted": "They agree in all examples.",
        },
        shown_by={"proved": SURROGATE},
        numbers={"differing": len(differing)},
        rows=rows,
    )


def _told_odds(row: Evidence) -> str:
    return (
        f"With probabilities of {row['first']} and {row['second']} the odds of the mean are "
        f"{row['odds_of_mean']}, whose square is {row['odds_of_mean'] ** 2}; the product of the "
        f"two odds is {row['product_of_odds']}. They agree if all probabilities are equal, and by "
        "symmetry around one half."
    )


def check_optimal(evidence: Evidence, alpha: float) -> Verdict:
    """Proved if the best prediction from some features is the conditional expectation of f."""
    cases, labels = evidence["cases"], evidence["labels"]
    return by_identity(
        cases,
        f"In {len(cases)} cases and in general, the best prediction of the target from some "
        "features is the conditional expectation of the best prediction from all of them, if means "
        "or probabilities are predicted. For another model it differs by the conditional mean of "
        "that model's residual. It fails for labels: for two rows with probabilities 3/5 and 1/5, "
        f"the Bayes classifier without features gives {labels['of_mean']}, whereas the mean of its "
        f"labels is {labels['mean_of']}.",
        numbers={"label_of_mean": labels["of_mean"], "mean_of_labels": labels["mean_of"]},
        sample={"values": len(cases)},
        shown_by=SURROGATE,
    )


def check_unrelated(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted if separate regressions agree with the regression on all features."""
    cases = evidence["cases"]
    wrong = first_mismatch(cases)
    row = {"values": len(cases), "different": sum(case.left != case.right for case in cases)}
    return tell(
        "inconclusive" if wrong else "refuted",
        {
            "refuted": "Least squares is an exception: separate regressions are, in every sample, "
            "exactly the conditional values of the full fit under a normal distribution with the "
            f"sample's mean and covariance, in {len(cases)} of {len(cases)} values.",
            "inconclusive": "The two differ.",
        },
        shown_by={"refuted": SEPARATE},
        sample={"values": len(cases)},
        rows=(row,),
    )


HEADING = "Conditional values"
SECTION = "Section 5.1.3"

CLAIMS = (
    claim(
        id="ccll23-61",
        title="Closed forms for Gaussian features",
        heading=HEADING,
        topic="identities",
        where=f"{SECTION}, parametric assumptions",
        words="Conditional expectations for Gaussian random variables have closed-form solutions",
        statement=r"Conditional expectations of Gaussian features have closed forms.",
        hedges="Stated about the features; the values of coalitions are expectations of the model.",
        matters="For most models parametric KernelSHAP has to draw rows, and its values vary with "
        "the draws.",
        gather=gather_gaussian,
        check=check_gaussian,
        stands="loosely",
    ),
    claim(
        id="ccll23-64a",
        title="What surrogates, training with missing features and separate models learn",
        heading=HEADING,
        topic="identities",
        where="Section 5.1.3, surrogate model; Section 5.1.3, missingness during training and "
        "separate models",
        words="has been shown to directly approximate the conditional expectation, both for "
        "regression and classification models ... directly estimating the conditional "
        "expectation ... If every model is optimal (e.g., the Bayes classifier), then the "
        "conditional expectation estimate is exact",
        statement="A surrogate that is trained to match the model with arbitrary features held "
        "out has the conditional expectation as its optimum, by squared error and by "
        "cross-entropy. A model trained to accommodate missing features, and separate models "
        "for sets of features, give the conditional expectations of the output with all "
        "features if they are optimal.",
        hedges="“approximate”; “arbitrarily held-out” is interpreted as without regard to the "
        "row. “the Bayes classifier” is interpreted as its probabilities, and missingness at "
        "the optimum of the training.",
        gather=gather_surrogate,
        check=check_surrogate,
        also=((gather_tower, check_optimal),),
    ),
    claim(
        id="ccll23-64b",
        title="A surrogate that fits its rows, and log-odds",
        heading=HEADING,
        topic="convergence",
        where=f"{SECTION}, surrogate model, beyond what is said there",
        statement="A surrogate with a separate value for each $S$ and $x_S$, trained on a sample, "
        "is the mean over matching rows, including the explicand's own row. The log-odds of a "
        "surrogate trained by cross-entropy are not the conditional expectation of the model's "
        "log-odds.",
        source="this project",
        gather=gather_saturated,
        check=check_saturated,
        also=((gather_odds, check_odds),),
    ),
    claim(
        id="ccll23-67b",
        title="Separate models in practice",
        heading=HEADING,
        topic="identities",
        where=f"{SECTION}, separate models",
        words="In practice, however, the various models will be sub-optimal and unrelated to the "
        "original one",
        statement=r"Models that are trained on different sets of features are unrelated to the "
        r"original one.",
        hedges="“In practice”; stated about all kinds of models, with the remark that trees and "
        "networks are the most costly.",
        matters="Separate linear regressions do explain the full one: they are its conditional "
        "values for features with linear dependence.",
        lacks="models other than least squares",
        falls="hypothesis",
        gather=gather_separate,
        check=check_unrelated,
    ),
    claim(
        id="ccll23-78",
        title="The exception of linear models",
        heading=HEADING,
        topic="convergence",
        where="Section 6, paragraph on removal approaches",
        words="difficult to estimate with low bias and variance, except in the case of linear "
        "models",
        statement=r"Conditional Shapley values of linear models can be estimated with low bias and "
        r"variance.",
        hedges="“currently difficult”. Section 5.1.3 says that parametric approaches “can have "
        "large bias if the parametric assumptions are incorrect”, and Table 1 calls correlated "
        "LinearSHAP biased.",
        matters="A linear model does not make conditional values easy: the dependence between the "
        "features has to be linear.",
        lacks="features whose conditional means are linear",
        falls="hypothesis",
        gather=gather_square,
        check=check_linear,
    ),
)
