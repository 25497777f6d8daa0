"""The recipes for expensive models, followed: what they say of prices and interruptions holds."""

import re

import pytest
from places import ROOT

from recipes import blocks
from shapaudit.command.main import _parser

PAGE = (ROOT / "docs" / "recipes.md").read_text(encoding="utf-8")


def test_the_recipes_do_what_they_say(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {}
    first, second, price, outputs = blocks(PAGE, "python")
    exec(first, names)
    found, asked = names["found"], names["cached"].evaluations
    assert found.converged
    assert found.half_width <= 0.05
    assert 0 < asked <= found.evaluations
    assert list(names["values"].index) == ["a", "b", "c", "d", "e", "f", "place"]
    gaps = names["table"].iloc[0]["c"] - names["table"].iloc[1:6]["c"].mean()
    assert names["values"]["c"] == pytest.approx(gaps, abs=0.05)

    resumed = second.replace("finer =", "asked_again = again.evaluations\nfiner =")
    exec(resumed, names)
    assert names["asked_again"] == 0
    assert (names["same"].values == found.values).all()
    assert names["finer"].half_width <= 0.02

    exec(price, names)
    numbers = [float(n.replace(",", "")) for n in re.findall(r"# ([\d,]+) minutes", price)]
    assert [round(names["dear"]), names["affordable"]] == numbers

    exec(outputs, names)
    flats = names["flats"]
    assert list(flats) == ["rent", "heating"]
    players = flats["heating"].values.abs().max()
    assert set(players.index[players > 1e-9]) == {"a", "d"}
    assert flats["rent"].quantity.units == "EUR"


def test_the_command_is_one_that_there_is():
    (command,) = re.findall(r"^shapaudit (.*)$", PAGE, re.MULTILINE)
    options = _parser().parse_args(command.split())
    assert (options.minutes, options.background) == (60.0, None)
