"""The benchmark for benchopt, whose base classes are stood in for: it is no dependency here."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import shapaudit
from shapaudit.estimators import Estimate
from shapaudit.estimators.checked_runs import EstimatorFailure
from shapaudit.games import bank
from shapaudit.judging.judgement import BUDGETS

FOLDER = Path(__file__).parents[3] / "benchmarks" / "for_benchopt"
GAME = "wine-linear-baseline"


class StandIn:
    """Parameters become attributes; the seed is that of the repetition."""

    repetition = 0

    def __init__(self, **parameters):
        vars(self).update(parameters)

    def get_seed(self, use_repetition: bool):
        return self.repetition if use_repetition else None


@pytest.fixture
def classes(monkeypatch):
    """Dataset, Objective and Solver, as benchopt reads them from their files."""
    package, criteria = ModuleType("benchopt"), ModuleType("benchopt.stopping_criterion")
    package.BaseDataset = package.BaseObjective = package.BaseSolver = StandIn
    criteria.StoppingCriterion = StandIn
    monkeypatch.setitem(sys.modules, "benchopt", package)
    monkeypatch.setitem(sys.modules, "benchopt.stopping_criterion", criteria)
    files = {"Dataset": "datasets/bank", "Objective": "objective", "Solver": "solvers/estimator"}
    found = {}
    for name, file in files.items():
        spec = importlib.util.spec_from_file_location(f"of_benchopt_{name}", FOLDER / f"{file}.py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        found[name] = getattr(module, name)
    return found


def prepared(classes, estimator: str, repetition: int = 0):
    objective, solver = classes["Objective"](), classes["Solver"](estimator=estimator)
    objective.set_data(**classes["Dataset"](game=GAME).get_data())
    solver.repetition = repetition
    solver.set_objective(**objective.get_objective())
    return objective, solver


def result_of(solver, budget: int) -> dict:
    solver.run(budget)
    return solver.get_result()


def test_all_games_and_estimators_are_offered(classes):
    assert classes["Dataset"].parameters == {"game": bank.names()}
    assert classes["Solver"].parameters == {"estimator": list(shapaudit.list_estimators())}


def test_a_curve_has_relative_errors_at_the_budgets_of_judge_and_ends(classes):
    objective, solver = prepared(classes, "optimised-monte-carlo")
    exact, curve, budget, ended = bank.load(GAME).values, [], 0, False
    while not ended:
        result = result_of(solver, budget)
        error = np.sqrt(((result["values"] - exact) ** 2).sum() / (exact**2).sum())
        told = objective.evaluate_result(**result)
        assert told == {"value": pytest.approx(error), "evaluations": result["evaluations"]}
        assert result["evaluations"] <= budget
        curve.append({"stop_val": budget, **told})
        ended, share = solver.stopping_criterion.check_convergence(curve)
        assert share == budget / 2_000
        budget = solver.get_next(budget)
    assert tuple(point["stop_val"] for point in curve) == (0, *BUDGETS)
    assert curve[0]["value"] == 1.0  # values of 0, before anything is evaluated
    assert curve[-1]["value"] < 0.2 < curve[1]["value"]


def test_what_needs_more_evaluations_has_values_of_zero(classes):
    objective, solver = prepared(classes, "stratified-svarm")
    least = shapaudit.create("stratified-svarm").minimum_budget(13)
    before, at = result_of(solver, least - 1), result_of(solver, least)
    assert not before["values"].any()
    assert before["evaluations"] == 0
    assert at["values"].any()
    assert 0 < at["evaluations"] <= least
    np.testing.assert_equal(objective.get_one_result(), before)


def test_repetitions_have_seeds_of_their_own(classes):
    first, again, other = (
        result_of(prepared(classes, "plain-monte-carlo", repetition)[1], 100)["values"]
        for repetition in (0, 0, 1)
    )
    np.testing.assert_array_equal(first, again)
    assert (first != other).any()


def test_a_solver_sees_no_table_and_is_stopped_at_its_budget(classes, monkeypatch):
    class Greedy:
        def minimum_budget(self, n_players):
            return 1

        def estimate(self, game, budget, rng):
            game(np.zeros((budget + 1, game.n_players), dtype=bool))
            return Estimate(values=np.zeros(game.n_players), evaluations=budget)

    objective, solver = prepared(classes, "greedy")
    assert not hasattr(objective.get_objective()["game"], "values")
    monkeypatch.setattr(shapaudit, "create", lambda name: Greedy())
    with pytest.raises(EstimatorFailure, match="31"):
        solver.run(30)


def test_the_warm_up_runs_the_estimator(classes):
    solver = prepared(classes, "plain-monte-carlo")[1]
    solver.warm_up()
    assert solver.get_result()["values"].any()
