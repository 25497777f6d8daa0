"""Values of a tree with a large mean are in single precision.

A tree of scikit-learn predicts in double precision; its leaves are rounded to single precision.

Cells: shap_tree_interventional: scikit-learn, trees and forests/tree, small differences
Cells: woodelf_interventional: scikit-learn, trees and forests/tree, small differences
Cells: woodelf_path_dependent: scikit-learn, trees and forests/tree, small differences
Cells: fasttreeshap_interventional: scikit-learn, trees and forests/tree, small differences
"""

import numpy as np
import shap
from sklearn.tree import DecisionTreeRegressor

rng = np.random.default_rng(0)
X = rng.normal(size=(96, 4))
y = 1e6 + X[:, 0] * X[:, 1] + X[:, 2]
model = DecisionTreeRegressor(max_depth=3, random_state=0).fit(X, y)
values = shap.TreeExplainer(model, X[:5]).shap_values(X[20:24])
print("values sum to", values.sum(axis=1))
print("output changes by", model.predict(X[20:24]) - model.predict(X[:5]).mean())
