"""`shapaudit compare`: compare estimators on a table and a model."""

import argparse
import sys
from pathlib import Path

from ..comparison import page
from ..comparison.comparison import Comparison
from ..comparison.run import ESTIMATORS, compare
from ..comparison.several import Comparisons
from ..comparison.study import StudySource, write_study
from ..models import XGBoostModel
from ..progress import shown_on
from .inputs import add_inputs, inputs, kept
from .own_estimators import path_of

WRITTEN = (*page.WRITTEN, "study.yaml")


def add_to(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    parser = commands.add_parser(
        "compare",
        help="compare estimators on your table and model",
        description="Compare estimators on your table and model for the same numbers of "
        "evaluations. The cost is estimated first. Ctrl-C stops the run, and the same command "
        "continues it.",
    )
    add_inputs(parser, "comparison")
    parser.add_argument(
        "--background",
        type=int,
        help="number of rows whose values replace absent columns; 1 means the typical row; by "
        "default 20, or fewer if the minutes do not suffice",
    )
    parser.add_argument("--explicands", type=int, help="rows to explain; by default 20, or 10")
    parser.add_argument(
        "--estimators",
        nargs="+",
        default=list(ESTIMATORS),
        help="ids, names in the literature, dotted paths, or my_estimator.py:Mine",
    )
    parser.add_argument("--minutes", type=float, default=10.0, help="the model may take (10)")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Compare, write the page, the tables and a study, and say what the answer is."""
    with shown_on(sys.stderr):
        compared = _compared(options)
    print(compared)
    print("\n" + "\n".join(f"{options.to}/{name}" for name in WRITTEN))


def _compared(options: argparse.Namespace) -> Comparison | Comparisons:
    page.check_packages()
    given = inputs(options, WRITTEN)
    estimators = [path_of(place) for place in options.estimators]
    compared = compare(
        given.model,
        given.table,
        groups=given.groups,
        background=options.background,
        explicands=options.explicands,
        output=options.output,
        target=options.target or "",
        unit=options.unit,
        estimators=estimators,
        minutes=options.minutes,
        seed=options.seed,
        keep=kept(options),
    )
    compared.save(options.to)
    booster = isinstance(given.model, XGBoostModel)
    source = StudySource(
        *(options.data, options.function or options.model, options.target, options.drop),
        *(given.groups, options.output),
        numbers=booster and not given.groups and not given.table.isna().any(axis=None),
    )
    path = Path(options.to) / "study.yaml"
    write_study(compared, path, source, estimators=estimators, seed=options.seed)
    return compared
