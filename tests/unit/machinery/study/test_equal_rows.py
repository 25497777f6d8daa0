"""Estimates from equally many rows: no more than the limit, and as many as it pays for."""

from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest

from shapaudit.estimators import create
from shapaudit.games import TabularGame, all_coalitions
from shapaudit.seeding import generator
from shapaudit.truth.enumeration import shapley_from_table
from shapaudit_audit.study.equal_rows import Bill, bills, estimates_within

D = 4
TABLE = TabularGame(np.random.default_rng(0).normal(size=1 << D))
KERNEL = create("paired-kernel-shap")
DRAW = partial(generator, 1)


def within(fixed, price, *limits, runs=2):
    own = {"model": Bill(fixed, np.full(1 << D, price))}
    return list(estimates_within(KERNEL, TABLE, own, limits, runs, DRAW))


def test_a_limit_is_kept_and_used_up():
    for _, limit, _, evaluations, spent, _ in within(7, 10, 110, 150):
        assert spent == 7 + 10 * evaluations
        assert spent <= limit < spent + 20  # paired: coalitions come in twos


def test_enough_for_all_coalitions_is_exact():
    (_, _, _, evaluations, spent, values), other = within(7, 10, 167)
    assert (evaluations, spent) == (16, 167)
    np.testing.assert_array_equal(values, shapley_from_table(TABLE.values))
    np.testing.assert_array_equal(other[-1], values)
    assert all(row[3] < 16 for row in within(7, 10, 166))


def test_values_that_take_no_row_are_exact_once_the_fit_is_paid():
    assert [row[1] for row in within(50, 0, 49, 50, runs=1)] == [50]


def test_a_limit_below_the_estimators_least_budget_has_no_estimate():
    least = KERNEL.minimum_budget(D)
    assert within(0, 10, 10 * least - 1) == []
    assert len(within(0, 10, 10 * least)) == 2


def test_prices_that_differ_never_exceed_the_limit():
    prices = np.random.default_rng(1).integers(0, 40, size=1 << D)
    own = {"model": Bill(3, prices)}
    limits = range(100, int(prices.sum()) + 3, 20)
    estimates = list(estimates_within(KERNEL, TABLE, own, limits, 3, DRAW))
    assert estimates
    assert all(spent <= limit for _, limit, _, _, spent, _ in estimates)
    assert all(evaluations < 16 for *_, evaluations, _, _ in estimates)


def test_runs_differ_and_equal_seeds_agree():
    first, two = within(7, 10, 110)
    assert not np.allclose(first[-1], two[-1])
    np.testing.assert_array_equal(within(7, 10, 110)[0][-1], first[-1])


@pytest.mark.parametrize("own_rows", [0, 1])
def test_rows_of_the_removals_own_model_count_where_all_do(own_rows):
    fitted = SimpleNamespace(fit_rows=20, auxiliary_fit_rows=300 * own_rows)
    game = SimpleNamespace(prepared_rows=1)
    if own_rows:
        game.auxiliary_rows = lambda coalitions: np.ones(len(coalitions), dtype=np.int64)
    own = bills(fitted, game, np.full(1 << D, 2), all_coalitions(D))
    assert (own["model"].fixed, own["all"].fixed) == (21, 21 + 300 * own_rows)
    assert set(own["all"].prices) == {2 + own_rows}
    estimates = list(estimates_within(KERNEL, TABLE, own, [60, 400], 1, DRAW))
    counts = [(counted, limit) for counted, limit, *_ in estimates]
    both = [("model", 60), ("model", 400), ("all", 400)]
    assert counts == (both if own_rows else [*both[:2], ("all", 60), ("all", 400)])
