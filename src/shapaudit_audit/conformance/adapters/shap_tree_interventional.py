"""TreeExplainer of shap, with a background."""

import numpy as np
import shap

LABEL, PACKAGE, QUESTION = "shap TreeExplainer, interventional", "shap", "interventional"
OFFERS = ("xgboost", "lightgbm", "catboost", "scikit-learn")


def explain(case):
    """Values of the chosen output."""
    explainer = shap.TreeExplainer(
        case.model, case.background, feature_perturbation="interventional"
    )
    values = np.asarray(explainer.shap_values(case.rows))
    return values if values.ndim == 2 else values[..., case.output or 0]
