"""DASP beside DeepLIFT on networks, and worlds in which the labels are swapped."""

import numpy as np
import pytest
from parts import part

from shapaudit.explainers import create
from shapaudit_audit.audit.context import Context, Settings
from shapaudit_papers.chen_covert_lundberg_lee_2023.evidence import network_biases as evidence

CONTEXT = Context("tiny", 3, (), Settings(interaction_games=100))
SWAPPED = {
    "DASP": create("deeplift"),
    "DeepLIFT, rescale": create("dasp"),
    "DeepLIFT, reveal-cancel": create("dasp"),
}


def judged(claim_id, gathered):
    return part(claim_id).judge(gathered, 0.05)


@pytest.fixture(scope="module")
def gathered():
    return evidence.gather_errors(CONTEXT)


def test_dasp_errs_less_than_deeplift(gathered):
    assert [len(units) for units in gathered["errors"].values()] == [20, 20, 20, 10]
    verdict = judged("52a", gathered)
    assert verdict.status == "supported"
    assert verdict.sample == {"networks": 70, "ratios": 8}
    assert verdict.numbers["largest_ratio"] < 0.5


def test_swapped_labels_refute_it():
    assert judged("52a", evidence.gather_errors(CONTEXT, SWAPPED)).status == "refuted"


def test_labels_swapped_at_random_decide_nothing(gathered):
    rng = np.random.default_rng(0)
    errors = {}
    for name, units in gathered["errors"].items():
        swap = rng.permutation(len(units)) < len(units) // 2
        errors[name] = np.where(swap[:, None], units[:, [1, 0, 0, 3]], units[:, [0, 1, 1, 3]])
    assert judged("52a", {**gathered, "errors": errors}).status == "inconclusive"


@pytest.mark.parametrize(("factor", "status"), [(1.0, "supported"), (0.001, "refuted")])
def test_kernel_shap_errs_more_with_one_hidden_layer_unless_it_is_better(gathered, factor, status):
    errors = {name: units * [1, 1, 1, factor] for name, units in gathered["errors"].items()}
    assert judged("52b", {**gathered, "errors": errors}).status == status


def test_errors_are_relative_to_the_exact_values():
    rng = np.random.default_rng(0)
    linear = evidence.random_network(rng, 0)
    rows = rng.normal(size=(2, evidence.PLAYERS))
    np.testing.assert_allclose(
        evidence.relative_errors(linear, rows, evidence.EXPLAINERS, rng), 0, atol=1e-10
    )
