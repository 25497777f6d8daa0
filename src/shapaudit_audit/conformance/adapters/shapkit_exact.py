"""ShapleyValues of shapkit, which enumerates."""

import numpy as np
import pandas as pd
from shapkit.shapley_values import ShapleyValues

LABEL, PACKAGE, QUESTION = "shapkit ShapleyValues", "shapkit", "interventional"
OFFERS = ("game", "linear", "scikit-learn")
PLAYERS, NAMES = 8, False  # its function takes arrays


def explain(case):
    """Values of the output as a function of one row."""
    background, rows = pd.DataFrame(case.background), pd.DataFrame(case.rows)

    def one(row):
        return case.predict(np.asarray(row)[None])[0]

    return np.array([ShapleyValues(row, one, background) for _, row in rows.iterrows()])
