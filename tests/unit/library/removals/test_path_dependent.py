"""The path-dependent removal reads the trees of other packages, as the explainers do."""

import numpy as np
import pytest
import xgboost

import tree_models
from shapaudit import Explainer, explainers
from shapaudit.datasets.mixed import TableError
from shapaudit.games import all_coalitions, tabulate
from shapaudit.removals import RemovalError, create, load_removal
from shapaudit.truth import shapley_from_table
from tree_models import CASES, NUMBERS, TARGET, own_output

READ = [
    *(f"XGBoost {name}" for name in ("regression", "missing=-999", "missing=0", "dart", "forest")),
    *("XGBoost count:poisson", "XGBoost binary:logistic", "LightGBM regression"),
    *("LightGBM two classes", "LightGBM zero as missing", "CatBoost regression"),
    *(f"scikit-learn {name}" for name in ("tree", "forest", "boosting", "histograms")),
    *(f"scikit-learn {name}" for name in ("histograms, poisson", "voting", "stacking", "bagging")),
    "scikit-learn isolation forest",
]


def rows_of(case):
    """Rows of the case without gaps."""
    return NUMBERS if case.rows.isna().any(axis=None) else case.rows


def played(model, data, row, weights="file"):
    """Values (2^d,) of the game of a row."""
    removal = create("path-dependent", {"weights": weights})
    fitted = removal.fit(model, data, np.random.default_rng(0))
    assert fitted.fit_rows == 0
    return tabulate(fitted.game(row, np.random.default_rng(1))).values


@pytest.mark.parametrize("name", READ)
@pytest.mark.filterwarnings("ignore:Parameters:UserWarning")
def test_values_are_those_of_the_explainer_and_sum_to_the_models_own_output(name):
    case = CASES[name]()
    rows = rows_of(case)
    outputs = own_output(case, rows)
    tolerance = (2e-6 if name.startswith("XGBoost") else 1e-12) * np.abs(outputs).max()
    for weights in ("file", "rows"):
        explainer = explainers.create("path-dependent-tree", {"weights": weights})
        expected = explainer.fit(case.model, rows).explain(rows[30:32]).values
        for k in range(2):
            table = played(case.model, rows, rows.iloc[[30 + k]], weights)
            assert table[-1] == pytest.approx(outputs[30 + k], abs=tolerance)
            np.testing.assert_allclose(shapley_from_table(table), expected[k], atol=1e-12)
            assert np.ptp(table) > 0


def test_values_are_the_contributions_of_the_packages_themselves():
    case = CASES["XGBoost missing=0"]()
    row, columns = case.rows.iloc[[9]], case.rows.to_numpy()
    data = xgboost.DMatrix(row, missing=0.0)
    theirs = case.model.get_booster().predict(data, pred_contribs=True)[0]
    for given in (case.rows, columns):
        table = played(case.model, given, row if given is case.rows else columns[9])
        np.testing.assert_allclose(shapley_from_table(table), theirs[:-1], atol=1e-5)
        assert table[0] == pytest.approx(theirs[-1], abs=1e-5)
    case = CASES["LightGBM regression"]()
    row = case.rows.iloc[[9]]
    theirs = case.model.predict(row, pred_contrib=True)[0]
    table = played(case.model, case.rows, row)
    np.testing.assert_allclose(shapley_from_table(table), theirs[:-1], atol=1e-12)


@pytest.mark.parametrize(
    "name", ["XGBoost missing=-999", "LightGBM zero as missing", "scikit-learn histograms"]
)
def test_what_is_saved_needs_no_model(name, tmp_path):
    case = CASES[name]()
    rows = rows_of(case).to_numpy()
    fitted = create("path-dependent").fit(case.model, rows, np.random.default_rng(0))
    fitted.save(tmp_path)
    coalitions, rng = all_coalitions(4), np.random.default_rng(1)
    again = load_removal(tmp_path, None)
    for row in rows[:3]:
        np.testing.assert_array_equal(
            again.game(row, rng)(coalitions), fitted.game(row, rng)(coalitions)
        )


class Doubled(xgboost.XGBRegressor):
    """A booster that predicts something else than the sum of its trees."""

    def predict(self, rows, **settings):
        return 2.0 * super().predict(rows, **settings)


@pytest.mark.parametrize(
    ("model", "data", "message"),
    [
        (CASES["LightGBM linear leaves"], NUMBERS, "has linear functions at its leaves; take"),
        (CASES["scikit-learn pipeline"], NUMBERS, "changes its features before its trees"),
        (CASES["XGBoost regression"], NUMBERS[[*"bacd"]], "features are 'a', 'b', 'c', 'd', in"),
        (CASES["XGBoost classes, one_output_per_tree"], NUMBERS, "has 3 outputs; say which"),
    ],
)
def test_models_that_are_not_read(model, data, message):
    with pytest.raises(RemovalError, match=f"^path-dependent: .*{message}"):
        played(model().model, data, data.iloc[[0]])


def test_a_model_that_is_not_the_sum_of_its_trees_is_refused():
    model = Doubled(n_estimators=3).fit(NUMBERS, TARGET)
    few = NUMBERS[[*"abc"]].to_numpy()
    with pytest.raises(RemovalError, match=r"has 4 features, and the training rows have 3\."):
        played(model, few, few[0])
    with pytest.raises(RemovalError, match="it is not the sum that was read"):
        played(model, NUMBERS, NUMBERS.iloc[[0]])


def test_rows_of_a_table_are_explained():
    case = CASES["scikit-learn forest, class"]()
    found = Explainer(case.model, NUMBERS, output=1, removal="path-dependent")(NUMBERS[:3])
    chosen = {"weights": "rows", "output": 1}
    explainer = explainers.create("path-dependent-tree", chosen).fit(case.model, NUMBERS)
    np.testing.assert_allclose(found.values, explainer.explain(NUMBERS[:3]).values, atol=1e-12)
    model = xgboost.XGBClassifier(n_estimators=5).fit(NUMBERS, tree_models.SECOND)
    with pytest.raises(TableError, match="it is not the sum that was read"):
        Explainer(model, NUMBERS, removal="path-dependent")(NUMBERS[:1])
    found = Explainer(model, NUMBERS, removal="path-dependent", raw=True)(NUMBERS[:1])
    margin = model.predict(NUMBERS[:1], output_margin=True)
    np.testing.assert_allclose(found.values.sum(axis=1) + found.base_values, margin, rtol=1e-5)
