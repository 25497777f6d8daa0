"""Why jobs run again, in plain words, from the reasons that Snakemake gives.

The parameters of a rule are dictionaries: one from the modules and files that a job runs to
digests of their text, and one of what the configuration asks of the job, by key. Snakemake writes
those that have changed, as they were and as they are, without the names of the parameters.
"""

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from shapaudit.parameters import shortened

MOST = 3  # changes of a job, or files, that are named
MANY = 10  # jobs of a rule for the same reason, from which they share a line
LONG = 70  # characters of a value
SOFTWARE = "Software environment definition has changed since last execution"
PARAMS = re.compile(
    rf"Params have changed since last execution: .*? output: before: (.*?) *(?=; {SOFTWARE}|$)",
    re.DOTALL,
)
MISSING = "Missing output files: "
ANEW = "Input files updated by another job: "
# How the other reasons begin; after a colon follow files.
KINDS = {
    MISSING: "output is missing",
    "Incomplete output files: ": "output is incomplete, because a run was interrupted",
    "Updated input files: ": "input is newer than the output",
    "Set of input files has changed since last execution": "the list of input files has changed",
    "Code has changed since last execution": "the rule or its script was edited",
    "Forced execution": "it is forced",
    SOFTWARE: "the software environment has changed",
    ANEW: "input is made anew",
}
DIGEST = re.compile("[0-9a-f]{6,64}")
FILE = re.compile(r"/|\.(py|ipynb)$")
Found = tuple[str, tuple[str, ...]]  # a reason, and the files that it is about


def reasons_of(jobs: Sequence[Any]) -> list[str]:
    """A line on each job: what it does and why; one line on many of a rule for the same reason."""
    made_by = {path: job.rule_name for job in jobs for path in job.output}
    groups: dict[tuple, list[tuple[Any, list[Found]]]] = {}
    for job in jobs:
        found = found_in(job.reason, job.output, made_by)
        groups.setdefault((job.rule_name, *(text for text, _ in found)), []).append((job, found))
    lines = []
    for (rule, *texts), own in groups.items():
        if len(own) > MANY:
            together = zip(*([files for _, files in found] for _, found in own), strict=True)
            files = [tuple(dict.fromkeys(sum(each, ()))) if all(each) else () for each in together]
            told = in_words(list(zip(texts, files, strict=True)))
            lines.append(f"{rule}, {len(own)} jobs: {told}")
        else:
            lines += [f"{_title(job)}: {in_words(found)}" for job, found in own]
    return lines


def _title(job: Any) -> str:
    """Its message, or the rule of a job that makes nothing: its message is of the end."""
    return (job.output and job.rule_msg) or job.rule_name


def in_words(found: Sequence[Found]) -> str:
    """Reasons in one sentence."""
    return _some([f"{text}: {_some(files)}" if files else text for text, files in found], "; ")


def _some(parts: Sequence[str], comma: str = ", ") -> str:
    more = len(parts) - MOST
    return comma.join(parts[:MOST]) + (f" and {more} more" if more > 0 else "")


def found_in(
    reason: str, output: Sequence[str] = (), made_by: Mapping[str, str] | None = None
) -> list[Found]:
    """The parts of a reason of Snakemake's, in words.

    ``output`` are the files that the job makes: where all of them are missing, none is named.
    ``made_by`` has the rules of files that other jobs make. New input is told of a job that has no
    reason of its own. What is not understood is given as Snakemake has it, shortened.
    """
    own: list[Found] = []
    anew: list[Found] = []
    for part in filter(None, PARAMS.sub("", reason).strip("; ").split("; ")):
        kind = next((kind for kind in KINDS if part.startswith(kind)), None)
        if kind is None or not kind.endswith(": "):
            own.append((KINDS[kind] if kind else shortened(part, 2 * LONG), ()))
            continue
        files = sorted(part.removeprefix(kind).split(", "))
        if kind == ANEW:
            rules = made_by or {}
            files = [f"{path} ({rules[path]})" if path in rules else path for path in files]
        all_missing = kind == MISSING and set(files) == set(output)
        (anew if kind == ANEW else own).append((KINDS[kind], () if all_missing else tuple(files)))
    if params := PARAMS.search(reason):
        own += [(change, ()) for change in changes(params[1])]
    return own or anew


@cache  # many jobs run the same code
def changes(told: str) -> Sequence[str]:
    """What has changed in parameters, told as "old values now: new values"."""
    for place in re.finditer(" now: ", told):
        try:
            old, new = _values(told[: place.start()]), _values(told[place.end() :])
        except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
            continue
        return _compared(old, new)
    return [f"parameters were {shortened(told, 4 * LONG)}"]


def _values(text: str) -> list:
    return [] if text == "<nothing exclusive>" else ast.literal_eval(f"[{text}]")


def _compared(old: list, new: list) -> list[str]:
    """Differences of the dictionaries that share most keys, then what has no counterpart."""
    found: list[str] = []
    for value in sorted(new, key=lambda value: (not _is_code(value), repr(value))):
        before: Any = max(old, key=lambda other: len(_keys(other) & _keys(value)), default={})
        if _keys(before) & _keys(value):
            old.remove(before)
            new.remove(value)
            found += _of_code(before, value) if _is_code(value) else _of_values(before, value, "")
    if old or new:
        was, now = (", ".join(map(_short, values)) or "nothing" for values in (old, new))
        found.append(f"parameters were {was} and are {now}")
    return found


def _keys(value: Any) -> set:
    return set(value) if isinstance(value, dict) else set()


def _is_code(value: Any) -> bool:
    """Whether this is a dictionary of digests."""
    digests = value.values() if isinstance(value, dict) else [""]
    return all(isinstance(part, str) and DIGEST.fullmatch(part) for part in digests)


def _of_code(old: dict, new: dict) -> Iterator[str]:
    for name in [*new, *(name for name in old if name not in new)]:
        if old.get(name) != new.get(name):
            noun = "file" if FILE.search(name) else "module"
            how = "changed" if name in old and name in new else "is new"
            yield f"{noun} {name} {how if name in new else 'is no longer used'}"


def _of_values(old: Any, new: Any, place: str) -> Iterator[str]:
    """Differences of two values at a place, each as "key was this and is that"."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in [*new, *(key for key in old if key not in new)]:
            inner = f"{place}.{key}" if place else str(key)
            if key not in old:
                yield f"{inner} is new: {_short(new[key])}"
            elif key not in new:
                yield f"{inner} is gone, and was {_short(old[key])}"
            else:
                yield from _of_values(old[key], new[key], inner)
    elif isinstance(old, list) and isinstance(new, list) and len(repr([old, new])) > LONG:
        yield from _of_lists(old, new, place)
    elif repr(old) != repr(new):
        yield f"{place} was {_short(old)} and is {_short(new)}"


def _of_lists(old: list, new: list, place: str) -> Iterator[str]:
    """Differences of lists that are too long to be told as a whole."""
    if len(old) == len(new):
        for number, pair in enumerate(zip(old, new, strict=True)):
            yield from _of_values(*pair, f"{place}[{number}]")
    for one, other, how in ((new, old, "now has"), (old, new, "no longer has")):
        if len(old) != len(new) and (only := [part for part in one if part not in other]):
            yield f"{place} {how} {_some([*map(_short, only)])}"


def _short(value: Any) -> str:
    return shortened(repr(value), LONG)
