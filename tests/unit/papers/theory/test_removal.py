"""Games of models with features removed, and of trees, against their definitions."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from shapaudit.truth.rational import rationals, shapley_values
from shapaudit_papers.theory import removal, trees

BACKGROUND = [(0, 1, 4), (2, 5, 1), (3, -1, 0), (2, 1, 7)]
EXPLICAND = (2, 1, 7)


def model(row):
    return Fraction(row[0] * row[1] + 3 * row[2] - row[0] * row[2])


def hybrid(mask, explicand, baseline):
    return [explicand[j] if mask >> j & 1 else baseline[j] for j in range(len(explicand))]


def test_games_of_baselines_and_backgrounds_take_the_explicand_on_the_coalition():
    baseline = removal.baseline_game(model, EXPLICAND, BACKGROUND[0])
    assert baseline.tolist() == [model(hybrid(s, EXPLICAND, BACKGROUND[0])) for s in range(8)]
    marginal = removal.marginal_game(model, EXPLICAND, BACKGROUND)
    for s in range(8):
        outputs = [model(hybrid(s, EXPLICAND, row)) for row in BACKGROUND]
        assert marginal[s] == sum(outputs) / 4
    assert removal.mean_row(BACKGROUND) == [Fraction(7, 4), Fraction(3, 2), Fraction(3)]


def test_the_shapley_values_of_a_linear_model_are_coefficient_times_distance():
    coefficients = [5, 2, -3, 4]
    line = removal.linear(coefficients)
    assert line((1, 2, 3)) == 5 + 2 - 6 + 12
    mean = removal.mean_row(BACKGROUND)
    expected = [2 * (2 - mean[0]), -3 * (1 - mean[1]), 4 * (7 - mean[2])]
    assert removal.linear_shap(coefficients, EXPLICAND, mean).tolist() == expected
    game = removal.marginal_game(line, EXPLICAND, BACKGROUND)
    assert shapley_values(game).tolist() == expected


def test_a_quadratic_model_has_its_coefficients_row_by_row():
    form = removal.quadratic([1, 2, 3, 4])
    assert form((5, 7)) == 25 + 2 * 35 + 3 * 35 + 4 * 49


def test_the_gaussian_game_is_that_of_the_conditional_mean():
    beta, x, correlation = [2, -1, 3], [1, 4, -2], Fraction(1, 3)
    sigma = np.array([[1, 0, 0], [0, 1, 1 / 3], [0, 1 / 3, 1]])
    game = removal.gaussian_game(beta, x, correlation)
    for mask in range(8):
        inside = [j for j in range(3) if mask >> j & 1]
        means = np.zeros(3)
        if inside:
            known = np.linalg.solve(sigma[np.ix_(inside, inside)], np.array(x)[inside])
            means = sigma[:, inside] @ known
        assert float(game[mask]) == pytest.approx(np.dot(beta, means))


TREE = trees.Split(
    0,
    Fraction(2),
    trees.Split(1, Fraction(1), Fraction(4), Fraction(-1)),
    trees.Split(2, Fraction(3), trees.Split(0, Fraction(3), Fraction(6), Fraction(2)), Fraction(8)),
)


def by_hand(row):
    if row[0] < 2:
        return 4 if row[1] < 1 else -1
    if row[2] >= 3:
        return 8
    return 6 if row[0] < 3 else 2


ROWS = list(product((1, 2, 3), (0, 1), (2, 3)))


def test_a_row_falls_into_its_leaf_and_equal_values_go_right():
    assert [trees.predict(TREE, row) for row in ROWS] == [by_hand(row) for row in ROWS]


@pytest.mark.parametrize("explicand", ROWS[::2])
@pytest.mark.parametrize("baseline", ROWS[1::3])
def test_interventional_values_are_those_of_the_baseline_game(explicand, baseline):
    game = removal.baseline_game(lambda row: Fraction(by_hand(row)), explicand, baseline)
    values = trees.interventional_values(TREE, explicand, baseline)
    assert values.tolist() == shapley_values(game).tolist()


def test_leaves_are_reached_with_their_features_present_and_absent():
    explicand, baseline = (3, 0, 2), (1, 1, 3)
    terms = list(trees.leaf_terms(TREE, explicand, baseline))
    for mask in range(8):
        reached = [
            u
            for present, absent, u in terms
            if all(mask >> j & 1 for j in present) and not any(mask >> j & 1 for j in absent)
        ]
        assert reached == [by_hand(hybrid(mask, explicand, baseline))]


def test_games_of_trees_follow_paths_and_conditions():
    explicand = (3, 0, 2)
    conditional = trees.conditional_game(TREE, explicand, ROWS)
    for mask in range(8):
        inside = [j for j in range(3) if mask >> j & 1]
        outputs = [by_hand(r) for r in ROWS if all(r[j] == explicand[j] for j in inside)]
        assert conditional[mask] == Fraction(sum(outputs), len(outputs))
    path = trees.path_dependent_game(TREE, explicand, ROWS)
    mean = Fraction(sum(map(by_hand, ROWS)), len(ROWS))
    assert (path[0], path[-1]) == (mean, by_hand(explicand))
    # With feature 0 known to be 3: half of the rows have the third feature below 3.
    assert path[1] == (2 + Fraction(8)) / 2
    # With feature 2 known to be 2: a third goes left, of which half each; of the rest, half each.
    assert path[4] == Fraction(1, 3) * Fraction(3, 2) + Fraction(2, 3) * 4


def test_the_ensemble_of_a_tree_predicts_the_same():
    ensemble = trees.as_ensemble(TREE, 3)
    assert ensemble.predict(np.array(ROWS, dtype=float)).tolist() == [by_hand(r) for r in ROWS]


def test_games_are_tables_of_fractions():
    assert {type(v) for v in removal.marginal_game(model, EXPLICAND, BACKGROUND)} == {Fraction}
    assert rationals([1]).dtype == object
