"""Models from elsewhere: any function of rows."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from ..datasets.base import Dataset
from ..registers import reader, trainer
from .base import ModelError, checked_rows, regression_scores, write_manifest
from .probe import probe


def function_at(dotted: str) -> Callable[..., Any]:
    """The function at a dotted path; raises `ModelError` where it cannot be imported or called."""
    try:
        module, _, name = dotted.rpartition(".")
        function = getattr(import_module(module), name)
    except Exception as error:  # whatever a user's module raises
        raise ModelError(
            f"cannot import the function {dotted!r} ({type(error).__name__}: {error}); name it as "
            "module.function, with the module where Python finds it, for instance in src/"
        ) from error
    if not callable(function):
        raise ModelError(f"{dotted} is no function of rows but {function!r}; name another")
    return function


@dataclass(frozen=True)
class FunctionModel:
    """A function of rows that is named by its dotted path, "module.function".

    It takes rows (m, d) float64 and gives outputs (m,), the same for the same row in any company.
    """

    function: str

    @cached_property
    def _call(self) -> Callable[..., Any]:
        return function_at(self.function)

    def predict(self, rows: np.ndarray) -> np.ndarray:
        """Outputs (m,); raises `ModelError` where the function does, or gives no finite numbers."""
        rows, call = checked_rows(rows), self._call
        try:
            outputs = np.asarray(call(rows.copy()))  # it might change its rows
            if outputs.dtype.kind != "c":
                outputs = outputs.astype(np.float64)
        except Exception as error:
            raise ModelError(
                f"{self.function} fails on {len(rows)} rows ({type(error).__name__}: {error}); it "
                "must take rows (m, d) and give m numbers"
            ) from error
        if outputs.dtype.kind == "c":
            raise ModelError(
                f"{self.function} gives complex numbers, such as {outputs.ravel()[:1]}; it must "
                "give real ones, for instance their absolute values or real parts"
            )
        if outputs.shape != (len(rows),) or not np.isfinite(outputs).all():
            raise ModelError(
                f"{self.function} gave outputs of shape {outputs.shape} for {len(rows)} rows, or "
                f"some that are not finite; it must give {len(rows)} finite numbers"
            )
        return outputs

    def probe(self, rows: np.ndarray) -> None:
        """Raise `ModelError` unless this is a function of each of some rows (m, d) alone."""
        probe(self.function, self._call, self.predict, rows)

    def score(self, rows: np.ndarray, target: np.ndarray) -> dict[str, float]:
        """R^2 and RMSE."""
        return regression_scores(target, self.predict(rows))

    def save(self, directory: str | Path) -> None:
        """Write down the dotted path."""
        write_manifest(directory, "function", function=self.function)


@trainer("function")
def train_function(dataset: Dataset, seed: int, *, function: str) -> FunctionModel:
    """The function itself, tried on the training rows, see `probe`; nothing is trained."""
    model, rows = FunctionModel(function), dataset.rows("train")[0]
    model.predict(rows)
    model.probe(rows)
    return model


@reader("function")
def read_function(directory: Path, manifest: dict[str, Any]) -> FunctionModel:
    """The function that `FunctionModel.save` wrote down."""
    return FunctionModel(manifest["function"])
