"""Claim 8: error = bias + variance, and the bias that a finite number of trials shows."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product

import numpy as np

from ...theory.least_squares import rationals, shapley_values
from ...theory.normalisation import decompose
from ...theory.random_order import Outcomes, walk_outcomes
from ..base import Evidence, Verdict
from ..context import Context
from ..exact import (
    Case,
    first_mismatch,
    integer_games,
    random_integers,
    show,
    vector_cases,
    verdict_against,
)
from ..limits import bootstrap
from .common import APPENDIX, TRIALS, claim, published

REPEATS = (2, 3, 7)  # trials of the random decompositions
ENUMERATED = (2, 3)  # trials of the enumerated ones
MOSTLY_CHANCE = 2  # ratio below which chance gives more than half of a bias
# Tables 2 to 7 by what the method promises at every number of samples. The adaptive ones take a
# second stage that depends on the first; least squares have a bias of order 1/m.
UNBIASED = ("ME_RAND", "MEF_RAND", "RO", "RO_ANTI", "ROF", "ROF_ANTI")
FIXED_GRID = ("ME", "ME_ANTI", "MEF", "MEF_ADAPT", "MEF_ANTI")


def gather_identity(context: Context, correction: int = 0) -> Evidence:
    """Error and bias + variance of random integer estimates, exactly."""
    cases = []
    for trials, d in product(REPEATS, (1, 2, 5)):
        for k in range(context.settings.random_games):
            entries = random_integers(context, "ccll23-08", trials, d, k, count=(trials + 1) * d)
            truth, estimates = entries[:d], entries[d:].reshape(trials, d)
            parts = decompose(estimates, truth, correction)
            label = f"{trials} trials, d = {d}, sample {k + 1}"
            cases.append(Case(label, parts.error, parts.bias + parts.variance))
    return {"cases": cases}


def check_identity(evidence: Evidence, alpha: float) -> Verdict:
    """Proved when every case agrees exactly."""
    sample = {"samples": len(evidence["cases"])}
    if wrong := first_mismatch(evidence["cases"]):
        return verdict_against(
            wrong, f"{wrong.label}: {wrong.left} is not {wrong.right}.", sample=sample
        )
    return Verdict(
        "proved",
        f"Exact for {sample['samples']} random samples, and an identity, with the bias squared, "
        "both summed over the features, and the variance divided by the number of trials and not "
        "by one less.",
        "sound",
        sample=sample,
        evidence="prop:chen-decomposition",
    )


def expected_parts(outcomes: Outcomes, truth: np.ndarray, trials: int) -> tuple:
    """E bias and E variance over all sequences of outcomes of so many independent trials."""
    bias = variance = Fraction(0)
    for sequence in product(outcomes, repeat=trials):
        chance = Fraction(1)
        for probability, _ in sequence:
            chance *= probability
        parts = decompose(np.array([x for _, x in sequence]), truth)
        bias += chance * parts.bias
        variance += chance * parts.variance
    return bias, variance


def gather_trials(
    context: Context, outcomes: Callable[[Sequence], Outcomes] = walk_outcomes
) -> Evidence:
    """Expected bias and variance of T walks, against each other, on games of three players."""
    left, right = [], []
    for _, _, values in integer_games(context, "ccll23-08b", dimensions=(3,)):
        law = outcomes(values)
        for trials in ENUMERATED:
            bias, variance = expected_parts(law, shapley_values(values), trials)
            left.append(bias * (trials - 1))
            right.append(variance)
    return {"cases": vector_cases("walk", rationals(left), rationals(right))}


def check_trials(evidence: Evidence, alpha: float) -> Verdict:
    """Proved when the expected bias is the expected variance over T - 1 in every case."""
    sample = {"cases": len(evidence["cases"])}
    if wrong := first_mismatch(evidence["cases"]):
        return verdict_against(
            wrong,
            f"{wrong.label}: the bias times T - 1 is {wrong.left}, the variance {wrong.right}.",
            sample=sample,
        )
    return Verdict(
        "proved",
        "Over T trials an unbiased estimator shows a bias of its variance over T on average, which "
        "is the tabulated variance over T - 1: enumerated over all trials for T = 2 and 3. So "
        f"{TRIALS} trials cannot see a bias below a hundredth of the variance.",
        "sound",
        {"trials": TRIALS},
        sample=sample,
        evidence="prop:chen-decomposition",
    )


def gather_published(context: Context) -> Evidence:
    """Published bias over what chance gives an unbiased method, cell by cell."""
    variances = published("variance")
    ratios = {}
    for cell, bias in published("bias").items():
        # A cell of Table 3 or 6 that is printed as 0 has no digit left.
        if bias > 0 and variances.get(cell, 0) > 0:
            ratio = (TRIALS - 1) * bias / variances[cell]
            ratios.setdefault(cell[1], []).append(ratio)
    return {"ratios": ratios, "unbiased": UNBIASED, "fixed_grid": FIXED_GRID}


def check_published(evidence: Evidence, alpha: float) -> Verdict:
    """Supported when unbiased methods show at most twice the bias that chance gives, on average.

    Chance gives ratios with mean 1; a lower limit above 1 refutes. The methods on a fixed grid have
    a limit as well, which decides nothing: their bias is no matter of chance.
    """
    ratios = evidence["ratios"]
    groups = {
        "unbiased": [r for name in evidence["unbiased"] for r in ratios[name]],
        "fixed grid": [r for name in evidence["fixed_grid"] for r in ratios[name]],
    }
    limits = tuple(
        bootstrap(f"mean ratio, {name}", values, alpha) for name, values in groups.items()
    )
    chance, grid = limits
    rows = tuple(
        {
            "method": name.replace("_", "-"),
            "cells": len(values),
            "mean_ratio": float(np.mean(values)),
            "largest_ratio": max(values),
        }
        for name, values in ratios.items()
    )
    sample = {name.replace(" ", "_"): len(values) for name, values in groups.items()}
    numbers = {"unbiased": chance.estimate, "fixed_grid": grid.estimate}
    summary = (
        "The published bias over what chance gives an unbiased method is, on average over the "
        f"cells of these methods, {show(chance.estimate)} ({show(chance.low)} to "
        f"{show(chance.high)}). For methods on a fixed grid, which the caption of Table 1 excepts, "
        f"it is {show(grid.estimate)} ({show(grid.low)} to {show(grid.high)})."
    )
    status, kind = "inconclusive", "sample"
    if chance.low > 1:
        status, kind = "refuted", "false"
    elif chance.high < MOSTLY_CHANCE:
        status = "supported"
    return Verdict(status, summary, kind, numbers, limits, sample, rows)


CLAIMS = (
    claim(
        id="ccll23-08a",
        title="Error, bias and variance",
        where=f"Section 5.2.2, Figure 5; {APPENDIX}",
        statement=r"Bias and variance of each approach sum to the estimator error: "
        r"$\frac1T\sum_t\|\hat\phi_t-\phi\|^2=\|\bar\phi-\phi\|^2+\frac1T\sum_t"
        r"\|\hat\phi_t-\bar\phi\|^2$.",
        gather=gather_identity,
        check=check_identity,
    ),
    claim(
        id="ccll23-08b",
        title="Bias shown by an unbiased estimator",
        where=f"{APPENDIX}, last paragraph, made quantitative",
        statement=r"An unbiased estimator shows a bias after $T$ trials, whose expectation is its "
        r"variance over $T$ and $1/(T-1)$ of the expected tabulated variance.",
        source="this project",
        gather=gather_trials,
        check=check_trials,
    ),
    claim(
        id="ccll23-08c",
        title="Published biases and chance",
        where=f"Tables 2 to 7 and {APPENDIX}, last paragraph; the caption of Table 1",
        statement=r"The non-zero biases of Tables 2 to 4, of approaches that are provably "
        r"unbiased, are due to the number of trials performed. (Here: those that draw permutations "
        r"or a uniform $q$, in one stage.)",
        gather=gather_published,
        check=check_published,
        statistical=True,
    ),
)
