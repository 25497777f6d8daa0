"""`shapaudit judge`: an estimator on the bank of games, beside the results of all others."""

import argparse
import json
import re
import sys
from collections.abc import Sequence

from ..estimators import Estimator, UnknownEstimator, create
from ..judging import judge
from ..judging.page import page, shown
from ..judging.standing import RECORD, Place, checked_names, on_record, places
from ..models.predictors import function_in
from ..optional import needed
from ..own_files import OwnFolder
from ..progress import shown_on

NAME = "judge"
PAGE = "page.html"


def add_to(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    parser = commands.add_parser(
        NAME,
        help="judge an estimator on games with known values, beside all others",
        description="Run an estimator on the bank of games at the same evaluations and seeds as "
        "all others, and say where it stands. Its conduct is checked first: it must keep to its "
        "budget, to its generator and to the values that it asks for.",
    )
    parser.add_argument(
        "estimator", help="my_estimator.py:Mine, an id, a name in the literature or a dotted path"
    )
    parser.add_argument("--params", default="{}", help="parameters as JSON, '{\"order\": 2}'")
    parser.add_argument("--name", default="", help="on the page; the estimator's by default")
    parser.add_argument(
        "--others", default=str(RECORD), help="folder of judgements; those of the package's own"
    )
    parser.add_argument("--to", default="judgement", help="folder for the result and the page")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Judge, write the result and the page, and say where the estimator stands."""
    needed("jinja2", "the page of a judgement", "plots")
    estimator, called = estimator_of(options.estimator, options.params)
    name = options.name or called
    others = [own for own in on_record(options.others) if own.name != name]
    file = f"{re.sub(r'[^A-Za-z0-9.-]+', '-', name).strip('-')}.json"
    folder = OwnFolder(options.to)
    folder.check([file, PAGE])
    with shown_on(sys.stderr):
        judged = judge(estimator, name=name)
    judgements = checked_names([*others, judged])
    standing = places(judgements)
    folder.write({file: judged.text(), PAGE: page(judgements, standing, name)})
    print(told(standing, name))
    print(f"\n{options.to}/{PAGE}\n{options.to}/{file}")


def estimator_of(place: str, params: str = "{}") -> tuple[Estimator, str]:
    """An estimator of a file, an id, a name or a dotted path, and what it is called.

    Raises `UnknownEstimator` or `TableError` saying what is wrong with the place.
    """
    try:
        given = json.loads(params)
    except ValueError as fault:
        raise UnknownEstimator(f"--params {params!r} is no JSON ({fault}).") from fault
    if not isinstance(given, dict):
        raise UnknownEstimator(f'--params must be an object as {{"order": 2}}; got {params!r}.')
    if ":" not in place and not place.endswith(".py"):
        return create(place, given), place.rpartition(".")[2]
    cls = function_in(place, "class")
    made = f"{cls.__module__}.{cls.__qualname__}"
    return create(made, given), str(cls.__name__)


def told(standing: Sequence[Place], name: str) -> str:
    """A line for each situation: place, regret and who is first."""
    lines = [f"{name}: error over that of the best estimator (median, 95 % limits; worst)"]
    for own in standing:
        if own.name == name:
            lines.append(
                f"  {own.situation + ':':44} place {own.place} of {own.of}, {shown(own.median)} "
                f"({shown(own.low)} to {shown(own.high)}; {shown(own.worst)} on {own.where}); "
                f"first: {own.best}"
            )
    return "\n".join(lines)
