"""What the claims of this paper share: where they are printed, the published tables."""

import csv
from functools import partial
from pathlib import Path

from ..base import Claim

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
