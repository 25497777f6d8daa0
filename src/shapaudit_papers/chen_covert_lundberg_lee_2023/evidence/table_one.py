"""Evidence on claims 74 to 77, 79 and 80: Table 1 as printed, and what stands around it."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product
from typing import NamedTuple

import numpy as np

from shapaudit.truth.rational import shapley_values
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Case, Evidence
from shapaudit_papers.theory.removal import Row, linear, marginal_game, mean_row

from .removal import problems

DRAWN = 2  # baselines of a sample


class PrintedMethod(NamedTuple):
    """A row of Table 1."""

    name: str
    strategy: str
    removal: str
    variant: str
    agnostic: str
    unbiased: str
    settled: str  # "Variance-free"


METHODS = [
    PrintedMethod(*line.split(", "))
    for line in (
        "ApproSemivalue, SV, None, Exact, Yes, Yes, No",
        "L-Shapley, SV, Marginal, Empirical, Yes, No, No",
        "C-Shapley, SV, Marginal, Empirical, Yes, No, No",
        "ApproShapley, RO, None, Exact, Yes, Yes, No",
        "IME, RO, Marginal, Empirical, Yes, Yes, No",
        "CES, RO, Conditional, Empirical, Yes, No, No",
        "Shapley cohort refinement, RO, Conditional, Empirical*, Yes, No, No",
        "Generative model, RO, Conditional, Generative, Yes, No, No",
        "Surrogate model, RO, Conditional, Surrogate, Yes, No, No",
        "Multilinear extension sampling, ME, Marginal, Empirical, Yes, Yes, No",
        "SGD-Shapley, WLS, Baseline, Exact, Yes, No, No",
        "KernelSHAP, WLS, Marginal, Empirical, Yes, Yes, No",
        "Parametric KernelSHAP, WLS, Conditional, Parametric, Yes, No, No",
        "Nonparametric KernelSHAP, WLS, Conditional, Empirical*, Yes, No, No",
        "FastSHAP, WLS, Conditional, Surrogate, Yes, No, No",
        "LinearSHAP, Linear, Marginal, Empirical, No, Yes, Yes",
        "Correlated LinearSHAP, Linear, Conditional, Parametric, No, No, No",
        "Interventional TreeSHAP, Tree, Marginal, Empirical, No, Yes, Yes",
        "Path-dependent TreeSHAP, Tree, Conditional, Empirical*, No, No, Yes",
        "DeepLIFT, Deep, Baseline, Exact, No, No, Yes",
        "DeepSHAP, Deep, Marginal, Empirical, No, No, Yes",
        "DASP, Deep, Baseline, Exact, No, No, No",
        "Shallow ShapNet, Deep, Baseline, Exact, No, Yes, Yes",
        "Deep ShapNet, Deep, Baseline, Exact, No, No, Yes",
    )
]


def rows_of(methods: Sequence[PrintedMethod]) -> list[dict[str, str]]:
    """Return methods as rows of a table."""
    keys = ("method", "strategy", "removal", "variant", "agnostic", "bias_free", "variance_free")
    return [dict(zip(keys, method, strict=True)) for method in methods]


def linear_values(beta: Row, explicand: Row, background: Sequence[Row]) -> np.ndarray:
    """Return marginal values (d,) of a linear model, from its game."""
    return shapley_values(marginal_game(linear(beta), explicand, background))


def gather_background(context: Context, values: Callable = linear_values) -> Evidence:
    """Return mean and variance of marginal values over all samples of a few baselines.

    Beside them are the population's values, and beta_i^2 Var(x_i) over the number of baselines.
    """
    mean, variance = [], []
    for label, beta, _, x, rows in problems(context, "ccll23-74", linear, lambda d: d + 1):
        samples = [values(beta, x, drawn) for drawn in product(rows, repeat=DRAWN)]
        means, squares = (
            sum(powers) / Fraction(len(samples))
            for powers in (samples, [sample * sample for sample in samples])
        )
        wanted, spread = values(beta, x, rows), _variances(rows)
        for i in range(len(x)):
            name = f"{label}, feature {i + 1}"
            mean.append(Case(name, means[i], wanted[i]))
            expected = beta[i + 1] ** 2 * spread[i] / DRAWN
            variance.append(Case(name, squares[i] - means[i] ** 2, expected))
    return {"mean": mean, "variance": variance, "rows": DRAWN}


def _variances(rows: Sequence[Row]) -> list[Fraction]:
    mean = mean_row(rows)
    squares = mean_row([[x * x for x in row] for row in rows])
    return [a - b * b for a, b in zip(squares, mean, strict=True)]


def gather_conventions(context: Context, methods: Sequence[PrintedMethod] = METHODS) -> Evidence:
    """Return the cells that depend on the target of the estimates, as printed and as implied.

    "population" takes the values under the law of the data, estimated from drawn rows; "rows"
    takes those of the given rows. Exact methods on drawn baselines vary, as `gather_background`
    shows; means over exact matches are determined by the given rows.
    """
    rows = [
        {
            "method": method.name,
            "column": "Variance-free",
            "printed": method.settled,
            "population": "No",
            "rows": "Yes",
        }
        for method in methods
        if (method.removal, method.agnostic, method.settled) == ("Marginal", "No", "Yes")
    ]
    rows += [
        {
            "method": method.name,
            "column": "Bias-free",
            "printed": method.unbiased,
            "population": "No",
            "rows": "Yes",
        }
        for method in methods
        if (method.removal, method.variant) == ("Conditional", "Empirical")
    ]
    return {"rows": rows}


def gather_words(context: Context, methods: Sequence[PrintedMethod] = METHODS) -> Evidence:
    """Return the words that the caption explains, and how often the table has them."""
    counts = Counter(method.removal for method in methods)
    strategies = Counter(method.strategy for method in methods)
    rows = [
        {"column": "Removal approach", "word": word, "cells": counts[word]}
        for word in ("Any", "None")
    ]
    rows += [
        {"column": "Estimation strategy", "word": word, "cells": strategies[word]}
        for word in ("LS", "WLS")
    ]
    return {"rows": rows}


def gather_removal_rows(context: Context, methods: Sequence[PrintedMethod] = METHODS) -> Evidence:
    """Return the rows of baseline and of marginal methods."""
    return {
        name: rows_of([method for method in methods if method.removal == name.capitalize()])
        for name in ("baseline", "marginal")
    }


def gather_deep_rows(context: Context, methods: Sequence[PrintedMethod] = METHODS) -> Evidence:
    """Return the rows of methods for deep models."""
    return {"rows": rows_of([method for method in methods if method.strategy == "Deep"])}


def neighbourhood_subsets(d: int, k: int) -> set[int]:
    """Return L-Shapley's coalitions on a chain of d: all subsets within k of a node."""
    coalitions = {0}
    for i in range(d):
        members = [1 << j for j in range(max(0, i - k), min(d, i + k + 1))]
        for size in range(1, len(members) + 1):
            coalitions.update(map(sum, combinations(members, size)))
    return coalitions


def connected_subsets(d: int, k: int) -> set[int]:
    """Return C-Shapley's coalitions on a chain: connected ones with and without the node."""
    coalitions = {0}
    for i in range(d):
        for first in range(max(0, i - k), i + 1):
            for end in range(i, min(d, i + k + 1)):
                whole = sum(1 << j for j in range(first, end + 1))
                coalitions.update((whole, whole ^ 1 << i))
    return coalitions


PLAYERS = (8, 12, 16)
RADII = (1, 2)


def _sizes(d: int) -> Iterator[tuple[str, int]]:
    yield from ((str(k), k) for k in RADII)
    yield "all", d


def gather_counts(context: Context, local: Callable = neighbourhood_subsets) -> Evidence:
    """Return the evaluations of L-Shapley, C-Shapley and DASP without sampling, by d and radius.

    Coalitions of a chain are counted by listing them; DASP takes two passes for each feature
    and number of others.
    """
    rows = [
        {
            "players": d,
            "radius": name,
            "l_shapley": len(local(d, k)),
            "c_shapley": len(connected_subsets(d, k)),
            "dasp": 2 * d * d,
        }
        for d in PLAYERS
        for name, k in _sizes(d)
    ]
    return {"rows": rows}
