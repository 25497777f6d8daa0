"""What is said of estimators of one's own that break their contract in a study."""

import json
import sys
from dataclasses import asdict, dataclass, field
from typing import ClassVar

import numpy as np
import pytest

from shapaudit.estimators import (
    AnytimeEstimator,
    Estimate,
    Estimator,
    OptimisedMonteCarlo,
    UnknownEstimator,
    create,
)
from shapaudit.estimators import checked_runs as runs
from shapaudit.estimators.checked_runs import EstimatorFailure, run_once
from shapaudit.games import TabularGame
from shapaudit.truth import Truth, shapley_from_table
from shapaudit_audit.study import experiments
from shapaudit_audit.study.blocks.runs import EstimatorBlock, ExperimentBlock
from shapaudit_audit.study.experiments import run_spec
from shapaudit_audit.study.runs import check_parameters, is_foreign

GLOBAL = np.random.default_rng(0)
GAMES = [TabularGame(np.random.default_rng(k).normal(size=16), f"g{k}") for k in range(2)]
TRUTHS = [Truth(shapley_from_table(game.values), "exact", "enumeration") for game in GAMES]
HERE = __name__


class Games:
    """What `run_spec` needs of a collection."""

    n_players, n_experiment = 4, 2

    def experiment_games(self):
        return GAMES

    def predictions(self):
        return None


@dataclass(frozen=True)
class Ends(Estimator):
    """An equal split, which does something else as told."""

    id: ClassVar[str] = "ends"
    fault: str = "none"

    def minimum_budget(self, n_players):
        return 2

    def estimate(self, game, budget, rng):
        ends = game(np.array([[False] * 4, [True] * 4]))
        values = np.full(4, np.diff(ends)[0] / 4)
        if self.fault == "leaves":
            sys.exit(0)
        if self.fault == "long":
            raise ValueError("long " + 200_000 * "y" + " end")
        if self.fault == "global":
            values = values + GLOBAL.random(4)
        if self.fault == "global errors":
            return Estimate(values, 2, GLOBAL.random(4))
        if self.fault == "list":
            values = values.tolist()
        if self.fault == "complex":
            values = values + 0j
        errors = [1.0] * 4 if self.fault == "list of errors" else None
        return Estimate(values, {"nothing": 0, "true": True}.get(self.fault, 2), errors)


@dataclass(frozen=True)
class Idle(AnytimeEstimator):
    """Nothing is asked of the game, or not before the second checkpoint."""

    id: ClassVar[str] = "idle"
    late: bool = False

    def minimum_budget(self, n_players):
        return 1

    def trajectory(self, game, checkpoints, rng):
        zero = Estimate(np.zeros(4), 0)
        if not self.late:
            return [zero] * len(checkpoints)
        game(np.ones((1, 4), dtype=bool))
        return [zero, Estimate(np.zeros(4), 1)]


@dataclass(frozen=True)
class WithSet(Ends):
    """A set is no parameter that JSON knows."""

    id: ClassVar[str] = "with-set"
    kinds: frozenset = frozenset({"a"})


@dataclass(frozen=True)
class WithCard(Ends):
    """A card must be a Card."""

    card: ClassVar[dict] = {"family": "semivalue"}


@dataclass(frozen=True)
class Large(Ends):
    """A parameter that fills pages."""

    weights: list = field(default_factory=lambda: list(range(100_000)))


def run(estimator, budgets=(10, 20)):
    return run_once(estimator, GAMES[0], list(budgets), np.random.default_rng)


def study(name, params=None):
    spec = EstimatorBlock(estimator=name, params=params or {})
    experiment = ExperimentBlock(game="g", budgets=[10, 20], repetitions=2, estimators=["own"])
    return run_spec(spec, experiment, Games(), TRUTHS, 0, ("e", "own"))


@pytest.mark.parametrize(
    ("estimator", "fault"),
    [
        (Ends("leaves"), r"called sys\.exit\(0\) on g0, which would end the job; raise an error"),
        (Ends("list"), r"on g0: values are a list; return an array of \(4,\) floats"),
        (Ends("complex"), r"values of shape \(4,\) and type complex128; return \(4,\) floats"),
        (Ends("list of errors"), "standard errors are a list; return an array"),
        (Ends("nothing"), "reports 0 evaluations; an estimate is made of one value"),
        (Ends("true"), "reports True evaluations; report how many rows"),
        (Idle(), "reports 0 evaluations; an estimate is made of one value"),
        (Idle(late=True), "reports 0 evaluations; an estimate is made of one value"),
    ],
    ids=str,
)
def test_an_estimator_that_breaks_its_contract_is_named(estimator, fault):
    with pytest.raises(EstimatorFailure, match=fault) as failure:
        run(estimator)
    assert str(failure.value).startswith(f"estimator {estimator}")


def test_a_long_message_keeps_its_ends():
    with pytest.raises(EstimatorFailure) as failure:
        run(Ends("long"))
    message = str(failure.value)
    assert "ValueError: long yyy" in message
    assert message.endswith("yyy end")
    assert "198009 characters left out" in message
    assert len(message) < 2500
    with pytest.raises(EstimatorFailure) as failure:
        run(Large(fault="leaves"))
    assert len(str(failure.value)) < 2500


@pytest.mark.parametrize("fault", ["global", "global errors"])
def test_random_numbers_from_elsewhere_are_seen_before_the_work(fault, monkeypatch):
    name, asked = f"{HERE}.Ends", []
    original = runs.run_once
    monkeypatch.setattr(runs, "run_once", lambda *a: asked.append(a[2]) or original(*a))
    words = rf"Ends\(fault='{fault}'\) on g0: two runs with the same generator differ at budget 10"
    with pytest.raises(EstimatorFailure, match=words):
        study(name, {"fault": fault})
    assert asked == [[10], [10]]
    if fault == "global":
        with pytest.raises(EstimatorFailure, match=r"Normalised.*two runs with the same"):
            study("normalised", {"estimator": name, "params": {"fault": fault}})


def test_estimators_of_the_package_are_not_run_twice(monkeypatch):
    monkeypatch.setattr(experiments, "check_repeats", None)
    table, _ = study("normalised", {"estimator": "svarm"})
    assert len(table["explicand"]) == 8
    assert not is_foreign(OptimisedMonteCarlo())
    assert is_foreign(Ends())


def test_an_own_estimator_that_keeps_to_the_contract_runs():
    table, setting = study(f"{HERE}.Ends")
    assert table["evaluations"].tolist() == [2] * 8
    assert json.loads(json.dumps(setting))["params"] == asdict(Ends())


def test_a_parameter_that_cannot_be_written_is_refused_before_the_work():
    words = "WithSet.*: the parameter kinds is a frozenset, which cannot be written.*a list"
    with pytest.raises(EstimatorFailure, match=words):
        study(f"{HERE}.WithSet")
    check_parameters(Ends())
    with pytest.raises(EstimatorFailure, match="parameter kinds is a ndarray"):
        check_parameters(WithSet(kinds=np.zeros(2)))


def test_a_card_is_a_card():
    with pytest.raises(UnknownEstimator, match=r"WithCard: its card is a dict; make it a shapaud"):
        create(f"{HERE}.WithCard")
    assert create(f"{HERE}.Ends").card is None
