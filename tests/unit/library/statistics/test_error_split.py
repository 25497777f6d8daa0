"""The four parts of an error, in worlds whose parts are known."""

import numpy as np
import pytest

from shapaudit.statistics.error_split import split_error, split_limits

TRUTH = np.array([[1.0, -2.0, 0.5], [0.0, 3.0, 1.0]])  # two explicands, three players
SHIFT, LEAN = np.array([0.3, 0.0, -0.4]), np.array([0.0, 0.2, 0.0])


def world(rng, fits, runs, removal=0.5, estimation=0.2):
    """Games off by SHIFT and noise of variance removal^2, estimates by LEAN and noise."""
    exact = TRUTH + SHIFT + removal * rng.standard_normal((fits, 2, 3))
    noise = estimation * rng.standard_normal((fits, runs, 2, 3))
    return TRUTH, exact, exact[:, None] + LEAN + noise


def parts_of(split):
    return np.array(
        [
            split.removal_bias,
            split.removal_variance,
            split.estimation_bias,
            split.estimation_variance,
            split.cross,
        ]
    )


def test_the_parts_add_up_to_the_error():
    truth, exact, estimates = world(np.random.default_rng(0), 4, 3)
    split = split_error(truth, exact, estimates)
    error = np.square(estimates - truth).sum(axis=-1).mean()
    assert split.total == pytest.approx(error, rel=1e-12)


def test_the_parts_are_unbiased():
    rng = np.random.default_rng(1)
    parts = np.array([parts_of(split_error(*world(rng, 4, 3))) for _ in range(4000)])
    expected = [0.25, 3 * 0.25, 0.04, 3 * 0.04, 2 * SHIFT @ LEAN]
    errors = parts.std(axis=0, ddof=1) / np.sqrt(len(parts))
    assert (np.abs(parts.mean(axis=0) - expected) < 4.5 * errors).all()
    assert (parts[:, 0] < 0).any()  # as an unbiased estimate must be now and then


def test_the_plug_in_would_count_variance_as_bias():
    rng = np.random.default_rng(2)
    plug_in = [
        np.square((exact - TRUTH).mean(axis=0)).sum() / 2
        for _, exact, _ in (world(rng, 4, 2) for _ in range(2000))
    ]
    assert np.mean(plug_in) > 0.25 + 0.8 * 0.75 / 4


def test_an_estimator_that_is_exact_leaves_the_removal_alone():
    truth, exact, _ = world(np.random.default_rng(3), 5, 2)
    split = split_error(truth, exact, np.repeat(exact[:, None], 2, axis=1))
    assert (split.estimation_bias, split.estimation_variance, split.cross) == (0, 0, 0)


def test_limits_cover_the_parts():
    rng, covered = np.random.default_rng(4), np.zeros(4)
    expected = np.array([0.25, 0.75, 0.04, 0.12])
    names = ("removal_bias", "removal_variance", "estimation_bias", "estimation_variance")
    for _ in range(300):
        limits = split_limits(*world(rng, 6, 3), alpha=0.1)
        ends = np.array([(limits[name].low, limits[name].high) for name in names])
        covered += (ends[:, 0] <= expected) & (expected <= ends[:, 1])
        assert limits["total"].low <= limits["total"].estimate <= limits["total"].high
    assert (covered >= 300 * 0.85).all()
    again = split_limits(*world(np.random.default_rng(5), 4, 2), alpha=0.1)
    assert again == split_limits(*world(np.random.default_rng(5), 4, 2), alpha=0.1)


@pytest.mark.parametrize(
    ("shapes", "words"),
    [
        (((2, 3), (4, 2, 2), (4, 2, 2, 3)), "a split takes a truth"),
        (((2, 3), (4, 2, 3), (3, 2, 2, 3)), "a split takes a truth"),
        (
            ((2, 3), (2, 2, 3), (2, 2, 2, 3)),
            r"three fits and two runs of each, .*; got \(2, 2\)",
        ),
        (
            ((2, 3), (4, 2, 3), (4, 1, 2, 3)),
            r"three fits and two runs of each, .*; got \(4, 1\)",
        ),
    ],
)
def test_what_makes_no_split_is_refused(shapes, words):
    with pytest.raises(ValueError, match=words):
        split_error(*map(np.zeros, shapes))
