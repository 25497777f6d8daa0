"""Evidence on claims 7, 14 and 15: complexity, the speed-up, exact values, progress.

Multiplications are counted; measured seconds would differ from run to run.
"""

from collections.abc import Callable
from functools import partial
from math import comb, factorial

import numpy as np

from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_papers.theory import regression_costs as costs

from .common import published

SIZES = (8, 16, 32, 64, 128, 256, 512, 1024)
POINTS, CONSTANT = 12, 4  # sizes whose differences are taken; as many equal ones are a constant
GRID = (1, 2, 10, 100, 10_000, 100_000)
MEDIUM = (100, 100_000, 2**13)  # p, N = M, chains
LARGE, BATCHES, BATCH = 1000, 2**4, 2**9  # p, batches and chains in each


def gather_counts(context: Context, chain=costs.chain, reduction=costs.reduction) -> Evidence:
    """Return multiplications by p, and the degree in p of each count, all of them polynomials."""
    counts = {"chain": chain, "shift": costs.shift, "reduction_per_row": partial(reduction, 1)}
    rows = [{"p": p} | {name: count(p) for name, count in counts.items()} for p in SIZES]
    return {"rows": rows, "degrees": {name: degree(count) for name, count in counts.items()}}


def gather_metrics(context: Context, models=lambda p: range(1, p + 1)) -> Evidence:
    """Multiplications of evaluating the models of a chain on p rows and on one; their degrees.

    A model of k features takes k on each row. ``models`` are their sizes, as a function of p.
    """
    counts = {
        "reduced": lambda p: sum(p * k for k in models(p)),
        "per_row": lambda p: sum(models(p)),
    }
    rows = [{"p": p} | {name: count(p) for name, count in counts.items()} for p in SIZES]
    return {"rows": rows, "degrees": {name: degree(count) for name, count in counts.items()}}


def degree(count: Callable[[int], int]) -> int:
    """Return the degree of a polynomial by its differences at 1, ..., `POINTS`.

    Raises ValueError where no difference is constant up to there.
    """
    differences = np.array([count(p) for p in range(1, POINTS + 1)], dtype=object)
    for order in range(POINTS - CONSTANT):
        if len(set(differences.tolist())) == 1:
            return order
        differences = np.diff(differences)
    raise ValueError(f"the count is no polynomial of a degree below {POINTS - CONSTANT}.")


def gather_speed_up(context: Context, ratio=costs.speed_up) -> Evidence:
    """Return ratios of (6) and (9): with all constants 1, and counted; and the smaller of N, K p.

    The data have as many test rows as training rows, and no fewer rows than features.
    """
    rows = [
        {"n": n, "k": k, "p": p, "minimum": min(n, k * p), "orders": ratio(n, k, p)}
        | {"counted": _counted(n, k, p)}
        for n in GRID
        for k in GRID
        for p in (1, 10, 100)
        if n >= p
    ]
    p, n, chains = MEDIUM
    return {"rows": rows, "medium": _counted(n, chains, p) / min(n, chains * p)}


def _counted(n: int, k: int, p: int) -> float:
    """Multiplications of K naive chains over those of two reductions and K chains."""
    naive = k * costs.naive_chain(n, n, p)
    return naive / (2 * costs.reduction(n, p) + k * costs.chain(p))


def gather_exact(context: Context, walk=costs.all_subsets) -> Evidence:
    """Multiplications of exact values over those of 2^13 chains.

    By one walk over the subsets, by a regression for each subset on its own (counted as a chain of
    its features, which is more), and by permutations.
    """
    chains = MEDIUM[2] * costs.chain(MEDIUM[0])
    rows = [
        {
            "p": p,
            "subsets": walk(p) / chains,
            "alone": sum(comb(p, k) * costs.chain(k) for k in range(p + 1)) / chains,
            "permutations": factorial(p) * costs.chain(p) / chains,
        }
        for p in (5, 10, 15, 20, 25)
    ]
    return {"rows": rows}


def gather_progress(context: Context) -> Evidence:
    """Return the printed progress of the large experiment: seconds and estimated errors."""
    kinds = ["seconds", "seconds-reduction", "seconds-chains", "seconds-first"]
    kinds += ["error-estimate", "error-estimate-first"]
    printed = {kind: published(context, kind)[str(LARGE)] for kind in kinds}
    return {"printed": printed, "batches": BATCHES, "batch": BATCH}
