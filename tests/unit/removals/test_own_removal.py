"""A removal of one's own: one class in one file, named by its dotted path."""

import numpy as np
from removal_worlds import Function, dataset_of

from shapaudit.games import all_coalitions, tabulate
from shapaudit.removals import create, load_removal

OWN = '''
from dataclasses import dataclass

import numpy as np

from shapaudit.removals import Removal
from shapaudit.removals.completed import BackgroundRows, CompletedGame


@dataclass(frozen=True)
class Extremes(Removal):
    """Absent features are at their minima or all at their maxima."""

    id = "extremes"
    weight_of_maxima: float = 0.5

    def learn(self, model, background, rng):
        rows = background.rows
        return {"ends": np.stack([rows.min(axis=0), rows.max(axis=0)])}

    def play(self, fitted, explicand, rng):
        weights = np.array([1 - self.weight_of_maxima, self.weight_of_maxima])
        ends = BackgroundRows(explicand, fitted.arrays["ends"], weights)
        return CompletedGame(fitted, explicand, ends)
'''


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
