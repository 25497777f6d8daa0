"""Files and functions of one's own are looked at before the first job."""

import pytest

from shapaudit_audit.study.blocks.base import record
from shapaudit_audit.study.blocks.study import Study
from shapaudit_audit.study.outside import check_outside
from shapaudit_audit.study.overlays import ConfigError

MODULE = "own_of_the_test"
RUNS = {"game": "any", "budgets": [9], "repetitions": 1, "estimators": ["e"]}
TABLE = ["datasets", "mine", "params"]
FUNCTION = ["models", "any", "params", "function"]
BOOSTER = ["models", "saved", "params", "path"]


@pytest.fixture
def study(tmp_path, monkeypatch):
    """A study of a table, a function and a booster, all of one's own."""
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / f"{MODULE}.py").write_text("f = sum\nnumber = 5\n", encoding="utf-8")
    (tmp_path / "table.csv").write_text("a,b,y\n1,2,3\n4,5,6\n", encoding="utf-8")
    (tmp_path / "booster.json").write_text("{}", encoding="utf-8")
    table = {"path": str(tmp_path / "table.csv"), "target": "y"}
    return {
        "datasets": {"mine": {"loader": "csv", "params": table}, "other": {"loader": "diabetes"}},
        "models": {
            "any": {
                "dataset": "mine",
                "trainer": "function",
                "params": {"function": f"{MODULE}.f"},
            },
            "saved": {
                "dataset": "mine",
                "trainer": "xgboost-file",
                "params": {"path": str(tmp_path / "booster.json")},
            },
            "trained": {"dataset": "other", "trainer": "xgboost"},
        },
        "games": {
            name: {
                **{"model": name, "players": players, "explicands": 1, "reward": "prediction"},
                "truth": {"method": "enumeration"},
            }
            for name, players in (("any", 2), ("trained", 10))
        },
        **{"study": "s", "seed": 1, "results": "results/s", "claims": {"alpha": 0.05}},
        **{"estimators": {}, "experiments": {"one": RUNS}},
    }


def test_what_can_be_used_is_taken(study):
    check_outside(record(Study, study))


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (
            [*TABLE, "path"],
            "no.csv",
            r"datasets\.mine: no\.csv does not exist",
        ),
        ([*TABLE, "target"], "z", "has no column 'z'; it has 'a', 'b', 'y'"),
        (
            [*TABLE, "drop"],
            ["a"],
            r"games\.any: players is 2, and mine has 1",
        ),
        (["games", "any", "players"], 3, r"games\.any: players is 3, and mine has 2 features"),
        (
            ["models", "any", "params", "function"],
            "nowhere.f",
            r"models\.any: cannot import .*nowhere",
        ),
        (FUNCTION, "f", r"models\.any: cannot import .*'f'"),
        (FUNCTION, f"{MODULE}.g", "cannot import .*AttributeError"),
        (
            ["models", "any", "params", "function"],
            f"{MODULE}.number",
            "is no function of rows but 5",
        ),
        (
            ["models", "saved", "params", "path"],
            "no.json",
            r"models\.saved: no\.json cannot be read",
        ),
    ],
)
def test_what_cannot_be_used_is_named(study, path, value, message):
    block = study
    for key in path[:-1]:
        block = block[key]
    block[path[-1]] = value
    with pytest.raises(ConfigError, match=message):
        check_outside(record(Study, study))


def test_a_table_in_another_encoding_is_named(study, tmp_path):
    rows = "a,b,y\n" + "1,2,3\n" * 1000
    (tmp_path / "table.csv").write_bytes((rows + "4,é,6\n").encode("latin-1"))
    with pytest.raises(ConfigError, match=r"table\.csv is not in UTF-8"):
        check_outside(record(Study, study))


@pytest.mark.parametrize("there", [True, False])
def test_a_predictor_is_a_function_or_a_file_that_is_there(study, tmp_path, there):
    saved = tmp_path / "saved.joblib"
    if there:
        saved.write_bytes(b"")
    study["models"]["any"] = {
        "dataset": "mine",
        "trainer": "mixed",
        "params": {"predictor": str(saved)},
    }
    if there:
        check_outside(record(Study, study))
        return
    with pytest.raises(ConfigError, match=r"models\.any: .*saved\.joblib does not exist"):
        check_outside(record(Study, study))


def test_a_booster_in_another_format_is_named(study, tmp_path):
    (tmp_path / "booster.json").write_bytes(b"\x80binf")
    with pytest.raises(ConfigError, match="is no XGBoost model in JSON"):
        check_outside(record(Study, study))
