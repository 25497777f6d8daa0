"""Modules that hand on their Shapley values: in fractions, and their gradients."""

from fractions import Fraction

import numpy as np
import pytest

from shapaudit.games import all_coalitions
from shapaudit.models.shapnet import butterfly
from shapaudit.nets import LOSSES, Supervised
from shapaudit.nets.shapnet import (
    ShapNet,
    Stage,
    shapley_divisor,
    shapley_matrix,
    stage_forward,
    total_forward,
)
from shapaudit.truth.rational import shapley_values

RANDOM = np.random.default_rng(0)


def rationals(*shape):
    return np.vectorize(lambda k: Fraction(int(k), 4), otypes=[object])(
        RANDOM.integers(-8, 9, shape)
    )


def rational_stage(groups, inputs=1, outputs=1, width=3):
    modules, h = np.shape(groups)
    return Stage(
        np.array(groups),
        rationals(modules, h, inputs, width),
        rationals(modules, width),
        rationals(modules, width, outputs),
    )


def rational_butterfly():
    first, second = butterfly(2)
    return [rational_stage(first, 1, 2), rational_stage(second, 2, 1)]


def module_outputs(stage, rows):
    """The modules' outputs (n, c'), summed, from their definition, for rows (n, d, c)."""
    total = 0
    for members, first, shift, last in zip(*stage, strict=True):
        entered = sum(rows[:, j] @ weight for j, weight in zip(members, first, strict=True))
        total = total + np.maximum(entered + shift, 0) @ last
    return total


def hybrids(explicand, reference):
    """Rows (2^d, d, c) of all coalitions."""
    return np.where(all_coalitions(len(explicand))[:, :, None], explicand, reference)


def linear(stage):
    """The stage with units that are on for all of the small rows here."""
    return stage._replace(shift=stage.shift + 10_000)


@pytest.mark.parametrize("h", [1, 2, 3, 4])
def test_the_matrix_takes_games_to_shapley_values(h):
    values = rationals(1 << h)
    shapley = shapley_matrix(h) @ values / shapley_divisor(h)
    assert (shapley == shapley_values(values)).all()


@pytest.mark.parametrize(
    "groups", [[[0, 1], [2, 3]], [[0, 1], [1, 2], [0, 3]], [[0, 1, 2], [1, 2, 3]], [[2], [0]]]
)
@pytest.mark.parametrize("against", [None, "another reference"])
def test_a_stage_hands_on_exact_values(groups, against):
    stage = rational_stage(groups, inputs=2, outputs=1)
    row = rationals(1, 4, 2)
    reference = None if against is None else rationals(1, 4, 2)
    handed = stage_forward(stage, row, reference)[0][0, :, 0]
    absent = np.zeros((4, 2), dtype=int) if reference is None else reference[0]
    table = module_outputs(stage, hybrids(row[0], absent))[:, 0]
    assert all(isinstance(value, Fraction) for value in handed)
    assert (handed == shapley_values(table)).all()


@pytest.mark.parametrize("groups", [[[0, 1], [1, 2], [0, 3]], [[0, 1, 2], [1, 2, 3]], [[2], [0]]])
def test_sums_over_features_need_no_other_coalition(groups):
    stage = rational_stage(groups, inputs=2, outputs=3)
    rows = rationals(5, 4, 2)
    totals = total_forward(stage, rows)[0]
    assert (totals == stage_forward(stage, rows)[0].sum(axis=1)).all()


def deep_table(stages, explicand):
    """Outputs of a network of stages for all coalitions of a row's features."""
    handed = hybrids(explicand, 0 * explicand)
    for stage in stages:
        handed = stage_forward(stage, handed)[0]
    return handed[..., 0].sum(axis=1)


def shares_of(stages, row):
    handed = row[None]
    for stage in stages:
        handed = stage_forward(stage, handed)[0]
    return handed[0, :, 0]


def test_deep_networks_are_efficient_but_biased():
    """Linear later stages do not help: they weigh the two parts of a module differently."""
    biased = {"deep": 0, "then linear": 0}
    for _ in range(5):
        first, second = rational_butterfly()
        row = rationals(4, 1)
        for name, stages in (("deep", (first, second)), ("then linear", (first, linear(second)))):
            shares, exact = shares_of(stages, row), shapley_values(deep_table(stages, row))
            assert shares.sum() == exact.sum()
            biased[name] += not (shares == exact).all()
    assert min(biased.values()) > 0


def test_deep_networks_are_exact_where_later_stages_weigh_all_features_alike():
    first, second = rational_butterfly()
    alike = linear(
        second._replace(
            first=np.broadcast_to(second.first[:1, :1], second.first.shape),
            last=np.broadcast_to(second.last[:1], second.last.shape),
        )
    )
    row = rationals(4, 1)
    exact = shapley_values(deep_table((first, alike), row))
    assert (shares_of((first, alike), row) == exact).all()


def test_features_at_the_reference_hand_on_nothing():
    stages = rational_butterfly()
    row = rationals(4, 1)
    row[2] = Fraction(0)
    assert shares_of(stages, row)[2] == 0


def test_gradients_are_those_of_finite_differences():
    rng = np.random.default_rng(0)
    network = ShapNet.start(
        4, [*butterfly(2), np.array([[0, 1], [0, 2], [1, 3]])], [1, 3, 2, 1], 5, rng
    )
    network.parameters[:] = rng.normal(size=network.parameters.size) / 2
    rows, target = rng.normal(size=(6, 4)), rng.normal(size=(6, 1))
    objective = Supervised(rows, target, LOSSES["squared-error"])
    gradient = objective.gradient(network, np.arange(6))
    for k in range(0, len(gradient), 7):
        step = np.zeros(len(gradient))
        step[k] = 1e-6
        ahead, behind = network.copy(), network.copy()
        ahead.parameters += step
        behind.parameters -= step
        slope = (objective.value(ahead) - objective.value(behind)) / 2e-6
        np.testing.assert_allclose(gradient[k], slope, rtol=1e-5, atol=1e-8)


def test_another_number_of_parameters_is_refused():
    with pytest.raises(ValueError, match="a ShapNet of this shape has 17 parameters"):
        ShapNet(2, [np.array([[0, 1]])], [1, 1], 4, np.zeros(3))


def test_a_start_is_uniform_within_the_limits_of_its_layers():
    groups = [np.arange(60).reshape(20, 3), np.arange(40).reshape(20, 2)]
    network = ShapNet.start(60, groups, [1, 4, 2], 50, np.random.default_rng(0))
    assert network.bias.tolist() == [0.0]
    for stage, (inputs, outputs) in zip(network.stages(), ((1, 4), (4, 2)), strict=True):
        h = stage.groups.shape[1]
        share = stage.groups.size / 60  # modules that a feature is in
        limits = {
            "first": np.sqrt(6 / (h * inputs + 50)),
            "shift": 0.1,
            "last": np.sqrt(6 / ((50 + outputs) * share)),
        }
        for name, limit in limits.items():
            drawn = getattr(stage, name)
            assert np.abs(drawn).max() <= limit
            assert drawn.std() == pytest.approx(limit / np.sqrt(3), rel=5 / np.sqrt(drawn.size))
            assert drawn.mean() == pytest.approx(0, abs=4 * limit / np.sqrt(3 * drawn.size))
