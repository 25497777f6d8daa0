"""Claim 47: correlated LinearSHAP."""

from shapaudit.explainers.correlated_linear import MOST_EXACT
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import tell
from shapaudit_audit.audit.judges.identity import against, first_mismatch
from shapaudit_audit.audit.verdict import Verdict

from ..evidence.correlated import gather_laws
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


def check_variance(evidence: Evidence, alpha: float) -> Verdict:
    """Exact where the values from one sampled order vary about the Shapley values."""
    rows, cases = evidence["rows"], evidence["cases"]
    if wrong := first_mismatch(cases):
        text = f"{wrong.label}: {wrong.left} on average, and exactly {wrong.right}."
        return against(wrong, text, "inconclusive")
    varying = sum(row["variance"] != 0 for row in rows)
    return tell(
        "exact" if varying else "refuted",
        {
            "exact": "The values of correlated LinearSHAP from one order vary in "
            f"{varying} of {len(rows)} random models. "
            f"Their mean over all orders is exact in {len(cases)} entries, and in general. An "
            "order costs one factorisation, whereas the differences of conditional expectations "
            "would need one for every feature.",
            "refuted": "The values from one order do not vary.",
        },
        reach=f"{len(rows)} models of up to four features",
        numbers={"varying": varying, "players": MOST_EXACT},
        sample={"entries": len(cases)},
        rows=rows,
    )


def check_gaussian(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted if values are unbiased under a law that is not Gaussian."""
    rows = evidence["rows"]
    biased = [row["law"] for row in rows if row["largest_bias"]]
    free = [row["law"] for row in rows if not row["largest_bias"]]
    return tell(
        "refuted" if free else "exact",
        {
            "refuted": "None of these distributions is Gaussian, and there is no bias: "
            f"{'; '.join(free)}. There is a bias for this one: {'; '.join(biased) or 'none'}. "
            "What matters is whether the regressions of the features on each other are linear: "
            "with the true mean and covariance the values are then exact for every linear model, "
            "as for elliptical, Dirichlet and multinomial distributions.",
            "exact": "Every distribution that is not Gaussian has a bias.",
        },
        shown_by={"refuted": PROOF},
        reach=f"{len(rows)} laws on a few points",
        numbers={"biased": len(biased), "free": len(free)},
        sample={"entries": len(evidence["cases"])},
        rows=rows,
    )


SECTION = "Section 5.2.3, paragraph on correlated LinearSHAP"

CLAIMS = (
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
        "features or counts. Whether it may be used is a question about regressions, which data "
        "can answer.",
    ),
)
