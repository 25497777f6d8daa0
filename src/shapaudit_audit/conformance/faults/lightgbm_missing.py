"""LightGBM's `use_missing=False` and `zero_as_missing=True` are ignored.

With the first, a missing entry is taken for 0; with the second, 0 is taken for missing.

Cells: shap_tree_interventional: LightGBM, entries and trees/missing, use_missing=False
Cells: shap_tree_interventional: LightGBM, entries and trees/zero_as_missing
Cells: shapiq_tree_interventional: LightGBM, entries and trees/missing, use_missing=False
Cells: shapiq_tree_interventional: LightGBM, entries and trees/zero_as_missing
Cells: shapiq_tree_path_dependent: LightGBM, entries and trees/missing, use_missing=False
Cells: shapiq_tree_path_dependent: LightGBM, entries and trees/zero_as_missing
Cells: woodelf_interventional: LightGBM, entries and trees/zero_as_missing
Cells: woodelf_path_dependent: LightGBM, entries and trees/zero_as_missing
Cells: fasttreeshap_interventional: LightGBM, entries and trees/missing, use_missing=False
Cells: fasttreeshap_interventional: LightGBM, entries and trees/zero_as_missing
Cells: fasttreeshap_path_dependent: LightGBM, entries and trees/missing, use_missing=False
Cells: fasttreeshap_path_dependent: LightGBM, entries and trees/zero_as_missing
"""

import lightgbm
import numpy as np
import shap

rng = np.random.default_rng(0)
X = rng.normal(size=(96, 4))
holes = rng.random((96, 4)) < 0.2
y = X[:, 0] * X[:, 1] + X[:, 2]
for setting, mark in (({"use_missing": False}, np.nan), ({"zero_as_missing": True}, 0.0)):
    rows = np.where(holes, mark, X)
    settings = {"n_estimators": 4, "min_child_samples": 5, "verbose": -1, **setting}
    model = lightgbm.LGBMRegressor(**settings).fit(rows, y)
    values = shap.TreeExplainer(model, rows[:5]).shap_values(rows[20:24])
    print(setting, "values sum to", values.sum(axis=1))
    print("output changes by", model.predict(rows[20:24]) - model.predict(rows[:5]).mean())
