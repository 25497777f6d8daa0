"""The models of explanation studies: their trainers, and the output that is explained."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from shapaudit import explainers, models
from shapaudit.datasets import Dataset
from shapaudit.models import Model, ModelError, Perceptron, held_out_score
from shapaudit.models.base import regression_scores
from shapaudit.models.read_layers import read_layers
from shapaudit.models.read_trees import ReadTrees, read_trees

from .blocks.studies import ExplainedModelBlock, ExplainerBlock

# By trainer, the kind of model that explainers name on their cards.
KINDS = {
    "network": "network",
    "perceptron": "network",
    "xgboost": "trees",
    "forest": "trees",
    "histogram-boosting": "trees",
    "lightgbm": "trees",
    "polynomial": "linear",
    "shallow-shapnet": "shallow-shapnet",
    "deep-shapnet": "deep-shapnet",
}
BINNED = ("histogram-boosting", "lightgbm")  # trees over bins: no conditional expectations

LIGHTGBM = (
    "LightGBM is an extra: pip install 'shapaudit[trees]'; on Linux it needs libgomp of the system "
    "(Debian, Ubuntu: apt-get install libgomp1)"
)


def forest(dataset: Dataset, seed: int, *, trees: int = 50, depth: int = 6) -> ReadTrees:
    """A random forest of scikit-learn, of so many trees."""
    from sklearn.ensemble import RandomForestRegressor

    fitted = RandomForestRegressor(trees, max_depth=depth, random_state=seed)
    return read_trees(fitted.fit(*dataset.rows("train")))


def histogram_boosting(
    dataset: Dataset, seed: int, *, trees: int = 50, depth: int = 4
) -> ReadTrees:
    """Boosted trees over binned features by scikit-learn, whose algorithm is that of LightGBM."""
    from sklearn.ensemble import HistGradientBoostingRegressor

    fitted = HistGradientBoostingRegressor(max_iter=trees, max_depth=depth, random_state=seed)
    return read_trees(fitted.fit(*dataset.rows("train")))


def lightgbm(dataset: Dataset, seed: int, *, trees: int = 50, leaves: int = 15) -> ReadTrees:
    """Trees that LightGBM boosts, of so many leaves each.

    Raises `ModelError` where LightGBM, which is an extra, is not installed or cannot be loaded.
    """
    try:
        from lightgbm import LGBMRegressor
    except (ImportError, OSError) as error:
        raise ModelError(f"trainer 'lightgbm': {error}. {LIGHTGBM}") from error
    settings: dict[str, Any] = {"n_estimators": trees, "num_leaves": leaves, "random_state": seed}
    settings |= {"n_jobs": 1, "deterministic": True, "force_row_wise": True, "verbose": -1}
    return read_trees(LGBMRegressor(**settings).fit(*dataset.rows("train")))


OTHERS: dict[str, Callable[..., Model | ReadTrees]] = {
    "forest": forest,
    "histogram-boosting": histogram_boosting,
    "lightgbm": lightgbm,
}


@dataclass(frozen=True, eq=False)
class ExplainedModel:
    """A trained model, which may have several outputs.

    Attributes
    ----------
    kind : value of `KINDS`
    model : as its trainer returns it
    score : R^2 or accuracy on the test rows; NaN where it is undefined
    """

    kind: str
    model: Model | ReadTrees
    score: float

    def output_of(self, explicand: np.ndarray) -> int | None:
        """The class that is explained at an explicand (d,); None for a model with one output."""
        if isinstance(self.model, Perceptron):
            return int(self.model.predict(explicand[None])[0])
        return None

    def predictor(self, output: int | None) -> Model:
        """The explained output as a model: rows (m, d) to numbers (m,)."""
        explained = self.model if output is None else read_layers(self.model, output)
        return cast(Model, explained)  # trees and layers that were read predict, and no more


def explainer_fits(spec: ExplainerBlock, kind: str) -> bool:
    """Whether the explainer of a block of the configuration reads models of a kind."""
    return explainers.create(spec.explainer, spec.params).card.models == kind


def trained(spec: ExplainedModelBlock, dataset: Dataset, seed: int) -> ExplainedModel:
    """The model of a block of the configuration, trained on the dataset's training rows."""
    trainer, params = spec.trainer, spec.params
    if trainer in OTHERS:
        model = OTHERS[trainer](dataset, seed, **params)
    else:
        model = models.train(trainer, dataset, params, seed)
    rows, target = dataset.rows("test")
    if isinstance(model, ReadTrees):
        scores = {} if target is None else regression_scores(target, model.predict(rows))
    else:
        scores, _ = held_out_score(model, rows, target)
    score = scores.get("r2", scores.get("accuracy", np.nan))
    return ExplainedModel(KINDS[trainer], model, float(score))


def checked_dataset(name: str, dataset: object) -> Dataset:
    """The dataset of an explanation study; raises `ModelError` where it has no rows or targets."""
    if not isinstance(dataset, Dataset) or dataset.target is None:
        raise ModelError(
            f"explanation study {name}: its dataset has no table of rows with a target; choose "
            "another loader"
        )
    return dataset
