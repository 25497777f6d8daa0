"""Linear models of other packages, each value against enumeration of the model's own output."""

import numpy as np
import pandas as pd
import pytest
import xgboost
from sklearn import decomposition, discriminant_analysis, feature_selection, linear_model, svm
from sklearn import preprocessing as scalers
from sklearn.cross_decomposition import PLSRegression
from sklearn.impute import SimpleImputer
from sklearn.model_selection import GridSearchCV
from sklearn.multioutput import MultiOutputRegressor
from sklearn.neural_network import MLPClassifier, MLPRegressor
from sklearn.pipeline import make_pipeline

from shapaudit.explainers import ExplainerError, create
from shapaudit.games import all_coalitions
from shapaudit.models import ModelError
from shapaudit.models.read_linear import read_linear
from shapaudit.truth import shapley_from_table
from tree_models import hybrids

RNG = np.random.default_rng(2)
ROWS = pd.DataFrame(RNG.normal(3.0, 2.0, size=(90, 4)), columns=list("abcd"))
TARGET = (ROWS["a"] - 2.0 * ROWS["b"] + 0.1 * RNG.normal(size=90)).to_numpy()
SECOND, CLASSES = (TARGET > -3.0).astype(int), np.digitize(TARGET, [-5.0, -1.0])
SEVERAL = np.stack([TARGET, 3.0 - TARGET], axis=1)
FEW = {"n_estimators": 5, "booster": "gblinear", "n_jobs": 1, "updater": "coord_descent"}
FLAT = {"activation": "identity", "hidden_layer_sizes": (3, 2), "max_iter": 20, "random_state": 0}


def predicted(model, rows):
    return model.predict(rows)


def decision(model, rows):
    return model.decision_function(rows)


def logarithm(model, rows):
    return np.log(model.predict(rows))


def margin(model, rows):
    return model.predict(rows, output_margin=True)


def odds(model, rows):
    shares = model.predict_proba(rows)
    return np.log(shares[:, 1] / shares[:, 0])


REGRESSIONS = [
    linear_model.LinearRegression(), linear_model.Ridge(), linear_model.RidgeCV(),
    linear_model.Lasso(0.01), linear_model.ElasticNet(0.01), linear_model.SGDRegressor(),
    linear_model.HuberRegressor(max_iter=500), linear_model.BayesianRidge(),
    linear_model.RANSACRegressor(random_state=0), svm.LinearSVR(), svm.SVR(kernel="linear"),
    GridSearchCV(linear_model.Ridge(), {"alpha": [0.1, 1.0]}, cv=2), MLPRegressor(**FLAT),
]  # fmt: skip
CLASSIFIERS = [
    linear_model.LogisticRegression(max_iter=500), linear_model.SGDClassifier(),
    linear_model.RidgeClassifier(), linear_model.Perceptron(), svm.LinearSVC(),
    discriminant_analysis.LinearDiscriminantAnalysis(),
]  # fmt: skip
STEPS = [
    (scalers.StandardScaler(),), (scalers.StandardScaler(with_mean=False),),
    (scalers.StandardScaler(with_std=False), "passthrough"), (scalers.MinMaxScaler((-1, 3)),),
    (scalers.MaxAbsScaler(),), (scalers.RobustScaler(),), (SimpleImputer(),),
    (scalers.StandardScaler(), decomposition.PCA(3)), (decomposition.PCA(2, whiten=True),),
    (decomposition.TruncatedSVD(2),), (feature_selection.SelectKBest(k=2),),
]  # fmt: skip
CASES = {
    **{type(model).__name__: (model, TARGET, predicted, None) for model in REGRESSIONS},
    **{
        f"{type(model).__name__}, {label}": (model, target, decision, output)
        for model in CLASSIFIERS
        for label, target, output in (
            ("two classes", SECOND, None), ("the first", SECOND, 0), ("of three", CLASSES, 1),
        )
    },
    **{
        f"pipeline, {len(steps)}, {steps}": (
            make_pipeline(*steps, linear_model.LinearRegression()), TARGET, predicted, None
        )
        for steps in STEPS
    },
    "pipeline, classes": (
        make_pipeline(scalers.StandardScaler(), linear_model.LogisticRegression()),
        CLASSES, decision, 2,
    ),
    "Poisson": (linear_model.PoissonRegressor(), np.exp(TARGET / 9), logarithm, None),
    "Gamma": (linear_model.GammaRegressor(), np.exp(TARGET / 9), logarithm, None),
    "targets": (linear_model.Ridge(), SEVERAL, predicted, 1),
    "each target": (MultiOutputRegressor(linear_model.Ridge()), SEVERAL, predicted, 1),
    "network, classes": (MLPClassifier(**FLAT), SECOND, odds, None),
    "gblinear": (xgboost.XGBRegressor(**FEW), TARGET, margin, None),
    "gblinear, classes": (xgboost.XGBClassifier(**FEW), CLASSES, margin, 1),
    "gblinear, the first": (xgboost.XGBClassifier(**FEW), SECOND, margin, 0),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
@pytest.mark.filterwarnings("ignore:Stochastic Optimizer", "ignore:Liblinear failed")
def test_values_are_those_of_enumeration(name):
    model, target, raw, output = CASES[name]
    model.fit(ROWS, target)

    def own(rows):
        every = np.asarray(raw(model, rows), dtype=np.float64)
        if every.ndim > 1 and every.shape[1] > 1:
            return every[:, output]
        return (-1.0 if output == 0 else 1.0) * every.reshape(len(rows))

    background, row = ROWS[:4], ROWS[10:11]
    coalitions = all_coalitions(4)
    outputs = own(hybrids(row, background, coalitions)).reshape(len(coalitions), -1)
    params = {} if output is None else {"output": output}
    fitted = create("linear", params).fit(model, background)
    atol = (1e-6 if "gblinear" in name else 1e-10) * np.abs(outputs).max()
    expected = shapley_from_table(outputs.mean(axis=1))
    np.testing.assert_allclose(fitted.explain(row).values[0], expected, atol=atol)
    assert np.abs(expected).max() > 1e-3
    turned = fitted.explain(row[row.columns[::-1]])
    np.testing.assert_array_equal(turned.values, fitted.explain(row.to_numpy()).values)
    read = read_linear(model, output)
    np.testing.assert_allclose(read.predict(ROWS.to_numpy()), own(ROWS), atol=10 * atol)
    assert read.coefficients.shape == (4,)
    assert isinstance(read.intercept, float)
    assert read_linear(read) is read
    other = create("correlated-linear", params | {"covariance": np.eye(4)})
    attributions = other.fit(model, background).explain(row).values[0]
    np.testing.assert_allclose(attributions, expected, atol=atol)


def test_files_of_linear_boosters(tmp_path):
    model = xgboost.XGBRegressor(**FEW).fit(ROWS, TARGET)
    for name in ("model.json", "model.ubj"):
        model.save_model(tmp_path / name)
        read = read_linear(tmp_path / name)
        np.testing.assert_allclose(read.predict(ROWS.to_numpy()), model.predict(ROWS), rtol=1e-5)
        assert read.names == tuple("abcd")
    booster = read_linear(model.get_booster())
    booster.check(ROWS, ROWS.to_numpy())
    booster.check(ROWS.to_numpy(), ROWS.to_numpy())
    with pytest.raises(ModelError, match=r"none\.json does not exist"):
        read_linear(tmp_path / "none.json")
    (tmp_path / "other.json").write_text("{}")
    with pytest.raises(ModelError, match="is no linear booster of XGBoost"):
        read_linear(tmp_path / "other.json")
    trees = xgboost.XGBRegressor(n_estimators=2, n_jobs=1).fit(ROWS, TARGET)
    with pytest.raises(ModelError, match="is a booster 'gbtree', no linear model"):
        read_linear(trees)


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (PLSRegression(2), "gives .* for row .*, but what was read from it gives"),
        (svm.SVC(kernel="linear"), "but what was read from it gives"),
        (svm.SVR(), "SVR is no linear model"),
        (
            linear_model.RANSACRegressor(MLPRegressor(max_iter=2), min_samples=40),
            "has the activations relu",
        ),
        (
            make_pipeline(scalers.PolynomialFeatures(2), linear_model.Ridge()),
            "a Pipeline with a PolynomialFeatures is not read as a linear model",
        ),
        (
            make_pipeline(scalers.MinMaxScaler(clip=True), linear_model.Ridge()),
            "a MinMaxScaler that clips is not affine",
        ),
    ],
)
@pytest.mark.filterwarnings("ignore:Stochastic Optimizer")
def test_what_is_not_linear_is_refused(model, message):
    target = CLASSES if isinstance(model, svm.SVC) else TARGET
    params = {"output": 1} if isinstance(model, svm.SVC) else {}
    with pytest.raises(ModelError, match=message):
        create("linear", params).fit(model.fit(ROWS, target), ROWS[:5])


def test_outputs_must_be_chosen():
    model = linear_model.LogisticRegression(max_iter=500).fit(ROWS, CLASSES)
    with pytest.raises(ModelError, match="LogisticRegression has 3 outputs; say which"):
        read_linear(model)
    with pytest.raises(ModelError, match="has outputs 0 to 2, not 3"):
        read_linear(model, 3)


def test_texts_and_nothing_are_no_numbers():
    model = linear_model.LinearRegression().fit(ROWS, TARGET)
    words = ROWS.assign(c="blue")
    with pytest.raises(ExplainerError, match="background must be rows of numbers: column 'c'"):
        create("linear").fit(model, words)
    with pytest.raises(ExplainerError, match="linear: the background is None; give some rows"):
        create("linear").fit(model, None)


@pytest.mark.parametrize("head", ["regression", "two classes", "three classes"])
@pytest.mark.filterwarnings("ignore:Stochastic Optimizer")
def test_networks_of_scikit_learn_are_checked(head):
    settings = {"hidden_layer_sizes": (5,), "max_iter": 20, "random_state": 0}
    if head == "regression":
        model, output = MLPRegressor(**settings).fit(ROWS, TARGET), None
    else:
        target = SECOND if head == "two classes" else CLASSES
        model, output = MLPClassifier(**settings).fit(ROWS, target), None
        output = None if head == "two classes" else 1
    params = {} if output is None else {"output": output}
    fitted = create("deep-shap", params).fit(model, ROWS[:6])
    turned = fitted.explain(ROWS[ROWS.columns[::-1]][7:9])
    np.testing.assert_array_equal(turned.values, fitted.explain(ROWS[7:9].to_numpy()).values)
    model.coefs_[0] = 1.5 * model.coefs_[0]  # what was read is no longer the model
    with pytest.raises(ModelError, match=rf"this {type(model).__name__} gives"):
        fitted.explain(ROWS[7:9])
