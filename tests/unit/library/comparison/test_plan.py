"""What a comparison takes: counted, priced, and measured on the model."""

import itertools
import re
import time

import numpy as np
import pandas as pd
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from shapaudit.comparison import TableError, own_time
from shapaudit.comparison.own_time import within
from shapaudit.comparison.plan import Plan, best_plan, ladder, plan
from shapaudit.estimators import create
from shapaudit.explanations.asking import MOST_TIMED, SpeedTrial
from shapaudit.games import all_coalitions
from shapaudit.progress import duration


def test_a_model_that_is_slow_gets_a_reference_and_small_budgets():
    planned = plan(
        players=12,
        background=1,
        explicands=10,
        estimators=4,
        row_seconds=0.1,
        allowed=600.0,
        trees=False,
    )
    assert planned.truth == "reference"
    assert planned.reference == 300
    assert planned.budgets == (26,)
    assert planned.rows == 10 * (300 + 4 * 26) <= 6000
    assert planned.seconds == pytest.approx(planned.rows * 0.1)


def test_fewer_rows_are_explained_before_exact_values_are_given_up():
    settings = {"players": 10, "background": 1, "estimators": 4, "row_seconds": 0.01}
    planned = plan(**settings, explicands=20, allowed=150.0, trees=False)
    assert (planned.truth, planned.explicands) == ("enumeration", 14)


def test_a_model_that_is_too_dear_is_priced_before_the_work():
    with pytest.raises(TableError, match=r"5 s per row.*allow more minutes.*groups of columns"):
        plan(
            players=30,
            background=20,
            explicands=20,
            estimators=4,
            row_seconds=5.0,
            allowed=600.0,
            trees=False,
        )


def test_budgets_double_up_to_half_of_all_coalitions():
    assert ladder(6, 32) == (14, 28)
    assert ladder(1, 1) == ()


def test_all_coalitions_are_counted_and_timed():
    planned = plan(
        players=8,
        background=3,
        explicands=12,
        estimators=4,
        row_seconds=0.01,
        allowed=600.0,
        trees=False,
    )
    assert (planned.truth, planned.reference, planned.repetitions) == ("enumeration", 0, 3)
    assert planned.rows == 12 * 3 * 2**8
    assert planned.seconds == pytest.approx(12 * 3 * 2**8 * 0.01)
    assert planned.budgets == (18, 36, 72)  # up to half of all coalitions


def test_trees_need_no_reference():
    settings = {"players": 30, "background": 2, "explicands": 10, "estimators": 3}
    planned = plan(**settings, row_seconds=1e-3, allowed=60.0, trees=True)
    assert (planned.truth, planned.reference, planned.repetitions) == ("trees", 0, 1)
    assert planned.budgets == (62, 124, 248, 496)  # 930 evaluations of each of 3 in 3000 of a row
    assert planned.rows == 10 * 2 * 3 * (62 + 124 + 248 + 496)
    assert planned.seconds == pytest.approx(planned.rows * 1e-3)


@pytest.mark.parametrize("players", [3, 5, 30])
@pytest.mark.parametrize("estimators", [1, 4, 7])
@pytest.mark.parametrize("trees", [False, True])
def test_the_price_of_the_smallest_comparison_is_what_just_suffices(players, estimators, trees):
    settings = {"players": players, "background": 1, "explicands": 20, "estimators": estimators}

    def planned(allowed):
        return plan(**settings, row_seconds=1.0, allowed=float(allowed), trees=trees)

    def refused(allowed):
        try:
            planned(allowed)
        except TableError:
            return True
        return False

    least = next(seconds for seconds in itertools.count(20, 20) if not refused(seconds))
    with pytest.raises(TableError, match=f"would take it about {duration(least)}; allow"):
        planned(least - 20)


def test_the_smallest_comparison_of_very_many_rows_is_of_ten_by_all_coalitions():
    settings = {"background": 1, "estimators": 4, "row_seconds": 1.0, "trees": False}
    for players, rows, least in (
        (20, 40_000, 10 * 2**20),  # fewer than 40,000 rows with 336 evaluations each
        (21, 100_000, 100_000 * 44 * 8),  # too many players for it
    ):
        with pytest.raises(TableError, match=f"would take it about {duration(least)}; allow"):
            plan(players=players, explicands=rows, allowed=1000.0, **settings)


class Clocked:
    """A model whose calls take as long as is said, by a clock of its own."""

    def __init__(self, monkeypatch, call, row):
        self.now, self.sizes, self.call, self.row = 0.0, [], call, row
        monkeypatch.setattr(time, "perf_counter", lambda: self.now)

    def __call__(self, table):
        self.sizes.append(len(table))
        self.now += self.call + self.row * len(table)
        return table["a"].to_numpy()


TABLE = pd.DataFrame({"a": np.arange(6.0)})


def test_the_speed_is_read_off_a_batch_that_takes_long_and_that_more_rows_do_not_help(monkeypatch):
    model = Clocked(monkeypatch, 0.1, 1e-3)
    assert SpeedTrial(model, TABLE).row_seconds == pytest.approx((0.1 + 0.384) / 384)
    # From 96 to 384 rows 2.0 to 1.3 ms each; three calls of a size, or half a second of them.
    assert model.sizes == [1, 6, 3, *[24] * 3, *[96] * 3, *[384] * 2]


def test_a_slow_model_is_asked_for_no_row_more_than_its_trial_takes(monkeypatch):
    model = Clocked(monkeypatch, 0.0, 0.1)
    assert SpeedTrial(model, TABLE).row_seconds == pytest.approx(0.1)
    assert model.sizes == [1, 6, 3]


def test_a_fast_model_is_asked_for_about_4096_rows_at_most(monkeypatch):
    model = Clocked(monkeypatch, 0.0, 0.0)
    SpeedTrial(model, TABLE)
    assert model.sizes[-1] == 6144
    assert MOST_TIMED == 4096


class Disturbed(Clocked):
    """Other programs make every call longer but a few."""

    def __init__(self, monkeypatch, call, row, undisturbed):
        super().__init__(monkeypatch, call, row)
        self.undisturbed = undisturbed

    def __call__(self, table):
        if len(self.sizes) not in self.undisturbed:
            self.now += 5 * (self.call + self.row * len(table))
        return super().__call__(table)


def test_a_call_that_others_made_longer_does_not_set_the_price(monkeypatch):
    """Of the calls only the second of 24 rows is undisturbed."""
    model = Disturbed(monkeypatch, 0.0, 0.002, undisturbed={4})
    assert SpeedTrial(model, TABLE).row_seconds == pytest.approx(0.002)
    assert model.sizes == [1, 6, 3, 24, 24, 24, 96]


def test_a_model_that_looked_slow_is_measured_again(monkeypatch):
    model = Disturbed(monkeypatch, 0.0, 0.1, undisturbed={4})
    trial = SpeedTrial(model, TABLE)
    assert trial.row_seconds == pytest.approx(0.6)
    trial.measure_again()
    assert trial.row_seconds == pytest.approx(0.1)


def test_a_refusal_names_minutes_that_are_enough_and_what_else_helps():
    settings = {"players": 12, "background": 1, "explicands": 1, "estimators": 4, "trees": False}
    with pytest.raises(TableError) as refused:
        plan(**settings, row_seconds=5.0, allowed=60.0)
    told = str(refused.value)
    assert told.endswith("or take groups of columns as players")
    (minutes,) = re.findall(r"allow more minutes \((\d+) are enough\)", told)
    assert plan(**settings, row_seconds=5.0, allowed=60.0 * int(minutes)).budgets
    with pytest.raises(TableError):
        plan(**settings, row_seconds=5.0, allowed=60.0 * (int(minutes) - 1))
    with pytest.raises(TableError, match=r"\(260 are enough\)"):  # 208 evaluations
        plan(**settings, row_seconds=75.0, allowed=60.0)
    with pytest.raises(TableError, match="fewer background rows, or fewer explained rows, or"):
        plan(**settings | {"background": 2, "explicands": 2}, row_seconds=5.0, allowed=60.0)


SLOW = {"players": 12, "estimators": 4, "row_seconds": 0.1, "trees": False}


def test_background_and_rows_shrink_until_errors_are_seen_to_fall():
    choices = [(20, 20), (20, 10), (5, 20), (5, 10), (1, 20), (1, 10)]
    hour = best_plan(choices, **SLOW, allowed=3600.0)
    assert (hour.background, hour.explicands, len(hour.budgets)) == (1, 20, 3)
    day = best_plan(choices, **SLOW, allowed=86400.0)
    assert (day.background, day.explicands) == (20, 10)
    ten = best_plan(choices, **SLOW, allowed=600.0)
    assert (ten.background, len(ten.budgets)) == (1, 1)
    with pytest.raises(TableError, match="allow more minutes"):
        best_plan(choices, **SLOW, allowed=60.0)
    assert best_plan([(20, 20)], **SLOW, allowed=1e6).truth == "enumeration"


def test_exact_values_of_all_coalitions_are_worth_a_smaller_background():
    settings = {"players": 6, "estimators": 1, "row_seconds": 1.0, "trees": True}
    assert plan(background=2, explicands=10, allowed=1000.0, **settings).truth == "trees"
    best = best_plan([(2, 10), (1, 10)], allowed=1000.0, **settings)
    assert (best.truth, best.background, best.budgets) == ("enumeration", 1, (14, 28))


def test_budgets_are_cut_where_the_estimators_themselves_would_take_too_long(monkeypatch):
    monkeypatch.setattr(
        own_time, "own_seconds", lambda _, players, budgets: {b: b * 1e-3 for b in budgets}
    )
    estimators = {"one": create("auto"), "two": create("leverage-shap")}
    settings = {"players": 12, "background": 1, "explicands": 10, "estimators": 2}
    free = plan(**settings, row_seconds=1e-6, allowed=600.0, trees=False)
    assert free.budgets == (26, 52, 104, 208, 416, 832, 1664)
    assert within(free, estimators, 12, 1, 1e9).budgets == free.budgets
    # 10 rows, 3 runs, 2 estimators: 60 ms per evaluation; 806 of them up to 416.
    cut = within(free, estimators, 12, 1, 50.0)
    assert cut.budgets == (26, 52, 104, 208, 416)
    assert cut.own == pytest.approx(0.06 * 806)
    assert (cut.rows, cut.seconds) == (free.rows, free.seconds)
    assert within(free, estimators, 12, 5, 50.0).budgets == (26, 52)
    assert within(free, estimators, 12, 5, 1e9).own == pytest.approx(5 * 0.06 * sum(free.budgets))


def test_a_reference_is_cut_with_the_budgets_and_costs_fewer_rows(monkeypatch):
    monkeypatch.setattr(
        own_time, "own_seconds", lambda _, players, budgets: {b: b * 1e-3 for b in budgets}
    )
    settings = {"players": 30, "background": 1, "explicands": 10, "estimators": 1}
    free = plan(**settings, row_seconds=1e-5, allowed=600.0, trees=False)
    assert (free.reference, free.budgets[-1]) == (20_000, 3968)
    cut = within(free, {"one": create("leverage-shap")}, 30, 1, 60.0)
    # 10 ms per evaluation: 62 + 124 + 248 + 496 of the estimator, 8 * 496 of the reference
    assert (cut.budgets, cut.reference) == ((62, 124, 248, 496), 3968)
    assert cut.own == pytest.approx(0.01 * (930 + 3968))
    assert cut.rows == 10 * (930 + 3968)
    assert cut.row_seconds == pytest.approx(1e-5)


def test_the_time_of_an_estimator_is_measured_and_grows_with_the_square():
    times = own_time.own_seconds(create("leverage-shap"), 12, (26, 416, 832, 4096, 8192))
    assert all(seconds > 0 for seconds in times.values())
    assert times[832] == pytest.approx(4 * times[416])
    assert times[4096] == pytest.approx((4096 / 832) ** 2 * times[832])
    assert times[8192] == pytest.approx(2 * times[4096])
    assert own_time.own_seconds(create("random-order"), 12, (2,)) == {2: 0.0}


class Clock:
    """An estimator by whose runs the time of the process passes."""

    id = "clock"

    def __init__(self, monkeypatch, *spent):
        self.now, self.spent, self.threads = 3.0, list(spent), set()
        monkeypatch.setattr(time, "process_time", lambda: self.now)

    def estimate(self, game, budget, rng):
        blas = [pool for pool in threadpool_info() if pool["user_api"] == "blas"]
        self.threads |= {pool["num_threads"] for pool in blas}
        self.now += self.spent.pop(0)


def test_the_first_run_of_an_estimator_may_take_longer_than_it_does(monkeypatch):
    estimator = Clock(monkeypatch, 5.0, 4.0, 1.0)
    with threadpool_limits(2, user_api="blas"):
        assert own_time.own_seconds(estimator, 5, [100]) == {100: 4.0}
    assert estimator.spent == [1.0]
    assert estimator.threads == {1}


def test_runs_of_up_to_600_evaluations_are_measured_and_longer_ones_follow(monkeypatch):
    measured = []

    def seconds(estimator, game, budget):
        measured.append(budget)
        return float(budget)

    monkeypatch.setattr(own_time, "_measured", seconds)
    times = own_time.own_seconds(None, 5, (1202, 600, 100, 601))
    assert measured == [100, 600]
    assert times == pytest.approx({100: 100, 600: 600, 601: 601**2 / 600, 1202: 1202**2 / 600})
    assert own_time.own_seconds(None, 5, (1200,)) == pytest.approx({1200: 2400.0})
    assert measured[2:] == [600]


def test_estimators_may_take_what_is_allowed_and_a_budget_is_left(monkeypatch):
    monkeypatch.setattr(
        own_time, "own_seconds", lambda _, players, budgets: {b: float(b) for b in budgets}
    )
    estimators = {"one": create("leverage-shap")}

    def cut(budgets, allowed, rows=1):
        made = Plan("trees", 0, rows, budgets, 1, rows * sum(budgets), 1.0)
        fewer = within(made, estimators, 5, 1, allowed)
        assert fewer.rows == fewer.explicands * sum(fewer.budgets)
        return fewer.budgets if rows == 1 else (fewer.budgets, fewer.explicands)

    assert cut((10, 20, 40, 80), 150.0) == (10, 20, 40, 80)
    assert cut((10, 20, 40, 80), 149.0) == (10, 20, 40)
    assert cut((10, 20, 40, 80, 160), 69.0) == (10, 20)
    assert cut((10, 20), 1.0) == (10,)
    # Of 20 rows 10 suffice for limits: rows go before the last three budgets.
    assert cut((10, 20, 40, 80), 1400.0, rows=20) == ((10, 20, 40), 20)
    assert cut((10, 20, 40, 80), 700.0, rows=20) == ((10, 20, 40), 10)
    assert cut((10, 20, 40, 80), 699.0, rows=20) == ((10, 20), 10)
    assert cut((10, 20, 40, 80), 1.0, rows=20) == ((10,), 10)


@pytest.mark.parametrize("players", [21, 1023, 1024, 5000])
def test_there_are_plans_for_any_number_of_players(players):
    settings = {"background": 1, "explicands": 10, "estimators": 1, "trees": False}
    free = plan(players=players, row_seconds=1e-9, allowed=1e6, **settings)
    assert free.budgets[:1] == (2 * players + 2,)
    with pytest.raises(TableError, match="allow more minutes"):
        plan(players=players, row_seconds=1.0, allowed=1.0, **settings)


def test_no_estimator_is_exact_on_the_game_on_which_they_are_timed():
    """A smooth part of all players, and what the first one adds where a sum is positive."""
    game, coalitions = own_time._Interactions(6), all_coalitions(6)
    more = game(coalitions) - np.tanh(coalitions @ game._smooth)
    first = coalitions[:, 0]
    sums = coalitions[first] @ game._sharp
    np.testing.assert_allclose(more[~first], 0.0, atol=1e-12)
    np.testing.assert_allclose(more[first], np.where(sums > 0, sums, 0.0), atol=1e-12)
    assert ((sums > -1) & (sums < 0)).any()
    assert ((sums > 0) & (sums < 1)).any()
