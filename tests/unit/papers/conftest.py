"""All that the tests of papers conclude, and all figures that they draw, are on record.

A test looks at what it is about, such as a status. Whatever verdicts and figures it makes besides
have to be among those that the tests of its file made when they were last looked at.
"""

import hashlib
import json
import os
from contextlib import contextmanager
from dataclasses import astuple
from functools import cache
from pathlib import Path

import pytest
from matplotlib.figure import Figure

from recorded import FOLDER, REMEDY, parts
from shapaudit_audit.audit.verdict import Verdict
from unit.drawn import shown

HERE = Path(__file__).parent
RECORD = "told.json"
ROUNDING = 1e-9  # of values of the size of 1


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    """Compare what a test has made; property tests make other things with each version."""
    with noted() as (verdicts, figures):
        result = yield
    if not hasattr(item.function, "hypothesis"):
        told = [[*astuple(one)[:3], one.reach, one.shown_by, one.setting] for one in verdicts]
        on_record(item.path.relative_to(HERE).as_posix(), [*told, *map(shown, figures)])
    return result


@contextmanager
def noted():
    """Lists of the verdicts and of the figures that are made meanwhile."""
    verdicts, figures = [], []
    originals = Verdict.__post_init__, Figure.__init__

    def verdict(self):
        originals[0](self)
        verdicts.append(self)

    def figure(self, *arguments, **named):
        originals[1](self, *arguments, **named)
        figures.append(self)

    Verdict.__post_init__, Figure.__init__ = verdict, figure
    try:
        yield verdicts, figures
    finally:
        Verdict.__post_init__, Figure.__init__ = originals


def on_record(file, made):
    """Fail for what is not on record for a file of tests, or write it there where that is asked."""
    digests = {digest(one): one for one in made}
    if folder := os.environ.get("SHAPAUDIT_RECORD"):
        path = Path(folder) / RECORD
        records = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        records[file] = sorted({*records.get(file, ()), *digests})
        path.write_text(json.dumps(records, indent=1, sort_keys=True) + "\n", encoding="utf-8")
        return
    new = [str(one)[:1000] for key, one in digests.items() if key not in records_of(file)]
    assert not new, "\n".join(["Not on record:", *new, f"Where this is meant, {REMEDY}."])


@cache
def records_of(file):
    """Digests on record for a file of tests."""
    return set(json.loads((FOLDER / RECORD).read_text(encoding="utf-8")).get(file, ()))


def digest(value):
    """Of texts, and of numbers without the digits in which processors differ."""
    plain = [plainly(part) if isinstance(part, float) else part for part in parts(value)]
    return hashlib.sha256(json.dumps(plain).encode()).hexdigest()[:12]


def plainly(number):
    """A number with five digits, and 0 for a rounding error."""
    return f"{number:.5g}" if abs(number) > ROUNDING else "0"
