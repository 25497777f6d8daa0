"""GroupedTreeExplainer of grouptreeshap, with a group for each column."""

import numpy as np
from grouptreeshap import GroupedTreeExplainer

LABEL, PACKAGE, QUESTION = "grouptreeshap", "grouptreeshap", "path-dependent"
OFFERS = ("xgboost",)
NAMES = False  # it takes arrays


def explain(case):
    """Values, row by row."""
    explainer = GroupedTreeExplainer(case.model)
    return np.array([explainer.shap_values(row) for row in np.asarray(case.rows)])
