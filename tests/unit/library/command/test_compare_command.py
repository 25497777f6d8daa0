"""`shapaudit` on the command line: a comparison, its files, the list of estimators."""

import itertools
import os
import runpy
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
import xgboost
from places import ROOT

from shapaudit.command import main
from shapaudit.command.inputs import groups_in
from shapaudit.comparison import TableError, page
from shapaudit.estimators import REGISTRY
from shapaudit_audit.study.overlays import load_study


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A table and a booster of it, in the working folder."""
    rng = np.random.default_rng(0)
    rows = pd.DataFrame(rng.normal(size=(80, 5)), columns=["e", "a", "c", "b", "d"])
    target = rows.a * rows.b + rows.c
    settings = {"max_depth": 3, "base_score": 0.0}
    data = xgboost.DMatrix(rows[sorted(rows)], target)
    xgboost.train(settings, data, 10).save_model(tmp_path / "model.json")
    rows.assign(rent=target, city="Ulm").to_csv(tmp_path / "flats.csv", index=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


ARGUMENTS = ["compare", "--data", "flats.csv", "--target", "rent", "--explicands", "10"]
ESTIMATORS = ["--estimators", "auto", "leverage-shap"]


def test_a_booster_is_compared_and_its_study_can_be_run(folder, capsys):
    assert main([*ARGUMENTS, "--drop", "city", "--model", "model.json", *ESTIMATORS]) == 0
    told = capsys.readouterr().out
    assert told.startswith("What is explained is rent.")
    assert "Exact values are affordable here" in told
    assert "comparison/study.yaml" in told
    study = load_study(folder / "comparison" / "study.yaml")
    (game,) = study["games"].values()
    assert game["players"] == 5
    assert study["experiments"]["mine"]["estimators"] == ["auto", "leverage-shap"]
    assert study["datasets"]["mine"]["params"]["drop"] == ["city"]
    assert study["models"]["mine"]["trainer"] == "xgboost-file"


OWN = """
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from shapaudit.estimators import Estimate, Estimator


@dataclass(frozen=True)
class Equal(Estimator):
    id: ClassVar[str] = "equal"

    def minimum_budget(self, n_players):
        return 2

    def estimate(self, game, budget, rng):
        d = game.n_players
        low, high = game(np.array([[False] * d, [True] * d]))
        return Estimate(np.full(d, (high - low) / d), 2)
"""


def test_an_estimator_of_a_file_is_compared_and_in_the_study(folder, capsys):
    (folder / "my_equal.py").write_text(OWN, encoding="utf-8")
    own = ["--estimators", "my_equal.py:Equal", "auto"]
    assert main([*ARGUMENTS, "--drop", "city", "--model", "model.json", *own]) == 0
    assert "my_equal.Equal" in capsys.readouterr().out
    study = load_study(folder / "comparison" / "study.yaml")
    named = study["experiments"]["mine"]["estimators"]
    assert [study["estimators"][name]["estimator"] for name in named] == ["my_equal.Equal", "auto"]


@pytest.mark.parametrize("gap", [False, True], ids=["groups", "a missing number"])
def test_the_study_of_a_booster_of_more_than_numbers_is_one_of_a_mixed_table(folder, gap):
    table = pd.read_csv("flats.csv").drop(columns="city")
    if gap:
        table.loc[3, "a"] = np.nan
    table.to_csv("flats.csv", index=False)
    groups = [] if gap else ["--group", "both=a,b"]
    assert main([*ARGUMENTS, "--model", "model.json", *groups, *ESTIMATORS]) == 0
    study = load_study(folder / "comparison" / "study.yaml")
    assert study["models"]["mine"]["trainer"] == "mixed"
    assert study["datasets"]["mine"]["loader"] == "mixed"


def test_values_of_a_booster_sum_to_the_difference_of_its_outputs(folder):
    main([*ARGUMENTS, "--drop", "city", "--model", "model.json", "--background", "4", *ESTIMATORS])
    values = pd.read_csv("comparison/values.csv", index_col="row")
    booster = xgboost.Booster(model_file="model.json")
    table = pd.read_csv("flats.csv")
    outputs = booster.predict(xgboost.DMatrix(table[sorted("abcde")]))
    gaps = values.sum(axis=1).to_numpy()[:, None] - outputs  # f(x) minus the mean over background
    assert np.ptp(outputs) > 0.5
    assert (np.abs(gaps) < 2 * np.abs(outputs).max()).all()
    assert list(values.columns) == ["e", "a", "c", "b", "d"]


def test_a_function_takes_texts_and_groups(folder, capsys):
    (folder / "compared.py").write_text(
        "def predict(t):\n    return ((t.city == 'Ulm') * t.a + t.b).to_numpy(dtype=float)\n"
    )
    groups = ["--group", "place=city,a", "--function", "compared.py:predict", *ESTIMATORS]
    assert main([*ARGUMENTS, *groups]) == 0
    values = pd.read_csv("comparison/values.csv", index_col="row")
    assert list(values.columns) == ["e", "place", "c", "b", "d"]
    study = load_study(folder / "comparison" / "study.yaml")
    assert study["datasets"]["mine"]["params"]["groups"] == {"place": ["city", "a"]}
    assert study["games"]["mine"]["players"] == 5
    told = capsys.readouterr().out
    assert told.startswith("What is explained is rent.")
    assert "comparison/study.yaml" in told


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--model", "model.json"], "'city' holds"),
        (["--drop", "citty", "--model", "model.json"], "did you mean 'city'"),
        (["--drop", "city", "--model", "none.json"], "does not exist"),
        (["--function", "compared.py"], "names no function"),
        (["--drop", "city", "--model", "model.json", "--group", "place"], "not of the form"),
        (["--drop", "city", "--model", "model.json", "--estimators", "atuo"], "auto"),
    ],
)
def test_bad_input_is_told_in_a_line(folder, capsys, arguments, message):
    assert main([*ARGUMENTS, *arguments]) == 2
    told = capsys.readouterr().err
    assert told.startswith("shapaudit: ")
    assert message in told


def test_estimators_are_listed_with_what_they_are(capsys):
    assert main(["estimators"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == sorted(REGISTRY)
    assert REGISTRY["auto"].card.definition in "\n".join(lines)


def test_the_help_lists_what_there_is(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["--help"])
    assert ended.value.code == 0
    told = " ".join(capsys.readouterr().out.replace("-\n  ", "-").split())
    for name in ("paired-kernel-shap", "breast-cancer", "GloveGame"):
        assert name in told


@pytest.mark.parametrize("listing", ["datasets", "games"])
def test_data_sets_and_games_are_listed_in_a_line_each(capsys, listing):
    assert main([listing]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) > 10
    assert all(len(line.split()) > 3 for line in lines)


@pytest.mark.parametrize("unbuffered", ["", "1"])  # empty as if it were not set
@pytest.mark.parametrize("listing", ["estimators", "--help"])
def test_who_reads_no_further_sees_no_traceback(listing, unbuffered):
    command = [sys.executable, "-m", "shapaudit.command", listing]
    own = {"PYTHONPATH": str(ROOT / "src"), "PYTHONUNBUFFERED": unbuffered}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=os.environ | own
    ) as process:
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


@pytest.mark.parametrize(
    ("arguments", "missing"),
    [
        (["--model", "model.json"], "--data"),
        (["--data", "flats.csv"], "--model --function"),
        (["--data", "d", "--model", "m", "--function", "f.py:f"], "not allowed with"),
    ],
)
def test_a_comparison_needs_a_table_and_one_model(capsys, arguments, missing):
    with pytest.raises(SystemExit) as ended:
        main(["compare", *arguments])
    assert ended.value.code == 2
    assert missing in capsys.readouterr().err


def test_without_a_command_there_is_the_help(capsys):
    assert main([]) == 0
    told = capsys.readouterr().out
    assert "usage: shapaudit" in told
    names = told[told.index("estimators: ") :].split("\n\n")
    assert [part.partition(":")[0] for part in names] == ["estimators", "datasets", "games"]
    for part in names:
        lines = part.strip("\n").split("\n")
        assert all(line.startswith("  ") for line in lines[1:])
        for line, following in itertools.pairwise(lines):
            assert len(line) <= 79 < len(f"{line} {following.split()[0]}")


@pytest.mark.parametrize("group", ["place=", "=city,a", "place", "="])
def test_a_group_has_a_name_and_columns(group):
    with pytest.raises(TableError, match="not of the form name=column,column"):
        groups_in(["both=a,b", group])
    assert groups_in(["both=a,b", "one=c"]) == {"both": ["a", "b"], "one": ["c"]}


@pytest.mark.filterwarnings("ignore:'shapaudit.command' found in sys.modules")
def test_the_module_is_the_command(monkeypatch, capsys):
    command = ["shapaudit", "compare", "--data", "nowhere.csv", "--function", "none.py:f"]
    monkeypatch.setattr(sys, "argv", command)
    with pytest.raises(SystemExit) as ended:
        runpy.run_module("shapaudit.command", run_name="__main__")
    assert ended.value.code == 2
    assert "nowhere.csv" in capsys.readouterr().err


FILES = (*page.WRITTEN, "study.yaml", "shapaudit.json")


@pytest.mark.parametrize("name", FILES)
def test_files_of_the_user_are_not_overwritten_and_nothing_is_computed(folder, capsys, name):
    (folder / "mine").mkdir()
    (folder / "mine" / name).write_text("mine")
    (folder / "asked.py").write_text("def predict(table):\n    raise SystemExit('asked')\n")
    command = [*ARGUMENTS, "--function", "asked.py:predict", "--to", "mine"]
    assert main(command) == 2
    assert f"{name} was not written by shapaudit" in capsys.readouterr().err
    assert (folder / "mine" / name).read_text() == "mine"


def test_the_same_command_overwrites_its_own_results(folder, capsys):
    command = [*ARGUMENTS, "--drop", "city", "--model", "model.json", *ESTIMATORS]
    assert main(command) == main(command) == 0
    study = folder / "comparison" / "study.yaml"
    study.write_text(study.read_text() + "# edited\n")
    assert main(command) == 2
    assert "study.yaml has been changed since shapaudit wrote it" in capsys.readouterr().err


def test_a_table_that_is_read_is_not_overwritten_even_where_a_comparison_wrote_it(folder, capsys):
    assert main([*ARGUMENTS, "--drop", "city", "--model", "model.json", *ESTIMATORS]) == 0
    (folder / "f.py").write_text("def f(table):\n    return table['a'].to_numpy()\n")
    before = (folder / "comparison" / "values.csv").read_bytes()
    assert main(["compare", "--data", "comparison/values.csv", "--function", "f.py:f"]) == 2
    assert "values.csv is read" in capsys.readouterr().err
    assert (folder / "comparison" / "values.csv").read_bytes() == before


def test_a_place_that_is_no_folder_is_refused_before_the_model_is_asked(folder, capsys):
    (folder / "asked.py").write_text("def predict(table):\n    raise SystemExit('asked')\n")
    for place in ("flats.csv", "flats.csv/below", "/proc/none"):
        assert main([*ARGUMENTS, "--function", "asked.py:predict", "--to", place]) == 2
        assert f"{place} cannot be written to" in capsys.readouterr().err
