"""Processor time per evaluation that an estimator takes beside the game, d = 16.

The game is a table, and the time spent in it is measured call by call and subtracted. Rounds
alternate between the estimators, and the least of them counts: other jobs only add.
"""

import argparse
from pathlib import Path
from time import process_time

import numpy as np
import pandas as pd

from pages import machine, markdown
from shapaudit.estimators import create
from shapaudit.games import TabularGame
from shapaudit.seeding import generator
from timing import TimedGame

D, AIM = 16, 1.0
BUDGETS = (10_000, 32_000)

ESTIMATORS: dict[str, tuple[str, dict]] = {
    "plain-monte-carlo": ("plain-monte-carlo", {}),
    "optimised-monte-carlo": ("optimised-monte-carlo", {}),
    "antithetic-monte-carlo": ("antithetic-monte-carlo", {}),
    "random-order, cyclic": ("random-order", {"permutations": "cyclic"}),
    "random-order, williams": ("random-order", {"permutations": "williams"}),
    "random-order, affine": ("random-order", {"permutations": "affine"}),
    "random-order, orthogonal": ("random-order", {"permutations": "orthogonal"}),
    "quasi-random-order, sobol": ("quasi-random-order", {"permutations": "sobol"}),
    "quasi-random-order, permutohedron": ("quasi-random-order", {"permutations": "permutohedron"}),
    "featurewise-order": ("featurewise-order", {}),
    "stratified-sampling": ("stratified-sampling", {}),
    "svarm": ("svarm", {}),
    "stratified-svarm": ("stratified-svarm", {}),
    "complementary-contributions": ("complementary-contributions", {}),
    "neyman-complementary": ("neyman-complementary", {}),
    "multilinear": ("multilinear", {}),
    "random-multilinear": ("random-multilinear", {}),
    "featurewise-multilinear": ("featurewise-multilinear", {}),
    "kernel-shap": ("kernel-shap", {}),
    "paired-kernel-shap": ("paired-kernel-shap", {}),
    "importance-least-squares": ("importance-least-squares", {}),
    "stratified-least-squares": ("stratified-least-squares", {}),
    "stratified-least-squares, kernel sizes": (
        "stratified-least-squares",
        {"sizes": "kernel", "distinct": False},
    ),
    "unbiased-kernel-shap": ("unbiased-kernel-shap", {}),
    "unbiased-kernel-shap, pairs": ("unbiased-kernel-shap", {"paired": True}),
    "polynomial-least-squares, order 2": (
        "polynomial-least-squares",
        {"order": 2, "paired": False},
    ),
    "polynomial-least-squares, order 3": ("polynomial-least-squares", {"order": 3}),
    "projected-sgd": ("projected-sgd", {}),
    "normalised, svarm": ("normalised", {"estimator": "svarm"}),
}


def one_round(estimator, game, budget, rng) -> tuple[float, float]:
    """Microseconds per evaluation beside the game, and in it."""
    timed = TimedGame(game)
    start = process_time()
    spent = estimator.estimate(timed, budget, rng).evaluations
    total = process_time() - start
    return 1e6 * (total - timed.seconds) / spent, 1e6 * timed.seconds / spent


def measure(rounds: int) -> pd.DataFrame:
    """Columns: estimator, budget, overhead, game (microseconds per evaluation)."""
    game = TabularGame(generator(0, "overhead").normal(size=1 << D))
    made = {label: create(*spec) for label, spec in ESTIMATORS.items()}
    costs = {(label, budget): [] for label in made for budget in BUDGETS}
    for number in range(-1, rounds):
        for (label, budget), results in costs.items():
            once = one_round(made[label], game, budget, generator(0, label, budget, number))
            if number >= 0:  # the first round compiles
                results.append(once)
    return pd.DataFrame(
        [(*key, *np.min(results, axis=0)) for key, results in costs.items()],
        columns=["estimator", "budget", "overhead", "game"],
    )


def page(frame: pd.DataFrame) -> str:
    """The measurements in words and as a table."""
    wide = frame.pivot(index="estimator", columns="budget", values=["overhead", "game"])
    wide = wide.loc[frame["estimator"].unique()]
    rows = [
        [
            name,
            *(f"{wide.loc[name, (kind, b)]:.2f}" for kind in ("overhead", "game") for b in BUDGETS),
        ]
        for name in wide.index
    ]
    over = frame.loc[frame["overhead"] > AIM, "estimator"].unique()
    header = [
        "Estimator",
        *(f"{kind}, {b:,}" for kind in ("beside", "in the game") for b in BUDGETS),
    ]
    return "\n\n".join(
        [
            "# Time beside the game",
            f"Microseconds of processor time per evaluation, d = {D}, on a tabulated game, at "
            f"{' and '.join(f'{b:,}' for b in BUDGETS)} evaluations; the least of several rounds. "
            f"{machine()}",
            f"Above {AIM:g} microsecond: {', '.join(over) if len(over) else 'none'}.",
            markdown(header, rows),
        ]
    )


def main() -> None:
    """Measure, and write overhead.csv and overhead.md."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", type=Path, help="where the results go")
    parser.add_argument("--rounds", type=int, default=15)
    arguments = parser.parse_args()
    frame = measure(arguments.rounds)
    frame.to_csv(arguments.directory / "overhead.csv", index=False, float_format="%.3f")
    (arguments.directory / "overhead.md").write_text(page(frame) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
