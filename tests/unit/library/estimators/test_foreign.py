"""Estimators as approximators of shapiq, alone and in its explainers."""

import copy
import pickle
import subprocess
import sys

import numpy as np
import pytest
import shapiq
from sklearn.linear_model import LinearRegression

from shapaudit.estimators import REGISTRY, BudgetTooSmall, create
from shapaudit.estimators.foreign import shapiq_approximator
from shapaudit.games import GameError
from shapaudit.optional import MissingPackage

PLAYERS = 6
EFFICIENT = [name for name in REGISTRY if create(name).card.efficient]


class CountedCalls:
    """A game as shapiq knows it: no number of players, and values of single coalitions, too."""

    def __init__(self, n_players=PLAYERS, seed=0):
        rng = np.random.default_rng(seed)
        self.table = rng.normal(size=1 << n_players)
        self.powers = 1 << np.arange(n_players)
        self.evaluations = 0

    def __call__(self, coalitions):
        rows = np.atleast_2d(coalitions)
        self.evaluations += len(rows)
        return self.table[rows @ self.powers]


def additive(coalitions):
    return 2.0 + coalitions @ np.arange(1.0, PLAYERS + 1)


@pytest.mark.parametrize("name", REGISTRY)
@pytest.mark.parametrize("players", [1, 2, PLAYERS])
def test_budgets_are_kept_and_counted(name, players):
    approximator = shapiq_approximator(name, players, random_state=1)
    assert isinstance(approximator, shapiq.approximator.Approximator)
    least = create(name).minimum_budget(players) + 1
    for budget in (least, least + 1, 3 * least + 7):
        game = CountedCalls(players)
        interactions = approximator.approximate(budget, game)
        assert game.evaluations <= budget
        assert interactions.estimation_budget == game.evaluations
        assert interactions.baseline_value == interactions[()] == game.table[0]
        assert (interactions.index, interactions.min_order, interactions.max_order) == ("SV", 0, 1)
        assert len(interactions.values) == players + 1
        assert np.isfinite(interactions.values).all()


@pytest.mark.parametrize("name", EFFICIENT)
def test_estimators_that_look_at_the_ends_get_the_whole_budget(name):
    least = create(name).minimum_budget(PLAYERS)
    game = CountedCalls()
    interactions = shapiq_approximator(name, PLAYERS, random_state=1).approximate(least, game)
    total = sum(interactions[(i,)] for i in range(PLAYERS))
    assert total == pytest.approx(game.table[-1] - game.table[0])


def test_values_are_those_of_the_estimator():
    game = CountedCalls()
    game.n_players = PLAYERS
    wanted = create("auto").estimate(game, 40, np.random.default_rng(5)).values
    interactions = shapiq_approximator("auto", PLAYERS, random_state=5)(budget=40, game=game)
    assert [interactions[(i,)] for i in range(PLAYERS)] == wanted.tolist()


@pytest.mark.parametrize(("budget", "estimated"), [(63, True), (64, False), (1000, False)])
def test_all_coalitions_leave_nothing_to_estimate(budget, estimated):
    game = CountedCalls()
    interactions = shapiq_approximator("auto", PLAYERS).approximate(budget, game)
    assert interactions.estimated is estimated
    if not estimated:
        exact = shapiq.ExactComputer(CountedCalls(), PLAYERS)("SV")
        np.testing.assert_allclose(
            [interactions[(i,)] for i in range(PLAYERS)], [exact[(i,)] for i in range(PLAYERS)]
        )
        assert interactions.estimation_budget == 64


def test_a_budget_that_is_too_small_is_refused():
    for name in ("auto", "svarm"):
        least = create(name).minimum_budget(PLAYERS) + (name == "svarm")
        approximator = shapiq_approximator(name, PLAYERS)
        approximator.approximate(least, additive)
        with pytest.raises(BudgetTooSmall, match=rf"{name} needs at least {least} evaluations"):
            approximator.approximate(least - 1, additive)


def test_runs_are_repeated_by_their_seed():
    def run(approximator):
        return approximator.approximate(20, CountedCalls()).values.tolist()

    seeded = shapiq_approximator("auto", PLAYERS, random_state=3)
    first, second = run(seeded), run(seeded)
    assert first != second
    assert run(shapiq_approximator("auto", PLAYERS, random_state=3)) == first
    seeded.set_random_state(3)
    assert run(seeded) == first
    assert run(shapiq_approximator("auto", PLAYERS)) != first


def test_approximators_of_other_estimators_differ():
    approximator = shapiq_approximator("auto", PLAYERS, random_state=3)
    assert approximator == shapiq_approximator(create("auto"), PLAYERS, random_state=3)
    assert hash(approximator) == hash(shapiq_approximator("auto", PLAYERS, random_state=3))
    assert approximator != shapiq_approximator("svarm", PLAYERS, random_state=3)
    assert approximator != shapiq_approximator("auto", PLAYERS + 1, random_state=3)
    assert approximator != shapiq.KernelSHAP(PLAYERS, random_state=3)
    assert type(approximator).__name__ == "Auto"


@pytest.mark.parametrize(
    "again", [lambda original: pickle.loads(pickle.dumps(original)), copy.deepcopy]
)
def test_pickles_and_copies_go_on_where_they_were(again):
    approximator = shapiq_approximator("auto", PLAYERS, random_state=3)
    approximator.approximate(20, CountedCalls())
    other = again(approximator)
    assert other == approximator
    values, wanted = (each.approximate(20, CountedCalls()).values for each in (other, approximator))
    np.testing.assert_array_equal(values, wanted)


def test_a_class_makes_others_as_benchmarks_do():
    made = type(shapiq_approximator("auto", 2))
    assert made.valid_indices == ("SV",)
    interactions = made(n=PLAYERS, random_state=1).approximate(budget=30, game=additive)
    np.testing.assert_allclose(interactions.values, [2, 1, 2, 3, 4, 5, 6])


def test_a_game_that_breaks_the_contract_is_refused():
    approximator = shapiq_approximator("auto", PLAYERS)
    with pytest.raises(GameError, match="returned nan"):
        approximator.approximate(20, lambda rows: np.full(len(rows), np.nan))


def test_a_game_may_write_into_what_it_is_given():
    def vandal(coalitions):
        values = additive(coalitions)
        coalitions[:] = False
        return values

    interactions = shapiq_approximator("auto", PLAYERS).approximate(30, vandal)
    np.testing.assert_allclose(interactions.values, [2, 1, 2, 3, 4, 5, 6])


@pytest.mark.parametrize("name", ["auto", "antithetic-monte-carlo", "svarm"])
def test_an_explainer_of_shapiq_takes_it(name):
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(50, PLAYERS))
    weights = np.arange(1.0, PLAYERS + 1)
    model = LinearRegression().fit(rows, rows @ weights)
    explainer = shapiq.TabularExplainer(
        model,
        rows,
        index="SV",
        max_order=1,
        imputer="baseline",
        approximator=shapiq_approximator(name, PLAYERS, random_state=0),
    )
    interactions = explainer.explain(rows[0], budget=40)
    if name != "svarm":  # which is not exact on additive games
        wanted = weights * (rows[0] - rows.mean(axis=0))
        np.testing.assert_allclose([interactions[(i,)] for i in range(PLAYERS)], wanted, atol=1e-9)
    assert interactions.baseline_value == pytest.approx(model.predict(rows.mean(axis=0)[None])[0])
    several = explainer.explain_X(rows[:3], budget=40, random_state=1)
    assert len(several) == 3


def test_shapiq_is_named_where_it_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "shapiq", None)
    with pytest.raises(MissingPackage, match="needs the package shapiq: pip install shapiq "):
        shapiq_approximator("auto", PLAYERS)


def test_the_library_does_not_import_other_packages():
    lines = [
        "import sys, shapaudit.estimators.foreign, shapaudit.explanations.foreign",
        "print(*sorted({'shap', 'shapiq', 'matplotlib', 'sklearn'} & set(sys.modules)))",
    ]
    done = subprocess.run(
        [sys.executable, "-c", "; ".join(lines)], capture_output=True, text=True, check=True
    )
    assert done.stdout == "\n"
