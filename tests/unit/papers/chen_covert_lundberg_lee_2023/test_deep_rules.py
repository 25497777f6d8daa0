"""DeepLIFT's rules, DeepSHAP and softmax in fractions, and worlds in which they are otherwise."""

from fractions import Fraction
from math import log

import numpy as np
import pytest
from parts import part

from shapaudit.explainers import create
from shapaudit.explainers.multipliers import RULES
from shapaudit.truth.rational import rationals, shapley_values
from shapaudit_audit.audit.context import Context, Settings
from shapaudit_papers.chen_covert_lundberg_lee_2023.evidence import deep_rules as evidence
from shapaudit_papers.chen_covert_lundberg_lee_2023.evidence.dasp_moments import arrays_of
from shapaudit_papers.chen_covert_lundberg_lee_2023.evidence.networks import (
    numbers,
    random_network,
    unit,
)

CONTEXT = Context("tiny", 3, (), Settings(random_games=4))


def observe(claim_id, **world):
    claim = part(claim_id)
    return claim.judge(claim.gather(CONTEXT, **world), 0.05)


def linear_network(rng, sizes):
    """No hidden layer."""
    return random_network(rng, (sizes[0], 1))


def marginal(layers, explicand, baselines, rule):
    return evidence.marginal_values(layers, explicand, baselines)


def by_shapley(odds):
    game = [
        evidence.first_share(pair)
        for pair in ((Fraction(1),) * 2, (odds[0], Fraction(1)), (Fraction(1), odds[1]), odds)
    ]
    return shapley_values(game)


@pytest.mark.parametrize(
    ("claim_id", "world", "status"),
    [
        ("50e", {}, "proved"),
        ("50e", {"rules": {"reveal-cancel": RULES["rescale"]}}, "refuted"),
        ("50f", {}, "proved"),
        ("50f", {"rule": by_shapley}, "refuted"),
        ("deep_rules.gather_deepshap", {}, "exact"),
        ("deep_rules.gather_deepshap", {"network": linear_network, "explain": marginal}, "refuted"),
    ],
)
def test_verdicts_in_our_world_and_in_others(claim_id, world, status):
    assert observe(claim_id, **world).status == status


def test_rules_stand_loosely():
    assert observe("50e").consequence == "loosely"


def test_parts_of_the_chosen_inputs_have_the_wanted_signs():
    rng = np.random.default_rng(0)
    layers = random_network(rng, (4, 1, 1))
    (x,), (r,) = evidence.moved(rng, layers, (1, -1))
    parts = (x - r) * layers.weights[0][:, 0]
    assert parts[0] >= 0 >= parts[1]
    assert parts[2:].tolist() == [0, 0]


def test_deep_shap_in_fractions_is_that_of_the_explainer():
    rng = np.random.default_rng(4)
    layers, rows = random_network(rng, (3, 3, 2, 1)), numbers(rng, 4, 3)
    for rule in RULES:
        fitted = create("deep-shap", {"rule": rule}).fit(arrays_of(layers), rows[1:].astype(float))
        wanted = evidence.averaged(layers, rows[:1], rows[1:], rule).astype(float)
        np.testing.assert_allclose(fitted.explain(rows[0].astype(float)).values, wanted, atol=1e-9)


def test_the_example_of_deep_shap_by_hand():
    # Against 00: 3/2 and 1/2 exactly, as in C 50b; against 11 only the first feature changes: 1.
    exact = evidence.marginal_values(
        unit(), rationals([2, 1])[None], np.array([rationals(row) for row in evidence.BASELINES])
    )
    assert exact.tolist() == [Fraction(5, 4), Fraction(1, 4)]


def test_softmax_values_by_the_logistic_function():
    def logistic(z):
        return 1 / (1 + np.exp(-z))

    rows = [row for row in evidence.gather_softmax(CONTEXT)["rows"] if row["feature"] == 2]
    for row, (odds, other) in zip(rows, evidence.EXPLAINED, strict=True):
        a, b = log(odds), log(other)
        wanted = (logistic(-b) - 0.5 + logistic(a - b) - logistic(a)) / 2
        assert float(row["exact"]) == pytest.approx(wanted)
