"""The game among groups of players."""

import numpy as np
import pytest

from shapaudit.games import AdditiveGame, GameError, QuotientGame, TabularGame, walk

GROUPS = [[3, 0], [2], [1, 4]]


@pytest.fixture
def tabular():
    return TabularGame(np.random.default_rng(0).normal(size=32))


def test_a_coalition_is_worth_its_members_together(tabular):
    game = QuotientGame(tabular, GROUPS)
    coalitions = np.array([[True, False, False], [False, True, True]])
    together = np.array([[True, False, False, True, False], [False, True, True, False, True]])
    np.testing.assert_array_equal(game(coalitions), tabular(together))


def test_walks_of_a_game_with_walks_are_those_of_its_values(tabular):
    orders = np.array([[0, 1, 2], [2, 0, 1], [1, 2, 0]])
    plain = QuotientGame(tabular, GROUPS)

    class Walking(TabularGame):
        def walk(self, permutations):
            self.seen = permutations
            return walk(tabular, permutations)

    walking = Walking(tabular.values)
    walked = QuotientGame(walking, GROUPS).walk(orders)
    np.testing.assert_allclose(walked, walk(plain, orders), atol=1e-14)
    assert walking.seen[1].tolist() == [1, 4, 3, 0, 2]


def test_groups_of_one_are_the_game(tabular):
    orders = np.random.default_rng(1).permuted(np.tile(np.arange(5), (4, 1)), axis=1)
    game = QuotientGame(tabular, [[k] for k in range(5)])
    np.testing.assert_array_equal(walk(game, orders), walk(tabular, orders))


@pytest.mark.parametrize(
    "groups", [[], [[0, 1]], [[0, 1], [1, 2]], [[0, 1, 2], []], [[0, 1], [3]], [[-1, 0], [1, 2]]]
)
def test_groups_that_are_no_partition_are_refused(groups):
    with pytest.raises(GameError, match="each of its 3 players must be in one group"):
        QuotientGame(AdditiveGame(np.ones(3)), groups)
