"""`shapaudit explain`: Shapley values of the rows of a table, with intervals and pictures."""

import argparse
import warnings

from ..datasets.mixed import TableError
from ..explanations import page
from ..explanations.explainer import BACKGROUND_ROWS, MARGINAL, Explainer
from .inputs import add_inputs, inputs, kept

ROWS = 50


def add_to(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    parser = commands.add_parser(
        "explain",
        help="explain rows of your table",
        description="Shapley values of the first rows of your table, with intervals, as a table "
        "and as a page with pictures. Absent columns are taken from rows of the whole table. "
        "Ctrl-C stops the run, and the same command continues it.",
    )
    add_inputs(parser, "explanation")
    parser.add_argument("--rows", type=int, default=ROWS, help=f"rows to explain ({ROWS})")
    parser.add_argument(
        "--background",
        type=int,
        default=BACKGROUND_ROWS,
        help="number of rows of the table from which absent columns are taken, where the model "
        f"must be asked for each ({BACKGROUND_ROWS}); trees and linear models use all",
    )
    parser.add_argument(
        "--removal", default=MARGINAL, help=f"how columns are made absent ({MARGINAL})"
    )
    parser.add_argument(
        "--raw", action="store_true", help="log-odds of a classifier instead of probabilities"
    )
    parser.add_argument("--tolerance", type=float, help="largest error of a value")
    parser.add_argument("--evaluations", type=int, help="coalitions of each row, at most")
    parser.add_argument("--minutes", type=float, help="for all rows, about")
    parser.add_argument("--jobs", type=int, default=1, help="rows explained at the same time (1)")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Explain, write the page and the tables, and say what was computed."""
    page.check_packages()
    if options.rows < 1:
        raise TableError(f"--rows must be at least 1; got {options.rows}")
    given = inputs(options, page.WRITTEN)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # the number of background rows is printed
        explainer = Explainer(
            given.model,
            given.table,
            groups=given.groups,
            output=options.output,
            removal=options.removal,
            raw=options.raw,
            unit=options.unit,
            background_rows=options.background,
            seed=options.seed,
        )
        explanation = explainer(
            given.table.head(options.rows),
            tolerance=options.tolerance,
            evaluations=options.evaluations,
            minutes=options.minutes,
            n_jobs=options.jobs,
            keep=kept(options),
        )
    page.write(explanation, options.to, target=options.target or "")
    print(explanation)
    print("\n" + "\n".join(f"{options.to}/{name}" for name in page.WRITTEN))
