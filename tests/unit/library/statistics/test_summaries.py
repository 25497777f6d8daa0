"""Means over seeds, limits over explicands, spread, coverage, the truth's own error."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from synthetic import estimates

from shapaudit.statistics import summaries
from shapaudit_audit.study import reading
from shapaudit_audit.study.blocks.runs import ExperimentBlock


def hand_made():
    errors = {("a", 0): [1.0, 3.0], ("a", 1): [5.0, 7.0]}
    rows = [
        {"estimator": name, "explicand": explicand, "repetition": k, "budget": 10, "evaluations": 9}
        | {"error": error, "squared_error": error**2, "truth_variance": 0.04, "coverage": 0.5}
        for (name, explicand), values in errors.items()
        for k, error in enumerate(values)
    ]
    return pd.DataFrame(rows)


def test_errors_are_averaged_over_seeds_first():
    means = summaries.explicand_means(hand_made())
    assert means.loc[("a", 10)].tolist() == [2.0, 6.0]


def test_curves_hold_the_mean_over_explicands_and_counted_evaluations():
    row = summaries.error_curves(hand_made()).iloc[0]
    assert (row["mean"], row["evaluations"], row["explicands"]) == (4.0, 9, 2)
    assert row["low"] <= 4.0 <= row["high"]


def test_limits_are_reproducible_and_narrow_with_more_explicands():
    few = summaries.error_curves(estimates({"a": 1.0}, explicands=20))
    again = summaries.error_curves(estimates({"a": 1.0}, explicands=20))
    many = summaries.error_curves(estimates({"a": 1.0}, explicands=320))
    pd.testing.assert_frame_equal(few, again)
    width = [
        (curve["high"] - curve["low"]).iloc[0] / curve["mean"].iloc[0] for curve in (few, many)
    ]
    assert width[1] < width[0] / 2


def test_variance_components_find_the_two_spreads():
    rng = np.random.default_rng(4)
    explicands = 3.0 * rng.normal(size=400)
    rows = [
        {
            "estimator": "a",
            "explicand": p,
            "repetition": r,
            "budget": 7,
            "error": value + rng.normal(),
        }
        for p, value in enumerate(explicands)
        for r in range(5)
    ]
    row = summaries.variance_components(pd.DataFrame(rows)).iloc[0]
    assert row["between"] == pytest.approx(3.0, rel=0.1)
    assert row["within"] == pytest.approx(1.0, rel=0.1)
    assert row["share"] == pytest.approx(0.9, abs=0.03)


def test_seeds_alone_make_no_spread_between_explicands():
    errors = np.random.default_rng(6).normal(size=(2000, 2))
    rows = [
        {"estimator": "a", "explicand": p, "repetition": r, "budget": 7, "error": error}
        for (p, r), error in np.ndenumerate(errors)
    ]
    assert summaries.variance_components(pd.DataFrame(rows)).iloc[0]["share"] < 0.1


def test_variance_components_use_the_last_budget_only():
    early = hand_made().assign(budget=1, error=100.0)
    both = pd.concat([hand_made(), early])
    pd.testing.assert_frame_equal(
        summaries.variance_components(both), summaries.variance_components(hand_made())
    )


def test_one_seed_tells_nothing_about_seeds():
    frame = hand_made()
    row = summaries.variance_components(frame[frame["repetition"] == 0]).iloc[0]
    assert row["between"] == pytest.approx(8**0.5)  # of the errors 1 and 5
    assert np.isnan(row["within"])


def test_coverage_leaves_out_estimators_without_standard_errors():
    frame = pd.concat([estimates({"a": 1.0}), estimates({"b": 1.0}, covered=None)])
    table = summaries.coverage_table(frame)
    assert set(table["estimator"]) == {"a"}
    assert table["mean"].tolist() == pytest.approx([0.9, 0.88, 0.86])  # by budget


def test_coverage_is_empty_where_nobody_has_standard_errors():
    assert summaries.coverage_table(estimates({"b": 1.0}, covered=None)).empty


def test_equal_split_error_uses_the_experiments_explicands():
    values = [1.0, -1.0, 0.0, 0.0, 9.0, 0.0]
    truth = pd.DataFrame({"explicand": [0, 0, 1, 1, 2, 2], "player": [0, 1] * 3, "value": values})
    assert summaries.equal_split_errors(truth, 2).mean() == pytest.approx(np.sqrt(2) / 2)


def test_truth_precision_compares_the_norms():
    truth = pd.DataFrame({"explicand": [0, 0, 1, 1], "bound": [np.nan] * 4})
    precision = summaries.truth_precision(hand_made(), truth)
    assert precision == pytest.approx({"error": 0.2, "smallest": 4.0, "share": 0.05})


def test_truth_precision_of_bounded_values_is_that_of_the_worst_explicand():
    truth = pd.DataFrame({"explicand": [0, 0, 1, 1], "bound": [0.3, 0.4, 0.1, 0.2]})
    precision = summaries.truth_precision(hand_made().assign(truth_variance=0.0), truth)
    assert precision == pytest.approx({"error": 0.5, "smallest": 4.0, "share": 0.125})


def test_missing_tables_are_named(tmp_path):
    block = ExperimentBlock(game="g", budgets=[9], repetitions=1, estimators=["a"])
    with pytest.raises(FileNotFoundError, match=r"estimates/nowhere/a\.parquet"):
        reading.load_estimates(tmp_path, "nowhere", block)


def test_a_table_of_means_counts_explicands_and_orders_budgets():
    both = pd.concat([hand_made().assign(budget=200), hand_made()])
    means = summaries.ExplicandMeans()
    means.means = summaries.explicand_means(both)
    assert (means.explicands, means.budgets) == (2, [10, 200])


def test_limits_of_a_mean_over_explicands_are_those_of_resampled_explicands():
    errors = np.random.default_rng(3).exponential(size=12)
    frame = pd.DataFrame(
        {"estimator": "a", "budget": 7, "explicand": range(12), "evaluations": 6, "error": errors}
    )
    plain = stats.bootstrap(
        (errors,),
        np.mean,
        confidence_level=0.8,
        n_resamples=summaries.RESAMPLES,
        rng=np.random.default_rng(0),
    ).confidence_interval
    row = summaries.error_curves(frame, level=0.8).iloc[0]
    assert (row["low"], row["high"]) == pytest.approx((plain.low, plain.high))
    usual = summaries.error_curves(frame).iloc[0]
    assert usual["low"] < row["low"] < row["high"] < usual["high"]


def test_components_are_those_of_a_hand_made_table():
    # Means 2 and 6: variance 8. Within: variance 2 in each explicand; over two seeds, noise 1.
    row = summaries.variance_components(hand_made()).iloc[0]
    parts = (row["between"] ** 2, row["within"] ** 2, row["share"])
    assert parts == pytest.approx((7.0, 2.0, 7 / 9))


def test_relative_errors_are_medians_of_ratios_explicand_by_explicand():
    errors = {"good": [1.0, 4.0, 1.0], "bad": [2.0, 2.0, 10.0]}
    rows = [
        {"estimator": name, "explicand": explicand, "budget": budget, "error": error * scale}
        for name, values in errors.items()
        for explicand, error in enumerate(values)
        for budget, scale in ((10, 1.0), (5, 100.0))
    ]
    truth = pd.DataFrame(  # whose distances from equal shares are 2^(1/2) times 1, 2 and 1
        {
            "explicand": np.repeat([0, 1, 2], 2),
            "player": [0, 1] * 3,
            "value": [1.0, -1.0, 5.0, 1.0, 0.0, 2.0],
        }
    )
    medians = summaries.relative_errors(pd.DataFrame(rows), truth)
    assert medians.index.tolist() == ["good", "bad"]
    assert medians["median"].to_numpy() == pytest.approx(np.array([1.0, 2.0]) / 2**0.5)
    assert medians["smallest"].to_numpy() == pytest.approx(np.array([1.0, 1.0]) / 2**0.5)
    assert (medians["low"] <= medians["median"]).all()
    assert (medians["median"] <= medians["high"]).all()
    assert medians.loc["bad", "high"] == pytest.approx(10 / 2**0.5)


def test_a_table_of_means_tells_its_explicands_and_budgets():
    class Some(summaries.ExplicandMeans):
        means = summaries.explicand_means(
            estimates({"a": 1.0, "b": 1.0}, budgets=(10, 5), explicands=7)
        )

    assert (Some().explicands, Some().budgets) == (7, [5, 10])
