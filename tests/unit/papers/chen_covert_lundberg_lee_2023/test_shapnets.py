"""What ShapNets represent, learn and explain, and worlds in which it is otherwise."""

from fractions import Fraction

import numpy as np
import pytest
from parts import part

from shapaudit.explainers.multipliers import RULES
from shapaudit_audit.audit.context import Context, Settings
from shapaudit_papers.chen_covert_lundberg_lee_2023.claims import shapnets as claims
from shapaudit_papers.chen_covert_lundberg_lee_2023.evidence import shapnets as evidence

CLAIMS = {claim.id[7:]: claim for claim in claims.CLAIMS}
ACCURACY = {
    "shallow beside others": CLAIMS["53g"].parts[0][1],
    "deep beside shallow": CLAIMS["53g"].parts[1][1],
    "deep beside others": CLAIMS["54f"].check,
}
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
    claim = part("gather_parity")
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
    """Made-up errors of equal learners, by kind of task and training rows."""
    rng = np.random.default_rng(0)
    kinds = [(kind, rows) for rows in (40, 400) for kind in evidence.ORDERS]
    errors = {kind: rng.uniform(0.8, 1.2, size=(30, 3)) for kind in kinds}
    return {"errors": errors, "learners": list(evidence.LEARNERS), "rows": [40, 400]}


def learnt(gathered, rows, factors, kinds=tuple(evidence.ORDERS)):
    """Errors of network, shallow and deep ShapNet, multiplied on tasks with so many rows."""
    changed = {
        key: units * (factors if key[1] == rows and key[0] in kinds else (1, 1, 1))
        for key, units in gathered["errors"].items()
    }
    return gathered | {"errors": changed}


@pytest.mark.parametrize(
    ("check", "factors", "status"),
    [
        ("shallow beside others", (1, 1, 1), "inconclusive"),
        ("shallow beside others", (0.1, 1, 1), "supported"),
        ("shallow beside others", (10, 1, 1), "refuted"),
        ("deep beside shallow", (1, 1, 1), "inconclusive"),
        ("deep beside shallow", (1, 1, 0.1), "supported"),
        ("deep beside shallow", (1, 1, 10), "refuted"),
        ("deep beside others", (1, 1, 1), "inconclusive"),
        ("deep beside others", (0.1, 1, 1), "supported"),
        ("deep beside others", (10, 1, 1), "refuted"),
    ],
)
def test_accuracy_with_many_rows_decides_both_ways(accuracy, check, factors, status):
    judge = ACCURACY[check]
    assert judge(learnt(accuracy, 400, factors), ALPHA).status == status
    assert judge(learnt(accuracy, 40, factors), ALPHA).status == "inconclusive"


def test_depth_is_judged_where_pairs_do_not_suffice(accuracy):
    pairs, wide = evidence.ORDERS
    judge = ACCURACY["deep beside shallow"]
    assert judge(learnt(accuracy, 400, (1, 1, 10), (pairs,)), ALPHA).status == "inconclusive"
    assert judge(learnt(accuracy, 400, (1, 1, 0.1), (wide,)), ALPHA).status == "supported"


def test_errors_are_those_of_rows_held_out():
    """A learner that knows the function errs by its noise, one quarter in deviation."""
    learners = {"constant": ("least-squares", {})}
    few = Context("tiny", 3, (), Settings(interaction_games=40, fitted_rows=30))
    gathered = evidence.gather_accuracy(few, learners)
    assert gathered["rows"] == [40, 400]
    assert [len(units) for units in gathered["errors"].values()] == [10] * 4
    assert all((units > 1 / 16).mean() > 0.9 for units in gathered["errors"].values())


def test_more_rows_turn_the_order_of_networks_and_shallow_shapnets():
    """On terms that pairs cover: a ranking with a few hundred rows is none with thousands."""
    learners = {name: evidence.LEARNERS[name] for name in ("network", "shallow ShapNet")}
    ratios = []
    for count in evidence.ROWS:
        dataset = evidence.task(np.random.default_rng(1), 2, count)
        network, shallow = evidence._errors(learners, dataset, 0)
        ratios.append(network / shallow)
    assert ratios[0] > 1.5 > 1.2 > ratios[1]
