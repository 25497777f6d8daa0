"""Values on record: what the code computed when it was last looked at, in ``tests/records``.

Tests beside this one derive values in a second way. A record says that a value is still the same:
whoever changes one on purpose writes the records anew (`make records`) and sees in the difference
what has changed. Long arrays are kept as their shape and four means.

Numbers are the same within `TOLERANCE`. Some algorithms amplify rounding, which processors do
differently: their records have a tolerance of their own, `MARGIN` times the spread of the values
over the linear algebra of several processors and over games rounded anew, which `make spreads`
measures (`spreads.py`) and writes into ``tests/spreads.json``.
"""

import hashlib
import json
import math
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction
from functools import cache
from numbers import Real
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).parent / "records"
SPREADS = Path(__file__).parent / "spreads.json"
REMEDY = "write the records anew with `make records`, and look at what has changed in them"
# Of rounding, which processors do differently: in Python, in LaTeX and on pages.
RESIDUE = re.compile(
    r"\d(\.\d+)?e-1\d|(\d(\.\d+)?( × |\\times))?(?<!\d)(10\^\{-1\d\}|10⁻¹[⁰¹²³⁴⁵⁶⁷⁸⁹])"
)
LARGEST = 1e300  # beyond which a number is kept as it is
LONG = 6  # parts that are kept one by one
TOLERANCE = 1e-6  # of how far apart two numbers may be, see `apart`
MARGIN = 10.0  # times the spread that was measured of a record: the tolerance of that record
UNITS = (1e-3, 1.0)  # below which numbers, and means, differ absolutely


def compare(name: str, values: Mapping[str, object], whole: str | None = None) -> None:
    """Fail unless some values by key are those on record in the file ``name``.

    They are all those on record whose keys begin with ``whole``, where that is given. Where
    SHAPAUDIT_RECORD names a folder they are written there instead.
    """
    now = {key: shortened(value) for key, value in values.items()}
    if folder := os.environ.get("SHAPAUDIT_RECORD"):
        path = Path(folder) / f"{name}.json"
        records = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        path.write_text(_lines(records | now), encoding="utf-8")
        return
    path = FOLDER / f"{name}.json"
    records, spreads = _read(path), _read(SPREADS).get(name, {})
    faults = [f"{path.name} holds no {key!r}" for key in now.keys() - records.keys()]
    lost = [key for key in records if whole and key.startswith(whole) and key not in now]
    faults += [f"{path.name} holds {key!r}, which is no more" for key in lost]
    for key in now.keys() & records.keys():
        faults += [
            f"{where}: {kept!r} on record, {other!r} now"
            for where, part, kept, other, distance in matched(records[key], now[key], key)
            if distance > max(TOLERANCE, MARGIN * spreads.get(part, 0.0))
        ]
    assert not faults, "\n".join([*sorted(faults)[:40], f"Where this is meant, {REMEDY}."])


def outcome(call: Callable, *arguments: object, **named: object) -> object:
    """What a call returns, or the error that it raises: the words of Python itself may change."""
    try:
        return call(*arguments, **named)
    except (ValueError, RuntimeError) as error:
        return f"{type(error).__name__}: {error}"
    except (
        ArithmeticError,
        AttributeError,
        LookupError,
        StopIteration,
        TypeError,
        Warning,
    ) as error:
        return type(error).__name__


def shortened(value: object, outer: bool = True) -> object:
    """A value as JSON: what holds more than a few parts as the means of its numbers and a digest
    of all else; the keys of the outermost mapping are kept."""
    if isinstance(value, Mapping) and outer:
        return {str(key): shortened(part, False) for key, part in value.items()}
    leaves = list(parts(value))
    if len(leaves) == 1 and not isinstance(value, Mapping | list | tuple | np.ndarray):
        return leaves[0]
    if len(leaves) <= LONG and not isinstance(value, Mapping):
        return leaves
    numbers = [leaf for leaf in leaves if _is_number(leaf)]
    others = [leaf for leaf in leaves if not _is_number(leaf)]
    shown = _means(np.array(numbers, dtype=np.float64)) if numbers else {}
    return shown | ({"others": _hash(others)} if others else {})


def _is_number(leaf: object) -> bool:
    return isinstance(leaf, int | float) and not isinstance(leaf, bool) and abs(leaf) < LARGEST


def parts(value: object):
    """Yield the parts of a value in their order, keys of mappings and shapes of arrays included."""
    if isinstance(value, Mapping):
        for key, part in value.items():
            yield str(key)
            yield from parts(part)
    elif isinstance(value, np.ndarray):
        yield str(value.shape)
        for entry in value.ravel().tolist():
            yield from parts(entry)
    elif isinstance(value, list | tuple):
        yield f"{len(value)} parts"
        for part in value:
            yield from parts(part)
    elif is_dataclass(value) and not isinstance(value, type):
        yield from parts({field.name: getattr(value, field.name) for field in fields(value)})
    elif isinstance(value, Fraction):
        yield str(value)
    elif isinstance(value, str):
        yield RESIDUE.sub("almost 0", value)
    elif value is None or isinstance(value, bool | int):
        yield value
    elif isinstance(value, Real):
        yield _rounded(float(value))
    else:
        yield str(value.item() if isinstance(value, np.generic) else value)


def _means(numbers: np.ndarray) -> dict:
    """Of the numbers and of their products with two waves, whose order matters; on a scale on
    which large ones do not hide the small ones."""
    places, scaled = np.arange(len(numbers)), np.arcsinh(1e3 * numbers)
    waves = (1.0, np.cos(places), np.sin(1.7 * places))
    means = [_rounded(np.mean(scaled * wave)) for wave in waves]
    return {"count": len(numbers), "means": means}


def _rounded(number: float) -> float | str:
    return float(f"{number:.10g}") if math.isfinite(number) else str(number)


def _hash(value: object) -> str:
    return "sha256 " + hashlib.sha256(json.dumps(value).encode()).hexdigest()[:16]


def matched(record: object, now: object, where: str, part: str = "", mean: bool = False):
    """Yield all that two shortened values hold, in pairs: place, part, one, other and distance.

    The part is what has one tolerance: a value, or a list or means of several.
    """
    part = part or where
    if isinstance(record, dict) and isinstance(now, dict):
        for key in sorted({*record, *now}):
            place, means = f"{where}/{key}", key == "means"
            if key in record and key in now:
                inner = part if means else place
                yield from matched(record[key], now[key], place, inner, means)
            else:
                yield place, part, record.get(key, "nothing"), now.get(key, "nothing"), math.inf
    elif isinstance(record, list) and isinstance(now, list) and len(record) == len(now):
        for place, (kept, other) in enumerate(zip(record, now, strict=True)):
            yield from matched(kept, other, f"{where}/{place}", part, mean)
    else:
        yield where, part, record, now, apart(record, now, mean)


def apart(kept: object, other: object, mean: bool) -> float:
    """How far apart two numbers are, over the larger one or over a unit if that is more.

    Infinitely far where they are not both numbers, unless they are the same.
    """
    if isinstance(kept, float) and isinstance(other, float):
        return abs(kept - other) / max(abs(kept), abs(other), UNITS[mean])
    return 0.0 if type(kept) is type(other) and kept == other else math.inf


@cache
def _read(path: Path) -> dict:
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def _lines(records: dict) -> str:
    """One line for each record, in alphabetical order."""
    lines = [f"{json.dumps(key)}: {json.dumps(records[key])}" for key in sorted(records)]
    return "{\n" + ",\n".join(lines) + "\n}\n"
