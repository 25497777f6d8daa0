"""The front door: values against enumeration, whatever the rows and the model."""

from math import factorial

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.ensemble import RandomForestClassifier

from explained_models import MIXED, NUMBERS, rent, smooth
from shapaudit import Explainer
from shapaudit.datasets.mixed import TableError
from shapaudit.games.base import all_coalitions


def by_definition(model, row, background, players):
    """Shapley values of the marginal game by the definition, from a table of all coalitions."""
    d = len(players)
    values = {}
    for coalition in all_coalitions(d):
        hybrid = background.copy()
        for player, columns in enumerate(players):
            for column in columns if coalition[player] else ():
                hybrid[column] = row[column].iloc[0]
        hybrid = hybrid.astype(background.dtypes.to_dict())
        values[tuple(coalition)] = np.mean(model(hybrid), axis=0)
    shares = []
    for player in range(d):
        share = 0.0
        for coalition, value in values.items():
            if not coalition[player]:
                k = sum(coalition)
                joined = (*coalition[:player], True, *coalition[player + 1 :])
                weight = factorial(k) * factorial(d - k - 1) / factorial(d)
                share = share + weight * (values[joined] - value)
        shares.append(share)
    return np.array(shares)


def in_hundreds(rows):
    """A function that changes the table that it is given: a column, and which there are."""
    rows["a"] = rows["a"] / 100.0
    rows["product"] = rows["a"] * rows.pop("b")
    return rows["product"].to_numpy() + rows["c"].to_numpy()


def hundreds_of_arrays(rows):
    """The same function of an array, which it changes too."""
    rows[:, 0] /= 100.0
    return rows[:, 0] * rows[:, 1] + rows[:, 2]


def test_values_of_a_mixed_table_are_those_of_the_definition():
    explanation = Explainer(rent, MIXED[4:])(MIXED[:3])
    players = [[name] for name in MIXED]
    expected = [by_definition(rent, MIXED[k : k + 1], MIXED[4:], players) for k in range(3)]
    np.testing.assert_allclose(explanation.values, expected, rtol=1e-10, atol=1e-9)
    assert explanation.feature_names == tuple(MIXED)
    assert explanation.method == "enumeration"
    assert explanation.exact
    assert explanation.evaluations.tolist() == [16] * 3
    np.testing.assert_allclose(explanation.predictions, rent(MIXED[:3]))
    np.testing.assert_allclose(explanation.base_values, rent(MIXED[4:]).mean())
    pd.testing.assert_frame_equal(explanation.data, MIXED[:3])


@pytest.mark.parametrize("dtype", ["int64", "uint8"])
def test_rows_with_fractions_are_not_cut_to_the_whole_numbers_of_the_background(dtype):
    background = np.array([[0, 1, 0], [1, 0, 1]], dtype=dtype)
    rows = np.array([[300.5, -1.5, 0.25]])
    explanation = Explainer(lambda rows: rows[:, 0] * rows[:, 1] + rows[:, 2], background)(rows)
    np.testing.assert_allclose(explanation.predictions, 300.5 * -1.5 + 0.25)


def test_booleans_given_as_numbers_have_the_type_of_the_background():
    seen = set()

    def model(rows):
        seen.update(map(str, rows.dtypes))
        return rows["size"].to_numpy() * rows["old"].to_numpy()

    table = MIXED[["size", "old"]]
    expected = Explainer(model, table[4:])(table[:2])
    numbered = Explainer(model, table[4:])(table[:2].assign(old=table["old"].astype(int)))
    np.testing.assert_array_equal(numbered.values, expected.values)
    assert seen == {"float64", "bool"}
    with pytest.raises(TableError, match="column 'old' holds float64, in the background bool"):
        Explainer(model, table[4:])(table[:2].assign(old=0.5))


def test_a_function_finds_its_columns_by_the_names_that_they_were_given():
    numbered = NUMBERS[["a", "b", "c"]].set_axis([0, 1, 2], axis=1)
    levels = numbered.set_axis(pd.MultiIndex.from_tuples([(0, "x"), (0, "y"), (1, "x")]), axis=1)
    first = Explainer(lambda rows: rows[0] * rows[1], numbered[10:])(numbered[:2])
    second = Explainer(lambda rows: rows[0]["x"] * rows[(0, "y")], levels[10:])(levels[:2])
    np.testing.assert_allclose(first.predictions, numbered[0][:2] * numbered[1][:2])
    np.testing.assert_array_equal(second.values, first.values)
    assert first.feature_names == ("0", "1", "2")
    assert second.feature_names == ("0 x", "0 y", "1 x")


def test_rows_of_looser_types_have_those_of_the_background():
    explainer = Explainer(rent, MIXED[4:])
    expected = explainer(MIXED[:2])
    for rows in (MIXED[:2].astype(object), MIXED[:2].to_numpy(), MIXED[:2].convert_dtypes()):
        explanation = explainer(rows)
        np.testing.assert_allclose(explanation.values, expected.values, rtol=1e-12)
        assert explanation.data["size"].dtype == np.float64
    first = MIXED.iloc[0].to_frame().T
    np.testing.assert_allclose(explainer(first).values, expected.values[:1], rtol=1e-12)


def test_entries_that_are_masked_are_missing():
    masked = np.ma.masked_array(NUMBERS[["a", "b"]][:2].to_numpy(), [[True, False], [False, False]])
    explainer = Explainer(lambda rows: np.nan_to_num(rows).sum(axis=1), NUMBERS[["a", "b"]][10:])
    assert explainer(masked).data.isna().to_numpy().tolist() == masked.mask.tolist()


@pytest.mark.parametrize(
    ("model", "kind"),
    [(in_hundreds, lambda rows: rows), (hundreds_of_arrays, pd.DataFrame.to_numpy)],
)
def test_a_function_may_change_the_rows_that_it_is_given(model, kind):
    table = NUMBERS[["a", "b", "c"]]
    background, rows = table[10:16].copy(), table[:2].copy()
    explanation = Explainer(model, kind(background))(kind(rows))
    players = [["a"], ["b"], ["c"]]
    expected = [
        by_definition(lambda rows: in_hundreds(rows.copy()), rows[k : k + 1], background, players)
        for k in range(2)
    ]
    np.testing.assert_allclose(explanation.values, expected, rtol=1e-12, atol=1e-12)
    pd.testing.assert_frame_equal(background, table[10:16])
    pd.testing.assert_frame_equal(rows, table[:2])
    assert explanation.data.shape == (2, 3)


def test_groups_are_players():
    explainer = Explainer(rent, MIXED[4:], groups={"place": ["city", "floor"]})
    players = {"size": ["size"], "place": ["city", "floor"], "old": ["old"]}
    assert set(explainer.feature_names) == set(players)
    expected = by_definition(
        rent, MIXED[:1], MIXED[4:], [players[name] for name in explainer.feature_names]
    )
    explanation = explainer(MIXED[:1])
    np.testing.assert_allclose(explanation.values[0], expected, rtol=1e-10)
    assert explanation.groups == {"place": ("city", "floor")}
    assert "Bonn, " in " ".join(map(str, explanation.to_frame()["data"])) or (
        "Kiel, " in " ".join(map(str, explanation.to_frame()["data"]))
    )


@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_matrix, lambda rows: rows.to_numpy("f4")])
def test_a_function_gets_rows_in_the_form_of_the_background(kind):
    given = []

    def model(rows):
        given.append(rows)
        return smooth(rows.toarray() if sparse.issparse(rows) else rows)

    background, rows = kind(NUMBERS[10:16]), kind(NUMBERS[:2])
    explanation = Explainer(model, background, names=list(NUMBERS))(rows, evaluations=512)
    assert {type(each) for each in given} == {type(background)}
    assert {each.dtype for each in given} == {background.dtype}
    expected = Explainer(smooth, NUMBERS[10:16])(NUMBERS[:2], evaluations=512)
    np.testing.assert_allclose(explanation.values, expected.values, rtol=1e-5, atol=1e-6)
    assert explanation.feature_names == tuple(NUMBERS)


def test_a_table_of_another_package_is_taken_by_its_own_conversion():
    class Other:
        def __init__(self, table):
            self.table = table

        def to_pandas(self):
            return self.table

    explanation = Explainer(rent, Other(MIXED[4:]))(Other(MIXED[:2]))
    np.testing.assert_array_equal(explanation.values, Explainer(rent, MIXED[4:])(MIXED[:2]).values)


def test_columns_are_matched_by_name():
    explainer = Explainer(rent, MIXED[4:])
    turned = MIXED[:2][["floor", "old", "city", "size"]]
    np.testing.assert_array_equal(explainer(turned).values, explainer(MIXED[:2]).values)
    row = MIXED.iloc[0]
    np.testing.assert_allclose(explainer(row).values, explainer(MIXED[:1]).values)


def test_groups_are_named_as_the_columns_of_the_background_are():
    numbered = NUMBERS.set_axis(range(9), axis=1)
    explainer = Explainer(smooth, numbered[10:], groups={"first": [0, 1], 9: [7, 8]})
    assert explainer.feature_names == ("first", "2", "3", "4", "5", "6", "9")


def test_classes_of_whole_numbers_are_chosen_by_these_whatever_their_type():
    target = np.digitize(NUMBERS["a"] + NUMBERS["b"], [-0.5, 0.5]) + 1.0
    forest = RandomForestClassifier(5, random_state=0).fit(NUMBERS, target)
    for output in (2, 2.0, np.float64(2.0), "2.0"):
        assert Explainer(forest, NUMBERS[10:], output=output).unit == "probability of 2.0"


def test_a_row_whose_output_is_zero_is_explained_whatever_the_rounding():
    table = NUMBERS[["a", "b", "c"]]

    def model(rows):
        x = np.asarray(rows)
        return np.where(x[:, 0] < 9.0, 0.1 + np.sin(x).sum(axis=1) / 3.0, 0.0)

    explanation = Explainer(model, table[10:])(table[:4].assign(a=10.0))
    np.testing.assert_allclose(explanation.predictions, 0.0, atol=1e-12)


def test_a_removal_takes_the_place_of_the_background():
    explainer = Explainer(smooth, NUMBERS[5:], removal="gaussian")
    explanation = explainer(NUMBERS[:2], evaluations=60)
    assert "removed by gaussian, fitted to 25 rows" in explanation.how
    np.testing.assert_allclose(explanation.predictions, smooth(NUMBERS[:2]), rtol=1e-9)
    marginal = Explainer(smooth, NUMBERS[5:])(NUMBERS[:2], evaluations=60)
    assert np.abs(marginal.values - explanation.values).max() > 0.01
    with pytest.raises(TableError, match="gaussian: the training rows hold no numbers in 'city'"):
        Explainer(rent, MIXED, removal="gaussian")(MIXED[:1], evaluations=60)


def test_a_removal_whose_sums_are_not_the_outputs_says_so():
    table = NUMBERS[["a", "b"]]
    explainer = Explainer(lambda rows: rows["a"] * rows["b"], table[2:], removal="cohort")
    with pytest.warns(UserWarning, match="removal 'cohort' does not give the model's output"):
        explainer(table[:2])


def test_several_outputs_have_an_axis_of_their_own():
    def both(rows):
        return pd.DataFrame({"one": smooth(rows), "two": 2.0 * smooth(rows) + 1.0})

    explanation = Explainer(both, NUMBERS[10:])(NUMBERS[:3], evaluations=60)
    assert explanation.values.shape == (3, 9, 2)
    assert explanation.output_names == ("one", "two")
    np.testing.assert_allclose(explanation.values[..., 1], 2 * explanation.values[..., 0])
    chosen = Explainer(both, NUMBERS[10:], output="two")(NUMBERS[:3], evaluations=60)
    np.testing.assert_allclose(chosen.values, explanation["two"].values, atol=1e-11)


def test_the_errors_of_a_removal_that_draws_are_those_of_its_draws():
    table = pd.DataFrame(np.random.default_rng(2).normal(size=(60, 3)), columns=list("abc"))

    def product(rows):
        x = np.asarray(rows)
        return x[:, 0] * x[:, 1] + x[:, 2]

    runs = [
        Explainer(product, table, removal="gaussian", seed=seed)(table[:1]) for seed in range(40)
    ]
    values = np.array([run.values[0] for run in runs])
    errors = np.array([run.standard_errors[0] for run in runs])
    assert not runs[0].exact
    assert runs[0].method == "enumeration"
    assert "its draws have errors" in runs[0].how
    ratio = np.sqrt((errors**2).mean(axis=0)) / values.std(axis=0, ddof=1)
    assert (ratio > 0.7).all()
    assert (ratio < 1.4).all()
    exact = Explainer(product, table, removal="kernel")(table[:1])
    assert exact.exact


def test_a_column_that_the_model_ignores_has_the_value_0():
    def model(rows):
        return smooth(np.asarray(rows) * np.array([1.0] * 7 + [0.0] * 2))

    explanation = Explainer(model, NUMBERS[10:])(NUMBERS[:3], evaluations=512)
    np.testing.assert_array_equal(explanation.values[:, 7:], 0.0)
    assert (explanation.values[:, :7] != 0).all()
