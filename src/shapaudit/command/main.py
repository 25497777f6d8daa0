"""`shapaudit`: explain a model, compare estimators on it, judge one, and list what there is."""

import argparse
import os
import sys
from collections.abc import Sequence

from ..datasets.mixed import TableError
from ..estimators import BudgetTooSmall, UnknownEstimator
from ..estimators.checked_runs import EstimatorFailure
from ..games import GameError
from ..judging import JudgementError
from ..models import ModelError
from ..optional import MissingPackage
from ..own_files import FolderError
from . import compare, explain, judge
from .inputs import kept
from .listings import LISTINGS, names

REFUSED = (
    *(TableError, ModelError, GameError, UnknownEstimator, BudgetTooSmall, MissingPackage),
    *(FolderError, EstimatorFailure, JudgementError),
)
STOPPED = 130  # what a shell says of a program that Ctrl-C has ended


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command.

    Returns 0; 2 with a message if the input is invalid; 130 if it was stopped by Ctrl-C.
    """
    parser = _parser()
    try:
        options = _parsed(parser, arguments)
        if options.command is None:
            parser.print_help()
        else:
            _run(options)
        sys.stdout.flush()
    except REFUSED as error:
        print(f"shapaudit: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # who reads has read enough, as head does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _run(options: argparse.Namespace) -> None:
    try:
        options.run(options)
    except KeyboardInterrupt:
        told = ""
        if options.command != judge.NAME:
            told = f" What the model has computed is kept in {kept(options)}; the same command "
            told += "continues from there."
        print(f"shapaudit: stopped.{told}", file=sys.stderr)
        raise SystemExit(STOPPED) from None


def _parsed(parser: argparse.ArgumentParser, arguments: Sequence[str] | None) -> argparse.Namespace:
    try:
        return parser.parse_args(arguments)
    finally:  # help ends the program, and may still be in a buffer
        sys.stdout.flush()


class _Parser(argparse.ArgumentParser):
    """Its help ends in the names of what there is, which take a second to be found."""

    def format_help(self) -> str:
        """The help."""
        self.epilog = names()
        return super().format_help()


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        "shapaudit", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    metavar = " | ".join(["explain", "compare", judge.NAME, *LISTINGS])
    commands = parser.add_subparsers(
        dest="command", metavar=metavar, parser_class=argparse.ArgumentParser
    )
    explain.add_to(commands)
    compare.add_to(commands)
    judge.add_to(commands)
    for name, lines in LISTINGS.items():
        listing = commands.add_parser(name, help=f"list the {name}")
        listing.set_defaults(run=lambda _, lines=lines: print("\n".join(lines())))
    return parser
