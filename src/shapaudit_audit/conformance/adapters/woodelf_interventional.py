"""WoodelfExplainer with a background, a data frame as it asks for."""

import numpy as np
import pandas as pd
from woodelf import WoodelfExplainer
from woodelf.core.trees.parse_models import load_decision_tree_ensemble_model

LABEL, PACKAGE, QUESTION = "woodelf, background", "woodelf-explainer", "interventional"
OFFERS = ("xgboost", "lightgbm", "scikit-learn")


def explain(case):
    """Values of the chosen output, which the trees are loaded for."""
    rows, model = pd.DataFrame(case.rows), case.model
    if case.output is not None:
        model = load_decision_tree_ensemble_model(model, list(rows.columns), case.output)
    explainer = WoodelfExplainer(model, pd.DataFrame(case.background))
    return np.asarray(explainer.shap_values(rows, verbose=False))
