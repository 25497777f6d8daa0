"""ExactExplainer of shap."""

import shap

LABEL, PACKAGE, QUESTION = "shap ExactExplainer", "shap", "interventional"
OFFERS = ("game", "linear", "scikit-learn", "xgboost", "lightgbm", "catboost")
PLAYERS = 12


def explain(case):
    """Values of the output as a function."""
    masker = shap.maskers.Independent(case.background, max_samples=len(case.background))
    explainer = shap.ExactExplainer(case.predict, masker)
    return explainer(case.rows, max_evals=1_000_000, silent=True).values
