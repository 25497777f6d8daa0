"""The large experiment of Bell, Devanathan & Boyd (2024): p = 1000, N = M = 1,000,000.

Rows are generated block by block and never held; the Gram matrices are reduced by Cholesky, as in
the paper. Then cyclic orbits are walked until the risk estimate over independent orbits is at the
paper's final one. Printed beside its 116.8 seconds on eight V100 GPUs. About two minutes of two
quiet cores.

    OMP_NUM_THREADS=1 PYTHONPATH=src .venv/bin/python benchmarks/ls_spa_large.py [threads]
"""

import os
import sys
from pathlib import Path
from time import perf_counter, process_time

import numpy as np

from shapaudit.datasets.linear import load
from shapaudit.estimators.risk import LiftMoments, gaussian_risk
from shapaudit.games import RegressionGame
from shapaudit.models.reduced import reduce_problem
from shapaudit.samplers.permutation_sets import cyclic_sets

P, ROWS = 1000, 1_000_000
PAPER_RISK, PAPER_SECONDS = 2.0e-3, 116.8
FIRST, BATCH, MOST = 16, 8, 400  # orbits


def main(threads=2):
    rng = np.random.default_rng(2024)
    mechanism = load(rng, n_train=ROWS, n_test=ROWS, n_features=P)
    start, cpu = perf_counter(), process_time()
    problem = reduce_problem(
        mechanism.blocks("train"), mechanism.blocks("test"), method="cholesky", threads=threads
    )
    reduced, reduced_cpu = perf_counter() - start, process_time() - cpu
    game = RegressionGame([problem], threads=threads)
    moments, risk = LiftMoments(P), np.inf
    start, cpu = perf_counter(), process_time()
    while risk > PAPER_RISK and moments.count < MOST:
        count = FIRST if moments.count == 0 else BATCH
        for _ in range(count // threads):  # as many orbits at a time as there are threads
            lifts = game.walk(cyclic_sets(threads, P, rng).reshape(-1, P))
            moments.update(lifts.reshape(threads, P, P).mean(axis=1))
        risk = gaussian_risk(moments, np.random.default_rng(0)).overall
        print(f"{moments.count:4d} orbits: risk {risk:.2e}", flush=True)
    walked, walked_cpu = perf_counter() - start, process_time() - cpu
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    peak = next(line for line in status.splitlines() if line.startswith("VmHWM")).split()[1]
    print(f"condition number {problem.condition:.0f}, R2 {moments.mean.sum():.4f}")
    print(f"rows and reduction {reduced:.1f} s ({reduced_cpu:.1f} s of CPU)")
    print(f"{moments.count * P} chains in {walked:.1f} s ({walked_cpu:.1f} s of CPU)")
    print(
        f"total {reduced + walked:.1f} s, {threads} threads on {os.cpu_count()} cores, peak "
        f"{int(peak) / 2**20:.2f} GB; the paper: {PAPER_SECONDS} s to a risk of {PAPER_RISK:g}"
    )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
