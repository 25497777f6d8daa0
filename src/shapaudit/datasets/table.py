"""A user's table: any CSV file with a header and numbers."""

import hashlib
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..parameters import listed
from ..registers import loader
from .base import Dataset, DatasetError, random_split

if TYPE_CHECKING:
    import pandas


@loader("csv")
def load(
    rng: np.random.Generator, *, path: str, target: str | None = None, drop: Sequence[str] = ()
) -> Dataset:
    """Features are all columns but the target and those to drop; the split is drawn from `rng`.

    Parameters
    ----------
    rng : numpy.random.Generator
    path : str
        The file, from the folder in which Snakemake runs.
    target : str, optional
        Column to predict; a model that is there already needs none.
    drop : sequence of str
        Columns to leave out.

    Raises
    ------
    DatasetError
        When the file is missing or no table, has a column twice, lacks one that is named, holds
        what is no finite number, or is too short to be split; when ``drop`` is no list of others
        than the target.
    """
    file = _checked(path, target, drop)
    table = _read(file)
    _check_names(path, table, target, drop)
    if len(table) < 2:
        raise DatasetError(f"{path} has {len(table)} rows; training and testing need at least 2")
    table = table.drop(columns=list(drop))
    if words := list(table.select_dtypes(exclude="number")):
        raise DatasetError(
            f"{path}: column {listed(words)} is not numeric; encode it, or list it under drop"
        )
    if holes := list(table.columns[~np.isfinite(table.to_numpy(dtype=float)).all(axis=0)]):
        raise DatasetError(
            f"{path}: column {listed(holes)} has missing or infinite entries; fill them, remove "
            "their rows, or list it under drop"
        )
    features = table.drop(columns=[target] if target is not None else [])
    return Dataset(
        name=file.stem,
        features=features.to_numpy(dtype=np.float64),
        target=None if target is None else table[target].to_numpy(dtype=np.float64),
        feature_names=tuple(features.columns),
        split=random_split(len(table), rng),
        provenance=f"{path}, SHA-256 {hashlib.sha256(file.read_bytes()).hexdigest()}",
    )


def feature_names(
    *, path: str, target: str | None = None, drop: Sequence[str] = ()
) -> tuple[str, ...]:
    """Features of the table, from its header alone; raises `DatasetError` as `load` does.

    Also where the file is not in UTF-8, however far down; not for what its entries are.
    """
    file = _checked(path, target, drop)
    try:
        with file.open(encoding="utf-8") as text:
            while text.read(2**20):
                pass
    except UnicodeDecodeError as error:
        raise DatasetError(f"{path} is not in UTF-8 ({error.reason}); save it again") from error
    names = _header(file)
    _check_names(path, names, target, drop)
    return tuple(name for name in names if name != target and name not in drop)


def _checked(path: str, target: str | None, drop: Sequence[str]) -> Path:
    """The file, where the parameters make sense and it is there."""
    if isinstance(drop, str) or not isinstance(drop, Sequence):
        raise DatasetError(f"{path}: drop must be a list of columns, got {drop!r}; put it in []")
    if target in drop:
        raise DatasetError(f"{path}: the target {target!r} is also under drop; leave it out there")
    file = Path(path)
    if not file.is_file():
        raise DatasetError(f"{path} does not exist; put the table there or correct the path")
    return file


def _check_names(path: str, known: Iterable[Any], target: str | None, drop: Sequence[str]) -> None:
    known = list(known)
    named = [*drop, *([target] if target is not None else [])]
    if missing := [name for name in named if name not in known]:
        raise DatasetError(f"{path} has no column {listed(missing)}; it has {listed(known)}")


@contextmanager
def _explained(file: Path) -> Iterator[None]:
    """Raise `DatasetError` for what pandas cannot read as a table."""
    import pandas  # a third of a second, only where it is used

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", pandas.errors.ParserWarning)
            yield
    except (OSError, ValueError, pandas.errors.ParserWarning) as error:
        raise DatasetError(
            f"{file} cannot be read as a table ({str(error).strip()}); it must be a CSV file in "
            "UTF-8 with a header and as many entries in each row"
        ) from error


def _header(file: Path) -> list[str]:
    """Names of the columns as they are in the file; raises `DatasetError` for one twice."""
    import pandas

    with _explained(file):
        row = pandas.read_csv(file, header=None, nrows=1, dtype=str, keep_default_na=False)
    names = row.loc[0]
    if repeated := list(names[names.duplicated() & (names != "")].unique()):
        raise DatasetError(f"{file} has column {listed(repeated)} more than once; rename them")
    return list(names)


def read_texts(file: Path) -> "pandas.DataFrame":
    """The cells of a CSV file as texts, by the names of its columns; raises `DatasetError`."""
    import pandas

    with _explained(file):
        table = pandas.read_csv(file, index_col=False, dtype=str, keep_default_na=False)
    _header(file)
    return table


def _read(file: Path) -> "pandas.DataFrame":
    """The table of a CSV file, none of its columns renamed, moved or left out."""
    import pandas

    with _explained(file):
        table = pandas.read_csv(file, index_col=False)
    _header(file)
    return table
