"""Values of CatBoost itself over reference data."""

import catboost

LABEL, PACKAGE, QUESTION = "CatBoost ShapValues, reference data", "catboost", "interventional"
OFFERS = ("catboost",)


def explain(case):
    """Values of the chosen output, without the last column, which is the mean."""
    texts = [
        j for j, kind in enumerate(getattr(case.rows, "dtypes", ())) if kind.kind not in "iufb"
    ]
    rows, background = (
        catboost.Pool(table, label=case.model.predict(table), cat_features=texts)
        for table in (case.rows, case.background)
    )
    values = case.model.get_feature_importance(rows, type="ShapValues", reference_data=background)
    return values[:, :-1] if values.ndim == 2 else values[:, case.output or 0, :-1]
