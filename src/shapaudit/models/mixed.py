"""A model of a table of any columns, in a study: it puts the rows together from their places."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from ..datasets.base import Dataset
from ..datasets.mixed import TableError, players_of, read_table, rows_from
from ..registers import reader, trainer
from .base import checked_rows, regression_scores, write_manifest
from .model_files import model_in
from .predictors import Predict, function_in, predictor_of
from .probe import ROWS, probe


@dataclass(frozen=True)
class MixedModel:
    """Outputs of a function or saved model of a table's rows, whose features are places.

    Attributes
    ----------
    settings : of `train_mixed`
    """

    settings: Mapping[str, Any]

    @cached_property
    def _parts(self) -> tuple[Any, np.ndarray, Predict]:
        """The table, the player of each column, and the model."""
        given = self.settings
        table = read_table(given["path"], given["target"], given["drop"])
        owner = players_of(list(table.columns), given["groups"]).of_columns()
        predictor = given["predictor"]
        model = function_in(predictor) if ":" in predictor else model_in(predictor, table)
        return table, owner, predictor_of(model, given["output"])

    def predict(self, rows: np.ndarray) -> np.ndarray:
        """Outputs (m,) of places (m, d); raises `TableError` for a place that is no row."""
        rows = checked_rows(rows)
        table, owner, predict = self._parts
        if rows.size and not (rows.min() >= 0 and rows.max() < len(table)):
            raise TableError(f"places are rows of {self.settings['path']}, 0 to {len(table) - 1}")
        return predict(rows_from(table, rows.astype(np.int64)[:, owner]))

    def score(self, rows: np.ndarray, target: np.ndarray) -> dict[str, float]:
        """R^2 and RMSE."""
        return regression_scores(target, self.predict(rows))

    def save(self, directory: str | Path) -> None:
        """Write down where the table and the model are."""
        write_manifest(directory, "mixed", settings=dict(self.settings))


@trainer("mixed")
def train_mixed(
    dataset: Dataset,
    seed: int,
    *,
    path: str,
    predictor: str,
    target: str | None = None,
    drop: Sequence[str] = (),
    groups: Mapping[str, Sequence[str]] | None = None,
    output: str | int | None = None,
) -> MixedModel:
    """A function or a saved model, tried on some rows, see `probe`; nothing is trained.

    Parameters
    ----------
    path, target, drop, groups : those of the data set, whose loader is "mixed"
    predictor : "file.py:name" or "package.module:name" of a function of a DataFrame, or the file of
        a saved model, see `model_in`
    output : class or column of the outputs, where there are several

    Raises `TableError` for another data set, and as `read_table`, `model_in` and `predictor_of` do.
    """
    model = mixed_model(
        path=path, predictor=predictor, target=target, drop=drop, groups=groups, output=output
    )
    table = read_table(path, target, drop)
    if players_of(list(table.columns), groups).names != dataset.feature_names:
        raise TableError(
            f"the data set {dataset.name!r} has other players than {path} in the model"
        )
    rows = dataset.rows("train")[0][:ROWS]
    probe(predictor, model.predict, model.predict, rows)
    return model


def mixed_model(
    *,
    path: str,
    predictor: str,
    target: str | None = None,
    drop: Sequence[str] = (),
    groups: Mapping[str, Sequence[str]] | None = None,
    output: str | int | None = None,
) -> MixedModel:
    """The model of `train_mixed`, not tried."""
    columns = {name: list(own) for name, own in (groups or {}).items()}
    return MixedModel(
        {"path": path, "predictor": predictor, "target": target, "drop": list(drop)}
        | {"groups": columns, "output": output}
    )


@reader("mixed")
def read_mixed(directory: Path, manifest: dict[str, Any]) -> MixedModel:
    """The model that `MixedModel.save` wrote down."""
    return MixedModel(manifest["settings"])
