"""Claim 45: FastSHAP."""

import numpy as np

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import by_identity, tell
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.verdict import Verdict

from ..evidence.amortised import gather_free, gather_losses, gather_optimum, gather_runs
from .common import AGNOSTIC, claim

SECTION = f"{AGNOSTIC}, paragraph on FastSHAP"
PROOF = "prop:chen-fastshap"
LOSS_ROUNDING = 1e-9


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


def check_runs(evidence: Evidence, alpha: float) -> Verdict:
    """Exact if runs differ from the Shapley values and from each other.

    A single difference suffices.
    """
    errors, variance = np.asarray(evidence["errors"]), evidence["variance"]
    imperfect, random = bool((errors > LOSS_ROUNDING).all()), variance > LOSS_ROUNDING
    share = variance / errors.mean() if errors.mean() else 0.0
    told = (
        f"{len(errors)} networks trained on the same {evidence['rows']} rows have squared errors "
        f"of {show(errors.min())} to {show(errors.max())} of the squared values on "
        f"{evidence['explicands']} new rows; {show(100 * share)} per cent of the mean is variance "
        "between the runs, the rest is bias."
    )
    return tell(
        "exact" if imperfect and random else "refuted",
        {"exact": told, "refuted": told},
        reach="one model and training set",
        numbers={"smallest": float(errors.min()), "largest": float(errors.max()), "share": share},
        sample={"runs": len(errors)},
        rows=tuple({"run": k + 1, "error": float(e)} for k, e in enumerate(errors)),
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
        title="The optimum of FastSHAP",
        heading="Amortised explanations",
        topic="convergence",
        where=SECTION,
        words="globally optimal estimation model is a function that outputs exact Shapley values",
        statement="As a consequence of its weighted least squares objective, the globally optimal "
        "estimation model of FastSHAP outputs exact Shapley values.",
        hedges="Stated for the optimum, not for the result of training; normalisation is said to "
        "be used (Section 5.2.2).",
        gather=gather_optimum,
        check=check_optimum,
    ),
    claim(
        id="ccll23-45b",
        title="FastSHAP is imperfect and random",
        heading="Amortised explanations",
        topic="convergence",
        where=f"{SECTION}; Table 1",
        words="imperfect accuracy and are random across separate training runs",
        statement=r"The estimates of FastSHAP have imperfect accuracy and are random across "
        r"separate training runs.",
        hedges="Since the explanation model “will generally be non-optimal”.",
        gather=gather_runs,
        check=check_runs,
        matters="Repeated training reveals the variance but not the bias, which is that of the "
        "network and of its training rows.",
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
    claim(
        id="ccll23-93a",
        title="Amortisation of other characterisations",
        heading="Amortised explanations",
        topic="convergence",
        where=f"{AGNOSTIC}, last paragraph, third kind of variant",
        words="amortized explanation models, which have only been applied to the least squares "
        "characterization [32], but may be extended to other characterizations",
        statement=r"Amortised explanation models may be extended from least squares to other "
        r"characterisations of the Shapley value.",
        hedges="“where the Shapley value can be viewed as the solution to an optimization "
        "problem”, which is always possible, because it is the mean of unbiased draws.",
        gather=gather_losses,
        check=check_losses,
        matters="A network may be trained on the draws of any unbiased estimator; which estimator "
        "is preferable depends only on the variance of its draws (C 93b).",
    ),
)
