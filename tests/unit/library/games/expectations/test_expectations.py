"""Conditional expectations: every closed form against its second way, and against draws."""

import numpy as np
import pytest
from worlds import CLOSED, LAWS, MODELS, D, explicands, generator

from shapaudit.datasets.laws import LawError
from shapaudit.games import all_coalitions
from shapaudit.games.expectations import expectation_of
from shapaudit.games.expectations.base import CELLS
from shapaudit.games.expectations.numerical import mean_under, numerical_expectation

OPEN = [("gaussian", "trees"), ("mixture", "additive"), ("copula", "relu"), ("gaussian", "deep")]
ALL = all_coalitions(D)


@pytest.mark.parametrize(("law", "model"), CLOSED)
def test_closed_forms_agree_with_the_second_way(law, model):
    rows = explicands(law)
    closed = expectation_of(LAWS[law], MODELS[model]).values(rows, ALL)
    second = numerical_expectation(LAWS[law], MODELS[model]).values(rows, ALL)
    np.testing.assert_allclose(closed, second, rtol=1e-9, atol=1e-10)
    np.testing.assert_allclose(closed[:, -1], MODELS[model].predict(rows), rtol=1e-9)


@pytest.mark.parametrize(("law", "model"), CLOSED)
def test_closed_forms_agree_with_draws(law, model):
    row = explicands(law)[0]
    members = ALL[[0, 5, 14]]
    closed = expectation_of(LAWS[law], MODELS[model]).values(row[None], members)[0]
    for own, value in zip(members, closed, strict=True):
        rows = LAWS[law].completions(own, row, generator(8), 20_000)
        np.testing.assert_array_equal(rows[:, own], np.tile(row[own], (len(rows), 1)))
        outputs = MODELS[model].predict(rows)
        assert abs(outputs.mean() - value) < 5 * outputs.std() / np.sqrt(len(rows)) + 1e-12


@pytest.mark.parametrize(("law", "model"), OPEN)
def test_where_none_is_known_there_is_none(law, model):
    assert expectation_of(LAWS[law], MODELS[model]) is None
    assert numerical_expectation(LAWS[law], MODELS[model]) is None


@pytest.mark.parametrize(("law", "model"), CLOSED)
def test_values_are_the_same_in_any_order_and_alone(law, model):
    rows, order = explicands(law), generator(9).permutation(1 << D)
    expectation = expectation_of(LAWS[law], MODELS[model])
    whole = expectation.values(rows[:1], ALL)
    np.testing.assert_array_equal(expectation.values(rows[:1], ALL[order]), whole[:, order])
    alone = [expectation.values(rows[:1], own[None])[0, 0] for own in ALL]
    np.testing.assert_array_equal(alone, whole[0])
    together = expectation.values(rows, ALL)
    np.testing.assert_allclose(together[:1], whole, rtol=1e-12, atol=1e-13)
    assert expectation.values(rows, ALL[:0]).shape == (2, 0)


def test_many_explicands_are_taken_block_by_block():
    count = CELLS // 16
    rows = np.tile(explicands("mixture"), (count // 2, 1))
    tables = expectation_of(LAWS["mixture"], MODELS["relu"]).values(rows, ALL[:3])
    np.testing.assert_allclose(tables, np.tile(tables[:2], (count // 2, 1)), rtol=1e-12)


@pytest.mark.parametrize("law", ["discrete", "chain"])
def test_explicands_that_cannot_occur_are_refused(law):
    with pytest.raises(LawError, match=r"\(0\.5, 0\.5, 0\.5, 0\.5\) cannot occur"):
        expectation_of(LAWS[law], MODELS["linear"]).values(np.full((1, D), 0.5), ALL)


def test_a_form_without_second_way_says_so():
    with pytest.raises(TypeError, match="object has no second way"):
        mean_under(object(), MODELS["linear"])
