"""Models of trees of other packages, each with its own raw output, for a table of mixed columns."""

from collections.abc import Callable
from typing import Any, NamedTuple

import catboost
import lightgbm
import numpy as np
import pandas as pd
import xgboost
from sklearn import ensemble, tree
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.linear_model import Lasso, LinearRegression, PoissonRegressor, Ridge, RidgeClassifier
from sklearn.model_selection import GridSearchCV
from sklearn.multioutput import MultiOutputRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

N = 160
RNG = np.random.default_rng(5)
NUMBERS = pd.DataFrame(RNG.normal(size=(N, 4)), columns=list("abcd"))
TARGET = (NUMBERS["a"] * NUMBERS["b"] + NUMBERS["c"]).to_numpy()
POSITIVE, SECOND = np.exp(TARGET / 2), (TARGET > 0).astype(int)
CLASSES = np.digitize(TARGET, [-0.5, 0.5])
SEVERAL = np.stack([TARGET, 1.0 - 2.0 * TARGET], axis=1)
HOLES = NUMBERS.mask(RNG.random((N, 4)) < 0.2)
MARKED = HOLES.fillna(-999.0)
ROUNDED = NUMBERS.round()  # many zeros
MIXED = NUMBERS[["a", "b"]].assign(
    colour=pd.Categorical(RNG.choice([*"uvwxy"], N)), size=pd.Categorical(RNG.choice([3, 7, 11], N))
)
EFFECT = 2.0 * MIXED["colour"].isin(["u", "x"]) - (MIXED["size"] == 7)
BY_CATEGORY = (TARGET + EFFECT * (1.0 + MIXED["a"])).to_numpy()
GAPS = MIXED.mask(RNG.random((N, 4)) < 0.15)

WORDS = MIXED.assign(colour=MIXED["colour"].astype(object), size=MIXED["size"].astype(int))
LOST = WORDS.astype({"size": float}).mask(RNG.random((N, 4)) < 0.15)
# What two categories do together, beside numbers with gaps.
TOGETHER = WORDS.assign(a=HOLES["a"])
IN_PAIRS = (EFFECT * (1.0 + MIXED["b"]) + 2.0 * (MIXED["colour"] == "v") * (MIXED["size"] == 3)
            + TARGET / 4).to_numpy()  # fmt: skip
DENSE = {"sparse_output": False}
TRANSFORMER = ColumnTransformer(
    [("numbers", StandardScaler(), ["b"]), ("words", OneHotEncoder(**DENSE), ["size", "colour"])],
    remainder="passthrough",
)
DROPPED = ColumnTransformer(
    [("words", OneHotEncoder(drop="first"), ["colour"]), ("numbers", "passthrough", ["a"])]
)

Raw = Callable[[Any, pd.DataFrame], np.ndarray]


class Case(NamedTuple):
    """A fitted model, rows that it takes, and the output that is explained."""

    model: Any
    rows: pd.DataFrame
    raw: Raw
    output: int | None = None


def margin(model: Any, rows: pd.DataFrame) -> np.ndarray:
    """XGBoost's estimators."""
    return model.predict(rows, output_margin=True)


def of_booster(model: Any, rows: pd.DataFrame) -> np.ndarray:
    """XGBoost's boosters, with all trees."""
    return model.predict(xgboost.DMatrix(rows, enable_categorical=True), output_margin=True)


def raw_score(model: Any, rows: pd.DataFrame) -> np.ndarray:
    """LightGBM."""
    return model.predict(rows, raw_score=True)


def formula(model: Any, rows: pd.DataFrame) -> np.ndarray:
    """CatBoost."""
    return model.predict(rows, prediction_type="RawFormulaVal")


def predicted(model: Any, rows: pd.DataFrame) -> np.ndarray:
    """Regressions."""
    return model.predict(rows)


def shares(model: Any, rows: pd.DataFrame) -> np.ndarray:
    """Classifiers that average."""
    return model.predict_proba(rows)


def logarithm(model: Any, rows: pd.DataFrame) -> np.ndarray:
    """Regressions of positive targets, with a logarithmic link."""
    return np.log(model.predict(rows))


def decision(model: Any, rows: pd.DataFrame) -> np.ndarray:
    """Classifiers that add scores."""
    return model.decision_function(rows)


def anomaly(model: Any, rows: pd.DataFrame) -> np.ndarray:
    """Isolation forests: the logarithm of what they call the opposite of the anomaly score."""
    return np.log2(-model.score_samples(rows))


FEW = {"n_estimators": 6, "random_state": 0}


def _xgboost() -> dict[str, Callable[[], Case]]:
    few = {"n_estimators": 6, "max_depth": 3, "n_jobs": 1}

    def of(kind: str, rows: pd.DataFrame, target: np.ndarray, output: Any = None, **more: Any):
        return lambda: Case(
            getattr(xgboost, kind)(**few | more).fit(rows, target), rows, margin, output
        )

    def ranker() -> Case:
        groups = np.repeat(np.arange(N // 10), 10)
        model = xgboost.XGBRanker(**few).fit(NUMBERS, SECOND, qid=groups)
        return Case(model, NUMBERS, margin)

    def stopped() -> Any:
        model = xgboost.XGBRegressor(**few | {"n_estimators": 60}, early_stopping_rounds=2)
        return model.fit(NUMBERS[:80], TARGET[:80], eval_set=[(NUMBERS[80:], TARGET[80:])],
                         verbose=False)  # fmt: skip

    cases = {
        "regression": of("XGBRegressor", NUMBERS, TARGET),
        "missing": of("XGBRegressor", HOLES, TARGET),
        "missing=-999": of("XGBRegressor", MARKED, TARGET, missing=-999.0),
        "missing=0": of("XGBRegressor", ROUNDED, TARGET, missing=0.0),
        "dart": of("XGBRegressor", NUMBERS, TARGET, booster="dart", rate_drop=0.8, one_drop=1),
        "forest": of("XGBRFRegressor", NUMBERS, TARGET),
        "ranker": ranker,
        "first class": of("XGBClassifier", NUMBERS, SECOND, 0),
        "quantiles": of(
            "XGBRegressor", NUMBERS, TARGET, 2,
            objective="reg:quantileerror", quantile_alpha=[0.1, 0.5, 0.9],
        ),
        "early stopping": lambda: Case(stopped(), NUMBERS, margin),
        "early stopping, booster": lambda: Case(stopped().get_booster(), NUMBERS, of_booster),
    }  # fmt: skip
    for objective in (
        "reg:absoluteerror", "reg:pseudohubererror", "reg:squaredlogerror", "count:poisson",
        "reg:gamma", "reg:tweedie", "survival:cox",
    ):  # fmt: skip
        cases[objective] = of("XGBRegressor", NUMBERS, POSITIVE, objective=objective)
    for objective in ("reg:logistic", "binary:logistic", "binary:logitraw", "binary:hinge"):
        cases[objective] = of("XGBRegressor", NUMBERS, SECOND, objective=objective)
    for strategy in ("one_output_per_tree", "multi_output_tree"):
        more = {"multi_strategy": strategy, "tree_method": "hist"}
        cases[f"classes, {strategy}"] = of("XGBClassifier", NUMBERS, CLASSES, 1, **more)
        cases[f"targets, {strategy}"] = of("XGBRegressor", NUMBERS, SEVERAL, 1, **more)
    for name, rows in (("categories", MIXED), ("categories, missing", GAPS)):
        for most in (1, 9):
            more = {"enable_categorical": True, "max_cat_to_onehot": most}
            cases[f"{name}, {most}"] = of("XGBRegressor", rows, BY_CATEGORY, **more)
    return {f"XGBoost {name}": case for name, case in cases.items()}


def _lightgbm() -> dict[str, Callable[[], Case]]:
    few = {"n_estimators": 6, "min_child_samples": 5, "min_data_per_group": 5, "cat_smooth": 1.0}
    few |= {"n_jobs": 1, "verbose": -1}

    def of(kind: str, rows: pd.DataFrame, target: np.ndarray, output: Any = None, **more: Any):
        return lambda: Case(
            getattr(lightgbm, kind)(**few | more).fit(rows, target), rows, raw_score, output
        )

    cases = {
        "regression": of("LGBMRegressor", NUMBERS, TARGET),
        "missing": of("LGBMRegressor", HOLES, TARGET),
        "zero as missing": of("LGBMRegressor", ROUNDED, TARGET, zero_as_missing=True),
        "poisson": of("LGBMRegressor", NUMBERS, POSITIVE, objective="poisson"),
        "dart": of("LGBMRegressor", NUMBERS, TARGET, boosting_type="dart", drop_rate=0.8),
        "two classes": of("LGBMClassifier", NUMBERS, SECOND),
        "first class": of("LGBMClassifier", NUMBERS, SECOND, 0),
        "classes": of("LGBMClassifier", NUMBERS, CLASSES, 2),
    }
    for name, kind, rows, target, output, more in (
        ("linear leaves", "LGBMRegressor", NUMBERS, TARGET, None, {}),
        ("linear leaves, missing", "LGBMRegressor", HOLES, TARGET, None, {"boosting_type": "dart"}),
        ("linear leaves, class", "LGBMClassifier", HOLES, CLASSES, 2, {}),
        ("linear leaves, first class", "LGBMClassifier", HOLES, SECOND, 0, {}),
        ("linear leaves, categories", "LGBMRegressor", GAPS, BY_CATEGORY, None, {}),
    ):  # fmt: skip
        cases[name] = of(kind, rows, target, output, linear_tree=True, **more)
    for name, rows in (("categories", MIXED), ("categories, missing", GAPS)):
        for most in (1, 9):
            cases[f"{name}, {most}"] = of(
                "LGBMRegressor", rows, BY_CATEGORY, max_cat_to_onehot=most
            )
    return {f"LightGBM {name}": case for name, case in cases.items()}


def _catboost() -> dict[str, Callable[[], Case]]:
    few = {"iterations": 6, "depth": 3, "verbose": 0, "thread_count": 1}
    few |= {"allow_writing_files": False, "random_seed": 0}

    def of(kind: str, rows: pd.DataFrame, target: np.ndarray, output: Any = None, **more: Any):
        return lambda: Case(
            getattr(catboost, kind)(**few | more).fit(rows, target), rows, formula, output
        )

    cases = {
        "regression": of("CatBoostRegressor", NUMBERS, TARGET),
        "missing": of("CatBoostRegressor", HOLES, TARGET),
        "missing as largest": of("CatBoostRegressor", HOLES, TARGET, nan_mode="Max"),
        "lossguide": of("CatBoostRegressor", HOLES, TARGET, grow_policy="Lossguide"),
        "depthwise": of("CatBoostRegressor", NUMBERS, TARGET, grow_policy="Depthwise"),
        "poisson": of("CatBoostRegressor", NUMBERS, POSITIVE, loss_function="Poisson"),
        "first class": of("CatBoostClassifier", NUMBERS, SECOND, 0),
        "classes": of("CatBoostClassifier", NUMBERS, CLASSES, 2),
        "targets": of("CatBoostRegressor", NUMBERS, SEVERAL, 1, loss_function="MultiRMSE"),
    }
    by_category = {"cat_features": ["colour", "size"], "iterations": 12, "random_strength": 0}
    combined = by_category | {"depth": 5, "max_ctr_complexity": 3, "model_size_reg": 0}
    kinds = ["Borders:TargetBorderCount=2", "BinarizedTargetMeanValue", "Counter"]
    means = {"simple_ctr": kinds, "combinations_ctr": kinds}
    for policy in ("SymmetricTree", "Lossguide"):
        for name, more in (
            ("categories, one-hot", by_category | {"one_hot_max_size": 9}),
            ("categories", by_category | {"max_ctr_complexity": 1}),
            ("categories, combined", combined | means),
        ):
            cases[f"{name}, {policy}"] = of(
                "CatBoostRegressor", TOGETHER, IN_PAIRS, grow_policy=policy, **more
            )
    cases["categories, combined, class"] = of(
        "CatBoostClassifier",
        TOGETHER,
        (IN_PAIRS > 0).astype(int),
        0,
        **combined,
        simple_ctr=["Buckets"],
        combinations_ctr=["Buckets"],
    )
    return {f"CatBoost {name}": case for name, case in cases.items()}


def _scikit_learn() -> dict[str, Callable[[], Case]]:
    def of(model: Any, rows: pd.DataFrame, target: Any, raw: Raw, output: Any = None):
        return lambda: Case(model.fit(rows, target), rows, raw, output)

    forest, extra = ensemble.RandomForestRegressor(**FEW), ensemble.ExtraTreesRegressor(**FEW)
    shallow = tree.DecisionTreeClassifier(max_depth=2, random_state=0)
    histograms = ensemble.HistGradientBoostingRegressor(max_iter=6, min_samples_leaf=5)
    by_category = ensemble.HistGradientBoostingRegressor(
        max_iter=8, min_samples_leaf=5, categorical_features="from_dtype"
    )
    small = lightgbm.LGBMRegressor(n_estimators=4, n_jobs=1, verbose=-1)
    members = [("forest", forest), ("histograms", histograms), ("lightgbm", small)]
    classifiers = [
        ("forest", ensemble.RandomForestClassifier(**FEW)), ("tree", shallow),
    ]  # fmt: skip
    scored = [
        ("boosting", ensemble.GradientBoostingClassifier(**FEW)),
        ("histograms", ensemble.HistGradientBoostingClassifier(max_iter=6)),
    ]
    linear = make_pipeline(StandardScaler(), Ridge())
    leaves = lightgbm.LGBMRegressor(n_estimators=4, linear_tree=True, n_jobs=1, verbose=-1)
    mixed = [("forest", forest), ("linear", linear), ("none", "drop"), ("leaves", leaves)]
    return {
        "tree": of(tree.DecisionTreeRegressor(max_depth=4), NUMBERS, TARGET, predicted),
        "forest": of(forest, NUMBERS, TARGET, predicted),
        "forest, missing": of(forest, HOLES, TARGET, predicted),
        "forest, targets": of(forest, NUMBERS, SEVERAL, predicted, 1),
        "forest, class": of(
            ensemble.RandomForestClassifier(**FEW), NUMBERS, CLASSES, shares, 1),
        "extra trees": of(extra, NUMBERS, TARGET, predicted),
        "boosting": of(ensemble.GradientBoostingRegressor(**FEW), NUMBERS, TARGET, predicted),
        "boosting, class": of(
            ensemble.GradientBoostingClassifier(**FEW), NUMBERS, CLASSES, decision, 1),
        "histograms": of(histograms, HOLES, TARGET, predicted),
        **{
            f"histograms, {loss}": of(
                clone(histograms).set_params(loss=loss, **more), HOLES, POSITIVE, raw)
            for loss, raw, more in (
                ("poisson", logarithm, {}), ("gamma", logarithm, {}),
                ("absolute_error", predicted, {}), ("quantile", predicted, {"quantile": 0.8}),
            )
        },
        "histograms, class": of(
            ensemble.HistGradientBoostingClassifier(max_iter=6), NUMBERS, SECOND, decision, 0),
        "histograms, categories": of(by_category, MIXED, BY_CATEGORY, predicted),
        "histograms, categories, missing": of(by_category, GAPS, BY_CATEGORY, predicted),
        "AdaBoost, two classes": of(
            ensemble.AdaBoostClassifier(shallow, **FEW), NUMBERS, SECOND, decision),
        "AdaBoost, classes": of(
            ensemble.AdaBoostClassifier(shallow, **FEW), NUMBERS, CLASSES, decision, 2),
        "isolation forest": of(
            ensemble.IsolationForest(max_samples=40, **FEW), NUMBERS, None, anomaly),
        "isolation forest, some features": of(
            ensemble.IsolationForest(max_features=0.5, **FEW), NUMBERS, None, anomaly),
        "bagging": of(
            ensemble.BaggingRegressor(max_features=0.5, **FEW), NUMBERS, TARGET, predicted),
        "bagging, class": of(
            ensemble.BaggingClassifier(max_samples=6, **FEW), NUMBERS, CLASSES, shares, 1),
        "voting": of(
            ensemble.VotingRegressor(members, weights=[1, 2, 3]), NUMBERS, TARGET, predicted),
        "voting, class": of(
            ensemble.VotingClassifier(classifiers, voting="soft"), NUMBERS, CLASSES, shares, 1),
        "stacking": of(ensemble.StackingRegressor(members), NUMBERS, TARGET, predicted),
        "stacking, two classes": of(
            ensemble.StackingClassifier(classifiers), NUMBERS, SECOND, decision),
        "stacking, first class, scores": of(
            ensemble.StackingClassifier(scored, stack_method="decision_function"),
            NUMBERS, SECOND, decision, 0),
        "stacking, classes": of(
            ensemble.StackingClassifier(classifiers), NUMBERS, CLASSES, decision, 2),
        "stacking, classes, scores": of(
            ensemble.StackingClassifier(scored, stack_method="decision_function"),
            NUMBERS, CLASSES, decision, 1),
        "voting, linear models": of(
            ensemble.VotingRegressor([("one", Ridge()), ("two", Lasso(0.01))]),
            NUMBERS, TARGET, predicted),
        "bagging, linear models": of(
            ensemble.BaggingRegressor(Ridge(), max_features=0.5, **FEW),
            NUMBERS, TARGET, predicted),
        "stacking, linear models too": of(
            ensemble.StackingRegressor(mixed, LinearRegression()), NUMBERS, TARGET, predicted),
        "stacking, scaled": of(
            ensemble.StackingRegressor(mixed, clone(linear)), NUMBERS, TARGET, predicted),
        "stacking, Poisson": of(
            ensemble.StackingRegressor(mixed, PoissonRegressor()), NUMBERS, POSITIVE, logarithm),
        "stacking, classes, linear models too": of(
            ensemble.StackingClassifier(
                [*scored, ("linear", RidgeClassifier())], stack_method="decision_function"),
            NUMBERS, CLASSES, decision, 2),
        "pipeline": of(make_pipeline(StandardScaler(), forest), NUMBERS, TARGET, predicted),
        **{
            f"pipeline, columns, {type(last).__name__}": of(
                make_pipeline(clone(TRANSFORMER), last), WORDS, BY_CATEGORY, predicted)
            for last in (forest, histograms, small)
        },
        "pipeline, columns, missing": of(
            make_pipeline(clone(TRANSFORMER), forest), LOST, BY_CATEGORY, predicted),
        "pipeline, columns, dropped": of(
            make_pipeline(DROPPED, extra), WORDS, BY_CATEGORY, predicted),
        "search": of(
            GridSearchCV(forest, {"max_depth": [2, 4]}, cv=2), NUMBERS, TARGET, predicted),
        "targets": of(MultiOutputRegressor(histograms), NUMBERS, SEVERAL, predicted, 1),
    }  # fmt: skip


CASES: dict[str, Callable[[], Case]] = {
    **_xgboost(),
    **_lightgbm(),
    **_catboost(),
    **{f"scikit-learn {name}": case for name, case in _scikit_learn().items()},
}


def own_output(case: Case, rows: pd.DataFrame) -> np.ndarray:
    """The model's raw output (m,) that is explained; of the first of two classes, the negative."""
    every = np.asarray(case.raw(case.model, rows), dtype=np.float64)
    if every.ndim > 1:
        return every[:, case.output or 0]
    return -every if case.output == 0 else every


def hybrids(row: pd.DataFrame, background: pd.DataFrame, present: np.ndarray) -> pd.DataFrame:
    """The rows of a background for each coalition (m, d), present columns taken from the row."""
    taken = pd.concat([background] * len(present), ignore_index=True)
    for j, name in enumerate(row.columns):
        own = np.repeat(present[:, j], len(background))
        values = taken[name].to_numpy(dtype=object).copy()
        values[own] = row[name].iloc[0]
        taken[name] = pd.Series(values).astype(row.dtypes[name])
    return taken
