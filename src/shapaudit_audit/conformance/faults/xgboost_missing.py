"""XGBoost's `missing=` is ignored.

Entries that the estimator takes for missing follow the branch for missing entries; here they are
compared with thresholds.

Cells: shap_tree_interventional: XGBoost, entries/missing=*
Cells: shapiq_tree_interventional: XGBoost, entries/missing=*
Cells: woodelf_interventional: XGBoost, entries/missing=*
Cells: fasttreeshap_interventional: XGBoost, entries/missing=*
"""

import numpy as np
import shap
import xgboost

rng = np.random.default_rng(0)
X = np.where(rng.random((96, 4)) < 0.2, -999.0, rng.normal(size=(96, 4)))
y = X[:, 0] * X[:, 1] + X[:, 2]
model = xgboost.XGBRegressor(n_estimators=4, max_depth=3, missing=-999.0).fit(X, y)
values = shap.TreeExplainer(model, X[:5]).shap_values(X[20:24])
print("values sum to", values.sum(axis=1))
print("output changes by", model.predict(X[20:24]) - model.predict(X[:5]).mean())
