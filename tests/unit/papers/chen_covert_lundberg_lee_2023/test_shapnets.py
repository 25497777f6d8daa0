"""What ShapNets represent, learn and explain, and worlds in which it is otherwise."""

from fractions import Fraction

import numpy as np
import pytest

from shapaudit.explainers.multipliers import RULES
from shapaudit_audit.audit.context import Context, Settings
from shapaudit_papers.chen_covert_lundberg_lee_2023.claims import shapnets as claims
from shapaudit_papers.chen_covert_lundberg_lee_2023.evidence import shapnets as evidence

CLAIMS = {claim.id[7:]: claim for claim in claims.CLAIMS}
CONTEXT = Context("tiny", 3, (), Settings(interaction_games=40))
ALPHA = 0.01


@pytest.mark.parametrize(
    ("share", "status"),
    [
        (evidence.explained_share, "proved"),
        (lambda h, k: evidence.explained_share(min(h + 1, k), k), "refuted"),
    ],
)
def test_parities_are_out_of_reach_of_smaller_modules(share, status):
    claim = CLAIMS["53f"]
    assert claim.judge(claim.gather(CONTEXT, share=share), ALPHA).status == status


def test_the_best_fit_of_a_parity_is_that_of_least_squares():
    """Indicators of all rows of each pair of three signs, and a constant."""
    rows = np.array([[s >> j & 1 for j in range(3)] for s in range(8)]) * 2 - 1
    parity = rows.prod(axis=1)
    columns = [
        (rows[:, [i, j]] == pair).all(axis=1)
        for i, j in ((0, 1), (0, 2), (1, 2))
        for pair in ((1, 1), (1, -1), (-1, 1))
    ]
    design = np.column_stack([*columns, np.ones(8)]).astype(float)
    fitted = design @ np.linalg.lstsq(design, parity, rcond=None)[0]
    assert evidence.explained_share(2, 3) == Fraction(0)
    np.testing.assert_allclose(fitted, 0, atol=1e-12)


@pytest.mark.parametrize("deep", [False, True])
def test_unrolled_shapnets_are_the_same_function(deep):
    rng = np.random.default_rng(5)
    model = evidence.random_shapnet(rng, 8, deep)
    network, rows = model.network, rng.normal(size=(20, 8))
    layers = evidence.unrolled(network.stages(), 8, network.bias)
    np.testing.assert_allclose(layers.entered(rows)[-1][:, 0], network(rows)[:, 0], atol=1e-12)


@pytest.fixture(scope="module")
def unrolled():
    return CLAIMS["50g"].gather(CONTEXT)


def test_shallow_shapnets_have_no_error_and_deeplift_has(unrolled):
    own, *others = unrolled["errors"]["shallow, random"].T
    assert (own == evidence.ERROR_ROUNDING).all()
    assert (np.array(others) > 1e-3).mean() > 0.9


def with_errors(gathered, change):
    return gathered | {
        "errors": {name: change(units) for name, units in gathered["errors"].items()}
    }


def test_deeplift_beside_shapnets_with_labels_of_either_kind(unrolled):
    claim = CLAIMS["50g"]
    own_less = with_errors(unrolled, lambda units: units * [0.01, 1, 1])
    own_more = with_errors(unrolled, lambda units: units * [1e15, 1, 1])
    assert claim.judge(own_less, ALPHA).status == "supported"
    assert claim.judge(own_more, ALPHA).status == "refuted"
    assert claim.judge(unrolled, ALPHA).sample == {"units": 60}
    assert unrolled["methods"] == ["ShapNet", *RULES]


@pytest.fixture(scope="module")
def accuracy():
    """Made-up errors, as trained networks have them."""
    rng = np.random.default_rng(0)
    noise = rng.uniform(0.8, 1.2, size=(2, 16, 3))
    scale = np.array([[0.4, 0.15, 1.8], [0.5, 1.2, 3.3]])[:, None]
    learners = list(evidence.LEARNERS)
    return {"errors": dict(zip(evidence.ORDERS, noise * scale, strict=True)), "learners": learners}


@pytest.mark.parametrize(
    ("claim_id", "factors", "status"),
    [
        ("53g", (1, 1, 1), "refuted"),
        ("53g", (1, 10, 1), "supported"),
        ("54e", (1, 1, 1), "refuted"),
        ("54e", (1, 100, 1), "supported"),
        ("54f", (1, 1, 1), "supported"),
        ("54f", (100, 1, 1), "refuted"),
    ],
)
def test_accuracy_decides_both_ways(accuracy, claim_id, factors, status):
    changed = with_errors(accuracy, lambda units: units * factors)
    assert CLAIMS[claim_id].judge(changed, ALPHA).status == status


def test_faults_of_accuracy_are_missing_hypotheses(accuracy):
    for claim_id in ("53g", "54e"):
        assert CLAIMS[claim_id].judge(accuracy, ALPHA).consequence == "hypothesis"


def test_errors_are_those_of_rows_held_out():
    """A learner that knows the function errs by its noise, one quarter in deviation."""
    learners = {"constant": ("least-squares", {})}
    gathered = evidence.gather_accuracy(CONTEXT, learners)
    assert [len(units) for units in gathered["errors"].values()] == [10, 10]
    assert all((units > 1 / 16).mean() > 0.9 for units in gathered["errors"].values())
