"""DeepLIFT and ShapNets in exact arithmetic, and worlds where what is said of them fails."""

from fractions import Fraction

import numpy as np
import pytest
from parts import part

from shapaudit_audit.audit.context import Context, Settings
from shapaudit_papers.chen_covert_lundberg_lee_2023.evidence import networks as evidence

CONTEXT = Context("tiny", 3, (), Settings(random_games=4))


def observe(claim_id, **world):
    claim = part(claim_id)
    return claim.judge(claim.gather(CONTEXT, **world), 0.05)


def gradient(layers, explicand, baseline):
    """Multipliers that are derivatives at the explicand, for networks of any depth."""
    multiplier = layers.weights[-1][:, 0]
    for k in reversed(range(len(layers.activations))):
        slopes = layers.entered(explicand)[k][0] > 0
        multiplier = (multiplier * slopes) @ layers.weights[k].T
    return [(multiplier * (explicand - baseline))[None]]


def linear_network(rng, sizes):
    """No hidden layer."""
    return evidence.random_network(rng, (sizes[0], 1))


def without_baseline(stage, explicand, baseline):
    """Explanations against zero, whatever the baseline."""
    return evidence.explained(stage, explicand, 0 * baseline)


def alike(rng, groups, channels):
    """Modules of one weight for all features."""
    stage = evidence.random_stage(rng, groups, channels)
    return stage._replace(
        first=np.broadcast_to(stage.first[:1, :1], stage.first.shape),
        shift=stage.shift + Fraction(10**6),
        last=np.broadcast_to(stage.last[:1], stage.last.shape),
    )


@pytest.mark.parametrize(
    ("claim_id", "world", "status"),
    [
        ("gather_layers", {}, "proved"),
        ("gather_layers", {"rules": {"gradient": gradient}}, "refuted"),
        ("networks.gather_bias", {}, "exact"),
        ("networks.gather_bias", {"network": linear_network}, "refuted"),
        ("gather_shallow", {}, "proved"),
        ("gather_shallow", {"explanation": without_baseline}, "refuted"),
        ("gather_deep", {}, "exact"),
        ("gather_deep", {"later": alike}, "refuted"),
    ],
)
def test_verdicts_in_our_world_and_in_others(claim_id, world, status):
    assert observe(claim_id, **world).status == status


def test_the_smallest_example_is_as_told():
    verdict = observe("networks.gather_bias")
    values = [(str(row["deeplift"]), str(row["exact"])) for row in verdict.rows]
    assert values == [("4/3", "3/2"), ("2/3", "1/2")] * 2
    for number in ("4/3 and 2/3", "3/2 and 1/2"):
        assert number in verdict.summary


def test_a_sum_that_is_off_is_noticed():
    claim = part("gather_deep")
    gathered = claim.gather(CONTEXT)
    case = gathered["cases"][0]
    gathered["cases"][0] = case._replace(left=case.left + 1)
    verdict = claim.judge(gathered, 0.05)
    assert verdict.status == "refuted"
    assert "Not even the sums agree" in verdict.summary
