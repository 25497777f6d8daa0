"""The front door: when rows end, what is kept, and what is asked again."""

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

from explained_models import NUMBERS, RNG, Asked, smooth
from shapaudit import Explainer
from shapaudit.datasets.mixed import TableError


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
