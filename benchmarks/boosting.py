"""Boosted trees on the bits of coalitions, beside XGBoost's with the same settings.

Both times are of the fit and of the trees as arrays, which Shapley values are computed from. With a
path it writes the table there as Markdown.
"""

import json
import sys
from pathlib import Path
from statistics import median
from time import process_time

import numpy as np
import xgboost

from pages import machine, markdown
from shapaudit.estimators.fits.boosting import boost
from shapaudit.estimators.fits.trees import DEPTH, RATE, ROUNDS
from shapaudit.models.trees import TreeEnsemble

SIZES = ((10, 100), (10, 450), (12, 1_000), (64, 1_000), (280, 1_400))  # players and pairs
REPEATS = 9
HEADER = ("Players", "Pairs", "Milliseconds", "XGBoost's", "ratio", "least", "most")
SETTINGS = {
    "max_depth": DEPTH,
    "learning_rate": RATE,
    "base_score": 0.0,
    "tree_method": "hist",
    "max_bin": 2,
    "nthread": 1,
}


def sample(players: int, pairs: int) -> tuple[np.ndarray, np.ndarray]:
    """Bits (2 pairs, players) and the values of an odd game with interactions and noise."""
    rng = np.random.default_rng(players)
    bits = rng.random((pairs, players)) < 0.5
    signs = np.where(bits, 1.0, -1.0)
    values = np.tanh(signs @ rng.standard_normal(players) / np.sqrt(players))
    values += signs[:, :3].prod(axis=1) + 0.1 * rng.standard_normal(pairs)
    return np.concatenate([bits, ~bits]), np.concatenate([values, -values])


def by_xgboost(bits: np.ndarray, values: np.ndarray) -> TreeEnsemble:
    """XGBoost's trees, read from the document that it writes."""
    data = xgboost.DMatrix(bits.astype(np.float32), values, nthread=1)
    booster = xgboost.train(SETTINGS, data, ROUNDS)
    return TreeEnsemble.from_xgboost(json.loads(bytes(booster.save_raw("json"))))


def seconds_of(fit, *arguments) -> float:
    """Processor time of one fit."""
    started = process_time()
    fit(*arguments)
    return process_time() - started


def main(folder: Path | None = None) -> None:
    rows = []
    for players, pairs in SIZES:
        bits, values = sample(players, pairs)
        measured = [
            (
                seconds_of(boost, bits, values, ROUNDS, DEPTH, RATE),
                seconds_of(by_xgboost, bits, values),
            )
            for _ in range(REPEATS + 1)
        ][1:]  # the first one loads the kernels
        times = (f"{1e3 * median(seconds):.3g}" for seconds in zip(*measured, strict=True))
        ratios = [theirs / ours for ours, theirs in measured]
        spread = (f"{ratio:.2g}" for ratio in (median(ratios), min(ratios), max(ratios)))
        rows.append([str(players), f"{pairs:,}", *times, *spread])
    text = (
        "# How long boosted trees on coalitions take to fit\n\n"
        f"{ROUNDS} trees of depth {DEPTH} on pairs of coalitions and their complements: processor "
        f"time of the fit and of the trees as arrays, medians of {REPEATS} fits; the ratios are "
        f"XGBoost's time over ours in the same round. {machine()} Made by "
        "`benchmarks/boosting.py`.\n\n" + markdown(HEADER, rows, names=0) + "\n"
    )
    if folder:
        (folder / "boosting.md").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]))
