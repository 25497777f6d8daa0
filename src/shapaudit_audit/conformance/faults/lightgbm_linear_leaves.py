"""LightGBM's linear leaves are taken for constants.

Cells: shap_tree_interventional: LightGBM, entries and trees/linear leaves
Cells: shapiq_tree_interventional: LightGBM, entries and trees/linear leaves
Cells: fasttreeshap_interventional: LightGBM, entries and trees/linear leaves
"""

import lightgbm
import numpy as np
import shap

rng = np.random.default_rng(0)
X = rng.normal(size=(96, 4))
y = X[:, 0] * X[:, 1] + X[:, 2]
settings = {"n_estimators": 4, "min_child_samples": 5, "verbose": -1, "linear_tree": True}
model = lightgbm.LGBMRegressor(**settings).fit(X, y)
values = shap.TreeExplainer(model, X[:5]).shap_values(X[20:24])
print("values sum to", values.sum(axis=1))
print("output changes by", model.predict(X[20:24]) - model.predict(X[:5]).mean())
