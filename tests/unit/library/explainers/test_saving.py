"""Fitted explainers on disk: the same values after reading, and errors that say what is wrong."""

import json
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from places import ROOT
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.neural_network import MLPClassifier

from explained import MODELS, ROWS, network
from recipes import blocks
from shapaudit.explainers import REGISTRY, ExplainerError, ExplainerMethod, create, load, save
from shapaudit.explainers.deeplift import DeepLift
from shapaudit.explainers.saving import ARRAYS, FORMAT, MANIFEST

VARIANTS = [
    create("correlated-linear", {"permutations": 4, "covariance": np.eye(5), "mean": np.zeros(5)}),
    create("path-dependent-tree", {"weights": "rows"}),
    create("dasp", {"sizes": 2}),
]
EXPLAINERS = [*(cls() for cls in REGISTRY.values()), *VARIANTS]
CASES = [(e, number) for e in EXPLAINERS for number in range(len(MODELS[e.card.models]))]


def same_after_reading(fitted, folder, rows=ROWS, model=None):
    save(fitted, folder)
    again = load(folder, model=model)
    assert type(again) is type(fitted)
    first, second = fitted.explain(rows), again.explain(rows)
    assert first.values.tobytes() == second.values.tobytes()
    assert (first.base_value, first.rows) == (second.base_value, second.rows)
    assert again.background.names == fitted.background.names
    return again


@pytest.mark.parametrize(("explainer", "number"), CASES, ids=str)
def test_values_are_the_same_bytes(explainer, number, tmp_path):
    background = ROWS[:1] if explainer.card.target == "baseline" else ROWS
    model = MODELS[explainer.card.models][number]()
    fitted = explainer.fit(model, background, 5)
    asked = model if explainer.card.models == "any" else None
    again = same_after_reading(fitted, tmp_path / "one", model=asked)
    save(again, tmp_path / "two")
    for name in (MANIFEST, ARRAYS):
        first, two = (tmp_path / folder / name for folder in ("one", "two"))
        assert first.read_bytes() == two.read_bytes()


@pytest.mark.parametrize("removal", ["baseline", "surrogate"])
def test_an_amortised_explainer_asks_the_model_that_it_is_given(removal, tmp_path):
    (make,) = MODELS["any"]
    explainer = create("fast-shap", {"removal": removal, "epochs": 1, "evaluations": 4})
    fitted = explainer.fit(make(), ROWS, 5)
    same_after_reading(fitted, tmp_path, model=make())
    with pytest.raises(ExplainerError, match=r"give it, load\(directory, model=\.\.\.\)"):
        load(tmp_path)


def test_trees_over_intervals_keep_how_rows_become_intervals(tmp_path):
    rows = np.random.default_rng(0).normal(size=(100, 5))
    booster = HistGradientBoostingRegressor(max_iter=3).fit(rows, rows[:, 0] * rows[:, 1])
    fitted = create("interventional-tree").fit(booster, rows[:5])
    again = same_after_reading(fitted, tmp_path, rows)
    np.testing.assert_array_equal(again.output(rows), fitted.output(rows))
    np.testing.assert_allclose(again.output(rows), booster.predict(rows))


def test_a_class_of_several_is_kept_alone(tmp_path):
    classes = np.arange(60) % 3
    model = MLPClassifier((6,), random_state=0, tol=1.0, n_iter_no_change=2).fit(
        np.tile(ROWS, (5, 1)), classes
    )
    same_after_reading(create("deeplift", {"output": 2}).fit(model, ROWS[0]), tmp_path)


def test_an_explainer_of_ones_own_is_given_by_its_class(tmp_path, monkeypatch):
    added = blocks((ROOT / "docs" / "explainers.md").read_text(encoding="utf-8"), "python")[-1]
    (tmp_path / "saved_explainer.py").write_text(added, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    explainer = create("saved_explainer.GradientTimesInput")
    fitted = explainer.fit(network(), ROWS[0])
    save(fitted, tmp_path / "own")
    with pytest.raises(ExplainerError, match=r"'gradient', which is not of this package; give its"):
        load(tmp_path / "own")
    again = load(tmp_path / "own", type(explainer))
    np.testing.assert_array_equal(again.explain(ROWS).values, fitted.explain(ROWS).values)
    with pytest.raises(ExplainerError, match="holds the explainer 'gradient', not 'deeplift'"):
        load(tmp_path / "own", DeepLift)


def changed(folder, **change):
    path = folder / MANIFEST
    path.write_text(json.dumps(json.loads(path.read_text()) | change), encoding="utf-8")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": FORMAT + 1}, r"is of format 2, and this version reads format 1; fit the expl"),
        ({"format": None}, "is of format None"),
        ({"explainer": "deep-lift-2"}, "'deep-lift-2', which is not of this package"),
        ({"fitted": "Attributions"}, "holds no fitted explainer that can be read .'Attributions'"),
        ({"fitted": "os"}, "holds no fitted explainer"),
        ({"parts": {}}, "holds no fitted explainer"),
        ({"params": {"map": {"rule": "rescale", "depth": 3}}}, "unexpected keyword argument"),
        ({"parts": {"class": "Popen", "of": {"map": {}}}}, "holds no fitted explainer"),
    ],
)
def test_files_of_another_version_or_kind_are_refused(change, message, tmp_path):
    save(create("deeplift").fit(network(), ROWS[0]), tmp_path)
    changed(tmp_path, **change)
    with pytest.raises(ExplainerError, match=message):
        load(tmp_path)


def test_folders_with_other_files_are_refused(tmp_path):
    with pytest.raises(ExplainerError, match=r"holds no fitted explainer.*fit it again and save"):
        load(tmp_path)
    save(create("deeplift").fit(network(), ROWS[0]), tmp_path)
    (tmp_path / ARRAYS).write_bytes(b"PK\3\4 and no more")
    with pytest.raises(ExplainerError, match="holds no fitted explainer"):
        load(tmp_path)
    np.savez(tmp_path / ARRAYS, array0=np.array([None], dtype=object))
    with pytest.raises(ExplainerError, match=r"holds no fitted explainer .*allow_pickle"):
        load(tmp_path)
    (tmp_path / MANIFEST).write_text("[]", encoding="utf-8")
    with pytest.raises(ExplainerError, match="its manifest is no mapping"):
        load(tmp_path)


def test_what_cannot_be_saved_is_named(tmp_path):
    @dataclass(frozen=True)
    class Named(DeepLift):
        id: ClassVar[str] = "named"
        function: object = print

    assert issubclass(Named, ExplainerMethod)
    fitted = Named().fit(network(), ROWS[0])
    with pytest.raises(ExplainerError, match="a builtin_function_or_method cannot be saved; keep"):
        save(fitted, tmp_path)
