"""Files that import statements lead to, looked at anew, in this source or in one of a test."""

from shapaudit_audit import houses
from shapaudit_audit.houses import SOURCE
from shapaudit_audit.study import dependencies
from shapaudit_audit.study.dependencies import code_of, package_files


def forget():
    """Look at all files anew."""
    for name in (
        "_imports",
        "_files_of",
        "_found_by_name",
        "_file_digest",
        "_defined_names",
        "_kept",
    ):
        getattr(dependencies, name).cache_clear()
    code_of.cache_clear()


def settle(monkeypatch, source, names):
    """Let the packages of some names be those in another folder."""
    folders = {name: source / name for name in names}
    for module in (houses, dependencies):
        monkeypatch.setattr(module, "houses", lambda: folders)
    monkeypatch.setattr(dependencies, "SOURCE", source)
    monkeypatch.setattr(dependencies, "BYTECODE", source / "__pycache__")
    forget()


def names(path, *folders):
    return {file.relative_to(SOURCE).as_posix() for file in package_files(path, *folders)}
