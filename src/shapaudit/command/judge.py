"""`shapaudit judge`: an estimator on the bank of games, beside the results of all others."""

import argparse
import json
import re
import sys
from collections.abc import Sequence

from ..estimators import Estimator, UnknownEstimator, create
from ..judging import Judgement, JudgementError, judge
from ..judging.conduct import bank_closed
from ..judging.page import page, shown
from ..judging.run import class_of
from ..judging.standing import RECORD, Place, checked_names, on_record, places
from ..optional import needed
from ..own_files import MARKER, OwnFolder
from ..progress import shown_on
from .own_estimators import path_of

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
    with bank_closed(options.estimator):
        estimator, called = estimator_of(options.estimator, options.params)
    name = options.name or called
    others = _others(options.others, name, estimator)
    file = _file_of(name)
    folder = OwnFolder(options.to)
    folder.check([file, PAGE])
    with shown_on(sys.stderr):
        judged = judge(estimator, name=name)
    judgements = checked_names([*others, judged])
    standing = places(judgements)
    folder.write({file: judged.text(), PAGE: page(judgements, standing, name)})
    print(told(standing, name))
    if not any(own.errors for own in judged.runs):
        print(f"  no game and budget was entered: the estimator {judged.runs[-1].refused}")
    print(f"\n{options.to}/{PAGE}\n{options.to}/{file}")


def _others(folder: str, name: str, estimator: Estimator) -> list[Judgement]:
    """Judgements of a folder but for an earlier one of the same estimator.

    Raises `JudgementError` where there are none, and where another class has the name.
    """
    found = on_record(folder)
    for own in found:
        if own.name == name and own.estimator["class"] != class_of(estimator):
            raise JudgementError(
                f"{folder} has a judgement called {name!r} of {own.estimator['class']}; give yours "
                "another --name."
            )
    others = [own for own in found if own.name != name]
    if not others:
        raise JudgementError(f"{folder} has no judgement of another estimator; leave --others out.")
    return others


def _file_of(name: str) -> str:
    """Name of the file of a result; raises `JudgementError` for one that cannot be."""
    file = f"{re.sub(r'[^A-Za-z0-9.-]+', '-', name).strip('-.')}.json"
    if file in (".json", MARKER):
        raise JudgementError(f"{name!r} cannot be the name of a file; give another --name.")
    return file


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
    path = path_of(place)
    try:
        return create(path, given), path.rpartition(".")[2]
    except UnknownEstimator:
        raise
    except Exception as fault:  # of a class of one's own, whatever it raises
        raise UnknownEstimator(
            f"{place} cannot be made with the parameters {given}: {type(fault).__name__}: {fault}"
        ) from fault


def told(standing: Sequence[Place], name: str) -> str:
    """A line for each situation: place, regret and who is first."""
    lines = [f"{name}: error over that of the best estimator (median, 95 % limits; worst)"]
    for own in standing:
        if own.name == name:
            lines.append(
                f"  {own.situation + ':':44} place {own.place} of {own.of}, {shown(own.median)} "
                f"({shown(own.low)} to {shown(own.high)}; {shown(own.worst)} on {own.where}) "
                f"over {own.tasks} tasks; first: {own.best}"
            )
    return "\n".join(lines)
