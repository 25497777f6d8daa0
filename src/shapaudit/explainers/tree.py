"""Interventional TreeSHAP: exact baseline and marginal Shapley values of trees."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ..models.read_trees import ReadTrees, read_trees
from ..truth import read_tree_shapley
from .base import Background, ExplainerCard, ExplainerMethod, FittedExplainer, Names
from .reading import Numbers, Reading


def of_trees(trees: ReadTrees) -> Reading:
    """Trees as they are read, checked against the model's own output."""
    return Reading(trees, trees.names, trees.numbers, trees.check)


@dataclass(frozen=True, eq=False)
class FittedTree(FittedExplainer):
    """An explainer of trees."""

    explainer: ExplainerMethod
    background: Background
    model: ReadTrees

    @property
    def numbers(self) -> Numbers:
        """Rows (m, d) of a table, its categories numbered as in the model."""
        return self.model.numbers


@dataclass(frozen=True, eq=False)
class FittedInterventionalTree(FittedTree):
    """Interventional TreeSHAP of one model."""

    explainer: "InterventionalTree"

    def output(self, rows: np.ndarray) -> np.ndarray:
        """The sum of the trees (m,): of a booster before its link function."""
        return self.model.predict(rows)

    def _explained(
        self, explicands: np.ndarray, baselines: np.ndarray
    ) -> tuple[np.ndarray, float, int]:
        values = read_tree_shapley(self.model, explicands, baselines)
        return values, float(self.model.predict(baselines).mean()), 0


@dataclass(frozen=True)
class InterventionalTree(ExplainerMethod):
    """The marginal Shapley values of an ensemble of trees, exactly, in one walk per baseline.

    `fit` takes a booster, estimator or saved file of XGBoost, LightGBM or CatBoost, a tree, forest,
    boosting or other sum of trees of scikit-learn, and the trees of this package; see
    docs/explainers.md. Of a classifier the log-odds are explained, or the share of a class where
    the model averages shares (forests); of any booster its raw score. Rows may have missing
    entries, NaN, where the model deals with them. The trees are compared with the model's own
    output at the background and at each explained row.

    Parameters
    ----------
    output : class or output that is explained; by default the second of two classes

    Examples
    --------
    >>> forest = RandomForestRegressor(random_state=0).fit(rows, target)  # rows (n, d)
    >>> fitted = create("interventional-tree").fit(forest, rows[:100])  # 100 baselines
    >>> values = fitted.explain(rows[:5]).values  # (5, d), in units of the target
    """

    output: int | None = None

    id: ClassVar[str] = "interventional-tree"
    names: ClassVar[Names] = {
        "Interventional TreeSHAP": {}, "TreeSHAP": {}, "TreeExplainer": {},
    }  # fmt: skip
    takes_missing: ClassVar[bool] = True
    card: ClassVar[ExplainerCard] = ExplainerCard(
        models="trees",
        target="marginal",
        definition="Each leaf's Shapley value in closed form, by one walk per tree and baseline.",
        cost=r"O(\text{nodes reached} \times \text{baselines})",
        source="Lundberg et al. 2020; Chen et al. 2023, Section 5.2.3",
        exact_for="every ensemble of trees and every background",
    )

    def _read(self, model: Any) -> Reading:
        return of_trees(read_trees(model, self.output))

    def _fitted(
        self, model: Any, background: Background, rng: np.random.Generator
    ) -> FittedExplainer:
        self.check_features(background, model.ensemble.n_features)
        return FittedInterventionalTree(self, background, model)
