"""The code of docs/explainers.md, run as it stands there, and what its table says."""

import json
import pydoc
import re
from pathlib import Path

import numpy as np
import pytest
import xgboost
from places import ROOT

from explained import ROWS, network
from recipes import blocks
from shapaudit.explainers import REGISTRY, Attributions, FittedExplainer, create

PAGE = (ROOT / "docs" / "explainers.md").read_text(encoding="utf-8")
USE, XGBOOST, LIGHTGBM, SAVED_BOOSTER, ONE_OF_SEVERAL, KEEP, ADDED = blocks(PAGE, "python")
SAVED = ROOT / "tests" / "unit" / "library" / "models" / "data" / "lightgbm.json"


@pytest.fixture(scope="module")
def space():
    """What the first example leaves."""
    namespace = {}
    exec(USE, namespace)
    return namespace


def test_the_example_explains(space):
    explanation = space["found"]
    assert explanation.values.shape == (10, 5)
    sums = explanation.values.sum(axis=1) + explanation.base_value
    np.testing.assert_allclose(sums, space["forest"].predict(space["rows"][:10]))


def test_boosters_have_the_contributions_that_their_packages_print(space, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    exec(XGBOOST, own := dict(space))
    table = xgboost.DMatrix(own["rows"])
    theirs = own["booster"].get_booster().predict(table, pred_contribs=True)[:, :-1]
    np.testing.assert_allclose(own["values"], theirs, atol=1e-5)
    saved = json.loads(SAVED.read_text(encoding="utf-8"))
    case = saved["cases"]["regression"]
    Path("booster.txt").write_text(case["text"], encoding="utf-8")
    exec(SAVED_BOOSTER, own := space | {"rows": np.array(saved["rows"], dtype=float)})
    (theirs,) = np.array(case["contributions"])
    np.testing.assert_allclose(own["values"], theirs[:, :-1], atol=1e-14)
    np.testing.assert_allclose(own["base"], theirs[0, -1], atol=1e-14)


def test_a_booster_of_lightgbm_has_its_contributions(space):
    exec(LIGHTGBM, own := dict(space))
    theirs = own["booster"].predict(own["rows"], pred_contrib=True)[:, :-1]
    np.testing.assert_allclose(own["values"], theirs, atol=1e-13)


def test_one_of_several_outputs_is_explained(space):
    exec(ONE_OF_SEVERAL, own := space | {"xgboost": xgboost})
    margins = own["classifier"].predict(own["rows"][:50], output_margin=True)[:, 2]
    sums = own["values"].sum(axis=1) + margins.mean()
    np.testing.assert_allclose(sums, margins[:3], atol=1e-5)


def test_each_of_the_examples_is_three_lines():
    lines = [
        *(code.splitlines()[-3:] for code in (USE, XGBOOST, LIGHTGBM)),
        SAVED_BOOSTER.splitlines(),
    ]
    assert [len(own) for own in lines] == [3, 3, 3, 3]
    assert all(".fit(" in own[1] or ".fit(" in own[0] for own in lines)


def test_a_kept_explainer_has_the_same_values(space, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    exec(KEEP, own := dict(space))
    np.testing.assert_array_equal(own["again"], space["fitted"].explain(space["rows"]).values)


@pytest.mark.parametrize("name", ["interventional-tree", "path-dependent-tree", "linear", "dasp"])
def test_help_says_shapes_and_units(name):
    explainer = create(name)
    told = pydoc.plain(pydoc.render_doc(type(explainer)))
    assert re.search(r"\([md][,)]|\(m, d\)|\(5, d\)", told)
    assert "in units of" in told or "(d,)" in told
    explain = pydoc.plain(pydoc.render_doc(FittedExplainer))
    for words in ("rows (m, d)", "in the order of the features", "(k, d)"):
        assert words in explain
    assert "in units of the model's output" in pydoc.plain(pydoc.render_doc(Attributions))


def test_the_added_explainer_is_exact_for_linear_networks(tmp_path, monkeypatch):
    (tmp_path / "added_explainer.py").write_text(ADDED, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    explainer = create("added_explainer.GradientTimesInput")
    straight = explainer.fit(network((5, 1)), ROWS[0])
    expected = create("deeplift").fit(network((5, 1)), ROWS[0]).explain(ROWS)
    explanation = straight.explain(ROWS)
    np.testing.assert_allclose(explanation.values, expected.values, atol=1e-14)
    bent = explainer.fit(network(), ROWS[0])
    steps = np.eye(5) * 1e-6
    slopes = (bent.output(ROWS[1] + steps) - bent.output(ROWS[1] - steps)) / 2e-6
    np.testing.assert_allclose(
        bent.explain(ROWS[1]).values, slopes * (ROWS[1] - ROWS[0]), atol=1e-7
    )


def test_the_table_has_every_explainer_with_its_kind_of_model_and_target():
    rows = dict(re.findall(r"^\| `([a-z-]+)` \| (.*?) \| \w.*\|$", PAGE, re.MULTILINE))
    assert set(rows) == set(REGISTRY)
    for name, cls in REGISTRY.items():
        card = cls().card
        row = re.search(rf"^\| `{name}` \|.*$", PAGE, re.MULTILINE)[0]
        kind, target, exact = (cell.strip() for cell in row.split("|")[2:5])
        assert kind.lower().startswith(card.models.split("-")[0]), name
        assert card.target in target or card.target == "baseline", name
        assert (exact == "yes") == card.exact, name
    assert "Only `interventional-tree`, `linear` and `shallow-shapnet` are unbiased" in PAGE
