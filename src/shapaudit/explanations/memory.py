"""What an explainer remembers of a model: outputs of rows, and finished explanations of rows."""

import hashlib
import json
import logging
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from ..datasets.mixed import TableError
from .asking import Outputs
from .sampling import RowValues

logger = logging.getLogger("shapaudit.progress")
OWN = "shapaudit-explanations.json"  # by which a folder is known as one of these
OUTPUTS, FINISHED = "outputs.bin", "finished.jsonl"
LARGEST = 2**64 - 1  # of the numbers that stand for entries
CLOSE = 1e-5  # outputs of the same model on the same rows, relative to the largest


class Memory:
    """Outputs and explanations by the contents of rows, in memory and, if asked for, in a folder.

    Parameters
    ----------
    folder : made where it does not exist; None: nothing outlasts the object
    columns : names of the p columns
    names : of the outputs of the model
    known : outputs of the model at rows by which it is recognised (m, k)

    Raises `TableError` for a folder with other contents, or of another model.
    """

    def __init__(
        self,
        folder: str | Path | None,
        columns: Sequence[str],
        names: Sequence[str],
        known: np.ndarray,
    ):
        self._folder = None if folder is None else Path(folder)
        self._finished: dict[str, RowValues] = {}
        if self._folder is not None:
            self._open(self._folder, {"columns": list(columns), "outputs": list(names)}, known)
        path = None if self._folder is None else self._folder / OUTPUTS
        self.outputs = Outputs(len(columns), len(names), path, LARGEST)

    def _open(self, folder: Path, about: dict[str, list[str]], known: np.ndarray) -> None:
        own = folder / OWN
        if not own.exists():
            if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
                raise TableError(f"{folder} exists and is no folder of explanations; name another")
            try:
                folder.mkdir(parents=True, exist_ok=True)
                own.write_text(json.dumps(about | {"known": known.tolist()}), encoding="utf-8")
            except OSError as error:
                raise TableError(f"{folder} cannot be written: {error}; name another") from None
            return
        try:
            stored = json.loads(own.read_text(encoding="utf-8"))
            before = np.array(stored.pop("known"))
        except (ValueError, KeyError, AttributeError) as error:
            raise TableError(f"{own} is damaged ({error}); delete {folder}") from None
        same = stored == about and before.shape == known.shape
        if not same or np.abs(before - known).max() > CLOSE * np.abs(known).max():
            raise TableError(
                f"{folder} keeps explanations of another model or background; name another folder, "
                "or delete it"
            )
        for line in self._lines():
            try:
                row = json.loads(line)
                values, errors, base = (np.array(row[key]) for key in ("values", "errors", "base"))
                self._finished[row["row"]] = RowValues(values, errors, base, row["evaluations"])
            except (ValueError, KeyError, TypeError) as error:
                raise TableError(
                    f"{folder / FINISHED} is damaged ({error}); delete that file"
                ) from None

    def _lines(self) -> list[str]:
        path = self._folder and self._folder / FINISHED
        if path is None or not path.exists():
            return []
        lines = path.read_text(encoding="utf-8").split("\n")
        if lines[-1]:  # a write that was interrupted
            path.write_text("".join(f"{line}\n" for line in lines[:-1]), encoding="utf-8")
        return lines[:-1]

    def finished(self, name: str) -> RowValues | None:
        """The explanation of the row with a name, or None."""
        return self._finished.get(name)

    def explanation(self, name: str) -> RowValues:
        """The explanation of a row that is finished."""
        return self._finished[name]

    def finish(self, name: str, row: RowValues) -> None:
        """Remember the explanation of a row."""
        self._finished[name] = row
        if self._folder is None:
            return
        line = {
            "row": name,
            "values": row.values.tolist(),
            "errors": row.errors.tolist(),
            "base": row.base.tolist(),
            "evaluations": row.evaluations,
        }
        with (self._folder / FINISHED).open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")


def entry_codes(table: pd.DataFrame) -> np.ndarray:
    """A number of 64 bits for each entry (n, p), equal where entries of a column are equal."""
    codes = np.empty(table.shape, dtype=np.uint64)
    for j, (_, column) in enumerate(table.items()):
        plain = column.astype(object) if isinstance(column.dtype, pd.CategoricalDtype) else column
        codes[:, j] = pd.util.hash_pandas_object(plain, index=False, categorize=False).to_numpy()
    return codes


def row_name(codes: np.ndarray, settings: str) -> str:
    """A name for the explanation of a row with certain settings."""
    return hashlib.sha256(settings.encode() + codes.tobytes()).hexdigest()[:24]
