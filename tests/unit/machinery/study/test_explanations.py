"""Explanation studies: units, truths, counted rows, and what does not depend on what."""

import numpy as np
import pytest
from msgspec import to_builtins
from msgspec.structs import replace

from shapaudit.games import BaselineGame
from shapaudit.models import ModelError
from shapaudit.truth import shapley_exact
from shapaudit_audit.study.blocks.base import record
from shapaudit_audit.study.blocks.games import DatasetBlock, RemovalBlock
from shapaudit_audit.study.blocks.runs import EstimatorBlock
from shapaudit_audit.study.blocks.studies import (
    ExplainedModelBlock,
    ExplainerBlock,
    ExplanationStudyBlock,
    ExplanationTruthBlock,
)
from shapaudit_audit.study.explanations import Blocks, explained_by, make_unit, run_study, truth_of
from shapaudit_audit.study.results import write_table

EXPLAINERS = {
    "rescale": ExplainerBlock(explainer="deeplift"),
    "dasp": ExplainerBlock(explainer="dasp", params={"sizes": 2}),
    "tree": ExplainerBlock(explainer="interventional-tree"),
    "path": ExplainerBlock(explainer="path-dependent-tree"),
    "linear": ExplainerBlock(explainer="linear"),
    "correlated": ExplainerBlock(explainer="correlated-linear"),
    "deep": ExplainerBlock(explainer="deep-shapnet"),
}
ESTIMATORS = {
    "paired": EstimatorBlock(estimator="paired-kernel-shap"),
    "walks": EstimatorBlock(estimator="antithetic-monte-carlo"),
}
NETWORK = ExplainedModelBlock(trainer="network", params={"hidden": [4], "epochs": 3})
DATA = DatasetBlock(loader="gaussian-law", params={"n_rows": 60, "n_features": 4})
STUDY = ExplanationStudyBlock(
    dataset="made-up",
    models={"net": NETWORK},
    units=2,
    explicands=2,
    background=1,
    truth=ExplanationTruthBlock(method="enumeration"),
    explainers=["rescale", "dasp"],
    estimators=["paired", "walks"],
    rows=[1, 4],
    keep=1,
)


def blocks_of(data=DATA, estimators=ESTIMATORS, removal=None):
    return Blocks(dataset=data, explainers=EXPLAINERS, estimators=estimators, removal=removal)


def truth(method, **params):
    return ExplanationTruthBlock(method=method, params=params)


def run(models=STUDY.models, data=DATA, removal=None, seed=3, **changes):
    study = replace(STUDY, models=models, **changes)
    return run_study("made-up", study, blocks_of(data, removal=removal), seed)


def cells(table, column="error"):
    keys = zip(table["model"], table["unit"], table["method"], table["budget"], strict=True)
    return dict(zip([(str(m), int(u), str(k), int(b)) for m, u, k, b in keys], table[column],
                    strict=True))  # fmt: skip


def test_tables_follow_their_schemas_and_are_the_same_bytes_again(tmp_path):
    for name, schema in (("table", "explanations"), ("kept", "attributions")):
        paths = [tmp_path / f"{name}{k}.parquet" for k in range(2)]
        for path in paths:
            write_table(run()[name == "kept"], path, schema)
        assert paths[0].read_bytes() == paths[1].read_bytes()
    assert not np.array_equal(run(seed=4)[0]["error"], run()[0]["error"])


def test_errors_are_those_of_enumeration():
    table, kept = run()
    unit = make_unit("made-up", STUDY, "net", NETWORK, blocks_of(), 3, 0)
    errors, first = [], None
    for row in unit.explicands:
        exact = shapley_exact(BaselineGame(unit.explained.model.predict, row, unit.background[0]))
        values = explained_by(EXPLAINERS["rescale"], unit, None, row).values
        first = exact.values if first is None else first
        errors.append(np.linalg.norm(values - exact.values) / np.linalg.norm(exact.values))
    assert cells(table)["net", 0, "rescale", 0] == pytest.approx(np.mean(errors), rel=1e-12)
    of = (kept["method"] == "reference") & (kept["unit"] == 0)
    np.testing.assert_allclose(kept["value"][of], first, rtol=1e-12)
    np.testing.assert_array_equal(kept["value"][kept["method"] == "explicand"], unit.explicands[0])
    assert set(kept["unit"]) == {0}


def test_one_row_is_explained_where_the_study_does_not_say_how_many():
    said = {key: value for key, value in to_builtins(STUDY).items() if key != "explicands"}
    study = record(ExplanationStudyBlock, said)
    unit = make_unit("made-up", study, "net", NETWORK, blocks_of(), 3, 0)
    assert len(unit.explicands) == 1


def test_rows_are_counted_and_budgets_too_small_are_left_out():
    table, _ = run()
    rows = cells(table, "rows")
    assert rows["net", 0, "rescale", 0] == 3
    assert rows["net", 0, "dasp", 0] == 2 * 2 * 4
    assert {key[3] for key in rows if key[2] == "paired"} == {4, 16}
    assert {key[3] for key in rows if key[2] == "walks"} == {16}
    assert all(rows[key] <= key[3] for key in rows if key[3])
    trees = {"trees": ExplainedModelBlock(trainer="forest", params={"trees": 3})}
    table, _ = run(
        trees, background=5, target="marginal", explainers=["tree"], rows=[20],
        truth=truth("explainer"),
    )  # fmt: skip
    rows = cells(table, "rows")
    assert rows["trees", 0, "tree", 0] == 0
    assert 0 < rows["trees", 0, "walks", 80] <= 80
    assert rows["trees", 0, "paired", 80] > 60  # five baselines: 16 values, 4 rows less at the end


def test_models_and_methods_meet_the_same_data_and_leave_each_other_alone():
    first, _ = run()
    other = ExplainedModelBlock(trainer="network", params={"hidden": [3, 3], "epochs": 3})
    both, kept = run({"other": other, "net": NETWORK}, explainers=["dasp", "rescale"])
    expected, joint = cells(first), cells(both)
    assert all(joint[key] == value for key, value in expected.items())
    rows = kept["value"][kept["method"] == "explicand"].reshape(2, 4)
    np.testing.assert_array_equal(rows[0], rows[1])


def test_an_exact_explainer_is_its_own_truth_and_that_of_the_others():
    trees = {
        name: ExplainedModelBlock(trainer=name, params={"trees": 3})
        for name in ("forest", "histogram-boosting")
    }
    table, _ = run(
        trees, background=4, target="marginal", explainers=["path", "tree"], rows=[64],
        truth=truth("explainer"),
    )  # fmt: skip
    errors = cells(table)
    for model in trees:
        assert errors[model, 0, "tree", 0] == 0
        assert errors[model, 1, "path", 0] > 1e-3
        assert errors[model, 0, "paired", 256] < errors[model, 0, "path", 0]


def test_conditional_values_are_those_of_the_law():
    linear = {"ols": ExplainedModelBlock(trainer="polynomial")}
    blocks = blocks_of(removal=RemovalBlock(removal="gaussian", params={"draws": 5}))
    changes = {"background": 20, "target": "conditional", "truth": truth("law")}
    changes |= {"explainers": ["linear", "correlated"], "rows": [20]}
    study = replace(STUDY, **changes)
    unit = make_unit("made-up", study, "ols", linear["ols"], blocks, 3, 0)
    law = unit.dataset.law
    known = {"covariance": law.covariance, "mean": law.mean}
    spec = ExplainerBlock(explainer="correlated-linear", params=known)
    values = explained_by(spec, unit, None, unit.explicands[0]).values
    np.testing.assert_allclose(truth_of(unit, study, blocks, 0).values, values, rtol=1e-8)
    table, _ = run(linear, removal=blocks.removal, **changes)
    rows, errors = cells(table, "rows"), cells(table)
    assert rows["ols", 0, "correlated", 0] == 0
    assert rows["ols", 0, "paired", 80] <= 80
    assert errors["ols", 0, "linear", 0] > errors["ols", 0, "correlated", 0]


def test_the_logit_of_the_explicands_class_is_explained():
    perceptron = ExplainedModelBlock(trainer="perceptron", params={"hidden": [4], "epochs": 1})
    study = replace(
        STUDY,
        models={"p": perceptron},
        background="zero",
        explainers=["rescale"],
        estimators=[],
        truth=truth("permutations", shuffles=3),
    )
    blocks = blocks_of(DatasetBlock(loader="digits"))
    unit = make_unit("digits", study, "p", perceptron, blocks, 3, 0)
    assert not unit.background.any()
    row = unit.explicands[0]
    output = unit.explained.output_of(row)
    assert output == unit.explained.model.predict(row[None])[0]
    logits = unit.explained.predictor(output).predict(np.stack([row, unit.background[0]]))
    values = explained_by(EXPLAINERS["rescale"], unit, output, row).values
    assert values.sum() == pytest.approx(logits[0] - logits[1])
    table, _ = run_study("digits", replace(study, units=1), blocks, 3)
    assert table["reference_error"][0] > 0
    assert 0 <= table["score"][0] <= 1


def test_deep_shapnets_get_their_reference():
    spec = ExplainedModelBlock(trainer="deep-shapnet", params={"epochs": 2})
    table, _ = run({"deep": spec}, background="mean", explainers=["deep"], estimators=[])
    assert set(table["rows"]) == {1.0}
    assert cells(table, "gap")["deep", 0, "deep", 0] < 1e-10


def test_data_without_a_table_or_a_law_are_refused():
    params = {"n_train": 9, "n_test": 9, "n_features": 3}
    linear = DatasetBlock(loader="linear", params=params)
    with pytest.raises(ModelError, match="explanation study made-up: its dataset has no table"):
        run(data=linear)
    with pytest.raises(ValueError, match="the truth by a law needs data drawn from one, which dia"):
        run(data=DatasetBlock(loader="diabetes"), truth=truth("law"), target="conditional")
