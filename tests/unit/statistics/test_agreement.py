"""Published means of squared errors against our own trials."""

import numpy as np
import pandas as pd
import pytest

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
        found = compare_cells(world(rng), as_published(world(rng)), alpha=0.05)
        wrong += not found["agrees"].all()
    # Binomial of 40 and 0.05: 8 or more has a probability of 0.001.
    assert wrong < 8


def test_an_error_of_another_size_is_found():
    rng = np.random.default_rng(1)
    ours, theirs = world(rng), as_published(world(rng, scale=1.3))
    found = compare_cells(ours, theirs)
    assert not found["agrees"].all()
    ratio, low, high, alone = typical_ratio(found)
    assert low < 1 / 1.69 < high < 1
    assert low < ratio < alone < high


def test_a_bias_is_told_from_the_number_of_trials():
    rng = np.random.default_rng(2)
    for bias, expected in ((0.0, False), (0.5, True)):
        cells = world(rng, bias=bias)
        measures = (cells[key] for key in ("bias", "variance", "spread", "trials"))
        assert biased(*measures).any() == expected


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
