"""The report and its supplement as PDF: latexmk, run so that equal sources give equal bytes."""

import os
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

ERROR = re.compile(r"^(?:!|[^\s:]+\.(?:tex|bib|sty|bbl):\d+:)")
UNDEFINED = re.compile(r"Warning: (?:Reference|Citation) [`'].* undefined.*")
ROUNDS = 4  # of building documents that refer to each other


class TypesettingError(RuntimeError):
    """LaTeX failed; the message holds its error lines and where the whole log is."""


def error_lines(log: str, around: int = 2) -> list[str]:
    """Errors in the log of a LaTeX run, each with a few lines after it."""
    lines = log.splitlines()
    errors: list[str] = []
    for k, line in enumerate(lines):
        if ERROR.match(line):
            errors += lines[k : k + 1 + around]
    return errors


def undefined_names(log: str) -> list[str]:
    """Warnings of a LaTeX log about references and citations without a target."""
    return UNDEFINED.findall(log)


def typeset(documents: Mapping[Path, Path], folders: Sequence[str | Path], log: str | Path) -> None:
    """Compile documents that refer to each other: PDFs to write, each with its source.

    They are built in one empty folder beside the first, each again as long as labels of the others
    are not those that it was built with. LaTeX looks for sources, figures and bibliographies in
    ``folders``; what it says at last goes to ``log``. The date of a document is that of
    SOURCE_DATE_EPOCH. Raises `TypesettingError`, also for references and citations without a
    target.
    """
    build = next(iter(documents)).parent / "build"
    shutil.rmtree(build, ignore_errors=True)
    build.mkdir(parents=True)
    log = Path(log)
    log.parent.mkdir(parents=True, exist_ok=True)
    environment = _environment([*folders, build])
    logs: dict[Path, str] = {}
    known: dict[Path, str] = {}  # labels of the others when a document was built
    for _ in range(ROUNDS):
        for output, source in documents.items():
            others = "".join(_labels(build, other) for other in documents if other != output)
            if known.get(output) != others:
                known[output] = others
                logs[output] = _run(source, build, output.stem, environment, log)
    log.write_text("\n".join(logs.values()), encoding="utf-8")
    if missing := undefined_names("\n".join(logs.values())):
        raise TypesettingError("\n".join([f"names without a target; the log is {log}.", *missing]))
    for output in documents:
        shutil.copyfile(build / output.name, output)


def _labels(build: Path, output: Path) -> str:
    """What a document says to others, as LaTeX has noted it; nothing before it is built."""
    notes = build / f"{output.stem}.aux"
    lines = notes.read_text(encoding="utf-8").splitlines() if notes.exists() else []
    return "\n".join(line for line in lines if line.startswith(r"\newlabel"))


def _run(source: Path, build: Path, name: str, environment: Mapping[str, str], log: Path) -> str:
    """The log of LaTeX's last run on a document, built again even where its source is the same."""
    done = subprocess.run(
        [
            "latexmk",
            "-norc",
            "-g",
            "-pdf",
            "-interaction=nonstopmode",
            "-halt-on-error",
            "-file-line-error",
            f"-jobname={name}",
            f"-outdir={build}",
            str(source),
        ],
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
        env=environment,
    )
    said = done.stdout + done.stderr
    trace = build / f"{name}.log"
    text = trace.read_text(encoding="utf-8", errors="replace") if trace.exists() else ""
    if done.returncode != 0:
        log.write_text(said + text, encoding="utf-8")
        shown = error_lines(text) or said.splitlines()[-15:]
        raise TypesettingError("\n".join([f"LaTeX failed; its log is {log}.", *shown]))
    return text


def _environment(folders: Sequence[str | Path]) -> dict[str, str]:
    """The environment with the folders ahead of TeX's own; lines of logs are not wrapped."""
    path = os.pathsep.join([*(str(Path(folder).resolve()) for folder in folders), ""])
    names = dict.fromkeys(("TEXINPUTS", "BIBINPUTS", "BSTINPUTS"), path)
    return {**os.environ, **names, "FORCE_SOURCE_DATE": "1", "max_print_line": "1000"}
