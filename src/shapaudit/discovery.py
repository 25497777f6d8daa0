"""Where the registered classes of a package are defined, read from the text of its modules.

Such classes are estimators, removals or explainers. A module is imported when one of its classes is
asked for: a job that runs one estimator imports no other. What a class is called stands in it as
literals, ``id`` and ``names``. A `Kind` makes instances by name. Other distributions offer theirs
by entry points in the group of the package, as "shapaudit.estimators".
"""

import ast
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

from .parameters import hint, listed

ALIKE = str.maketrans(" _", "--")


class AmbiguousName(ValueError):
    """Two classes, or two settings of one, are called the same."""


@dataclass(frozen=True)
class Definition:
    """A class and its module by name, its id, and its names with their parameters."""

    module: str
    cls: str
    id: str
    names: Mapping[str, Mapping[str, Any]]

    def __str__(self) -> str:
        return f"{self.module}.{self.cls}"

    def load(self) -> type:
        """The class itself."""
        return getattr(import_module(self.module), self.cls)


Named = tuple[Definition, Mapping[str, Any]]
# Packages of registered classes, each with what one of them is called.
PACKAGES = {
    "shapaudit.estimators": "an estimator, which plays any game",
    "shapaudit.explainers": "an explainer, which reads a model",
    "shapaudit.removals": "a removal, which makes the game of a row",
}
EXACT = "shapaudit.shapley_exact(game) evaluates all coalitions"
R_SQUARED = "shapaudit.attribute_r2(X, y) divides the R² of a regression"
# Names in the literature of what is a function here, as names are compared.
FUNCTIONS = {
    "ls-spa": R_SQUARED,
    "lmg": R_SQUARED,
    "exact": EXACT,
    "enumeration": EXACT,
    "exactexplainer": EXACT,
    "shap": "shapaudit.Explainer(model, background)(rows) explains the rows of a table",
}


def compared(name: str) -> str:
    """A name as names are compared: without case; spaces, underscores and hyphens are the same."""
    return name.casefold().translate(ALIKE)


def definitions(package: str) -> list[Definition]:
    """All registered classes of a package; raises `AmbiguousName` where two are called the same."""
    defined = [definition for module in _texts(package) for definition in _defined_in(module)]
    by_name(defined)
    by_class(defined)
    return defined


def attribute_of(package: str, name: str) -> Any:
    """What a package has by the name: ``REGISTRY``, all of its classes by id, or a class.

    It is kept in the package. Raises AttributeError where there is neither.
    """
    if name == "REGISTRY":
        value: Any = {definition.id: definition.load() for definition in definitions(package)}
    elif name.startswith("_") or (definition := find_class(name, package)) is None:
        raise AttributeError(f"module {package!r} has no attribute {name!r}")
    else:
        value = definition.load()
    setattr(import_module(package), name, value)
    return value


def attributes_of(package: str) -> list[str]:
    """Names of all that a package has, its classes included."""
    classes = {definition.cls for definition in definitions(package)}
    return sorted({*vars(import_module(package)), "REGISTRY", *classes})


def told_of_names(name: str, package: str, what: str) -> str:
    """That nothing of a package is called so, where it is, or what is close and what there is."""
    if elsewhere := _elsewhere(name, package):
        return f"{name!r} is no {what}: {elsewhere}."
    known, others = definitions(package), offered_by_others(package)
    close = hint(compared(name), [*by_name(known), *map(compared, others)])
    named = [*sorted(own.id for own in known), *others]
    return (
        f"unknown {what} {name!r}{close}; known: {', '.join(named)}, and their names in the "
        "literature; or give a dotted path package.module.Class."
    )


def offered_by_others(package: str) -> dict[str, str]:
    """Places "module:Class" by the names under which other distributions offer classes.

    A name that a class of the package has is that class.
    """
    found = {own.name: own.value for own in entry_points(group=package)}
    return {name: found[name] for name in sorted(found) if find_name(name, package) is None}


def _elsewhere(name: str, package: str) -> str:
    """What bears a name in another package; empty where nothing does."""
    if function := FUNCTIONS.get(compared(name)):
        return function
    for other, kind in PACKAGES.items():
        if other != package and find_name(name, other):
            return f"it is {kind}; {other}.create({name!r}) makes it"
    return ""


@cache
def find_class(name: str, package: str) -> Definition | None:
    """The class of a name; raises `AmbiguousName` where two modules have one."""
    header = re.compile(rf"^class {re.escape(name)}\b", re.MULTILINE)
    modules = [module for module, text in _texts(package).items() if header.search(text)]
    return by_class(definition for module in modules for definition in _defined_in(module)).get(
        name
    )


@cache
def find_name(name: str, package: str) -> Named | None:
    """The class of an id or name, and the parameters that bear it.

    Raises `AmbiguousName` naming the classes that are both called so.
    """
    literal = re.compile(rf"""["']{re.escape(compared(name))}["']""")
    modules = [module for module, text in _compared_texts(package).items() if literal.search(text)]
    return by_name(definition for module in modules for definition in _defined_in(module)).get(
        compared(name)
    )


def by_name(defined: Iterable[Definition]) -> dict[str, Named]:
    """Classes by id and name as these are compared, with the parameters that bear the name.

    Raises `AmbiguousName` where two, or two settings of one, are called the same.
    """
    known: dict[str, Named] = {}
    for definition in defined:
        for name, params in [(definition.id, {}), *definition.names.items()]:
            other = known.setdefault(compared(name), (definition, params))
            if other != (definition, params):
                raise AmbiguousName(
                    f"two classes are called {name!r}, {other[0]} with {other[1] or 'defaults'} "
                    f"and {definition} with {params or 'defaults'}; rename one."
                )
    return known


def by_class(defined: Iterable[Definition]) -> dict[str, Definition]:
    """Classes by their name; raises `AmbiguousName` where two have the same."""
    known: dict[str, Definition] = {}
    for definition in defined:
        other = known.setdefault(definition.cls, definition)
        if other != definition:
            raise AmbiguousName(
                f"two modules have a class {definition.cls}, {other} and {definition}."
            )
    return known


def values_bearing(value: Any) -> tuple[Any, ...]:
    """Values of a parameter that bear a name: the one listed, or each of a tuple of them."""
    return value if isinstance(value, tuple) else (value,)


def told_of_parameters(what: str, name: str, unknown: list[str], known: list[str]) -> str:
    """That the ``what`` of a name has none of the unknown parameters, and which it has."""
    return f"{what} {name!r} has no parameter {listed(unknown)}; it has {listed(known)}."


@dataclass(frozen=True)
class Kind:
    """The classes that a package registers, which all extend one class.

    Attributes
    ----------
    package : dotted name of the package
    base : the class that they extend
    what : what messages call one of them
    error : type of the exception for a name or parameters that do not fit
    told : gives the message about parameters that a class has not, from ``what``, its name and the
        names of the unknown and the known parameters
    """

    package: str
    base: type
    what: str
    error: type[Exception]
    told: Callable[[str, str, list[str], list[str]], str] = told_of_parameters

    def find(self, name: str) -> tuple[Any, Mapping[str, Any]]:
        """The class of an id, a name or a dotted path, and the parameters that bear the name.

        Raises ``error`` naming what is close and the known ids, or what is wrong with the path, and
        for what is no text.
        """
        if not isinstance(name, str):
            raise self.error(
                f"the name of the {self.what} is {name!r}; give a text: an id, a name in the "
                "literature, or a dotted path package.module.Class."
            )
        if named := find_name(name, self.package):
            return named[0].load(), named[1]
        if offered := self._offered(name):
            return self._checked(f"{name} ({offered.value})", offered.load), {}
        return self._imported(name), {}

    def create(self, name: str, params: Mapping[str, Any] | None) -> Any:
        """An instance of the class of a name, with the parameters that bear it and those given.

        Raises ``error`` for an unknown name, for parameters that the class has not, and for those
        that contradict the name; and whatever the class itself raises for a parameter.
        """
        cls, bearing = self.find(name)
        params, known = self.read(params), [field.name for field in fields(cls)]
        if unknown := sorted(map(str, params.keys() - set(known))):
            raise self.error(self.told(self.what, name, unknown, known))
        for key, value in params.items():
            if key in bearing and value not in values_bearing(bearing[key]):
                wanted = " or ".join(map(repr, values_bearing(bearing[key])))
                raise self.error(
                    f"{name} is {cls.id} with {key} {wanted}, which {key} {value!r} contradicts; "
                    f"leave it out, or name the {self.what} {cls.id}."
                )
        borne = {key: values_bearing(value)[0] for key, value in bearing.items()}
        return cls(**{**borne, **params})

    def read(self, params: Mapping[str, Any] | None) -> Mapping[str, Any]:
        """Parameters by name, none for None; raises ``error`` for what is no mapping."""
        if params is not None and not isinstance(params, Mapping):
            raise self.error(
                f"the parameters of the {self.what} are {params!r}; give a mapping of names to "
                "values, or leave them out."
            )
        return params or {}

    def _imported(self, path: str) -> type:
        """The dataclass at a dotted path "package.module.Class"."""
        module, _, attribute = path.rpartition(".")
        if not module:
            raise self.error(told_of_names(path, self.package, self.what))
        if not all(map(str.isidentifier, path.split("."))):
            raise self.error(
                f"{path!r} is no dotted path; give one as package.module.Class, of a module that "
                "Python can import."
            )
        return self._checked(path, lambda: getattr(import_module(module), attribute))

    def _offered(self, name: str) -> EntryPoint | None:
        """What another distribution offers by a name."""
        offered = [
            own for own in entry_points(group=self.package) if compared(own.name) == compared(name)
        ]
        if len({own.value for own in offered}) > 1:
            values = " and ".join(sorted({own.value for own in offered}))
            raise self.error(f"two installed packages offer the {self.what} {name!r}: {values}.")
        return offered[0] if offered else None

    def _checked(self, path: str, load: Callable[[], Any]) -> type:
        """What ``load`` gives, if it is a dataclass of this kind."""
        try:
            cls = load()
        except (Exception, SystemExit) as fault:  # a module of one's own, whatever it raises
            raise self.error(
                f"cannot import the {self.what} {path!r}: {type(fault).__name__}: {fault}"
            ) from fault
        if not (isinstance(cls, type) and issubclass(cls, self.base)):
            base = f"{self.base.__module__}.{self.base.__name__}"
            raise self.error(f"{path!r} is not a subclass of {base}.")
        if not is_dataclass(cls):
            raise self.error(
                f"{path!r} is no dataclass; put @dataclass(frozen=True) above the class."
            )
        return cls


@cache
def _texts(package: str) -> dict[str, str]:
    """Source of each module of a package, by dotted name."""
    (folder,) = import_module(package).__path__
    return {
        f"{package}.{module.name}": Path(folder, f"{module.name}.py").read_text(encoding="utf-8")
        for module in iter_modules([folder])
        if not module.ispkg
    }


@cache
def _compared_texts(package: str) -> dict[str, str]:
    """The same as names are compared."""
    return {module: compared(text) for module, text in _texts(package).items()}


@cache
def _defined_in(module: str) -> list[Definition]:
    """Registered classes of a module, which are those with an id of their own."""
    defined = []
    for node in ast.parse(_texts(module.rpartition(".")[0])[module]).body:
        values = _values(node) if isinstance(node, ast.ClassDef) else {}
        if isinstance(node, ast.ClassDef) and "id" in values:
            names = ast.literal_eval(values["names"]) if "names" in values else {}
            defined.append(Definition(module, node.name, ast.literal_eval(values["id"]), names))
    return defined


def _values(cls: ast.ClassDef) -> dict[str, ast.expr]:
    """What the body of a class assigns, by attribute."""
    assigned = [node for node in cls.body if isinstance(node, ast.Assign | ast.AnnAssign)]
    return {
        target.id: node.value
        for node in assigned
        for target in getattr(node, "targets", [getattr(node, "target", None)])
        if node.value is not None and isinstance(target, ast.Name)
    }
