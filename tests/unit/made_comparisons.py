"""Comparisons on errors that are made up, for the tests of what is made of them."""

import numpy as np
import pandas as pd

from shapaudit.comparison.comparison import Comparison
from shapaudit.comparison.plan import Plan

BUDGETS, ROWS, RUNS = (10, 20), 12, 2
FACTORS = {"good": 1.0, "bad": 3.0, "worse": 9.0}


def planned(truth="enumeration", reference=0, explicands=ROWS, seconds=1200.0):
    return Plan(truth, reference, explicands, BUDGETS, RUNS, 5000, seconds)


def errors_of(factors=FACTORS, rows=ROWS, spread=0.1):
    """Runs whose errors are the factor over the budget, but for a spread over rows and runs."""
    rng = np.random.default_rng(0)
    lines = []
    for name, factor in factors.items():
        for budget in BUDGETS:
            for row in range(rows):
                for run in range(RUNS):
                    off = factor / budget * np.exp(spread * rng.standard_normal())
                    lines.append((name, budget, row, run, budget, off, 1.0 + row, off / 2, 0.25))
    columns = "estimator budget row run evaluations error scale per_player seconds"
    return pd.DataFrame(lines, columns=columns.split())


def comparison(errors=None, plan=None, **parts):
    values = pd.DataFrame(np.ones((ROWS, 4)), columns=list("abcd"))
    errors = errors_of() if errors is None else errors
    given = {"background": 3, "rows": 5000, "resolution": 0.0} | parts
    return Comparison(errors, values, plan or planned(), **given)
