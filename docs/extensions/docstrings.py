"""Docstrings as this package writes them, handed to Napoleon as it reads them.

Here an argument is "name : what it is", and the type stands in the signature. Napoleon would take
the words for a type. It also reads on until the next heading, where here a paragraph ends the list.
"""

import re

SECTIONS = ("Attributes", "Parameters")
ENTRY = re.compile(r"^(\s*)(\w+(?:, \w+)*) : (.*)$")


def with_descriptions(lines: list[str]) -> list[str]:
    """Lines in which what an argument is stands below its name."""
    found, inside = [], False
    for before, line, after in zip(["", *lines[:-1]], lines, [*lines[1:], ""], strict=True):
        heading = set(after.strip()) == {"-"}
        entry = ENTRY.match(line)
        if heading:
            inside = line.strip() in SECTIONS
            found.append(line)
        elif inside and entry:
            margin, name, text = entry.groups()
            found += [f"{margin}{name}", f"{margin}    {text}"]
        elif inside and line and not before and not line.startswith(" "):
            found += ["", line]  # two empty lines end a list
            inside = False
        else:
            found.append(line)
    return found


def without_marks(line: str) -> str:
    """The line, with those signs escaped that reStructuredText takes for marks: |S|, a*, x_."""
    return re.sub(r"(?<![\\*`])([|*])(?![*`])", r"\\\1", line)


def rewrite(app, what, name, thing, options, lines: list[str]) -> None:
    """Handler of `autodoc-process-docstring`, before that of Napoleon."""
    lines[:] = map(without_marks, with_descriptions(lines))
    if what in ("attribute", "property"):
        lines.insert(0, "")  # or words before a colon would be its type


def setup(app) -> dict[str, bool]:
    """Register the handler ahead of Napoleon's, which has the priority 500."""
    app.connect("autodoc-process-docstring", rewrite, priority=400)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
