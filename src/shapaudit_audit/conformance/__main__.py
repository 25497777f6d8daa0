"""Ask packages about the cases: ``python -m shapaudit_audit.conformance run`` or ``see``."""

import argparse
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from .case import files, load, recipes
from .exact import exact_values
from .gather import gather


def main(arguments: Sequence[str] | None = None) -> None:
    """Run adapters with this interpreter, or another one, or show one cell."""
    parser = argparse.ArgumentParser(prog="python -m shapaudit_audit.conformance")
    commands = parser.add_subparsers(dest="command", required=True)
    run = commands.add_parser("run", help="verdicts on adapters, as a table and a page")
    run.add_argument("adapters", nargs="+", help="names, or files, of adapters")
    run.add_argument("--to", type=Path, required=True, help="a folder")
    run.add_argument("--python", default=sys.executable, help="an interpreter with the packages")
    run.add_argument("--cases", type=_cases, nargs="+", help="files of cases; all by default")
    see = commands.add_parser("see", help="the values of one cell beside the exact ones")
    see.add_argument("adapter", help="its name or file")
    see.add_argument("case", help='its family and name, as in "XGBoost, entries/missing"')
    see.add_argument("--cases", type=_cases, nargs="+", help="files of cases; all by default")
    given = parser.parse_args(arguments)
    if given.command == "see":
        show(_file(given.adapter), given.case, given.cases)
        return
    adapters = [_file(name) for name in given.adapters]
    try:
        gather(adapters, given.python, given.to, given.cases)
    except RuntimeError as error:  # with the words of the process that failed
        raise SystemExit(str(error)) from None


def show(path: Path, key: str, cases: Sequence[Path] | None) -> None:
    """Print what a package gives for a case, the exact values and the change of the output."""
    warnings.simplefilter("ignore")
    adapter = load(path)
    found = {recipe.key: recipe for recipe in recipes(cases)}
    if key not in found:
        raise SystemExit(f"there is no case {key!r}; there are\n" + "\n".join(sorted(found)))
    case = found[key].make()
    exact = exact_values(case, adapter.QUESTION)
    with np.printoptions(precision=7, suppress=True):
        print(f"{adapter.LABEL}\n{np.asarray(adapter.explain(case), dtype=float)}")
        for name, values in exact.items():
            print(f"exact{f', {name}' if name else ''}\n{values}")


def _cases(name: str) -> Path:
    """A file of cases, which must be there."""
    path = Path(name)
    if not path.is_file():
        raise argparse.ArgumentTypeError(f"there is no file {name!r}")
    return path


def _file(name: str) -> Path:
    """The file of an adapter, which may be one of the package's, by its name."""
    known = {path.stem: path for path in files("adapters")}
    path = known.get(name, Path(name))
    if not path.exists():
        raise SystemExit(f"there is no adapter {name!r}; there are {', '.join(sorted(known))}")
    return path


if __name__ == "__main__":
    main()
