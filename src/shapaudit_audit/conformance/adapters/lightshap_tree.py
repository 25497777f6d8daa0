"""explain_tree of lightshap, which asks the library of the model."""

from lightshap import explain_tree

LABEL, PACKAGE, QUESTION = "lightshap explain_tree", "lightshap", "path-dependent"
OFFERS = ("xgboost", "lightgbm", "catboost")


def explain(case):
    """Values of the chosen output."""
    values = explain_tree(case.model, case.rows).shap_values
    return values if values.ndim == 2 else values[..., case.output or 0]
