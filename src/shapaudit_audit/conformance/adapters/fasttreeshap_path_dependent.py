"""TreeExplainer of fasttreeshap (the maintained one), without a background."""

import fasttreeshap_fixed
import numpy as np

LABEL, PACKAGE, QUESTION = "fasttreeshap, path-dependent", "fasttreeshap-fixed", "path-dependent"
OFFERS = ("xgboost", "lightgbm", "catboost", "scikit-learn")


def explain(case):
    """Values of the chosen output."""
    explainer = fasttreeshap_fixed.TreeExplainer(case.model, n_jobs=1)
    values = explainer.shap_values(case.rows)
    return np.asarray(values[case.output or 0] if isinstance(values, list) else values)
