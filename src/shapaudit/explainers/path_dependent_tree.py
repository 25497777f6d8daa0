"""Path-dependent TreeSHAP: absent features follow both sides of a split, by the nodes' weights."""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from ..models.read_trees import read_trees
from ..models.trees import TreeEnsemble
from .base import Background, ExplainerCard, ExplainerError, ExplainerMethod, FittedExplainer, Names
from .paths import PathTables, path_tables, path_values
from .reading import Reading
from .tree import FittedTree, of_trees


@dataclass(frozen=True, eq=False)
class FittedPathDependentTree(FittedTree):
    """Path-dependent TreeSHAP of one model."""

    explainer: "PathDependentTree"
    tables: PathTables

    def output(self, rows: np.ndarray) -> np.ndarray:
        """The sum of the trees (m,): of a booster before its link function."""
        return self.model.predict(rows)

    def _explained(
        self, explicands: np.ndarray, baselines: np.ndarray
    ) -> tuple[np.ndarray, float, int]:
        values = path_values(self.tables, self.model.encode(explicands))
        return values, self.tables.base_value, 0


@dataclass(frozen=True)
class PathDependentTree(ExplainerMethod):
    """Shapley values of the game that splits on absent features go both ways, by weights.

    These are the contributions of XGBoost (``pred_contribs``) and LightGBM (``pred_contrib``). They
    need no background beyond the names of the features, and approximate conditional values with a
    bias that no number of rows removes. `fit` takes the models that `InterventionalTree` takes.

    Parameters
    ----------
    weights : "file" for the weights of nodes that the model brings, which are counts of training
        rows, or of XGBoost sums of second derivatives; "rows" for counts of the background's rows.
        Children of which neither has any weight count a half each
    output : class or output that is explained; by default the second of two classes

    Examples
    --------
    >>> booster = xgboost.XGBRegressor().fit(rows, target)  # rows (n, d)
    >>> fitted = create("path-dependent-tree").fit(booster, rows[:1])
    >>> values = fitted.explain(rows[:5]).values  # (5, d), in units of the booster's raw output
    """

    weights: Literal["file", "rows"] = "file"
    output: int | None = None

    id: ClassVar[str] = "path-dependent-tree"
    names: ClassVar[Names] = {"Path-dependent TreeSHAP": {}}
    takes_missing: ClassVar[bool] = True
    card: ClassVar[ExplainerCard] = ExplainerCard(
        models="trees",
        target="conditional",
        definition="Splits on absent features go both ways, in the shares of the training rows.",
        cost=r"O(\text{nodes} \times \text{depth})",
        source="Lundberg et al. 2020; Chen et al. 2023, Section 5.2.3",
        exact_for="independent features, where the weights are shares of their law",
        bias="shares of rows at a split are no conditional probabilities given present features",
    )

    def _read(self, model: Any) -> Reading:
        return of_trees(read_trees(model, self.output))

    def _fitted(
        self, model: Any, background: Background, rng: np.random.Generator
    ) -> FittedExplainer:
        ensemble = model.ensemble
        if model.leaves is not None:
            raise ExplainerError(
                f"{self.id}: {model.what} has linear leaves; interventional-tree explains it."
            )
        self.check_features(background, ensemble.n_features)
        if self.weights == "rows":
            ensemble = ensemble.reweighted(model.encode(background.rows))
        self._check_weights(ensemble)
        return FittedPathDependentTree(self, background, model, path_tables(ensemble))

    def _check_weights(self, ensemble: TreeEnsemble) -> None:
        """Raise `ExplainerError` where there are no weights, or some that are none."""
        if ensemble.weight is None:
            raise ExplainerError(
                f"{self.id}: these trees bring no weights of nodes; count the background's rows, "
                'weights="rows".'
            )
        bad = ~(np.isfinite(ensemble.weight) & (ensemble.weight >= 0))
        if bad.any():
            raise ExplainerError(
                f"{self.id}: the weights of {int(bad.sum())} nodes are negative or not finite; "
                'count the background\'s rows instead, weights="rows".'
            )
