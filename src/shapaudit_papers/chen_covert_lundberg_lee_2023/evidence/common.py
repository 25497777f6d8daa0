"""What the evidence shares: the published tables, and the games that they were made with."""

from typing import Protocol, cast

import numpy as np

from shapaudit.datasets import Dataset, DatasetError
from shapaudit.models import Model
from shapaudit_audit.audit.context import Context

from .. import PAPER

TRIALS = 100  # Figure 5: estimates per method and number of samples
SAMPLES = (500, 1_000, 5_000, 10_000, 50_000, 100_000)  # columns of Tables 2 to 7
PLAYERS = {"diabetes": 10, "nhanes": 79, "blog": 280}  # Figure 5

Cell = tuple[str, str, int]  # data, method, samples


def published(context: Context, quantity: str) -> dict[Cell, float]:
    """The cells of Tables 2 to 4 ("bias") or 5 to 7 ("variance") that are not empty."""
    rows = [row for row in context.printed(PAPER.key) if row["quantity"] == quantity]
    return {(row["data"], row["method"], int(row["samples"])): float(row["value"]) for row in rows}


def printed_errors(context: Context) -> dict[Cell, float]:
    """Mean squared errors, bias and variance together, where the tables have both."""
    biases, variances = (published(context, quantity) for quantity in ("bias", "variance"))
    return {cell: bias + variances[cell] for cell, bias in biases.items() if cell in variances}


def printed_explicands(context: Context) -> dict[str, np.ndarray]:
    """Tables (2^d,) of the explicand that the paper runs, by game of its own experiments.

    It is the first explicand of these games, picked by hand.
    """
    return {study.name: study.games[0].values for study in context.own}


def ranked_printed(context: Context, data: str) -> dict[int, list[str]]:
    """The methods in each column of the tables on a data set, by samples, least error first."""
    errors = printed_errors(context)
    return {
        m: sorted(
            (method for name, method, n in errors if (name, n) == (data, m)),
            key=lambda method: errors[data, method, m],
        )
        for m in SAMPLES
    }


def least_printed(context: Context, data: str) -> list[str]:
    """The method of least error in each column of the tables on a data set."""
    return [methods[0] for methods in ranked_printed(context, data).values()]


def target_of(dataset: Dataset) -> np.ndarray:
    """The target (n,) of a data set; raises `DatasetError` where it has none."""
    if dataset.target is None:
        raise DatasetError(f"dataset {dataset.name!r} has no target.")
    return dataset.target


class Predicts(Protocol):
    """Something with outputs for rows."""

    def predict(self, rows: np.ndarray) -> np.ndarray:
        """Outputs (m,) of rows (m, d)."""
        ...


def as_model(predictor: Predicts) -> Model:
    """A predictor in the place of a model that is neither scored nor saved."""
    return cast(Model, predictor)
