"""What stands in the rows of an explanation, as text."""

import numpy as np
import pandas as pd

from .explanation import Explanation

MISSING = "missing"  # what is said of a gap
SIGNIFICANT = 4


def number_texts(numbers: np.ndarray, largest: float) -> list[str]:
    """Numbers with as many decimals as give the ``largest`` of a column four digits."""
    size = np.floor(np.log10(largest)) if 0 < largest < np.inf else 0
    if not -5 < size < 9:
        return [f"{number:.{SIGNIFICANT - 1}e}" for number in numbers.tolist()]
    decimals = max(0, SIGNIFICANT - 1 - int(size))
    return [f"{number:,.{decimals}f}" for number in numbers.tolist()]


def entry_text(entry: object) -> str:
    """An entry of a table: whole numbers in full, others with four digits, days without hours.

    A gap is "missing".
    """
    if pd.api.types.is_scalar(entry) and pd.isna(entry):
        return MISSING
    if isinstance(entry, float | np.floating):
        number = float(entry)
        in_full = 10 ** (SIGNIFICANT - 1) <= abs(number) < 1e9 or number == 0
        return f"{number:.0f}" if in_full else f"{number:.{SIGNIFICANT}g}"
    if isinstance(entry, pd.Timestamp) and entry == entry.normalize() and entry.tz is None:
        return str(entry.date())
    return str(entry)


def player_columns(table: Explanation, name: str) -> pd.DataFrame:
    """The columns of a player."""
    return table.data[list(table.groups.get(name, (name,)))]


def player_texts(table: Explanation, name: str) -> list[str]:
    """What stands in the columns of a player, a text for each row."""
    columns = [column.astype(object) for _, column in player_columns(table, name).items()]
    return [", ".join(map(entry_text, row)) for row in zip(*columns, strict=True)]


def shortened(text: str, width: int = 24) -> str:
    """One line of at most so many characters."""
    line = " ".join(text.split())
    return line if len(line) <= width else f"{line[: width - 1]}…"
