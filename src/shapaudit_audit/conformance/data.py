"""The small tables of the recipes: training rows, targets, and rows to explain."""

from fractions import Fraction

import numpy as np

N, SEED = 96, 5
RNG = np.random.default_rng(SEED)
NUMBERS = RNG.normal(size=(N, 4)).round(3)
TARGET = NUMBERS[:, 0] * NUMBERS[:, 1] + NUMBERS[:, 2]
POSITIVE = np.exp(TARGET / 2)
COUNTS = RNG.poisson(POSITIVE)
SECOND = (TARGET > 0).astype(int)
CLASSES = np.digitize(TARGET, [-0.5, 0.5])
SEVERAL = np.stack([TARGET, 1.0 - 2.0 * TARGET + NUMBERS[:, 3]], axis=1)
HOLES = np.where(RNG.random((N, 4)) < 0.2, np.nan, NUMBERS)
MARKED = np.where(np.isnan(HOLES), -999.0, HOLES)
ZEROS = np.where(np.isnan(HOLES), 0.0, HOLES)
GRID = RNG.integers(0, 4, size=(N, 4)).astype(float)
EQUAL = np.column_stack([NUMBERS[:, 0], NUMBERS[:, 0], NUMBERS[:, 2], NUMBERS[:, 1]])
WEIGHTS = RNG.integers(0, 4, size=N).astype(float)
QUERIES = np.repeat(np.arange(N // 8), 8)
CODES = RNG.integers(0, 6, size=N)
BY_CATEGORY = TARGET + 2.0 * np.isin(CODES, [1, 4]) * (1.0 + NUMBERS[:, 0])
WIDE = RNG.normal(size=(N, 300))
CHAIN = 16  # columns of the chain


def chain(columns: int = CHAIN) -> tuple[np.ndarray, np.ndarray]:
    """Rows (columns + 1, columns) and a target from which trees grow that are one path.

    Row k has ones in its first k columns. The target falls so fast that the best split of what is
    left always takes its first row away, by the next column.
    """
    steps = np.arange(columns + 1)
    return np.tri(columns + 1, columns, -1), 1e12 * 0.4**steps


def along(outputs: np.ndarray) -> list[list[Fraction]]:
    """Values (1, d) of the row of ones against the row of zeros, from outputs at rows of `chain`.

    The output is that of the first zero: a sum of unanimity games of the first k columns, each
    divided equally.
    """
    steps = [Fraction(float(output)) for output in outputs]
    values = [Fraction(0)] * (len(steps) - 1)
    for level in range(len(values)):
        for column in range(level + 1):
            values[column] += (steps[level + 1] - steps[level]) / (level + 1)
    return [values]


def near(row: np.ndarray, thresholds: dict[int, float], kind: type = np.float32) -> np.ndarray:
    """Rows at thresholds by column, and at the numbers of a kind next below and above them."""
    rows = []
    for column, threshold in thresholds.items():
        limit = kind(threshold)
        for entry in (limit, np.nextafter(limit, kind(-np.inf)), np.nextafter(limit, kind(np.inf))):
            rows.append(row.copy())
            rows[-1][column] = float(entry)
    return np.array(rows)


def frame(codes: np.ndarray = CODES, gaps: bool = False, levels: str = "uvwxyz"):
    """A data frame of two columns of numbers and one of categories, some of them missing."""
    import pandas as pd

    colour = pd.Categorical.from_codes(np.where(codes % 7 == 3, -1, codes) if gaps else codes,
                                       categories=list(levels))  # fmt: skip
    numbers = HOLES if gaps else NUMBERS
    return pd.DataFrame({"a": numbers[:, 0], "colour": colour, "b": numbers[:, 1]})
