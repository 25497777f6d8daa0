"""How far the values on record spread with rounding: writes ``tests/spreads.json``.

The tests that compare values with records are run with the linear algebra of several processors,
without NumPy's vector instructions, and with the values of all games multiplied by 1 + 1e-15 and so
on, of which a stable algorithm makes no more. What is furthest from its record is kept where
`recorded.MARGIN` times that is more than the tolerance of all records. A spread that is not of
digits is printed, and none is written: a choice depends on rounding then.
"""

import json
import math
import os
import subprocess
import sys
import tempfile
from decimal import ROUND_UP, Context
from pathlib import Path

from recorded import FOLDER, MARGIN, SPREADS, TOLERANCE, matched

TESTS = Path(__file__).parent
CORES = ("Prescott", "Nehalem", "Sandybridge", "Haswell", "SkylakeX")
PRODUCT = "import numpy, rounding; a = numpy.ones((99, 99)); a @ a; exit(rounding.set_up() or 0)"
SCALAR = {
    "OPENBLAS_CORETYPE": "Prescott",
    "NPY_DISABLE_CPU_FEATURES": "X86_V3 X86_V4 AVX512_ICL AVX512_SPR",
}
DIGESTS = {"told"}  # files of digests, which are the same or not
SIZES = (1e-15, -1e-15, 1e-14, -1e-14)  # relative


def variants() -> dict[str, dict[str, str]]:
    """Environments by name: of the processors whose instructions this one has, and of rounding."""
    cores = {core: {"OPENBLAS_CORETYPE": core} for core in CORES}
    usable = {
        name: variables
        for name, variables in cores.items()
        if _run([sys.executable, "-c", PRODUCT], variables)
    }
    print("Of the processors", *CORES, "this one has the instructions of", *usable)
    if "Prescott" in usable:
        usable["without vectors"] = SCALAR
    return usable | {f"rounded by {size}": {"SHAPAUDIT_ROUNDING": str(size)} for size in SIZES}


def _run(command: list[str], variables: dict[str, str]) -> bool:
    environment = os.environ | {"PYTHONPATH": f"{TESTS.parent / 'src'}:{TESTS}"} | variables
    return subprocess.run(command, env=environment, check=False).returncode == 0


def recorded_anew(tests: list[str], variables: dict[str, str]) -> dict[str, dict]:
    """The records by file and key that the tests write in such an environment."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pytest", "-q", *tests, "-k", "records or on_record"]
        if not _run(command, variables | {"SHAPAUDIT_RECORD": folder}):
            sys.exit(f"tests fail with {variables}.")
        files = [path for path in Path(folder).glob("*.json") if path.stem not in DIGESTS]
        return {path.stem: json.loads(path.read_text()) for path in files}


def spread(by_file: dict[str, dict], spreads: dict[str, dict[str, float]]) -> list[str]:
    """Widen the spreads by file and part; returns where more than digits differ."""
    faults = []
    for name, records in by_file.items():
        kept = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
        own = spreads.setdefault(name, {})
        for key in records.keys() & kept.keys():
            for where, part, before, other, distance in matched(kept[key], records[key], key):
                if math.isinf(distance):
                    faults.append(f"{name}: {where}: {before!r} on record, {other!r} now")
                else:
                    own[part] = max(own.get(part, 0.0), distance)
    return faults


def main(tests: list[str]) -> None:
    """Run the tests in all environments and write what was found."""
    spreads, faults = {}, []
    for name, variables in variants().items():
        wider = spread(recorded_anew(tests, variables), spreads)
        faults += [f"{name}: {fault}" for fault in wider]
    if faults:
        sys.exit("\n".join(faults))
    SPREADS.write_text(json.dumps(joined(spreads), indent=1, ensure_ascii=False) + "\n")


def joined(spreads: dict[str, dict[str, float]]) -> dict[str, dict[str, float]]:
    """The spreads that matter, with those on file of records that these tests do not compare."""
    every = json.loads(SPREADS.read_text()) if SPREADS.exists() else {}
    for name, own in spreads.items():
        every[name] = every.get(name, {}) | own
    wide = {
        name: {part: _up(own[part]) for part in sorted(own) if MARGIN * own[part] > TOLERANCE}
        for name, own in sorted(every.items())
    }
    return {name: own for name, own in wide.items() if own}


def _up(number: float) -> float:
    """A number rounded up to one digit."""
    return float(Context(prec=1, rounding=ROUND_UP).create_decimal(repr(number)))


if __name__ == "__main__":
    main(sys.argv[1:])
