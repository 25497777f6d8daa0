"""Evidence on claims 74 to 77 and 80: Table 1 as printed, and what stands around it."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_papers.theory.conditional import own_row_bias

from .repeats import POPULATION, Values, of_rows, spread

# A feature that matches with probability 1/2, two other rows, f(x) - v(S) = 1.
MATCHED = (Fraction(1, 2), 2, Fraction(1))


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


def gather_conventions(
    context: Context,
    methods: Sequence[PrintedMethod] = METHODS,
    named: Callable[[], Iterator[tuple[str, Values]]] = of_rows,
) -> Evidence:
    """Return the cells that depend on the target of the estimates, as printed and as implied.

    "population" takes the values under the law of the data, estimated from drawn rows; "rows"
    takes those of the given rows. ``off`` is by how much a cell misses the former: the variance of
    methods that are exact for given baselines, over all samples of some of them, and the bias of
    means over exact matches with the explicand's own row (C 59b). For given rows both are 0.
    """
    variances = {name: spread(values, POPULATION) for name, values in named()}
    rows = []
    for method in methods:
        if method.name in variances and method.settled == "Yes":
            rows.append(_cell(method, "Variance-free", method.settled, variances[method.name]))
        if (method.removal, method.variant) == ("Conditional", "Empirical"):
            rows.append(_cell(method, "Bias-free", method.unbiased, own_row_bias(*MATCHED)))
    return {"rows": rows}


def _cell(method: PrintedMethod, column: str, printed: str, off: Fraction) -> Evidence:
    row = {"method": method.name, "column": column, "printed": printed}
    return row | {"population": "No" if off else "Yes", "rows": "Yes", "off": off}


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
    """Return the rows of baseline and of marginal methods, and those of the benchmark.

    The benchmark applies the latter to baseline games (Figure 5).
    """
    rows = {
        name: rows_of([method for method in methods if method.removal == name.capitalize()])
        for name in ("baseline", "marginal")
    }
    return rows | {"benchmark": rows_of([m for m in methods if m.name in BENCHMARKED])}


BENCHMARKED = ("ApproShapley", "IME", "Multilinear extension sampling", "KernelSHAP")


MODEL_AGNOSTIC = ("SV", "RO", "ME", "WLS")


def gather_strategies(context: Context, methods: Sequence[PrintedMethod] = METHODS) -> Evidence:
    """Return how many methods of each model-agnostic strategy are printed as free of bias."""
    rows = []
    for strategy in MODEL_AGNOSTIC:
        own = [method for method in methods if method.strategy == strategy]
        free = [method.name for method in own if method.unbiased == "Yes"]
        rows.append({"strategy": strategy, "methods": len(own), "bias_free": ", ".join(free)})
    return {"rows": rows}


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
