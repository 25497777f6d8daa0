"""Estimators against each other at equal evaluations, and against published readings."""

import numpy as np
import pandas as pd
import pytest
from synthetic import estimates

from shapaudit.statistics import comparisons


def test_what_makes_an_explicand_hard_cancels_in_the_ratio():
    frame = estimates({"a": 0.5, "b": 1.0}, explicands=10, noise=0.0)
    ratio = comparisons.compare(frame, "a", "b")
    assert ratio == pytest.approx((0.5, 0.5, 0.5, 0.5))


def test_few_explicands_decide_nothing():
    ratio = comparisons.compare(estimates({"a": 0.5, "b": 1.0}, explicands=9, noise=0.0), "a", "b")
    assert ratio.estimate == pytest.approx(0.5)
    assert np.isnan(ratio[1:]).all()
    assert ratio.word == "undecided"


def test_equal_estimators_are_seldom_told_apart():
    rng = np.random.default_rng(0)
    wrong = 0
    for _ in range(400):
        errors = rng.lognormal(sigma=0.7, size=(2, 12))
        frame = pd.DataFrame(
            {
                "estimator": np.repeat(["a", "b"], 12),
                "budget": 100,
                "explicand": np.tile(np.arange(12), 2),
                "repetition": 0,
                "evaluations": 100,
                "error": errors.ravel(),
            }
        )
        ratio = comparisons.compare(frame, "a", "b", alpha=0.01)
        wrong += ratio.word != "undecided"
    assert wrong <= 12  # 4 expected; 4 sigma


def test_a_difference_is_decided_and_equality_is_not():
    frame = estimates({"a": 0.7, "b": 1.0, "c": 1.0}, explicands=30)
    better, equal = (comparisons.compare(frame, name, "b") for name in ("a", "c"))
    assert better.word == "smaller"
    assert equal.word == "undecided"
    assert better.inverted().word == "larger"


def test_limits_of_a_ratio_are_wider_at_a_higher_level():
    frame = estimates({"a": 0.7, "b": 1.0}, explicands=30)
    alone = comparisons.compare(frame, "a", "b", alpha=0.05)
    family = comparisons.compare(frame, "a", "b", alpha=0.001)
    assert family.low < alone.low < alone.high < family.high


def test_evaluations_to_reach_interpolates_in_logarithms():
    evaluations = np.array([10.0, 1000.0])
    errors = 1 / np.sqrt(evaluations)
    assert comparisons.evaluations_to_reach(evaluations, errors, 0.1) == pytest.approx(100)
    assert comparisons.evaluations_to_reach(evaluations, errors, 0.5) == 10
    assert np.isnan(comparisons.evaluations_to_reach(evaluations, errors, 0.01))
    curves = np.array([errors, errors / 2])
    needed = comparisons.evaluations_to_reach(evaluations, curves, np.array([0.1, 0.1]))
    assert needed == pytest.approx([100, 25])


def test_a_curve_that_falls_to_zero_has_arrived_there():
    curves = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 1.0], [1.0, 0.5, 0.25]])
    needed = comparisons.evaluations_to_reach(np.array([10, 100, 1000]), curves, np.full(3, 0.3))
    assert needed[:2].tolist() == [100, 10]
    assert 100 < needed[2] < 1000


def test_limits_of_a_factor_are_those_of_resampled_explicands():
    frame = estimates({"a": 0.7, "b": 1.0}, explicands=12, noise=0.3)
    means, counted = comparisons.explicand_means(frame), np.array([100.0, 1000.0, 10000.0])

    def factor(explicands):
        curves = [means.loc[name].to_numpy()[:, explicands].mean(axis=1) for name in ("a", "b")]
        target = max(curve[-1] for curve in curves)
        costs = [float(comparisons.evaluations_to_reach(counted, c, target)) for c in curves]
        return costs[1] / costs[0]

    drawn = np.random.default_rng(0).integers(12, size=(comparisons.RESAMPLES, 12))
    expected = np.quantile([factor(explicands) for explicands in drawn], [0.05, 0.95])
    speed = comparisons.speed_up(frame, "a", "b", level=0.9)
    assert [speed["speed_low"], speed["speed_high"]] == pytest.approx(expected)
    assert speed["speed_up"] == pytest.approx(factor(np.arange(12)))


def test_half_the_error_is_four_times_fewer_evaluations():
    frame = estimates({"a": 0.5, "b": 1.0}, noise=0.0)
    speed = comparisons.speed_up(frame, "a", "b")
    assert speed["speed_up"] == pytest.approx(4)
    assert not speed["at_start"]
    assert comparisons.speed_up(frame, "b", "a")["speed_up"] == pytest.approx(1 / 4)


def test_an_estimator_that_starts_below_the_target_bounds_the_factor():
    frame = estimates({"a": 0.01, "b": 1.0}, noise=0.0)
    speed = comparisons.speed_up(frame, "a", "b")
    assert speed["at_start"]
    assert speed["speed_up"] == pytest.approx(100)


def test_the_family_is_all_contrasts_that_ran():
    frames = {
        "one": estimates({"a": 0.9, "b": 1.0}, explicands=12),
        "two": estimates({"b": 1.0, "c": 1.0}, explicands=12),
    }
    contrasts = [("a", "b"), ("c", "b"), ("a", "c")]
    table = comparisons.compare_all(frames, contrasts)
    assert list(zip(table["experiment"], table["a"], table["b"], strict=True)) == [
        ("one", "a", "b"),
        ("two", "c", "b"),
    ]
    alone = comparisons.compare(frames["one"], "a", "b", alpha=0.05 / 2)
    assert table.loc[0, "low"] == pytest.approx(alone.low)


def readings():
    return pd.DataFrame(
        {
            "experiment": ["classification"] * 3,
            "players": [16, 16, 300],
            "method": ["a", "unknown", "a"],
            "evaluations": [1000, 1000, 1000],
            "error": [0.5, 0.5, 0.5],
        }
    )


def test_readings_count_only_for_as_many_players():
    assert len(comparisons.readings_of(readings(), "classification", 16)) == 2
    assert comparisons.readings_of(readings(), "classification", 6).empty


def test_readings_meet_the_error_at_the_same_budget():
    frame = estimates({"a": 1.0})
    table = comparisons.published_comparison(frame, readings().head(2))
    assert table["method"].tolist() == ["a"]
    mean = frame[frame["budget"] == 1000].groupby("explicand")["error"].mean().mean()
    assert table["ratio"].item() == pytest.approx(mean / 0.5)


def test_an_earlier_budget_may_be_compared():
    frame = estimates({"a": 0.5, "b": 1.0}, explicands=12, noise=0.4)
    first = comparisons.compare(frame, "a", "b", budget=100)
    means = frame[frame["budget"] == 100].groupby(["estimator", "explicand"])["error"].mean()
    assert first.estimate == pytest.approx((means["a"] / means["b"]).median())
    assert first != comparisons.compare(frame, "a", "b")


def test_a_target_at_the_first_error_is_reached_at_once_and_at_the_last_in_the_end():
    evaluations, errors = np.array([10.0, 100.0, 1000.0]), np.array([4.0, 2.0, 1.0])
    needed = [comparisons.evaluations_to_reach(evaluations, errors, x) for x in (4.0, 2.0, 1.0)]
    assert needed == pytest.approx([10.0, 100.0, 1000.0])
    half = comparisons.evaluations_to_reach(evaluations, errors, 2**0.5)
    assert half == pytest.approx(10**2.5)


def test_a_factor_counts_the_evaluations_that_were_spent():
    frame = estimates({"a": 1.0, "b": 1.0}, noise=0.0)
    cheaper = frame["estimator"] == "a"
    frame.loc[cheaper, "evaluations"] //= 2
    speed = comparisons.speed_up(frame, "a", "b")
    assert speed["speed_up"] == pytest.approx(2.0)
    assert (speed["speed_low"], speed["speed_high"]) == pytest.approx((2.0, 2.0))
    assert not speed["at_start"]


def test_either_of_two_may_be_there_at_its_first_budget():
    frame = estimates({"a": 1.0, "b": 0.01}, noise=0.0)
    assert comparisons.speed_up(frame, "a", "b")["at_start"]
    assert comparisons.speed_up(frame, "b", "a")["at_start"]


def test_the_family_has_the_columns_of_both_comparisons():
    frame = estimates({"a": 0.7, "b": 1.0}, explicands=12)
    (row,) = comparisons.compare_all({"one": frame}, [("a", "b")], 0.2).to_dict("records")
    ratio = comparisons.compare(frame, "a", "b", alpha=0.2)
    assert (row["ratio"], row["low"], row["high"]) == ratio[:3]
    assert (row["budget"], row["verdict"]) == (10000, ratio.word)
    assert row["speed_up"] == comparisons.speed_up(frame, "a", "b")["speed_up"]


def test_no_contrast_makes_an_empty_table():
    frames = {"one": estimates({"a": 0.9, "b": 1.0}, explicands=3)}
    assert comparisons.compare_all(frames, [("a", "c")]).empty


def test_contrasts_are_those_of_estimators_that_ran_whatever_else_ran():
    frames = {
        "three": estimates({"a": 0.7, "b": 1.0, "c": 1.1}, explicands=12),
        "two": estimates({"b": 1.0, "c": 1.1}, explicands=12),
    }
    table = comparisons.compare_all(frames, [("a", "b"), ("c", "b")])
    contrasts = table[["experiment", "a", "b"]].to_numpy().tolist()
    assert contrasts == [["three", "a", "b"], ["three", "c", "b"], ["two", "c", "b"]]
