"""Models as functions of a table: classes, columns of outputs, functions in files."""

import sys

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import RandomForestClassifier

from shapaudit.comparison import TableError
from shapaudit.models.predictors import function_in, predictor_of


def test_a_classifier_gives_the_probability_of_the_class_that_is_named():
    rng = np.random.default_rng(0)
    rows = pd.DataFrame(rng.normal(size=(90, 3)), columns=list("abc"))
    labels = np.where(rows.a > 0.5, "high", np.where(rows.b > 0, "mid", "low"))
    forest = RandomForestClassifier(5, random_state=0).fit(rows, labels)
    chosen = predictor_of(forest, "mid")(rows)
    np.testing.assert_array_equal(chosen, forest.predict_proba(rows)[:, 2])
    with pytest.raises(TableError, match="gives 3 outputs per row; choose one"):
        predictor_of(forest)(rows)
    with pytest.raises(TableError, match="no output 'middle'; there are 'high', 'low', 'mid'"):
        predictor_of(forest, "middle")


def test_of_two_classes_the_last_is_meant():
    rng = np.random.default_rng(0)
    rows = pd.DataFrame(rng.normal(size=(60, 2)), columns=list("ab"))
    forest = RandomForestClassifier(5, random_state=0).fit(rows, rows.a > 0)
    chances = forest.predict_proba(rows)
    np.testing.assert_array_equal(predictor_of(forest)(rows), chances[:, 1])
    np.testing.assert_array_equal(predictor_of(forest, "False")(rows), chances[:, 0])


def test_outputs_are_chosen_by_their_column():
    table = pd.DataFrame({"a": [1, 2, 3], "b": [4, 5, 6]})

    def function(rows):
        return rows[["b"]].to_numpy()

    def both(rows):
        return rows.to_numpy()

    assert predictor_of(function)(table).tolist() == [4.0, 5.0, 6.0]
    assert predictor_of(both, 1)(table).tolist() == [4.0, 5.0, 6.0]
    assert predictor_of(both, "0")(table).tolist() == [1.0, 2.0, 3.0]
    assert predictor_of(both, np.int64(1))(table).tolist() == [4.0, 5.0, 6.0]
    assert predictor_of(both, 0)(table).dtype == np.float64
    with pytest.raises(TableError, match="output 2 does not exist: the model gives 2"):
        predictor_of(both, 2)(table)


def test_outputs_of_a_data_frame_are_chosen_by_name():
    table = pd.DataFrame({"a": [1, 2, 3], "b": [4, 5, 6]})
    assert predictor_of(lambda rows: rows, "b")(table).tolist() == [4.0, 5.0, 6.0]
    with pytest.raises(TableError, match="choose one of them by output: 'a', 'b'"):
        predictor_of(lambda rows: rows)(table)
    with pytest.raises(TableError, match="no output 'c'; there are 'a', 'b'"):
        predictor_of(lambda rows: rows, "c")(table)


def test_functions_are_found_in_files(tmp_path):
    (tmp_path / "compared.py").write_text("def double(t):\n    return 2 * t['a'].to_numpy()\n")
    double = function_in(f"{tmp_path / 'compared.py'}:double")
    np.testing.assert_array_equal(double(pd.DataFrame({"a": [1.0, 2.0]})), [2.0, 4.0])
    with pytest.raises(TableError, match="has no function 'triple'"):
        function_in(f"{tmp_path / 'compared.py'}:triple")
    with pytest.raises(TableError, match="names no function"):
        function_in("mine")


def test_a_file_finds_its_own_neighbours_first(tmp_path, monkeypatch):
    """Also where another folder on the path has a module of that name."""
    for folder, number in (("mine", 1), ("other", 2)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "helper_of_compared.py").write_text(f"NUMBER = {number}\n")
    (tmp_path / "mine" / "compared_by_me.py").write_text(
        "from helper_of_compared import NUMBER\n\n\ndef number(t):\n    return NUMBER\n"
    )
    monkeypatch.setattr(sys, "path", [str(tmp_path / "other"), *sys.path])
    assert function_in(f"{tmp_path / 'mine' / 'compared_by_me.py'}:number")(None) == 1


@pytest.mark.parametrize("fault", ["1 / 0", "import no_such_module_of_mine", "def f(:"])
def test_files_that_cannot_be_loaded_say_why(tmp_path, fault):
    (tmp_path / "broken_by_me.py").write_text(fault + "\n")
    with pytest.raises(TableError, match=r"cannot load .*broken_by_me\.py \(\w+Error: "):
        function_in(f"{tmp_path / 'broken_by_me.py'}:number")
    with pytest.raises(TableError, match="cannot load no_such_package_of_mine"):
        function_in("no_such_package_of_mine:number")
