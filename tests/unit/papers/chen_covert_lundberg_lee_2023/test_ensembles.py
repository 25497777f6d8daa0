"""Ensembles of trees, path-dependent values beside marginal ones, and worlds that are otherwise."""

from fractions import Fraction

import numpy as np
import pytest
from parts import part
from sklearn.tree import DecisionTreeRegressor

from shapaudit_audit.audit.context import Context, Settings
from shapaudit_papers.chen_covert_lundberg_lee_2023.evidence import ensembles as evidence
from shapaudit_papers.theory.trees import conditional_game, predict

CONTEXT = Context(
    "tiny", 3, (), Settings(brute_force_dimension=3, random_games=2, interaction_games=60)
)


def observe(claim_id, **world):
    claim = part(claim_id)
    return claim.judge(claim.gather(CONTEXT, **world), 0.05)


def as_probability(trees, row):
    """The sum of the trees through a link that is not linear."""
    total = evidence.predicted(trees, row)
    return total / (1 + abs(total))


@pytest.mark.parametrize(
    ("claim_id", "world", "status"),
    [
        ("gather_ensembles", {}, "proved"),
        ("gather_ensembles", {"model": as_probability}, "refuted"),
        ("49f", {}, "supported"),
        ("49f", {"game": conditional_game}, "refuted"),
    ],
)
def test_verdicts_in_our_world_and_in_others(claim_id, world, status):
    assert observe(claim_id, **world).status == status


def test_few_worlds_decide_nothing():
    claim = part("49f")
    gathered = claim.gather(CONTEXT)
    few = {kind: units[:10] for kind, units in gathered["distances"].items()}
    assert claim.judge({"distances": few}, 0.05).status == "inconclusive"


def test_grown_trees_fit_as_well_as_those_of_another_package():
    for k in range(5):
        rng = np.random.default_rng(k)
        rows = evidence.dependent_rows(rng)
        targets = [Fraction(int(x)) for x in rng.integers(-9, 10, size=len(rows))]
        tree = evidence.grown_tree(rows, targets, depth=2)
        error = sum(
            float(predict(tree, row) - y) ** 2 for row, y in zip(rows, targets, strict=True)
        )
        features, target = np.array(rows, dtype=float), np.array(targets, dtype=float)
        other = DecisionTreeRegressor(max_depth=2, random_state=0).fit(features, target)
        wanted = ((other.predict(features) - target) ** 2).sum()
        assert error == pytest.approx(wanted)


def test_a_tree_of_equal_rows_is_a_leaf():
    rows = [(Fraction(1),)] * 3
    assert evidence.grown_tree(rows, [Fraction(k) for k in (1, 2, 6)]) == 3
