"""What the claims of this paper share: where they are printed, the published tables, games."""

import csv
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import numpy as np

from ..base import Claim
from ..context import Context
from ..exact import random_integers

PUBLISHED = Path(__file__).parents[4] / "config/published/chen_covert_lundberg_lee_2023.csv"
TRIALS = 100  # Figure 5: estimates per method and number of samples
SAMPLES = (500, 1_000, 5_000, 10_000, 50_000, 100_000)  # columns of Tables 2 to 7
PLAYERS = {"diabetes": 10, "nhanes": 79, "blog": 280}  # Figure 5

TABLE_1 = "Table 1 and its caption"
AGNOSTIC = "Section 5.2.1"
BENCHMARK = "Section 5.2.2"
APPENDIX = "Appendix A.2"

claim = partial(Claim, paper="chen-covert-lundberg-lee-2023")

Cell = tuple[str, str, int]  # data, method, samples


def published(quantity: str) -> dict[Cell, float]:
    """The cells of Tables 2 to 4 ("bias") or 5 to 7 ("variance") that are not empty."""
    with PUBLISHED.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["quantity"] == quantity]
    return {(row["data"], row["method"], int(row["samples"])): float(row["value"]) for row in rows}


def integer_games(
    context: Context, name: str, dimensions: Sequence[int]
) -> Iterator[tuple[str, int, np.ndarray]]:
    """Label, number of players and values (2^d,), fractions, of random integer games."""
    for d in dimensions:
        for k in range(context.settings.random_games):
            values = random_integers(context, name, "game", d, k, count=1 << d)
            yield f"d = {d}, game {k + 1}", d, values


def small_dimensions(context: Context, top: int) -> range:
    """2, ..., the smaller of ``top`` and the study's limit for brute force."""
    return range(2, min(top, context.settings.brute_force_dimension) + 1)
