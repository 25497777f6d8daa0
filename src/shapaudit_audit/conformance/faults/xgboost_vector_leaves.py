"""Vector leaves of XGBoost are misread.

Cells: woodelf_interventional: XGBoost, boosters and trees/vector leaves, *
"""

import numpy as np
import pandas as pd
import xgboost
from woodelf import WoodelfExplainer
from woodelf.core.trees.parse_models import load_decision_tree_ensemble_model

rng = np.random.default_rng(0)
X = rng.normal(size=(96, 4))
y = X[:, 0] * X[:, 1] + X[:, 2]
settings = {"n_estimators": 4, "max_depth": 3, "multi_strategy": "multi_output_tree"}
model = xgboost.XGBRegressor(**settings).fit(X, np.stack([y, 2 - 3 * y], 1))
table = pd.DataFrame(X)
for target in (0, 1):
    trees = load_decision_tree_ensemble_model(model, list(table.columns), target)
    explainer = WoodelfExplainer(trees, table[:5])
    print("values sum to", np.sum(explainer.shap_values(table[20:21], verbose=False)))
    print("output changes by", (model.predict(X[20:21])[0] - model.predict(X[:5]).mean(0))[target])
