"""The values of a forest with two targets sum to 0.

The output changes, whichever target is chosen.

Cells: woodelf_interventional: scikit-learn, trees and forests/forest, two targets
Cells: woodelf_path_dependent: scikit-learn, trees and forests/forest, two targets
"""

import numpy as np
import pandas as pd
from sklearn.ensemble import RandomForestRegressor
from woodelf import WoodelfExplainer
from woodelf.core.trees.parse_models import load_decision_tree_ensemble_model

rng = np.random.default_rng(0)
X = rng.normal(size=(96, 4))
y = X[:, 0] * X[:, 1] + X[:, 2]
model = RandomForestRegressor(4, max_depth=3, random_state=0).fit(X, np.stack([y, 2 - 3 * y], 1))
table = pd.DataFrame(X)
for target in (0, 1):
    trees = load_decision_tree_ensemble_model(model, list(table.columns), target)
    explainer = WoodelfExplainer(trees, table[:5])
    print("values sum to", np.sum(explainer.shap_values(table[20:21], verbose=False)))
    print("output changes by", (model.predict(X[20:21])[0] - model.predict(X[:5]).mean(0))[target])
