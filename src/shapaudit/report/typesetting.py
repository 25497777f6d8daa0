"""The report as PDF: latexmk, run so that equal sources give equal bytes."""

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

ERROR = re.compile(r"^(?:!|[^\s:]+\.(?:tex|bib|sty|bbl):\d+:)")
UNDEFINED = re.compile(r"Warning: (?:Reference|Citation) [`'].* undefined.*")


class TypesettingError(RuntimeError):
    """LaTeX failed; the message holds its error lines and where the whole log is."""


def error_lines(log: str, around: int = 2) -> list[str]:
    """Errors in the log of a LaTeX run, each with a few lines after it."""
    lines = log.splitlines()
    found: list[str] = []
    for k, line in enumerate(lines):
        if ERROR.match(line):
            found += lines[k : k + 1 + around]
    return found


def undefined_names(log: str) -> list[str]:
    """Warnings of a LaTeX log about references and citations without a target."""
    return UNDEFINED.findall(log)


def typeset(
    main: str | Path, output: str | Path, folders: Sequence[str | Path], log: str | Path
) -> None:
    """Compile ``main`` from an empty build folder beside ``output``, a PDF.

    LaTeX looks for sources, figures and bibliographies in ``folders``; its log goes to ``log``. The
    date of the document is that of SOURCE_DATE_EPOCH. Raises `TypesettingError`, also for
    references and citations without a target.
    """
    output, log = Path(output), Path(log)
    build = output.parent / "build"
    shutil.rmtree(build, ignore_errors=True)
    build.mkdir(parents=True)
    log.parent.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(
        [
            "latexmk",
            "-norc",
            "-pdf",
            "-interaction=nonstopmode",
            "-halt-on-error",
            "-file-line-error",
            f"-jobname={output.stem}",
            f"-outdir={build}",
            str(main),
        ],
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
        env=_environment(folders),
    )
    trace = build / f"{output.stem}.log"
    text = trace.read_text(encoding="utf-8", errors="replace") if trace.exists() else ""
    log.write_text(done.stdout + done.stderr + text, encoding="utf-8")
    if done.returncode != 0:
        shown = error_lines(text) or (done.stdout + done.stderr).splitlines()[-15:]
        raise TypesettingError("\n".join([f"LaTeX failed; its log is {log}.", *shown]))
    if missing := undefined_names(text):
        raise TypesettingError("\n".join([f"names without a target; the log is {log}.", *missing]))
    shutil.copyfile(build / output.name, output)


def _environment(folders: Sequence[str | Path]) -> dict[str, str]:
    """The environment with the folders ahead of TeX's own; lines of logs are not wrapped."""
    path = os.pathsep.join([*(str(Path(folder).resolve()) for folder in folders), ""])
    names = dict.fromkeys(("TEXINPUTS", "BIBINPUTS", "BSTINPUTS"), path)
    return {**os.environ, **names, "FORCE_SOURCE_DATE": "1", "max_print_line": "1000"}
