"""A case: a model, the rows to explain, and what defines their exact values."""

import importlib
import importlib.util
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from .trees import Tree

FOLDER = Path(__file__).parent
INTERVENTIONAL, PATH_DEPENDENT = "interventional", "path-dependent"
QUESTIONS = (INTERVENTIONAL, PATH_DEPENDENT)
FEW_PLAYERS = 12  # so many are enumerated
Raw = Callable[[Any, Any], np.ndarray]


@dataclass(frozen=True, eq=False)
class Case:
    """A model with rows of a table.

    Attributes
    ----------
    model : an object of the library that the file of the case names; None of a game
    background, rows : arrays or pandas data frames (n, d) and (m, d); absent columns are taken
        from the background
    raw : the model's own output that is explained, (m,) or (m, k), a function of model and rows
    output : number of the output that is explained where there are several
    others : other outputs that a package may legitimately explain, by name
    multiples : by name, factors of the output that give such an output
    trees : the model written as plain trees, for path-dependent values; their sum differs from the
        output by a constant
    other_trees : by name, plain trees of which a package may legitimately start from other roots
    used : columns that the model depends on, if there are too many for enumeration; the values of
        the others are 0
    values : exact values (m, d) if they are known in closed form
    groups : columns of each player by its name, if players are groups of columns
    worth : exact value of a coalition, given as a tuple of players, of a game
    orders : the ways in which columns may be numbered, by name, if rows have other orders than the
        model; each is a sequence of the numbers of the background's columns
    """

    model: Any
    background: Any
    rows: Any
    raw: Raw
    output: int | None = None
    others: Mapping[str, Raw] = field(default_factory=dict)
    multiples: Mapping[str, Fraction] = field(default_factory=dict)
    trees: Callable[[Any], Sequence[Tree]] | None = None
    other_trees: Mapping[str, Callable[[Any], Sequence[Tree]]] = field(default_factory=dict)
    used: Sequence[int] | None = None
    values: Sequence[Sequence[Fraction]] | None = None
    groups: Mapping[str, Sequence[int]] | None = None
    worth: Callable[[tuple[int, ...]], Fraction] | None = None
    orders: Mapping[str, Sequence[int]] = field(default_factory=dict)

    def predict(self, rows: Any) -> np.ndarray:
        """The output (m,) that is explained, of rows in the form of the background or an array."""
        table = self.background
        if not isinstance(table, np.ndarray) and isinstance(rows, np.ndarray):
            rows = type(table)(rows, columns=table.columns).astype(dict(table.dtypes))
        return chosen(self.raw(self.model, rows), self.output)

    @property
    def players(self) -> list[list[int]]:
        """Columns of each player."""
        if self.groups is not None:
            return [list(columns) for columns in self.groups.values()]
        return [[j] for j in range(self.background.shape[1])]

    @property
    def questions(self) -> tuple[str, ...]:
        """Values that the case has."""
        return QUESTIONS if self.trees is not None else (INTERVENTIONAL,)


class Recipe(NamedTuple):
    """How a case is made, where it belongs, and its name."""

    family: str
    library: str
    name: str
    make: Callable[[], Case]

    @property
    def key(self) -> str:
        """The name that is unique among all cases."""
        return f"{self.family}/{self.name}"


def chosen(outputs: Any, output: int | None) -> np.ndarray:
    """One of the outputs (m, k) of a model, or its only one, as float64 (m,)."""
    values = np.asarray(outputs, dtype=np.float64)
    if values.ndim == 1:
        return values
    return values[:, 0 if output is None else output]


def game(worth: Callable[[tuple[int, ...]], Fraction | int], players: int) -> Case:
    """A game as a model of 0 and 1: the row of ones is explained against the row of zeros."""

    def raw(_: None, rows: Any) -> np.ndarray:
        present = np.asarray(rows, dtype=np.float64) > 0.5
        return np.array([float(worth(tuple(np.flatnonzero(row).tolist()))) for row in present])

    exact = lambda members: Fraction(worth(members))  # noqa: E731
    return Case(None, np.zeros((1, players)), np.ones((1, players)), raw, worth=exact)


def load(path: Path) -> ModuleType:
    """The module of a file, which need not belong to the package."""
    if path.resolve().parent.parent == FOLDER.resolve():
        return importlib.import_module(f"{__package__}.{path.parent.name}.{path.stem}")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise ValueError(f"{path} is no file of Python; give one that ends in .py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def files(kind: str) -> list[Path]:
    """The files of cases or adapters, by name."""
    return [path for path in sorted((FOLDER / kind).glob("*.py")) if path.stem != "__init__"]


def recipes(paths: Sequence[Path] | None = None) -> list[Recipe]:
    """All recipes, or those of some files.

    Of all, a file whose packages are not installed is left out; one that was asked for raises
    ModuleNotFoundError.
    """
    found = []
    for path in files("cases") if paths is None else paths:
        try:
            module = load(path)
        except ModuleNotFoundError as error:
            if paths is not None or (error.name and error.name.startswith("shapaudit")):
                raise
            continue
        found += [
            Recipe(module.FAMILY, module.LIBRARY, name, make) for name, make in module.CASES.items()
        ]
    return found
