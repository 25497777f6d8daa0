"""Interventional explainer of trees of shapaudit."""

from shapaudit.explainers import create

LABEL, PACKAGE, QUESTION = "shapaudit interventional-tree", "shapaudit", "interventional"
OFFERS = ("scikit-learn", "xgboost", "lightgbm", "catboost")


def explain(case):
    """Values of the chosen output."""
    explainer = create("interventional-tree", {"output": case.output})
    return explainer.fit(case.model, case.background).explain(case.rows).values
