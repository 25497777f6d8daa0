"""TreeExplainer of shap, without a background."""

import numpy as np
import shap

LABEL, PACKAGE, QUESTION = "shap TreeExplainer, path-dependent", "shap", "path-dependent"
OFFERS = ("xgboost", "lightgbm", "catboost", "scikit-learn")


def explain(case):
    """Values of the chosen output."""
    explainer = shap.TreeExplainer(case.model, feature_perturbation="tree_path_dependent")
    values = np.asarray(explainer.shap_values(case.rows))
    return values if values.ndim == 2 else values[..., case.output or 0]
