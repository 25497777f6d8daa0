"""Explanations to draw, and figures that are closed afterwards."""

import numpy as np
import pandas as pd
import pytest

from shapaudit.explanations.explanation import Explanation


@pytest.fixture(autouse=True)
def _drawn(without_screen):
    """All tests of this folder draw."""


@pytest.fixture
def made():
    """Makes an explanation from its values."""

    def make(
        values, data=None, errors=None, base=0.0, outputs=(), groups=None, names=None, unit=""
    ):
        values = np.asarray(values, dtype=float)
        if data is None:
            data = pd.DataFrame({f"x{j}": np.arange(len(values)) for j in range(values.shape[1])})
        errors = np.zeros_like(values) + (0.0 if errors is None else errors)
        shape = (len(values), *[len(outputs)] * bool(outputs))
        return Explanation(
            values=values,
            standard_errors=errors,
            base_values=np.full(shape, base),
            data=data,
            feature_names=tuple(names or data.columns),
            output_names=tuple(outputs),
            how="made up",
            method="auto",
            evaluations=np.zeros(len(values), dtype=int),
            groups=groups or {},
            unit=unit,
        )

    return make


@pytest.fixture
def mixed(made):
    """Rows (12) of columns of all types, with gaps, and two of them as a group."""
    n = 12
    table = pd.DataFrame(
        {
            "age": [np.nan, *np.linspace(20.5, 70.5, n - 1)],
            "city": pd.Categorical([None, *["Rome", "Bonn"] * 5, "Rome"]),
            "grade": pd.Categorical(["low", "high"] * 6, categories=["low", "high"], ordered=True),
            "since": [pd.NaT, *pd.date_range("2020-01-01", periods=n - 1, freq="180D")],
            "member": [True, False] * 6,
            "note": [f"text {k % 3}" for k in range(n)],
            "cost in $ and $": np.arange(n) * 1e5,
            "lat": np.arange(n) / 7,
            "lon": np.arange(n) / 3,
        }
    )
    names = [*table.columns[:7], "place"]
    values = np.random.default_rng(0).normal(size=(n, 8)) * np.arange(8, 0, -1)
    return made(values, table, 0.2, groups={"place": ("lat", "lon")}, names=names, unit="euro")


@pytest.fixture
def texts():
    """The labels of an axis after drawing."""

    def read(axis):
        axis.get_figure(root=True).draw_without_rendering()
        return [tick.get_text() for tick in axis.get_ticklabels()]

    return read
