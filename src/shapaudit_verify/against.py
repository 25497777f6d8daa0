"""Two runs of a study compared: the archived one, a crate, and another machine's."""

import json
import math
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from .kept import CLAIMS, BrokenFile, audit_in, read

METADATA = "ro-crate-metadata.json"
PROVENANCE = "provenance.json"
PRECISION = 1e-6  # of numbers that state no limits, relative to the larger of 1 and their size
JUDGED = ("status", "consequence")


def compare(results: Path, crate: Path) -> dict[str, Any]:
    """What two runs agree on and what differs, by claim.

    Verdicts must be the same. An estimate with limits agrees where its limits overlap those of the
    archived run; every other number within `PRECISION`. ``files`` are the archived files
    that no longer have the checksum of the crate, of which nothing may be concluded.

    Raises FileNotFoundError where one has no verdicts or the second is no archived run, and
    `BrokenFile` where the description of the crate is damaged or says no checksum of a file that is
    compared.
    """
    ours, theirs = (_claims(folder) for folder in (results, crate))
    damaged = _damaged(crate)
    shared = [name for name in theirs if name in ours]
    verdicts = {name: line for name in shared if (line := _verdict(ours[name], theirs[name]))}
    numbers = {name: lines for name in shared if (lines := _numbers(ours[name], theirs[name]))}
    return {
        "files": damaged,
        "machines": {"ours": _machine(results), "archived": _machine(crate)},
        "missing": [name for name in theirs if name not in ours],
        "new": [name for name in ours if name not in theirs],
        "verdicts": verdicts,
        "numbers": numbers,
        "agree": len(set(shared) - set(verdicts) - set(numbers)),
    }


def differs(found: Mapping[str, Any]) -> bool:
    """Whether anything but the machine is another."""
    return any(found[part] for part in ("files", "missing", "new", "verdicts", "numbers"))


def told(found: Mapping[str, Any]) -> Iterator[str]:
    """The comparison, line by line."""
    for whose, machine in found["machines"].items():
        yield f"{whose}: {machine}"
    for name in found["files"]:
        yield f"{name}: not the file that was archived"
    for part, words in (("missing", "not judged here"), ("new", "not in the archive")):
        for name in found[part]:
            yield f"{name}: {words}"
    for name, line in found["verdicts"].items():
        yield f"{name}: {line}"
    for name, lines in found["numbers"].items():
        for line in lines:
            yield f"{name}: {line}"
    yield (
        f"{found['agree']} claims agree, {len(found['verdicts'])} have another verdict, "
        f"{len(found['numbers'])} other numbers"
    )


def _claims(folder: Path) -> dict[str, Any]:
    return {claim["id"]: claim for claim in audit_in(folder)["claims"]}


def _machine(folder: Path) -> str:
    made = read(folder / PROVENANCE)
    packages = ", ".join(f"{name} {version}" for name, version in made["packages"].items())
    return (
        f"{made['processor']}, {made['system']}, Python {made['python']}, {packages}, "
        f"commit {made['git']['commit']}"
    )


def _damaged(crate: Path) -> list[str]:
    """Files of a crate that are missing or have another checksum than it says."""
    wanted = _checksums(crate)
    return [name for name, digest in wanted.items() if _digest(crate / name) != digest]


def _checksums(crate: Path) -> dict[str, str]:
    """SHA-256 of the files of a crate by their names, as its description has them.

    What is compared must be among them, or nothing says that it is what was archived.
    """
    path = crate / METADATA
    if not path.is_file():
        raise FileNotFoundError(
            f"{crate} is no archived run, for it has no {METADATA}; name the folder of a crate."
        )
    try:
        listed = dict(_listed(json.loads(path.read_text(encoding="utf-8"))["@graph"]))
    except (ValueError, KeyError, TypeError) as error:
        raise BrokenFile(
            f"{path} is no description of a crate ({error!r}); fetch the archived run again."
        ) from error
    if lacking := [name for name in (CLAIMS, PROVENANCE) if name not in listed]:
        raise BrokenFile(
            f"{path} has no checksum of {' and '.join(lacking)}, so that nothing says what was "
            "archived; fetch the archived run again, or name the folder of another."
        )
    return listed


def _listed(graph: Any) -> Iterator[tuple[str, str]]:
    """Name and checksum of each file in a crate; raises TypeError for what is no graph."""
    if not isinstance(graph, list):
        raise TypeError("its @graph is no list")
    for entity in graph:
        if not isinstance(entity, dict) or not isinstance(entity.get("@id"), str):
            raise TypeError(f"{entity!r:.60} in its @graph is no entity with an @id")
        name, digest = unquote(entity["@id"]), entity.get("sha256")
        if not isinstance(digest, str | None):
            raise TypeError(f"the sha256 of {name} is {digest!r:.60}")
        if digest is not None and "://" not in name:
            yield name.removeprefix("./"), digest


def _digest(path: Path) -> str | None:
    return sha256(path.read_bytes()).hexdigest() if path.is_file() else None


def _verdict(ours: Mapping[str, Any], theirs: Mapping[str, Any]) -> str:
    changed = [key for key in JUDGED if ours[key] != theirs[key]]
    lines = [f"{key} {ours[key]}, archived {theirs[key]}" for key in changed]
    mine, other = (
        claim["setting"]["status"] if claim["setting"] else None for claim in (ours, theirs)
    )
    if mine != other:
        lines.append(f"in its setting {mine}, archived {other}")
    return "; ".join(lines)


def _numbers(ours: Mapping[str, Any], theirs: Mapping[str, Any]) -> list[str]:
    """Differences of the numbers; where a claim is statistical they are judged by its limits."""
    mine, other = ({limit["name"]: limit for limit in claim["limits"]} for claim in (ours, theirs))
    lines = [f"limits of {name} are in one run only" for name in sorted({*mine} ^ {*other})]
    for name in (name for name in other if name in mine):
        if not _overlap(mine[name], other[name]):
            lines.append(f"{name} is {_range(mine[name])}, archived {_range(other[name])}")
    if theirs["statistical"]:
        return lines
    for name in dict.fromkeys([*theirs["numbers"], *ours["numbers"]]):
        pair = ours["numbers"].get(name), theirs["numbers"].get(name)
        if not _same(*pair):
            lines.append(f"{name} is {pair[0]}, archived {pair[1]}")
    return lines


def _overlap(ours: Mapping[str, float], theirs: Mapping[str, float]) -> bool:
    bounds = [limit[end] for limit in (ours, theirs) for end in ("low", "high")]
    if not all(isinstance(bound, int | float) for bound in bounds):
        return all(ours[end] == theirs[end] for end in ("low", "high"))
    slack = PRECISION * max(1.0, *map(abs, (bound for bound in bounds if math.isfinite(bound))), 0)
    return ours["low"] <= theirs["high"] + slack and theirs["low"] <= ours["high"] + slack


def _range(limit: Mapping[str, Any]) -> str:
    return f"{limit['estimate']} ({limit['low']} to {limit['high']})"


def _same(ours: Any, theirs: Any) -> bool:
    if isinstance(ours, float) or isinstance(theirs, float):
        if not all(isinstance(number, int | float) for number in (ours, theirs)):
            return False
        return math.isclose(ours, theirs, rel_tol=PRECISION, abs_tol=PRECISION)
    return ours == theirs
