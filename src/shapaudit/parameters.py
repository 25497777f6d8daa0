"""Checks of the names and values that come from a configuration."""

import inspect
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from operator import index
from typing import Any

import numpy as np


def check_parameters(
    what: str, function: Callable, params: Mapping[str, Any], error: type[Exception]
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


def listed(names: Iterable[Any]) -> str:
    """Names in quotes, for a message."""
    return ", ".join(repr(str(name)) for name in names) or "none"


def hint(name: str, known: Iterable[str]) -> str:
    """Known name that an unknown one may be meant for, in brackets after a space, or ""."""
    close = get_close_matches(name, list(known), n=1)
    return f" (did you mean {close[0]!r}?)" if close else ""
