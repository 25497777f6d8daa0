"""Claims 23 and 24: Equations 8 and 11."""

from itertools import pairwise

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import by_identity, tell
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.verdict import Verdict

from ..evidence.equations import gather_correlated, gather_weights
from .common import AGNOSTIC, claim


def check_weights(evidence: Evidence, alpha: float) -> Verdict:
    """Inconsistent if the fit tends to the Shapley values but has them for no finite weight.

    Refuted if larger weights do not come closer.
    """
    rows = evidence["rows"]
    off = [row for row in rows if row["squared_error"]]
    apart = any(
        later["squared_error"] >= earlier["squared_error"]
        for earlier, later in pairwise(rows)
        if earlier["game"] == later["game"] and earlier["squared_error"]
    )
    last = max(rows, key=lambda row: row["end_weight"])
    return tell(
        "refuted" if apart else "inconsistent" if off else "exact",
        {
            "refuted": "Larger weights of the two ends do not lead closer to the Shapley values.",
            "inconsistent": "At the empty and the grand coalition the printed weight divides by "
            "zero. With finite weights there, the minimiser is not the vector of Shapley values "
            f"in {len(off)} of {len(rows)} cases; it tends to it, with a squared error of "
            f"{show(float(last['squared_error']))} at the weight {last['end_weight']}. If the two "
            "terms are interpreted as constraints that hold exactly, the minimiser is the vector "
            "of Shapley values.",
            "exact": "The two ends may have any weight.",
        },
        "wrong" if apart else None,
        reach=f"{len(rows)} games and weights",
        numbers={"off": len(off), "cases": len(rows)},
        rows=rows,
    )


def check_correlated(evidence: Evidence, alpha: float) -> Verdict:
    """Proved when every entry agrees."""
    cases = evidence["cases"]
    return by_identity(
        cases,
        f"Exact in {len(cases)} entries for random models and covariances, and in general. The "
        "two matrices are each other's negatives, so that the values depend only on the "
        "difference between explicand and mean.",
        sample={"entries": len(cases)},
        shown_by="prop:chen-gaussian",
    )


CLAIMS = (
    claim(
        id="ccll23-23",
        title="The weights of Equation 8",
        heading="Least squares on samples",
        topic="identities",
        where=f"{AGNOSTIC}, Equation 8 and the sentence after it",
        words="In order to obtain the Shapley value, we require the weighting kernel W(S)",
        statement=r"The coefficients of the additive game that minimises $\sum_{S\subseteq D}W(S)"
        r"(u(S)-v(S))^2$, $W(S)=\frac{d-1}{\binom d{|S|}|S|(d-|S|)}$, are the Shapley values.",
        hedges="A footnote calls it a generalised version, which “originally involved additional "
        "constraints on the coefficients”.",
        gather=gather_weights,
        check=check_weights,
        falls="slip",
        matters="The terms of the empty and the grand coalition have to be constraints, as in "
        "KernelSHAP; omitting them gives other values.",
    ),
    claim(
        id="ccll23-24",
        title="Correlated LinearSHAP",
        heading="Ways to remove a feature",
        topic="identities",
        where="Section 5.2.3, Equation 11",
        words="assuming that the data follows a multivariate Gaussian distribution",
        statement=r"For linear models of Gaussian features the conditional Shapley values are "
        r"$\beta^\top A_i\mu+\beta^\top B_ix^e$, with matrices that do not depend on the "
        r"explicand.",
        hedges="The matrices are sums over exponentially many coalitions, which are sampled in "
        "practice.",
        gather=gather_correlated,
        check=check_correlated,
    ),
)
