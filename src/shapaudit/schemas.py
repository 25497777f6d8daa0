"""JSON schemas: what a document breaks of one, without the seconds that the library may take."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

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
    sys.modules[ADDRESSES] = None  # Python's way to say that there is no such module
    try:
        yield
    finally:
        del sys.modules[ADDRESSES]


with without_address_grammars():
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import best_match

__all__ = ["best_match", "validator_of", "without_address_grammars"]


def validator_of(schema: str | Path) -> Draft202012Validator:
    """Validator of documents by the YAML file ``schema``."""
    return Draft202012Validator(yaml.safe_load(Path(schema).read_text(encoding="utf-8")))
