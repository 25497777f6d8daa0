"""Whether values of a configuration are of the types that a function declares for them."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from types import UnionType
from typing import Any, get_args, get_origin

WORDS = {int: "an integer", float: "a number", str: "text", bool: "true or false"}


def type_faults(function: Callable, params: Mapping[str, Any]) -> list[str]:
    """What is wrong with the types of some keyword parameters of a function, all known to it."""
    declared = inspect.signature(function).parameters
    return [
        f"{name} must be {_words_for(declared[name].annotation)}, got {value!r}"
        for name, value in params.items()
        if not _is_of(value, declared[name].annotation)
    ]


def _is_of(value: Any, wanted: Any) -> bool:
    """Whether a value is of a type; every value is of one that is not in `WORDS`."""
    if isinstance(wanted, UnionType):
        return any(_is_of(value, part) for part in get_args(wanted))
    if get_origin(wanted) is Sequence:
        (of,) = get_args(wanted)
        return isinstance(value, list | tuple) and all(_is_of(one, of) for one in value)
    if wanted is type(None):
        return value is None
    if wanted not in WORDS:
        return True
    kinds = (int, float) if wanted is float else wanted
    return isinstance(value, kinds) and (wanted is bool or not isinstance(value, bool))


def _words_for(wanted: Any) -> str:
    if isinstance(wanted, UnionType):
        parts = [_words_for(part) for part in get_args(wanted) if part is not type(None)]
        return " or ".join(parts)
    if get_origin(wanted) is Sequence:
        return f"a list, each entry {_words_for(get_args(wanted)[0])}"
    return WORDS[wanted]
