"""Validation of documents by JSON schemas, without the seconds that the library may take."""

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import yaml

ADDRESSES = "rfc3987_syntax"


@contextmanager
def without_address_grammars() -> Iterator[None]:
    """Import `jsonschema`, or what imports it, without its checks of internationalised addresses.

    Where it finds the package for these, which Jupyter brings, it compiles 38 grammars at every
    import: two seconds of each job, for formats that no schema here has.
    """
    if ADDRESSES in sys.modules:
        yield
        return
    modules: dict[str, Any] = sys.modules
    modules[ADDRESSES] = None  # Python's way to say that there is no such module
    try:
        yield
    finally:
        del sys.modules[ADDRESSES]


with without_address_grammars():
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import ValidationError, best_match
    from jsonschema.protocols import Validator
    from jsonschema.validators import extend

__all__ = ["best_match", "validator_of", "without_address_grammars"]


def _is_integer(_, value) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _fits(_, pattern: str, value, schema) -> Iterator[ValidationError]:
    """The keyword "pattern": its $ is the end of the text; in Python a newline may follow it."""
    if pattern.endswith("$") and not pattern.endswith(r"\$"):
        pattern = pattern[:-1] + r"\Z"
    if isinstance(value, str) and not re.search(pattern, value):
        yield ValidationError(f"{value!r} does not match {schema['pattern']!r}")


# JSON Schema accepts 500.0 as an integer, but numpy does not.
StrictValidator = extend(
    Draft202012Validator,
    validators={"pattern": _fits},
    type_checker=Draft202012Validator.TYPE_CHECKER.redefine("integer", _is_integer),
)


def validator_of(schema: str | Path) -> Validator:
    """Validator of documents by the YAML file ``schema``; no float is an integer."""
    return StrictValidator(yaml.safe_load(Path(schema).read_text(encoding="utf-8")))
