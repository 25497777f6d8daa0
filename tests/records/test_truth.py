"""What every method of truth finds on a game that has the structure for it."""

import numpy as np
import pytest

from contract.test_games import games
from recorded import compare, outcome
from records.test_games import wide_trees
from shapaudit.games import (
    AdditiveGame,
    BaselineGame,
    ConditionalGame,
    GameError,
    ProductGame,
    SymmetricMajorityGame,
    TabularGame,
    ThresholdGame,
)
from shapaudit.truth import (
    METHODS,
    TruthError,
    compute,
    enumeration,
    few_players,
    inversion,
    mean_tree_shapley,
    reference,
    shapley_exact,
    shapley_from_table,
    spectrum,
    tails,
    tree,
    tree_shapley,
)
from shapaudit.truth.inversion import inverted_shapley
from unit.worlds import LAWS, MODELS, explicands

SIZES = {
    "permutations": {"shuffles": 300},
    "orbits": {"orbits": 20},
    "law": {"draws": 50},
}


def all_games():
    rng = np.random.default_rng(4)
    row, baseline = rng.normal(size=(2, 4))
    return [
        *games(),
        BaselineGame(MODELS["trees"].predict, row, baseline),
        ThresholdGame(0.3, rng.normal(size=60), 1.0),
        ConditionalGame(LAWS["mixture"], MODELS["relu"], explicands("mixture")[0]),
        ConditionalGame(LAWS["gaussian"], MODELS["relu"], explicands("gaussian")[0]),
    ]


@pytest.mark.parametrize("method", METHODS)
def test_values_of_a_method(method):
    for number, game in enumerate(all_games()):
        try:
            truth = compute(method, game, np.random.default_rng(5), **SIZES.get(method, {}))
        except (TruthError, GameError):  # it has not the structure, or too many players
            continue
        parts = {"values": truth.values, "errors": truth.standard_errors, "bounds": truth.bounds}
        parts |= {"certificate": truth.certificate, "method": truth.method}
        compare("truth", {f"{method} of {number} {type(game).__name__}": parts})


def shifts_of(d):
    return np.random.default_rng(d).normal(size=d) / 3


@pytest.mark.parametrize("d", [2, 3, 4, 5, 8, 9, 30])
def test_parts_of_the_inversion(d):
    shifts, tops = shifts_of(d), np.minimum(np.arange(6), (d - 1) // 2)
    means = [spectrum.mean_characteristics(shifts, 0.3, tops, first) for first in (0, 1)]
    parts = {"means": [(mean.real, mean.imag) for mean in means]}
    parts["rounding"] = 1e15 * spectrum.characteristics_rounding(d, 4.0)
    rounding = [inversion._rounding(shifts, 0.7, slack, 0.02, 21) for slack in (0.0, 1e-14)]
    parts["rounding of estimates"] = [1e12 * part for part in rounding]
    parts["sizes"] = [spectrum.size_bounds(d, share * d) for share in (0.1, 1.0)]
    parts["sums"] = [spectrum.sum_bounds(shifts, 0.3, cells, 2) for cells in (1, 5, 600)]
    parts["counted"] = few_players.most_counted(d)
    for threshold in (-0.2, 0.0, 0.7):
        for slack in (0.0, 1e-3, 0.3):
            key = f"crossings {threshold} {slack}"
            parts[key] = few_players.counted_crossings(shifts, threshold, slack)
    for first in (0, 1):
        tail = tails.Tails(shifts, 0.02, min(first, (d - 1) // 2), 21)
        parts[f"beyond {first}"] = tail.beyond
        parts[f"tops {first}"] = [tail.sizes(count, most) for count in (1, 9) for most in (0, 0.1)]
    parts["vaaler"] = tails.vaaler(np.array([0.1, 0.5, 0.9]))
    compare("truth", {f"inversion of {d}": parts})


def test_slack_of_a_threshold(monkeypatch):
    slacks = []
    counted = few_players.counted_crossings

    def noted(shifts, threshold, slack):
        slacks.append(slack)
        return counted(shifts, threshold, slack)

    monkeypatch.setattr(inversion, "counted_crossings", noted)
    for d in (2, 9):
        inverted_shapley(ThresholdGame(0.1, shifts_of(d), 0.4), 1e-2)
    compare("truth", {"slack of a threshold": [1e15 * slack for slack in slacks]})


@pytest.mark.parametrize("d", [1, 2, 3, 6])
def test_values_of_few_players(d):
    rng, truths = np.random.default_rng(d), {}
    table = TabularGame(rng.normal(size=1 << d))
    both = [
        table,
        AdditiveGame(rng.normal(size=d)),
        ProductGame(rng.random(d) + 0.1, rng.random(d) + 0.1, 0.3),
        ThresholdGame(0.1, rng.normal(size=d), 0.4),
        SymmetricMajorityGame(d, (d + 1) // 2),
    ]
    for method in METHODS:
        for number, game in enumerate(both):
            given = SIZES.get(method, {})
            truth = outcome(compute, method, game, np.random.default_rng(5), **given)
            key = f"{method} of {number}"
            if not isinstance(truth, str):
                truths[key] = (truth.values, truth.standard_errors, truth.bounds, truth.certificate)
            elif d == 2:
                truths[key] = truth
    compare("truth", {f"players {d}: {key}": value for key, value in truths.items()})


def of(call, *arguments):
    """A truth, or the refusal, as what a record holds."""
    truth = outcome(call, *arguments)
    return (
        truth
        if isinstance(truth, str)
        else (truth.values, truth.standard_errors, truth.bounds, truth.certificate, truth.method)
    )


@pytest.mark.parametrize("d", [1, 2, 5, 12])
def test_references(d):
    rng, truths = np.random.default_rng(d), {}
    threshold = ThresholdGame(0.2, rng.normal(size=d), 0.5)
    additive = AdditiveGame(rng.normal(size=d), 1.0)
    for shuffles in (0, 1, 2, 65, 300):
        for game in (threshold, additive):
            key = f"{shuffles} {type(game).__name__}"
            given = game, np.random.default_rng(3), shuffles
            truths[f"plain {key}"] = of(reference.converged_reference, *given)
            truths[f"any {key}"] = of(reference.reference_values, *given)
            for block in (1, 7):
                truths[f"by {block} {key}"] = of(reference.converged_reference, *given, block)
        truths[f"cyclic {shuffles}"] = of(
            reference.cyclic_reference, threshold, np.random.default_rng(3), shuffles
        )
    for orbits in (1, 2, 5):
        for kind in ("uniform", "antithetic", "cyclic", "williams", "none"):
            given = threshold, np.random.default_rng(3), orbits, kind
            truths[f"orbits {orbits} {kind}"] = of(reference.orbit_reference, *given)
    broken = BaselineGame(lambda rows: np.where(rows.sum(axis=1) > 0, np.nan, 1.0), *np.eye(2))
    truths["broken"] = of(reference.converged_reference, broken, np.random.default_rng(3), 5)
    compare("truth", {f"references {d}: {key}": value for key, value in truths.items()})


@pytest.mark.parametrize("d", [2, 3, 4, 7, 20])
def test_inversions(d):
    rng, truths = np.random.default_rng(d), {}
    for name, shifts, threshold in (
        ("normal", rng.normal(size=d), 0.3),
        ("equal", np.full(d, 0.5), 0.25 * d),
        ("positive", rng.gamma(2.0, size=d), float(d)),
        ("far", rng.normal(size=d), 90.0),
    ):
        game = ThresholdGame(0.0, shifts, threshold)
        truths[name] = of(inverted_shapley, game, 1e-3)
    compare("truth", {f"inverted {d}: {key}": value for key, value in truths.items()})


@pytest.mark.parametrize(("d", "depth", "n_trees"), [(3, 3, 4), (64, 5, 6), (130, 6, 5)])
def test_values_of_trees(d, depth, n_trees):
    ensemble, rng = wide_trees(d, depth, n_trees), np.random.default_rng(5)
    explicands, baselines = rng.normal(size=(2, 7, d))
    explicands[0, 0], baselines[1, 1] = np.nan, np.nan
    tables = [
        outcome(tree_shapley, ensemble, *rows)
        for rows in (
            (explicands, baselines),
            (explicands[0], baselines),
            (explicands, baselines[0]),
            (explicands[0], baselines[0]),
            (explicands, baselines[:3]),
            (explicands[:, 1:], baselines),
            (explicands, baselines[None]),
        )
    ]
    means = [mean_tree_shapley(ensemble, explicands[k], baselines[: 2 + k]) for k in range(3)]
    weights = [tree.order_weights(size) for size in (1, 2, 5)]
    parts = {"pairs": {str(k): table for k, table in enumerate(tables)}, "means": means}
    compare("truth", {f"trees {d}": parts | {"weights": weights}})


def test_blocks_of_an_enumeration():
    truths = {}
    for d in (1, 2, 5, 9):
        table = TabularGame(np.random.default_rng(d).normal(size=1 << d))
        for chunk in (1, 2, 3, 64, 4096):
            truths[f"{d} by {chunk}"] = of(shapley_exact, table, chunk)
        truths[f"table {d}"] = shapley_from_table(table.values)
        truths[f"weights {d}"] = enumeration.size_weights(d)
        large = table.values.copy()
        large[-1] = 1e308
        large[0] = -1e308
        truths[f"large {d}"] = outcome(shapley_from_table, large)
        large[-1] = np.nan
        truths[f"missing {d}"] = outcome(shapley_from_table, large)
    for number, values in enumerate((np.zeros(3), np.zeros((2, 2)), np.zeros(1), np.zeros(0))):
        truths[f"no table {number}"] = outcome(shapley_from_table, values)
    truths["many"] = of(shapley_exact, AdditiveGame(np.ones(25)))
    compare("truth", {f"enumerated {key}": value for key, value in truths.items()})
