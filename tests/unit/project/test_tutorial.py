"""The tutorial, followed: what it says is printed is printed, and its explanation is right."""

import re
import shlex
import sys
import time

import pytest
from places import ROOT

from recipes import blocks
from shapaudit.command import main

PAGE = (ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8")
MODULE = "my_model"


def in_words(text):
    """Lines with their numbers, which are those of a machine and of its libraries, taken out."""
    return [re.sub(r"\d[\d,.]*", "#", line) for line in text.splitlines() if line.strip()]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    # The model is priced by the time that it takes itself, whatever else the machine does.
    monkeypatch.setattr(time, "perf_counter", time.process_time)
    yield tmp_path
    sys.modules.pop(MODULE, None)  # no other test is to find it


def test_the_tutorial_goes_from_a_table_to_a_decision(folder, capsys):
    data, model, *rest = blocks(PAGE, "python")
    exec(data, {})
    assert model.startswith(f"# {MODULE}.py\n")
    (folder / f"{MODULE}.py").write_text(model, encoding="utf-8")

    (command,) = re.findall(r"^    shapaudit (.*)$", PAGE, re.MULTILINE)
    assert main(shlex.split(command)) == 0
    printed = capsys.readouterr().out
    (told,) = blocks(PAGE, "text")
    assert in_words(printed)[:2] == in_words(told)
    assert "comparison/page.html" in printed

    names = {}
    for code in rest:
        exec(code, names)
    assert names["budget"] in set(names["errors"]["budget"])
    explanation = names["explanation"]
    assert explanation.method == "auto"
    assert explanation.evaluations.max() <= names["budget"] < names["finer"].evaluations.max()
    assert names["largest"] < explanation.half_widths().max()
