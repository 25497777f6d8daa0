"""R² shared among features: against brute force, conventions, limits, and bad input."""

import re
from itertools import permutations
from math import factorial

import numpy as np
import pandas as pd
import pytest

import shapaudit
from shapaudit import attribute_r2
from shapaudit.datasets.mixed import TableError
from shapaudit.explanations import r2

FULL = {"evaluations": 80_000, "tolerance": 0.01}  # too few to be exact with 17 features


@pytest.fixture
def rng():
    return np.random.default_rng(5)


@pytest.fixture
def table(rng):
    """Correlated columns of other means and scales, the response, and the number of training rows.

    Neither training nor test means are zero, nor are they the same.
    """
    mixed = rng.normal(size=(90, 4)) @ (np.eye(4) + rng.random((4, 4)))
    rows = pd.DataFrame(mixed * [1, 10, 0.1, 3] + [5, -20, 0, 7], columns=["a", "b", "c", "d"])
    y = rows @ [1.0, 0.1, 5.0, 0.0] + 2 * rng.normal(size=90)
    return rows, y.rename("y")


def wide(rng, n_features=17):
    """Columns that share two factors, and a response."""
    factors = rng.normal(size=(200, 2)) @ rng.normal(size=(2, n_features))
    rows = factors + rng.normal(size=(200, n_features))
    return rows, rows @ rng.normal(size=n_features) + 5 * rng.normal(size=200)


def r2_of(train, y, test, z, penalty=0.0):
    """R² on the test rows (u, z) of the fit with an intercept, which is a column of ones."""
    ones = [np.ones((len(rows), 1)) for rows in (train, test)]
    train, test = np.hstack([ones[0], train]), np.hstack([ones[1], test])
    ridge = len(y) * penalty * np.diag([0.0] + [1.0] * (train.shape[1] - 1))
    fit = np.linalg.solve(train.T @ train + ridge, train.T @ y)
    return 1 - np.sum((z - test @ fit) ** 2) / np.sum((z - y.mean()) ** 2)


def brute_force(train, y, test, z, penalty=0.0, groups=None):
    """Mean increase of R² over all orders in which the groups enter."""
    groups = groups or [[j] for j in range(train.shape[1])]
    values = np.zeros(len(groups))
    for order in permutations(range(len(groups))):
        columns, before = [], 0.0
        for group in order:
            columns = columns + groups[group]
            after = r2_of(train[:, columns], y, test[:, columns], z, penalty)
            values[group] += after - before
            before = after
    return values / factorial(len(groups))


def arrays(*tables):
    return [table.to_numpy() for table in tables]


def test_in_sample_r2_is_shared_as_by_all_orders(table):
    x, y = table
    attribution = attribute_r2(x, y)
    np.testing.assert_allclose(attribution.values, brute_force(*arrays(x, y, x, y)), atol=1e-12)
    correlation = np.corrcoef(*arrays(x, y), rowvar=False)
    inner = correlation[:-1, :-1]
    determined = correlation[-1, :-1] @ np.linalg.solve(inner, correlation[-1, :-1])
    assert attribution.r2 == pytest.approx(determined, abs=1e-12)
    assert attribution.values.sum() == pytest.approx(attribution.r2, abs=1e-14)
    assert (attribution.exact, attribution.converged, attribution.evaluations) == (True, True, 16)
    assert attribution.feature_names == ("a", "b", "c", "d")


@pytest.mark.parametrize("penalty", [0.0, 0.3])
def test_r2_on_test_rows_is_measured_from_the_training_mean(table, penalty):
    x, y = table
    parts = x[:50], y[:50], x[50:], y[50:]
    attribution = attribute_r2(*parts, penalty=penalty)
    np.testing.assert_allclose(
        attribution.values, brute_force(*arrays(*parts), penalty), atol=1e-12
    )
    assert attribution.r2 == pytest.approx(r2_of(*arrays(*parts), penalty), abs=1e-12)


def test_a_group_enters_as_a_whole(table):
    x, y = table
    attribution = attribute_r2(x, y, groups={"place": ["d", "b"]})
    expected = brute_force(*arrays(x, y, x, y), groups=[[0], [1, 3], [2]])
    np.testing.assert_allclose(attribution.values, expected, atol=1e-12)
    assert attribution.feature_names == ("a", "place", "c")
    assert attribution.evaluations == 8


def test_test_columns_are_matched_by_name(table):
    x, y = table
    attribution = attribute_r2(x[:50], y[:50], x[50:][["c", "a", "d", "b"]], y[50:])
    np.testing.assert_array_equal(
        attribution.values, attribute_r2(x[:50], y[:50], x[50:], y[50:]).values
    )


def test_arrays_give_what_tables_give(table):
    x, y = table
    attribution = attribute_r2(x.to_numpy(), y.to_list())
    np.testing.assert_array_equal(attribution.values, attribute_r2(x, y).values)
    assert attribution.feature_names == ("x0", "x1", "x2", "x3")


def test_columns_of_any_numeric_type_will_do(table):
    x, y = table
    typed = pd.DataFrame(
        {
            "flag": x["a"] > 5,
            "small": x["b"].astype("int8"),
            "nullable": (10 * x["c"]).round().astype("Int64"),
            4: x["d"].astype("float32"),
        }
    )
    attribution = attribute_r2(typed, y.round().astype("Int64"))
    plain = attribute_r2(typed.to_numpy(dtype=float), y.round().to_numpy())
    np.testing.assert_array_equal(attribution.values, plain.values)
    assert attribution.feature_names[3] == "4"


def test_the_more_rows_than_columns_rule_is_that_of_a_fit_with_an_intercept(rng):
    rows, y = rng.normal(size=(5, 4)), rng.normal(size=5)
    assert attribute_r2(rows, y).r2 == pytest.approx(1.0, abs=1e-9)
    with pytest.raises(TableError, match=r"4 rows for 4 columns.*set a penalty"):
        attribute_r2(rows[:4], y[:4])
    assert 0 < attribute_r2(rows[:4], y[:4], penalty=0.1).r2 < 1


def test_with_a_penalty_equal_columns_share_equally(table):
    x, y = table
    attribution = attribute_r2(x.assign(e=x["a"]), y, penalty=0.1)
    assert attribution.values[4] == pytest.approx(attribution.values[0], abs=1e-12)
    assert attribution.values[0] > 0.01


@pytest.mark.parametrize("groups", [None, {"first": ["x0", "x5"]}])
def test_estimates_are_within_their_limits(rng, groups):
    x, y = wide(rng, 18 if groups else 17)
    exact = attribute_r2(x, y, groups=groups, evaluations=r2.BUDGET)
    if groups:  # 17 players of 18 columns, too many to be exact
        table = shapaudit.TabularGame(r2_of_all(x, y))
        order = [[0, 5], *([j] for j in range(1, 18) if j != 5)]
        truth = shapaudit.shapley_exact(shapaudit.games.QuotientGame(table, order)).values
    else:
        truth = exact.values
    attribution = attribute_r2(x, y, groups=groups, **FULL)
    assert (attribution.exact, attribution.converged) == (False, True)
    assert attribution.evaluations <= FULL["evaluations"]
    assert 0 < attribution.half_widths.max() <= 0.01
    assert (np.abs(attribution.values - truth) <= attribution.half_widths).all()
    assert np.abs(attribution.values - truth).max() > 1e-7
    assert attribution.values.sum() == pytest.approx(attribution.r2, abs=1e-12)
    ratios = attribution.half_widths / attribution.standard_errors
    np.testing.assert_allclose(ratios, ratios[0])
    assert ratios[0] > 3  # Student's quantile for 17 features


def r2_of_all(x, y):
    """R² of all subsets of the columns, by their index, from normal equations."""
    x, y = x - x.mean(axis=0), y - y.mean()
    gram, products = x.T @ x, x.T @ y
    d, explained = x.shape[1], np.zeros(1 << x.shape[1])
    sizes = np.bitwise_count(np.arange(1 << d))
    for size in range(1, d + 1):
        index = np.flatnonzero(sizes == size)
        members = np.nonzero(index[:, None] >> np.arange(d) & 1)[1].reshape(-1, size)
        inner = gram[members[:, :, None], members[:, None, :]]
        fits = np.linalg.solve(inner, products[members][..., None])[..., 0]
        explained[index] = (fits * products[members]).sum(axis=1)
    return explained / (y @ y)


def test_estimates_depend_on_nothing_but_the_seed(rng):
    x, y = wide(rng)
    first, same, other = (attribute_r2(x, y, seed=seed, **FULL).values for seed in (3, 3, 4))
    np.testing.assert_array_equal(first, same)
    assert (first != other).any()


def test_evaluations_that_do_not_reach_the_tolerance_are_said(rng):
    x, y = wide(rng)
    attribution = attribute_r2(x, y, evaluations=80_000, tolerance=1e-6)
    assert not attribution.converged
    assert attribution.half_widths.max() > 1e-6
    assert "not the tolerance of 1e-06" in str(attribution)


def test_cheaper_orders_are_taken_where_affine_orbits_cost_too_much():
    least = [1 + first * estimator.unit_cost(20) for estimator, first in r2.SETS]
    assert least[0] == 1 + 16 * 20 * 20 * 22
    assert [r2._sets(20, count)[0].permutations for count in least] == ["affine", "cyclic"]
    assert r2._sets(20, least[0] - 1)[0].permutations == "cyclic"
    with pytest.raises(TableError, match=f"at least {least[1]:,} for 20 features; got 3"):
        r2._sets(20, 3)


def test_few_features_need_as_many_evaluations_as_they_have_subsets(table):
    assert attribute_r2(*table, evaluations=16).exact
    with pytest.raises(TableError, match="at least 16 for 4 features; got 15"):
        attribute_r2(*table, evaluations=15)


@pytest.mark.parametrize(("players", "exact"), [(20, True), (21, False)])
def test_up_to_20_features_are_exact(rng, players, exact):
    rows = rng.normal(size=(60, players))
    y = rows.sum(axis=1) + rng.normal(size=60)
    assert attribute_r2(rows, y, tolerance=0.1).exact == exact


def test_16_features_with_groups_are_exact(rng):
    rows, y = rng.normal(size=(60, 18)), rng.normal(size=60)
    groups = {"three": ["x0", "x1", "x17"]}
    assert attribute_r2(rows, y, groups=groups).exact
    assert not attribute_r2(np.hstack([rows, y[:, None] ** 2]), y, groups=groups, tolerance=1).exact


def test_the_frame_has_a_line_per_feature(table, rng):
    exact = attribute_r2(*table)
    frame = exact.to_frame()
    assert list(frame) == ["feature", "value", "standard_error", "low", "high", "share"]
    assert frame["feature"].tolist() == ["a", "b", "c", "d"]
    np.testing.assert_array_equal(frame["low"], frame["high"])
    assert frame["share"].sum() == pytest.approx(1.0)
    estimated = attribute_r2(*wide(rng), **FULL)
    frame = estimated.to_frame()
    np.testing.assert_allclose(frame["high"] - frame["low"], 2 * estimated.half_widths)
    np.testing.assert_array_equal(frame["standard_error"], estimated.standard_errors)


def test_shares_of_an_r2_that_is_not_positive_are_missing(table):
    x, y = table
    attribution = attribute_r2(x[:50], y[:50], x[50:], -y[50:])
    assert attribution.r2 < 0
    assert attribution.to_frame()["share"].isna().all()


def test_the_text_says_what_was_done_and_lists_the_largest_first(table):
    x, y = table
    lines = str(attribute_r2(x, y)).splitlines()
    assert re.fullmatch(
        r"R² = 0\.\d{4}\. In-sample R² of least squares on 90 rows; exact, from all 16 sets of "
        r"features\.",
        lines[0],
    )
    assert lines[1].split() == ["feature", "value", "share"]
    shown = [float(line.split()[1]) for line in lines[2:]]
    assert shown == sorted(shown, reverse=True)
    assert len(shown) == 4
    text = str(attribute_r2(x[:50], y[:50], x[50:], y[50:], penalty=0.5))
    assert "R² on 40 test rows of ridge regression with penalty 0.5 on 50 training rows" in text


def test_long_texts_are_cut(rng):
    x, y = wide(rng, 23)
    lines = str(attribute_r2(x, y, tolerance=0.1)).splitlines()
    assert lines[1].split() == ["feature", "value", "low", "high", "share"]
    assert len(lines) == 23
    assert lines[-1] == "and 3 more, see to_frame()"


def test_names_are_text_in_html(table):
    x, y = table
    page = attribute_r2(x.rename(columns={"a": "<b>a"}), y)._repr_html_()
    assert "&lt;b&gt;a" in page
    assert "<b>" not in page
    assert page.startswith("<p>R² = 0.")


def test_the_html_has_the_columns_and_rows_of_the_text(table):
    found = attribute_r2(*table, tolerance=0.1)
    page, lines = found._repr_html_(), str(found).splitlines()
    assert re.findall(r"<th>(.*?)</th>", page) == lines[1].split()
    shown = [re.findall(r"<td>(.*?)</td>", row) for row in page.split("<tr>")]
    assert list(filter(None, shown)) == [line.split() for line in lines[2:]]


def other(**columns):
    """The table with some columns replaced or added."""
    return lambda x, y: (x.assign(**columns), y)


BAD = {
    "missing": (
        lambda x, y: (x.assign(b=x["b"].where(x.index != 7)), y),
        "X: column 'b' has missing entries, the first in row 7; fill them",
    ),
    "infinite": (other(c=np.inf), "X: column 'c' has infinite entries, the first in row 0"),
    "words": (other(c="red"), "X: column 'c' is not numeric.*get_dummies"),
    "dates": (other(d=pd.Timestamp("2020-01-01")), "X: column 'd' is not numeric but datetime"),
    "complex": (other(d=1j), "X: column 'd' is not numeric but complex"),
    "constant": (other(c=3.7), "column 'c' of X is constant and predicts nothing; leave it out"),
    "duplicate": (
        lambda x, y: (x.assign(e=3 - 2 * x["b"]), y),
        "column '[be]' of X is a linear function of '[be]'; leave one of them out, or set a pen",
    ),
    "dependent": (
        lambda x, y: (x.assign(e=x["a"] - x["c"]), y),
        "column '[ace]' of X is a linear function of '[ac]', '[ce]'; leave one",
    ),
    "same names": (
        lambda x, y: (x.set_axis(["a", "b", "a", "d"], axis=1), y),
        "X has 2 columns named 'a'; give each",
    ),
    "rows": (lambda x, y: (x, y[:-1]), "X has 90 rows and y 89; pass the same rows"),
    "labels": (
        lambda x, y: (x, y.sample(frac=1, random_state=1)),
        r"row 0 is labelled '0' in X and '\d+' in y; align them, or pass y.to_numpy",
    ),
    "vector": (lambda x, y: (x["a"], y), r"X must be a table \(n, p\); got shape \(90,\)"),
    "matrix": (lambda x, y: (x, y.to_frame()), r"y must have shape \(n,\), not \(90, 1\)"),
    "no rows": (lambda x, y: (x[:0], y[:0]), "X has no rows; give at least one"),
    "no columns": (lambda x, y: (x[[]], y), r"X must be a table \(n, p\); got shape \(90, 0\)"),
    "response constant": (
        lambda x, y: (x, 0 * y + 2.5),
        "response 'y' is 2.5 in all rows, so there is nothing to attribute",
    ),
    "response missing": (
        lambda x, y: (x, y.where(y.index != 3)),
        "response 'y' has missing entries, the first in row 3",
    ),
    "response words": (lambda x, y: (x, y.astype(str)), "response 'y' is not numeric"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_rows_are_named_with_a_remedy(table, case):
    change, message = BAD[case]
    with pytest.raises(TableError, match=message) as caught:
        attribute_r2(*change(*table))
    assert "\n" not in str(caught.value)


BAD_TEST_ROWS = {
    "alone": (lambda x, y: (x, None), "X_test and y_test belong together"),
    "lacking": (
        lambda x, y: (x.drop(columns="b"), y),
        "X_test has other columns than X.*lacks 'b'",
    ),
    "extra": (lambda x, y: (x.assign(e=1), y), "X_test has other columns than X.*'e' in addition"),
    "narrow array": (lambda x, y: (x.to_numpy()[:, :3], y), "X_test has other columns than X"),
    "missing": (lambda x, y: (x.assign(a=np.nan), y), "X_test: column 'a' has missing entries"),
    "constant": (lambda x, y: (x, 0 * y.abs()), "response 'y_test' is 0 in all rows"),
    "rows": (lambda x, y: (x, y[1:]), "X_test has 90 rows and y_test 89"),
}


@pytest.mark.parametrize("case", BAD_TEST_ROWS)
def test_bad_test_rows_are_named_with_a_remedy(table, case):
    change, message = BAD_TEST_ROWS[case]
    with pytest.raises(TableError, match=message):
        attribute_r2(*table, *change(*table))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"penalty": -0.1}, "penalty must be 0 or a positive number; got -0.1"),
        ({"penalty": np.nan}, "penalty must be 0 or a positive number; got nan"),
        ({"penalty": np.inf}, "penalty must be 0 or a positive number; got inf"),
        ({"penalty": True}, "penalty must be 0 or a positive number; got True"),
        ({"tolerance": 0}, "tolerance must be a positive number; got 0"),
        ({"tolerance": "1e-3"}, "tolerance must be a positive number; got '1e-3'"),
        ({"evaluations": 1}, "evaluations must be an integer of at least 2, got 1"),
        ({"groups": {"g": ["a", "e"]}}, "group 'g' names the column 'e', which the table lacks"),
        ({"groups": {"g": "ab"}}, "group 'g' must be a list of one or more columns; got 'ab'"),
        ({"groups": {"g": []}}, r"group 'g' must be a list of one or more columns; got \[\]"),
        ({"groups": {"g": ["a"], "h": ["a", "b"]}}, "column 'a' is in the groups 'g' and 'h'"),
    ],
)
def test_bad_settings_are_refused(table, settings, message):
    with pytest.raises(TableError, match=message):
        attribute_r2(*table, **settings)


def test_a_penalty_below_rounding_does_not_part_equal_columns(table):
    x, y = table
    with pytest.raises(TableError, match="collinear up to rounding; take a larger penalty"):
        attribute_r2(x.assign(e=x["b"]), y, penalty=1e-40)
