"""Claim 47: correlated LinearSHAP."""

from typing import Any

from shapaudit.explainers.correlated_linear import MOST_EXACT
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import by_identity, tell
from shapaudit_audit.audit.judges.identity import against, first_mismatch
from shapaudit_audit.audit.verdict import Ruling, Verdict

from ..evidence.correlated import gather_laws, gather_orders, gather_prediction
from .common import claim

PROOF = "prop:chen-regressions"


def check_prediction(evidence: Evidence, alpha: float) -> Verdict:
    """Proved if both sides agree for linear models and differ for the product of two features."""
    cases, (other,) = evidence["cases"], evidence["rows"]
    if wrong := first_mismatch(cases):
        return against(
            wrong, f"{wrong.label}: {wrong.left}, whereas $f$ at the mean is {wrong.right}."
        )
    apart = other["mean_of_f"] != other["f_at_mean"]
    return tell(
        "proved" if apart else "refuted",
        {
            "proved": f"Exact in {len(cases)} coalitions of random linear models, and in general. "
            f"The product of two features that are 11 or 00 has the mean {other['mean_of_f']}, "
            f"whereas at the mean it is {other['f_at_mean']}.",
            "refuted": "It holds for the model that is not linear as well.",
        },
        shown_by={"proved": PROOF},
        sample={"coalitions": len(cases)},
        rows=evidence["rows"],
    )


def check_orders(evidence: Evidence, alpha: float) -> Verdict:
    """Proved when the mean over all orders is the vector of Shapley values."""
    cases = evidence["cases"]
    return by_identity(
        cases,
        f"Exact in {len(cases)} entries, over all orders of up to four features, and in general. "
        "So an order costs one factorisation, whereas the differences of conditional expectations "
        "would need one for every feature.",
        lambda case: f"{case.label}: {case.left} on average, and exactly {case.right}.",
        sample={"entries": len(cases)},
        shown_by=PROOF,
    )


def check_variance(evidence: Evidence, alpha: float) -> Verdict:
    """Exact where sampled orders vary; refuted in general where their mean is exact.

    Sums over all coalitions have no variance.
    """
    rows, wrong = evidence["rows"], first_mismatch(evidence["cases"])
    varying = sum(row["variance"] != 0 for row in rows)
    there = Ruling(
        "exact" if varying else "refuted",
        f"The values from one order vary in {varying} of {len(rows)} random models.",
    )
    details: dict[str, Any] = {
        "numbers": {"varying": varying, "players": MOST_EXACT},
        "setting": there,
    }
    if wrong:
        text = f"Not even the sum over all orders is exact: {wrong.label}, {wrong.left}."
        return against(wrong, text, status="inconclusive", **details)
    return tell(
        "refuted",
        {
            "refuted": "The sums over all coalitions require no sample: their mean over orders is "
            f"exact in {len(evidence['cases'])} entries, and up to {MOST_EXACT} features all "
            "coalitions are enumerated, without any variance for a given distribution."
        },
        rows=rows,
        **details,
    )


def biased_laws(evidence: Evidence) -> tuple[list[str], list[str]]:
    """Return the names of the laws with biased values, and those of the others."""
    rows = evidence["rows"]
    biased = [row["law"] for row in rows if row["largest_bias"]]
    return biased, [row["law"] for row in rows if not row["largest_bias"]]


def check_cell(evidence: Evidence, alpha: float) -> Verdict:
    """Exact if values are biased under one of the laws."""
    biased, _ = biased_laws(evidence)
    worst = max(row["largest_bias"] for row in evidence["rows"])
    return tell(
        "exact" if biased else "refuted",
        {
            "exact": f"Values are biased by up to {worst} for this distribution on a few points: "
            f"{'; '.join(biased)}.",
            "refuted": "There is no bias for any of the distributions.",
        },
        reach=f"{len(evidence['rows'])} laws on a few points",
        numbers={"biased": len(biased), "largest_bias": worst},
        rows=evidence["rows"],
    )


def check_gaussian(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted if values are unbiased under a law that is not Gaussian."""
    biased, free = biased_laws(evidence)
    return tell(
        "refuted" if free else "exact",
        {
            "refuted": "None of these distributions is Gaussian, and there is no bias: "
            f"{'; '.join(free)}. There is a bias for this one: {'; '.join(biased) or 'none'}. "
            "What matters is whether the regressions of the features on each other are linear.",
            "exact": "Every distribution that is not Gaussian has a bias.",
        },
        reach=f"{len(evidence['rows'])} laws on a few points",
        numbers={"biased": len(biased), "free": len(free)},
        rows=evidence["rows"],
    )


def check_linear(evidence: Evidence, alpha: float) -> Verdict:
    """Proved if values are unbiased under the laws with linear regressions only."""
    biased, free = biased_laws(evidence)
    agree = len(biased) == 1
    return tell(
        "proved" if agree else "refuted",
        {
            "proved": f"Exact for {'; '.join(free)}, and for all distributions with linear "
            "regressions, such as elliptical, Dirichlet and multinomial distributions.",
            "refuted": f"There is a bias for {'; '.join(biased) or 'none of the distributions'}.",
        },
        shown_by={"proved": PROOF},
        sample={"entries": len(evidence["cases"])},
        rows=evidence["rows"],
    )


SECTION = "Section 5.2.3, paragraph on correlated LinearSHAP"
ROW = "Correlated LinearSHAP [28] Linear Conditional Parametric No No No"

CLAIMS = (
    claim(
        id="ccll23-47b",
        title="Correlated LinearSHAP is biased",
        heading="Ways to remove a feature",
        topic="convergence",
        where="Table 1, row Correlated LinearSHAP, column Bias-free",
        words=ROW,
        statement=r"Correlated LinearSHAP is not free of bias.",
        hedges="Section 5.2.3 says that it is for Gaussian data.",
        matters="If one feature is a curved function of another, values that use only covariances "
        "miss this dependence.",
        gather=gather_laws,
        check=check_cell,
    ),
    claim(
        id="ccll23-47c",
        title="Correlated LinearSHAP has variance",
        heading="Ways to remove a feature",
        topic="convergence",
        where="Table 1, row Correlated LinearSHAP, column Variance-free; Section 5.2.3",
        words="it is stochastic because ... are estimated",
        statement=r"Correlated LinearSHAP is not free of variance, because the matrices $A_i$ and "
        r"$B_i$ are estimated.",
        hedges="“In practice” the matrices are estimated by sampling.",
        setting="Matrices from a sample of orders.",
        matters="Up to 20 features the exact matrices take seconds, once for all explicands; the "
        "method then need not have any variance.",
        gather=gather_orders,
        check=check_variance,
    ),
    claim(
        id="ccll23-47d",
        title="Means of linear models",
        heading="Ways to remove a feature",
        topic="identities",
        where=SECTION,
        words="which is not true in general",
        statement=r"For linear models $\mathbb E[f(x)\mid x_S]=f(\mathbb E[x\mid x_S])$, which is "
        r"not true in general.",
        matters="The mean prediction of a nonlinear model cannot be computed from the means of "
        "the features.",
        gather=gather_prediction,
        check=check_prediction,
    ),
    claim(
        id="ccll23-47e",
        title="One factorisation per order",
        heading="Ways to remove a feature",
        topic="cost",
        where=f"{SECTION}, beyond what is said there",
        statement=r"Along an order $\pi$ with $\Sigma=TET^\top$, $T$ unit lower triangular, the "
        r"$k$-th feature adds $(T^\top\beta)_k(T^{-1}(x^e-\mu))_k$ to the conditional expectation; "
        r"the mean over all orders is the vector of conditional Shapley values.",
        source="this project",
        matters="Beyond 20 features, orders can be sampled at the cost of one factorisation each.",
        gather=gather_orders,
        check=check_orders,
    ),
    claim(
        id="ccll23-47f",
        title="Data that are not Gaussian",
        heading="Ways to remove a feature",
        topic="convergence",
        where=SECTION,
        words="is biased if the data does not follow a multivariate Gaussian distribution, which "
        "is rarely the case in practice",
        statement="Correlated LinearSHAP is biased if the data do not follow a multivariate "
        "Gaussian distribution.",
        gather=gather_laws,
        check=check_gaussian,
        falls="hypothesis",
        lacks="regressions of the features on each other that are not linear",
        matters="It may be used for data that are far from Gaussian, for instance two binary "
        "features or counts.",
    ),
    claim(
        id="ccll23-47g",
        title="Linear regressions suffice",
        heading="Ways to remove a feature",
        topic="convergence",
        where=f"{SECTION}, beyond what is said there",
        statement=r"Correlated LinearSHAP with the true mean and covariance gives the conditional "
        r"Shapley values of every linear model whenever $\mathbb E[x\mid x_S]$ is affine in $x_S$ "
        r"for every $S$.",
        source="this project",
        matters="Whether it may be used is a question about regressions, which data can answer.",
        gather=gather_laws,
        check=check_linear,
    ),
)
