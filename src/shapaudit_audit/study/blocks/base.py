"""What all blocks of a configuration share: typed fields, each followed by its sentence.

The schema, the tables of config/README.md and the checks follow from these records (`schema`).
"""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Annotated, Any, TypeAlias, get_type_hints

import msgspec
from msgspec import Meta
from msgspec.structs import fields

# Marks of a field.
REPORT_ONLY = Meta(extra={"report_only": True})  # no result depends on it: only the report reruns
REQUIRED = Meta(extra={"required": True})  # a configuration has to give it, a job may lack it
INCREASING = Meta(extra={"increasing": True})  # a list whose every number exceeds the one before
SOME, UNIQUE = Meta(min_length=1), Meta(extra_json_schema={"uniqueItems": True})  # of a list
SOMETHING = Meta(extra_json_schema={"minProperties": 1})  # of a block that may not be empty


def named(block: str) -> Meta:
    """The mark of a field that gives names of entries of a block."""
    return Meta(extra={"names": block})


class Block(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """A block of a configuration. What may be left out has a default; None is no value at all."""


Natural: TypeAlias = Annotated[int, Meta(ge=0)]
Positive: TypeAlias = Annotated[int, Meta(ge=1)]
Several: TypeAlias = Annotated[int, Meta(ge=2)]
Number: TypeAlias = int | float
Budgets: TypeAlias = Annotated[list[Positive], SOME, INCREASING]
Counts: TypeAlias = Annotated[list[Several], SOME, INCREASING]
Name: TypeAlias = Annotated[str, Meta(pattern="^[a-z0-9][a-z0-9-]*$", max_length=80)]
# Fields of many blocks, with their sentences.
Label: TypeAlias = Annotated[
    Annotated[str, Meta(pattern="\\S", max_length=100), REPORT_ONLY, REQUIRED],
    Meta(description="Short title for figures and tables."),
]
Params: TypeAlias = Annotated[
    dict[str, Any],
    Meta(description="Parameters by name; those left out take their documented defaults."),
]
Files: TypeAlias = Annotated[
    Annotated[list[Annotated[str, SOME]], UNIQUE],
    Meta(
        description="Files or folders that its code reads, weights for instance; a change of their "
        "content runs again what depends on it."
    ),
]


class OfPaper(Block, frozen=True, kw_only=True):
    """A block that may be a part of the study of a paper."""

    paper: Annotated[Annotated[str, Meta(pattern="^[a-z0-9_]+$")] | None, REPORT_ONLY] = None
    """Key of the paper that it repeats or extends; none in a study of one's own."""


def record(block: type[Any], content: Mapping) -> Any:
    """The record of a valid block of a configuration."""
    return msgspec.convert(content, block)


def records(block: type[Any], content: Mapping[str, Mapping]) -> dict[str, Any]:
    """Records of valid blocks of a configuration, by name."""
    return {name: record(block, own) for name, own in content.items()}


def asked(value: Any) -> Any:
    """What results may depend on, in dictionaries and lists: no defaults, no marked fields."""
    if isinstance(value, Block):
        return {
            field.encode_name: asked(getattr(value, field.name))
            for field in fields(value)
            if field.name not in marked(type(value), "report_only")
            and not _is_default(value, field)
        }
    if isinstance(value, Mapping):
        return {key: asked(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [asked(inner) for inner in value]
    return value


@cache
def marked(block: type[Block], mark: str) -> dict[str, Any]:
    """Fields of a record that have a mark, and what it says of them."""
    hints = get_type_hints(block, include_extras=True)
    return {
        name: meta.extra[mark]
        for name, hint in hints.items()
        for meta in getattr(hint, "__metadata__", ())
        if mark in (meta.extra or ())
    }


def references(block: Block) -> Iterator[tuple[str, str]]:
    """Names that a record gives, each after the block whose entries have them."""
    for field, names in marked(type(block), "names").items():
        given = getattr(block, field)
        yield from ((names, name) for name in ([given] if isinstance(given, str) else given or ()))


def label_of(block: Block) -> str:
    """The label of a block; empty where it has none."""
    return getattr(block, "label", "")


def _is_default(value: Block, field: Any) -> bool:
    content = getattr(value, field.name)
    if field.default_factory is not msgspec.NODEFAULT:
        return content == field.default_factory()
    return content == field.default
