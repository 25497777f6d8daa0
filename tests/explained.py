"""Small models that explainers are put to the test on, by the kind of model on their cards."""

import numpy as np

from shapaudit.models.linear import LinearModel

ROWS = np.random.default_rng(3).normal(size=(12, 5))

MODELS = {
    "linear": [
        lambda: LinearModel([2.0, -1.0, 0.5, 0.0, 3.0], 1.0),
    ],
}
