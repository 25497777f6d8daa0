"""The learning rate of XGBoost's method `exact` is lost.

The values are those of a sum of trees without the learning rate, 0.3 by default.

Cells: shapiq_tree_interventional: XGBoost, boosters and trees/exact
Cells: shapiq_tree_path_dependent: XGBoost, boosters and trees/exact
Cells: grouptreeshap_path_dependent: XGBoost, boosters and trees/exact
"""

import numpy as np
import shapiq
import xgboost

rng = np.random.default_rng(0)
X = rng.normal(size=(96, 4))
y = X[:, 0] * X[:, 1] + X[:, 2]
model = xgboost.XGBRegressor(n_estimators=4, max_depth=3, tree_method="exact").fit(X, y)
explainer = shapiq.TreeExplainer(model, mode="interventional", reference_dataset=X[:5])
values = explainer.explain(X[20])
print("values sum to", sum(values[(j,)] for j in range(4)))
print("output changes by", model.predict(X[20:21])[0] - model.predict(X[:5]).mean())
