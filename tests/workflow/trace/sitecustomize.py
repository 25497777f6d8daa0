"""Notes which files of the project a job opens, for a test; Python imports this at its start.

``SHAPAUDIT_TRACE`` names the folder of the notes, and ``SHAPAUDIT_TRACE_ROOT`` that of the project:
a file per process with a line for each path that is opened to be read; at the end one with the
modules that it imported, and the rule with its inputs where the process is a job's script.
"""

import atexit
import json
import os
import sys
from pathlib import Path

FOLDER = os.environ.get("SHAPAUDIT_TRACE")


def note(root, notes):
    """Write down each path below ``root`` that this process opens to read, once."""
    seen = set()

    def hook(event, arguments):
        if event != "open" or not isinstance(arguments[0], str | os.PathLike):
            return
        path, mode = os.path.abspath(arguments[0]), arguments[1] or "r"
        wanted = path.startswith(root) and set(mode) & set("r+")
        if path in seen or not wanted or os.path.isdir(path):
            return
        seen.add(path)
        os.write(notes, f"{os.path.relpath(path, root)}\n".encode())

    sys.addaudithook(hook)


def job():
    """What Snakemake has told the script of a job, {} in other processes."""
    given = getattr(sys.modules.get("__main__"), "snakemake", None)
    if given is None:
        return {}
    lists = {name: list(map(str, getattr(given, name))) for name in ("input", "output", "log")}
    return {"rule": given.rule, "code": given.params.code, "script": sys.argv[0], **lists}


def imported(root):
    """Files below ``root`` of the modules that this process has imported, by line."""
    files = (getattr(module, "__file__", None) or "" for module in list(sys.modules.values()))
    return "\n".join(os.path.relpath(file, root) for file in files if file.startswith(root))


def leave():
    """Write down at the end what the process has imported and what job it was."""
    target.with_suffix(".modules").write_text(imported(ROOT))
    target.with_suffix(".job").write_text(json.dumps(job()))


if FOLDER:
    ROOT = os.environ["SHAPAUDIT_TRACE_ROOT"] + os.sep
    target = Path(FOLDER, f"{os.getpid()}-{os.getppid()}")
    descriptor = os.open(f"{target}.paths", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    note(ROOT, descriptor)
    atexit.register(leave)
