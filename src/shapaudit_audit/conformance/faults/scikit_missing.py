"""Missing entries of scikit-learn always go to the left.

The package's own check of the sums refuses the rows of this script, and is turned off here; it does
not refuse those of the cells.

Cells: fasttreeshap_interventional: scikit-learn, trees and forests/tree, missing
Cells: fasttreeshap_interventional: scikit-learn, trees and forests/forest, missing
Cells: fasttreeshap_path_dependent: scikit-learn, trees and forests/tree, missing
Cells: fasttreeshap_path_dependent: scikit-learn, trees and forests/forest, missing
"""

import fasttreeshap_fixed
import numpy as np
from sklearn.tree import DecisionTreeRegressor

rng = np.random.default_rng(0)
X = rng.normal(size=(96, 4))
y = X[:, 0] * X[:, 1] + X[:, 2]
rows = np.where(rng.random((96, 4)) < 0.2, np.nan, X)
model = DecisionTreeRegressor(max_depth=3, random_state=0).fit(rows, y)
explainer = fasttreeshap_fixed.TreeExplainer(model, n_jobs=1)
values = explainer.shap_values(rows[20:26], check_additivity=False)
print("values sum to", values.sum(axis=1))
print("output changes by", model.predict(rows[20:26]) - explainer.expected_value)
