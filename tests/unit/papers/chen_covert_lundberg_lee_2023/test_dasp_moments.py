"""DASP's bias and its causes, other baselines and activations, and worlds that are otherwise."""

from itertools import combinations

import numpy as np
import pytest
from parts import part

from shapaudit.explainers import create
from shapaudit.models.read_layers import read_layers
from shapaudit_audit.audit.context import Context, Settings
from shapaudit_papers.chen_covert_lundberg_lee_2023.evidence import dasp_moments as evidence
from shapaudit_papers.chen_covert_lundberg_lee_2023.evidence import network_biases
from shapaudit_papers.chen_covert_lundberg_lee_2023.evidence.networks import exact_values

CONTEXT = Context("tiny", 3, (), Settings(random_games=2, interaction_games=100))


def observe(claim_id, **world):
    claim = part(claim_id)
    return claim.judge(claim.gather(CONTEXT, **world), 0.05)


def exactly(layers, explicand):
    return exact_values(layers, explicand[None], 0 * explicand[None])


def without_baseline(stages, rows, baselines):
    return evidence.propagated(stages, rows, 0 * baselines)


def normal_without_spread(name, mean, variance):
    return evidence.activation_moments(name, mean, 0 * variance)


def swapped(layers, explicand):
    values = evidence.with_exact_moments(layers, explicand)
    return dict(zip(values, reversed(values.values()), strict=True))


@pytest.mark.parametrize(
    ("claim_id", "world", "status"),
    [
        ("gather_causes", {}, "supported"),
        ("gather_causes", {"better": swapped}, "refuted"),
        ("52h", {}, "proved"),
        ("52h", {"explain": without_baseline}, "refuted"),
        ("gather_moments", {}, "exact"),
        ("gather_moments", {"moments": normal_without_spread}, "refuted"),
    ],
)
def test_verdicts_in_our_world_and_in_others(claim_id, world, status):
    assert observe(claim_id, **world).status == status


def test_a_baseline_that_does_not_only_shift_is_noticed():
    claim = part("52h")
    gathered = claim.gather(CONTEXT) | {"dasp_off": 0.1}
    assert claim.judge(gathered, 0.05).status == "refuted"


def test_dependence_is_a_cause_but_not_the_only_one():
    assert observe("gather_causes").consequence == "loosely"
    alone = observe("gather_causes", explain=exactly)
    assert (alone.status, alone.consequence) == ("supported", "stands")


def test_means_are_over_the_coalitions_of_a_size_with_and_without_a_player():
    means = evidence.size_means(4)
    values = np.random.default_rng(0).normal(size=16)
    for i in range(4):
        others = [j for j in range(4) if j != i]
        for k in range(4):
            chosen = [sum(1 << j for j in some) for some in combinations(others, k)]
            wanted = [values[[s | 1 << i for s in chosen]].mean(), values[chosen].mean()]
            np.testing.assert_allclose(means[:, i, k] @ values, wanted)


def test_exact_moments_are_those_of_dasp_where_the_first_layer_is_linear():
    """Units that are always on: then DASP's variances are exact, but for the dependence."""
    rng = np.random.default_rng(1)
    model = network_biases.random_network(rng, 2)
    model.network.biases[0][...] += 100.0
    model.network.biases[1][...] -= 100.0 * model.network.weights[1].sum(axis=0)
    x = rng.normal(size=evidence.PLAYERS)
    plain = create("dasp").fit(model, np.zeros(evidence.PLAYERS)).explain(x).values
    values = evidence.with_exact_moments(read_layers(model), x)
    np.testing.assert_allclose(values["own moments"], plain, atol=1e-8)
    assert np.abs(values["dependence"] - plain).max() > 1e-4


def test_quadrature_has_the_moments_of_relu():
    mean, variance = evidence.integrated(evidence.ACTIVATIONS["relu"].value, 0.0, 4.0)
    assert mean == pytest.approx(2 / np.sqrt(2 * np.pi))
    assert variance == pytest.approx(2 - 4 / (2 * np.pi))


def test_values_of_the_unit_by_hand():
    rows = evidence.unit_rows(evidence.by_dasp)
    # At 2 1 1: the output is 3 together, and 1, 0, 0 alone; pairs have 2, 2 and 1.
    assert [str(row["exact"]) for row in rows[:3]] == ["5/3", "2/3", "2/3"]
