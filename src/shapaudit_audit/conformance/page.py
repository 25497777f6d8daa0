"""The page of a record, in Markdown."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from string import Template

from .case import QUESTIONS
from .judge import CRASHED, REFUSED, WRONG
from .record import Record, shown

TEMPLATE = Path(__file__).parent / "page.md"
MEANING = {
    "interventional": "Absent columns have the entries of background rows",
    "path-dependent": "Splits on absent columns are averaged, by the rows of their branches",
}


def page(record: Record) -> str:
    """The whole page: the template, with tables and lists of the record."""
    made_with = record.made_with
    versions = ", ".join(f"{name} {version}" for name, version in made_with["versions"].items())
    cases = {(row["family"], row["case"]) for row in record.rows}
    return Template(TEMPLATE.read_text(encoding="utf-8")).substitute(
        cases=len(cases),
        adapters=len({row["adapter"] for row in record.rows}),
        date=made_with["date"],
        versions=versions,
        matrices="\n\n".join(
            _matrix(record, question) for question in QUESTIONS if record.adapters(question)
        ),
        faults="\n\n".join(_faults(record)) or "There are none.",
        refused="\n".join(_cells(record.of(REFUSED))) or "There are none.",
        crashed="\n".join(_cells(record.of(CRASHED))) or "There are none.",
        conventions="\n".join(_conventions(record)) or "There are none.",
        absent="\n".join(f"- **{name}**: {why}" for name, why in made_with["absent"].items())
        or "There are none.",
    )


def _matrix(record: Record, question: str) -> str:
    families = record.families(question)
    head = ["Package", "All", *families]
    lines = [head, [":---"] * len(head)]
    for row, counts in record.matrix(question):
        lines.append([_named(row), *map(shown, counts)])
    table = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    return f"### {question.capitalize()} values\n\n{MEANING[question]}.\n\n{table}"


def _named(row: Mapping[str, str]) -> str:
    return f"{row['label']} {row['version']}".strip()


def _faults(record: Record) -> list[str]:
    """Each fault with its script and the cells that it explains, and then cells without one."""
    wrong, parts = record.of(WRONG), []
    for fault in record.faults:
        cells = [row for row in wrong if fault.explains(row)]
        if cells:
            body = [f"### {fault.title}", fault.text, f"```python\n{fault.code}\n```"]
            parts.append("\n\n".join([*filter(None, body), "\n".join(_cells(cells))]))
    others = [row for row in wrong if not any(fault.explains(row) for fault in record.faults)]
    if others:
        parts.append("### Without a script of its own\n\n" + "\n".join(_cells(others)))
    return parts


def _cells(rows: Sequence[Mapping[str, str]]) -> list[str]:
    """A line per adapter and error or message."""
    lines: dict[tuple[str, str], list[str]] = {}
    for row in rows:
        lines.setdefault((_named(row), _message(row)), []).append(f"{row['family']}: {row['case']}")
    return [
        f"- **{label}**: {'; '.join(cases)}{f' (`{message}`)' if message else ''}"
        for (label, message), cases in lines.items()
    ]


def _message(row: Mapping[str, str]) -> str:
    if row["verdict"] == WRONG:
        return ""
    return row["message"].replace("`", "'")[:160]


def _conventions(record: Record) -> list[str]:
    """Where another output than the first one was explained."""
    lines: dict[tuple[str, str, str], list[str]] = {}
    for row in record.rows:
        if row["convention"]:
            key = row["family"], row["case"], row["convention"]
            lines.setdefault(key, []).append(row["label"])
    return [
        f"- {family}: {case}: {convention} ({', '.join(labels)})"
        for (family, case, convention), labels in lines.items()
    ]
