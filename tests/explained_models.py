"""Tables and models of them that the tests of the explainer share."""

import numpy as np
import pandas as pd

RNG = np.random.default_rng(0)
MIXED = pd.DataFrame(
    {
        "size": RNG.normal(60, 20, 12),
        "city": RNG.choice(["Bonn", "Kiel"], 12),
        "old": RNG.random(12) < 0.5,
        "floor": pd.array([1, 2, None, 3] * 3, dtype="Int64"),
    }
)
NUMBERS = pd.DataFrame(RNG.normal(size=(30, 9)), columns=list("abcdefghi"))


def rent(rows):
    """A model of a mixed table with an interaction."""
    kiel, old = (rows["city"] == "Kiel").to_numpy(), rows["old"].to_numpy()
    floor = rows["floor"].astype("float64").fillna(0.0).to_numpy()
    return rows["size"].to_numpy() * (10.0 + 2.0 * kiel) - 50.0 * old * kiel + floor**2


def smooth(rows):
    """A model of numbers, given as a table or as an array, with interactions."""
    x = np.asarray(rows)
    return np.tanh(x @ np.arange(1, 10) / 6.0) + x[:, 0] * x[:, 1] + 0.3 * x[:, 2] * x[:, 3]


class Asked:
    """A model that counts the rows it is asked for, and may be stopped after some calls."""

    def __init__(self, model, stop_after=None):
        self.model, self.rows, self.calls, self.stop_after = model, [], 0, stop_after

    def __call__(self, rows):
        self.calls += 1
        if self.stop_after is not None and self.calls > self.stop_after:
            raise KeyboardInterrupt
        self.rows += [tuple(row) for row in np.asarray(rows).tolist()]
        return self.model(rows)
