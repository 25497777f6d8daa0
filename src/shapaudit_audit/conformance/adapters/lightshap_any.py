"""explain_any of lightshap, exactly, by its kernel."""

from lightshap import explain_any

LABEL, PACKAGE, QUESTION = "lightshap explain_any, exact kernel", "lightshap", "interventional"
OFFERS = ("game", "linear", "scikit-learn", "xgboost", "lightgbm", "catboost")
PLAYERS = 12


def explain(case):
    """Values of the output as a function."""
    return explain_any(
        case.predict, case.rows, bg_X=case.background, method="kernel", how="exact", verbose=False
    ).shap_values
