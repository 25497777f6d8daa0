"""An entry just below a threshold of XGBoost goes to the wrong side.

XGBoost sends what is less than a threshold to the left, in single precision. The largest such
number is sent to the right.

Cells: woodelf_interventional: XGBoost, entries/at thresholds, single precision
Cells: woodelf_interventional: XGBoost, entries/at thresholds, double precision
Cells: woodelf_interventional: XGBoost, entries/background at thresholds
Cells: woodelf_path_dependent: XGBoost, entries/at thresholds, single precision
Cells: woodelf_path_dependent: XGBoost, entries/at thresholds, double precision
"""

import numpy as np
import pandas as pd
import xgboost
from woodelf import WoodelfExplainer

rng = np.random.default_rng(0)
X = pd.DataFrame(rng.normal(size=(96, 2)), columns=["a", "b"])
model = xgboost.XGBRegressor(n_estimators=1, max_depth=1).fit(X, X["a"])
threshold = np.float32(model.get_booster().trees_to_dataframe()["Split"][0])
row = pd.DataFrame({"a": [float(np.nextafter(threshold, np.float32(-9)))], "b": [0.0]})
values = WoodelfExplainer(model, X[:5]).shap_values(row, verbose=False)
print("values sum to", np.sum(values))
print("output changes by", model.predict(row)[0] - model.predict(X[:5]).mean())
