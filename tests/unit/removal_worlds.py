"""Worlds with exact games of every removal's target, to hold removals against."""

import numpy as np

from shapaudit.datasets import Dataset
from shapaudit.datasets.laws import DiscreteLaw, GaussianLaw
from shapaudit.games import all_coalitions

LEVELS = (0.0, 1.0, 3.0)


class Function:
    """A model of a function of rows (m, d), evaluated row by row."""

    def __init__(self, function):
        self.function = function

    def predict(self, rows):
        return self.function(np.asarray(rows, dtype=np.float64))


def curved(rows):
    """No feature can do without the others, in three features."""
    return rows[:, 0] * rows[:, 1] + np.sqrt(1 + rows[:, 2] ** 2) - 0.5 * rows[:, 2]


def table_law():
    """Three features of three levels that are often alike, with small whole weights."""
    support = DiscreteLaw.independent(3, LEVELS).support
    first, second, third = support.T
    alike = 12 * (first == second) + 6 * (third == np.minimum(first, second))
    return DiscreteLaw(support, 1 + alike)


def dataset_of(rows, target=None, names=None):
    """Rows as training rows; a test row must be there, and is the last."""
    rows = np.vstack([rows, rows[-1:]])
    target = None if target is None else np.append(target, target[-1])
    names = names or tuple(f"x{j}" for j in range(rows.shape[1]))
    split = {"train": np.arange(len(rows) - 1), "test": [len(rows) - 1]}
    return Dataset("rows", rows, target, names, split, "generated")


def rows_of(law):
    """Rows whose empirical law is a table's law, exactly."""
    return np.repeat(law.support, law.weights, axis=0)


def conditional_game(law, function, explicand):
    """E[f | x_S] (2^d,) of a table's law, by enumeration."""
    values = []
    for members in all_coalitions(law.n_features):
        matches = (law.support[:, members] == explicand[members]).all(axis=1)
        values.append(np.average(function(law.support[matches]), weights=law.weights[matches]))
    return np.array(values)


def marginal_game(law, function, explicand):
    """E f(x_S, X_absent) (2^d,) of a table's law, by enumeration."""
    return np.array(
        [
            np.average(function(np.where(members, explicand, law.support)), weights=law.weights)
            for members in all_coalitions(law.n_features)
        ]
    )


def product_law(law):
    """The law of independent features with the same margins."""
    d = law.n_features
    margins = [np.unique(law.support[:, j]) for j in range(d)]
    shares = [
        [int(law.weights[law.support[:, j] == v].sum()) for v in values]
        for j, values in enumerate(margins)
    ]
    support = np.stack([g.ravel() for g in np.meshgrid(*margins, indexing="ij")], axis=1)
    weights = np.prod([g.ravel() for g in np.meshgrid(*shares, indexing="ij")], axis=0)
    return DiscreteLaw(support, weights)


def gaussian_law():
    """Four features, any two with a correlation of 0.8."""
    return GaussianLaw.equicorrelated(4, 0.8)


def quadratic(rows):
    """x1 x2 + x3 - x4^2 / 2."""
    return rows[:, 0] * rows[:, 1] + rows[:, 2] - 0.5 * rows[:, 3] ** 2


def conditional_quadratic(law, explicand):
    """E[quadratic | x_S] (16,) by the moments of the conditional normal law."""
    values = []
    for members in all_coalitions(4):
        mean, covariance = explicand.copy(), np.zeros((4, 4))
        if not members.all():
            rest = law.given(members, explicand[members])
            mean[~members] = rest.mean
            covariance[np.ix_(~members, ~members)] = rest.covariance
        values.append(quadratic(mean[None])[0] + covariance[0, 1] - 0.5 * covariance[3, 3])
    return np.array(values)
