"""Contributions of XGBoost itself, which are path-dependent."""

import numpy as np
import xgboost

LABEL, PACKAGE, QUESTION = "XGBoost pred_contribs", "xgboost-cpu", "path-dependent"
OFFERS = ("xgboost",)


def explain(case):
    """Values of the chosen output, without the last column, which is the mean."""
    estimator = hasattr(case.model, "get_booster")
    booster = case.model.get_booster() if estimator else case.model
    missing = case.model.missing if estimator else np.nan
    data = xgboost.DMatrix(case.rows, missing=missing, enable_categorical=True)
    values = booster.predict(data, pred_contribs=True)
    return values[:, :-1] if values.ndim == 2 else values[:, case.output or 0, :-1]
