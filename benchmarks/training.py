"""Processor time of training the networks of FastSHAP and of a surrogate, at usual sizes.

With a path it writes the table there as Markdown.
"""

import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import process_time

import numpy as np

from pages import machine, markdown
from shapaudit.explainers.fast_shap import WeightedLeastSquares
from shapaudit.nets import Network
from shapaudit.nets.adam import Adam
from shapaudit.removals.masked_nets import MaskedRegression

ROWS, FEATURES, ROUNDS, SHARE = 2_000, 10, 7, 10  # a round runs one step in SHARE
HEADER = ("Network", "Hidden layers", "Steps", "Rows per step", "Seconds", "least", "most")


def fast_shap(rng: np.random.Generator) -> tuple[Network, WeightedLeastSquares]:
    """A network of float64 and 8 coalitions of each row, the game's values in hand."""
    drawn = rng.random((ROWS, 8, FEATURES)) < 0.5
    objective = WeightedLeastSquares(
        rng.normal(size=(ROWS, FEATURES)),
        rng.normal(size=ROWS),
        drawn.astype(np.float64),
        rng.normal(size=(ROWS, 8)),
    )
    return Network.start([FEATURES, 128, 128, FEATURES], "relu", rng), objective


def surrogate(rng: np.random.Generator) -> tuple[Network, MaskedRegression]:
    """A network of float32, with masks drawn anew in each step."""
    rows, target = (rng.normal(size=(ROWS, count)).astype(np.float32) for count in (FEATURES, 1))
    objective = MaskedRegression(rows, target, "squared-error", 4, rng)
    return Network.start([2 * FEATURES, 64, 64, 1], "relu", rng, np.float32), objective


def seconds_of(make: Callable, steps: int, batch: int) -> list[float]:
    """Seconds of so many steps, by round, after one uncounted round."""
    seconds = []
    for number in range(ROUNDS + 1):
        rng = np.random.default_rng(number)
        network, objective = make(rng)
        adam = Adam(network.parameters)
        started = process_time()
        for _ in range(steps // SHARE):
            adam.step(objective.gradient(network, rng.integers(ROWS, size=batch)))
        if number:
            seconds.append(SHARE * (process_time() - started))
    return seconds


def main(folder: Path | None = None) -> None:
    rows = []
    for name, make, steps, batch in (
        ("FastSHAP, 8 coalitions a row", fast_shap, 6_000, 64),
        ("surrogate", surrogate, 8_000, 256),
    ):
        network, _ = make(np.random.default_rng(0))
        hidden = " and ".join(map(str, network.sizes[1:-1]))
        seconds = seconds_of(make, steps, batch)
        times = (f"{value:.2g}" for value in (median(seconds), min(seconds), max(seconds)))
        rows.append([name, hidden, f"{steps:,}", str(batch), *times])
    text = (
        "# How long networks of explainers take to train\n\n"
        f"Processor time of gradient and step, on {ROWS:,} rows of {FEATURES} features whose game "
        f"has been played; the median, least and most of {ROUNDS} rounds, each of which runs a "
        f"tenth of the steps. {machine()} Made by `benchmarks/training.py`.\n\n"
        + markdown(HEADER, rows, names=2)
        + "\n"
    )
    if folder:
        (folder / "training.md").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]))
