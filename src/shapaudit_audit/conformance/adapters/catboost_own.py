"""Values of CatBoost itself, from the weights of its leaves."""

import catboost

LABEL, PACKAGE, QUESTION = "CatBoost ShapValues", "catboost", "path-dependent"
OFFERS = ("catboost",)


def explain(case):
    """Values of the chosen output, without the last column, which is the mean."""
    values = case.model.get_feature_importance(catboost.Pool(case.rows), type="ShapValues")
    return values[:, :-1] if values.ndim == 2 else values[:, case.output or 0, :-1]
