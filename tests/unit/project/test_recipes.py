"""The recipes for expensive models, followed: what they say of prices and interruptions holds."""

import re

import numpy as np
import pytest
from places import ROOT

import shapaudit
from recipes import blocks
from shapaudit.command.main import _parser

PAGE = (ROOT / "docs" / "recipes.md").read_text(encoding="utf-8")


def test_the_recipes_do_what_they_say(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {}
    first, second, price, game, tabulated, outputs = blocks(PAGE, "python")
    exec(first, names)
    table, explanation = names["table"], names["explanation"]
    assert explanation.method == "auto"
    assert explanation.half_widths().max() <= 0.05
    assert explanation.feature_names == (*"abcdefgh", "place")
    gaps = table[:4]["c"] - table[90:95]["c"].mean()
    np.testing.assert_allclose(explanation.values[:, 2], gaps, atol=0.05)

    predict, asked = names["predict"], []
    names["predict"] = lambda rows: asked.append(len(rows)) or predict(rows)
    resumed = second.replace("finer =", "rows_asked = sum(asked)\nfiner =")
    exec(resumed, names | {"asked": asked}, after := {})
    np.testing.assert_array_equal(after["same"].values, explanation.values)
    assert after["finer"].half_widths().max() <= 0.02
    assert sum(asked) > after["rows_asked"]

    exec(price, names)
    numbers = [float(n.replace(",", "")) for n in re.findall(r"# ([\d,]+) minutes", price)]
    assert [round(names["dear"]), names["affordable"]] == numbers

    exec(game, names)
    assert list(names["shares"].index) == list(explanation.feature_names)
    np.testing.assert_allclose(names["shares"], explanation.values[0], atol=0.06)

    exec("import shapaudit\n" + tabulated, shared := {})
    assert shared["exact_shares"] == pytest.approx(
        {"left": 2 / 3, "right": 1 / 6, "other right": 1 / 6}
    )
    assert shapaudit.games.load("glove.npz").players == shared["glove"].players

    exec(outputs, names | {"predict": predict}, after)
    flats = after["flats"]
    assert list(flats) == ["rent", "heating"]
    players = flats["heating"].values.abs().max()
    assert set(players.index[players > 1e-9]) == {"a", "d"}
    assert flats["rent"].quantity.units == "EUR"


def test_the_command_is_one_that_there_is():
    (command,) = re.findall(r"^shapaudit (.*)$", PAGE, re.MULTILINE)
    options = _parser().parse_args(command.split())
    assert (options.minutes, options.background) == (60.0, None)
