"""TreeExplainer of shapiq, without a background."""

import numpy as np
import shapiq

LABEL, PACKAGE, QUESTION = "shapiq TreeExplainer, path-dependent", "shapiq", "path-dependent"
OFFERS = ("xgboost", "lightgbm", "catboost", "scikit-learn")
NAMES = False  # it takes arrays


def numbers(table):
    """An array of a table, categories by their numbers."""
    if isinstance(table, np.ndarray):
        return table
    columns = [
        column.cat.codes.replace(-1, np.nan) if hasattr(column, "cat") else column
        for _, column in table.items()
    ]
    return np.column_stack([np.asarray(column) for column in columns])


def explain(case):
    """Values of the chosen output, row by row."""
    explainer = shapiq.TreeExplainer(
        case.model, mode="pathdependent", index="SV", max_order=1, class_index=case.output
    )
    rows = numbers(case.rows)
    found = [explainer.explain(row) for row in rows]
    return np.array([[values[(j,)] for j in range(rows.shape[1])] for values in found])
