"""Files in a folder that the user names: those of the user are never overwritten."""

import hashlib
import json
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

MARKER = "shapaudit.json"


class FolderError(OSError):
    """A folder to which nothing can be written, or a file in it that must not be overwritten."""


class OwnFolder:
    """A folder for results, which may hold files of the user.

    The file `MARKER` in it lists the files that were written, with their SHA-256. A file that is
    not listed, or has been changed since, is never overwritten.
    """

    def __init__(self, folder: str | Path):
        self._folder = Path(folder)

    def check(self, names: Iterable[str]) -> None:
        """Create the folder, and raise `FolderError` where `write` would fail for files ``names``.

        That is: a folder that cannot be written to, and a file that is not one of ours.
        """
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=self._folder):
                pass
        except OSError as error:
            raise FolderError(
                f"{self._folder} cannot be written to ({error.strerror}); name another folder"
            ) from error
        known = self._known()
        for name in names:
            path = self._folder / name
            there = path.exists() or path.is_symlink()
            if there and not (path.is_file() and _digest(path.read_bytes()) in known.get(name, [])):
                what = "has been changed since" if name in known else "was not written by"
                raise FolderError(
                    f"{path} {what} shapaudit{' wrote it' if name in known else ''}, and is not "
                    "overwritten; move it, or name another folder"
                )

    def write(self, contents: Mapping[str, str]) -> None:
        """Write files by their names; raises `FolderError` as `check` does, before any is written.

        The list comes first, with the digests before and after, so that an interruption between
        two files leaves none that is not recognised.
        """
        self.check(contents)
        encoded = {name: text.encode() for name, text in contents.items()}
        known = self._known()
        for name, content in encoded.items():
            path = self._folder / name
            before = [_digest(path.read_bytes())] if path.exists() else []
            known[name] = sorted({*before, _digest(content)})
        listed = json.dumps({"program": "shapaudit", "files": known}, indent=1, sort_keys=True)
        (self._folder / MARKER).write_text(listed + "\n", encoding="utf-8")
        for name, content in encoded.items():
            (self._folder / name).write_bytes(content)

    def _known(self) -> dict[str, list[str]]:
        """SHA-256 of the files that were written, by name."""
        path = self._folder / MARKER
        if not path.exists():
            return {}
        content = _mapping(path)
        files = content.get("files")
        if content.get("program") != "shapaudit" or not isinstance(files, dict):
            raise FolderError(f"{path} was not written by shapaudit; name another folder")
        return files


def check_manifest(
    directory: Path, manifest: str, keys: Iterable[str], others: Iterable[str]
) -> None:
    """Raise `FolderError` where saving something would overwrite files that are not ours.

    What was saved before is recognised by its manifest, a JSON object with some ``keys``. Without
    it neither the manifest nor the ``others`` may exist.
    """
    if {*keys} <= _mapping(directory / manifest).keys():
        return
    for name in (manifest, *others):
        if (path := directory / name).exists():
            raise FolderError(
                f"{path} was not written by shapaudit, and is not overwritten; name another folder"
            )


def _mapping(path: Path) -> dict[str, object]:
    """The object of a JSON file; empty where there is none."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return content if isinstance(content, dict) else {}


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
