"""A removal of one's own: one class in one file, named by its dotted path."""

import re

import numpy as np
from places import ROOT
from removal_worlds import Function, dataset_of

from shapaudit.games import all_coalitions, tabulate
from shapaudit.removals import REGISTRY, create, load_removal

PAGE = (ROOT / "docs" / "removals.md").read_text(encoding="utf-8")
(OWN,) = [
    text for text in re.findall(r"```python\n(.*?)```", PAGE, re.S) if "class Extremes" in text
]


def test_the_page_lists_every_removal():
    listed = re.findall(r"^\| `([a-z-]+)` \|", PAGE, re.MULTILINE)
    assert sorted(listed) == sorted(REGISTRY)


def test_is_created_fitted_played_saved_and_read(tmp_path, monkeypatch):
    (tmp_path / "own_extremes.py").write_text(OWN, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    removal = create("own_extremes.Extremes", {"weight_of_maxima": 0.25})
    rows = np.random.default_rng(0).normal(size=(30, 3))
    model = Function(lambda rows: rows @ [1.0, 2.0, 3.0])
    fitted = removal.fit(model, dataset_of(rows), np.random.default_rng(0))
    x = np.zeros(3)
    values = tabulate(fitted.game(x, None)).values
    middle = 0.75 * rows.min(axis=0) + 0.25 * rows.max(axis=0)
    hybrids = np.where(all_coalitions(3), x, middle)
    np.testing.assert_allclose(values, model.predict(hybrids), atol=1e-12)
    fitted.save(tmp_path / "kept")
    read = load_removal(tmp_path / "kept", model)
    np.testing.assert_array_equal(tabulate(read.game(x, None)).values, values)
