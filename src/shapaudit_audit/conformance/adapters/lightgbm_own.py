"""Contributions of LightGBM itself, which are path-dependent."""

LABEL, PACKAGE, QUESTION = "LightGBM pred_contrib", "lightgbm", "path-dependent"
OFFERS = ("lightgbm",)


def explain(case):
    """Values of the chosen output, without its last column, which is the mean."""
    columns = case.background.shape[1]
    values = case.model.predict(case.rows, pred_contrib=True)
    first = (case.output or 0) * (columns + 1)
    return values[:, first : first + columns]
