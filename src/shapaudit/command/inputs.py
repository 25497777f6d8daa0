"""What both commands are given: a table, a model, groups of columns, a folder for the results."""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from ..datasets.mixed import TableError, players_of, read_table
from ..models.model_files import KNOWN, model_in
from ..models.predictors import function_in
from ..own_files import FolderError, OwnFolder


@dataclass(frozen=True)
class Inputs:
    """A table without the target, groups of its columns, and a model of it."""

    table: pd.DataFrame
    groups: dict[str, list[str]]
    model: Any


def add_inputs(parser: argparse.ArgumentParser, folder: str) -> None:
    """The options of a table, a model and groups; results go to a folder, by default this one."""
    parser.add_argument("--data", required=True, help="CSV file with a header, or Parquet file")
    parser.add_argument(
        "--target", help="column that the model predicts; it is not used as a feature"
    )
    parser.add_argument(
        "--drop", nargs="+", default=[], help="further columns that are no features"
    )
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--model", help=f"file of a saved model: {KNOWN}")
    source.add_argument("--function", help="file.py:name of a function that takes a DataFrame")
    parser.add_argument(
        "--output", nargs="+", help="classes or columns, where the model gives several; else all"
    )
    parser.add_argument("--unit", default="", help="unit of what the model predicts, for the page")
    parser.add_argument(
        "--group", action="append", default=[], help="name=column,column: one player together"
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "-o", "--to", default=folder, help=f"folder of the page and the tables ({folder})"
    )


def kept(options: argparse.Namespace) -> Path:
    """Folder of what the model has computed."""
    return Path(options.to) / "kept"


def inputs(options: argparse.Namespace, written: Sequence[str]) -> Inputs:
    """What the options name; raises before the work where results could not be ``written``."""
    table = read_table(options.data, options.target, options.drop)
    groups = groups_in(options.group)
    players_of(list(table.columns), groups)
    model = function_in(options.function) if options.function else model_in(options.model, table)
    _check_folder(options, written)
    return Inputs(table, groups, model)


def groups_in(texts: Sequence[str]) -> dict[str, list[str]]:
    """Columns of groups, from texts "name=column,column"."""
    groups = {}
    for text in texts:
        name, _, members = text.partition("=")
        if not (name and members):
            raise TableError(f"--group {text!r} is not of the form name=column,column")
        groups[name] = members.split(",")
    return groups


def _check_folder(options: argparse.Namespace, written: Sequence[str]) -> None:
    """Raise `FolderError` where results could not be written, or would overwrite what is read."""
    function, colon, _ = (options.function or "").rpartition(":")
    read = [options.data, options.model, function if colon else None]
    given = {Path(path).resolve() for path in read if path}
    folder = Path(options.to)
    for name in written:
        if (folder / name).resolve() in given:
            raise FolderError(
                f"{folder / name} is read, and its results would overwrite it; name another folder "
                "by --to"
            )
    OwnFolder(folder).check(written)
    OwnFolder(kept(options)).check([])
