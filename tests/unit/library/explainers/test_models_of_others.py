"""Models of trees of other packages, each value against enumeration of the model's own output."""

import json

import numpy as np
import pytest
import xgboost

import tree_models
from shapaudit.explainers import create, load, save
from shapaudit.games import all_coalitions
from shapaudit.models import ModelError
from shapaudit.models.read_trees import read_trees
from shapaudit.truth import shapley_from_table
from tree_models import CASES, hybrids, own_output

SINGLE, DOUBLE = 2e-6, 1e-12  # of the largest output


def enumerated(case, row, background):
    """Marginal Shapley values (d,) of the model's own output, by all coalitions."""
    coalitions = all_coalitions(row.shape[1])
    outputs = own_output(case, hybrids(row, background, coalitions))
    return shapley_from_table(outputs.reshape(len(coalitions), -1).mean(axis=1))


@pytest.mark.parametrize("name", CASES)
@pytest.mark.filterwarnings("ignore:Parameters:UserWarning")
def test_values_are_those_of_enumeration(name, tmp_path):
    case = CASES[name]()
    background, explained = case.rows[:4], case.rows[20:23]
    params = {} if case.output is None else {"output": case.output}
    fitted = create("interventional-tree", params).fit(case.model, background)
    explanation = fitted.explain(explained)
    outputs = own_output(case, case.rows)
    atol = (SINGLE if name.startswith("XGBoost") else DOUBLE) * np.abs(outputs).max()
    np.testing.assert_allclose(fitted.output(fitted.numbers(case.rows)), outputs, rtol=0, atol=atol)
    assert np.ptp(fitted.output(fitted.numbers(case.rows))) > 0
    for k, values in enumerate(explanation.values):
        expected = enumerated(case, explained[k : k + 1], background)
        np.testing.assert_allclose(values, expected, rtol=0, atol=4 * atol)
    # As numbers, by the names of columns in another order, and after it was saved.
    numbers = fitted.numbers(explained)
    if not name.startswith("CatBoost categories"):  # whose numbers CatBoost itself does not take
        np.testing.assert_array_equal(fitted.explain(numbers).values, explanation.values)
    turned = explained[explained.columns[::-1]]
    np.testing.assert_array_equal(fitted.explain(turned).values, explanation.values)
    if "pipeline" not in name:
        save(fitted, tmp_path)
        again = load(tmp_path)
        np.testing.assert_array_equal(again.explain(turned).values, explanation.values)
        np.testing.assert_array_equal(again.explain(numbers).values, explanation.values)


@pytest.mark.parametrize(
    "name", ["XGBoost regression", "LightGBM categories, 1", "scikit-learn forest, class"]
)
def test_path_dependent_values_sum_to_the_output(name):
    case = CASES[name]()
    params = {} if case.output is None else {"output": case.output}
    fitted = create("path-dependent-tree", params).fit(case.model, case.rows[:1])
    explanation = fitted.explain(case.rows[5:9])
    outputs = own_output(case, case.rows[5:9])
    np.testing.assert_allclose(
        explanation.values.sum(axis=1) + explanation.base_value, outputs, atol=1e-6
    )


def test_contributions_of_xgboost_with_categories():
    case = CASES["XGBoost categories, missing, 1"]()
    data = xgboost.DMatrix(case.rows, enable_categorical=True)
    theirs = case.model.get_booster().predict(data, pred_contribs=True)
    ours = create("path-dependent-tree").fit(case.model, case.rows[:1]).explain(case.rows)
    np.testing.assert_allclose(ours.values, theirs[:, :-1], atol=1e-5)


class Doubled(xgboost.XGBRegressor):
    """An estimator that predicts something else than its trees say."""

    def predict(self, X, **options):
        return 2.0 * super().predict(X, **options)


@pytest.mark.parametrize("explainer", ["interventional-tree", "path-dependent-tree"])
def test_what_differs_from_the_model_itself_is_refused(explainer):
    model = Doubled(n_estimators=3, n_jobs=1).fit(tree_models.NUMBERS, tree_models.TARGET)
    rows = tree_models.NUMBERS[:5]
    read = read_trees(model)
    with pytest.raises(ModelError, match=r"this XGBoost model gives .* for row \d, but what was"):
        read.check(rows, rows.to_numpy())
    fitted = create(explainer).fit(read.ensemble, rows)
    assert fitted.explain(rows).values.shape == (5, 4)  # trees alone have nothing to compare
    with pytest.raises(ModelError, match="its values would be wrong; explain it as any model"):
        create(explainer).fit(model, rows)


def test_a_difference_at_the_explained_rows_alone_is_refused():
    """The background has no -999, which is missing, and the rows have."""
    case = CASES["XGBoost missing=-999"]()
    read = read_trees(case.model)
    wrong = read_trees(read.ensemble)
    wrong = type(wrong)(wrong.ensemble, wrong.encode, read.names, own=read.own)
    whole = case.rows[(case.rows != -999.0).all(axis=1)]
    fitted = create("interventional-tree").fit(wrong, whole[:5])
    fitted.explain(whole[5:8])
    marked = case.rows[(case.rows == -999.0).any(axis=1)]
    with pytest.raises(ModelError, match="it is not the sum that was read"):
        fitted.explain(marked)
    assert fitted.reading.check is not None


def test_a_model_that_fails_at_the_rows_is_told():
    case = CASES["CatBoost regression"]()

    def fails(rows):
        raise RuntimeError("no device")

    read = read_trees(case.model)
    broken = type(read)(read.ensemble, read.encode, read.names, own=fails, what="this model")
    with pytest.raises(ModelError, match=r"this model itself fails .*RuntimeError: no device"):
        create("interventional-tree").fit(broken, case.rows[:3])


def test_weights_of_trees_in_either_place(tmp_path):
    """XGBoost keeps DART's weights beside the trees up to 3.3, and among them from 3.4 on."""
    case = CASES["XGBoost dart"]()
    document = json.loads(bytes(case.model.get_booster().save_raw("json")))
    expected = own_output(case, case.rows)
    learner = document["learner"]
    booster = learner["gradient_booster"]
    if booster["name"] == "dart":
        model, weights = booster["gbtree"]["model"], booster["weight_drop"]
    else:
        model = dict(booster["model"])
        weights = model.pop("weight_drop")
    assert min(weights) < 0.9
    older = {"name": "dart", "gbtree": {"model": model}, "weight_drop": weights}
    newer = {"name": "gbtree", "model": {**model, "weight_drop": weights}}
    for form in (older, newer):
        path = tmp_path / "dart.json"
        path.write_text(json.dumps({**document, "learner": {**learner, "gradient_booster": form}}))
        predictions = read_trees(path).predict(case.rows.to_numpy())
        np.testing.assert_allclose(predictions, expected, atol=1e-5)


def test_all_trees_of_a_booster_and_the_best_of_an_estimator_and_a_file(tmp_path):
    estimator = CASES["XGBoost early stopping"]().model
    booster = estimator.get_booster()
    rounds = booster.num_boosted_rounds()
    assert estimator.best_iteration + 1 < rounds
    assert len(read_trees(booster).ensemble.roots) == rounds
    booster.save_model(tmp_path / "model.json")
    for model in (estimator, tmp_path / "model.json"):
        assert len(read_trees(model).ensemble.roots) == estimator.best_iteration + 1


@pytest.mark.parametrize("name", ["XGBoost categories, 1", "LightGBM categories, 1"])
def test_categories_are_found_by_what_they_are(name):
    """A table whose categories are numbered in another way has the same values."""
    case = CASES[name]()
    turned = case.rows.assign(
        colour=case.rows["colour"].cat.reorder_categories([*"yxwvu"]),
        size=case.rows["size"].cat.reorder_categories([11, 3, 7]),
    )
    fitted = create("interventional-tree").fit(case.model, case.rows[:4])
    attributions = fitted.explain(turned[10:14]).values
    np.testing.assert_array_equal(attributions, fitted.explain(case.rows[10:14]).values)
    again = create("interventional-tree").fit(case.model, turned[:4])
    np.testing.assert_array_equal(again.explain(turned[10:14]).values, attributions)


def test_codes_are_taken_where_a_model_has_not_kept_its_categories(tmp_path):
    """XGBoost before 3.1 keeps none; its own predictions go by the codes, too."""
    case, path = CASES["XGBoost categories, 1"](), tmp_path / "model.json"
    case.model.save_model(path)
    document = json.loads(path.read_text())
    del document["learner"]["gradient_booster"]["model"]["cats"]
    path.write_text(json.dumps(document))
    fitted = create("interventional-tree").fit(path, case.rows[:4])
    named = case.rows.assign(colour=case.rows["colour"].cat.rename_categories([*"yxwvu"]))
    values = fitted.explain(named[10:14]).values
    np.testing.assert_array_equal(values, fitted.explain(case.rows[10:14]).values)
    kept = create("interventional-tree").fit(case.model, case.rows[:4])
    np.testing.assert_array_equal(values, kept.explain(case.rows[10:14]).values)


@pytest.mark.parametrize("name", ["LightGBM categories, 1", "scikit-learn histograms, categories"])
def test_thresholds_beside_categories_are_not_rounded(name):
    """The next float64 above a threshold goes to the right; in float32 it would not."""
    case = CASES[name]()
    read = read_trees(case.model)
    edges = read.encode.__self__.edges
    for j in (0, 1):
        rows = case.rows.iloc[np.zeros(2 * len(edges[j]), dtype=int)].reset_index(drop=True)
        rows.isetitem(j, np.concatenate([edges[j], np.nextafter(edges[j], np.inf)]))
        numbers = read.numbers(rows)
        assert len(np.unique(read.encode(numbers)[:, j])) == len(edges[j]) + 1
        np.testing.assert_allclose(read.predict(numbers), own_output(case, rows), rtol=1e-12)


def test_categories_that_are_numbers_are_taken_as_they_are():
    """Histogram boosting on an array: categories it has not met are missing."""
    from sklearn.ensemble import HistGradientBoostingRegressor

    rng = np.random.default_rng(0)
    rows = np.column_stack([rng.normal(size=150), rng.choice([2.0, 5.0, 9.0, 11.0], (150, 2))])
    target = rows[:, 0] + 2.0 * (rows[:, 1] == 5) - (rows[:, 2] == 9) * rows[:, 0]
    model = HistGradientBoostingRegressor(
        max_iter=6, min_samples_leaf=5, categorical_features=[1, 2]
    ).fit(rows, target)
    others = rows.copy()
    others[::7, 1], others[::5, 2], others[::3, 1] = np.nan, 4.0, -1.0
    fitted = create("interventional-tree").fit(model, others[:6])
    np.testing.assert_allclose(fitted.output(others), model.predict(others), rtol=1e-12)
    assert fitted.explain(others).values.shape == others.shape


def test_models_that_are_no_sums_of_trees():
    import catboost
    from sklearn import ensemble
    from sklearn.decomposition import PCA
    from sklearn.neighbors import KNeighborsRegressor
    from sklearn.pipeline import make_pipeline

    numbers, target = tree_models.NUMBERS, tree_models.TARGET
    boosting = ensemble.GradientBoostingClassifier(n_estimators=2)
    forest = ensemble.RandomForestRegressor(2)
    counted = ensemble.VotingClassifier([("one", ensemble.RandomForestClassifier(2))])
    soft = ensemble.VotingClassifier([("one", boosting)], voting="soft")
    passing = ensemble.StackingRegressor([("one", forest)], passthrough=True)
    for model, message in (
        (ensemble.AdaBoostRegressor(n_estimators=2), "AdaBoostRegressor of scikit-learn is not"),
        (counted, "that counts votes is not read"),
        (soft, "adds probabilities of GradientBoostingClassifier"),
        (ensemble.BaggingClassifier(boosting, n_estimators=2), "adds probabilities of"),
        (passing, "without passthrough are read"),
        (ensemble.StackingRegressor([("one", forest)], forest), "with RandomForestRegressor"),
        (ensemble.StackingRegressor([("one", KNeighborsRegressor())]), "KNeighborsRegressor is no"),
        (ensemble.StackingClassifier([("one", boosting)]), "adds probabilities of GradientBoo"),
        (
            ensemble.StackingClassifier([("one", boosting)], stack_method="predict"),
            "is given the labels of GradientBoostingClassifier",
        ),
        (make_pipeline(PCA(2), forest), "a Pipeline with a PCA is not read"),
    ):
        classifier = "Classifier" in type(model).__name__
        fitted = model.fit(numbers, tree_models.SECOND if classifier else target)
        with pytest.raises(ModelError, match=message):
            read_trees(fitted)
    for kind in (catboost.CatBoostRegressor, ensemble.IsolationForest):
        with pytest.raises(ModelError, match=rf"{kind.__name__} is no fitted model"):
            read_trees(kind())


def test_parts_behind_a_link_function_add_no_scores():
    from sklearn.ensemble import HistGradientBoostingRegressor, VotingRegressor
    from sklearn.linear_model import PoissonRegressor

    for part in (HistGradientBoostingRegressor(loss="poisson"), PoissonRegressor()):
        model = VotingRegressor([("one", part)]).fit(tree_models.NUMBERS, tree_models.POSITIVE)
        with pytest.raises(ModelError, match="it is not the sum that was read"):
            create("interventional-tree").fit(model, tree_models.NUMBERS[:5])


def test_categories_that_one_hot_encoding_has_not_met():
    from sklearn.compose import ColumnTransformer
    from sklearn.ensemble import RandomForestRegressor
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder

    words = tree_models.WORDS
    encoder = OneHotEncoder(handle_unknown="ignore")
    columns = ColumnTransformer([("words", encoder, ["colour", "size"])])
    model = make_pipeline(columns, RandomForestRegressor(5, random_state=0))
    model.fit(words, tree_models.BY_CATEGORY)
    others = words[:6].assign(colour=[*"uvzzwq"], size=[3, 4, 7, 99, 11, 3])
    fitted = create("interventional-tree").fit(model, words[:5])
    explanation = fitted.explain(others)
    sums = explanation.values.sum(axis=1) + explanation.base_value
    np.testing.assert_allclose(sums, model.predict(others), rtol=1e-12)
    assert not explanation.values[:, :2].any()  # the columns that are dropped
    for steps, message in (
        ([("words", OrdinalEncoder(), ["colour"])], "with a OrdinalEncoder is not read"),
        (
            [("one", encoder, ["colour"]), ("other", encoder, ["colour"])],
            "uses a column twice is not read",
        ),
        (
            [("words", OneHotEncoder(min_frequency=40), ["colour"])],
            "joins infrequent categories is not read",
        ),
    ):
        pipeline = make_pipeline(ColumnTransformer(steps), RandomForestRegressor(2))
        with pytest.raises(ModelError, match=message):
            read_trees(pipeline.fit(words, tree_models.BY_CATEGORY))
