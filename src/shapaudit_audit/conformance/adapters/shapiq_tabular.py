"""TabularExplainer of shapiq with all coalitions and a mean over the whole background."""

import numpy as np
import shapiq

LABEL, PACKAGE, QUESTION = "shapiq TabularExplainer, all coalitions", "shapiq", "interventional"
OFFERS = ("linear", "scikit-learn", "xgboost", "lightgbm", "catboost")
NAMES = False  # it takes arrays
PLAYERS = 12


def explain(case):
    """Values of the output as a function."""
    data = np.asarray(case.background)
    explainer = shapiq.TabularExplainer(
        case.predict, data, index="SV", max_order=1, imputer="marginal", approximator="regression",
        sample_size=len(data), random_state=0,
    )  # fmt: skip
    players = data.shape[1]
    found = [explainer.explain(row, budget=2**players) for row in np.asarray(case.rows)]
    return np.array([[values[(j,)] for j in range(players)] for values in found])
