"""The page on explaining rows, followed: its code runs, and what it says of the results holds."""

import re
import shlex

import matplotlib
import numpy as np
import pytest
from matplotlib import pyplot
from places import ROOT

from recipes import blocks
from shapaudit.command import main

PAGE = (ROOT / "docs" / "explaining.md").read_text(encoding="utf-8")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    backend = matplotlib.get_backend()
    pyplot.switch_backend("agg")
    yield tmp_path
    pyplot.close("all")
    pyplot.switch_backend(backend)


def test_the_page_does_what_it_says(folder, capsys):
    names = {}
    for code in blocks(PAGE, "python"):
        exec(code, names)
    printed, shares, refusal = blocks(PAGE, "text")
    told = capsys.readouterr().out
    assert told.count(printed) == told.count(shares) == 1
    assert names["explanation"].method == "trees"
    np.testing.assert_allclose(
        names["explanation"].predictions, names["model"].predict(names["X"][:100])
    )

    few = names["few"]
    (said,) = re.findall(r"few\.how  # (.*), \.\.\.\n", PAGE)
    assert few.how.startswith(said)
    assert few.half_widths().max() <= 2.0
    np.testing.assert_array_equal(names["many"].values, few.values)
    assert (folder / "kept").is_dir()

    assert names["named"].feature_names == tuple(names["X"])
    assert names["scores"].method == "linear"
    assert names["iris"].method == "trees"
    assert names["iris"].values.shape == (15, 4, 3)
    assert str(names["grouped"].feature_names) in PAGE
    assert names["grouped"].method == "enumeration"
    assert "gaussian" in names["conditional"].how
    assert ", ".join(names["importance"]) in PAGE
    np.testing.assert_array_equal(names["again"].values, names["explanation"].values)

    with pytest.raises(ValueError, match=f"^{re.escape(refusal.strip())}$"):
        names["explainer"](names["X"].rename(columns={"bmi": "BMI"}))

    (command,) = re.findall(r"^    shapaudit (.*)$", PAGE, re.MULTILINE)
    assert main(shlex.split(command)) == 0
    assert "Shapley values of 20 rows" in capsys.readouterr().out
    written = set(re.findall(r"`(explanation/[\w.]+)`", PAGE))
    assert written < {f"explanation/{path.name}" for path in (folder / "explanation").iterdir()}
