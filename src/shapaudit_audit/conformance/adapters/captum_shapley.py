"""ShapleyValues of captum, which goes through all orders of the players."""

import numpy as np
import torch
from captum.attr import ShapleyValues

LABEL, PACKAGE, QUESTION = "captum ShapleyValues", "captum", "interventional"
OFFERS = ("game", "groups", "linear")
PLAYERS = 6
ENVIRONMENT = "torch"


def explain(case):
    """Means over the background of values against one baseline each."""
    rows = torch.tensor(np.asarray(case.rows, dtype=np.float64))
    owner = np.empty(rows.shape[1], dtype=np.int64)
    for player, columns in enumerate(case.players):
        owner[columns] = player
    first = [columns[0] for columns in case.players]
    method = ShapleyValues(lambda given: torch.tensor(case.predict(given.numpy())))
    found = [
        method.attribute(
            rows, baselines=torch.tensor(np.asarray(row)[None]),
            feature_mask=torch.tensor(owner)[None],
        ).numpy()
        for row in case.background
    ]  # fmt: skip
    return np.mean(found, axis=0)[:, first]
