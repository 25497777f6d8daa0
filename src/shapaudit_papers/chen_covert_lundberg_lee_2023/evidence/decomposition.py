"""Evidence on claim 8.

Error = bias + variance, and the bias that a finite number of trials shows.
"""

from collections.abc import Callable
from itertools import product

import numpy as np

from shapaudit.truth.rational import rationals, shapley_values
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Case, Evidence, sampled
from shapaudit_audit.audit.exact import integer_games, random_integers, vector_cases
from shapaudit_papers.theory.normalisation import decompose, expected_parts
from shapaudit_papers.theory.random_order import Outcomes, walk_outcomes

from .common import TRIALS, published

REPEATS = (2, 3, 7)  # trials of the random decompositions
ENUMERATED = (2, 3)  # trials of the enumerated ones
# Tables 2 to 7 by what the method promises at every number of samples. The adaptive ones take a
# second stage that depends on the first; least squares have a bias of order 1/m.
UNBIASED = ("ME_RAND", "MEF_RAND", "RO", "RO_ANTI", "ROF", "ROF_ANTI")
FIXED_GRID = ("ME", "ME_ANTI", "MEF", "MEF_ADAPT", "MEF_ANTI")


def gather_identity(context: Context, correction: int = 0) -> Evidence:
    """Return the error and bias + variance of random integer estimates, exactly."""
    cases = []
    for trials, d in product(REPEATS, (1, 2, 5)):
        for k in range(context.settings.random_games):
            entries = random_integers(context, "ccll23-08", trials, d, k, count=(trials + 1) * d)
            truth, estimates = entries[:d], entries[d:].reshape(trials, d)
            parts = decompose(estimates, truth, correction)
            label = f"{trials} trials, d = {d}, sample {k + 1}"
            cases.append(Case(label, parts.error, parts.bias + parts.variance))
    return {"cases": cases}


def gather_trials(
    context: Context, outcomes: Callable[[np.ndarray], Outcomes] = walk_outcomes
) -> Evidence:
    """Return expected bias and expected variance of T walks on games of three players."""
    left, right = [], []
    for _, _, values in integer_games(context, "ccll23-08b", dimensions=(3,)):
        law = outcomes(values)
        for trials in ENUMERATED:
            bias, variance = expected_parts(law, shapley_values(values), trials)
            left.append(bias * (trials - 1))
            right.append(variance)
    return {"cases": vector_cases("walk", rationals(left), rationals(right))}


@sampled
def gather_published(context: Context) -> Evidence:
    """Return the published bias over its expectation for an unbiased method, by cell."""
    variances = published(context, "variance")
    ratios: dict[str, list[float]] = {}
    for cell, bias in published(context, "bias").items():
        # A cell of Table 3 or 6 that is printed as 0 has no digit left.
        if bias > 0 and variances.get(cell, 0) > 0:
            ratio = (TRIALS - 1) * bias / variances[cell]
            ratios.setdefault(cell[1], []).append(ratio)
    return {"ratios": ratios, "unbiased": UNBIASED, "fixed_grid": FIXED_GRID}
