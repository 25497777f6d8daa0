"""The page of promises says what the code has: names, contracts, formats and commands."""

import dataclasses
import re

import pytest
from places import ROOT

import shapaudit
from shapaudit import Estimate, Estimator, Explanation, Game, Truth
from shapaudit.command.main import main
from shapaudit.datasets import game_files
from shapaudit.discovery import PACKAGES
from shapaudit.explainers import saving as explainers
from shapaudit.explanations import saving as explanations
from shapaudit.games import bank
from shapaudit.judging import judgement
from shapaudit_audit.audit import audit, evidence
from shapaudit_audit.command import main as audit_main
from shapaudit_audit.houses import GROUP

PAGE = (ROOT / "docs" / "promises.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", PAGE, flags=re.MULTILINE | re.DOTALL))


def quoted(text):
    return re.findall(r"`([^`]+)`", text)


def bullet(section, start):
    """Code of the point of a section that begins with these words."""
    points = re.split(r"\n(?=- )", SECTIONS[section])
    (point,) = (point for point in points if point.lstrip().startswith(start))
    return quoted(point)


def test_the_names_are_those_of_the_front_door():
    names = quoted(SECTIONS["Names"].partition("Beside them:")[0])
    assert names[0] == "shapaudit"
    assert sorted(names[1:]) == shapaudit.__all__
    for name in shapaudit.__all__:
        assert getattr(shapaudit, name).__doc__, name


def test_names_below_the_front_door_are_there():
    offered = bullet("Names", "- `shapaudit.games.load`")
    assert offered == ["shapaudit.games.load", "shapaudit.games.save", "shapaudit.games.bank"]
    assert callable(shapaudit.games.load)
    assert callable(shapaudit.games.save)
    assert callable(bank.load)


def test_names_that_create_takes():
    for name in bullet("Names", "- the ids")[1:]:
        assert isinstance(shapaudit.create(name), Estimator)


@pytest.mark.parametrize(("command", "run"), [("shapaudit", main), ("shapaudit-audit", audit_main)])
def test_the_commands_are_those_that_there_are(command, run, capsys):
    promised = bullet("Names", "- the commands")
    with pytest.raises(SystemExit) as end:
        run(["--help"])
    assert end.value.code == 0
    said = re.search(r"usage: .*?\[-h\]\s+(.*?) \.\.\.", capsys.readouterr().out, flags=re.DOTALL)[
        1
    ]
    own = {name.split()[1] for name in promised if name.split()[0] == command}
    assert own == set(re.split(r"\s*\|\s*", said))


def test_the_groups_of_entry_points_are_those_that_are_read():
    assert set(bullet("Names", "- the entry-point groups")) == {*PACKAGES, GROUP}


@pytest.mark.parametrize("record", [Estimate, Explanation, Truth], ids=lambda cls: cls.__name__)
def test_records_have_the_fields(record):
    fields = [field.name for field in dataclasses.fields(record)]
    assert bullet("Contracts", f"- **{record.__name__}**") == fields


def test_estimators_and_games_have_what_is_named():
    estimator = bullet("Contracts", "- **Estimator**")
    assert estimator == ["card", "estimate(game, budget, rng)", "minimum_budget(n_players)"]
    assert all(hasattr(shapaudit.create("auto"), name.split("(")[0]) for name in estimator)
    assert bullet("Contracts", "- **Game**") == ["n_players"]
    assert isinstance(shapaudit.TabularGame([0.0, 1.0, 1.0, 3.0]), Game)


def test_formats_are_those_that_are_written():
    rows = [line.split("|")[1:3] for line in SECTIONS["Files"].splitlines() if line.startswith("|")]
    formats = {what.strip(): said.strip() for what, said in rows[2:]}
    expected = {
        "an explanation, `.npz`": f"`{explanations.FORMAT}`, version {explanations.VERSION}",
        "a game, `.npz`": f"`{game_files.FORMAT}`",
        "a judgement, `.json`": f"`{judgement.FORMAT}`",
        "an explainer, a folder": str(explainers.FORMAT),
        "evidence, `.json`": f"schema version {evidence.SCHEMA_VERSION}",
        "verdicts, `claims.json`": f"schema version {audit.SCHEMA_VERSION}",
    }
    tables = formats.pop("estimates, truths and other tables of a study, `.parquet`")
    assert formats == expected
    assert (ROOT / quoted(tables)[0] / "estimates.schema.yaml").exists()
