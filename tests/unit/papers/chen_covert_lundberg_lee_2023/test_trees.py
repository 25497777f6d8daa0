"""TreeSHAP in exact arithmetic: identities, counterexamples, and worlds where they fail."""

from fractions import Fraction
from functools import partial
from itertools import product

import numpy as np
import pytest
from parts import part

from shapaudit.truth.rational import rationals, shapley_values
from shapaudit_audit.audit.context import Context, Settings
from shapaudit_papers.chen_covert_lundberg_lee_2023.claims import trees
from shapaudit_papers.chen_covert_lundberg_lee_2023.evidence import trees as trees_evidence
from shapaudit_papers.theory.removal import baseline_game
from shapaudit_papers.theory.trees import (
    Split,
    as_ensemble,
    conditional_game,
    interventional_values,
    leaf_terms,
    path_dependent_game,
    predict,
)

CONTEXT = Context("tiny", 3, (), Settings(brute_force_dimension=4, random_games=2))
ONE, ZERO = Fraction(1), Fraction(0)


def observe(claim_id, **world):
    claim = part(claim_id)
    return claim.judge(claim.gather(CONTEXT, **world), 0.05)


def swapped(tree, explicand, baseline):
    return interventional_values(tree, baseline, explicand)


@pytest.mark.parametrize(
    ("claim_id", "world", "status"),
    [
        ("trees.gather_exact", {}, "proved"),
        ("trees.gather_exact", {"formula": swapped}, "refuted"),
        ("15b", {}, "exact"),
        ("15b", {"game": conditional_game}, "refuted"),
        ("gather_independent", {}, "proved"),
        ("gather_independent", {"background": trees_evidence.random_rows}, "refuted"),
        ("gather_drawing", {}, "exact"),
        ("gather_drawing", {"background": trees.CORNERS}, "refuted"),
        ("gather_cohort", {}, "exact"),
        ("gather_cohort", {"game": conditional_game}, "refuted"),
    ],
)
def test_verdicts_in_our_world_and_in_others(claim_id, world, status):
    assert observe(claim_id, **world).status == status


def test_readings_of_a_cohort():
    values = {row["reading"]: str(row["value"]) for row in observe("gather_cohort").rows}
    assert values == {
        "by the path": "5/2",
        "cohorts at each node": "5/2",
        "mean of rows alike": "2",
        "mean of leaves in reach": "7/4",
    }
    assert observe("gather_cohort").consequence == "loosely"
    assert observe("gather_cohort", present=0).consequence == "stands"


def test_inexact_code_is_noticed():
    claim = part("trees.gather_exact")
    evidence = claim.gather(CONTEXT)
    assert evidence["code"] < 1e-12
    assert claim.judge({**evidence, "code": 1e-6}, 0.05).status == "inconclusive"


def random_problem(seed, d=3):
    rng = np.random.default_rng(seed)
    rows = trees_evidence.random_rows(rng, d)
    return trees_evidence.random_tree(rng, rows), rows


@pytest.mark.parametrize("seed", range(5))
def test_a_tree_is_the_sum_of_its_leaf_terms(seed):
    tree, (x, r, *_) = random_problem(seed)
    game = baseline_game(partial(predict, tree), x, r)
    for members in range(8):
        inside = {j for j in range(3) if members >> j & 1}
        terms = leaf_terms(tree, x, r)
        total = sum(u for a, b, u in terms if a <= inside and not b & inside)
        assert total == game[members]


@pytest.mark.parametrize("seed", range(5))
def test_the_ensemble_of_the_project_predicts_the_same(seed):
    tree, rows = random_problem(seed)
    ensemble = as_ensemble(tree, 3)
    expected = [float(predict(tree, row)) for row in rows]
    np.testing.assert_array_equal(ensemble.predict(np.array(rows, dtype=float)), expected)


@pytest.mark.parametrize("seed", range(5))
def test_ends_of_the_games_of_removal(seed):
    tree, rows = random_problem(seed)
    mean = sum(predict(tree, row) for row in rows) / len(rows)
    for game in (path_dependent_game, conditional_game):
        values = game(tree, rows[0], rows)
        assert values[0] == mean
        assert values[-1] == predict(tree, rows[0])


def test_the_counterexample_by_hand():
    rows = [rationals(row).tolist() for row in trees_evidence.STAIRS]
    path = path_dependent_game(trees_evidence.conjunction(0), rows[0], rows)
    exact = conditional_game(trees_evidence.conjunction(0), rows[0], rows)
    assert path.tolist() == [Fraction(1, 3), Fraction(1, 2), Fraction(2, 3), ONE]
    assert exact.tolist() == [Fraction(1, 3), Fraction(1, 2), ONE, ONE]


def test_splits_that_share_a_leaf_object_are_weighed_once():
    tree = Split(0, Fraction(1, 2), ONE, ONE)
    rows = [[ZERO], [ONE]]
    assert path_dependent_game(tree, rows[0], rows).tolist() == [ONE, ONE]


def test_a_split_on_a_feature_again_is_exact_with_independent_features():
    tree = Split(0, ONE, ZERO, Split(1, ONE, ONE, Split(0, 2 * ONE, ZERO, 5 * ONE)))
    rows = [tuple(map(Fraction, row)) for row in product((0, 1, 2), (0, 1))]
    x = rows[-1]
    path, exact = (
        shapley_values(game(tree, x, rows)) for game in (path_dependent_game, conditional_game)
    )
    assert (path == exact).all()
