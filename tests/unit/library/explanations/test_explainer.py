"""The front door: values against enumeration, whatever the rows, the model and the way."""

import warnings
from itertools import pairwise
from math import factorial
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import xgboost
from scipy import sparse
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import Ridge
from sklearn.neural_network import MLPRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVR

from shapaudit import Explainer
from shapaudit.datasets.mixed import TableError
from shapaudit.explanations import evaluating
from shapaudit.games.base import all_coalitions

RNG = np.random.default_rng(0)
MIXED = pd.DataFrame(
    {
        "size": RNG.normal(60, 20, 12),
        "city": RNG.choice(["Bonn", "Kiel"], 12),
        "old": RNG.random(12) < 0.5,
        "floor": pd.array([1, 2, None, 3] * 3, dtype="Int64"),
    }
)
NUMBERS = pd.DataFrame(RNG.normal(size=(30, 9)), columns=list("abcdefghi"))


def rent(rows):
    """A model of a mixed table with an interaction."""
    kiel, old = (rows["city"] == "Kiel").to_numpy(), rows["old"].to_numpy()
    floor = rows["floor"].astype("float64").fillna(0.0).to_numpy()
    return rows["size"].to_numpy() * (10.0 + 2.0 * kiel) - 50.0 * old * kiel + floor**2


def smooth(rows):
    """A model of numbers, given as a table or as an array, with interactions."""
    x = np.asarray(rows)
    return np.tanh(x @ np.arange(1, 10) / 6.0) + x[:, 0] * x[:, 1] + 0.3 * x[:, 2] * x[:, 3]


def by_definition(model, row, background, players):
    """Shapley values of the marginal game by the definition, from a table of all coalitions."""
    d = len(players)
    values = {}
    for coalition in all_coalitions(d):
        hybrid = background.copy()
        for player, columns in enumerate(players):
            for column in columns if coalition[player] else ():
                hybrid[column] = row[column].iloc[0]
        hybrid = hybrid.astype(background.dtypes.to_dict())
        values[tuple(coalition)] = np.mean(model(hybrid), axis=0)
    shares = []
    for player in range(d):
        share = 0.0
        for coalition, value in values.items():
            if not coalition[player]:
                k = sum(coalition)
                joined = (*coalition[:player], True, *coalition[player + 1 :])
                weight = factorial(k) * factorial(d - k - 1) / factorial(d)
                share = share + weight * (values[joined] - value)
        shares.append(share)
    return np.array(shares)


class Asked:
    """A model that counts the rows it is asked for, and may be stopped after some calls."""

    def __init__(self, model, stop_after=None):
        self.model, self.rows, self.calls, self.stop_after = model, [], 0, stop_after

    def __call__(self, rows):
        self.calls += 1
        if self.stop_after is not None and self.calls > self.stop_after:
            raise KeyboardInterrupt
        self.rows += [tuple(row) for row in np.asarray(rows).tolist()]
        return self.model(rows)


@pytest.fixture
def slow(monkeypatch):
    """Every model counts as slow, so that its outputs are remembered, and is asked in parts."""
    trial = SimpleNamespace(row_seconds=1.0)
    monkeypatch.setattr(evaluating, "SpeedTrial", lambda predict, table: trial)
    monkeypatch.setattr(evaluating, "CALL", 40.0)  # rows


def test_values_of_a_mixed_table_are_those_of_the_definition():
    explanation = Explainer(rent, MIXED[4:])(MIXED[:3])
    players = [[name] for name in MIXED]
    expected = [by_definition(rent, MIXED[k : k + 1], MIXED[4:], players) for k in range(3)]
    np.testing.assert_allclose(explanation.values, expected, rtol=1e-10, atol=1e-9)
    assert explanation.feature_names == tuple(MIXED)
    assert explanation.method == "enumeration"
    assert explanation.exact
    assert explanation.evaluations.tolist() == [16] * 3
    np.testing.assert_allclose(explanation.predictions, rent(MIXED[:3]))
    np.testing.assert_allclose(explanation.base_values, rent(MIXED[4:]).mean())
    pd.testing.assert_frame_equal(explanation.data, MIXED[:3])


@pytest.mark.parametrize("dtype", ["int64", "uint8"])
def test_rows_with_fractions_are_not_cut_to_the_whole_numbers_of_the_background(dtype):
    background = np.array([[0, 1, 0], [1, 0, 1]], dtype=dtype)
    rows = np.array([[300.5, -1.5, 0.25]])
    explanation = Explainer(lambda rows: rows[:, 0] * rows[:, 1] + rows[:, 2], background)(rows)
    np.testing.assert_allclose(explanation.predictions, 300.5 * -1.5 + 0.25)


def test_booleans_given_as_numbers_have_the_type_of_the_background():
    seen = set()

    def model(rows):
        seen.update(map(str, rows.dtypes))
        return rows["size"].to_numpy() * rows["old"].to_numpy()

    table = MIXED[["size", "old"]]
    expected = Explainer(model, table[4:])(table[:2])
    numbered = Explainer(model, table[4:])(table[:2].assign(old=table["old"].astype(int)))
    np.testing.assert_array_equal(numbered.values, expected.values)
    assert seen == {"float64", "bool"}
    with pytest.raises(TableError, match="column 'old' holds float64, in the background bool"):
        Explainer(model, table[4:])(table[:2].assign(old=0.5))


def test_a_function_finds_its_columns_by_the_names_that_they_were_given():
    numbered = NUMBERS[["a", "b", "c"]].set_axis([0, 1, 2], axis=1)
    levels = numbered.set_axis(pd.MultiIndex.from_tuples([(0, "x"), (0, "y"), (1, "x")]), axis=1)
    first = Explainer(lambda rows: rows[0] * rows[1], numbered[10:])(numbered[:2])
    second = Explainer(lambda rows: rows[0]["x"] * rows[(0, "y")], levels[10:])(levels[:2])
    np.testing.assert_allclose(first.predictions, numbered[0][:2] * numbered[1][:2])
    np.testing.assert_array_equal(second.values, first.values)
    assert first.feature_names == ("0", "1", "2")
    assert second.feature_names == ("0 x", "0 y", "1 x")


def test_rows_of_looser_types_have_those_of_the_background():
    explainer = Explainer(rent, MIXED[4:])
    expected = explainer(MIXED[:2])
    for rows in (MIXED[:2].astype(object), MIXED[:2].to_numpy(), MIXED[:2].convert_dtypes()):
        explanation = explainer(rows)
        np.testing.assert_allclose(explanation.values, expected.values, rtol=1e-12)
        assert explanation.data["size"].dtype == np.float64
    first = MIXED.iloc[0].to_frame().T
    np.testing.assert_allclose(explainer(first).values, expected.values[:1], rtol=1e-12)


def test_entries_that_are_masked_are_missing():
    masked = np.ma.masked_array(NUMBERS[["a", "b"]][:2].to_numpy(), [[True, False], [False, False]])
    explainer = Explainer(lambda rows: np.nan_to_num(rows).sum(axis=1), NUMBERS[["a", "b"]][10:])
    assert explainer(masked).data.isna().to_numpy().tolist() == masked.mask.tolist()


def in_hundreds(rows):
    """A function that changes the table that it is given: a column, and which there are."""
    rows["a"] = rows["a"] / 100.0
    rows["product"] = rows["a"] * rows.pop("b")
    return rows["product"].to_numpy() + rows["c"].to_numpy()


def hundreds_of_arrays(rows):
    """The same function of an array, which it changes too."""
    rows[:, 0] /= 100.0
    return rows[:, 0] * rows[:, 1] + rows[:, 2]


@pytest.mark.parametrize(
    ("model", "kind"),
    [(in_hundreds, lambda rows: rows), (hundreds_of_arrays, pd.DataFrame.to_numpy)],
)
def test_a_function_may_change_the_rows_that_it_is_given(model, kind):
    table = NUMBERS[["a", "b", "c"]]
    background, rows = table[10:16].copy(), table[:2].copy()
    explanation = Explainer(model, kind(background))(kind(rows))
    players = [["a"], ["b"], ["c"]]
    expected = [
        by_definition(lambda rows: in_hundreds(rows.copy()), rows[k : k + 1], background, players)
        for k in range(2)
    ]
    np.testing.assert_allclose(explanation.values, expected, rtol=1e-12, atol=1e-12)
    pd.testing.assert_frame_equal(background, table[10:16])
    pd.testing.assert_frame_equal(rows, table[:2])
    assert explanation.data.shape == (2, 3)


def test_groups_are_players():
    explainer = Explainer(rent, MIXED[4:], groups={"place": ["city", "floor"]})
    players = {"size": ["size"], "place": ["city", "floor"], "old": ["old"]}
    assert set(explainer.feature_names) == set(players)
    expected = by_definition(
        rent, MIXED[:1], MIXED[4:], [players[name] for name in explainer.feature_names]
    )
    explanation = explainer(MIXED[:1])
    np.testing.assert_allclose(explanation.values[0], expected, rtol=1e-10)
    assert explanation.groups == {"place": ("city", "floor")}
    assert "Bonn, " in " ".join(map(str, explanation.to_frame()["data"])) or (
        "Kiel, " in " ".join(map(str, explanation.to_frame()["data"]))
    )


@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_matrix, lambda rows: rows.to_numpy("f4")])
def test_a_function_gets_rows_in_the_form_of_the_background(kind):
    given = []

    def model(rows):
        given.append(rows)
        return smooth(rows.toarray() if sparse.issparse(rows) else rows)

    background, rows = kind(NUMBERS[10:16]), kind(NUMBERS[:2])
    explanation = Explainer(model, background, names=list(NUMBERS))(rows, evaluations=512)
    assert {type(each) for each in given} == {type(background)}
    assert {each.dtype for each in given} == {background.dtype}
    expected = Explainer(smooth, NUMBERS[10:16])(NUMBERS[:2], evaluations=512)
    np.testing.assert_allclose(explanation.values, expected.values, rtol=1e-5, atol=1e-6)
    assert explanation.feature_names == tuple(NUMBERS)


def test_a_table_of_another_package_is_taken_by_its_own_conversion():
    class Other:
        def __init__(self, table):
            self.table = table

        def to_pandas(self):
            return self.table

    explanation = Explainer(rent, Other(MIXED[4:]))(Other(MIXED[:2]))
    np.testing.assert_array_equal(explanation.values, Explainer(rent, MIXED[4:])(MIXED[:2]).values)


def test_columns_are_matched_by_name():
    explainer = Explainer(rent, MIXED[4:])
    turned = MIXED[:2][["floor", "old", "city", "size"]]
    np.testing.assert_array_equal(explainer(turned).values, explainer(MIXED[:2]).values)
    row = MIXED.iloc[0]
    np.testing.assert_allclose(explainer(row).values, explainer(MIXED[:1]).values)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (
            MIXED.drop(columns="city"),
            "rows has other columns than the background: it lacks",
        ),
        (MIXED.rename(columns={"city": "citty"}), "it lacks 'city' and has 'citty' in addition"),
        (MIXED.assign(more=1), "it has 'more' in addition"),
        (MIXED[["size", "city", "old", "floor", "size"]], "rows has 2 columns named 'size'"),
        (MIXED.assign(size="large"), "column 'size' holds .*, in the background float64"),
        (MIXED.assign(city=3), "column 'city' holds int64, in the background"),
        (MIXED[:0], "rows has no rows; give at least one"),
        (MIXED.to_numpy()[:, :3], "has 3 columns, the background has 4"),
        (np.zeros((2, 2, 2)), r"must be a table \(n, p\)"),
        (MIXED.iloc[0].to_dict(), r"got dict; make it one, as pandas.DataFrame\(rows\)"),
        ("rows.csv", "as a DataFrame or an array; got str"),
        (MIXED["size"], "is a Series, which is one row, and none of its labels is a column"),
    ],
)
def test_rows_that_do_not_fit_are_refused_before_the_model_is_asked(rows, message):
    model = Asked(rent)
    explainer = Explainer(model, MIXED[4:])
    asked = len(model.rows)
    with pytest.raises(TableError, match=message):
        explainer(rows)
    assert len(model.rows) == asked == 1


def test_a_category_that_the_background_lacks_is_named():
    table = pd.DataFrame({"a": pd.Categorical(["x", "y"]), "b": [1.0, 2.0]})
    explainer = Explainer(lambda rows: rows["b"].to_numpy(), table)
    with pytest.raises(TableError, match="column 'a' has 'z', which is no category"):
        explainer(pd.DataFrame({"a": pd.Categorical(["z"]), "b": [1.0]}))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"tolerance": 0.0}, "tolerance must be a positive number"),
        ({"tolerance": float("nan")}, "tolerance must be a positive number"),
        ({"minutes": 0}, "minutes must be a positive number"),
        ({"minutes": float("inf")}, "minutes must be a positive number"),
        ({"evaluations": 5}, "evaluations must be a whole number of at least 20"),
        ({"evaluations": 100.5}, "evaluations must be a whole number"),
        ({"tolerance": "0.1"}, "tolerance must be a number; got '0.1'"),
        ({"minutes": "1"}, "minutes must be a number; got '1'"),
        ({"n_jobs": 0}, "n_jobs must be 1 or more, or -1"),
        ({"n_jobs": "2"}, "n_jobs must be a whole number; got '2'"),
        ({"n_jobs": None}, "n_jobs must be a whole number; got None"),
        ({"keep": True}, "keep must be the path of a folder; got True"),
    ],
)
def test_settings_that_make_no_sense_are_refused(settings, message):
    with pytest.raises(TableError, match=message):
        Explainer(smooth, NUMBERS[10:])(NUMBERS[:2], **settings)


@pytest.mark.parametrize(
    ("model", "settings", "message"),
    [
        (lambda rows: np.full(len(rows), np.nan), {}, "the model gives nan"),
        (lambda rows: rows["city"], {}, "outputs of type"),
        (lambda rows: np.zeros(3), {}, r"shape \(3,\) for 1 rows"),
        (lambda rows: 1 / 0, {}, "the model fails on 1 rows"),
        (7, {}, "is no model"),
        (rent, {"output": "rent"}, "no output 'rent'"),
        (rent, {"removal": "gausian"}, "gaussian"),
        (rent, {"groups": {"place": ["citty"]}}, "'citty', which the table lacks"),
        (rent, {"groups": {"place": "city"}}, r"'place' must be a list; got 'city', perhaps"),
        (rent, {"groups": {"place": []}}, "the group 'place' has no columns"),
        (rent, {"groups": ["city", "old"]}, "groups must be a dictionary of names and lists"),
        (rent, {"removal": None}, "removal must be the id of a removal"),
        (rent, {"seed": -1}, "seed must be an integer of at least 0"),
        (rent, {"seed": "one"}, "seed must be an integer of at least 0"),
        (rent, {"output": 1.5}, "no output 1.5"),
        (rent, {"background_rows": 0}, "background_rows must be at least 1"),
        (rent, {"background_rows": 2.5}, "background_rows must be a whole number; got 2.5"),
        (lambda rows: np.zeros((len(rows), 30)), {}, "gives 30 outputs for each row; choose"),
    ],
)
def test_models_and_settings_that_do_not_do_are_refused_at_once(model, settings, message):
    with pytest.raises(TableError, match=message):
        Explainer(model, MIXED, **settings)


def test_an_empty_background_and_names_given_twice_are_refused():
    with pytest.raises(TableError, match="the background has no rows"):
        Explainer(rent, MIXED[:0])
    with pytest.raises(TableError, match="2 names for 9 columns"):
        Explainer(smooth, NUMBERS.to_numpy(), names=["a", "b"])
    with pytest.raises(TableError, match="the background has 9 columns named 'a'"):
        Explainer(smooth, NUMBERS.to_numpy(), names=["a"] * 9)


def test_a_random_model_and_one_that_looks_at_other_rows_are_refused():
    rng = np.random.default_rng(1)
    with pytest.raises(TableError, match="gives different numbers for the same rows"):
        Explainer(lambda rows: rng.random(len(rows)), NUMBERS)(NUMBERS[:3])
    centred = Explainer(lambda rows: np.asarray(rows)[:, 0] - np.mean(rows.iloc[:, 0]), NUMBERS)
    with pytest.raises(TableError, match="gives different numbers for the same rows"):
        centred(NUMBERS[:3])


def test_a_tolerance_is_met_and_evaluations_are_never_exceeded(slow):
    exact = Explainer(smooth, NUMBERS[10:])(NUMBERS[:4], evaluations=512)
    assert exact.exact
    assert exact.evaluations.tolist() == [512] * 4
    explainer = Explainer(smooth, NUMBERS[10:])
    near = explainer(NUMBERS[:4], tolerance=0.1)
    assert near.half_widths().max() <= 0.1
    assert np.abs(near.values - exact.values).max() <= 0.1
    assert near.evaluations.max() < 512
    assert near.method == "auto"
    finer = explainer(NUMBERS[:4], tolerance=0.001)
    assert (finer.evaluations >= near.evaluations).all()
    assert np.abs(finer.values - exact.values).max() <= 0.001
    few = explainer(NUMBERS[:4], evaluations=60)
    assert few.evaluations.max() <= 60
    assert "within" not in few.how
    spent = explainer(NUMBERS[:4], tolerance=0.001, evaluations=60)
    assert spent.half_widths().max() > 0.001
    assert "within 0.001; in 4 of 4 rows some are wider, and more evaluations" in spent.how
    for each in (near, few):
        np.testing.assert_allclose(each.predictions, smooth(NUMBERS[:4]), rtol=1e-9)


def test_rows_that_ended_before_the_tolerance_are_counted(slow):
    explainer = Explainer(smooth, NUMBERS[10:])
    met = explainer(NUMBERS[:4], tolerance=0.1)
    assert met.how.endswith("until all intervals are within 0.1.")
    missed = explainer(NUMBERS[:4], tolerance=0.01, evaluations=60)
    wide = (missed.half_widths().max(axis=1) > 0.01).sum()
    assert f"within 0.01; in {wide} of 4 rows some are wider, and more evaluations" in missed.how


def test_groups_are_named_as_the_columns_of_the_background_are():
    numbered = NUMBERS.set_axis(range(9), axis=1)
    explainer = Explainer(smooth, numbered[10:], groups={"first": [0, 1], 9: [7, 8]})
    assert explainer.feature_names == ("first", "2", "3", "4", "5", "6", "9")


def test_classes_of_whole_numbers_are_chosen_by_these_whatever_their_type():
    target = np.digitize(NUMBERS["a"] + NUMBERS["b"], [-0.5, 0.5]) + 1.0
    forest = RandomForestClassifier(5, random_state=0).fit(NUMBERS, target)
    for output in (2, 2.0, np.float64(2.0), "2.0"):
        assert Explainer(forest, NUMBERS[10:], output=output).unit == "probability of 2.0"


def test_without_a_tolerance_it_is_a_hundredth_of_the_spread_of_the_outputs(slow):
    explanation = Explainer(smooth, NUMBERS[10:])(NUMBERS[:4])
    assert explanation.half_widths().max() <= 0.01 * smooth(NUMBERS[10:]).std()
    assert "within 0.01 of the spread" in explanation.how


def test_minutes_that_do_not_suffice_are_refused_with_those_that_do(slow):
    with pytest.raises(
        TableError, match=r"20 of them at least; 3 rows take about 20 min.*\(20 are"
    ):
        Explainer(smooth, NUMBERS[10:])(NUMBERS[:3], minutes=1)


def test_a_row_has_the_same_values_in_any_company_order_and_number_of_jobs():
    explainer = Explainer(smooth, NUMBERS[10:])
    all_rows = explainer(NUMBERS[:6], evaluations=100)
    for chosen in ([5, 0], [2]):
        other = Explainer(smooth, NUMBERS[10:])(NUMBERS.iloc[chosen], evaluations=100)
        np.testing.assert_array_equal(other.values, all_rows.values[chosen])
    parallel = Explainer(smooth, NUMBERS[10:])(NUMBERS[:6], evaluations=100, n_jobs=2)
    np.testing.assert_array_equal(parallel.values, all_rows.values)
    other_seed = Explainer(smooth, NUMBERS[10:], seed=1)(NUMBERS[:6], evaluations=100)
    assert np.abs(other_seed.values - all_rows.values).max() > 1e-6


def test_a_model_that_cannot_be_sent_to_other_processes_is_named():
    class Bound:
        def __reduce__(self):
            raise TypeError("it holds a connection")

        def __call__(self, rows):
            return smooth(rows)

    with pytest.raises(TableError, match=r"cannot be sent to other processes, .*; take n_jobs=1"):
        Explainer(Bound(), NUMBERS[10:])(NUMBERS[:3], evaluations=60, n_jobs=2)


def test_threads_explain_a_slow_model_as_one_process_does(slow):
    alone = Explainer(smooth, NUMBERS[10:])(NUMBERS[:4], evaluations=60)
    threads = Explainer(smooth, NUMBERS[10:])(NUMBERS[:4], evaluations=60, n_jobs=3)
    np.testing.assert_array_equal(threads.values, alone.values)


def test_a_slow_model_is_never_asked_twice_for_a_row_after_its_trial(slow):
    model = Asked(smooth)
    explainer = Explainer(model, NUMBERS[10:])
    first = explainer(NUMBERS[:1], evaluations=60)
    model.rows.clear()
    again = explainer(NUMBERS[:1], evaluations=60)
    np.testing.assert_array_equal(again.values, first.values)
    assert not model.rows
    explainer(NUMBERS[1:4], evaluations=60)
    assert len(model.rows) == len(set(model.rows)) > 1000


def test_a_run_that_was_stopped_goes_on_where_it_was(slow):
    whole = Asked(smooth)
    expected = Explainer(whole, NUMBERS[10:])(NUMBERS[:5], evaluations=60)
    model = Asked(smooth, stop_after=whole.calls // 2)
    explainer = Explainer(model, NUMBERS[10:])
    stopped = pytest.warns(UserWarning, match="stopped: [1-4] of 5 rows are explained and kept")
    with stopped, pytest.raises(KeyboardInterrupt):
        explainer(NUMBERS[:5], evaluations=60)
    model.stop_after = None
    resumed = explainer(NUMBERS[:5], evaluations=60)
    np.testing.assert_array_equal(resumed.values, expected.values)
    assert len(model.rows) == len(whole.rows)


def test_what_is_kept_in_a_folder_serves_another_process(slow, tmp_path):
    folder = tmp_path / "kept"
    model = Asked(smooth)
    first = Explainer(model, NUMBERS[10:])(NUMBERS[:3], evaluations=60, keep=folder)
    again = Asked(smooth)
    explainer = Explainer(again, NUMBERS[10:])
    same = explainer(NUMBERS[:3], evaluations=60, keep=folder)
    np.testing.assert_array_equal(same.values, first.values)
    np.testing.assert_array_equal(same.evaluations, first.evaluations)
    seen, asked = set(model.rows), set(again.rows)
    assert asked <= seen
    finer = explainer(NUMBERS[:3], evaluations=80, keep=folder)
    assert finer.evaluations.tolist() == [80] * 3


def test_a_folder_of_another_model_or_of_somebody_else_is_refused(tmp_path):
    folder = tmp_path / "kept"
    Explainer(smooth, NUMBERS[10:])(NUMBERS[:1], evaluations=60, keep=folder)
    with pytest.raises(TableError, match="keeps explanations of another model"):
        Explainer(lambda rows: 2 * smooth(rows), NUMBERS[10:])(
            NUMBERS[:1], evaluations=60, keep=folder
        )
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("all of it")
    with pytest.raises(TableError, match="is no folder of explanations"):
        Explainer(smooth, NUMBERS[10:])(NUMBERS[:1], evaluations=60, keep=tmp_path / "mine")
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["thesis.txt"]


def test_a_row_whose_output_is_zero_is_explained_whatever_the_rounding():
    table = NUMBERS[["a", "b", "c"]]

    def model(rows):
        x = np.asarray(rows)
        return np.where(x[:, 0] < 9.0, 0.1 + np.sin(x).sum(axis=1) / 3.0, 0.0)

    explanation = Explainer(model, table[10:])(table[:4].assign(a=10.0))
    np.testing.assert_allclose(explanation.predictions, 0.0, atol=1e-12)


def test_a_folder_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(TableError, match=r"cannot be written: .*; name another"):
        Explainer(smooth, NUMBERS[10:])(NUMBERS[:1], evaluations=60, keep=tmp_path / "file" / "in")


def test_a_folder_whose_description_is_damaged_is_named(tmp_path):
    call = {"evaluations": 60, "keep": tmp_path / "kept"}
    Explainer(smooth, NUMBERS[10:])(NUMBERS[:1], **call)
    (tmp_path / "kept" / "shapaudit-explanations.json").write_text("")
    with pytest.raises(TableError, match=r"explanations.json is damaged .*; delete "):
        Explainer(smooth, NUMBERS[10:])(NUMBERS[:1], **call)


def test_a_file_of_finished_rows_that_is_damaged_is_named(tmp_path):
    call = {"evaluations": 60, "keep": tmp_path / "kept"}
    Explainer(smooth, NUMBERS[10:])(NUMBERS[:1], **call)
    (tmp_path / "kept" / "finished.jsonl").write_text("not a row\n")
    with pytest.raises(TableError, match=r"finished.jsonl is damaged .*; delete that file"):
        Explainer(smooth, NUMBERS[10:])(NUMBERS[:1], **call)


def test_a_row_alone_takes_the_minutes_that_many_rows_had(slow):
    explainer = Explainer(smooth, NUMBERS[10:])
    explainer(NUMBERS[:2], minutes=1000)
    explainer(NUMBERS[:1], minutes=500)  # as much for a row
    (memory,) = explainer._evaluation._memories.values()
    assert len(memory._finished) == 2
    explainer(NUMBERS[:1], minutes=1000)
    assert len(memory._finished) == 3


def test_warnings_name_the_line_that_called(slow):
    explainer = Explainer(Asked(smooth, stop_after=3), NUMBERS[10:])
    stopped = pytest.warns(UserWarning, match="the same call of this explainer goes on from there")
    with stopped as warned, pytest.raises(KeyboardInterrupt):
        explainer(NUMBERS[:2], evaluations=60)
    with pytest.warns(UserWarning, match="stand for all") as drawn:
        Explainer(smooth, NUMBERS[10:], background_rows=5).convergence(NUMBERS[:1], evaluations=60)
    assert {each.filename for each in [*warned, *drawn]} == {__file__}


def test_a_large_background_is_drawn_from_and_that_is_said():
    many = pd.DataFrame(RNG.normal(size=(150, 9)), columns=list(NUMBERS))
    with pytest.warns(match="100 of the 150 background rows, drawn with seed 0") as told:
        drawn = Explainer(smooth, many)(NUMBERS[:1], evaluations=60)
    assert [warning.filename for warning in told] == [__file__]
    assert "100 background rows" in drawn.how
    whole = Explainer(smooth, many, background_rows=None)(NUMBERS[:1], evaluations=60)
    np.testing.assert_allclose(whole.base_values, smooth(many).mean())
    assert drawn.base_values[0] != whole.base_values[0]


def test_a_removal_takes_the_place_of_the_background():
    explainer = Explainer(smooth, NUMBERS[5:], removal="gaussian")
    explanation = explainer(NUMBERS[:2], evaluations=60)
    assert "removed by gaussian, fitted to 25 rows" in explanation.how
    np.testing.assert_allclose(explanation.predictions, smooth(NUMBERS[:2]), rtol=1e-9)
    marginal = Explainer(smooth, NUMBERS[5:])(NUMBERS[:2], evaluations=60)
    assert np.abs(marginal.values - explanation.values).max() > 0.01
    with pytest.raises(TableError, match="'gaussian' needs columns of numbers, and 'city'"):
        Explainer(rent, MIXED, removal="gaussian")(MIXED[:1], evaluations=60)


def test_a_removal_whose_sums_are_not_the_outputs_says_so():
    table = NUMBERS[["a", "b"]]
    explainer = Explainer(lambda rows: rows["a"] * rows["b"], table[2:], removal="cohort")
    with pytest.warns(UserWarning, match="removal 'cohort' does not give the model's output"):
        explainer(table[:2])


def test_trees_are_read_where_their_sums_are_the_outputs():
    target = (NUMBERS["a"] + NUMBERS["b"] > 0).astype(int)
    forest = RandomForestClassifier(20, random_state=0).fit(NUMBERS, target)
    read = Explainer(forest, NUMBERS[10:])(NUMBERS[:3])
    assert read.method == "trees"
    assert read.unit == "probability of 1"
    asked = Explainer(forest.predict_proba, NUMBERS[10:], output=1)(NUMBERS[:3], evaluations=512)
    assert asked.method == "enumeration"
    np.testing.assert_allclose(read.values, asked.values, atol=1e-12)
    np.testing.assert_allclose(read.predictions, forest.predict_proba(NUMBERS[:3])[:, 1])


def test_a_booster_is_read_on_its_raw_scale_and_asked_for_probabilities():
    target = (NUMBERS["a"] + NUMBERS["b"] > 0).astype(int)
    booster = GradientBoostingClassifier(n_estimators=10, random_state=0).fit(NUMBERS, target)
    raw = Explainer(booster, NUMBERS[10:], raw=True)(NUMBERS[:3])
    assert raw.method == "trees"
    np.testing.assert_allclose(raw.predictions, booster.decision_function(NUMBERS[:3]))
    shares = Explainer(booster, NUMBERS[10:])(NUMBERS[:3], evaluations=512)
    assert shares.method == "enumeration"
    np.testing.assert_allclose(shares.predictions, booster.predict_proba(NUMBERS[:3])[:, 1])


def test_several_outputs_have_an_axis_of_their_own():
    def both(rows):
        return pd.DataFrame({"one": smooth(rows), "two": 2.0 * smooth(rows) + 1.0})

    explanation = Explainer(both, NUMBERS[10:])(NUMBERS[:3], evaluations=60)
    assert explanation.values.shape == (3, 9, 2)
    assert explanation.output_names == ("one", "two")
    np.testing.assert_allclose(explanation.values[..., 1], 2 * explanation.values[..., 0])
    chosen = Explainer(both, NUMBERS[10:], output="two")(NUMBERS[:3], evaluations=60)
    np.testing.assert_allclose(chosen.values, explanation["two"].values, atol=1e-11)


def test_names_of_features_are_used_where_the_model_has_them():
    model = MLPRegressor(hidden_layer_sizes=(4,), max_iter=50, random_state=0)
    with pytest.warns(match="Maximum iterations"):
        model.fit(NUMBERS, smooth(NUMBERS))
    explanation = Explainer(model, NUMBERS[10:])(NUMBERS[:2], evaluations=60)
    np.testing.assert_allclose(explanation.predictions, model.predict(NUMBERS[:2]))


def test_a_model_that_was_fitted_to_an_array_gets_arrays_and_warns_of_no_names():
    model = SVR().fit(NUMBERS.to_numpy(), smooth(NUMBERS))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        explanation = Explainer(model, NUMBERS[10:])(NUMBERS[:2], evaluations=60)
    np.testing.assert_allclose(explanation.predictions, model.predict(NUMBERS[:2].to_numpy()))


def test_convergence_shows_a_row_while_evaluations_grow():
    explainer = Explainer(smooth, NUMBERS[10:])
    frame = explainer.convergence(NUMBERS[:1], evaluations=512)
    assert list(frame) == ["evaluations", "feature", "value", "low", "high"]
    counts = frame["evaluations"].unique()
    assert all(before < after for before, after in pairwise(counts))
    assert counts[-1] == 512
    last = frame[frame["evaluations"] == 512]
    exact = explainer(NUMBERS[:1], evaluations=512)
    np.testing.assert_allclose(last["value"], exact.values[0], atol=1e-12)
    np.testing.assert_array_equal(last["low"], last["high"])
    with pytest.raises(TableError, match="convergence is shown of one row; 2 were given"):
        explainer.convergence(NUMBERS[:2])


def test_a_linear_model_is_read_and_so_are_its_groups():
    target = NUMBERS @ np.arange(9.0) + 1.0
    model = make_pipeline(StandardScaler(), Ridge(alpha=0.1)).fit(NUMBERS, target)
    read = Explainer(model, NUMBERS[10:])(NUMBERS[:3])
    assert read.method == "linear"
    asked = Explainer(model.predict, NUMBERS[10:])(NUMBERS[:3], evaluations=512)
    np.testing.assert_allclose(read.values, asked.values, atol=1e-9)
    groups = {"first": ["a", "b", "c"]}
    together = Explainer(model, NUMBERS[10:], groups=groups)(NUMBERS[:3])
    assert together.method == "linear"
    np.testing.assert_allclose(together.values[:, 0], read.values[:, :3].sum(axis=1))


def test_trees_are_read_by_the_names_of_their_features():
    target = (NUMBERS["a"] + NUMBERS["b"] > 0).astype(int)
    forest = RandomForestClassifier(20, random_state=0).fit(NUMBERS, target)
    turned = NUMBERS[list("ihgfedcba")]
    read = Explainer(forest, turned[10:])(turned[:3])
    assert read.method == "trees"
    straight = Explainer(forest, NUMBERS[10:])(NUMBERS[:3])
    np.testing.assert_allclose(read.values[:, ::-1], straight.values, atol=1e-15)


def test_a_reader_whose_sums_differ_is_not_used(monkeypatch):
    target = (NUMBERS["a"] + NUMBERS["b"] > 0).astype(int)
    forest = RandomForestClassifier(20, random_state=0).fit(NUMBERS, target)
    predict = forest.predict_proba
    monkeypatch.setattr(forest, "predict_proba", lambda rows: 0.9 * predict(rows) + 0.05)
    explanation = Explainer(forest, NUMBERS[10:])(NUMBERS[:2], evaluations=512)
    assert explanation.method == "enumeration"
    np.testing.assert_allclose(explanation.predictions, 0.9 * predict(NUMBERS[:2])[:, 1] + 0.05)


def test_a_saved_model_is_named_by_its_path(tmp_path):
    booster = xgboost.XGBRegressor(n_estimators=5, max_depth=3).fit(NUMBERS, smooth(NUMBERS))
    booster.get_booster().save_model(tmp_path / "model.json")
    read = Explainer(tmp_path / "model.json", NUMBERS[10:])(NUMBERS[:3])
    assert read.method == "trees"
    np.testing.assert_allclose(read.predictions, booster.predict(NUMBERS[:3]), rtol=1e-5)
    with pytest.raises(TableError, match="does not exist"):
        Explainer(tmp_path / "other.json", NUMBERS[10:])


def test_all_coalitions_of_a_fast_model_are_evaluated(monkeypatch):
    cheap = Explainer(smooth, NUMBERS[10:])(NUMBERS[:2], tolerance=0.1)
    assert cheap.exact
    assert cheap.method == "enumeration"
    chosen = Explainer(smooth, NUMBERS[10:])(NUMBERS[:2], tolerance=0.1, evaluations=100)
    assert chosen.method == "auto"
    monkeypatch.setattr("shapaudit.explanations.stopping.FIT", 0.0)
    assert Explainer(smooth, NUMBERS[10:])(NUMBERS[:2], tolerance=0.1).method == "auto"


def test_rows_draw_coalitions_of_their_own():
    rows = NUMBERS[:2].copy()
    rows.iloc[1] = rows.iloc[0]
    rows.iloc[1, 8] = 5.0  # of which this model knows nothing
    background = NUMBERS[10:]

    def without(table):
        return smooth(np.asarray(table) * np.array([1.0] * 8 + [0.0]))

    values = Explainer(without, background)(rows, evaluations=40).values
    assert np.abs(values[0] - values[1]).max() > 1e-6
    np.testing.assert_allclose(values[0].sum(), values[1].sum())


def test_the_errors_of_a_removal_that_draws_are_those_of_its_draws():
    table = pd.DataFrame(np.random.default_rng(2).normal(size=(60, 3)), columns=list("abc"))

    def product(rows):
        x = np.asarray(rows)
        return x[:, 0] * x[:, 1] + x[:, 2]

    runs = [
        Explainer(product, table, removal="gaussian", seed=seed)(table[:1]) for seed in range(40)
    ]
    values = np.array([run.values[0] for run in runs])
    errors = np.array([run.standard_errors[0] for run in runs])
    assert not runs[0].exact
    assert runs[0].method == "enumeration"
    assert "its draws have errors" in runs[0].how
    ratio = np.sqrt((errors**2).mean(axis=0)) / values.std(axis=0, ddof=1)
    assert (ratio > 0.7).all()
    assert (ratio < 1.4).all()
    exact = Explainer(product, table, removal="kernel")(table[:1])
    assert exact.exact


def test_a_linear_booster_is_explained():
    data = xgboost.DMatrix(NUMBERS, NUMBERS @ np.arange(9.0))
    booster = xgboost.train({"booster": "gblinear"}, data, 5)
    explanation = Explainer(booster, NUMBERS[10:])(NUMBERS[:2])
    np.testing.assert_allclose(explanation.predictions, booster.predict(data)[:2], rtol=1e-4)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_rows_are_read_in_parts_as_together(n_jobs, monkeypatch):
    forest = RandomForestClassifier(20, random_state=0).fit(NUMBERS, NUMBERS["a"] > 0)
    together = Explainer(forest, NUMBERS)(NUMBERS)
    monkeypatch.setattr("shapaudit.explanations.many_rows.READ_AT_ONCE", 7)
    parts = Explainer(forest, NUMBERS)(NUMBERS, n_jobs=n_jobs)
    np.testing.assert_array_equal(parts.values, together.values)
    assert parts.method == "trees"


def test_a_column_that_the_model_ignores_has_the_value_0():
    def model(rows):
        return smooth(np.asarray(rows) * np.array([1.0] * 7 + [0.0] * 2))

    explanation = Explainer(model, NUMBERS[10:])(NUMBERS[:3], evaluations=512)
    np.testing.assert_array_equal(explanation.values[:, 7:], 0.0)
    assert (explanation.values[:, :7] != 0).all()
