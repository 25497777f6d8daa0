"""What every explainer of the package promises on its card, on small models of its kind."""

import copy
import pickle
from dataclasses import fields
from functools import cache

import numpy as np
import pandas as pd
import pytest
import scipy.sparse

from explained import MODELS, ROWS
from shapaudit.explainers import REGISTRY, ExplainerCard, ExplainerError, create
from shapaudit.games import all_coalitions
from shapaudit.models import ModelError
from shapaudit.truth import shapley_from_table

VARIANTS = [
    ("correlated-linear", {"permutations": 4}),
    ("interventional-tree", {"output": 0}),
    ("deeplift", {"rule": "reveal-cancel"}),
    ("deep-shap", {"rule": "reveal-cancel"}),
    ("dasp", {"sizes": 2}),
    ("fast-shap", {"removal": "baseline", "epochs": 5}),
    ("fast-shap", {"removal": "surrogate", "epochs": 5}),
    ("stochastic-amortisation", {"estimator": "unbiased-kernel-shap", "epochs": 5}),
]
EXPLAINERS = [
    *(cls() for cls in REGISTRY.values()),
    *(create(name, params) for name, params in VARIANTS),
]
CASES = [(e, k) for e in EXPLAINERS for k in range(len(MODELS[e.card.models]))]
EXACT = [(e, k) for e, k in CASES if e.card.exact]
BIASED = [e for e in EXPLAINERS if e.card.bias and e.card.target != "conditional"]
# What takes its background into its fit has no other one later.
LEARNT = [e for e in EXPLAINERS if e.card.models == "any"]


def name(case):
    return str(case)


def background_of(explainer):
    """Rows for a mean over baselines, a law or training, or one row where one is wanted."""
    single = explainer.card.target == "baseline" and explainer.card.models != "any"
    return ROWS[:1] if single else ROWS


@cache
def model_of(explainer, number):
    return MODELS[explainer.card.models][number]()


def fitted(explainer, number=0, rng=0):
    return explainer.fit(model_of(explainer, number), background_of(explainer), rng)


def marginal_values(predict, explicand, background):
    """Shapley values of the mean of the baselines' games, by all hybrid rows."""
    coalitions = all_coalitions(len(explicand))
    tables = [predict(np.where(coalitions, explicand, row)) for row in background]
    return shapley_from_table(np.mean(tables, axis=0))


@pytest.mark.parametrize("explainer", EXPLAINERS, ids=name)
def test_has_a_card_an_example_and_names_that_make_it(explainer):
    assert isinstance(explainer.card, ExplainerCard)
    assert explainer.card.cost.startswith("O("), "the card does not say what explaining costs"
    assert ">>> " in type(explainer).__doc__, "help() shows no example"
    for alias, params in explainer.names.items():
        made = create(alias)
        assert type(made) is type(explainer)
        assert all(getattr(made, key) == value for key, value in params.items())


@pytest.mark.parametrize(("explainer", "number"), CASES, ids=name)
def test_values_have_the_shape_of_the_rows_and_no_company(explainer, number):
    prepared = fitted(explainer, number)
    together = prepared.explain(ROWS[:4])
    assert together.values.shape == (4, ROWS.shape[1])
    assert np.isfinite(together.values).all()
    for row, values in zip(ROWS[:4], together.values, strict=True):
        alone = prepared.explain(row)
        assert alone.values.shape == row.shape
        np.testing.assert_allclose(alone.values, values, rtol=1e-12, atol=1e-13)
    assert prepared.explain(ROWS[:0]).values.shape == (0, ROWS.shape[1])


@pytest.mark.parametrize("explainer", EXPLAINERS, ids=name)
def test_its_generator_is_all_that_it_depends_on(explainer):
    first, again, other = (fitted(explainer, rng=seed).explain(ROWS).values for seed in (1, 1, 2))
    np.testing.assert_array_equal(first, again)
    assert np.array_equal(first, other) == explainer.card.deterministic
    with pytest.raises(ValueError, match=explainer.id):
        fitted(explainer, rng="seed")


@pytest.mark.parametrize(("explainer", "number"), CASES, ids=name)
def test_efficient_values_and_the_base_value_sum_to_the_output(explainer, number):
    prepared = fitted(explainer, number)
    if explainer.card.efficient:
        explanation = prepared.explain(ROWS[:4])
        outputs = prepared.output(ROWS[:4])
        np.testing.assert_allclose(
            explanation.values.sum(axis=1) + explanation.base_value, outputs, rtol=1e-9, atol=1e-10
        )


@pytest.mark.parametrize(("explainer", "number"), EXACT, ids=name)
def test_exact_values_are_those_of_enumeration(explainer, number):
    prepared = fitted(explainer, number)
    rows, background = ROWS[-3:], background_of(explainer)
    for row, values in zip(rows, prepared.explain(rows).values, strict=True):
        expected = marginal_values(prepared.output, row, background)
        np.testing.assert_allclose(values, expected, rtol=1e-9, atol=1e-10)
    given = prepared.explain(rows, baselines=ROWS[5]).values[0]
    expected = marginal_values(prepared.output, rows[0], ROWS[5:6])
    np.testing.assert_allclose(given, expected, rtol=1e-9, atol=1e-10)


@pytest.mark.parametrize("explainer", BIASED, ids=name)
def test_a_bias_on_the_card_is_one(explainer):
    wrong = []
    for number in range(len(MODELS[explainer.card.models])):
        prepared = fitted(explainer, number)
        expected = marginal_values(prepared.output, ROWS[-1], background_of(explainer))
        wrong.append(np.abs(prepared.explain(ROWS[-1]).values - expected).max())
    assert max(wrong) > 1e-3


NAMES = [*"abcde"]


@pytest.mark.parametrize("explainer", EXPLAINERS, ids=name)
def test_columns_are_found_by_their_names_or_refused(explainer):
    background = pd.DataFrame(background_of(explainer), columns=NAMES)
    explained = pd.DataFrame(ROWS[2:5], columns=NAMES)
    prepared = explainer.fit(model_of(explainer, 0), background, 0)
    assert prepared.background.names == tuple(NAMES)
    values = prepared.explain(explained).values
    np.testing.assert_array_equal(values, fitted(explainer).explain(ROWS[2:5]).values)
    np.testing.assert_array_equal(prepared.explain(ROWS[2:5]).values, values)
    turned = explained[NAMES[::-1]]
    np.testing.assert_array_equal(prepared.explain(turned).values, values)
    np.testing.assert_allclose(prepared.explain(turned.iloc[1]).values, values[1], atol=1e-12)
    if explainer not in LEARNT and explainer.card.target != "conditional":
        others = background.iloc[:, ::-1]
        np.testing.assert_array_equal(prepared.explain(turned, baselines=others).values, values)
    twice = pd.concat([explained, explained[["b"]]], axis=1)
    for wrong, message in (
        (explained.drop(columns="d"), "explicands lack the column 'd'"),
        (explained.assign(y=1.0), "explicands have 'y', which it was not fitted on"),
        (explained.rename(columns={"d": "z"}), "lack the column 'd' and have 'z'"),
        (twice, "have the column 'b' twice"),
        (explained.iloc[0].drop("c"), "lack the column 'c'"),
    ):
        with pytest.raises(ExplainerError, match=message):
            prepared.explain(wrong)
    with pytest.raises(ExplainerError, match="background have the column 'b' twice"):
        explainer.fit(model_of(explainer, 0), twice.iloc[: len(background)])


@pytest.mark.parametrize("explainer", EXPLAINERS, ids=name)
def test_rows_without_names_are_taken_in_their_order(explainer):
    prepared = fitted(explainer)
    values = prepared.explain(ROWS[2:5]).values
    for columns in (range(5), NAMES):  # what pandas numbers has no names, nor has the background
        table = pd.DataFrame(ROWS[2:5], columns=columns)
        np.testing.assert_array_equal(prepared.explain(table).values, values)
    made_up = pd.DataFrame(ROWS[2:5], columns=prepared.background.names)
    np.testing.assert_array_equal(prepared.explain(made_up.iloc[:, ::-1]).values, values)


@pytest.mark.parametrize("explainer", EXPLAINERS, ids=name)
def test_copies_and_pickles_explain_as_before(explainer):
    prepared = fitted(explainer)
    values = prepared.explain(ROWS[2:5]).values
    for other in (copy.deepcopy(prepared), pickle.loads(pickle.dumps(prepared))):
        np.testing.assert_array_equal(other.explain(ROWS[2:5]).values, values)


@pytest.mark.parametrize("explainer", EXPLAINERS, ids=name)
def test_sparse_rows_are_told_to_be_made_dense(explainer):
    with pytest.raises(ExplainerError, match=r"explicands are sparse; .*rows.toarray\(\)"):
        fitted(explainer).explain(scipy.sparse.csr_array(ROWS))


@pytest.mark.parametrize("explainer", EXPLAINERS, ids=name)
def test_leaves_what_it_is_given_as_it_is(explainer):
    rows, background = ROWS.copy(), background_of(explainer).copy()
    explainer.fit(model_of(explainer, 0), background, 0).explain(rows)
    np.testing.assert_array_equal(rows, ROWS)
    np.testing.assert_array_equal(background, background_of(explainer))


@pytest.mark.parametrize("explainer", EXPLAINERS, ids=name)
def test_what_is_fitted_is_equal_to_itself_alone(explainer):
    prepared, again = fitted(explainer), fitted(explainer)
    assert len({prepared, again, prepared}) == 2  # arrays have neither one truth value nor a hash


@pytest.mark.parametrize("explainer", EXPLAINERS, ids=name)
def test_refuses_what_does_not_fit(explainer):
    for model in ("no model", object(), None, 3.0):
        with pytest.raises((ExplainerError, ModelError)):
            explainer.fit(model, background_of(explainer))
    others = () if explainer.card.models == "any" else MODELS.keys() - {explainer.card.models}
    for kind in others:
        with pytest.raises((ExplainerError, ModelError)):
            explainer.fit(MODELS[kind][0](), background_of(explainer))
    model, d = model_of(explainer, 0), ROWS.shape[1]
    with pytest.raises(ExplainerError, match=f"has {d} features, the rows have {d - 1}"):
        explainer.fit(model, background_of(explainer)[:, 1:])
    for wrong in (ROWS[:0], np.full((3, d), np.inf), [["a"] * d], np.zeros((2, 2, d))):
        with pytest.raises(ExplainerError, match=explainer.id):
            explainer.fit(model, wrong)
    prepared = fitted(explainer)
    for wrong in (ROWS[:, 1:], np.full(d, np.inf), np.zeros((1, 1, d)), "rows"):
        with pytest.raises(ExplainerError, match="explicands"):
            prepared.explain(wrong)
    if not explainer.takes_missing:
        with pytest.raises(ExplainerError, match=r"row 0 has nan in column 0; impute it or leave"):
            prepared.explain(np.full(d, np.nan))
    else:
        with pytest.raises(ExplainerError, match=r"row 0 has inf in column 0; replace it by a fin"):
            prepared.explain(np.full(d, np.inf))


@pytest.mark.parametrize("explainer", [e for e in EXPLAINERS if e not in LEARNT], ids=name)
def test_baselines_are_one_or_many_or_none_as_the_target_wants(explainer):
    prepared, model = fitted(explainer), model_of(explainer, 0)
    if explainer.card.target == "conditional":
        with pytest.raises(ExplainerError, match="have no baselines"):
            prepared.explain(ROWS, baselines=ROWS)
    if explainer.card.target == "baseline":
        with pytest.raises(ExplainerError, match=r"against one baseline, not 2 rows.*mean"):
            prepared.explain(ROWS, baselines=ROWS[:2])
        with pytest.raises(ExplainerError, match=r"against one baseline, not 2 rows.*mean"):
            explainer.fit(model, ROWS[:2])


@pytest.mark.parametrize("explainer", EXPLAINERS, ids=name)
def test_parameters_have_no_other_types(explainer):
    with pytest.raises(ExplainerError, match="has no parameter 'colour'"):
        create(explainer.id, {"colour": 1})
    for field in fields(explainer):
        if field.type in (int, str, float):
            with pytest.raises(ValueError, match=explainer.id):
                create(explainer.id, {field.name: object()})


def test_an_unknown_explainer_is_told_of_the_known_ones():
    with pytest.raises(ExplainerError, match=r"did you mean 'linear'.*correlated-linear"):
        create("liner")
    with pytest.raises(ExplainerError, match="cannot import the explainer"):
        create("no.such.Explainer")


@pytest.mark.parametrize("explainer", LEARNT, ids=name)
def test_a_background_that_was_learnt_is_not_exchanged(explainer):
    with pytest.raises(ExplainerError, match="has learnt its background"):
        fitted(explainer).explain(ROWS, baselines=ROWS[0])
