"""What the evidence shares: the published tables."""

from shapaudit.audit.context import Context

from .. import PAPER

TRIALS = 100  # Figure 5: estimates per method and number of samples
SAMPLES = (500, 1_000, 5_000, 10_000, 50_000, 100_000)  # columns of Tables 2 to 7
PLAYERS = {"diabetes": 10, "nhanes": 79, "blog": 280}  # Figure 5

Cell = tuple[str, str, int]  # data, method, samples


def published(context: Context, quantity: str) -> dict[Cell, float]:
    """The cells of Tables 2 to 4 ("bias") or 5 to 7 ("variance") that are not empty."""
    rows = [row for row in context.printed(PAPER.key) if row["quantity"] == quantity]
    return {(row["data"], row["method"], int(row["samples"])): float(row["value"]) for row in rows}
