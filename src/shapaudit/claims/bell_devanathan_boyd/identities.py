"""Claims 1 to 5: lifts, equations 8, 13 and 15, and uncorrelated features, in exact arithmetic."""

from fractions import Fraction
from functools import partial
from itertools import permutations

import numpy as np

from ...theory.least_squares import rationals
from ...theory.regression import chain_parameters, fit, lifts, merged, moments, r_squared, solve
from ..base import Evidence, Verdict
from ..context import Context
from ..exact import Case, first_mismatch, random_integers, vector_cases, verdict_against
from .common import claim, integer_problems

ROOTS = (Fraction(1, 2), Fraction(3))  # square roots of the ridge strengths
WALSH = np.array([[1, 1, 1, 1], [1, -1, 1, -1], [1, 1, -1, -1], [1, -1, -1, 1]])


def gather_efficiency(context: Context, walk=lifts) -> Evidence:
    """The sum of the lifts along every order, and R^2 of all features."""
    cases = []
    for label, train, test in integer_problems(context, "bdb24-01"):
        p = train[0].shape[1]
        total = r_squared(*test, fit(*train, range(p)))
        cases += [
            Case(f"{label}, order {order}", walk(train, test, order).sum(), total)
            for order in permutations(range(p))
        ]
    return {"cases": cases}


def check_cases(evidence: Evidence, alpha: float) -> Verdict:
    """Proved when the two sides of every case are equal."""
    cases = evidence["cases"]
    sample = {"cases": len(cases)}
    if wrong := first_mismatch(cases):
        return verdict_against(
            wrong, f"{wrong.label}: {wrong.left} is not {wrong.right}.", sample=sample
        )
    first = cases[0]
    row = {"case": first.label, "left": first.left, "right": first.right}
    return Verdict(
        "proved",
        f"Equal in all {len(cases)} cases, in rational arithmetic on random integer data.",
        "sound",
        sample=sample,
        rows=(row,),
    )


def gather_chain(context: Context, parameters=chain_parameters) -> Evidence:
    """Parameters of a whole chain by equation 8, and of each model on its own."""
    cases = []
    for label, train, _ in integer_problems(context, "bdb24-02"):
        theta = parameters(*train)
        for k in range(theta.shape[1]):
            own = fit(*train, range(k + 1))
            cases += vector_cases(f"{label}, {k + 1} features", theta[:, k], own)
    return {"cases": cases}


def gather_batches(context: Context, merge=merged) -> Evidence:
    """Mean and covariance of lifts merged batch by batch, and of all of them at once."""
    cases = []
    for batches, size, d in ((2, 2, 2), (3, 4, 3), (5, 3, 3)):
        count = batches * size * d
        rows = random_integers(context, "bdb24-03", batches, count=count)
        rows = rows.reshape(batches, size, d)
        label = f"{batches} batches of {size}"
        for left, right in zip(merge(list(rows)), moments(rows.reshape(-1, d)), strict=True):
            cases += vector_cases(label, np.ravel(left), np.ravel(right))
    return {"cases": cases}


def gather_ridge(context: Context, penalty=lambda root, n: root * root * n) -> Evidence:
    """Least squares of the stacked data, and the parameters that minimise equation 14."""
    cases = []
    for label, (rows, target), _ in integer_problems(context, "bdb24-04"):
        n, p = rows.shape
        for root in ROOTS:
            # Stacked rows times the root of N, which changes no parameter: no roots are left.
            gram = rows.T @ rows + penalty(root, n) * rationals([1] * p) * np.eye(p, dtype=int)
            ridge = solve(gram, rows.T @ target)
            gradient = (rows.T @ (rows @ ridge - target)) / n + root * root * ridge
            cases += vector_cases(f"{label}, lambda = {root * root}", gradient, rationals([0] * p))
    return {"cases": cases}


def gather_uncorrelated(context: Context, train_only: bool = False) -> Evidence:
    """Lifts in every order where training (and test) columns are orthogonal."""
    cases = []
    for k in range(context.settings.random_games):
        numbers = random_integers(context, "bdb24-05", k, count=8 + 12)
        scales = np.abs(numbers[8:12]) + 1
        train = rationals(WALSH[:, 1:].ravel().tolist()).reshape(4, 3), numbers[:4]
        rows = rationals(WALSH[:, 1:].ravel().tolist()).reshape(4, 3)
        rows = rows * scales[:3]
        if train_only:
            rows = rows + numbers[12:16][:, None]
        test = rows, numbers[4:8] + 1
        if not test[1] @ test[1]:
            continue
        first = lifts(train, test, (0, 1, 2))
        for order in permutations(range(3)):
            cases += vector_cases(f"data {k + 1}, order {order}", lifts(train, test, order), first)
    return {"cases": cases}


def check_needed(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted by data for which the order matters."""
    wrong = first_mismatch(evidence["cases"])
    sample = {"cases": len(evidence["cases"])}
    if wrong is None:
        return Verdict(
            "inconclusive", "No order mattered.", "sample", sample=sample, evidence="sec:ls-spa"
        )
    return verdict_against(
        wrong,
        f"{wrong.label}: a lift of {wrong.left} against {wrong.right} in the first order, though "
        "the training columns are orthogonal: the test columns must be so too.",
        kind="hypothesis",
        sample=sample,
    )


CLAIMS = (
    claim(
        id="bdb24-01a",
        title="Lifts add up",
        where="Section 2.2",
        statement=r"Along every order the lifts add up to the metric of all features, "
        r"$\sum_j L(\pi)_j=R^2$.",
        gather=gather_efficiency,
        check=check_cases,
    ),
    claim(
        id="bdb24-02a",
        title="A chain from one factorisation",
        where="Section 3.3, equation 8",
        statement=r"$\tilde R^{-1}\,\mathrm{triu}(\tilde Q^T\tilde Y)$ holds the parameters of all "
        r"models of a chain.",
        gather=gather_chain,
        check=check_cases,
    ),
    claim(
        id="bdb24-03a",
        title="Covariance batch by batch",
        where="Section 3.6, equations 12 and 13",
        statement=r"The updates give the mean and the biased covariance of all lifts so far.",
        gather=gather_batches,
        check=check_cases,
    ),
    claim(
        id="bdb24-04a",
        title="Ridge by stacking",
        where="Section 4.2, equations 14 and 15",
        statement=r"Ridge regression is least squares on the data stacked on $\sqrt\lambda I$.",
        gather=gather_ridge,
        check=check_cases,
    ),
    claim(
        id="bdb24-05a",
        title="Uncorrelated features",
        where="Section 2.4",
        statement=r"If the features are uncorrelated on the training and on the test set, "
        r"$S=L(\pi)$ for every $\pi$.",
        gather=gather_uncorrelated,
        check=check_cases,
    ),
    claim(
        id="bdb24-05b",
        title="Uncorrelated in training only",
        where="Section 2.4",
        statement=r"It is enough for that that the features are uncorrelated on the training set.",
        gather=partial(gather_uncorrelated, train_only=True),
        check=check_needed,
        source="this project",
    ),
)
