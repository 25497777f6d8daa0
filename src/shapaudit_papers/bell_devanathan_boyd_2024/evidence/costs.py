"""Evidence on claims 7, 14 and 15: complexity, the speed-up, exact values, seconds.

Multiplications are counted; measured seconds would differ from run to run.
"""

from math import comb, factorial

from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_papers.theory import regression_costs as costs

from .common import published

SIZES = (8, 16, 32, 64, 128, 256, 512, 1024)
GRID = (1, 2, 10, 100, 10_000, 100_000)
MEDIUM = (100, 100_000, 2**13)  # p, N = M, chains
LARGE, BATCHES, BATCH = 1000, 2**4, 2**9  # p, batches and chains in each


def gather_counts(context: Context, chain=costs.chain, reduction=costs.reduction) -> Evidence:
    """Return multiplications by p, and the slopes of their logarithms at the last two sizes."""
    rows = [
        {"p": p, "chain": chain(p), "shift": costs.shift(p), "reduction_per_row": reduction(1, p)}
        for p in SIZES
    ]
    return {"rows": rows}


def gather_speed_up(context: Context, ratio=costs.speed_up) -> Evidence:
    """Return the ratio of the orders (6) and (9), and the smaller of N and K p."""
    rows = [
        {"n": n, "k": k, "p": p, "speed_up": ratio(n, k, p), "minimum": min(n, k * p)}
        for n in GRID
        for k in GRID
        for p in (1, 10, 100)
    ]
    return {"rows": rows}


def gather_seconds(context: Context) -> Evidence:
    """Return the multiplications of the medium experiment, and the rate that its seconds imply."""
    p, n, chains = MEDIUM
    seconds = published(context, "seconds")[str(p)]
    total = 2 * costs.reduction(n, p) + chains * costs.chain(p)
    cyclic = 2 * costs.reduction(n, p) + chains // p * costs.chain(p) + chains * costs.shift(p)
    naive = chains * costs.naive_chain(n, n, p)
    counts = {"ls_spa": total, "cyclic_orbits": cyclic, "naive": naive}
    rows = [
        {"method": name, "multiplications": count, "giga_per_second": count / seconds / 1e9}
        for name, count in counts.items()
    ]
    return {"rows": rows, "seconds": seconds}


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
