"""Small models that explainers are put to the test on, by the kind of model on their cards."""

from functools import partial
from itertools import pairwise

import numpy as np
import xgboost
from sklearn.ensemble import RandomForestClassifier

from shapaudit.datasets import Dataset
from shapaudit.models import ShapleyNetwork, train
from shapaudit.models.linear import LinearModel

ROWS = np.random.default_rng(3).normal(size=(12, 5))


def trees(seed=0, depth=4):
    """Boosted trees on few rows, with weights of nodes."""
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(80, ROWS.shape[1]))
    target = rows[:, 0] * rows[:, 1] + np.abs(rows[:, 2]) - rows[:, 4]
    booster = xgboost.XGBRegressor(n_estimators=6, max_depth=depth, n_jobs=1, random_state=0)
    return booster.fit(rows, target)


def forest():
    """A forest that averages shares of a class."""
    rows = np.random.default_rng(1).normal(size=(80, ROWS.shape[1]))
    model = RandomForestClassifier(5, max_depth=4, random_state=0)
    return model.fit(rows, rows[:, 0] * rows[:, 1] > rows[:, 2])


class AnyModel:
    """A function of rows, and nothing else to look into."""

    n_features = ROWS.shape[1]

    def predict(self, rows):
        """Products and a kink."""
        return rows[:, 0] * rows[:, 1] + np.abs(rows[:, 2]) - rows[:, 4]


def network(sizes=(5, 6, 4, 1), activation="relu", seed=0):
    """Random layers as named arrays."""
    rng = np.random.default_rng(seed)
    arrays = {}
    for k, (inputs, outputs) in enumerate(pairwise(sizes)):
        arrays[f"weight{k}"] = rng.normal(size=(inputs, outputs)) / np.sqrt(inputs)
        arrays[f"bias{k}"] = rng.normal(size=outputs) / 3
        if k < len(sizes) - 2:
            arrays[f"activation{k}"] = activation
    return arrays


def shapnet(trainer, **params):
    """A ShapNet as it is trained, moved to the first of the rows as its reference."""
    rows = np.random.default_rng(2).normal(size=(60, ROWS.shape[1]))
    target = rows[:, 0] * rows[:, 1] + np.abs(rows[:, 2] + rows[:, 3]) * rows[:, 4]
    names = tuple(f"x{j}" for j in range(ROWS.shape[1]))
    split = {"train": np.arange(50), "test": np.arange(50, 60)}
    dataset = Dataset("made up", rows, target, names, split, "generated")
    model = train(trainer, dataset, {"epochs": 10, "rate": 0.02, **params}, 0)
    return ShapleyNetwork(model.network, ROWS[0])


MODELS = {
    "any": [AnyModel],
    "linear": [
        lambda: LinearModel([2.0, -1.0, 0.5, 0.0, 3.0], 1.0),
    ],
    "trees": [trees, forest],
    "network": [
        network,
        lambda: network((5, 1)),
        *(
            partial(network, (5, 8, 1), activation, 1)
            for activation in ("leaky-relu", "logistic", "tanh", "probit")
        ),
    ],
    "shallow-shapnet": [
        partial(shapnet, "shallow-shapnet"),
        partial(shapnet, "shallow-shapnet", size=3, modules=4),
    ],
    "deep-shapnet": [partial(shapnet, "deep-shapnet")],
}
