"""Games of removals under joint laws in fractions, against the removals of the package."""

from fractions import Fraction as F

import numpy as np
import pytest
from removal_worlds import Function, dataset_of

from shapaudit.games import tabulate
from shapaudit.removals import create
from shapaudit_papers.theory.joint_tables import (
    REMOVALS,
    JointLaw,
    binary_rows,
    factorised,
    hybrid,
    independent_parts,
    is_product,
    levelled,
    tabulated,
)

ROWS = binary_rows(3)
WEIGHTS = [F(k) for k in (3, 1, 2, 1, 1, 4, 2, 5)]
OUTPUTS = [F(k) for k in (0, 2, -3, 1, 5, -1, 4, 7)]
LAW = JointLaw(ROWS, WEIGHTS)
PAIR = JointLaw(ROWS, [F(2 if row[0] == row[1] else 1) for row in ROWS])


def played(removal, data, explicand):
    """Values (8,) of a removal of the package, on rows that are those of a table."""
    rows = np.array(data, dtype=float)
    codes = {tuple(map(float, row)): float(y) for row, y in zip(ROWS, OUTPUTS, strict=True)}
    model = Function(lambda x: np.array([codes[tuple(row)] for row in x]))
    fitted = removal.fit(model, dataset_of(rows), np.random.default_rng(0))
    return tabulate(fitted.game(np.array(explicand, float), np.random.default_rng(1))).values


@pytest.mark.parametrize("name", ["marginal", "conditional"])
@pytest.mark.parametrize("explicand", [ROWS[1], ROWS[6]])
def test_games_are_those_of_the_package(name, explicand):
    data = [row for row, count in zip(ROWS, WEIGHTS, strict=True) for _ in range(int(count))]
    removal = create({"marginal": "marginal", "conditional": "exact-match"}[name])
    exact = REMOVALS[name](tabulated(ROWS, OUTPUTS), explicand, LAW)
    values = played(removal, data, explicand)
    np.testing.assert_allclose(values, exact.astype(float), atol=1e-12)


@pytest.mark.parametrize(
    ("name", "law"), [("product of marginals", factorised), ("uniform", levelled)]
)
def test_independent_absent_features_are_a_marginal_game_of_another_law(name, law):
    model, x = tabulated(ROWS, OUTPUTS), ROWS[5]
    exact = REMOVALS[name](model, x, LAW)
    shares = [LAW.mean(lambda row, j=j: row[j]) for j in range(3)]
    if name == "uniform":
        shares = [F(1, 2)] * 3
    for members in range(8):
        total = F(0)
        for row in ROWS:
            chances = [p if bit else 1 - p for p, bit in zip(shares, row, strict=True)]
            total += np.prod(chances, dtype=object) * model(hybrid(x, row, members))
        assert exact[members] == total
    assert is_product(law(LAW))


def test_the_baseline_game_reads_the_first_row():
    exact = REMOVALS["baseline"](tabulated(ROWS, OUTPUTS), (F(1), F(0), F(1)), LAW)
    places = [0, 4, 0, 4, 1, 5, 1, 5]
    assert exact.tolist() == [OUTPUTS[k] for k in places]


def test_which_features_are_independent_of_which():
    assert [independent_parts(PAIR, members) for members in range(1, 7)] == [
        False,
        False,
        True,
        True,
        False,
        False,
    ]
    assert not is_product(PAIR)
    assert is_product(JointLaw(ROWS, [F(1)] * 8))


def test_a_law_without_some_rows_is_no_product():
    assert not is_product(JointLaw([ROWS[0], ROWS[7]], [F(1), F(1)]))
    assert len(factorised(JointLaw([ROWS[0], ROWS[7]], [F(1), F(1)])).rows) == 8
