"""Chains: joint probabilities, conditional chains against the joint table."""

from itertools import product

import numpy as np
import pytest

from shapaudit.datasets.laws import ChainLaw, LawError

LEVELS = (-1.0, 0.0, 2.0)


@pytest.fixture
def law():
    return ChainLaw.random(np.random.default_rng(0), 4, LEVELS, 0.3)


def test_probabilities_are_products_along_the_chain(law):
    places = list(product(range(3), repeat=4))
    for place, row, probability in zip(places, law.support, law.probabilities, strict=True):
        a, b, c, d = place
        steps = law.transitions
        wanted = law.initial[a] * steps[0, a, b] * steps[1, b, c] * steps[2, c, d]
        assert probability == pytest.approx(wanted)
        np.testing.assert_array_equal(row, [LEVELS[k] for k in place])
    assert law.probabilities.sum() == pytest.approx(1)


def test_rows_come_as_often_as_the_law_says(law):
    rows = law.sample(np.random.default_rng(1), 60_000)
    shares = [(rows == row).all(axis=1).mean() for row in law.support]
    np.testing.assert_allclose(shares, law.probabilities, atol=0.006)


@pytest.mark.parametrize("index", range(15))
def test_conditional_chain_is_that_of_the_joint_table(law, index):
    members = np.array([index >> j & 1 for j in range(4)], dtype=bool)
    values = np.array(LEVELS)[[2, 0, 1, 2]][members]
    rest = law.given(members, values)
    matches = (law.support[:, members] == values).all(axis=1)
    wanted = law.probabilities[matches]
    np.testing.assert_array_equal(rest.support, law.support[matches][:, ~members])
    np.testing.assert_allclose(rest.probabilities, wanted / wanted.sum(), rtol=1e-12)


def test_all_may_be_given(law):
    rest = law.given(np.ones(4, bool), law.support[7])
    assert rest.n_features == 0
    assert rest.sample(np.random.default_rng(0), 2).shape == (2, 0)


def test_states_that_cannot_be_reached():
    never_back = np.array([[[1.0, 0.0], [0.5, 0.5]]] * 2)
    law = ChainLaw([0.0, 1.0], [0.5, 0.5], never_back)
    rest = law.given(np.array([False, False, True]), np.array([1.0]))
    np.testing.assert_array_equal(rest.support[rest.probabilities > 0], [[1.0, 1.0]])
    assert (rest.from_uniforms(np.ones((1, 2))) == 1).all()
    with pytest.raises(LawError, match="no row with these values of x1, x3"):
        law.given(np.array([True, False, True]), np.array([0.0, 1.0]))
    with pytest.raises(LawError, match="no row with these values of x1"):
        law.given(np.array([True, False, False]), np.array([0.5]))


def test_malformed_chains_are_refused():
    step = np.full((1, 2, 2), 0.5)
    with pytest.raises(LawError, match="add up to 1"):
        ChainLaw([0.0, 1.0], [0.5, 0.6], step)
    with pytest.raises(LawError, match="must differ"):
        ChainLaw([1.0, 1.0], [0.5, 0.5], step)
    with pytest.raises(LawError, match="over 2 levels"):
        ChainLaw([0.0, 1.0], [0.5, 0.5], np.full((1, 3, 3), 1 / 3))
    with pytest.raises(LawError, match="14 features"):
        ChainLaw.random(np.random.default_rng(0), 15)
    for too_many in (15, 16):
        with pytest.raises(LawError, match="14 features"):
            ChainLaw([0.0, 1.0], [0.5, 0.5], np.repeat(step, too_many - 1, axis=0))
