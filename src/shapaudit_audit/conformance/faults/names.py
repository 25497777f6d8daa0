"""Columns are taken by their places, whatever their names.

The model itself refuses rows whose columns have another order than those that it was fitted to.

Cells: shap_exact: XGBoost, entries/names in another order
Cells: shap_exact: scikit-learn, trees and forests/tree, names in another order
Cells: shap_permutation: XGBoost, entries/names in another order
Cells: shap_tree_interventional: XGBoost, entries/names in another order
Cells: shap_tree_interventional: scikit-learn, trees and forests/tree, names in another order
Cells: woodelf_interventional: XGBoost, entries/names in another order
Cells: woodelf_interventional: scikit-learn, trees and forests/tree, names in another order
Cells: fasttreeshap_interventional: XGBoost, entries/names in another order
Cells: fasttreeshap_interventional: scikit-learn, trees and forests/tree, names in another order
"""

import numpy as np
import pandas as pd
import shap
from sklearn.tree import DecisionTreeRegressor

rng = np.random.default_rng(0)
X = pd.DataFrame(rng.normal(size=(96, 4)), columns=list("abcd"))
model = DecisionTreeRegressor(max_depth=3, random_state=0).fit(X, X["a"] * X["b"] + X["c"])
row = X[20:21]
for columns in (list("abcd"), list("dbac")):
    values = shap.TreeExplainer(model, X[:5]).shap_values(row[columns])
    print(dict(zip(columns, values[0].round(3), strict=True)))
