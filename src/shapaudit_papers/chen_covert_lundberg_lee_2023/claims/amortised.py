"""Claim 45: FastSHAP."""

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import by_identity
from shapaudit_audit.audit.verdict import Verdict

from ..evidence.amortised import gather_free, gather_losses, gather_optimum
from .common import AGNOSTIC, claim

SECTION = f"{AGNOSTIC}, paragraph on FastSHAP"
PROOF = "prop:chen-fastshap"


def check_optimum(evidence: Evidence, alpha: float) -> Verdict:
    """Proved if the loss of every row is smallest at its Shapley values."""
    return by_identity(
        evidence["cases"],
        "With normalisation in training, the optimal attributions of a row are its Shapley "
        f"values, exactly in {len(evidence['cases'])} entries for $d$ up to "
        f"{evidence['max_dimension']} and by proof for all $d$. The objective is a sum over rows, "
        "so that the optimal function gives them for every row.",
        lambda case: f"{case.label}: {case.left}, whereas the Shapley value is {case.right}.",
        sample={"entries": len(evidence["cases"])},
        shown_by=PROOF,
    )


def check_free(evidence: Evidence, alpha: float) -> Verdict:
    """Proved if normalisation after training gives the Shapley values and is necessary."""
    if not evidence["off"]:
        rows = ({"games": evidence["games"], "off": 0},)
        return Verdict("refuted", "Normalisation is not needed.", "wrong", rows=rows)
    return by_identity(
        evidence["cases"],
        f"In {evidence['off']} of {evidence['games']} games the optimal attributions without "
        "normalisation are not the Shapley values. They differ by one number for all players, so "
        "that additive normalisation afterwards gives the Shapley values, exactly and for all $d$.",
        lambda case: f"{case.label}: {case.left} after normalisation, not {case.right}.",
        numbers={"off": evidence["off"]},
        sample={"games": evidence["games"]},
        shown_by=PROOF,
    )


def check_losses(evidence: Evidence, alpha: float) -> Verdict:
    """Proved if the excess loss is the squared distance from the Shapley values."""
    return by_identity(
        evidence["cases"],
        "The excess loss of normalised attributions over that of the Shapley values is their "
        "squared distance from the Shapley values, multiplied by $1/(2H_{d-1})$, with the "
        "harmonic number $H_{d-1}$, for the least squares of FastSHAP, and by one for squared "
        "distances from walks or from single contributions. So all three have the same optimum, "
        "whatever the network can represent.",
        lambda case: f"{case.label}: {case.left} more, not {case.right}.",
        sample={"games": len(evidence["cases"])},
        shown_by="prop:chen-amortised",
    )


CLAIMS = (
    claim(
        id="ccll23-45a",
        title="Optima of amortised models",
        heading="Amortised explanations",
        topic="convergence",
        where="Section 5.2.1, paragraph on FastSHAP; Section 5.2.1, last paragraph, third kind "
        "of variant",
        words="globally optimal estimation model is a function that outputs exact Shapley "
        "values ... amortized explanation models, which have only been applied to the least "
        "squares characterization [32], but may be extended to other characterizations",
        statement="As a consequence of its weighted least squares objective, the globally "
        "optimal estimation model of FastSHAP outputs exact Shapley values. Amortised "
        "explanation models may be extended from least squares to other characterisations of "
        "the Shapley value.",
        hedges="Stated for the optimum, not for the result of training; normalisation is said "
        "to be used (Section 5.2.2). “where the Shapley value can be viewed as the solution to "
        "an optimization problem”, which is always possible, because it is the mean of "
        "unbiased draws.",
        gather=gather_optimum,
        check=check_optimum,
        also=((gather_losses, check_losses),),
        matters="A network may be trained on the draws of any unbiased estimator; which "
        "estimator is preferable depends only on the variance of its draws (C 93b).",
    ),
    claim(
        id="ccll23-45d",
        title="FastSHAP without normalisation in training",
        heading="Amortised explanations",
        topic="convergence",
        where=f"{SECTION}, beyond what is said there",
        statement="Without normalisation in training, the optimum is the vector of Shapley values "
        "plus one number for all players, which additive normalisation afterwards removes.",
        source="this project",
        gather=gather_free,
        check=check_free,
        matters="An explainer trained without normalisation, as the public code does by default, "
        "has to be normalised in use.",
    ),
)
