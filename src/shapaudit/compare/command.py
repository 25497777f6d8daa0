"""`shapaudit`: compare estimators on a model of one's own, and list what there is."""

import argparse
import logging
import sys
from collections.abc import Sequence
from pathlib import Path

from ..datasets.base import Dataset
from ..discovery import definitions
from ..estimators import BudgetTooSmall, UnknownEstimator, create
from ..games import GameError
from ..models import ModelError
from ..models.saved_booster import train_xgboost_file
from .predictors import function_in
from .run import ESTIMATORS, compare
from .study import write_study
from .tables import CompareError, read_table

REFUSED = (CompareError, ModelError, GameError, UnknownEstimator, BudgetTooSmall)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; 0, or 2 with a message where its input does not do."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.command is None:
        parser.print_help()
        return 0
    logging.basicConfig(format="%(message)s", level=logging.WARNING, stream=sys.stderr)
    logging.getLogger("shapaudit.progress").setLevel(logging.INFO)
    try:
        options.run(options)
    except REFUSED as error:
        print(f"shapaudit: {error}", file=sys.stderr)
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("shapaudit", description=__doc__)
    commands = parser.add_subparsers(dest="command", metavar="compare | estimators")
    one = commands.add_parser(
        "compare",
        help="compare estimators on your table and model",
        description="Compare estimators on your table and model, at equal evaluations.",
    )
    one.add_argument("--data", required=True, help="CSV file with a header")
    one.add_argument("--target", help="column that the model predicts; it is no feature")
    one.add_argument("--drop", nargs="+", default=[], help="further columns that are no features")
    source = one.add_mutually_exclusive_group(required=True)
    source.add_argument("--model", help="booster that XGBoost saved, JSON or UBJSON")
    source.add_argument("--function", help="file.py:name of a function of a DataFrame")
    one.add_argument("--output", help="class or column, where the model gives several")
    one.add_argument(
        "--group", action="append", default=[], help="name=column,column: one player together"
    )
    one.add_argument("--background", type=int, default=20, help="rows; 1: the typical row")
    one.add_argument("--explicands", type=int, default=20, help="rows to explain")
    one.add_argument("--estimators", nargs="+", default=list(ESTIMATORS))
    one.add_argument("--minutes", type=float, default=10.0, help="the model may take")
    one.add_argument("--seed", type=int, default=0)
    one.add_argument("--to", default="comparison", help="folder of the page and the tables")
    one.set_defaults(run=_compare)
    listing = commands.add_parser("estimators", help="list the estimators")
    listing.set_defaults(run=_list)
    return parser


def _groups(texts: Sequence[str]) -> dict[str, list[str]]:
    groups = {}
    for text in texts:
        name, equals, members = text.partition("=")
        if not (name and equals and members):
            raise CompareError(f"--group {text!r} is not of the form name=column,column")
        groups[name] = members.split(",")
    return groups


def _compare(options: argparse.Namespace) -> None:
    table = read_table(options.data, options.target, options.drop)
    model = function_in(options.function) if options.function else _booster(options.model, table)
    found = compare(
        model,
        table,
        groups=_groups(options.group),
        background=options.background,
        explicands=options.explicands,
        output=options.output,
        estimators=options.estimators,
        minutes=options.minutes,
        seed=options.seed,
    )
    found.save(options.to)
    written = ["page.html", "table.csv"]
    if options.model and found.plan.budgets:
        write_study(
            found,
            Path(options.to) / "study.yaml",
            data=options.data,
            target=options.target,
            drop=options.drop,
            model=options.model,
            estimators=options.estimators,
            seed=options.seed,
        )
        written.append("study.yaml")
    print(found)
    print("\n" + "\n".join(f"{options.to}/{name}" for name in written))


def _booster(path: str, table):
    """A booster whose features are found among the columns by their names."""
    texts = [name for name, column in table.items() if column.dtype.kind not in "biuf"]
    if texts:
        raise CompareError(
            f"{path} is a booster of numbers, and the column {texts[0]!r} holds "
            f"{table[texts[0]].dtype}; drop it, or give a function that encodes it (--function)"
        )
    rows = {"train": list(range(len(table))), "test": []}
    features = table.to_numpy(dtype=float)
    return train_xgboost_file(
        Dataset("table", features, None, tuple(table.columns), rows, path), 0, path=path
    )


def _list(options: argparse.Namespace) -> None:
    names = sorted(one.id for one in definitions("shapaudit.estimators"))
    print("\n".join(f"{name:<32} {create(name).card.definition}" for name in names))


if __name__ == "__main__":
    sys.exit(main())
