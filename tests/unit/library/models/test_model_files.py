"""Models that other packages have saved: columns matched by name, and words of errors."""

import json
import pickle
import re
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas
import pytest
import xgboost

from shapaudit.datasets.mixed import TableError
from shapaudit.models import model_files
from shapaudit.models.model_files import KNOWN, Ordered, model_in

CASES = json.loads((Path(__file__).parent / "data" / "lightgbm.json").read_text())
ROWS = np.array(CASES["rows"], dtype=float)
PLAIN = next(name for name, case in CASES["cases"].items() if len(case["raw"]) == 1)
SEVERAL = next(name for name, case in CASES["cases"].items() if len(case["raw"]) > 1)


def text_of(case, folder, names=None):
    """A file of LightGBM, its features renamed where names are given."""
    content = CASES["cases"][case]["text"]
    if names:
        lines = content.splitlines(keepends=True)
        new = f"feature_names={' '.join(names)}\n"
        content = "".join(new if line.startswith("feature_names=") else line for line in lines)
    path = folder / "model.txt"
    path.write_text(content)
    return str(path)


def table(names):
    return pandas.DataFrame(ROWS, columns=names)


NAMES = [f"Column_{j}" for j in range(ROWS.shape[1])]
OWN = [f"own {j}" for j in range(ROWS.shape[1])]


@pytest.mark.parametrize(
    ("inside", "given"),
    [
        (OWN, OWN),  # LightGBM writes own_0 for "own 0"
        (NAMES, NAMES),
        (NAMES, OWN),
        ([str(j) for j in range(len(OWN))], OWN),
    ],
)
def test_columns_of_lightgbm_are_those_of_the_table(inside, given, tmp_path):
    path = text_of(PLAIN, tmp_path, [name.replace(" ", "_") for name in inside])
    model = model_in(path, table(given))
    (raw,) = CASES["cases"][PLAIN]["raw"]
    np.testing.assert_allclose(model.predict(table(given)), raw, rtol=1e-6)
    turned = table(given)[given[::-1]]
    np.testing.assert_allclose(model.predict(turned), raw, rtol=1e-6)
    assert model.trees(None) is model.trees(0) is model.model[0]


def test_each_output_has_trees(tmp_path):
    model = model_in(text_of(SEVERAL, tmp_path), table(NAMES))
    raw = CASES["cases"][SEVERAL]["raw"]
    np.testing.assert_allclose(model.predict(table(NAMES)), np.transpose(raw), rtol=1e-6)
    np.testing.assert_allclose(model.trees(1).predict(ROWS), raw[1], rtol=1e-6)


def test_a_model_of_columns_gets_its_own_order():
    summed = type("Sum", (), {"predict": lambda self, rows: rows.to_numpy() @ [1, 10]})()
    given = pandas.DataFrame({"a": [1.0], "b": [2.0], "c": [3.0]})
    assert Ordered(summed, ("c", "a")).predict(given) == 13


def test_files_of_xgboost_and_pickles(tmp_path):
    target = ROWS[:, 0] + ROWS[:, 1]
    booster = xgboost.XGBRegressor(n_estimators=3).fit(np.nan_to_num(ROWS), np.nan_to_num(target))
    for name in ("model.json", "model.ubj"):
        booster.save_model(tmp_path / name)
        model = model_in(str(tmp_path / name), table(OWN).fillna(0))
        expected = booster.predict(np.nan_to_num(ROWS), output_margin=True)
        np.testing.assert_allclose(model.predict(np.nan_to_num(ROWS)), expected, rtol=1e-5)
    for name in ("model.pkl", "model.pickle", "model.joblib"):
        (tmp_path / name).write_bytes(pickle.dumps({"any": 1}))
        assert model_in(str(tmp_path / name), table(OWN)) == {"any": 1}


def test_files_that_do_not_do_are_told(tmp_path):
    (tmp_path / "model.onnx").write_text("")
    (tmp_path / "broken.pkl").write_bytes(b"no pickle")
    (tmp_path / "table.txt").write_text("feature_names=a b\n")
    (tmp_path / "model.cbm").write_text("")
    (tmp_path / "model.json").write_text("{}")
    words = table(OWN).assign(**{"own 1": "a"})
    path = text_of(PLAIN, tmp_path)
    cases = [
        (tmp_path / "none.txt", table(OWN), "does not exist; name the file of a saved model"),
        (tmp_path / "model.onnx", table(OWN), "ends in none of those that are read: XGBoost"),
        (tmp_path / "broken.pkl", table(OWN), r"cannot load .*broken\.pkl \(\w+: "),
        (tmp_path / "table.txt", table(OWN), "is no model that LightGBM saved as text"),
        (tmp_path / "model.json", words, "is a model of numbers, and the column 'own 1' holds"),
        (path, words.set_axis(NAMES, axis=1), "the column 'Column_1' holds"),
        (path, table(OWN).assign(more=1), "was made for the columns 'Column_0', "),
        (path, table(NAMES).drop(columns="Column_1"), "for the columns 'Column_1', which the"),
    ]
    for file, given, message in cases:
        with pytest.raises(TableError, match=message):
            model_in(str(file), given)
    assert KNOWN.endswith(".pkl)")


@pytest.mark.parametrize("kind", ["category", "object"])
def test_a_file_of_lightgbm_keeps_the_categories_of_its_table(tmp_path, kind):
    """Also for texts, as a CSV file has them."""
    lightgbm = pytest.importorskip("lightgbm")
    rng = np.random.default_rng(0)
    colour = rng.choice(["red", "green", "blue"], 90)
    own = pandas.DataFrame({"x": rng.normal(size=90), "colour": pandas.Categorical(colour)})
    target = own["x"] + 3.0 * (colour == "green")
    settings = {"n_estimators": 5, "min_child_samples": 5, "min_data_per_group": 5}
    model = lightgbm.LGBMRegressor(**settings, n_jobs=1, verbose=-1).fit(own, target)
    path = tmp_path / "model.txt"
    model.booster_.save_model(path)
    given = own.astype({"colour": kind})[["colour", "x"]]
    read = model_in(str(path), given)
    np.testing.assert_allclose(read.predict(given), model.predict(own), rtol=1e-12)
    with pytest.raises(TableError, match=r"trained on 1 columns of dtype category.* Parquet"):
        model_in(str(path), given.assign(colour=1.0))


def test_files_of_catboost_go_to_catboost(tmp_path, monkeypatch):
    class CatBoost:
        feature_names_ = ("1", "0")

        def load_model(self, path):
            return self

        def predict(self, rows):
            return rows.to_numpy() @ [1, 10]

    monkeypatch.setattr(
        model_files, "import_module", lambda name: SimpleNamespace(CatBoost=CatBoost)
    )
    (tmp_path / "model.cbm").write_text("")
    given = pandas.DataFrame({"0": [1.0], "1": [2.0]})
    assert model_in(str(tmp_path / "model.cbm"), given).predict(given).tolist() == [12]


@pytest.mark.parametrize("ending", [".json", ".ubj", ".txt", ".cbm", ".pkl"])
def test_junk_is_refused_in_a_sentence_without_words_of_study_files(tmp_path, ending):
    path = tmp_path / f"junk{ending}"
    for content in (b"\x00junk\xff" * 20, b'{"a": 1}'):
        path.write_bytes(content)
        with pytest.raises(TableError, match=re.escape(str(path))) as told:
            model_in(str(path), table(OWN))
        assert "trainer" not in str(told.value)
        assert "\n" not in str(told.value)
