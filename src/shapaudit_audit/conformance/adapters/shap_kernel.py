"""KernelExplainer of shap, with evaluations for all coalitions and without its selection."""

import numpy as np
import shap

LABEL, PACKAGE, QUESTION = "shap KernelExplainer, all coalitions", "shap", "interventional"
OFFERS = ("game", "linear", "scikit-learn", "xgboost", "lightgbm", "catboost")
PLAYERS = 12


def explain(case):
    """Values of the output as a function."""
    explainer = shap.KernelExplainer(case.predict, case.background)
    evaluations = 2 ** case.background.shape[1]
    return np.asarray(
        explainer.shap_values(case.rows, nsamples=evaluations, l1_reg=False, silent=True)
    )
