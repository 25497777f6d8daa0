"""The code of docs/explainers.md, run as it stands there, and what its table says."""

import re

import numpy as np
from places import ROOT

from explained import ROWS, network
from recipes import blocks
from shapaudit.explainers import REGISTRY, create

PAGE = (ROOT / "docs" / "explainers.md").read_text(encoding="utf-8")
USE, ADDED = blocks(PAGE, "python")


def test_the_example_explains():
    space = {}
    exec(USE, space)
    found = space["found"]
    assert found.values.shape == (10, 5)
    sums = found.values.sum(axis=1) + found.base_value
    np.testing.assert_allclose(sums, space["forest"].predict(space["rows"][:10]))


def test_the_added_explainer_is_exact_for_linear_networks(tmp_path, monkeypatch):
    (tmp_path / "added_explainer.py").write_text(ADDED, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    explainer = create("added_explainer.GradientTimesInput")
    straight = explainer.fit(network((5, 1)), ROWS[0])
    expected = create("deeplift").fit(network((5, 1)), ROWS[0]).explain(ROWS)
    found = straight.explain(ROWS)
    np.testing.assert_allclose(found.values, expected.values, atol=1e-14)
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
    assert "Only `interventional-tree`, `linear` and `shallow-shapnet` have no bias" in PAGE
