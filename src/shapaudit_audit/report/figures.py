"""Which figures there are, read off the modules that draw them without running them."""

import ast
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from ..houses import paper_houses

NAME = "FIGURES"


class Figure(NamedTuple):
    """Title of a figure, its caption, and the ids of the claims beside which the site shows it."""

    title: str
    caption: str
    claims: tuple[str, ...] = ()


def declared_figures(folders: Iterable[Path] | None = None) -> dict[str, dict[str, Figure]]:
    """Figures by notebook and name, from the literal ``FIGURES`` of all modules in some folders.

    Of the report and of the papers unless folders are given. Raises ValueError naming a figure of
    two modules.
    """
    if folders is None:
        folders = [*paper_houses(), Path(__file__).parent]
    declared: dict[str, dict[str, Figure]] = {}
    for path in (path for folder in folders for path in sorted(folder.rglob("*.py"))):
        text = path.read_text(encoding="utf-8")
        if NAME not in text:
            continue
        for key, parts in _literal(text).items():
            notebook, _, name = key.partition("/")
            if name in declared.setdefault(notebook, {}):
                raise ValueError(f"the figure {key} is declared twice; rename that of {path.name}.")
            declared[notebook][name] = Figure(*parts)
    return declared


def _literal(text: str) -> dict[str, tuple]:
    """The value assigned to `NAME` at the top of a module, {} without one."""
    for node in ast.parse(text).body:
        if isinstance(node, ast.Assign) and [ast.unparse(name) for name in node.targets] == [NAME]:
            return ast.literal_eval(node.value)
    return {}
