"""Samples instead of evaluations, standard deviations, kept estimates, exact errors."""

import made_okhrati
import numpy as np
import pandas as pd
import pytest
from made_okhrati import BUDGETS, ESTIMATORS, EXPLICANDS, SAMPLES, SPECS, TABLES, D, experiment, run

from shapaudit.games import CountedGame, TabularGame
from shapaudit.statistics.typical import joint_ratios
from shapaudit.truth import shapley_from_table
from shapaudit_audit.study.blocks.runs import PathBlock
from shapaudit_audit.study.samples import deviations, kept_estimates, with_samples
from shapaudit_papers.okhrati_lipani_2021.findings.replication import CONTRASTS
from shapaudit_papers.okhrati_lipani_2021.findings.trial import (
    METHODS,
    exact_error,
)
from shapaudit_papers.theory.multilinear import size_moments


@pytest.fixture
def replication():
    return made_okhrati.replication()


@pytest.mark.parametrize("samples", [2, 4, 12, 2000])
@pytest.mark.parametrize("name", METHODS)
def test_samples_cost_what_the_algorithms_spend(name, samples):
    sized, budget = with_samples(ESTIMATORS[name], samples, D)
    q = samples // 2
    wanted = {
        "optimised-mc": samples * D + 1,
        "owen": 2 * (q + 1) * (D + 1),
        "halved-owen": 2 * 2 * (q // 2 + 1) * (D + 1),
    }[name]
    counted = CountedGame(TabularGame(TABLES[0]), budget)
    spent = sized.estimate(counted, budget, np.random.default_rng(0)).evaluations
    assert budget == wanted == spent == counted.evaluations


def test_least_squares_have_no_samples():
    with pytest.raises(ValueError, match="kernel-shap has no samples"):
        with_samples(ESTIMATORS["kernel-shap"], 10, D)


def test_kept_estimates_are_those_whose_errors_are_recorded():
    budgets = [80, 200]
    recorded = run(SPECS, budgets, repetitions=1)
    setting = experiment(budgets, keep=3)
    kept = pd.DataFrame(kept_estimates(SPECS, setting, made_okhrati.collection(), 1, "e"))
    for (name, budget, explicand), own in kept.groupby(["estimator", "budget", "explicand"]):
        truth = shapley_from_table(TABLES[explicand])
        error = np.square(own["value"].to_numpy() - truth).mean()
        assert error == pytest.approx(recorded[name, budget, explicand], rel=1e-12)
    assert kept["explicand"].max() == 2


def test_deviations_over_replicates_are_the_exact_ones():
    path = PathBlock(
        game="p", estimators=["owen"], explicands=1, samples=40, step=20, replicates=400
    )
    frame = pd.DataFrame(deviations(SPECS, path, made_okhrati.collection(), 3, "p"))
    moments = [size_moments(TABLES[0], paired) for paired in (False, True)]
    for row in frame[frame["kind"] == "replicates"].itertuples():
        sized, budget = with_samples(ESTIMATORS["owen"], row.samples, D)
        _, variance = exact_error(sized, budget, moments)
        assert row.evaluations == budget
        assert row.deviation == pytest.approx(np.sqrt(variance), rel=0.15)
    assert (frame.loc[(frame["kind"] == "path") & (frame["samples"] == 20), "deviation"] == 0).all()


@pytest.mark.parametrize(
    "name", ["optimised-mc", "antithetic-mc", "owen", "halved-owen", "me-gauss"]
)
def test_exact_errors_are_those_of_runs(name):
    game, truth = TabularGame(TABLES[1]), shapley_from_table(TABLES[1])
    moments = [size_moments(TABLES[1], paired) for paired in (False, True)]
    rng = np.random.default_rng(5)
    runs = [ESTIMATORS[name].estimate(game, 150, rng).values for _ in range(500)]
    errors = np.square(np.array(runs) - truth).mean(axis=1)
    exact = exact_error(ESTIMATORS[name], 150, moments)
    assert abs(errors.mean() - sum(exact)) < 4 * errors.std() / np.sqrt(len(errors))


def test_exact_errors_of_other_estimators_are_not_known(replication):
    suite = replication.suites["okhrati-suite"]
    assert suite.exact("kernel-shap", BUDGETS[-1]) is None
    bias, _ = suite.exact("me-gauss", (D + 1) * 2 * ((D + 1) // 2))
    assert bias < 1e-28


def test_a_trial_finds_its_samples(replication):
    trial = replication.trials["okhrati-samples"]
    assert trial.samples == list(SAMPLES)
    assert trial.at_samples(20).shape == (EXPLICANDS, 3)
    estimate = replication.ratios["okhrati-samples", "samples"][0].estimate
    errors = trial.at_samples(20)
    assert estimate == pytest.approx((errors["optimised-mc"] / errors["owen"]).median())


def test_the_best_estimator_is_chosen_on_other_images(replication):
    maps = replication.maps["okhrati-maps"]
    assert maps.shown == 4
    means = maps.means.xs(maps.budget, level="budget")
    assert maps.best == means.iloc[:, 4:].mean(axis=1).idxmin()
    names, budgets = zip(*maps.rows, strict=True)
    assert names == ("optimised-mc", "halved-owen", maps.best)
    assert budgets[0] == 12 * D + 1
    assert budgets[1] == budgets[2] == maps.budget


def test_few_explicands_have_ratios_without_limits(replication):
    trial = replication.trials["okhrati-samples"]
    units = {"few": trial.at_samples(20).iloc[:3]}
    (first, *_), errors = joint_ratios(units, CONTRASTS, 0.05)["few"], units["few"]
    assert first.estimate == pytest.approx((errors["optimised-mc"] / errors["owen"]).median())
    assert np.isnan(first.low)
