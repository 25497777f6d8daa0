"""Evidence on claims 1 to 5.

Lifts, equations 8, 13 and 15, and uncorrelated features, in exact arithmetic.
"""

from fractions import Fraction
from itertools import permutations

import numpy as np

from shapaudit.truth.rational import rationals
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Case, Evidence
from shapaudit_audit.audit.exact import random_integers, vector_cases
from shapaudit_papers.theory.regression import (
    chain_parameters,
    fit,
    lifts,
    merged,
    moments,
    r_squared,
    solve,
)

from .common import integer_problems

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


def uncorrelated_lifts(context: Context, train_only: bool) -> Evidence:
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


def gather_uncorrelated(context: Context) -> Evidence:
    """`uncorrelated_lifts` with orthogonal columns in both parts."""
    return uncorrelated_lifts(context, train_only=False)


def gather_uncorrelated_in_training(context: Context) -> Evidence:
    """`uncorrelated_lifts` with orthogonal columns in the training part alone."""
    return uncorrelated_lifts(context, train_only=True)


def gather_coefficients(context: Context, factor=lambda n: Fraction(1)) -> Evidence:
    """Coefficients of orthogonal columns by the printed formula, and by least squares.

    ``factor`` is what the printed formula is multiplied by, as a function of the number of rows.
    """
    rows = rationals((WALSH[:, 1:] * [1, 2, 3]).ravel().tolist()).reshape(4, 3)
    n, cases = len(rows), []
    for k in range(context.settings.random_games):
        target = random_integers(context, "bdb24-05c", k, count=n)
        covariance = (rows * rows).sum(axis=0) / Fraction(n)
        printed = factor(n) * (rows.T @ target) / covariance
        cases += vector_cases(f"data {k + 1}", printed, fit(rows, target, range(3)))
    return {"cases": cases, "n_rows": n}
