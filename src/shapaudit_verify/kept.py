"""What a study has kept: its files with their checksums, and the random games of its evidence."""

import json
import re
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

CLAIMS = "claims/claims.json"  # of a folder of results
LARGEST = 9  # random games take integer values in -9, ..., 9
SEALED = re.compile(rb'\{"sha256": "([0-9a-f]{64})",')


class BrokenFile(ValueError):
    """A file of results that is not what the study wrote."""


class Draws(NamedTuple):
    """Random integers of a study, drawn anew from its base seed and the names of what they serve.

    A seed is the first 16 bytes, little-endian, of the SHA-256 of the base seed and, for each name,
    of a bar, i or s for its type, its length, a colon and the name.
    """

    seed: int
    study: str

    def integers(self, *names: str | int, count: int) -> list[Fraction]:
        """So many integers in -9, ..., 9."""
        drawn = self.generator(*names).integers(-LARGEST, LARGEST + 1, size=count)
        return [Fraction(x) for x in drawn.tolist()]

    def game(self, *names: str | int, players: int, number: int) -> list[Fraction]:
        """Values of all coalitions; bit j of the index says whether player j is in."""
        return self.integers(*names, "game", players, number - 1, count=1 << players)

    def generator(self, *names: str | int) -> np.random.Generator:
        """Generator of a purpose, whose seed is that of its names."""
        text = str(self.seed)
        for name in (self.study, "claims", *names):
            text += f"|{'i' if isinstance(name, int) else 's'}{len(str(name).encode())}:{name}"
        seed = int.from_bytes(sha256(text.encode()).digest()[:16], "little")
        return np.random.Generator(np.random.PCG64(seed))


def audit_in(results: Path) -> dict[str, Any]:
    """The verdicts of a study from the folder of its results.

    Raises FileNotFoundError saying what is missing and which folder to name, and `BrokenFile` for a
    file with another checksum.
    """
    path = results / CLAIMS
    if not path.is_file():
        raise FileNotFoundError(_told_of_no_audit(results))
    return read(path)


def _told_of_no_audit(results: Path) -> str:
    """Why there are no verdicts in a place, and what to do about it."""
    for folder in results.parents:
        path = folder / CLAIMS
        if path.is_file() and path.is_relative_to(results):
            return f"{results} is inside of the folder of results; name that folder ({folder})."
    if results.is_file():
        return f"{results} is a file; name the folder of results that holds {CLAIMS}."
    if not results.is_dir():
        return f"{results} does not exist; name the folder of results of a finished study."
    if (results / "study.yaml").is_file():
        return (
            f"{results} has no {CLAIMS}: a study without claims has nothing that can be checked or "
            "compared. If it has claims, finish its run first."
        )
    return (
        f"{results} has no {CLAIMS}; name the folder of results of a finished study with claims, "
        "as results/."
    )


def read(path: Path) -> dict[str, Any]:
    """A document without its checksum.

    Raises FileNotFoundError where it is missing, and `BrokenFile` where its checksum is that of
    another text.
    """
    if not path.is_file():
        raise FileNotFoundError(f"{path} is missing; finish the run of the study, or repeat it.")
    content = path.read_bytes()
    seal = SEALED.match(content)
    text = b"{" + content[seal.end() :] if seal else b""
    if seal is None or sha256(text).hexdigest() != seal[1].decode():
        raise BrokenFile(f"{path} is damaged or was edited; delete it and run the study again.")
    return json.loads(text)


def decode(value: Any) -> Any:
    """What an object of an evidence file stands for; cases and tuples are tuples, arrays lists."""
    if isinstance(value, list):
        return [decode(part) for part in value]
    if not isinstance(value, dict):
        return value
    if "$fraction" in value:
        return Fraction(value["$fraction"])
    if "$number" in value:
        return float(value["$number"])
    if "$pairs" in value:
        return {_key(decode(key)): decode(part) for key, part in value["$pairs"]}
    for tag in ("$case", "$tuple"):
        if tag in value:
            return tuple(decode(value[tag]))
    if "$array" in value:
        entries = np.empty(len(value["$array"]), dtype=object)
        entries[:] = decode(value["$array"])
        return entries.reshape(value["shape"]).tolist()
    return {key: decode(part) for key, part in value.items()}


def _key(key: Any) -> Any:
    return tuple(key) if isinstance(key, list) else key
