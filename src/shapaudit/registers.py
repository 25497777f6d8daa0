"""Functions and classes by name, found in the text of the modules of a package.

Functions load a data set, train or read a model, or compute true values: whoever adds one writes
``@loader("friedman")`` above it, in a module of the package. Games are the classes whose names end
in "Game". Nothing is listed by hand, and a module is imported when something of it is asked for.
"""

import ast
from abc import abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from .parameters import hint, listed

Function = TypeVar("Function", bound=Callable[..., Any])


class Place(NamedTuple):
    """Module and name of a function or class, and the facts that its decorator states."""

    module: str
    attribute: str
    facts: Mapping[str, Any]


def _marked(name: str, **facts: Any) -> Callable[[Function], Function]:
    """Decorator that leaves a function as it is; ``name`` and ``facts`` are literals."""
    return lambda function: function


loader = _marked  # of a function (rng, *, ...) -> Dataset
trainer = _marked  # of a function (dataset, seed, *, ...) -> Model
reader = _marked  # of a function (directory, manifest) -> Model, by the kind of the model
method = _marked  # of a function (game, rng, *, ...) -> Truth


class _ByName(Mapping[str, Any]):
    """What the modules of a package define, by name, in alphabetical order.

    Raises ValueError when two definitions have the same name.
    """

    def __init__(self, package: str, word: str):
        self._package, self._word = package, word

    def __getitem__(self, name: str) -> Any:
        place = self.places[name]
        return getattr(import_module(place.module), place.attribute)

    def __iter__(self) -> Iterator[str]:
        return iter(self.places)

    def __len__(self) -> int:
        return len(self.places)

    def __contains__(self, name: object) -> bool:
        return name in self.places

    @cached_property
    def places(self) -> dict[str, Place]:
        """Where each definition stands, by name."""
        (folder,) = import_module(self._package).__path__
        places: dict[str, Place] = {}
        for path in sorted(Path(folder).rglob("*.py")):
            text = path.read_text(encoding="utf-8")
            named = self._named(text, _module(self._package, Path(folder), path))
            for name, place in named if self._word in text else ():
                if name in places:
                    both = f"{places[name].module} and {place.module}"
                    raise ValueError(f"{both} both define {name!r}; rename one.")
                places[name] = place
        return dict(sorted(places.items()))

    @abstractmethod
    def _named(self, text: str, module: str) -> Iterator[tuple[str, Place]]:
        """Names and places of the definitions in the text of a module."""


class Register(_ByName):
    """Functions of a package by the names that a decorator gives them.

    ``package`` is its dotted name, and ``decorator`` "loader", "trainer", "reader" or "method".
    """

    def __init__(self, package: str, decorator: str):
        super().__init__(package, f"@{decorator}(")
        self._decorator = decorator

    def _named(self, text: str, module: str) -> Iterator[tuple[str, Place]]:
        for node in ast.parse(text).body:
            if not isinstance(node, ast.FunctionDef):
                continue
            for call in node.decorator_list:
                if isinstance(call, ast.Call) and ast.unparse(call.func) == self._decorator:
                    facts = {
                        str(keyword.arg): ast.literal_eval(keyword.value)
                        for keyword in call.keywords
                    }
                    yield ast.literal_eval(call.args[0]), Place(module, node.name, facts)


class ClassRegister(_ByName):
    """Public classes of a package whose names end in a word and are longer than it."""

    def _named(self, text: str, module: str) -> Iterator[tuple[str, Place]]:
        for node in ast.parse(text).body:
            name = node.name if isinstance(node, ast.ClassDef) else ""
            if name.endswith(self._word) and name != self._word and not name.startswith("_"):
                yield name, Place(module, name, {})


def unknown(what: str, name: str, known: Collection[str]) -> str:
    """Message that nothing has a name, with the name that may be meant and all that there are."""
    return f"unknown {what} {name!r}{hint(name, known)}; the known ones are {listed(known)}"


def _module(package: str, folder: Path, path: Path) -> str:
    """Dotted name of a file of a package."""
    parts = path.relative_to(folder).with_suffix("").parts
    return ".".join([package, *(part for part in parts if part != "__init__")])
