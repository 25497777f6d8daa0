"""Limits of mean absolute values: what they are, and how often they hold."""

import numpy as np
import pandas as pd
import pytest

from shapaudit.explanations.explanation import Explanation
from shapaudit.explanations.importance import LEAST_ROWS, deflated, mean_absolute
from shapaudit.statistics.limits import skewed_mean_limits

NAMES = ("a", "b", "c")


def explained(values, errors=None, outputs=(), names=NAMES):
    errors = np.zeros_like(values) if errors is None else errors
    n, *_ = values.shape
    return Explanation(
        values=values,
        standard_errors=errors,
        base_values=np.zeros((n, *[len(outputs)] * bool(outputs))),
        data=pd.DataFrame(np.zeros((n, len(names))), columns=list(names)),
        feature_names=tuple(names),
        output_names=tuple(outputs),
        how="made up",
        method="auto",
        evaluations=np.zeros(n, dtype=int),
    )


def drawn(rng, n=40):
    return rng.normal(size=(n, 3)) * [1.0, 3.0, 2.0]


def test_exact_values_have_the_limits_of_their_sizes_for_all_features_together():
    values = drawn(np.random.default_rng(1))
    frame = mean_absolute(explained(values), level=0.9)
    assert list(frame.columns) == ["feature", "mean_abs", "low", "high"]
    assert list(frame["feature"]) == ["b", "c", "a"]
    low, high = skewed_mean_limits(np.abs(values), 0.1 / 3)
    np.testing.assert_allclose(frame["mean_abs"], np.abs(values).mean(axis=0)[[1, 2, 0]])
    np.testing.assert_allclose(frame["low"], low[[1, 2, 0]])
    np.testing.assert_allclose(frame["high"], high[[1, 2, 0]])


def test_errors_lower_the_lower_limit_and_leave_the_upper_one():
    values = drawn(np.random.default_rng(2))
    exact, noisy = (mean_absolute(explained(values, s)) for s in (None, np.ones_like(values)))
    assert (noisy["low"] < exact["low"]).all()
    np.testing.assert_array_equal(noisy["high"], exact["high"])
    assert (noisy["low"] >= 0).all()


def test_each_output_has_its_own_order():
    values = drawn(np.random.default_rng(3))
    frame = mean_absolute(explained(np.stack([values, values[:, ::-1]], 2), outputs=("u", "v")))
    assert list(frame.columns) == ["output", "feature", "mean_abs", "low", "high"]
    assert list(frame["output"]) == ["u"] * 3 + ["v"] * 3
    assert list(frame["feature"]) == ["b", "c", "a", "b", "a", "c"]
    alone = mean_absolute(explained(values[:, ::-1]))
    np.testing.assert_array_equal(frame["high"][3:], alone["high"])


@pytest.mark.parametrize(("rows", "known"), [(LEAST_ROWS - 1, False), (LEAST_ROWS, True)])
def test_few_rows_have_no_limits(rows, known):
    frame = mean_absolute(explained(drawn(np.random.default_rng(4), rows)))
    assert frame["mean_abs"].notna().all()
    assert (frame[["low", "high"]].notna() == known).all(axis=None)


def test_one_row_has_its_sizes():
    frame = mean_absolute(explained(np.array([[1.0, -3.0, 2.0]]))[0])
    assert list(frame["mean_abs"]) == [3.0, 2.0, 1.0]
    assert frame["low"].isna().all()


def test_values_that_are_all_zero_have_no_width():
    frame = mean_absolute(explained(np.zeros((30, 3))))
    assert (frame[["mean_abs", "low", "high"]] == 0).all(axis=None)
    assert list(frame["feature"]) == [*NAMES]


@pytest.mark.parametrize("level", [0, 1, 95])
def test_levels_are_shares(level):
    with pytest.raises(ValueError, match="level must lie between 0 and 1"):
        mean_absolute(explained(np.zeros((30, 3))), level)


def test_deflated_sizes_are_too_small_on_average_wherever_the_value_lies():
    z = np.linspace(-9, 9, 6001)
    weights = np.exp(-(z**2) / 2) / np.exp(-(z**2) / 2).sum()
    phi, s = np.linspace(-8, 8, 161), 0.7
    x = phi[:, None] + s * z
    expected, sizes = deflated(x, np.full_like(x, s)) @ weights, np.abs(x) @ weights
    assert (expected <= np.abs(phi) + 1e-5).all()
    assert expected[80] == pytest.approx(0, abs=1e-5)  # phi = 0
    np.testing.assert_allclose(expected[[0, -1]], 8, atol=1e-6)
    near = np.abs(phi) < 2 * s
    assert (sizes[near] > np.abs(phi[near]) + 1e-3).all()  # what there is to be deflated


@pytest.mark.parametrize("noise", [0.0, 0.5])
def test_limits_hold_for_all_features_at_their_level(noise):
    rng, runs, held = np.random.default_rng(5), 300, 0
    means = np.sqrt(2 / np.pi) * np.array([1.0, 3.0, 2.0])
    for _ in range(runs):
        errors = np.full((60, 3), noise)
        values = drawn(rng, 60) + errors * rng.normal(size=errors.shape)
        frame = mean_absolute(explained(values, errors)).set_index("feature").loc[[*NAMES]]
        held += ((frame["low"] <= means) & (means <= frame["high"])).all()
    assert held / runs >= 0.95 - 3 * np.sqrt(0.95 * 0.05 / runs)


def test_noise_alone_is_no_importance():
    rng, runs, naive, careful = np.random.default_rng(6), 100, 0, 0
    for _ in range(runs):
        values = rng.normal(size=(60, 3))
        careful += (mean_absolute(explained(values, np.ones_like(values)))["low"] == 0).all()
        naive += (mean_absolute(explained(values))["low"] == 0).all()
    assert careful >= 90
    assert naive == 0
