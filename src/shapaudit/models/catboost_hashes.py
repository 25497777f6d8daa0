"""The numbers by which CatBoost knows categories: 32 bits of a hash of their texts.

CatBoost tells them where it saves a model with its data: a model of one tree is made of the texts.
"""

import json
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .base import ModelError, checked_rows
from .trees import TreeEnsemble

if TYPE_CHECKING:
    import pandas

FIRST = 1 << 32  # hashes are counted from here, so that no category is taken for a number


@dataclass(frozen=True, eq=False)
class HashedCategories:
    """Trees for which a category is its place among the known hashes of its feature.

    Attributes
    ----------
    hashes : by feature, increasing, see `numbers_of_categories`; None for numbers
    """

    ensemble: TreeEnsemble
    hashes: tuple[np.ndarray | None, ...]

    def encode(self, rows: np.ndarray) -> np.ndarray:
        """Rows (m, d), categories being places, and NaN where none is known.

        Raises `ModelError` for a number in the place of a category.
        """
        encoded = np.array(checked_rows(rows, self.ensemble.n_features))
        for column, hashes in zip(encoded.T, self.hashes, strict=True):
            if hashes is None:
                continue
            if not (column >= FIRST).all():
                raise ModelError(
                    "this CatBoost model takes categories; give the rows as a data frame, which "
                    "can hold them"
                )
            places = np.searchsorted(hashes, column - FIRST)
            known = np.append(hashes, -1)[places] == column - FIRST
            column[:] = np.where(known, places, np.nan)
        return encoded


def numbers_of_categories(column: "pandas.Series") -> np.ndarray:
    """Numbers (m,) of the categories of a column: `FIRST` and their hashes.

    Raises `ModelError` for what CatBoost takes for no category, and without CatBoost.
    """
    texts = [_text(column.name, entry) for entry in column]
    hashes = hashes_of(texts)
    return np.array([FIRST + hashes[text] for text in texts], dtype=np.float64)


def _text(name: Any, category: Any) -> str:
    """What CatBoost makes of a category; of truth values it makes 0 and 1."""
    if isinstance(category, str):
        return str(category)
    if isinstance(category, bool | int | np.bool_ | np.integer):
        return str(int(category))
    raise ModelError(
        f"column {name!r} has the category {category!r}, a {type(category).__name__}; CatBoost "
        "takes texts and whole numbers, and missing ones as texts"
    )


def hashes_of(texts: Iterable[str]) -> dict[str, int]:
    """The hash of each text; raises `ModelError` without CatBoost."""
    texts, known = set(texts), _known()
    if new := sorted(texts - set(known)):
        known.update(_asked(new))
    return {text: known[text] for text in texts}


@cache
def _known() -> dict[str, int]:
    """The hashes that CatBoost has told in this process; asking it takes a file."""
    return {}


def _asked(texts: list[str]) -> dict[str, int]:
    try:
        import catboost
    except ImportError as error:
        raise ModelError(
            "the categories of a CatBoost model are numbered by CatBoost, which is not installed "
            "(pip install 'shapaudit[trees]')"
        ) from error
    rows = [[text, k] for k, text in enumerate([*texts, ""])]  # at least two, with other targets
    pool = catboost.Pool(rows, label=[k for _, k in rows], cat_features=[0])
    model = catboost.CatBoostRegressor(
        iterations=1, depth=1, verbose=False, thread_count=1, allow_writing_files=False
    ).fit(pool)
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "model.json"
        model.save_model(str(path), format="json", pool=pool)
        document = json.loads(path.read_text(encoding="utf-8"))
    entries = document["features_info"]["cat_features_hash"]
    return {entry["value"]: unsigned(entry["hash"]) for entry in entries}


def unsigned(number: int) -> int:
    """A number of 32 bits, which files may write with a sign."""
    return int(number) & 0xFFFFFFFF
