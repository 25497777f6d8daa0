"""The outputs of a model of XGBoost are added up.

A model with several targets, quantiles or classes is explained by one array of values, which are
those of the sum of its outputs.

Cells: shapiq_tree_interventional: XGBoost, objectives/three quantiles
Cells: shapiq_tree_interventional: XGBoost, objectives/two targets
Cells: shapiq_tree_path_dependent: XGBoost, objectives/three quantiles
Cells: shapiq_tree_path_dependent: XGBoost, objectives/two targets
Cells: fasttreeshap_path_dependent: XGBoost, objectives/three quantiles
Cells: fasttreeshap_path_dependent: XGBoost, objectives/two targets
Cells: fasttreeshap_interventional: XGBoost, objectives/three quantiles
Cells: fasttreeshap_interventional: XGBoost, objectives/two targets
Cells: woodelf_interventional: XGBoost, objectives/three quantiles
Cells: woodelf_interventional: XGBoost, objectives/two targets
Cells: woodelf_path_dependent: XGBoost, objectives/three quantiles
Cells: woodelf_path_dependent: XGBoost, objectives/two targets
Cells: grouptreeshap_path_dependent: XGBoost, objectives/*
"""

import numpy as np
import shapiq
import xgboost

rng = np.random.default_rng(0)
X = rng.normal(size=(96, 4))
y = X[:, 0] * X[:, 1] + X[:, 2]
model = xgboost.XGBRegressor(n_estimators=4, max_depth=3).fit(X, np.stack([y, 2 - 3 * y], 1))
explainer = shapiq.TreeExplainer(model, mode="interventional", reference_dataset=X[:5])
values = explainer.explain(X[20])
print("values sum to", sum(values[(j,)] for j in range(4)))
print("outputs change by", model.predict(X[20:21])[0] - model.predict(X[:5]).mean(axis=0))
