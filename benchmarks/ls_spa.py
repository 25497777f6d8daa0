"""Shapley attribution of R^2, p = 100, N = M = 100,000: this project against ls_spa.

The same data, one run. ls_spa takes its best settings, found by trying its samplers with and
without reversed permutations, and the faster of one and more jobs; then both contestants are timed
from the data in memory to the attribution, reduction included, and this project adds affine orbits
until its mean error over the runs is no larger. Errors are true ones, against affine orbits with a
standard error that is printed.
Peak memory is that of a process of its own beyond the data.

    OMP_NUM_THREADS=1 PYTHONPATH=src .venv/bin/python benchmarks/ls_spa.py [chains] [threads]
"""

import os
import subprocess
import sys
import tempfile
from functools import partial
from importlib import import_module
from pathlib import Path
from time import process_time

import numpy as np

from shapaudit.datasets.linear import load
from shapaudit.estimators import RandomOrder
from shapaudit.games import RegressionGame
from shapaudit.models.reduced import reduce_problem
from shapaudit.models.reduction import blocks_of
from timing import alternate

P, N, RUNS = 100, 100_000, 3
HERE = Path(__file__).resolve().parent
# This file has the name of the package, which must be found instead.
sys.path[:] = [folder for folder in sys.path if Path(folder or ".").resolve() != HERE]
NAMES = ("x_train", "y_train", "x_test", "y_test")


def with_ls_spa(data, chains, seed, perms, antithetical, jobs=1):
    x, y, u, v = data
    result = import_module("ls_spa").ls_spa(
        x,
        u,
        y,
        v,
        max_samples=chains,
        tolerance=0.0,
        seed=seed,
        perms=perms,
        antithetical=antithetical,
        n_jobs=jobs,
    )
    return result.attribution


def with_shapaudit(data, orbits, seed, threads):
    x, y, u, v = data
    problem = reduce_problem(blocks_of(x, y), blocks_of(u, v), intercept=False, threads=threads)
    game = RegressionGame([problem], threads=threads)
    estimator = RandomOrder("affine")
    budget = 1 + estimator.unit_cost(P) * orbits
    return estimator.estimate(game, budget, np.random.default_rng(seed)).values


def centred(threads):
    """The paper's data, less the training means, which ls_spa leaves to the caller."""
    mechanism = load(np.random.default_rng(2024), n_train=N, n_test=N, n_features=P)
    (x, y), (u, v) = mechanism.rows("train"), mechanism.rows("test")
    return x - x.mean(axis=0), y - y.mean(), u - x.mean(axis=0), v - y.mean()


def peak(folder, name, *settings):
    """Megabytes that a contestant adds to its process after reading the data."""
    lines = [sys.executable, __file__, "--memory", str(folder), name, *map(str, settings)]
    return float(subprocess.run(lines, capture_output=True, text=True, check=True).stdout)


def memory(folder, name, *settings):
    data = [np.load(Path(folder) / f"{key}.npy") for key in NAMES]
    before = high_water()
    if name == "ls_spa":
        with_ls_spa(data, int(settings[0]), 0, settings[1], settings[2] == "True")
    else:
        with_shapaudit(data, int(settings[0]), 0, int(settings[1]))
    print((high_water() - before) / 1024)


def high_water():
    """Largest resident memory of this process so far, in kB (Linux)."""
    lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    return int(next(line.split()[1] for line in lines if line.startswith("VmHWM")))


def cpu(call):
    """Processor seconds of a call, its threads together."""
    start = process_time()
    call()
    return process_time() - start


def error(call, truth):
    return float(np.mean([np.linalg.norm(call(seed) - truth) for seed in range(RUNS)]))


def main(chains=2**13, threads=2):
    data = centred(threads)
    problem = reduce_problem(blocks_of(*data[:2]), blocks_of(*data[2:]), intercept=False)
    game = RegressionGame([problem], threads=threads)
    reference = RandomOrder("affine")
    budget = 1 + 40 * reference.unit_cost(P)
    truth = reference.estimate(game, budget, np.random.default_rng(1))
    print(f"truth: error of {np.linalg.norm(truth.standard_errors):.1e}")

    settings = {}
    for perms in ("argsort", "permutohedron", "random"):
        for antithetical in (False, True):
            count = chains // 2 if antithetical else chains
            call = partial(with_ls_spa, data, count, perms=perms, antithetical=antithetical)
            settings[perms, antithetical] = error(call, truth.values)
            print(
                f"ls_spa {perms:14s} reversed {antithetical!s:5s} {chains} chains: "
                f"error {settings[perms, antithetical]:.2e}"
            )
    perms, antithetical = min(settings, key=settings.get)
    wanted, count = settings[perms, antithetical], chains // 2 if antithetical else chains
    orbits = 2
    while True:
        own = error(lambda seed, n=orbits: with_shapaudit(data, n, seed, threads), truth.values)
        if own <= wanted:
            break
        orbits += 1
    seconds = alternate(
        {
            "ls_spa": lambda: with_ls_spa(data, count, 0, perms, antithetical),
            "ls_spa, jobs": lambda: with_ls_spa(data, count, 0, perms, antithetical, threads),
            "shapaudit": lambda: with_shapaudit(data, orbits, 0, threads),
        },
        RUNS,
    )
    with tempfile.TemporaryDirectory() as folder:
        for name, array in zip(NAMES, data, strict=True):
            np.save(Path(folder) / f"{name}.npy", array)
        megabytes = {
            "ls_spa": peak(folder, "ls_spa", count, perms, antithetical),
            "shapaudit": peak(folder, "shapaudit", orbits, threads),
        }
    seconds["ls_spa"] = min(seconds["ls_spa"], seconds.pop("ls_spa, jobs"))
    processor = {
        "ls_spa": cpu(lambda: with_ls_spa(data, count, 0, perms, antithetical)),
        "shapaudit": cpu(lambda: with_shapaudit(data, orbits, 0, threads)),
    }
    errors = {"ls_spa": wanted, "shapaudit": own}
    for name in seconds:
        print(
            f"{name:10s} {seconds[name]:8.3f} s   {processor[name]:8.3f} s of CPU   "
            f"error {errors[name]:.2e}   peak {megabytes[name]:.0f} MB"
        )
    print(
        f"{orbits} affine orbits, {threads} threads on {os.cpu_count()} cores; "
        f"ratio {seconds['ls_spa'] / seconds['shapaudit']:.1f}, of CPU "
        f"{processor['ls_spa'] / processor['shapaudit']:.1f}"
    )


if __name__ == "__main__":
    if sys.argv[1:2] == ["--memory"]:
        memory(*sys.argv[2:])
    else:
        main(*map(int, sys.argv[1:]))
