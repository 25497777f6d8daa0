"""The weights of XGBoost's dropped trees are ignored.

With `rate_drop`, each tree has a weight in the prediction; the values are those of trees without.

Cells: shap_tree_interventional: XGBoost, boosters and trees/dart, dropped trees
Cells: shapiq_tree_interventional: XGBoost, boosters and trees/dart, dropped trees
Cells: shapiq_tree_path_dependent: XGBoost, boosters and trees/dart, dropped trees
Cells: woodelf_interventional: XGBoost, boosters and trees/dart, dropped trees
Cells: woodelf_path_dependent: XGBoost, boosters and trees/dart, dropped trees
Cells: fasttreeshap_interventional: XGBoost, boosters and trees/dart, dropped trees
Cells: fasttreeshap_path_dependent: XGBoost, boosters and trees/dart, dropped trees
Cells: grouptreeshap_path_dependent: XGBoost, boosters and trees/dart, dropped trees
"""

import numpy as np
import shap
import xgboost

rng = np.random.default_rng(0)
X = rng.normal(size=(96, 4))
y = X[:, 0] * X[:, 1] + X[:, 2]
settings = {"booster": "dart", "rate_drop": 0.8, "one_drop": 1, "max_depth": 3}
model = xgboost.XGBRegressor(n_estimators=4, **settings).fit(X, y)
values = shap.TreeExplainer(model, X[:5]).shap_values(X[20:24])
print("values sum to", values.sum(axis=1))
print("output changes by", model.predict(X[20:24]) - model.predict(X[:5]).mean())
