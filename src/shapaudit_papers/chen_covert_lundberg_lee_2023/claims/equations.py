"""Claims 23 and 24: Equations 8 and 11."""

from itertools import pairwise

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import by_identity, tell
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.verdict import Verdict

from ..evidence.correlated import gather_prediction
from ..evidence.descent import gather_sizes
from ..evidence.equations import gather_correlated, gather_weights
from ..evidence.foundations import gather_inverse
from .common import claim
from .correlated import check_prediction
from .descent import check_sizes
from .foundations import check_inverse


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
        title="Weights, draws and inverse subsets as printed",
        heading="Least squares on samples",
        topic="identities",
        where="Section 5.2.1, Equation 8 and the sentence after it; Section 5.2.1, paragraph "
        "on SGD-Shapley; Section 5.2.1, paragraph on ApproShapley",
        words="In order to obtain the Shapley value, we require the weighting kernel W(S) ... "
        "It samples subsets according to the weighting kernel W(S) ... from a random "
        "initialization ... antithetic sampling also evaluates the marginal contribution of "
        "the inverse of that subset",
        statement=r"The coefficients of the additive game that minimises $\sum_{S\subseteq "
        r"D}W(S)(u(S)-v(S))^2$, $W(S)=\frac{d-1}{\binom d{|S|}|S|(d-|S|)}$, are the Shapley "
        "values. SGD-Shapley samples subsets according to the weighting kernel $W(S)$, and "
        "starts at random. Antithetic sampling also evaluates the marginal contribution to the "
        r"inverse $N\setminus S$ of a subset $S$.",
        hedges="A footnote calls it a generalised version, which “originally involved "
        "additional constraints on the coefficients”.",
        gather=gather_weights,
        check=check_weights,
        also=(
            (gather_sizes, check_sizes),
            (gather_inverse, check_inverse),
        ),
        falls="slip",
        matters="The terms of the empty and the grand coalition have to be constraints, as in "
        "KernelSHAP; omitting them gives other values. The steps and bounds of the cited paper "
        "apply to its own sampling, not to sampling by the kernel; the printed errors are "
        "those of the cited method. In antithetic sampling the player is left out of the "
        "inverse as well.",
    ),
    claim(
        id="ccll23-24",
        title="Correlated LinearSHAP",
        heading="Ways to remove a feature",
        topic="identities",
        where="Section 5.2.3, Equation 11; Section 5.2.3, paragraph on correlated LinearSHAP",
        words="assuming that the data follows a multivariate Gaussian distribution ... which "
        "is not true in general",
        statement="For linear models of Gaussian features the conditional Shapley values are "
        r"$\beta^\top A_i\mu+\beta^\top B_ix^e$, with matrices that do not depend on the "
        r"explicand. For linear models $\mathbb E[f(x)\mid x_S]=f(\mathbb E[x\mid x_S])$, which "
        "is not true in general.",
        hedges="The matrices are sums over exponentially many coalitions, which are sampled in "
        "practice.",
        gather=gather_correlated,
        check=check_correlated,
        also=((gather_prediction, check_prediction),),
        matters="The mean prediction of a nonlinear model cannot be computed from the means of "
        "the features.",
    ),
)
