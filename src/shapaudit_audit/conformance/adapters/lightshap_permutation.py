"""explain_any of lightshap, exactly, by permutations."""

from lightshap import explain_any

LABEL, PACKAGE = "lightshap explain_any, exact permutation", "lightshap"
QUESTION = "interventional"
OFFERS = ("game", "linear", "scikit-learn", "xgboost", "lightgbm", "catboost")
PLAYERS = 10


def explain(case):
    """Values of the output as a function."""
    return explain_any(
        case.predict, case.rows, bg_X=case.background, method="permutation", how="exact",
        verbose=False,
    ).shap_values  # fmt: skip
