"""Evidence: results that were computed for a claim and saved, so that it can be judged again.

A file is plain JSON. A value that JSON cannot express is an object with a key that begins with a
dollar sign: ``{"$fraction": "1/3"}``, ``{"$tuple": [...]}``, ``{"$case": [label, left, right]}``,
``{"$number": "nan"}``, ``{"$array": [entries], "dtype": "float64", "shape": [2, 3]}``,
``{"$pairs": [[key, value], ...]}`` for a mapping whose keys are not texts.
"""

import inspect
import math
import sys
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from importlib import import_module
from numbers import Integral, Real
from pathlib import Path
from pkgutil import walk_packages
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from shapaudit.progress import progress

from ..schemas import schema_file
from ..schemas.validation import best_match, validator_of
from ..study.sealed import damaged, read_document, write_document

Evidence = dict[str, Any]
Gather = Callable[..., Evidence]

SCHEMA_VERSION = 1
PREFIX = "gather"  # of the names of functions whose results are saved
SAMPLED = "sampled"  # attribute that marks a function whose evidence rests on a sample


class EvidenceError(RuntimeError):
    """Evidence that cannot be gathered, saved, or read back."""


class Case(NamedTuple):
    """An instance of an identity: a label, and the two sides."""

    label: str
    left: Fraction
    right: Fraction


def sampled(gather: Gather) -> Gather:
    """Mark a function whose evidence rests on a random sample: a repetition gathers it anew."""
    setattr(gather, SAMPLED, True)
    return gather


def is_sampled(gather: Gather) -> bool:
    """Whether a function is marked by `sampled`."""
    return getattr(gather, SAMPLED, False)


def key_of(gather: Gather) -> str:
    """Name of a piece of evidence: module below the paper's ``evidence`` package, and function."""
    module = gather.__module__.partition(".evidence.")[2]
    return ".".join(filter(None, (module, gather.__name__)))


def paper_of(gather: Gather) -> str:
    """Key of the paper whose evidence a function gathers; its package may have another name."""
    package, inside, _ = gather.__module__.partition(".evidence")
    paper = getattr(sys.modules.get(package), "PAPER", None) if inside else None
    return package.rpartition(".")[2] if paper is None else paper.key


def modules_in(package: str) -> Iterator[ModuleType]:
    """Modules of a package by its dotted name, at any depth, in alphabetical order."""
    root = import_module(package)
    yield root
    for name in sorted(module.name for module in walk_packages(root.__path__, f"{package}.")):
        yield import_module(name)


def evidence_in(package: str) -> dict[str, Gather]:
    """Functions by key that gather the evidence of a paper's package.

    Their names begin with `PREFIX`; they need not be registered.
    """
    return {
        key_of(function): function
        for module in modules_in(f"{package}.evidence")
        for name, function in inspect.getmembers(module, inspect.isfunction)
        if name.startswith(PREFIX) and function.__module__ == module.__name__
    }


def gather_all(functions: Mapping[str, Gather], context: Any, label: str) -> dict[str, Evidence]:
    """The results of gather functions by key; raises `EvidenceError` naming a function that fails.

    ``label`` names them in the progress of the log.
    """
    pieces = {}
    for key, gather in progress(list(functions.items()), label, "pieces of evidence"):
        try:
            pieces[key] = gather(context)
        except Exception as error:
            raise EvidenceError(f"evidence {label}/{key}: {error}") from error
    return pieces


def encode(value: Any) -> Any:
    """A value as JSON holds it; raises `EvidenceError` for a value of an unknown type."""
    if value is None or isinstance(value, str | bool | np.bool_):
        return bool(value) if isinstance(value, np.bool_) else value
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Fraction):
        return {"$fraction": str(value)}
    if isinstance(value, Real):
        number = float(value)
        return number if math.isfinite(number) else {"$number": str(number)}
    if isinstance(value, Case):
        return {"$case": [encode(part) for part in value]}
    if isinstance(value, np.ndarray):
        return _encode_array(value)
    if type(value) is tuple:  # a named tuple would be read back without its names
        return {"$tuple": [encode(part) for part in value]}
    if isinstance(value, list):
        return [encode(part) for part in value]
    if isinstance(value, Mapping):
        if all(isinstance(key, str) and not key.startswith("$") for key in value):
            return {key: encode(part) for key, part in value.items()}
        return {"$pairs": [[encode(key), encode(part)] for key, part in value.items()]}
    raise EvidenceError(
        f"evidence holds a {type(value).__name__}; numbers, texts, fractions, cases, arrays, and "
        "lists, tuples and mappings of these can be kept."
    )


def _encode_array(array: np.ndarray) -> dict:
    if array.dtype.kind not in "biufO":
        raise EvidenceError(
            f"evidence holds an array of {array.dtype.name}; arrays of real numbers, of truth "
            "values and of objects can be kept."
        )
    entries = array.tolist()
    if array.dtype == object or not np.isfinite(array).all():
        entries = [encode(entry) for entry in array.ravel().tolist()]
    elif array.ndim != 1:
        entries = array.ravel().tolist()
    return {"$array": entries, "dtype": array.dtype.name, "shape": list(array.shape)}


def decode(value: Any) -> Any:
    """The value that `encode` has turned into JSON."""
    if isinstance(value, list):
        return [decode(part) for part in value]
    if not isinstance(value, dict):
        return value
    tag = next((key for key in value if key.startswith("$")), None)
    if tag is None:
        return {key: decode(part) for key, part in value.items()}
    return _DECODERS[tag](value[tag], value)


def _decode_array(entries: list, whole: dict) -> np.ndarray:
    if whole["dtype"] == "object" or any(isinstance(entry, dict) for entry in entries):
        entries = [decode(entry) for entry in entries]
    array = np.empty(len(entries), dtype=whole["dtype"])
    array[:] = entries
    return array.reshape(whole["shape"])


_DECODERS: dict[str, Callable[[Any, dict], Any]] = {
    "$fraction": lambda text, _: Fraction(text),
    "$number": lambda text, _: float(text),
    "$case": lambda parts, _: Case(*map(decode, parts)),
    "$tuple": lambda parts, _: tuple(map(decode, parts)),
    "$pairs": lambda pairs, _: {decode(key): decode(part) for key, part in pairs},
    "$array": _decode_array,
}


def write_evidence(
    path: str | Path,
    paper: str,
    study: str,
    seed: int,
    gathered: Mapping[str, Evidence],
    schema: str | Path,
) -> None:
    """Check the evidence ``gathered`` for a paper, by key, against a YAML schema and write it."""
    pieces = {}
    for key, piece in gathered.items():
        try:
            pieces[key] = encode(piece)
        except EvidenceError as error:
            raise EvidenceError(f"evidence {paper}/{key}: {error}") from error
    content = {
        "schema": SCHEMA_VERSION,
        "study": study,
        "seed": seed,
        "paper": paper,
        "pieces": pieces,
    }
    if fault := best_match(validator_of(schema).iter_errors(content)):
        raise EvidenceError(f"{Path(path).name}: {fault.json_path}: {fault.message}")
    write_document(path, content, separators=(",", ":"))


def read_pieces(path: str | Path) -> dict[str, Any]:
    """The pieces in a file, encoded; raises `DamagedResult` where it is not as it was written."""
    content = read_document(path)
    if fault := best_match(validator_of(schema_file("evidence")).iter_errors(content)):
        raise damaged(path, f"{fault.json_path}: {fault.message.rstrip('.')}")
    return content["pieces"]


class KeptEvidence:
    """Evidence of several papers, read from their files; a piece is decoded when it is used."""

    def __init__(self, files: Mapping[str, str | Path]):
        self._pieces = {paper: read_pieces(path) for paper, path in files.items()}

    def of(self, gather: Gather) -> Evidence:
        """The evidence of a gather function; raises `EvidenceError` where the file lacks it."""
        paper, key = paper_of(gather), key_of(gather)
        try:
            return decode(self._pieces[paper][key])
        except KeyError:
            raise EvidenceError(
                f"there is no evidence {paper}/{key}; delete the evidence of {paper} and run again."
            ) from None
