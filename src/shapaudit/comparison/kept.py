"""What a comparison keeps in a folder: one that was stopped goes on, one that ended is read."""

import hashlib
import inspect
import json
import logging
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ..estimators import Estimator
from ..explanations.asking import Outputs
from ..models.predictors import Predictor
from .plan import Plan

logger = logging.getLogger("shapaudit.progress")
QUESTION, OUTPUTS = "question.json", "outputs.bin"
PLAN, FINISHED = "plan.json", "finished.jsonl"
SHORT = 12  # hexadecimal digits in the name of a folder


class ComparisonStore:
    """Outputs of the model, the plan, and the rows that are finished, below a folder.

    Outputs belong to the rows that are explained, to which of the outputs are, and to the model,
    which `recognise` knows again by its outputs on the rows of the trial; plan and finished rows
    belong to all settings.

    Parameters
    ----------
    folder : None: nothing is kept beyond the end of the process
    rows : all that a comparison may be made of, those that may be explained first
    names : of the outputs
    settings : of the comparison
    """

    def __init__(
        self,
        folder: str | Path | None,
        rows: pd.DataFrame,
        names: Sequence[str],
        settings: Mapping[str, Any],
    ):
        self._outputs: Path | None = None
        self._run: Path | None = None
        self._largest = len(rows) - 1
        if folder is None:
            return
        content = pd.util.hash_pandas_object(rows, index=False).to_numpy().tobytes()
        content += json.dumps(list(names)).encode()
        self._outputs = Path(folder) / _digest(content)
        self._run = self._outputs / _digest(json.dumps(settings, default=str).encode())
        self._run.mkdir(parents=True, exist_ok=True)

    @property
    def planned(self) -> bool:
        """Whether there is the plan of a run of the same settings."""
        return self._run is not None and (self._run / PLAN).exists()

    @property
    def on_record(self) -> int:
        """Rows by whose outputs the model is known again."""
        return len(self._question())

    def _question(self) -> np.ndarray:
        """Outputs (m, k) of the model on the first rows; none where it is not known."""
        path = self._outputs and self._outputs / QUESTION
        if path is None or not path.exists():
            return np.zeros((0, 0))
        return np.array(json.loads(path.read_text(encoding="utf-8")))

    def recognise(self, outputs: np.ndarray) -> bool:
        """Whether the model is the one that is known, by its outputs (m, k) on the first rows.

        Everything that is kept of another one is forgotten; outputs of a new one are noted down.
        """
        if self._outputs is None:
            return False
        before = self._question()
        count = min(len(before), len(outputs))
        if count and np.allclose(before[:count], outputs[:count], rtol=1e-5, atol=0.0):
            return True
        if count:
            logger.info("comparison: the model has changed; the values kept from it are set aside")
            self._forget(self._outputs)
        text = json.dumps(outputs.tolist())
        (self._outputs / QUESTION).write_text(text, encoding="utf-8")
        return False

    def _forget(self, folder: Path) -> None:
        for pattern in (OUTPUTS, f"*/{PLAN}", f"*/{FINISHED}"):
            for path in folder.glob(pattern):
                path.unlink()

    def plan(self, made: Plan) -> Plan:
        """The plan of the run before this one, if there was one; else the one that is made now."""
        if self._run is not None and self.planned:
            return self.stored_plan()
        if self._run is not None:
            (self._run / PLAN).write_text(json.dumps(asdict(made)), encoding="utf-8")
        return made

    def stored_plan(self) -> Plan:
        """The plan of the run before this one; raises ValueError where there was none."""
        if self._run is None:
            raise ValueError("nothing is kept, so there is no plan.")
        stored = json.loads((self._run / PLAN).read_text(encoding="utf-8"))
        return Plan(**stored | {"budgets": tuple(stored["budgets"])})

    def outputs(self, width: int, each: int) -> Outputs:
        """Outputs, ``each`` of them, of rows of a width."""
        path = self._outputs and self._outputs / OUTPUTS
        return Outputs(width, each, path, self._largest)

    def finished(self) -> list[dict[str, Any]]:
        """What `finish` was told of the rows of the run before this one, from the first on."""
        if self._run is None or not (path := self._run / FINISHED).exists():
            return []
        lines = path.read_text(encoding="utf-8").split("\n")
        return [json.loads(line) for line in lines[:-1]]  # what follows the last is incomplete

    @property
    def keeps(self) -> bool:
        """Whether anything outlasts the process."""
        return self._run is not None

    def finish(self, row: Mapping[str, Any]) -> None:
        """Keep what was found on the next row."""
        if self._run is not None:
            with (self._run / FINISHED).open("a", encoding="utf-8") as file:
                file.write(json.dumps(row) + "\n")


def kept_before(
    folder: str | Path | None, rows: pd.DataFrame, predict: Predictor, settings: Mapping[str, Any]
) -> tuple[ComparisonStore, np.ndarray] | None:
    """What is kept of a comparison of the same settings, and the model's outputs on some rows.

    These are the rows of the trial; by their outputs the model is recognised, and is not tried
    again. None where there is no plan, or the model is another one.
    """
    if folder is None or not any(Path(folder).glob(f"*/*/{PLAN}")):
        return None
    first = predict(rows.iloc[:1])  # which tells the names of the outputs
    kept = ComparisonStore(folder, rows, predict.names, settings)
    if not kept.planned or not kept.on_record:
        return None
    more = rows.iloc[1 : kept.on_record].reset_index(drop=True)
    outputs = np.concatenate([first, predict(more)]) if len(more) else first
    return (kept, outputs) if kept.recognise(outputs) else None


def source_of(estimator: Estimator) -> str:
    """An estimator with its parameters, and of a user's a digest of the module that it is in."""
    module, digest = inspect.getmodule(type(estimator)), ""
    if module is not None and not module.__name__.startswith("shapaudit."):
        with suppress(OSError, TypeError):  # of code that is in no file
            digest = _digest(inspect.getsource(module).encode())
    return f"{estimator!r} {digest}"


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:SHORT]
