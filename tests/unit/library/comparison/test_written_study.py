"""The study that a comparison writes for the workflow: its settings, paths, truths and words."""

import sys
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import yaml
from made_comparisons import BUDGETS, ROWS, RUNS, comparison, planned

from shapaudit.comparison.quantity import Quantity
from shapaudit.comparison.several import Comparisons
from shapaudit.comparison.study import StudySource, write_study


def written(path, compared, estimators=("auto", "leverage-shap"), **source):
    """The study of a comparison of a booster of numbers, and its head."""
    given = {"data": "flats.csv", "predictor": "m.json", "numbers": True} | source
    write_study(compared, path, StudySource(**given), estimators=estimators, seed=7)
    text = path.read_text(encoding="utf-8")
    return yaml.safe_load(text), "".join(line for line in text.splitlines(True) if line[0] == "#")


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A folder of a project, in which paths stay as they are."""
    (tmp_path / "Snakefile").touch()
    monkeypatch.chdir(tmp_path)
    return tmp_path / "s.yaml"


@pytest.mark.parametrize(("explicands", "more"), [(3, 10), (12, 12)])
def test_a_study_has_the_settings_of_the_comparison(here, explicands, more):
    study, head = written(here, comparison(plan=planned(explicands=explicands)))
    assert study["seed"] == 7
    assert study["datasets"]["mine"]["params"] == {"path": "flats.csv"}
    assert study["models"]["mine"]["params"] == {"path": "m.json"}
    game, experiment = study["games"]["mine"], study["experiments"]["mine"]
    assert (game["players"], game["explicands"]) == (4, more)
    assert game["truth"] == {"method": "enumeration"}
    assert experiment["budgets"] == list(BUDGETS)
    assert experiment["repetitions"] == RUNS
    assert experiment["reference"] == "auto"
    assert head.startswith(f"# snakemake --cores all --configfile {here}\n")
    assert "replaced by one row, which is drawn for each explained row" in head
    assert "all coalitions" not in head


def test_settings_of_a_study_are_named(here):
    with pytest.raises(TypeError, match="positional"):
        write_study(comparison(), here, StudySource("flats.csv", "m.json"), ["auto"], 7)


def test_target_and_columns_to_drop_are_in_the_study(here):
    study, _ = written(here, comparison(), ["auto"], target="y", drop=["z"])
    params = study["datasets"]["mine"]["params"]
    assert params == {"path": "flats.csv", "target": "y", "drop": ["z"]}


def test_paths_are_whole_where_there_is_no_project(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    study, _ = written(tmp_path / "s.yaml", comparison())
    assert study["datasets"]["mine"]["params"]["path"] == str(tmp_path / "flats.csv")


@pytest.mark.parametrize(
    ("predictor", "named"),
    [("own.py:f", "{}/own.py:f"), ("package.own:f", "package.own:f"), ("m.pkl", "{}/m.pkl")],
)
def test_a_module_has_no_path_and_a_file_has(tmp_path, monkeypatch, predictor, named):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.py").touch()
    source = {"predictor": predictor, "numbers": False}
    study, _ = written(tmp_path / "s.yaml", comparison(), **source)
    assert study["models"]["mine"]["params"]["predictor"] == named.format(tmp_path)


def test_background_rows_are_a_removal(here):
    study, head = written(here, comparison(plan=replace(planned(), background=5)))
    assert study["removals"] == {"background": {"removal": "marginal", "params": {"rows": 5}}}
    assert study["games"]["mine"]["removal"] == "background"
    assert "replaced by one row" not in head


def wide(truth, reference=0):
    compared = comparison(plan=replace(planned(truth, reference), background=5))
    return replace(compared, values=pd.DataFrame(np.ones((ROWS, 30))))


def test_of_many_players_the_study_says_where_its_values_come_from(here):
    trees, head = written(here, wide("trees"))
    assert trees["games"]["mine"]["truth"] == {"method": "tree"}
    assert "replaced by one row, which is drawn" in head
    runs, head = written(here, wide("reference", 31_000))
    truth = {"method": "permutations", "params": {"shuffles": 1000}}
    assert runs["games"]["mine"]["truth"] == truth
    assert "1,000 permutations" in head


def test_a_reference_becomes_all_coalitions_whose_price_is_said(here):
    slow = planned("reference", 300, seconds=500.0)  # 0.1 s per row
    study, head = written(here, comparison(plan=slow))
    assert study["games"]["mine"]["truth"] == {"method": "enumeration"}
    assert "all coalitions, which takes the model about 19 s." in head  # 0.1 * 16 * 12
    both = Comparisons({name: comparison(plan=slow) for name in ("high", "low")})
    _, head = written(here, both)
    assert "all coalitions, which takes the model about 38 s." in head


def test_a_function_is_a_model_of_a_mixed_table(here):
    here.with_name("own.py").touch()
    source = {"predictor": "own.py:predict", "numbers": False, "target": "y", "output": ["high"]}
    fast = comparison(plan=planned(seconds=0.1), quantity=Quantity("high", "y"))
    study, _ = written(here, fast, groups={"g": ["a", "b"]}, **source)
    columns = {"path": "flats.csv", "target": "y", "groups": {"g": ["a", "b"]}}
    assert study["datasets"]["mine"] == {"loader": "mixed", "params": columns}
    model = study["models"]["mine"]
    assert model["params"] == columns | {"predictor": "own.py:predict", "output": "high"}
    assert (model["trainer"], model["files"]) == ("mixed", ["own.py"])
    assert study["games"]["mine"]["label"] == "y: high"
    slow, _ = written(here, comparison(), **source)
    assert slow["datasets"]["mine"]["params"] == {"path": "flats.csv", "drop": ["y"]}


def test_all_coalitions_of_up_to_20_players_are_evaluated_and_of_more_some_orders(here):
    for players, method in ((20, "enumeration"), (21, "permutations")):
        compared = replace(
            comparison(plan=planned("trees")), values=pd.DataFrame(np.ones((ROWS, players)))
        )
        study, _ = written(here, compared, numbers=False)
        assert study["games"]["mine"]["truth"]["method"] == method
        booster, _ = written(here, compared)
        assert booster["games"]["mine"]["truth"]["method"] == ("tree" if players > 20 else method)


@pytest.mark.parametrize(
    ("reference", "largest", "shuffles"),
    [
        (0, 3100, 400),  # 4 * 3100 evaluations, 31 of them an order
        (6200, 3100, 200),
        (31, 3100, 16),
        (31 * 17, 3100, 17),
        (0, 10**6, 4096),
    ],
)
def test_orders_take_what_a_reference_took_within_bounds(here, reference, largest, shuffles):
    made = replace(planned("reference", reference), budgets=(10, 20, largest))
    compared = replace(comparison(plan=made), values=pd.DataFrame(np.ones((ROWS, 30))))
    study, head = written(here, compared, numbers=False)
    assert study["games"]["mine"]["truth"]["params"]["shuffles"] == shuffles
    assert f"come from {shuffles:,} permutations, with standard errors" in head


def test_many_rows_of_background_are_a_removal_but_for_trees(here):
    for truth, players, several in (("trees", 30, False), ("trees", 4, True)):
        made = replace(planned(truth), background=2)
        compared = replace(comparison(plan=made), values=pd.DataFrame(np.ones((ROWS, players))))
        study, head = written(here, compared)
        assert ("removals" in study) == ("removal" in study["games"]["mine"]) == several
        assert ("replaced by one row" in head) != several


@pytest.mark.parametrize(("seconds", "kept"), [(5.0, False), (4.99, True)])
def test_a_target_is_dropped_where_a_model_takes_a_millisecond_a_row(here, seconds, kept):
    """A study would score it on all rows; of 5,000 rows a comparison knows what they take."""
    compared = comparison(plan=planned(seconds=seconds))
    for numbers in (False, True):
        study, _ = written(here, compared, numbers=numbers, target="y", drop=["z"])
        params = study["datasets"]["mine"]["params"]
        if kept or numbers:
            assert (params["target"], params["drop"]) == ("y", ["z"])
        else:
            assert params == {"path": "flats.csv", "drop": ["z", "y"]}


def test_an_output_is_named_where_there_are_several_or_one_was_chosen(here):
    single = comparison(quantity=Quantity("high"))
    both = Comparisons({"high": single, "low": replace(single, quantity=Quantity("low"))})
    source = {"predictor": "m.pkl", "numbers": False}
    for compared, chosen, named in (
        (single, None, [None]),
        (single, ["high"], ["high"]),
        (comparison(), ["0"], [None]),
        (both, None, ["high", "low"]),
    ):
        study, head = written(here, compared, output=chosen, **source)
        models = study["models"].values()
        assert [model["params"].get("output") for model in models] == named
        assert ("Each output is a model of its own" in head) == (len(named) > 1)
        assert all("files" not in model for model in models)  # there is no such file


def test_games_are_called_by_what_they_explain(here):
    for quantity, label in (
        (Quantity(), "My model"),
        (Quantity("", "rent"), "rent"),
        (Quantity("high"), "high"),
    ):
        study, _ = written(here, comparison(quantity=quantity))
        assert study["games"]["mine"]["label"] == label


def test_files_of_a_model_are_its_own_and_modules_beside_a_function(here, monkeypatch):
    folder = here.parent
    (folder / "deep").mkdir()
    for name in ("own.py", "near.py", "unused.py", "deep/far.py", "m.pkl"):
        (folder / name).touch()
    for name in ("own", "near", "deep/far"):
        monkeypatch.setitem(
            sys.modules, f"{name}_of_mine", SimpleNamespace(__file__=str(folder / f"{name}.py"))
        )
    monkeypatch.setitem(sys.modules, "built_in_of_mine", SimpleNamespace())
    monkeypatch.setitem(sys.modules, "not_python", SimpleNamespace(__file__=str(folder / "a.so")))
    assert StudySource("flats.csv", "own.py:predict").files() == ["own.py", "near.py"]
    assert StudySource("flats.csv", "m.pkl").files() == ["m.pkl"]
    assert StudySource("flats.csv", "none.pkl").files() == []
    assert StudySource("flats.csv", "package.own:predict").files() == []
