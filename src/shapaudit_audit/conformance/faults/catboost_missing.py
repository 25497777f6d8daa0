"""CatBoost's `nan_mode="Max"` is ignored.

Missing entries are taken for the smallest, and not for the largest.

Cells: shap_tree_interventional: CatBoost/missing as the largest
Cells: fasttreeshap_interventional: CatBoost/missing as the largest
"""

import catboost
import numpy as np
import shap

rng = np.random.default_rng(0)
X = rng.normal(size=(96, 4))
y = X[:, 0] * X[:, 1] + X[:, 2]
rows = np.where(rng.random((96, 4)) < 0.2, np.nan, X)
settings = {"iterations": 4, "depth": 2, "verbose": 0, "allow_writing_files": False}
model = catboost.CatBoostRegressor(nan_mode="Max", **settings).fit(rows, y)
values = shap.TreeExplainer(model, rows[:5]).shap_values(rows[20:24])
print("values sum to", values.sum(axis=1))
print("output changes by", model.predict(rows[20:24]) - model.predict(rows[:5]).mean())
