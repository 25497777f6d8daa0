"""The result of a run on record: its table, and what it was made with."""

import ast
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from .case import FOLDER, QUESTIONS, files
from .judge import CRASHED, NOT_OFFERED, REFUSED, RIGHT, WRONG
from .run import read

RECORD = FOLDER.parents[2] / "benchmarks" / "results" / "conformance.csv"
TABLE = "conformance.csv"
FAULTS = FOLDER / "faults"
WORDS = {WRONG: "wrong", CRASHED: "crashed", REFUSED: "refused"}


class Fault(NamedTuple):
    """A script that shows a fault for oneself, with the cells that it explains.

    ``cells`` are pairs of an adapter and a case, which may end in a star.
    """

    title: str
    text: str
    code: str
    cells: tuple[tuple[str, str], ...]

    def explains(self, row: Mapping[str, str]) -> bool:
        """Whether a cell is an instance of the fault."""
        key = f"{row['family']}/{row['case']}"
        return any(
            row["adapter"] == adapter
            and (key.startswith(case[:-1]) if case.endswith("*") else key == case)
            for adapter, case in self.cells
        )


@dataclass(frozen=True)
class Record:
    """Rows of the table, what they were made with, and the faults that explain wrong cells."""

    rows: Sequence[Mapping[str, str]]
    made_with: Mapping[str, Any]
    faults: Sequence[Fault]

    def adapters(self, question: str) -> list[Mapping[str, str]]:
        """One row of each adapter of a question."""
        first: dict[str, Mapping[str, str]] = {}
        for row in self.rows:
            if row["question"] == question:
                first.setdefault(row["adapter"], row)
        return list(first.values())

    def families(self, question: str) -> list[str]:
        """Families of cases that some package answers."""
        return sorted(
            {
                row["family"]
                for row in self.rows
                if row["question"] == question and row["verdict"] != NOT_OFFERED
            }
        )

    def cell(self, adapter: str, family: str | None = None) -> Counter[str]:
        """How often each verdict was given to an adapter, in a family or altogether."""
        return Counter(
            row["verdict"]
            for row in self.rows
            if row["adapter"] == adapter and family in (None, row["family"])
        )

    def matrix(self, question: str) -> list[tuple[Mapping[str, str], list[Counter[str]]]]:
        """Each adapter with its verdicts, altogether and by family."""
        columns = [None, *self.families(question)]
        return [
            (row, [self.cell(row["adapter"], family) for family in columns])
            for row in self.adapters(question)
        ]

    def of(self, verdict: str) -> list[Mapping[str, str]]:
        """Cells of a verdict."""
        return [row for row in self.rows if row["verdict"] == verdict]


def shown(counts: Mapping[str, int]) -> str:
    """A cell in words: how many are right of those that are offered, and what became of others."""
    offered = sum(count for verdict, count in counts.items() if verdict != NOT_OFFERED)
    if not offered:
        return "–"
    others = [f"{counts[key]} {word}" for key, word in WORDS.items() if counts.get(key)]
    return f"{counts.get(RIGHT, 0)} of {offered}" + (f" ({', '.join(others)})" if others else "")


def read_record(table: Path = RECORD, faults: Path = FAULTS) -> Record | None:
    """The record of a table with its companion; None where there is none."""
    if not table.exists():
        return None
    made_with = json.loads(table.with_suffix(".json").read_text(encoding="utf-8"))
    return Record(read(table), made_with, read_faults(faults))


def read_faults(folder: Path = FAULTS) -> list[Fault]:
    """Faults from their scripts: a docstring of title, words, and lines "Cells: adapter: case"."""
    return [_fault(path) for path in sorted(folder.glob("*.py"))]


def _fault(path: Path) -> Fault:
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    first, *rest = (ast.get_docstring(tree) or "").split("\n\n")
    cells = [
        line.removeprefix("Cells: ").split(": ", 1)
        for part in rest
        for line in part.splitlines()
        if line.startswith("Cells: ")
    ]
    words = [" ".join(part.split()) for part in rest if not part.startswith("Cells: ")]
    code = "\n".join(text.splitlines()[tree.body[0].end_lineno :]).strip()
    return Fault(first.rstrip("."), "\n\n".join(words), code, tuple((a, b) for a, b in cells))


def declared(adapter: Path) -> dict[str, str]:
    """Constants of an adapter, read without importing what it asks."""
    found = {"ENVIRONMENT": "packages"}
    for node in ast.parse(adapter.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign):
            names = node.targets[0].elts if isinstance(node.targets[0], ast.Tuple) else node.targets
            values = ast.literal_eval(node.value)
            pairs = zip(names, values, strict=True) if len(names) > 1 else [(names[0], values)]
            found |= {name.id: value for name, value in pairs if isinstance(name, ast.Name)}
    return found


def adapters_of(package: str = "") -> list[Path]:
    """Adapters of a package, as "shap" or "shap==0.52"; by default all, ordered by question."""
    name = package.replace("==", " ").replace(">", " ").replace("<", " ").split()[:1]
    known = {path: declared(path) for path in files("adapters")}
    chosen = [path for path in known if not name or known[path]["PACKAGE"] == name[0]]
    if not chosen:
        packages = sorted({about["PACKAGE"] for about in known.values()})
        raise ValueError(f"no adapter asks {package!r}; there are those of {', '.join(packages)}")
    return sorted(chosen, key=lambda path: QUESTIONS.index(known[path]["QUESTION"]))
