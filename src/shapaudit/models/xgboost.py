"""Gradient-boosted trees fitted by XGBoost (Chen and Guestrin 2016)."""

import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from ..datasets.base import Dataset
from ..parameters import check_count, listed
from ..registers import reader, trainer
from .base import (
    ModelError,
    UndefinedScore,
    classification_scores,
    training_rows,
    write_manifest,
)
from .trees import TreeEnsemble
from .xgboost_trees import LOG_ODDS, MARGIN_IS_PREDICTION

DOCUMENT = "xgboost.json"
ROWS = ("train", "all")
OBJECTIVES = ("reg:squarederror", "binary:logistic")


@dataclass(frozen=True, eq=False)
class XGBoostModel:
    """A fitted booster in XGBoost's own JSON format, evaluated through `TreeEnsemble`.

    Outputs are untransformed: a classifier gives the log-odds of class 1.

    Parameters
    ----------
    document : bytes
        UTF-8 JSON, as XGBoost saves it.
    """

    document: bytes

    @cached_property
    def ensemble(self) -> TreeEnsemble:
        """The trees as arrays."""
        return TreeEnsemble.from_xgboost(json.loads(self.document))

    @cached_property
    def objective(self) -> str:
        """XGBoost's name of the loss."""
        return json.loads(self.document)["learner"]["objective"]["name"]

    def predict(self, rows: np.ndarray) -> np.ndarray:
        """Outputs (m,) of rows (m, d); XGBoost's own differ by its float32 sums."""
        return self.ensemble.predict(rows)

    def score(self, rows: np.ndarray, target: np.ndarray) -> dict[str, float]:
        """Figures of merit on rows (m, d) with target (m,).

        R^2 and RMSE of a regression; accuracy and mean log loss, in nats, of a classifier. Raises
        `UndefinedScore` for other objectives whose margin is not on the scale of the target.
        """
        if self.objective in MARGIN_IS_PREDICTION:
            return self.ensemble.score(rows, target)
        if self.objective not in LOG_ODDS:
            raise UndefinedScore(
                f"the margin of {self.objective!r} is not on the scale of the target"
            )
        log_odds = self.predict(rows)
        accuracy = classification_scores(target, (log_odds > 0.0).astype(np.float64))
        loss = np.logaddexp(0.0, log_odds) - target * log_odds
        return accuracy | {"log_loss": float(loss.mean())}

    def save(self, directory: str | Path) -> None:
        """Write XGBoost's JSON, which XGBoost itself can load too."""
        directory = write_manifest(directory, "xgboost", DOCUMENT)
        (directory / DOCUMENT).write_bytes(self.document)


@trainer("xgboost")
def train_xgboost(
    dataset: Dataset,
    seed: int,
    *,
    n_estimators: int = 100,
    max_depth: int = 6,
    learning_rate: float = 0.3,
    subsample: float = 1.0,
    min_child_weight: float = 1.0,
    reg_lambda: float = 1.0,
    tree_method: str = "hist",
    base_score: float | None = None,
    objective: str = "reg:squarederror",
    rows: str = "train",
) -> XGBoostModel:
    """Fit a regression or a classifier of two classes, on one thread.

    Chen, Covert, Lundberg and Lee (2023) take a depth of 5 and a learning rate of 0.3, and train on
    all rows.

    Parameters
    ----------
    dataset : Dataset
        With target 0 or 1 for the objective "binary:logistic".
    seed : int
        Matters when `subsample` is below 1.
    n_estimators, max_depth, learning_rate, subsample, min_child_weight, reg_lambda, tree_method, \
base_score
        As in `xgboost.XGBRegressor`; a base score of None is the mean target.
    objective : "reg:squarederror" or "binary:logistic"
    rows : "train" or "all"
        What it is fitted on. After "all", scores on test rows tell nothing about new rows.

    Raises
    ------
    ModelError
        When the dataset has no target, a row to fit is not finite, XGBoost refuses a value, or is
        missing.
    """
    _check_choice("objective", objective, OBJECTIVES)
    _check_choice("rows", rows, ROWS)
    check_count("trainer 'xgboost': n_estimators", n_estimators, 1, ModelError)
    check_count("trainer 'xgboost': max_depth", max_depth, 1, ModelError)
    features, target = training_rows("xgboost", dataset, rows)
    return fit_booster(
        features,
        target,
        f"dataset {dataset.name!r}",
        objective=objective,
        n_estimators=n_estimators,
        max_depth=max_depth,
        learning_rate=learning_rate,
        subsample=subsample,
        min_child_weight=min_child_weight,
        reg_lambda=reg_lambda,
        tree_method=tree_method,
        base_score=base_score,
        random_state=seed,
    )


def fit_booster(
    features: np.ndarray, target: np.ndarray, what: str, **settings: Any
) -> XGBoostModel:
    """A booster of rows (n, d), in which NaN is a missing feature, on one thread.

    ``settings`` are those of `xgboost.XGBRegressor`. Raises `ModelError` where XGBoost is missing,
    and, calling the rows ``what``, where it refuses them.
    """
    try:
        import xgboost  # half a second, only where it is used
    except ImportError as error:
        raise ModelError(
            "fitting boosted trees needs XGBoost; install it with pip install 'shapaudit[trees]'"
        ) from error
    regressor = xgboost.XGBRegressor(n_jobs=1, **settings)
    try:
        regressor.fit(features, target)
    except xgboost.core.XGBoostError as error:
        reason = str(error).split("Stack trace")[0].strip()
        raise ModelError(f"XGBoost refuses {what}: {reason}") from error
    return XGBoostModel(bytes(regressor.get_booster().save_raw("json")))


@reader("xgboost")
def read_xgboost(directory: Path, manifest: dict[str, Any]) -> XGBoostModel:
    """The model that `XGBoostModel.save` wrote; XGBoost itself is not needed."""
    path = directory / DOCUMENT
    try:
        model = XGBoostModel(path.read_bytes())
        _ = model.ensemble
    except ModelError:
        raise
    except (OSError, KeyError, ValueError) as error:
        raise ModelError(f"{path} is no XGBoost model ({error!r}); train it again") from error
    return model


def _check_choice(what: str, value: str, known: tuple[str, ...]) -> None:
    if value not in known:
        raise ModelError(f"trainer 'xgboost': {what} must be one of {listed(known)}, got {value!r}")
