"""The loop over games, seeds and budgets, and what it says of estimators that misbehave."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

from shapaudit.estimators import (
    AnytimeEstimator,
    Estimate,
    Estimator,
    OptimisedMonteCarlo,
    ProjectedSGD,
)
from shapaudit.estimators.checked_runs import EstimatorDiverged, EstimatorFailure
from shapaudit.games import TabularGame
from shapaudit.truth import Truth, shapley_from_table
from shapaudit_audit.study.experiments import _score, run_experiment, tune


@dataclass(frozen=True)
class Fair(Estimator):
    """Split v equally; or misbehave as told."""

    id: ClassVar[str] = "fair"
    fault: str = "none"

    def minimum_budget(self, n_players):
        return 2

    def estimate(self, game, budget, rng):
        d = game.n_players
        ends = np.array([[False] * d, [True] * d])
        rows = np.repeat(ends, budget if self.fault == "overspends" else 1, axis=0)
        values = np.full(d, (game(rows)[-1] - game(ends)[0]) / d)
        if self.fault == "raises":
            raise ZeroDivisionError("no luck")
        if self.fault == "nan":
            values[0] = np.nan
        if self.fault == "shape":
            values = values[1:]
        if self.fault == "text":
            values = values.astype(str)
        if self.fault == "array":
            return values
        errors = {
            "short errors": np.ones(d - 1),
            "missing errors": np.full(d, np.nan),
            "nan": np.full(d, np.nan),
            "negative errors": -np.ones(d),
            "endless errors": np.full(d, np.inf),
        }.get(self.fault)
        spent = {"misreports": 2, "fraction": 4.0}.get(self.fault, 4)
        return Estimate(values, spent, errors)


@dataclass(frozen=True)
class NoList(AnytimeEstimator):
    """Return one estimate where one per budget is wanted."""

    id: ClassVar[str] = "no-list"

    def minimum_budget(self, n_players):
        return 2

    def trajectory(self, game, checkpoints, rng):
        return Estimate(np.zeros(game.n_players), 0)


def problems(count=3, d=4):
    games = [
        TabularGame(np.random.default_rng(k).normal(size=1 << d), f"g{k}") for k in range(count)
    ]
    return games, [Truth(shapley_from_table(g.values), "exact", "enumeration") for g in games]


def run(estimator, seed=0, **changes):
    games, truths = problems()
    settings = {"budgets": [50, 100], "repetitions": 2, "seed": seed, "axes": ("e", "x")}
    return run_experiment(estimator, games, truths, **(settings | changes))


def test_one_row_per_explicand_repetition_and_budget():
    table = run(OptimisedMonteCarlo())
    assert {len(column) for column in table.values()} == {3 * 2 * 2}
    assert (table["evaluations"] <= table["budget"]).all()
    assert (table["truth_variance"] == 0).all()
    assert ((table["coverage"] >= 0) & (table["coverage"] <= 1)).all()


def test_results_depend_on_names_not_on_order():
    whole = run(OptimisedMonteCarlo())
    part = run(OptimisedMonteCarlo(), repetitions=1)
    first = {name: column[whole["repetition"] == 0] for name, column in whole.items()}
    for name in set(part) - {"squared_deviation"}:  # that from the mean over the repetitions
        np.testing.assert_equal(first[name], part[name])
    other = run(OptimisedMonteCarlo(), seed=1)
    assert (whole["squared_error"] != other["squared_error"]).all()


def test_errors_are_measured_against_the_truth():
    games, truths = problems()
    table = run(Fair(), repetitions=1, budgets=[10])
    for explicand, (game, truth) in enumerate(zip(games, truths, strict=True)):
        equal = (game.values[-1] - game.values[0]) / 4
        expected = np.sum((equal - truth.values) ** 2)
        assert table["squared_error"][explicand] == pytest.approx(expected)
    assert np.isnan(table["coverage"]).all()


def test_error_is_bias_plus_variance():
    games, truths = problems(1)
    table = run_experiment(OptimisedMonteCarlo(), games, truths, [50], 200, seed=0, axes=("e", "x"))
    error, variance = table["squared_error"].mean(), table["squared_deviation"].mean()
    # The mean of 200 unbiased runs misses the truth by a 200th of their variance, in expectation.
    assert 0 < error - variance < 5 * variance / 200
    single = run(OptimisedMonteCarlo(), repetitions=1)
    assert (single["squared_deviation"] == 0).all()


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ("raises", "ZeroDivisionError: no luck"),
        ("nan", "not finite at budget 10"),
        ("shape", r"values of shape \(3,\)"),
        ("text", r"values of shape \(4,\) and type <U.*return \(4,\) floats"),
        ("array", "a ndarray; return a shapaudit.estimators.Estimate"),
        ("short errors", r"standard errors of shape \(3,\)"),
        ("missing errors", "standard errors .* are negative or missing"),
        ("negative errors", "standard errors .* are negative or missing"),
        ("fraction", "reports 4.0 evaluations"),
        ("overspends", "BudgetExceeded"),
        ("misreports", "reports 2 evaluations; 4 were counted"),
    ],
)
def test_a_misbehaving_estimator_is_named(fault, message):
    with pytest.raises(EstimatorFailure, match=message) as failure:
        run(Fair(fault), budgets=[10])
    assert "Fair(fault=" in str(failure.value)
    assert "g0" in str(failure.value)


def test_an_estimator_that_returns_no_list_is_named():
    with pytest.raises(EstimatorFailure, match=r"NoList.*g0: a Estimate; return a list"):
        run(NoList())


def test_infinite_standard_errors_cover_everything():
    assert (run(Fair("endless errors"), budgets=[10])["coverage"] == 1).all()


@pytest.mark.parametrize(("error", "covered"), [(1e-16, 1.0), (1e-9, 0.75)])
def test_an_interval_without_width_covers_up_to_rounding(error, covered):
    _, truths = problems(1)
    exact = truths[0].values
    values = exact.copy()
    values[0] += error * np.abs(exact).max()
    estimate = Estimate(values, 5, np.zeros(4))
    assert _score(estimate, exact, truths[0])[-1] == covered


def test_a_reference_widens_the_comparison():
    games, truths = problems(1)
    blurred = [Truth(truths[0].values + 0.1, "reference", "test", np.full(4, 0.1))]
    table = run_experiment(OptimisedMonteCarlo(), games, blurred, [40_000], 1, 0, ("e", "x"))
    assert table["truth_variance"][0] == pytest.approx(0.04)
    assert table["coverage"][0] == 1.0


def test_tuning_chooses_the_smallest_error_and_counts_its_evaluations():
    games, truths = problems()
    grid = [1e-6, 0.02, 3.0]
    estimator, tuning = tune(
        ProjectedSGD(step="inverse-sqrt", average="uniform"),
        "scale",
        grid,
        games,
        truths,
        2000,
        0,
        ("e", "x"),
    )
    assert estimator.scale == tuning.chosen == 0.02
    assert tuning.errors[1] == min(tuning.errors)
    assert tuning.evaluations == 3 * len(games) * 2000


def test_tuning_passes_over_values_that_diverge_but_charges_them():
    games, truths = problems()
    settings = (games, truths, 4000, 0, ("e", "x"))
    estimator, tuning = tune(ProjectedSGD(step="constant"), "scale", [0.001, 1e6], *settings)
    assert estimator.scale == 0.001
    assert tuning.errors[1] is None
    assert tuning.evaluations == 2 * len(games) * 4000
    with pytest.raises(EstimatorDiverged, match="all values"):
        tune(ProjectedSGD(step="constant"), "scale", [1e6, 1e7], *settings)
