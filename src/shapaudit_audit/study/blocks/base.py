"""What all blocks of a configuration share: typed fields, each with its limits and its sentence.

The schema, the tables of config/README.md and the checks follow from these records (`schema`).
"""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Annotated, Any, TypeAlias, get_type_hints

import msgspec
from msgspec import Meta
from msgspec.structs import fields

REPORT_ONLY, REQUIRED, NAMES = "report_only", "required", "names"  # marks of a field


def says(
    description: str,
    *,
    unique: bool = False,
    report_only: bool = False,
    required: bool = False,
    names: str | None = None,
    **limits: Any,
) -> Meta:
    """The sentence on a field, and its ``limits`` as `msgspec.Meta` names them.

    ``report_only`` marks what no result depends on, so that changing it reruns the report alone.
    ``required`` marks a field that a configuration has to give and that a job may lack. ``names``
    is the block in whose entries the names that it gives are.
    """
    given = {REPORT_ONLY: report_only, REQUIRED: required, NAMES: names}
    marks = {mark: value for mark, value in given.items() if value}
    schema = {"uniqueItems": True} if unique else None
    return Meta(description=description, extra=marks, extra_json_schema=schema, **limits)


class Block(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """A block of a configuration. What may be left out has a default; None is no value at all."""


SOMETHING = Meta(extra_json_schema={"minProperties": 1})  # of a block that may not be empty

Natural: TypeAlias = Annotated[int, Meta(ge=0)]
Positive: TypeAlias = Annotated[int, Meta(ge=1)]
Several: TypeAlias = Annotated[int, Meta(ge=2)]
Name: TypeAlias = Annotated[str, Meta(pattern="^[a-z0-9][a-z0-9-]*$", max_length=80)]
Label: TypeAlias = Annotated[
    str,
    says(
        "Short title for figures and tables.",
        report_only=True,
        required=True,
        pattern="\\S",
        max_length=100,
    ),
]
Paper: TypeAlias = Annotated[
    Annotated[str, Meta(pattern="^[a-z0-9_]+$")] | None,
    says(
        "Key of the paper that it repeats or extends; none in a study of one's own.",
        report_only=True,
    ),
]
Params: TypeAlias = Annotated[
    dict[str, Any],
    says("Parameters by name; those left out take their documented defaults."),
]
Files: TypeAlias = Annotated[
    list[Annotated[str, Meta(min_length=1)]],
    says(
        "Files or folders that its code reads, weights for instance; a change of their content "
        "runs again what depends on it.",
        unique=True,
    ),
]
Number: TypeAlias = int | float
Budgets: TypeAlias = Annotated[list[Positive], Meta(min_length=1)]
Counts: TypeAlias = Annotated[list[Several], Meta(min_length=1)]


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
            if field.name not in marked(type(value), REPORT_ONLY) and not _is_default(value, field)
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
    for field, names in marked(type(block), NAMES).items():
        given = getattr(block, field)
        yield from ((names, name) for name in ([given] if isinstance(given, str) else given or ()))


def _is_default(value: Block, field: Any) -> bool:
    content = getattr(value, field.name)
    if field.default_factory is not msgspec.NODEFAULT:
        return content == field.default_factory()
    return content == field.default
