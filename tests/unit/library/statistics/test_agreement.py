"""Published means of squared errors against our own trials."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from shapaudit.statistics.agreement import (
    PUBLISHED,
    biased,
    compare_cells,
    decompose,
    published_cells,
    typical_ratio,
)

CELLS = [(method, 10**k) for method in PUBLISHED for k in range(2, 8)]


def trials(rng, bias=0.0, scale=1.0, shape=(100,), d=6):
    """Estimates of zero (..., d) with unequal variances and the mean ``bias``."""
    return bias + scale * rng.normal(size=(*shape, d)) * np.linspace(0.3, 1.5, d)


def frame_of(estimates, name="walks", budget=500):
    deviations = estimates - estimates.mean(axis=0)
    return pd.DataFrame(
        {
            "estimator": name,
            "budget": budget,
            "squared_error": np.square(estimates).sum(axis=1),
            "squared_deviation": np.square(deviations).sum(axis=1),
        }
    )


def world(rng, scale=1.0, bias=0.0):
    """Cells of all methods at six budgets, as `decompose` gives them."""
    estimates = trials(rng, bias, scale, (len(CELLS), 100))
    squares = np.square(estimates).sum(axis=-1)
    error, biases = squares.mean(axis=1), np.square(estimates.mean(axis=1)).sum(axis=-1)
    cells = pd.DataFrame(CELLS, columns=["method", "samples"])
    spread = squares.std(axis=1, ddof=1) / error
    return cells.assign(
        error=error, bias=biases, variance=error - biases, spread=spread, trials=100
    )


def as_published(cells):
    return cells[["method", "samples", "bias", "variance", "error"]]


def test_error_is_bias_plus_variance_and_bias_that_of_the_mean():
    estimates = trials(np.random.default_rng(0), bias=2.0)
    cell = decompose(frame_of(estimates), {"walks": "RO"}).iloc[0]
    assert cell["method"] == "RO"
    assert cell["error"] == pytest.approx(cell["bias"] + cell["variance"], rel=1e-12)
    assert cell["bias"] == pytest.approx(np.square(estimates.mean(axis=0)).sum(), rel=1e-9)
    assert cell["trials"] == 100


def test_estimators_that_the_paper_has_not_are_left_out():
    estimates = trials(np.random.default_rng(0))
    assert decompose(frame_of(estimates, "leverage-shap"), {"walks": "RO"}).empty


def test_limits_hold_for_all_cells_in_most_worlds_of_one_law():
    wrong = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        table = compare_cells(world(rng), as_published(world(rng)), alpha=0.05)
        wrong += not table["agrees"].all()
    # Binomial of 40 and 0.05: 8 or more has a probability of 0.001.
    assert wrong < 8


def test_an_error_of_another_size_is_found():
    rng = np.random.default_rng(1)
    ours, theirs = world(rng), as_published(world(rng, scale=1.3))
    table = compare_cells(ours, theirs)
    assert not table["agrees"].all()
    ratio, low, high, alone = typical_ratio(table)
    assert low < 1 / 1.69 < high < 1
    assert low < ratio < alone < high


def test_a_factor_is_noticed_in_a_cell_as_often_as_promised():
    seen = []
    for seed in range(40):
        rng = np.random.default_rng(200 + seed)
        ours = world(rng)
        factor = compare_cells(ours, as_published(ours))["noticed"].mean()
        table = compare_cells(world(rng, scale=factor**0.5), as_published(ours))
        seen.append((~table["agrees"]).mean())
    assert 0.7 < np.mean(seen) < 0.9


def test_a_bias_is_told_from_the_number_of_trials():
    rng = np.random.default_rng(2)
    for bias, expected in ((0.0, False), (0.5, True)):
        cells = world(rng, bias=bias)
        measures = (cells[key] for key in ("bias", "variance", "spread", "trials"))
        assert biased(*measures).any() == expected


def test_an_estimate_below_zero_is_no_bias():
    biases = biased(np.array([-1.0, 0.0, 9.0]), np.ones(3), np.ones(3), np.full(3, 100))
    assert biases.tolist() == [False, False, True]


def test_false_biases_are_rare():
    wrong = 0
    for seed in range(40):
        cells = world(np.random.default_rng(100 + seed))
        wrong += biased(*(cells[key] for key in ("bias", "variance", "spread", "trials"))).any()
    assert wrong < 8


def test_published_values_are_those_of_as_many_players():
    table = pd.DataFrame(
        {
            "data": "diabetes",
            "players": 10,
            "method": "RO",
            "samples": 500,
            "quantity": ["bias", "variance"],
            "value": [0.25, 24.75],
        }
    )
    assert published_cells(table, "diabetes", 10)["error"].tolist() == [25.0]
    assert published_cells(table, "diabetes", 6).empty
    assert published_cells(table, "blog", 10).empty


def test_spread_and_variance_are_those_of_the_trials_of_each_budget():
    frames = [
        frame_of(trials(np.random.default_rng(k), bias=1.0, shape=(40 + k,)), "walks", 100 * k)
        for k in (1, 2)
    ]
    cells = decompose(pd.concat(frames), {"walks": "RO"})
    assert cells["samples"].tolist() == [100, 200]
    assert cells["trials"].tolist() == [41, 42]
    for cell, frame in zip(cells.itertuples(), frames, strict=True):
        squares = frame["squared_error"].to_numpy()
        assert cell.variance == pytest.approx(frame["squared_deviation"].mean())
        assert cell.spread == pytest.approx(np.std(squares, ddof=1) / np.mean(squares))


def test_limits_of_a_cell_are_those_of_a_ratio_of_two_means():
    cells = {"method": ["RO", "LS"], "samples": [100, 100], "bias": 0.0, "variance": 1.0}
    ours = pd.DataFrame(cells | {"error": [3.0, 1.0], "spread": [0.5, 0.8], "trials": [25, 400]})
    theirs = pd.DataFrame(cells | {"error": [1.0, 2.0], "bias": [0.25, 0.5]})
    table = compare_cells(ours, theirs, alpha=0.1)
    z = stats.norm.ppf(1 - 0.1 / 4)  # two cells, two sides
    for k, (ratio, error) in enumerate([(3.0, 0.5 * 0.05**0.5), (0.5, 0.8 * 0.0125**0.5)]):
        row = table.iloc[k]
        assert row["ratio"] == ratio
        assert np.log([row["low"], row["high"]]) == pytest.approx(
            [np.log(ratio) - z * error, np.log(ratio) + z * error]
        )
        assert not row["agrees"]
    assert table["bias"].tolist() == [0.25, 0.5]
    assert (table["ours"].tolist(), table["published"].tolist()) == ([3.0, 1.0], [1.0, 2.0])


def test_cells_that_agree_hold_one_between_their_limits():
    cells = {"method": ["RO"], "samples": [100], "bias": 0.0, "variance": 1.0}
    theirs = pd.DataFrame(cells | {"error": [1.0]})
    for error, agrees in ((1.0, True), (1.2, False), (0.8, False)):
        ours = pd.DataFrame(cells | {"error": [error], "spread": [0.5], "trials": [100]})
        # The limits are a factor exp(1.96 * 0.5 * (1/50)^(1/2)) = 1.149 apart from the ratio.
        assert compare_cells(ours, theirs)["agrees"].tolist() == [agrees]


def test_a_bias_is_found_from_the_quantile_of_the_gamma_law_on():
    spread, variance, runs = np.array([0.5, 1.0]), np.array([2.0, 3.0]), np.array([100, 50])
    # A mean square of one law: mean variance/trials, standard deviation spread times that.
    mean = variance / runs
    bound = stats.gamma.isf(0.025, 1 / spread**2, scale=mean * spread**2)
    for factor, expected in ((1.001, True), (0.999, False)):
        assert biased(factor * bound, variance, spread, runs).tolist() == [expected] * 2


def test_the_typical_ratio_has_the_limits_of_student_over_methods():
    cells = pd.DataFrame(
        {"method": ["RO", "RO", "LS", "ME"], "ratio": np.exp([0.1, 0.3, 0.5, -0.1])}
    )
    means = np.array([0.2, 0.5, -0.1])
    ratio, low, high, alone = np.log(typical_ratio(cells))
    expected = stats.t.interval(0.95, 2, means.mean(), stats.sem(means))
    assert (ratio, low, high) == pytest.approx((means.mean(), *expected))
    assert alone == pytest.approx(means.mean() + stats.t.ppf(0.95, 2) * stats.sem(means))
    two = typical_ratio(cells.iloc[1:3])
    reach = stats.t.ppf(0.975, 1) * stats.sem([0.3, 0.5])
    assert np.log(two.high) == pytest.approx(0.4 + reach)
