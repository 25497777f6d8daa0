"""Explanations in files: one .npz each, of arrays and a description in JSON, without pickle."""

import json
import os
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np

from ..archives import UNREADABLE
from .explanation import Explanation
from .table_file import pack_rows, unpack_rows

FORMAT = "shapaudit explanation"
VERSION = 1
DESCRIPTION = "description"
ARRAYS = ("values", "standard_errors", "base_values", "evaluations")
TEXTS = ("feature_names", "output_names", "how", "method", "unit")


class ExplanationFileError(ValueError):
    """A file is damaged, holds no explanation, or one of a later version of this package."""


def save_explanation(explanation: Explanation, path: str | Path, *, overwrite: bool) -> Path:
    """Write the file whole or not at all; return its path, which ends in .npz.

    Raises FileExistsError where there is a file already, unless it may be overwritten,
    FileNotFoundError without its folder, and `TableError` for rows that a file cannot hold.
    """
    path = _with_suffix(path)
    if not path.parent.is_dir():
        raise FileNotFoundError(f"the folder {path.parent} does not exist; make it first")
    if path.exists() and not overwrite:
        raise FileExistsError(f"{path} exists already; give another name, or overwrite=True")
    arrays: dict[str, Any] = {name: np.asarray(getattr(explanation, name)) for name in ARRAYS}
    description = {
        "format": FORMAT,
        "version": VERSION,
        "texts": {name: getattr(explanation, name) for name in TEXTS},
        "groups": {name: list(columns) for name, columns in explanation.groups.items()},
        "data": pack_rows(explanation.data, arrays),
    }
    text = json.dumps(description).encode("ascii")
    arrays[DESCRIPTION] = np.frombuffer(text, dtype=np.uint8)
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with part.open("wb") as file:
            np.savez_compressed(file, **arrays)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    return path


def load_explanation(path: str | Path) -> Explanation:
    """The explanation that `save_explanation` wrote.

    Raises FileNotFoundError, and `ExplanationFileError` for a file that holds none.
    """
    path = _with_suffix(path)
    try:
        with np.load(path, allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        description = json.loads(arrays.pop(DESCRIPTION).tobytes())
        _check_version(path, description)
        return _explanation(description, arrays)
    except (FileNotFoundError, ExplanationFileError):
        raise
    except (*UNREADABLE, AttributeError) as error:
        raise ExplanationFileError(
            f"{path} holds no explanation, or is damaged; save it anew ({error})"
        ) from error


def _with_suffix(path: str | Path) -> Path:
    path = Path(path)
    return path if path.suffix == ".npz" else path.with_name(f"{path.name}.npz")


def _check_version(path: Path, description: dict[str, Any]) -> None:
    if description["format"] != FORMAT:
        raise ValueError(f"its format is {description['format']!r}")
    if description["version"] > VERSION:
        raise ExplanationFileError(
            f"{path} was written by a later version of shapaudit; install that to read it"
        )


def _explanation(description: dict[str, Any], arrays: dict[str, np.ndarray]) -> Explanation:
    texts = {name: _as_tuple(description["texts"][name]) for name in TEXTS}
    groups = {name: tuple(columns) for name, columns in description["groups"].items()}
    data = unpack_rows(description["data"], arrays)
    parts = texts | {name: arrays[name] for name in ARRAYS} | {"groups": groups, "data": data}
    return Explanation(**{field.name: parts[field.name] for field in fields(Explanation)})


def _as_tuple(text: Any) -> Any:
    return tuple(text) if isinstance(text, list) else text
