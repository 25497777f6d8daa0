"""WoodelfExplainer with a background, a data frame as it asks for."""

import numpy as np
import pandas as pd
from woodelf import WoodelfExplainer

LABEL, PACKAGE, QUESTION = "woodelf, background", "woodelf-explainer", "interventional"
OFFERS = ("xgboost", "lightgbm", "scikit-learn")


def explain(case):
    """Values of the output."""
    explainer = WoodelfExplainer(case.model, pd.DataFrame(case.background))
    values = np.asarray(explainer.shap_values(pd.DataFrame(case.rows), verbose=False))
    return values if values.ndim == 2 else values[..., case.output or 0]
