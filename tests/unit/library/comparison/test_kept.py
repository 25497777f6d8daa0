"""What is kept of a comparison, and games whose rows are remembered: files, sizes of calls."""

import importlib
import re

import numpy as np
import pandas as pd
import pytest

from shapaudit.comparison.kept import (
    FINISHED,
    OUTPUTS,
    PLAN,
    ComparisonStore,
    kept_before,
    source_of,
)
from shapaudit.comparison.plan import Plan
from shapaudit.datasets.mixed import players_of
from shapaudit.estimators import create
from shapaudit.explanations import rows_game as games
from shapaudit.explanations.asking import Outputs
from shapaudit.explanations.rows_game import OutputGame, RowsGame, SharedValues
from shapaudit.games import all_coalitions
from shapaudit.models.predictors import Predictor

ROWS = pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": ["x", None, "y"]})
MADE = Plan("reference", 100, 3, (10, 20), 1, 300, 3.0, 2, 0.5)
BEFORE = np.array([[1e-3, 2e-3], [3e-3, 4e-3]])  # outputs on the first rows


def kept(folder, outputs=BEFORE, rows=ROWS, names=("y", "z"), **settings):
    store = ComparisonStore(folder, rows, names, settings)
    store.recognise(outputs)
    return store


def filled(folder, **settings):
    """One that holds a plan, outputs and a finished row."""
    store = kept(folder, **settings)
    store.plan(MADE)
    store.finish({"row": 0})
    store.outputs(2, 2).of(np.array([[0, 1]]), lambda new: np.ones((1, 2)), 1)
    return store


def held(folder):
    """Names of the files, without what the model is known again by."""
    return {path.name for path in folder.rglob("*") if path.is_file()} - {"question.json"}


@pytest.mark.parametrize(
    ("outputs", "same"),
    [
        (BEFORE, True),
        (BEFORE * (1 + 5e-6), True),  # as rounding does in single precision
        (BEFORE * (1 + 5e-5), False),
        (BEFORE[:1], True),  # as many as there are are compared
        (np.concatenate([BEFORE, BEFORE]), True),
        (BEFORE[:1] * 2, False),
        (np.concatenate([BEFORE[:1], 2 * BEFORE]), False),
    ],
)
def test_a_model_is_known_again_by_its_outputs_however_small(tmp_path, outputs, same):
    filled(tmp_path / "new" / "folder")
    again = kept(tmp_path / "new" / "folder", outputs)
    assert held(tmp_path) == ({PLAN, FINISHED, OUTPUTS} if same else set())
    assert len(again.finished()) == same
    third = kept(tmp_path / "new" / "folder", outputs)
    third.finish({"row": 0})
    assert len(kept(tmp_path / "new" / "folder", outputs).finished()) == 1 + same


def test_plans_of_all_settings_are_forgotten_with_their_model(tmp_path):
    filled(tmp_path, seed=1)
    filled(tmp_path, seed=2)
    assert len(list(tmp_path.rglob(PLAN))) == 2
    kept(tmp_path, 2 * BEFORE, seed=1)
    assert held(tmp_path) == set()


def test_a_plan_that_was_made_is_the_one_of_the_next_run(tmp_path):
    other = Plan("trees", 0, 1, (5,), 1, 5, 1.0)
    assert kept(tmp_path).plan(MADE) == MADE
    assert kept(tmp_path).plan(other) == MADE
    assert kept(tmp_path, seed=3).plan(other) == other
    assert kept(None).plan(other) == other


def test_of_finished_rows_one_that_was_cut_is_left_out(tmp_path):
    store = kept(tmp_path)
    for row in range(3):
        store.finish({"row": row})
    (path,) = tmp_path.rglob(FINISHED)
    path.write_bytes(path.read_bytes()[:-2])
    assert kept(tmp_path).finished() == [{"row": 0}, {"row": 1}]


def test_outputs_stay_for_other_settings_but_not_for_other_rows_or_names(tmp_path):
    filled(tmp_path)
    for settings, asked in (
        ({"seed": 9}, 0),
        ({"rows": ROWS.set_axis([5, 6, 7])}, 0),
        ({"rows": ROWS.assign(a=[1.0, 2.0, 4.0])}, 1),
        ({"names": ("z", "y")}, 1),
    ):
        model = Counted(outputs=2)
        outputs = kept(tmp_path, **settings).outputs(2, 2)
        outputs.of(np.array([[0, 1]]), lambda new, model=model: model(NUMBERS.iloc[new]), 1)
        assert len(model.calls) == asked


def test_without_a_folder_nothing_is_kept():
    store = kept(None)
    assert not store.keeps
    assert not store.planned
    assert store.on_record == 0
    with pytest.raises(ValueError, match="no plan"):
        store.stored_plan()
    assert kept_before(None, ROWS, None, {}) is None


def test_what_is_kept_of_the_same_comparison_is_found_by_its_model(tmp_path):
    rows = pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": [5.0, 7.0, 9.0]})
    model = Predictor(lambda table: table["a"] * table["b"])
    assert kept_before(tmp_path, rows, model, {}) is None
    model(rows)
    store = ComparisonStore(tmp_path, rows, model.names, {})
    assert kept_before(tmp_path, rows, model, {}) is None
    store.recognise(np.array([[5.0], [14.0]]))
    store.plan(MADE)
    stored, outputs = kept_before(tmp_path, rows, model, {})
    assert stored.stored_plan() == MADE
    assert outputs.tolist() == [[5.0], [14.0]]
    assert kept_before(tmp_path, rows, model, {"seed": 1}) is None
    other = Predictor(lambda table: table["a"] * table["b"] + (table["a"] == 2))
    assert kept_before(tmp_path, rows, other, {}) is None
    assert not store.planned


def test_estimators_of_the_user_are_recognised_by_their_code(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    texts = []
    for number in (1, 2):
        path = tmp_path / f"mine_{number}.py"
        path.write_text(
            f"class Mine:\n    def __repr__(self):\n        return 'Mine'\n# {number}\n"
        )
        texts.append(source_of(importlib.import_module(f"mine_{number}").Mine()))
    assert texts[0] != texts[1]
    assert source_of(create("auto")) == f"{create('auto')!r} "


def test_names_of_folders_are_short_and_of_hexadecimal_digits(tmp_path):
    """They stay the same from one version to the next, or what is kept would not be found."""
    kept(tmp_path)
    folders = [path.name for path in tmp_path.rglob("*") if path.is_dir()]
    assert len(folders) == 2
    assert all(re.fullmatch("[0-9a-f]{12}", name) for name in folders)


class Counted:
    """The sum of two columns, as so many outputs of which the next is one more."""

    def __init__(self, outputs=1):
        self.calls, self.outputs = [], outputs

    def __call__(self, table):
        self.calls.append(len(table))
        return (table["a"] * table["b"]).to_numpy()[:, None] + np.arange(self.outputs)


NUMBERS = pd.DataFrame({"a": [1.0, 2.0, 3.0, 4.0], "b": [5.0, 7.0, 11.0, 13.0]})
PLAYERS = players_of(["a", "b"], None)


def game_of(model, background=3, **settings):
    return RowsGame(model, NUMBERS.iloc[[3]], NUMBERS.iloc[:background], PLAYERS, **settings)


# v of no column, of the first, of the second, of both, over three background rows
WORTH = [(5 + 14 + 33) / 3, 4 * (5 + 7 + 11) / 3, 13 * (1 + 2 + 3) / 3, 4 * 13]


@pytest.mark.parametrize(("most", "calls"), [(2, [3, 3, 3, 1]), (6, [6, 4]), (7, [6, 4])])
def test_a_game_takes_no_more_rows_at_once_than_a_coalition_needs(monkeypatch, most, calls):
    monkeypatch.setattr(games, "MOST_ROWS", most)
    model = Counted()
    values = game_of(model)(np.array([[0, 0], [1, 0], [0, 1], [1, 1]], dtype=bool))
    np.testing.assert_allclose(values[:, 0], WORTH)
    assert model.calls == calls


@pytest.mark.parametrize("remembered", [False, True])
def test_a_model_is_called_with_batches(remembered):
    model = Counted()
    settings = {"outputs": Outputs(2, 1), "codes": np.arange(8).reshape(4, 2)} if remembered else {}
    game = game_of(model, batch=4, **settings)
    values = game(np.array([[0, 0], [1, 0], [0, 1], [1, 1]], dtype=bool))
    np.testing.assert_allclose(values[:, 0], WORTH)
    assert model.calls == [4, 4, 2]
    assert game.rows == 10


def test_no_coalitions_have_no_values():
    assert game_of(Counted())(np.zeros((0, 2), dtype=bool)).shape == (0,)


def test_of_several_outputs_each_coalition_is_evaluated_once_for_all():
    model = Counted(outputs=3)
    game = game_of(model)
    shared = SharedValues(game, 3)
    first, last = OutputGame(game, shared, 0), OutputGame(game, shared, 2)
    coalitions = np.array([[0, 0], [1, 0], [0, 1], [1, 1]], dtype=bool)
    np.testing.assert_allclose(first(coalitions[[1, 0, 1]]), np.take(WORTH, [1, 0, 1]))
    np.testing.assert_allclose(last(coalitions[:2]), np.add(WORTH[:2], 2))
    assert model.calls == [6]
    np.testing.assert_allclose(last(coalitions), np.add(WORTH, 2))
    assert model.calls == [6, 4]
    assert (first.n_players, first.name) == (2, "rows of a table")


def test_of_one_output_values_are_those_of_its_game():
    model = Counted()
    game = game_of(model)
    single = OutputGame(game, game, 0)
    for _ in range(2):
        np.testing.assert_allclose(single(all_coalitions(2)).sum(), sum(WORTH))
    assert model.calls == [10, 10]


@pytest.mark.parametrize("keeps", [False, True])
@pytest.mark.parametrize(("count", "each"), [(65_536, 2), (65_537, 4)])
def test_of_more_than_65536_rows_each_has_its_own_outputs(tmp_path, keeps, count, each):
    rows = pd.DataFrame({"a": np.arange(float(count))})
    outputs = kept(tmp_path if keeps else None, rows=rows).outputs(1, 1)
    values = outputs.of(np.array([[0], [count - 1]]), lambda new: new[:, None].astype(float), 9)
    assert values[:, 0].tolist() == [0.0, 1.0]
    assert [path.stat().st_size for path in tmp_path.rglob(OUTPUTS)] == [2 * (each + 8)] * keeps
