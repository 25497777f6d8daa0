"""Evidence on claims 16 and 17: cross-validation, a penalty that is chosen, other penalties."""

from fractions import Fraction
from itertools import permutations, product

import numpy as np

from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Case, Evidence
from shapaudit_audit.audit.exact import random_integers, vector_cases
from shapaudit_papers.theory.regression import fit, lifts

from .common import Part, integer_part, integer_problems

FOLDS = 3
SHRUNK = (Fraction(1, 2), Fraction(0))  # of the coefficient, by a weak and a strong penalty


def mean_error(rows: np.ndarray, target: np.ndarray, theta: np.ndarray) -> Fraction:
    """Mean square error of parameters on some rows."""
    residual = rows @ theta - target
    return (residual @ residual) / Fraction(len(target))


def _splits(data: Part) -> list[tuple[Part, Part]]:
    """Training and test part of each fold; fold m has every third row from the m-th on."""
    rows, target = data
    fold = np.arange(len(target)) % FOLDS
    return [
        ((rows[fold != m], target[fold != m]), (rows[fold == m], target[fold == m]))
        for m in range(FOLDS)
    ]


def validated_lifts(splits: list[tuple[Part, Part]], order: tuple[int, ...]) -> np.ndarray:
    """Lifts (p,) along an order of 1 - mean error over mean error without features."""
    p = len(order)
    nothing = np.full(p, Fraction(0), dtype=object)
    whole = sum((mean_error(*test, nothing) for _, test in splits), Fraction(0))
    gains, before = np.full(p, Fraction(0), dtype=object), Fraction(0)
    for k, j in enumerate(order, start=1):
        parts = (mean_error(*test, fit(*train, order[:k])) for train, test in splits)
        errors = sum(parts, Fraction(0))
        gains[j], before = 1 - errors / whole - before, 1 - errors / whole
    return gains


def gather_folds(context: Context, direct=validated_lifts) -> Evidence:
    """Lifts of the cross-validated metric, and weighted means of the lifts of its folds."""
    cases = []
    for p in range(2, min(3, context.settings.brute_force_dimension) + 1):
        for k in range(context.settings.random_games):
            data = integer_part(context, "bdb24-16", p, k, n_rows=FOLDS * (p + 2), p=p)
            splits = _splits(data)
            nothing = np.full(p, Fraction(0), dtype=object)
            weights = [mean_error(*test, nothing) for _, test in splits]
            if not all(weights):
                continue
            for order in permutations(range(p)):
                parts = [w * lifts(*split, order) for w, split in zip(weights, splits, strict=True)]
                mean = sum(parts) / sum(weights)
                label = f"p = {p}, problem {k + 1}, order {order}"
                cases += vector_cases(label, direct(splits, order), mean)
    return {"cases": cases}


def gather_selection(context: Context, candidates=SHRUNK) -> Evidence:
    """Mean R^2 of one feature without any effect, over all signs of two test responses.

    With each candidate for the coefficient, and with the one that has the smaller error on the same
    test rows, which are 1 and 1.
    """
    signs = list(product((-1, 1), repeat=2))
    table = [[_r_squared(theta, y) for theta in candidates] for y in signs]
    fixed = [sum(column) / Fraction(len(signs)) for column in zip(*table, strict=True)]
    return {"fixed": fixed, "chosen": sum(map(max, table)) / Fraction(len(signs))}


def _r_squared(theta: Fraction, responses: tuple[int, ...]) -> Fraction:
    lost = sum((theta - y) ** 2 for y in responses)
    return 1 - Fraction(lost) / sum(y * y for y in responses)


def gather_reduced(context: Context, constant=lambda rest: rest) -> Evidence:
    """Return the loss at random parameters, and the reduced loss plus a constant.

    The reduced loss is a form in R'R = X'X, so that no roots are needed.
    """
    cases = []
    for label, (rows, target), _ in integer_problems(context, "bdb24-17"):
        p = rows.shape[1]
        best = fit(rows, target, range(p))
        rest = (rows @ best - target) @ (rows @ best - target)
        at = random_integers(context, "bdb24-17", "parameters", label, count=p)
        residual, apart = rows @ at - target, at - best
        reduced = apart @ (rows.T @ rows) @ apart
        cases.append(Case(label, residual @ residual, reduced + constant(rest)))
    return {"cases": cases}
