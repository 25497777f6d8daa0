"""Rows in double precision are not rounded as the model rounds them.

scikit-learn and CatBoost compare entries in single precision. An entry that differs from a
threshold only in double precision is sent to the other side.

Cells: shap_tree_interventional: CatBoost/at borders, double precision
Cells: fasttreeshap_interventional: CatBoost/at borders, double precision
Cells: shapiq_tree_interventional: scikit-learn, trees and forests/tree, at thresholds, double*
Cells: shapiq_tree_path_dependent: scikit-learn, trees and forests/tree, at thresholds, double*
Cells: woodelf_interventional: scikit-learn, trees and forests/tree, at thresholds, double*
Cells: woodelf_path_dependent: scikit-learn, trees and forests/tree, at thresholds, double*
"""

import numpy as np
import shapiq
from sklearn.tree import DecisionTreeRegressor

X = np.array([[0.0], [0.1], [0.3], [0.7]])
model = DecisionTreeRegressor(max_depth=1).fit(X, [0.0, 0.0, 1.0, 1.0])
threshold = model.tree_.threshold[0]
for entry in (threshold, np.nextafter(threshold, 1.0)):
    row = np.array([entry])
    explainer = shapiq.TreeExplainer(model, mode="interventional", reference_dataset=X[:1])
    print("values sum to", explainer.explain(row)[(0,)])
    print("output changes by", model.predict([row])[0] - model.predict(X[:1])[0])
