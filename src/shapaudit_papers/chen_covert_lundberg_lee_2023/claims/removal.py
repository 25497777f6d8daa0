"""Claims 13 and 14: linear models, and marginal values as means of baseline values."""

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import by_identity, tell
from shapaudit_audit.audit.verdict import Verdict

from ..evidence.costs import gather_linear as gather_linear_costs
from ..evidence.drawn_baselines import gather_fresh
from ..evidence.removal import gather_average, gather_beyond, gather_linear
from .common import claim
from .costs import check_linear as check_linear_costs
from .drawn_baselines import check_fresh


def check_linear(evidence: Evidence, alpha: float) -> Verdict:
    """Proved when the three agree in every entry."""
    cases = evidence["cases"]
    return by_identity(
        cases,
        f"Exact in {len(cases)} entries for random linear models, and in general, because their "
        "game is additive. The superscript b of the mean and its missing index are misprints.",
        lambda case: f"{case.label}: {case.left}, and marginally {case.right}.",
        sample={"entries": len(cases)},
        shown_by="prop:chen-linear",
    )


def check_beyond(evidence: Evidence, alpha: float) -> Verdict:
    """Proved if the two values differ for the examples in which they should, and only there."""
    wrong = evidence["wrong"]
    return tell(
        "refuted" if wrong else "proved",
        {
            "refuted": f"This does not hold for {'; '.join(wrong)}.",
            "proved": "The square of one feature is a counterexample, and so is the product of "
            "two features that are correlated in the background; if they are uncorrelated, it is "
            "not. By efficiency, continuous models for which the two agree on all backgrounds are "
            "affine.",
        },
        shown_by={"proved": "prop:chen-linear"},
        rows=evidence["rows"],
    )


def check_average(evidence: Evidence, alpha: float) -> Verdict:
    """Proved when every entry agrees, for all baselines and on average over samples of them."""
    cases = [*evidence["cases"], *evidence["sampled"]]
    return by_identity(
        cases,
        f"Exact in {len(cases)} entries for random models with interactions, and in general by "
        "the linearity of Shapley values in the game.",
        lambda case: f"{case.label}: {case.left}, and {case.right} on average.",
        sample={"entries": len(cases)},
        shown_by="prop:chen-average",
    )


CLAIMS = (
    claim(
        id="ccll23-13a",
        title="LinearSHAP, exact in linear time",
        heading="Ways to remove a feature",
        topic="identities",
        where="Section 5.2.3, Equation 10 and the paragraph after it; Table 1, column "
        "Bias-free; Section 5.2.3, paragraph after Equation 10",
        words="for linear models the marginal Shapley value is equivalent to the baseline "
        "Shapley value with a mean baseline ... it has linear complexity in the number of "
        "features, versus exponential complexity in the general case",
        statement="For a linear model the marginal Shapley values are "
        r"$\phi_i=\beta_i(x^e_i-\mu_i)$, the baseline Shapley values of the mean baseline. "
        "LinearSHAP has linear complexity in the number of features, whereas exact values have "
        "exponential complexity in the general case.",
        hedges="Printed with a superscript b at the mean, and without the index i in its "
        "definition. The mean of the baselines is taken as given.",
        gather=gather_linear,
        check=check_linear,
        also=((gather_linear_costs, check_linear_costs),),
        matters="Values of a linear model cost no more than a prediction.",
    ),
    claim(
        id="ccll23-13b",
        title="The mean baseline beyond linear models",
        heading="Ways to remove a feature",
        topic="identities",
        where="Section 5.2.3, for linear models, and what it leaves out",
        statement=r"For non-linear models the marginal Shapley values are not those of the mean "
        r"baseline: $f(x)=x^2$, and $f(x)=x_1x_2$ when the background is correlated.",
        source="this project",
        gather=gather_beyond,
        check=check_beyond,
    ),
    claim(
        id="ccll23-14a",
        title="Marginal values as means of baseline values",
        heading="Ways to remove a feature",
        topic="identities",
        where="Section 5.1.2, paragraph after Equation 4; Section 6, paragraph on sources of "
        "bias and variance; Table 1, column Bias-free",
        words="the average over many baseline Shapley values ... unbiased if the baselines are "
        "drawn i.i.d. from the baseline distribution ... is bias-free, because marginal "
        "Shapley values and the random order value estimation strategy are both bias-free",
        statement="Marginal Shapley values are the average over many baseline Shapley values; "
        "based on empirical estimates they are unbiased if the baselines are drawn "
        "independently from the baseline distribution. Random orders with randomly drawn "
        "baselines are unbiased for marginal Shapley values, because both draws are.",
        hedges="“e.g., a random subset of rows”: rows drawn without replacement are unbiased "
        "as well, although not independent. The random orders are meant without adaptive "
        "sampling.",
        gather=gather_average,
        check=check_average,
        also=((gather_fresh, check_fresh),),
    ),
)
