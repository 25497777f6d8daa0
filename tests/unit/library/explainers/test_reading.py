"""Names of columns: those of the model, of the background, of a data set, and of explained rows."""

import lightgbm
import numpy as np
import pandas as pd
import pytest
import xgboost
from sklearn.ensemble import RandomForestRegressor
from sklearn.linear_model import LinearRegression

from shapaudit.datasets import Dataset
from shapaudit.explainers import ExplainerError, create, load, save

NAMES = ["age", "body mass", "c", "d"]
ROWS = pd.DataFrame(np.random.default_rng(0).normal(size=(60, 4)), columns=NAMES)
TARGET = (ROWS["age"] * ROWS["body mass"] + ROWS["c"]).to_numpy()
TURNED = ROWS[NAMES[::-1]]

FITTED = {
    "interventional-tree": [
        lambda: RandomForestRegressor(4, random_state=0).fit(ROWS, TARGET),
        lambda: xgboost.XGBRegressor(n_estimators=4, n_jobs=1).fit(ROWS, TARGET),
        lambda: lightgbm.LGBMRegressor(n_estimators=4, n_jobs=1, verbose=-1).fit(ROWS, TARGET),
    ],
    "path-dependent-tree": [
        lambda: xgboost.XGBRegressor(n_estimators=4, n_jobs=1).fit(ROWS, TARGET).get_booster(),
    ],
    "linear": [lambda: LinearRegression().fit(ROWS, TARGET)],
}
CASES = [(name, make) for name, made in FITTED.items() for make in made]


@pytest.mark.parametrize(("name", "make"), CASES)
def test_a_background_in_another_order_is_that_of_the_model(name, make, tmp_path):
    model = make()
    expected = create(name).fit(model, ROWS[:9]).explain(ROWS[9:12])
    fitted = create(name).fit(model, TURNED[:9])
    np.testing.assert_array_equal(fitted.explain(TURNED[9:12]).values, expected.values)
    np.testing.assert_array_equal(fitted.explain(ROWS[9:12].to_numpy()).values, expected.values)
    assert fitted.explain(ROWS[:1]).base_value == expected.base_value
    save(fitted, tmp_path)
    again = load(tmp_path)
    np.testing.assert_array_equal(again.explain(TURNED[9:12]).values, expected.values)
    with pytest.raises(ExplainerError, match="lack the column 'c'"):
        again.explain(ROWS.drop(columns="c"))


@pytest.mark.parametrize(("name", "make"), CASES)
def test_a_background_without_names_has_those_of_the_model(name, make):
    fitted = create(name).fit(make(), ROWS[:9].to_numpy())
    assert [column.replace("_", " ") for column in fitted.background.names] == NAMES
    expected = fitted.explain(ROWS[9:12].to_numpy()).values
    np.testing.assert_array_equal(fitted.explain(TURNED[9:12]).values, expected)


@pytest.mark.parametrize(("name", "make"), CASES)
def test_a_background_of_other_columns_is_refused(name, make):
    model = make()
    with pytest.raises(ExplainerError, match="background lack the column 'd' and have 'e'"):
        create(name).fit(model, ROWS.rename(columns={"d": "e"}))
    split = {"train": np.arange(40), "test": np.arange(40, 60)}
    for names, message in ((NAMES[::-1], None), ([*"pqrs"], "lack the column 'age', ")):
        data = Dataset("own", TURNED.to_numpy(), None, tuple(names), split, "made")
        if message is None:
            fitted = create(name).fit(model, data)
            expected = create(name).fit(model, ROWS[:40])
            np.testing.assert_array_equal(
                fitted.explain(ROWS[:3]).values, expected.explain(ROWS[:3]).values
            )
        else:
            with pytest.raises(ExplainerError, match=message):
                create(name).fit(model, data)


def test_tables_of_other_kinds_of_numbers():
    """Integers, true and false, and nullable numbers with missing ones."""
    model = xgboost.XGBRegressor(n_estimators=4, n_jobs=1)
    table = pd.DataFrame(
        {
            "i": pd.array([1, 2, None, 4, 5, 6] * 10, dtype="Int64"),
            "f": pd.array([0.5, None, 1.5, 2.5, 3.5, 4.5] * 10, dtype="Float64"),
            "b": pd.array([True, False, None, True, False, True] * 10, dtype="boolean"),
            "n": np.arange(60),
        }
    )
    model.fit(table, TARGET)
    fitted = create("interventional-tree").fit(model, table[:6])
    explanation = fitted.explain(table[6:9])
    sums = explanation.values.sum(axis=1) + explanation.base_value
    np.testing.assert_allclose(sums, model.predict(table[6:9]), rtol=1e-5)
    with pytest.raises(
        ExplainerError, match=r"column 'n' holds .*, and the model takes it for num"
    ):
        fitted.explain(table.assign(n="many"))


def test_columns_named_by_integers_are_found_too():
    rows = pd.DataFrame(ROWS.to_numpy(), columns=[2, 0, 1, 3])
    fitted = create("linear").fit(LinearRegression().fit(rows.to_numpy(), TARGET), rows)
    turned = rows[[3, 2, 1, 0]]
    np.testing.assert_array_equal(fitted.explain(turned).values, fitted.explain(rows).values)
