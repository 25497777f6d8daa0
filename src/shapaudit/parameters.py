"""Checks of the names and values that come from a configuration."""

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from difflib import get_close_matches
from numbers import Integral, Real
from operator import index
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

import numpy as np

MOST = 2000  # characters of a message
# What a parameter of a plain type may be, and how to say so.
PLAIN: dict[Any, tuple[Any, str]] = {
    bool: ((bool, np.bool_), "true or false"),
    int: (Integral, "a whole number"),
    float: (Real, "a number"),
    str: (str, "a text"),
    NoneType: (NoneType, "null"),
}


def check_parameters(
    what: str, function: Callable[..., Any], params: Mapping[str, Any], error: type[Exception]
) -> None:
    """Raise `error` unless `params` fit the keyword-only parameters of `function`.

    Parameters
    ----------
    what : str
        What the message calls the function, for instance "loader 'gaussian'".
    function : callable
        Its keyword-only parameters are the known names.
    params : mapping
        Names and values, usually from a configuration file.
    error : exception type
    """
    known = {
        name: parameter
        for name, parameter in inspect.signature(function).parameters.items()
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY
    }
    if unknown := [name for name in params if name not in known]:
        raise error(f"{what} has no parameter {listed(unknown)}; it knows {listed(known)}")
    missing = [
        name
        for name, parameter in known.items()
        if parameter.default is inspect.Parameter.empty and name not in params
    ]
    if missing:
        raise error(f"{what} needs the parameter {listed(missing)}; it knows {listed(known)}")


def check_count(what: str, value: Any, minimum: int, error: type[Exception]) -> None:
    """Raise `error` unless `value` is an integer of at least `minimum`."""
    is_integer = isinstance(value, int | np.integer) and not isinstance(value, bool)
    if not is_integer or value < minimum:
        raise error(f"{what} must be an integer of at least {minimum}, got {value!r}")


def whole_number(what: str, value: Any, error: type[Exception]) -> int:
    """`value` of any integral type as an int; raises `error` for anything else, a bool included."""
    try:
        if isinstance(value, bool | np.bool_):
            raise TypeError
        return index(value)
    except TypeError:
        raise error(f"{what} must be a whole number; got {value!r}.") from None


def numbers_of(what: str, array: Any, error: type[Exception]) -> np.ndarray:
    """An array as contiguous float64; raises ``error`` for a sparse matrix and other things."""
    if hasattr(array, "toarray"):
        raise error(f"{what} are sparse; give them as an array, rows.toarray().")
    try:
        return np.ascontiguousarray(array, dtype=np.float64)
    except (TypeError, ValueError) as fault:
        raise error(f"{what} must be numbers ({fault}).") from fault


def check_fields(what: str, instance: Any) -> None:
    """Raise ValueError for a dataclass's field outside its declared choices, or of another type.

    ``what`` is what the message calls the instance.
    """
    for field in fields(instance):
        choices = get_args(field.type) if get_origin(field.type) is Literal else ()
        value = getattr(instance, field.name)
        if choices and value not in choices:
            one_of = ", ".join(map(repr, choices))
            raise ValueError(f"{what}: {field.name} {value!r} is none of {one_of}.")
        if fault := _type_fault(field.name, value, field.type):
            raise ValueError(f"{what}: {fault}.")


def type_faults(function: Callable[..., Any], params: Mapping[str, Any]) -> list[str]:
    """What is wrong with the types of some keyword parameters of a function, all known to it."""
    declared = inspect.signature(function).parameters
    faults = (_type_fault(name, value, declared[name].annotation) for name, value in params.items())
    return [fault for fault in faults if fault]


def _type_fault(name: str, value: Any, declared: Any) -> str:
    """What is wrong with a value of another type than the declared one; else nothing."""
    if _fits(value, declared):
        return ""
    return f"{name} must be {_words(declared)}; got {value!r}"


def _fits(value: Any, declared: Any) -> bool:
    """Whether a value is of a type; all values are of one that is not made of plain types."""
    if _is_union(declared):
        return any(_fits(value, part) for part in get_args(declared))
    if get_origin(declared) is Sequence:
        (of,) = get_args(declared)
        return isinstance(value, list | tuple) and all(_fits(item, of) for item in value)
    if declared in (int, float) and isinstance(value, bool):
        return False
    return declared not in PLAIN or isinstance(value, PLAIN[declared][0])


def _words(declared: Any) -> str:
    """A type in words."""
    if _is_union(declared):
        return " or ".join(map(_words, get_args(declared)))
    if get_origin(declared) is Sequence:
        return f"a list, each entry {_words(*get_args(declared))}"
    return PLAIN[declared][1]


def _is_union(declared: Any) -> bool:
    return get_origin(declared) in (Union, UnionType)


def counted(number: int, what: str) -> str:
    """A number and its noun."""
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def listed(names: Iterable[Any]) -> str:
    """Names in quotes, for a message."""
    return ", ".join(repr(str(name)) for name in names) or "none"


def shortlist(names: Iterable[Any], most: int = 10) -> str:
    """The first names in quotes, and how many more there are, for a message."""
    names = list(names)
    more = len(names) - most
    return listed(names[:most]) + (f" and {more:,} more" if more > 0 else "")


def hint(name: str, known: Iterable[str]) -> str:
    """Known name that an unknown one may be meant for, in brackets after a space, or ""."""
    lower = {str(word).lower(): word for word in known}
    close = get_close_matches(str(name).lower(), list(lower), n=1)
    return f" (did you mean {lower[close[0]]!r}?)" if close else ""


def shortened(text: str, most: int = MOST) -> str:
    """A text without its middle where it has more than ``most`` characters."""
    if len(text) <= most:
        return text
    half = most // 2
    return f"{text[:half]} [... {len(text) - 2 * half} characters left out ...] {text[-half:]}"
