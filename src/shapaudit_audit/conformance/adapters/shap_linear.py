"""LinearExplainer of shap."""

import numpy as np
import shap

LABEL, PACKAGE, QUESTION = "shap LinearExplainer", "shap", "interventional"
OFFERS = ("linear",)


def explain(case):
    """Values of the chosen output."""
    masker = shap.maskers.Independent(case.background, max_samples=len(case.background))
    values = np.asarray(shap.LinearExplainer(case.model, masker).shap_values(case.rows))
    return values if values.ndim == 2 else values[..., case.output or 0]
