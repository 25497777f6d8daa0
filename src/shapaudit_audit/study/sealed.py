"""Results with checksums, so that a file that was damaged or edited is not read.

A JSON document is sealed in its text: it begins with the SHA-256 of what follows it,

    {"sha256": "...", "study": ...}

where what follows is read as a document of its own, beginning with a brace. Tables carry the
digest of their columns in the Parquet file (`results`), tables of games theirs beside them
(`collection_base`).
"""

import json
import re
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

SEAL = '{{"sha256": "{}",'
SEALED = re.compile(rb'\{"sha256": "([0-9a-f]{64})",')


class DamagedResult(ValueError):
    """A file of results differs from what the study wrote."""


def damaged(path: str | Path, why: object) -> DamagedResult:
    """The error that names a file, its fault, and the remedy."""
    return DamagedResult(f"{path} is damaged or was edited: {why}; delete it and run again.")


def to_sealed(text: str) -> str:
    """The text of a JSON object that is not empty, with its checksum at its beginning."""
    digest = sha256(text.encode()).hexdigest()
    return SEAL.format(digest) + text.removeprefix("{")


def write_document(path: str | Path, content: Mapping[str, Any], **style: Any) -> None:
    """Write a mapping that is not empty as sealed JSON; ``style`` is what `json.dumps` takes."""
    text = json.dumps(content, ensure_ascii=False, allow_nan=False, **style)
    Path(path).write_text(to_sealed(text + "\n"), encoding="utf-8")


def read_document(path: str | Path) -> dict[str, Any]:
    """The content of a sealed document, without its checksum.

    Raises FileNotFoundError where there is no file, and `DamagedResult` naming the file where the
    checksum is missing or does not match.
    """
    content = Path(path).read_bytes()
    seal = SEALED.match(content)
    if seal is None:
        raise damaged(path, "it does not begin with its checksum")
    text = b"{" + content[seal.end() :]
    if sha256(text).hexdigest() != seal[1].decode():
        raise damaged(path, "its checksum does not match its text")
    return json.loads(text)
