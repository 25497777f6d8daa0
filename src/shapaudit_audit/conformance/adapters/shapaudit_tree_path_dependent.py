"""Path-dependent explainer of trees of shapaudit."""

from shapaudit.explainers import create

LABEL, PACKAGE, QUESTION = "shapaudit path-dependent-tree", "shapaudit", "path-dependent"
OFFERS = ("scikit-learn", "xgboost", "lightgbm", "catboost")


def explain(case):
    """Values of the chosen output."""
    explainer = create("path-dependent-tree", {"output": case.output})
    return explainer.fit(case.model, case.background).explain(case.rows).values
