"""Ask one package about the cases, in a process of its own; each answer is a line of a file.

A line that says which case begins precedes the answer, so that a death of the process is seen.
"""

import argparse
import json
import linecache
import sys
import time
import traceback
import warnings
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import ModuleType
from typing import Any, TextIO

import numpy as np

from .case import INTERVENTIONAL, PATH_DEPENDENT, Case, Recipe, load, recipes
from .exact import exact_values, interaction_order
from .judge import NOT_OFFERED, judge

UNCLEAR = (AttributeError, LookupError, NameError, ArithmeticError, MemoryError)
ROUNDS = "values by an order of interactions for which the package is no longer exact"


def is_refusal(error: BaseException) -> bool:
    """Whether an error was raised on purpose, with words: by a statement that raises or asserts.

    Errors of compiled code count where their class is the package's own.
    """
    if not str(error).strip() or isinstance(error, UNCLEAR):
        return False
    if not type(error).__module__.startswith(("builtins", "numpy", "pandas")):
        return True
    last = traceback.extract_tb(error.__traceback__)[-1]
    line = linecache.getline(last.filename, last.lineno or 0).strip()
    return line.startswith(("raise", "assert"))


def not_offered(adapter: ModuleType, recipe: Recipe, case: Case) -> str:
    """Why a package does not offer a case; nothing where it does."""
    players = len(case.players)
    if players > getattr(adapter, "PLAYERS", players):
        return f"exact for at most {adapter.PLAYERS} players"
    order = getattr(adapter, "ORDER", None)
    if order is not None and interaction_order(case) > order:
        return f"exact for interactions of at most {order} players"
    return ""


def answer(adapter: ModuleType, recipe: Recipe) -> dict[str, Any]:
    """The line of one case."""
    case = recipe.make()
    if reason := not_offered(adapter, recipe, case):
        return {"verdict": NOT_OFFERED, "message": reason}
    exact = exact_values(case, adapter.QUESTION)
    rows = case.rows if not case.orders else case.rows[list(case.background.columns)]
    size = float(max(np.abs(case.predict(part)).max() for part in (rows, case.background)))
    start = time.perf_counter()
    try:
        values = adapter.explain(case)
    except Exception as error:
        words = f"{type(error).__name__}: {error}"
        verdict = "refused" if is_refusal(error) else "crashed"
        return {"verdict": verdict, "message": words, "seconds": time.perf_counter() - start}
    verdict = judge(values, exact, size, recipe.library)
    return {
        **verdict._asdict(),
        "digits": verdict.digits,
        "seconds": time.perf_counter() - start,
    }


def asked(adapter: ModuleType, recipe: Recipe) -> bool:
    """Whether the package documents the question for the library of a case."""
    return recipe.library in adapter.OFFERS


def run(adapter: ModuleType, found: Sequence[Recipe], out: TextIO) -> None:
    """Write the lines of the cases to a file that is flushed after each."""

    def write(line: dict[str, Any]) -> None:
        out.write(json.dumps(line) + "\n")
        out.flush()

    for recipe in found:
        if adapter.QUESTION == PATH_DEPENDENT and recipe.library in ("linear", "game", "groups"):
            continue
        label = {"family": recipe.family, "case": recipe.name}
        if not asked(adapter, recipe):
            write(label | {"verdict": NOT_OFFERED, "message": ""})
            continue
        write(label | {"began": True})
        if adapter.QUESTION != INTERVENTIONAL and adapter.QUESTION not in recipe.make().questions:
            write(label | {"verdict": None})
            continue
        write(label | answer(adapter, recipe))


def about(adapter: ModuleType) -> dict[str, str]:
    """What an adapter asks; a package that runs from its source has no version."""
    try:
        installed = version(adapter.PACKAGE)
    except PackageNotFoundError:
        installed = ""
    named = {"label": adapter.LABEL, "question": adapter.QUESTION}
    return named | {"package": adapter.PACKAGE, "version": installed}


def main(arguments: Sequence[str] | None = None) -> None:
    """Ask one adapter about the cases that a file of keys has."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("adapter", type=Path)
    parser.add_argument("out", type=Path, help="lines are appended to it")
    parser.add_argument("--cases", type=Path, nargs="*", help="files of cases; all by default")
    parser.add_argument("--skip", type=Path, help="a file of keys of cases that are done")
    given = parser.parse_args(arguments)
    warnings.simplefilter("ignore")
    with given.out.open("a", encoding="utf-8") as out:
        adapter = load(given.adapter)
        out.write(json.dumps(about(adapter)) + "\n")
        done = set(given.skip.read_text(encoding="utf-8").splitlines()) if given.skip else set()
        found = [recipe for recipe in recipes(given.cases) if recipe.key not in done]
        run(adapter, found, out)


if __name__ == "__main__":
    sys.exit(main())
