"""`shapaudit`: compare estimators on a model of your own, and list what there is."""

import argparse
import os
import sys
import textwrap
from collections.abc import Sequence
from pathlib import Path

from .. import datasets, games
from ..datasets.mixed import TableError, players_of, read_table
from ..estimators import BudgetTooSmall, UnknownEstimator, list_estimators
from ..games import GameError
from ..models import ModelError, XGBoostModel
from ..models.model_files import KNOWN, model_in
from ..models.predictors import function_in
from ..optional import MissingPackage
from ..own_files import FolderError, OwnFolder
from ..progress import shown_on
from . import page
from .comparison import Comparison
from .run import ESTIMATORS, compare
from .several import Comparisons
from .study import StudySource, write_study

REFUSED = (
    *(TableError, ModelError, GameError, UnknownEstimator, BudgetTooSmall, MissingPackage),
    FolderError,
)
STOPPED = 130  # what a shell says of a program that Ctrl-C has ended
WIDTH = 79
WRITTEN = (*page.WRITTEN, "study.yaml")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command.

    Returns 0; 2 with a message if the input is invalid; 130 if it was stopped by Ctrl-C.
    """
    code = 0
    parser = _parser()
    try:
        options = _parsed(parser, arguments)
        if options.command is None:
            parser.print_help()
        else:
            code = options.run(options) or 0
        sys.stdout.flush()
    except REFUSED as error:
        print(f"shapaudit: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # who reads has read enough, as head does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return code


def _parsed(parser: argparse.ArgumentParser, arguments: Sequence[str] | None) -> argparse.Namespace:
    try:
        return parser.parse_args(arguments)
    finally:  # help ends the program, and may still be in a buffer
        sys.stdout.flush()


class _Parser(argparse.ArgumentParser):
    """Its help ends in the names of what there is, which take a second to be found."""

    def format_help(self) -> str:
        """The help."""
        self.epilog = _epilog()
        return super().format_help()


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        "shapaudit", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    metavar = " | ".join(["compare", *LISTINGS])
    commands = parser.add_subparsers(
        dest="command", metavar=metavar, parser_class=argparse.ArgumentParser
    )
    one = commands.add_parser(
        "compare",
        help="compare estimators on your table and model",
        description="Compare estimators on your table and model for the same numbers of "
        "evaluations. The cost is estimated first. Ctrl-C stops the run, and the same command "
        "continues it.",
    )
    one.add_argument("--data", required=True, help="CSV file with a header, or Parquet file")
    one.add_argument("--target", help="column that the model predicts; it is not used as a feature")
    one.add_argument("--drop", nargs="+", default=[], help="further columns that are no features")
    source = one.add_mutually_exclusive_group(required=True)
    source.add_argument("--model", help=f"file of a saved model: {KNOWN}")
    source.add_argument("--function", help="file.py:name of a function that takes a DataFrame")
    one.add_argument(
        "--output", nargs="+", help="classes or columns, where the model gives several; else all"
    )
    one.add_argument("--unit", default="", help="unit of what the model predicts, for the page")
    one.add_argument(
        "--group", action="append", default=[], help="name=column,column: one player together"
    )
    one.add_argument(
        "--background",
        type=int,
        help="number of rows whose values replace absent columns; 1 means the typical row; by "
        "default 20, or fewer if the minutes do not suffice",
    )
    one.add_argument("--explicands", type=int, help="rows to explain; by default 20, or 10")
    one.add_argument("--estimators", nargs="+", default=list(ESTIMATORS))
    one.add_argument("--minutes", type=float, default=10.0, help="the model may take (10)")
    one.add_argument("--seed", type=int, default=0)
    one.add_argument("--to", default="comparison", help="folder of the page and the tables")
    one.set_defaults(run=_compare)
    for name, lines in LISTINGS.items():
        listing = commands.add_parser(name, help=f"list the {name}")
        listing.set_defaults(run=lambda _, lines=lines: print("\n".join(lines())))
    return parser


def _groups(texts: Sequence[str]) -> dict[str, list[str]]:
    groups = {}
    for text in texts:
        name, _, members = text.partition("=")
        if not (name and members):
            raise TableError(f"--group {text!r} is not of the form name=column,column")
        groups[name] = members.split(",")
    return groups


def _compare(options: argparse.Namespace) -> None:
    try:
        with shown_on(sys.stderr):
            found = _compared(options)
    except KeyboardInterrupt:
        print(
            f"shapaudit: stopped. What the model has computed is kept in {_kept(options)}; the "
            "same command continues from there.",
            file=sys.stderr,
        )
        raise SystemExit(STOPPED) from None
    print(found)
    print("\n" + "\n".join(f"{options.to}/{name}" for name in WRITTEN))


def _kept(options: argparse.Namespace) -> Path:
    return Path(options.to) / "kept"


def _check_folder(options: argparse.Namespace) -> None:
    """Raise `FolderError` before the work where its results could not be written."""
    function, colon, _ = (options.function or "").rpartition(":")
    read = [options.data, options.model, function if colon else None]
    inputs = {Path(path).resolve() for path in read if path}
    folder = Path(options.to)
    for name in WRITTEN:
        if (folder / name).resolve() in inputs:
            raise FolderError(
                f"{folder / name} is read, and its results would overwrite it; name another folder "
                "by --to"
            )
    OwnFolder(folder).check(WRITTEN)
    OwnFolder(_kept(options)).check([])


def _compared(options: argparse.Namespace) -> Comparison | Comparisons:
    page.check_packages()
    table = read_table(options.data, options.target, options.drop)
    groups = _groups(options.group)
    players_of(list(table.columns), groups)
    model = function_in(options.function) if options.function else model_in(options.model, table)
    _check_folder(options)
    found = compare(
        model,
        table,
        groups=groups,
        background=options.background,
        explicands=options.explicands,
        output=options.output,
        target=options.target or "",
        unit=options.unit,
        estimators=options.estimators,
        minutes=options.minutes,
        seed=options.seed,
        keep=_kept(options),
    )
    found.save(options.to)
    booster = isinstance(model, XGBoostModel)
    source = StudySource(
        *(options.data, options.function or options.model, options.target, options.drop),
        *(groups, options.output),
        numbers=booster and not groups and not table.isna().any(axis=None),
    )
    path = Path(options.to) / "study.yaml"
    write_study(found, path, source, estimators=options.estimators, seed=options.seed)
    return found


def _estimators() -> list[str]:
    return [f"{name:<32} {definition}" for name, definition in list_estimators().items()]


def _datasets() -> list[str]:
    return [f"{name:<16} {_first_sentence(load)}" for name, load in datasets.LOADERS.items()]


def _games() -> list[str]:
    return [f"{name:<24} {_first_sentence(kind)}" for name, kind in games.GAMES.items()]


LISTINGS = {"estimators": _estimators, "datasets": _datasets, "games": _games}


def _first_sentence(thing: object) -> str:
    text = (thing.__doc__ or "").strip().partition("\n\n")[0]
    return " ".join(text.split())


def _epilog() -> str:
    """Names of what there is, under the options."""
    parts = []
    for name, lines in LISTINGS.items():
        names = ", ".join(line.split()[0] for line in lines())
        parts.append(textwrap.fill(f"{name}: {names}", WIDTH, subsequent_indent="  "))
    return "\n\n".join(parts)


if __name__ == "__main__":
    sys.exit(main())
