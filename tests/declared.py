"""What modules declare: constants that are numbers, defaults, and what their dataclasses are."""

import importlib
import inspect
import pkgutil
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from numbers import Integral, Real

from msgspec import Struct, structs

OTHERS = ("TYPE_CHECKING",)  # of the library, not of the module


def declarations(package: str) -> dict[str, str]:
    """Constants and defaults of each module of a package by its dotted name, one text for each."""
    root = importlib.import_module(package)
    names = [info.name for info in pkgutil.walk_packages(root.__path__, f"{root.__name__}.")]
    # What asks other packages runs in environments that have these.
    names = [name for name in names if ".conformance.adapters." not in name]
    declared = {}
    for name in [root.__name__, *names]:
        module = importlib.import_module(name)
        place = name.removeprefix(root.__name__).removeprefix(".")
        if texts := [f"{key} = {text}" for key, text in _declared(module)]:
            declared[place or package.rpartition(".")[2]] = "; ".join(texts)
    return declared


def _declared(module) -> Iterator[tuple[str, str]]:
    """Constants and defaults of one module, those of its classes included."""
    for name, value in vars(module).items():
        if name.startswith("__") or name in OTHERS:
            continue
        if _is_plain(value) and _holds_number(value):
            yield name, _text(value)
        elif getattr(value, "__module__", None) == module.__name__:
            yield from _defaults(name, value)


def _defaults(name: str, value: object) -> Iterator[tuple[str, str]]:
    """Defaults of a function, or constants of a class and defaults of its methods.

    Of a dataclass also what it was asked to be: frozen, for one.
    """
    if inspect.isclass(value):
        if is_dataclass(value) and (asked := _asked(value)):
            yield name, asked
        for part in structs.fields(value) if issubclass(value, Struct) else ():
            if _is_plain(part.default) and _holds_number(part.default):
                yield f"{name}.{part.name}", _text(part.default)
        for key, part in vars(value).items():
            if _is_plain(part) and _holds_number(part) and not key.startswith("_"):
                yield f"{name}.{key}", _text(part)
            elif not (key == "__init__" and is_dataclass(value)) and not inspect.isclass(part):
                yield from _defaults(f"{name}.{key}", getattr(part, "__func__", part))
        return
    function = getattr(value, "py_func", value)  # what numba compiled
    if inspect.isfunction(function):
        parameters = inspect.signature(function).parameters.values()
        given = {
            parameter.name: parameter.default
            for parameter in parameters
            if parameter.default is not parameter.empty
        }
        if plain := [
            f"{key}={_text(default)}" for key, default in given.items() if _is_plain(default)
        ]:
            yield name, ", ".join(plain)


def _asked(value: type) -> str:
    """What a dataclass is that others are not, and the other way round."""
    own = value.__dataclass_params__
    usual = {"init": True, "repr": True, "eq": True, "order": False, "frozen": False}
    return ", ".join(
        f"{key}={getattr(own, key)}"
        for key, default in usual.items()
        if getattr(own, key) != default
    )


def _is_plain(value: object) -> bool:
    """Whether a value is made of numbers and texts, in an order that is always the same."""
    if isinstance(value, dict):  # a register, which imports what it finds, is none
        return all(_is_plain(key) and _is_plain(part) for key, part in value.items())
    if isinstance(value, tuple | list):
        return all(map(_is_plain, value))
    if is_dataclass(value) and not isinstance(value, type):
        return all(map(_is_plain, _fields_of(value).values()))
    return value is None or isinstance(value, str | Real)


def _fields_of(value: object) -> dict[str, object]:
    return {field.name: getattr(value, field.name) for field in fields(value)}


def _holds_number(value: object) -> bool:
    if is_dataclass(value):
        value = _fields_of(value)
    parts = [*value, *value.values()] if isinstance(value, Mapping) else value
    if isinstance(value, Mapping | tuple | list):
        return any(map(_holds_number, parts))
    return isinstance(value, Real)


def _text(value: object) -> str:
    """A plain value, its numbers rounded; with an E, as recorded numbers near 1e-12 are 0."""
    if is_dataclass(value):
        value = {key: part for key, part in _fields_of(value).items() if _holds_number(part)}
    if isinstance(value, Mapping):
        parts = (f"{_text(key)}: {_text(part)}" for key, part in value.items())
        return "{" + ", ".join(parts) + "}"
    if isinstance(value, tuple | list):
        return "(" + ", ".join(map(_text, value)) + ")"
    if isinstance(value, Real) and not isinstance(value, Integral):
        return f"{float(value):.10G}"
    return repr(value)
