"""Ask one package about the cases, in a process of its own; each answer is a line of a file.

A line that says which case begins precedes the answer, so that a death of the process is seen.
"""

import argparse
import json
import linecache
import time
import traceback
import warnings
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple, TextIO

import numpy as np

from .case import PATH_DEPENDENT, Case, Recipe, load, recipes
from .exact import coalitions, exact_values, interaction_order
from .judge import CRASHED, NOT_OFFERED, REFUSED, judge

COMMON = ("builtins", "numpy", "pandas")  # whose errors anybody may raise
UNCLEAR = (AttributeError, LookupError, NameError, ArithmeticError, MemoryError)
WITHOUT_TREES = ("linear", "game", "groups")


def is_refusal(error: BaseException) -> bool:
    """Whether an error was raised on purpose, with words: by a statement that raises or asserts.

    Errors of compiled code count where their class is the package's own, or RuntimeError.
    """
    if not str(error).strip() or isinstance(error, UNCLEAR):
        return False
    if isinstance(error, RuntimeError) or not type(error).__module__.startswith(COMMON):
        return True
    last = traceback.extract_tb(error.__traceback__)[-1]
    line = linecache.getline(last.filename, last.lineno or 0).strip()
    return line.startswith(("raise", "assert"))


class Known(NamedTuple):
    """What is known of a case before a package is asked.

    Attributes
    ----------
    exact : by question and convention, exact values (m, players)
    outputs : what the model gives for rows and background
    order : players of the largest interaction
    """

    exact: dict[str, dict[str, list[list[float]]]]
    outputs: list[float]
    order: int


def known(case: Case) -> Known:
    """What is known of a case, by enumeration."""
    exact = {
        question: {name: values.tolist() for name, values in exact_values(case, question).items()}
        for question in case.questions
    }
    return Known(exact, outputs_of(case), interaction_order(case))


def outputs_of(case: Case) -> list[float]:
    """Outputs at the rows and the background."""
    rows = case.rows if not case.orders else case.rows[list(case.background.columns)]
    return [*case.predict(rows).tolist(), *case.predict(case.background).tolist()]


def largest_output(case: Case, outputs: Sequence[float]) -> float:
    """Largest output at rows and background, in absolute terms; of a game the largest worth."""
    if case.worth is None:
        return max(map(abs, outputs))
    players = range(len(case.players))
    return max(abs(float(case.worth(members))) for members in coalitions(players))


def not_offered(adapter: ModuleType, case: Case, order: int) -> str:
    """Why a package does not offer a case; nothing where it does."""
    players = len(case.players)
    if case.orders and not getattr(adapter, "NAMES", True):
        return "takes arrays, whose columns have no names"
    if players > getattr(adapter, "PLAYERS", players):
        return f"exact for at most {adapter.PLAYERS} players"
    if order > getattr(adapter, "ORDER", order):
        return f"exact for interactions of at most {adapter.ORDER} players"
    return ""


def answer(adapter: ModuleType, recipe: Recipe, enumerated: Mapping[str, Any]) -> dict[str, Any]:
    """The line of one case; what was enumerated before holds for a model of the same outputs."""
    case = recipe.make()
    if adapter.QUESTION not in case.questions:
        return {"verdict": None}
    about = Known(*enumerated[recipe.key]) if recipe.key in enumerated else None
    if about is None or about.outputs != outputs_of(case):
        about = known(case)
    if reason := not_offered(adapter, case, about.order):
        return {"verdict": NOT_OFFERED, "message": reason}
    start = time.perf_counter()
    try:
        values = adapter.explain(case)
    except Exception as error:
        words = f"{type(error).__name__}: {error}"
        became = REFUSED if is_refusal(error) else CRASHED
        return {"verdict": became, "message": words, "seconds": time.perf_counter() - start}
    seconds = time.perf_counter() - start
    exact = {name: np.array(part) for name, part in about.exact[adapter.QUESTION].items()}
    verdict = judge(values, exact, largest_output(case, about.outputs), recipe.library)
    return {**verdict._asdict(), "digits": verdict.digits, "seconds": seconds}


def asked(adapter: ModuleType, recipe: Recipe) -> bool:
    """Whether the package documents the question for the library of a case."""
    return recipe.library in adapter.OFFERS


def run(
    adapter: ModuleType, found: Sequence[Recipe], enumerated: Mapping[str, Any], out: TextIO
) -> None:
    """Write the lines of the cases to a file that is flushed after each."""

    def write(line: dict[str, Any]) -> None:
        out.write(json.dumps(line) + "\n")
        out.flush()

    for recipe in found:
        if adapter.QUESTION == PATH_DEPENDENT and recipe.library in WITHOUT_TREES:
            continue
        label = {"family": recipe.family, "case": recipe.name}
        if not asked(adapter, recipe):
            write(label | {"verdict": NOT_OFFERED, "message": ""})
            continue
        write(label | {"began": True})
        write(label | answer(adapter, recipe, enumerated))


def enumerate_all(path: Path, cases: Sequence[Path] | None) -> None:
    """Write what is known of all cases to a file."""
    found = {recipe.key: known(recipe.make()) for recipe in recipes(cases)}
    path.write_text(json.dumps(found), encoding="utf-8")


def about(adapter: ModuleType) -> dict[str, str]:
    """What an adapter asks; a package that runs from its source has no version."""
    try:
        installed = version(adapter.PACKAGE)
    except PackageNotFoundError:
        installed = ""
    named = {"label": adapter.LABEL, "question": adapter.QUESTION}
    return named | {"package": adapter.PACKAGE, "version": installed}


def main(arguments: Sequence[str] | None = None) -> None:
    """Ask one adapter about the cases; without one, enumerate them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("enumerated", type=Path, help="what is known of the cases, a file")
    parser.add_argument("--adapter", type=Path)
    parser.add_argument("--out", type=Path, help="lines are appended to it")
    parser.add_argument("--cases", type=Path, nargs="*", help="files of cases; all by default")
    parser.add_argument("--skip", type=Path, help="a file of keys of cases that are done")
    given = parser.parse_args(arguments)
    warnings.simplefilter("ignore")
    if given.adapter is None:
        enumerate_all(given.enumerated, given.cases)
        return
    with given.out.open("a", encoding="utf-8") as out:
        adapter = load(given.adapter)
        out.write(json.dumps(about(adapter)) + "\n")
        done = set(given.skip.read_text(encoding="utf-8").splitlines())
        found = [recipe for recipe in recipes(given.cases) if recipe.key not in done]
        run(adapter, found, json.loads(given.enumerated.read_text(encoding="utf-8")), out)


if __name__ == "__main__":
    main()
