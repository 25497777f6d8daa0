"""Explainable boosting machines: terms of one and two features, by their bins, as trees."""

import numpy as np
import pandas as pd
import pytest

from shapaudit.explainers import create
from shapaudit.games import all_coalitions
from shapaudit.models import ModelError
from shapaudit.models.read_trees import read_trees
from shapaudit.truth import shapley_from_table
from tree_models import hybrids

RNG = np.random.default_rng(4)
N = 120
TABLE = pd.DataFrame(
    {"x": RNG.normal(size=N), "y": RNG.normal(size=N), "word": RNG.choice([*"pqr"], N)}
).mask(RNG.random((N, 3)) < 0.15)
FINE, COARSE = np.array([-1.0, -0.25, 0.5, 1.25]), np.array([0.25])


class ExplainableBoostingRegressor:
    """The attributes of a fitted model, and its own prediction from them."""

    __module__ = "interpret.glassbox"
    feature_names_in_ = ("x", "y", "word")
    bins_ = ([FINE, COARSE], [FINE[:2]], [{"p": 1, "q": 2, "r": 2}])
    term_features_ = ((0,), (1,), (2,), (0, 1), (1, 2))
    intercept_ = np.array([0.75])

    def __init__(self, shift=0.0):
        rng = np.random.default_rng(0)
        shapes = [(7,), (5,), (4,), (4, 5), (5, 4)]
        self.term_scores_ = [rng.normal(size=shape) for shape in shapes]
        self.bin_weights_ = [rng.integers(1, 9, size=shape) for shape in shapes]
        self.shift = shift

    def bin_of(self, feature, values, together):
        bins = self.bins_[feature][min(len(self.bins_[feature]), together) - 1]
        if isinstance(bins, dict):
            return [
                0 if value != value or value is None else bins.get(value, 3) for value in values
            ]
        numbers = values.astype(float)
        return np.where(np.isnan(numbers), 0, np.searchsorted(bins, numbers, side="right") + 1)

    def predict(self, table):
        total = np.full(len(table), self.intercept_[0] + self.shift)
        for term, scores in zip(self.term_features_, self.term_scores_, strict=True):
            own = (self.bin_of(j, table.iloc[:, j].to_numpy(), len(term)) for j in term)
            total += scores[tuple(np.asarray(index, dtype=int) for index in own)]
        return total


def test_values_are_those_of_enumeration():
    model = ExplainableBoostingRegressor()
    edges = pd.DataFrame({"x": [*FINE, 0.25], "y": [*FINE, -1.5], "word": [*"pqzrz"]})
    fitted = create("interventional-tree").fit(model, TABLE[:5])
    for rows in (TABLE, edges):
        np.testing.assert_allclose(fitted.output(fitted.numbers(rows)), model.predict(rows))
    for k in range(10, 16):
        row = TABLE[k : k + 1]
        coalitions = all_coalitions(3)
        outputs = model.predict(hybrids(row, TABLE[:5], coalitions)).reshape(8, 5)
        expected = shapley_from_table(outputs.mean(axis=1))
        np.testing.assert_allclose(fitted.explain(row).values[0], expected, atol=1e-12)
    paths = create("path-dependent-tree").fit(model, TABLE[:1]).explain(TABLE)
    np.testing.assert_allclose(paths.values.sum(axis=1) + paths.base_value, model.predict(TABLE))


def test_what_differs_or_is_not_fitted_is_refused():
    with pytest.raises(ModelError, match="this ExplainableBoostingRegressor gives"):
        create("interventional-tree").fit(ExplainableBoostingRegressor(shift=0.1), TABLE[:5])
    bare = type("ExplainableBoostingClassifier", (), {"__module__": "interpret.glassbox"})
    with pytest.raises(ModelError, match="no fitted explainable boosting machine; call fit"):
        read_trees(bare())


@pytest.mark.parametrize("classes", [0, 2, 3])
def test_the_package_itself(classes):
    glassbox = pytest.importorskip("interpret.glassbox")
    settings = {"interactions": 2, "max_rounds": 30, "n_jobs": 1, "max_bins": 16}
    target = TABLE["x"].fillna(0) * TABLE["y"].fillna(1) + (TABLE["word"] == "q")
    if classes:
        model = glassbox.ExplainableBoostingClassifier(**settings)
        target = np.digitize(target, [0.2, 0.9][: classes - 1])
    else:
        model = glassbox.ExplainableBoostingRegressor(**settings)
    model.fit(TABLE, target)
    for output in range(max(1, classes)):
        params = {"output": output} if classes else {}
        fitted = create("interventional-tree", params).fit(model, TABLE[:5])
        assert fitted.explain(TABLE[5:9]).values.shape == (4, 3)
