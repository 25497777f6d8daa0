"""What a comparison keeps in a folder, so that one that was stopped goes on where it was."""

import hashlib
import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ..explanations.asking import Outputs
from .plan import Plan

logger = logging.getLogger("shapaudit.progress")
QUESTION, OUTPUTS = "question.json", "outputs.bin"
PLAN, FINISHED = "plan.json", "finished.jsonl"
SHORT = 12  # hexadecimal digits in the name of a folder


class ComparisonStore:
    """Outputs of the model, the plan, and the rows that are finished, below a folder.

    Outputs belong to the rows that are explained, to which of the outputs are, and to the model,
    which is known again by its outputs on the rows of the trial; plan and finished rows belong to
    all settings.

    Parameters
    ----------
    folder : None: nothing is kept beyond the end of the process
    rows : all that a comparison may be made of, those that may be explained first
    outputs : (m, k) of the model on the first of them
    names : of the outputs
    settings : of the comparison
    """

    def __init__(
        self,
        folder: str | Path | None,
        rows: pd.DataFrame,
        outputs: np.ndarray,
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
        self._know_again(self._outputs, outputs)

    def _know_again(self, folder: Path, outputs: np.ndarray) -> None:
        path = folder / QUESTION
        if path.exists():
            before = np.array(json.loads(path.read_text(encoding="utf-8")))
            count = min(len(before), len(outputs))
            if np.allclose(before[:count], outputs[:count], rtol=1e-5, atol=0.0):
                return
            logger.info("comparison: the model has changed; the values kept from it are set aside")
            self._forget(folder)
        path.write_text(json.dumps(outputs.tolist()), encoding="utf-8")

    def _forget(self, folder: Path) -> None:
        for pattern in (OUTPUTS, f"*/{PLAN}", f"*/{FINISHED}"):
            for path in folder.glob(pattern):
                path.unlink()

    def plan(self, made: Plan) -> Plan:
        """The plan of the run that was stopped, if there was one; else the one that is made now."""
        if self._run is None:
            return made
        path = self._run / PLAN
        if path.exists():
            stored = json.loads(path.read_text(encoding="utf-8"))
            return Plan(**stored | {"budgets": tuple(stored["budgets"])})
        path.write_text(json.dumps(asdict(made)), encoding="utf-8")
        return made

    def outputs(self, width: int, each: int) -> Outputs:
        """Outputs, ``each`` of them, of rows of a width."""
        path = self._outputs and self._outputs / OUTPUTS
        return Outputs(width, each, path, self._largest)

    def finished(self) -> list[dict[str, Any]]:
        """What `finish` was told of the rows of the run that was stopped, from the first on."""
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

    def complete(self) -> None:
        """Forget plan and finished rows; the outputs stay, for a comparison of other settings."""
        if self._run is not None:
            for name in (PLAN, FINISHED):
                (self._run / name).unlink(missing_ok=True)
            self._run.rmdir()


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:SHORT]
