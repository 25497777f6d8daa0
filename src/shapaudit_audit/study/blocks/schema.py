"""The JSON schema of a configuration, and the table of its keys, from the records of its blocks."""

import ast
import inspect
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise
from typing import Any

import msgspec
from msgspec.structs import fields

from .base import Block, marked
from .study import Study

EXTENDS = {
    "description": "File of the study that this one changes, relative to this file.",
    "type": "string",
}
SINGULAR = {"explanation_studies": "study", "removal_studies": "study", "fewer": "removal"}
TITLE = ("Key", "Type", "Default", "Meaning")


@cache
def schema() -> dict[str, Any]:
    """Of a configuration, for editors and for messages that list all faults at once.

    Nothing may be null: in a file, null removes an entry of the study that it extends.
    """
    _, known = msgspec.json.schema_components([Study], ref_template="#/$defs/{name}")
    for block in _blocks(Block):
        if block.__name__ in known:
            part = known[block.__name__]
            part["required"] += sorted(marked(block, "required"))
            part.pop("title"), part.pop("description")
            for name, sentence in _sentences(block).items():
                part["properties"][name]["description"] = sentence
    top = known.pop("Study")
    top["properties"] = {"extends": EXTENDS, **top["properties"]}
    draft = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "shapaudit study"}
    return _without_null({**draft, **top, "$defs": known})


def _blocks(block: type[Block]) -> Iterator[type[Block]]:
    for below in block.__subclasses__():
        yield below
        yield from _blocks(below)


def _sentences(block: type[Block]) -> dict[str, str]:
    """The sentence below each field of a record that has one, by the field's key."""
    said: dict[str, str] = {}
    for cls in block.__mro__[: block.__mro__.index(Block)]:
        keys = {field.name: field.encode_name for field in fields(cls)}
        tree: Any = ast.parse(inspect.getsource(cls))
        for field, below in pairwise(tree.body[0].body):
            if isinstance(field, ast.AnnAssign) and isinstance(below, ast.Expr):
                name: Any = field.target
                said.setdefault(keys[name.id], " ".join(ast.literal_eval(below.value).split()))
    return said


def _without_null(part: Any) -> Any:
    """A part of a schema in which what may be left out may not be null, and an int is a number."""
    if isinstance(part, list):
        return [_without_null(inner) for inner in part]
    if not isinstance(part, Mapping):
        return part
    content = {key: _without_null(inner) for key, inner in part.items()}
    choices = [choice for choice in content.get("anyOf", []) if choice != {"type": "null"}]
    if {"type": "number"} in choices and {"type": "integer"} in choices:
        choices.remove({"type": "integer"})
    if len(choices) == 1:
        del content["anyOf"]
        content = {**choices[0], **content}
        if content.get("default", 0) is None:
            del content["default"]
    if content.get("type") == "object" and "properties" not in content:
        # In YAML a key may be a number; in JSON it is a text, which no schema needs to say.
        content["propertyNames"] = {"type": "string", **content.get("propertyNames", {})}
    return content


def keys() -> Iterator[tuple[str, str, str, str]]:
    """Dotted key, type, default and meaning of all that a configuration may say."""
    yield from _keys(schema(), "")


def _keys(block: Mapping, path: str) -> Iterator[tuple[str, str, str, str]]:
    block = _resolved(block)
    for name, part in block.get("properties", {}).items():
        part, key = _resolved(part), f"{path}{name}"
        default = "required" if name in block["required"] else _default(part)
        yield key, _type(part), default, part["description"]
        inner = part.get("additionalProperties")
        if inner and "properties" in _resolved(inner):
            yield from _keys(inner, f"{key}.<{SINGULAR.get(name, name.removesuffix('s'))}>.")
        else:
            yield from _keys(part, f"{key}.")


def _resolved(part: Mapping) -> dict[str, Any]:
    if "$ref" not in part:
        return dict(part)
    below = schema()["$defs"][part["$ref"].rpartition("/")[2]]
    return {**below, **{key: value for key, value in part.items() if key != "$ref"}}


def _default(part: Mapping) -> str:
    return f"`{msgspec.json.encode(part['default']).decode()}`" if "default" in part else "none"


def _type(part: Mapping) -> str:
    if "anyOf" in part:
        return ", or ".join(map(_type, part["anyOf"]))
    if "enum" in part:
        return f"one of {', '.join(part['enum'])}"
    return part["type"]


def table() -> str:
    """The keys as a table in Markdown."""
    rows = [(f"`{key}`", *rest) for key, *rest in keys()]
    lines = [TITLE, ("---",) * len(TITLE), *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)
