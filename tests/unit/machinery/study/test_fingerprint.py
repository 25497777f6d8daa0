"""The model of saved games must predict what it did when they were built."""

from dataclasses import dataclass, replace

import numpy as np
import pytest

from shapaudit import datasets, models
from shapaudit.games import GameError
from shapaudit.models import FunctionModel
from shapaudit.models.agreement import differing_row, fingerprint
from shapaudit_audit.study.collection import build_collection, load_collection
from shapaudit_audit.study.fingerprint import fixed_rows
from shapaudit_audit.study.sealed import DamagedResult, read_document

SOURCE = """
import numpy as np

WEIGHTS = np.ones(4)


def f(rows):
    return rows @ WEIGHTS
"""


@dataclass(frozen=True)
class Linear:
    """A model that can be changed behind the back of its games."""

    weights: tuple

    def predict(self, rows):
        return rows @ np.array(self.weights)


@pytest.fixture(scope="module")
def dataset():
    return datasets.load("gaussian", {"n_rows": 60, "n_features": 4}, np.random.default_rng(0))


@pytest.fixture
def built(dataset, tmp_path):
    model = Linear((1.0, 2.0, 3.0, 4.0))
    made = build_collection("mine", dataset, model, "prediction", 3, 1, np.random.default_rng(1))
    made.save(tmp_path / "games")
    return tmp_path / "games", model


def test_the_same_model_is_taken(built):
    folder, model = built
    assert load_collection(folder, model).n_games == 4
    slightly = replace(model, weights=(1.0 + 1e-14, 2.0, 3.0, 4.0))  # another processor
    load_collection(folder, slightly)


@pytest.mark.parametrize("change", [1.0, 1e-6])
def test_another_model_is_refused_with_both_fingerprints_and_the_remedy(built, change):
    folder, model = built
    other = replace(model, weights=(1.0, 2.0, 3.0, 4.0 + change))
    kept = read_document(folder / "fingerprint.json")
    with pytest.raises(GameError, match="games mine differs from the one") as raised:
        load_collection(folder, other)
    games = load_collection(folder, model)
    now = fingerprint(other.predict(fixed_rows(games.explicands, games.baselines)))
    assert kept["fingerprint"] != now
    for part in (kept["fingerprint"], now, "under files:", "--forcerun train_model"):
        assert part in str(raised.value)


def test_games_without_their_fingerprint_are_not_read(built):
    folder, model = built
    (folder / "fingerprint.json").unlink()
    with pytest.raises(
        DamagedResult, match=r"fingerprint\.json is missing; delete it and run again"
    ):
        load_collection(folder, model)


def test_rows_are_of_all_explicands_and_whole_ones_among_them(built):
    games = load_collection(*built)
    rows = fixed_rows(games.explicands, games.baselines)
    assert rows.shape == (64, 4)
    np.testing.assert_array_equal(rows[:2], [games.explicands[0], games.baselines[1]])
    for k, row in enumerate(rows):
        explicand, baseline = games.explicands[k % 4], games.baselines[k % 4]
        assert ((row == explicand) | (row == baseline)).all()


def test_games_without_rows_have_no_fingerprint(tmp_path):
    dataset = datasets.load("diabetes", {}, np.random.default_rng(0))
    model = models.train("least-squares", dataset, {}, 0)
    made = build_collection("r", dataset, model, "r-squared", 1, 0, np.random.default_rng(1))
    made.save(tmp_path)
    assert not (tmp_path / "fingerprint.json").exists()
    assert load_collection(tmp_path, model).n_games == 1


SINGLE = float(np.float32(0.1))


@pytest.mark.parametrize(
    ("first", "second", "row"),
    [
        ([1.0, 2.0], [1.0, 2.0], None),
        ([0.1, 2.0], [0.1, 2.0 + 1e-10], None),
        ([0.1, 2.0], [0.1, 2.0 + 1e-8], 1),
        ([0.1 + 1e-8, 2.0], [0.1, 2.0], 0),
        ([SINGLE, 2.0], [float(np.float32(SINGLE * (1 + 1e-6))), 2.0], None),
        ([SINGLE, 2.0], [float(np.float32(SINGLE * 1.01)), 2.0], 0),
        ([0.0, 0.0], [0.0, 1e-300], 1),
        ([], [], None),
    ],
)
def test_rounding_is_told_from_another_number(first, second, row):
    first, second = np.array(first, dtype=float), np.array(second, dtype=float)
    assert differing_row(first, second) == differing_row(second, first) == row


def test_a_function_is_asked_again_when_its_games_are_read(dataset, tmp_path, monkeypatch):
    """Weights that the configuration does not name are replaced between two jobs."""
    (tmp_path / "fingerprinted.py").write_text(SOURCE, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    model = models.train("function", dataset, {"function": "fingerprinted.f"}, 0)
    made = build_collection("mine", dataset, model, "prediction", 2, 0, np.random.default_rng(1))
    made.save(tmp_path / "games")
    import fingerprinted

    fingerprinted.WEIGHTS[0] = 2.0
    with pytest.raises(GameError, match="games mine"):
        load_collection(tmp_path / "games", FunctionModel("fingerprinted.f"))
