"""PermutationExplainer of shap, which is exact for interactions of pairs."""

import shap

LABEL, PACKAGE, QUESTION = "shap PermutationExplainer", "shap", "interventional"
OFFERS = ("game", "linear", "scikit-learn", "xgboost", "lightgbm", "catboost")
PLAYERS, ORDER = 12, 2


def explain(case):
    """Values of the output as a function."""
    masker = shap.maskers.Independent(case.background, max_samples=len(case.background))
    explainer = shap.PermutationExplainer(case.predict, masker, seed=0)
    evaluations = 10 * (2 * case.background.shape[1] + 1)
    return explainer(case.rows, max_evals=evaluations, silent=True).values
