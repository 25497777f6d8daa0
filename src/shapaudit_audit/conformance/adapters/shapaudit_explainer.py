"""Explainer of shapaudit, for the scores that a model adds up."""

from shapaudit import Explainer

LABEL, PACKAGE, QUESTION = "shapaudit Explainer", "shapaudit", "interventional"
OFFERS = ("game", "groups", "linear", "scikit-learn", "xgboost", "lightgbm", "catboost")


def adds_scores(model):
    """Whether a model predicts something else than the scores that it adds up."""
    booster = type(model).__module__.startswith(("xgboost", "lightgbm", "catboost"))
    return booster or hasattr(model, "decision_function")


def explain(case):
    """Values of the chosen output, of a model or of a function."""
    model = case.predict if case.model is None else case.model
    settings = {"raw": True} if adds_scores(case.model) else {}
    if case.output is not None:
        settings["output"] = case.output
    if case.groups is not None:
        settings["groups"] = {
            name: [f"x{j}" for j in columns] for name, columns in case.groups.items()
        }
    explainer = Explainer(model, case.background, background_rows=None, **settings)
    return explainer(case.rows, progress=False).values
