"""Cells of Table 1 on methods for particular models, and worlds in which they are wrong."""

from fractions import Fraction

import numpy as np
import pytest
from parts import part

from shapaudit.estimators.structured import LShapley
from shapaudit.explainers import create
from shapaudit.explainers.base import Attributions
from shapaudit_audit.audit.context import Context, Settings
from shapaudit_papers.chen_covert_lundberg_lee_2023.claims import table_cells
from shapaudit_papers.chen_covert_lundberg_lee_2023.evidence import forms, repeats

CONTEXT = Context("tiny", 3, (), Settings(random_games=2))
VARIANCE = "table_cells.check_variance"
OUTSIDE = sorted(table_cells.OUTSIDE)


def observe(claim_id, **world):
    claim = part(claim_id)
    return claim.judge(claim.gather(CONTEXT, **world), 0.05)


def written_once():
    return {method: (first, first) for method, (first, _) in forms.written_twice().items()}


def nothing_outside():
    return dict.fromkeys(forms.outside(), Fraction(0))


def test_no_method_for_particular_models_is_agnostic():
    verdict = observe("gather_forms")
    assert (verdict.status, verdict.numbers) == ("proved", {"apart": 5, "bound": 4})
    world = {"forms": written_once, "others": nothing_outside}
    assert observe("gather_forms", **world).status == "refuted"
    assert "DeepLIFT" in observe("gather_forms", **world).summary
    # written in one way, the five methods are agnostic; without other models, the four are
    assert observe("gather_forms", forms=written_once).status == "refuted"
    assert observe("gather_forms", others=nothing_outside).status == "refuted"


@pytest.mark.parametrize("method", OUTSIDE)
def test_exact_methods_are_bound_to_their_kind_of_model(method):
    assert method in observe("gather_forms", others=nothing_outside).summary
    assert forms.outside(sum)[method] == (method == "Interventional TreeSHAP")


def test_the_largest_of_three_is_split_by_its_shapley_values():
    evidence = forms.gather_forms(CONTEXT)
    assert evidence["largest_of_three"] == [Fraction(-1, 2), 0, Fraction(-1, 2)]
    rows = [row for row in evidence["rows"] if row["method"] == "DeepLIFT"]
    assert [(row["first"], row["second"]) for row in rows] == [(0, -1), (0, 0), (-1, 0)]


def test_forms_of_a_network_are_the_largest_of_three_numbers():
    rows = np.random.default_rng(1).normal(size=(50, 3))
    for layers in forms.NETWORKS:
        np.testing.assert_allclose(layers.entered(rows)[-1][:, 0].astype(float), rows.max(axis=1))


class Coin:
    """An explainer that adds noise of its generator."""

    def __init__(self, explainer):
        self.explainer, self.card = explainer, explainer.card

    def fit(self, model, baselines, seed):
        self.fitted, self.rng = self.explainer.fit(model, baselines), np.random.default_rng(seed)
        return self

    def explain(self, row):
        return Attributions(self.fitted.explain(row).values + self.rng.normal(), 0.0, 1)


@pytest.mark.parametrize(
    ("number", "method", "truth", "lie"),
    [
        *((VARIANCE, method, "exact", "refuted") for method in table_cells.FIXED),
        ("52e", "DASP, one size", "inconsistent", "exact"),
    ],
)
def test_noise_is_noticed(number, method, truth, lie):
    noisy = repeats.EXPLAINERS | {method: Coin(repeats.EXPLAINERS[method])}
    assert observe(number).status == truth
    assert observe(number, explainers=noisy).status == lie


def test_a_method_that_draws_nothing_is_noticed():
    verdict = observe(VARIANCE, estimators={"L-Shapley": LShapley()})
    assert verdict.status == "refuted"
    assert "L-Shapley" in verdict.summary
    assert {row["method"] for row in observe(VARIANCE).rows} >= {
        "FastSHAP",
        *repeats.ESTIMATORS,
    }


def test_the_cell_of_dasp_is_a_slip():
    assert observe("52e").consequence == "slip"


def test_every_cell_names_an_explainer_of_this_project():
    assert all(create(method).card for method in table_cells.METHODS)
