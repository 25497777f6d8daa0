"""Cells of Table 1 on methods for particular models, and worlds in which they are wrong."""

from fractions import Fraction

import numpy as np
import pytest

from shapaudit.explainers import create
from shapaudit.explainers.base import Attributions
from shapaudit_audit.audit.context import Context, Settings
from shapaudit_papers.chen_covert_lundberg_lee_2023.claims import table_cells
from shapaudit_papers.chen_covert_lundberg_lee_2023.evidence import forms, repeats

CLAIMS = {claim.id[7:]: claim for claim in table_cells.CLAIMS}
CONTEXT = Context("tiny", 3, (), Settings(random_games=2))
AGNOSTIC = table_cells.AGNOSTIC
OUTSIDE = sorted(table_cells.OUTSIDE)


def observe(claim_id, **world):
    claim = CLAIMS[claim_id]
    return claim.judge(claim.gather(CONTEXT, **world), 0.05)


def written_once():
    return {method: (first, first) for method, (first, _) in forms.written_twice().items()}


def nothing_outside():
    return dict.fromkeys(forms.outside(), Fraction(0))


@pytest.mark.parametrize("number", AGNOSTIC.values())
def test_no_method_for_particular_models_is_agnostic(number):
    assert observe(number).status == "proved"
    world = {"forms": written_once, "others": nothing_outside}
    assert observe(number, **world).status == "refuted"


@pytest.mark.parametrize("method", OUTSIDE)
def test_exact_methods_are_bound_to_their_kind_of_model(method):
    assert observe(AGNOSTIC[method], others=nothing_outside).status == "refuted"
    assert forms.outside(sum)[method] == (method == "Interventional TreeSHAP")


def test_five_methods_depend_on_how_a_function_is_written():
    verdict = observe("46e")
    assert (verdict.status, verdict.numbers) == ("proved", {"alike": 2, "apart": 5})
    assert observe("46e", forms=written_once).status == "refuted"


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
        *((n, m, "proved", "refuted") for m, n in table_cells.DETERMINISTIC.items()),
        ("52e", "DASP, one size", "inconsistent", "exact"),
    ],
)
def test_noise_is_noticed(number, method, truth, lie):
    noisy = repeats.EXPLAINERS | {method: Coin(repeats.EXPLAINERS[method])}
    assert observe(number).status == truth
    assert observe(number, explainers=noisy).status == lie


def test_the_cell_of_dasp_is_a_slip():
    assert observe("52e").consequence == "slip"


def constant():
    """Methods whose values do not look at the baselines."""
    for method, _ in repeats.methods():
        yield method, lambda rows: np.array([Fraction(1), Fraction(2)])


def skewed():
    """Values whose variance does not fall like one over the number of baselines."""
    for method, values in repeats.methods():
        yield method, lambda rows, values=values: values(rows[:1])


@pytest.mark.parametrize("number", [number for number, _ in table_cells.GIVEN.values()])
def test_drawn_baselines_have_a_variance_and_given_ones_none(number):
    verdict = observe(number)
    assert (verdict.setting.status, verdict.status) == ("proved", "refuted")
    assert verdict.consequence == "setting"
    assert observe(number, named=constant).status == "proved"
    assert observe(number, named=skewed).setting.status == "inconclusive"


def test_variance_of_linear_shap_is_that_of_its_formula():
    rows = repeats.gather_baselines(CONTEXT)["rows"]
    columns = np.array(repeats.POPULATION, dtype=float)
    wanted = (np.array([2.0, -3.0]) ** 2 * columns.var(axis=0)).sum() / repeats.DRAWN
    assert float(rows[0]["variance"]) == pytest.approx(wanted)


def test_every_cell_names_an_explainer_of_this_project():
    assert all(create(method).card for method in table_cells.METHODS)
