"""Claims 1 to 5: lifts, equations 8, 13 and 15, uncorrelated features."""

from functools import partial

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import by_identity
from shapaudit_audit.audit.judges.identity import against, first_mismatch, told
from shapaudit_audit.audit.verdict import Verdict

from ..evidence.correlated import gather_weak
from ..evidence.identities import (
    gather_batches,
    gather_chain,
    gather_efficiency,
    gather_uncorrelated,
    gather_uncorrelated_in_training,
)
from .common import V2, claim
from .correlated import check_weak


def check_cases(what: str, proof: str, evidence: Evidence, alpha: float) -> Verdict:
    """Refuted by a case with different sides; proved otherwise, because there is a proof."""
    cases = evidence["cases"]
    return by_identity(
        cases,
        f"{what}: there is a proof, and the two sides are equal in all {len(cases)} cases of "
        "random integer data, in rational arithmetic.",
        lambda case: f"{case.label}: {case.left} is not {case.right}.",
        sample={"cases": len(cases)},
        rows=({"case": cases[0].label, "left": cases[0].left, "right": cases[0].right},),
        shown_by=proof,
        consequence=None,
    )


def check_needed(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted by data for which the order matters."""
    wrong = first_mismatch(evidence["cases"])
    sample = {"cases": len(evidence["cases"])}
    if wrong is None:
        return Verdict(
            "inconclusive",
            "The order did not matter in any case.",
            sample=sample,
            shown_by="sec:ls-spa",
        )
    return against(
        wrong,
        f"{wrong.label}: a lift is {wrong.left}, but {wrong.right} in the first order, although "
        "the training columns are orthogonal. The test columns must be orthogonal too.",
        sample=sample,
    )


def check_coefficients(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted if the printed formula is not the least-squares solution; a slip if a multiple."""
    cases, n = evidence["cases"], evidence["n_rows"]
    multiple = {case.left / case.right for case in cases if case.right} == {n}
    multiple_text = (
        f"On {n} rows the printed formula gives {n} times the coefficient in each of {len(cases)} "
        r"cases: $\Lambda$ is divided by $N$ and $X^Ty$ is not."
    )
    return by_identity(
        cases,
        f"The formula is the least-squares solution in all {len(cases)} cases.",
        (lambda case: multiple_text) if multiple else told,
        consequence="slip" if multiple else "wrong",
        numbers={"factor": n} if multiple else {},
        sample={"cases": len(cases)},
        reach=f"{len(cases)} cases",
        rows=({"case": cases[0].label, "left": cases[0].left, "right": cases[0].right},),
    )


CLAIMS = (
    claim(
        id="bdb24-01a",
        title="Lifts add up",
        heading="Lifts and chains",
        topic="identities",
        where=f"Section 2.2, Lifts associated with a feature chain; {V2}",
        words="We observe that sum_j L(pi)_j = ... = R^2, the R^2 metric obtained using all "
        "features",
        statement=r"Along every order the lifts add up to the metric of all features, "
        r"$\sum_j L(\pi)_j=R^2$.",
        gather=gather_efficiency,
        check=partial(check_cases, "The sum of the lifts", "prop:bell-lifts"),
    ),
    claim(
        id="bdb24-02a",
        title="A chain from one factorisation",
        heading="Lifts and chains",
        topic="identities",
        where=f"Section 3.3, Equation (8); {V2}",
        words="The solution has the simple form Theta* = R~^-1 triu(Q~^T Y~)",
        statement=r"$\tilde R^{-1}\,\mathrm{triu}(\tilde Q^T\tilde Y)$ contains the parameters of "
        "all models of a chain.",
        hedges="The matrix of features is assumed to have full rank (Section 2.1); credited to the "
        "Frisch–Waugh–Lovell theorem and called well known.",
        gather=gather_chain,
        check=partial(check_cases, "The models of a chain", "prop:bell-chain"),
    ),
    claim(
        id="bdb24-03a",
        title="Covariance batch by batch",
        heading="Batches, ridge, reduction",
        topic="identities",
        where=f"Section 3.6, Batching, Equations (12) and (13); {V2}",
        words="using the update rule ... which holds since ... are equally sized ... using the "
        "update rule provided in [SG18]",
        statement=r"For batches of equal size the updates give the mean and the biased covariance "
        r"of all lifts so far.",
        hedges="Batches “are equally sized”; the update of the covariance is taken from the "
        "literature ([SG18]).",
        gather=gather_batches,
        check=partial(check_cases, "Batches", "prop:bell-batches"),
    ),
    claim(
        id="bdb24-05a",
        title="Features without correlation, or with little",
        heading="Lifts and chains",
        topic="identities",
        where=f"Section 2.4; {V2}",
        words="empirical covariance of the features on both the train and test sets are diagonal "
        "... so S = L(pi) for any pi ... When these assumptions almost hold ... the features are "
        "not too correlated ... the method we propose exhibits very fast convergence",
        hedges="One case “in which the Shapley performance attribution ... is easily found”. "
        "“almost hold”, “not too correlated”; how fast is not said. Judged by the variance of a "
        "chain of independent permutations, relative to the attributions.",
        statement=r"If the features are uncorrelated on the training and on the test set, "
        r"$S=L(\pi)$ for every $\pi$; if they are not too correlated, the estimates converge very "
        "fast.",
        matters="The less the features are correlated, the fewer chains are needed.",
        gather=gather_uncorrelated,
        check=partial(check_cases, "Uncorrelated features", "prop:bell-uncorrelated"),
        also=((gather_weak, check_weak),),
    ),
    claim(
        id="bdb24-05b",
        title="Uncorrelated in training only",
        heading="Lifts and chains",
        topic="identities",
        where="Section 2.4",
        statement="For this it suffices that the features are uncorrelated on the training set.",
        matters="The test columns have to be orthogonal as well, or the lifts depend on the order "
        "of the features.",
        gather=gather_uncorrelated_in_training,
        check=check_needed,
        falls="hypothesis",
        source="this project",
    ),
)
