"""Limits and tables on samples that are drawn from a seed."""

import numpy as np
import pandas as pd
import pytest

from recorded import compare, outcome
from shapaudit.statistics import (
    agreement,
    calibration,
    comparisons,
    error_split,
    joint_agreement,
    limits,
    moments,
    ranks,
    regret,
    simultaneous,
    summaries,
    typical,
)


def generator():
    return np.random.default_rng(3)


def units(n, k=2, spread=0.5):
    return np.exp(spread * generator().normal(size=(n, k)))


def told(value):
    """Tables, tuples and limits as what a record holds."""
    if isinstance(value, pd.DataFrame):
        return value.reset_index().to_dict("list")
    return vars(value) if isinstance(value, limits.Limit | error_split.ErrorSplit) else value


def keep(group, results):
    compare("statistics", {f"{group}: {key}": told(value) for key, value in results.items()})


def test_limits_of_shares():
    results = {}
    for count, trials in ((0, 1), (1, 1), (0, 20), (3, 20), (20, 20), (21, 20), (-1, 20), (0, 0)):
        call = limits.clopper_pearson, "share", count, trials, 0.1
        results[f"{count} of {trials}"] = outcome(*call)
    for probability, alpha in ((0.5, 0.05), (0.01, 0.05), (0.03, 0.002)):
        results[f"trials {probability} {alpha}"] = limits.trials_needed(probability, alpha)
    keep("shares", results)


@pytest.mark.parametrize("n", [2, 9, 10, 11, 40])
def test_limits_of_means(n):
    sample = units(n)
    results = {"bounded": limits.bounded_mean("m", sample[:, 0] / 9, 1.0, 0.1)}
    results["skewed"] = limits.skewed_mean_limits(sample, 0.1)
    results["straight"] = limits.skewed_mean_limits(np.array([[0.0, 1], [1, 1], [2, 1]]), 0.1)
    results["mean"] = limits.bootstrap("m", sample[:, 0], 0.1)
    results["median"] = limits.bootstrap("m", sample[:, 0], 0.1, np.median, "percentile")
    results["constant"] = limits.bootstrap("m", np.full(n, 0.3), 0.1)
    for alpha in (0.3, 0.05, 0.001):
        results[f"rank {alpha}"] = limits.limit_rank(n, alpha)
        results[f"exact {alpha}"] = limits.median_with_limits("m", sample[:, 0], alpha)
    if n > 9:
        rows = np.stack([sample[:, 0], np.full(n, 0.3)])
        results["rows"] = limits.bootstrap_limits(rows, np.mean, 0.9, resamples=200)
    keep(f"means of {n}", results)


def test_limits_must_be_in_order():
    ends = [(1, 0, 2, 0.5), (1, 2, 0, 0.5), (1, 0, 2, 0.0), (1, 0, 2, 1.0), (np.nan, 0, 2, 0.5)]
    ends += [(1, -np.inf, 2, 0.5), (1, 0, np.inf, 0.5), (1, 1, 1, 0.5)]
    keep("ends", {f"{end}": outcome(limits.Limit, "m", *end) for end in ends})


@pytest.mark.parametrize("n", [10, 11, 60])
def test_ratios(n):
    sample = units(n, 3)
    frame = pd.DataFrame(sample, columns=["a", "b", "c"])
    group = simultaneous.contrasts_of(frame, [("a", "b"), ("c", "a")])
    flat = simultaneous.Group(np.ones((n, 2)) * [2.0, 1.0], np.array([[1, -1]]))
    zeros = simultaneous.Group(np.eye(n, 2) + 0.0, np.array([[1, -1]]))
    groups = [group, flat]
    results = {"typical": typical.typical_limits(groups, 0.1)}
    results["zeros"] = typical.typical_limits([zeros], 0.1)
    results["means"] = simultaneous.ratio_limits(groups, 0.1, resamples=300)
    results["anyhow"] = simultaneous.ratio_limits(groups, 0.1, resamples=300, least_share=0.0)
    results["heavy"] = simultaneous.ratio_limits(
        [simultaneous.Group(units(n, 2, 3.0), np.array([[1, -1]]))], 0.1, resamples=300
    )
    results["mean"] = simultaneous.ratio_of_means(sample[:, :2], 0.1, 300)
    results["share"] = simultaneous.effective_share(sample)
    results["one"] = typical.typical_ratio(sample[:, :2], 0.1)
    results["joint"] = typical.joint_ratios({"x": frame, "y": 2 * frame}, [("a", "b")], 0.1)
    results["few"] = typical.joint_ratios({"x": frame, "y": frame[:9]}, [("a", "b")], 0.1)
    results["few means"] = simultaneous.ratio_of_means(sample[:9, :2], 0.1)
    results["refused"] = [
        outcome(typical.typical_limits, [simultaneous.Group(sample[:9, :2], [[1, -1]])], 0.1),
        outcome(typical.typical_limits, [simultaneous.Group(-sample[:, :2], [[1, -1]])], 0.1),
        outcome(simultaneous.ratio_limits, [simultaneous.Group(sample[:9], [[1, -1, 0]])], 0.1),
        outcome(simultaneous.ratio_limits, [simultaneous.Group(-sample, [[1, -1, 0]])], 0.1),
    ]
    keep(f"ratios of {n}", results)


def test_words_of_ratios():
    results = {}
    for low, high in ((0.5, 0.9), (0.5, 1.0), (0.9, 1.1), (1.0, 2.0), (1.1, 2.0)):
        ratio = simultaneous.Ratio((low + high) / 2, low, high, high)
        results[f"{low} {high}"] = (ratio.word, *ratio.inverted(), *ratio.row().items())
    edge = simultaneous.Ratio(0.0, 0.0, limits.UNBOUNDED, np.nan)
    results["edge"] = edge.inverted()
    results["units"] = [
        simultaneous.units_to_decide(*given) for given in ((0.5, 0.8, 40), (2, 5, 9), (1, 2, 9))
    ]
    keep("words", results)


def test_errors_in_four_parts():
    rng = generator()
    truth, exact = rng.normal(size=(2, 3)), rng.normal(size=(4, 2, 3))
    estimates = rng.normal(size=(4, 3, 2, 3))
    results = error_split.split_limits(truth, exact, estimates, 0.1)
    results["split"] = error_split.split_error(truth, exact, estimates)
    results["whole"] = results["split"].total
    split = error_split.split_error
    results["refused"] = [
        outcome(split, truth, exact[:2], estimates[:2]),
        outcome(split, truth, exact, estimates[:, :1]),
        outcome(split, truth[:1], exact, estimates),
        outcome(split, truth, exact[:3], estimates),
    ]
    results["least"] = split(truth[0], exact[:3, 0], estimates[:3, :2, 0])
    keep("split", results)


def test_regrets():
    rng = generator()
    errors = rng.gamma(1.0, size=(9, 3))
    errors[0, 1], errors[4] = np.nan, [0.0, 0.0, 2.0]
    results = {"regrets": regret.regrets(errors), "floor": regret.regrets(errors, 0.5)}
    for column in range(3):
        own, games = results["regrets"][:, column].clip(max=9), np.arange(9) // 2
        results[f"summary {column}"] = vars(regret.summarised(own, games, generator()))
    results["refused"] = [
        outcome(regret.regrets, -errors),
        outcome(regret.regrets, np.full((2, 2), np.nan)),
        outcome(regret.summarised, np.full(2, np.nan), np.arange(2), generator()),
    ]
    budgets = np.array([10, 20, 40])
    for target in (5.0, 1.0, 0.6, 0.25, 0.1, 0.0):
        reach = regret.evaluations_to_reach
        results[f"{target}"] = reach(target, budgets, np.array([1.0, 0.5, 0.2]))
        results[f"{target} and 0"] = reach(target, budgets, np.array([1.0, 0.5, 0.0]))
    keep("regret", results)


def trials():
    """Errors of three estimators at two budgets on twelve explicands, two runs of each."""
    rng, rows = generator(), []
    for estimator, scale in (("a", 1.0), ("b", 2.0), ("c", 2.5)):
        for budget in (100, 200, 400):
            for explicand in range(12):
                for repetition in range(2):
                    error = scale / np.sqrt(budget) * np.exp(0.4 * rng.normal())
                    row = {"estimator": estimator, "budget": budget, "explicand": explicand}
                    row |= {"repetition": repetition, "error": error, "squared_error": error**2}
                    row |= {"squared_deviation": error**2 * rng.random(), "evaluations": budget - 1}
                    row |= {"coverage": rng.random(), "truth_variance": 1e-4 * explicand}
                    rows.append(row)
    return pd.DataFrame(rows)


def test_tables_of_an_experiment():
    frame, rng = trials(), generator()
    truth = pd.DataFrame(
        {"explicand": np.repeat(np.arange(14), 3), "player": np.tile(np.arange(3), 14)}
    )
    truth = truth.assign(value=rng.normal(size=42), bound=0.001)
    results = {"means": summaries.explicand_means(frame), "curves": summaries.error_curves(frame)}
    results["coverage"] = summaries.coverage_table(frame)
    results["no coverage"] = summaries.coverage_table(frame.assign(coverage=np.nan))
    results["parts"] = summaries.variance_components(frame)
    results["one run"] = summaries.variance_components(frame[frame["repetition"] == 0])
    results["relative"] = summaries.relative_errors(frame, truth)
    results["precision"] = summaries.truth_precision(frame, truth)
    results["bounds"] = summaries.truth_precision(frame, truth.assign(bound=0.1))
    results["compared"] = comparisons.compare(frame, "a", "b")
    results["at 200"] = comparisons.compare(frame, "a", "c", 200, 0.2)
    results["speed"] = comparisons.speed_up(frame, "a", "b")
    results["slow"] = comparisons.speed_up(frame, "c", "a", 0.5)
    results["all"] = comparisons.compare_all({"x": frame, "y": frame}, [("a", "b"), ("c", "d")])
    readings = pd.DataFrame({"method": ["a", "b", "z"], "evaluations": [100, 300, 100]})
    readings = readings.assign(error=[0.1, 0.2, 0.3], experiment="x", players=[4, 4, 5])
    results["readings"] = comparisons.readings_of(readings, "x", 4)
    results["published"] = comparisons.published_comparison(frame, readings)
    keep("experiment", results)


def test_evaluations_to_reach():
    curves = np.array([[1.0, 0.5, 0.1], [1.0, 1.0, 1.0], [0.1, 0.5, 0.01], [1.0, 0.2, 0.2]])
    results = {}
    for target in (2.0, 1.0, 0.3, 0.1):
        reach = comparisons.evaluations_to_reach
        results[f"{target}"] = reach(np.array([10, 100, 1000]), curves, np.full(4, target))
    keep("reached", results)


def test_agreement_with_published_cells():
    frame, rng = trials(), generator()
    ours = agreement.decompose(frame, {"a": "LS", "b": "RO"})
    theirs = pd.DataFrame({"method": ["LS", "RO"] * 3, "samples": np.repeat([100, 200, 400], 2)})
    rows = [
        {"method": m, "samples": s, "quantity": q, "value": rng.gamma(2.0) / s, "data": "x"}
        for m, s in zip(theirs["method"], theirs["samples"], strict=True)
        for q in ("bias", "variance", "other")
    ]
    published = pd.DataFrame(rows).assign(players=4)
    cells = agreement.published_cells(published, "x", 4)
    results = {"ours": ours, "theirs": cells, "none": agreement.published_cells(published, "x", 5)}
    results["compared"] = agreement.compare_cells(ours, cells)
    results["strictly"] = agreement.compare_cells(ours, cells, 0.5)
    results["typical"] = agreement.typical_ratio(results["compared"])
    results["one"] = agreement.typical_ratio(results["compared"][:1])
    bias = np.array([0.0, 0.01, 0.02, 0.03, 0.1])
    results["biased"] = agreement.biased(bias, np.ones(5), np.full(5, 1.4), np.full(5, 100))
    results["few"] = agreement.biased(bias[3:], np.ones(2), np.full(2, 1.4), np.full(2, 100), 0.5)
    squares = {name: rng.gamma(1.0, size=(30, k)) for name, k in (("LS", 3), ("RO", 2))}
    ratios = {"LS": np.array([1.1, 0.8, 1.3]), "RO": np.array([0.7, 0.9])}
    joint = vars(joint_agreement.joint_test(squares, ratios, 50))
    keep("joint", joint)
    keep("published", results)


def test_calibrations():
    population = calibration.log_normal(0.8)[:999]
    results = {"log-normal": population[:5], "other": calibration.log_normal(0.1, 2.0)[:5]}
    results["medians"] = calibration.level_medians(population)
    results["even"] = calibration.level_medians(population[:10])
    level = calibration.level_means(population)
    results["means"] = level
    results["decided"] = calibration.decided(level, typical.typical_limits, 0.5, 12, 30)
    results["by means"] = calibration.decided_by_means(level, 0.5, 12, 20, 99)
    for alpha, size in ((0.5, 12), (0.05, 12), (0.01, 3)):
        results[f"typically {size} {alpha}"] = calibration.decided_typically(
            level, alpha, size, 200
        )
    keep("calibration", results)


def test_moments_and_ranks():
    running, rows, results = moments.RunningMoments(2), generator().normal(size=(9, 2)), {}
    for first, last in ((0, 0), (0, 1), (1, 2), (2, 9)):
        running.update(rows[first:last])
        results[f"{last}"] = (running.count, running.mean, running.standard_errors())
    for n, m in ((1, 1), (2, 3), (4, 4), (5, 2)):
        results[f"orders {n} {m}"] = [str(count) for count in ranks.orders_by_inversions(n, m)]
    results["least"] = [ranks.least_units(alpha) for alpha in (2.0, 1.0, 0.34, 0.1, 0.05, 0.01)]
    first, second = units(5)[:, 0], units(7)[:, 1]
    for alpha in (0.001, 0.02, 0.2):
        results[f"factor {alpha}"] = ranks.factor_limits(first, second, alpha)
    keep("moments", results)
