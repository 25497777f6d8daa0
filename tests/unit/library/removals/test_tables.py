"""Removals fitted to tables: columns by name, categories, and columns measured with rounding."""

import numpy as np
import pandas as pd
import pytest

from shapaudit import Explainer
from shapaudit.datasets.mixed import players_of
from shapaudit.explanations.rows_game import RowsGame
from shapaudit.games import all_coalitions
from shapaudit.removals import REGISTRY, RemovalError, create, load_removal

RNG = np.random.default_rng(3)
N = 60
NUMBERS = pd.DataFrame(RNG.normal(size=(N, 4)), columns=[*"abcd"])
MIXED = pd.DataFrame(
    {
        "size": RNG.choice([40.0, 60.0, 80.0], N),
        "city": RNG.choice(["Bonn", "Kiel", None], N),
        "old": RNG.random(N) < 0.5,
        "kind": pd.Categorical(RNG.choice(["x", "y"], N), categories=["w", "x", "y"]),
    }
)
KEEPING = {
    "marginal": {},
    "product": {},
    "exact-match": {"own_row": True},
    "cohort": {},
    "kernel": {"share": 1.0},
    "baseline": {"row": "drawn"},
}
TRAINED = ("missingness", "separate", "path-dependent")  # on a target, or read from trees


class Rent:
    """A model of mixed tables, which notes that entries are those of the data."""

    def predict(self, table):
        assert list(table.columns) == list(MIXED.columns)
        assert table["kind"].dtype == MIXED["kind"].dtype
        assert table["old"].dtype == bool
        kiel, old = (table["city"] == "Kiel").to_numpy(), table["old"].to_numpy()
        size = table["size"].to_numpy()
        return (
            size * (1.0 + kiel)
            - 9.0 * old * (table["kind"] == "x").to_numpy()
            + table["city"].isna().to_numpy()
        )


class Smooth:
    """A model of tables of numbers."""

    def predict(self, table):
        x = table[[*"abcd"]].to_numpy()
        return np.sin(x[:, 0]) + x[:, 1] * x[:, 2] - x[:, 3]


def played(name, model, table, explicand, **params):
    fitted = create(name, params).fit(model, table, np.random.default_rng(0))
    game = fitted.game(explicand, np.random.default_rng(1))
    return game(all_coalitions(table.shape[1]))


@pytest.mark.parametrize("name", REGISTRY)
def test_each_removal_says_what_it_does_with_categories_and_does_it(name):
    cls = REGISTRY[name]
    assert "ategories are kept" in cls.__doc__ or "with categories is refused" in cls.__doc__
    removal = create(name, KEEPING.get(name, {}))
    assert removal.keeps_categories == (name in KEEPING)
    if name in KEEPING:
        values = played(name, Rent(), MIXED, MIXED.iloc[[5]], **KEEPING[name])
        if name != "cohort":  # whose grand coalition is the mean over similar rows
            np.testing.assert_allclose(values[-1], Rent().predict(MIXED.iloc[[5]])[0])
        assert np.ptp(values) > 0
        return
    message = f"^{name}: the training rows hold no numbers in 'city', 'kind'; encode them"
    with pytest.raises(RemovalError, match=message):
        removal.fit(Rent(), MIXED, np.random.default_rng(0))


@pytest.mark.parametrize("params", [{"rows": 5, "choice": "k-means"}, {"row": "mean"}])
def test_centres_have_no_categories(params):
    name = "marginal" if "choice" in params else "baseline"
    with pytest.raises(RemovalError, match="hold no numbers in 'city', 'kind'"):
        create(name, params).fit(Rent(), MIXED, np.random.default_rng(0))


def test_marginal_values_of_categories_are_means_over_hybrid_rows():
    values = played("marginal", Rent(), MIXED, MIXED.iloc[[5]])
    game = RowsGame(Rent().predict, MIXED.iloc[[5]], MIXED, players_of(list(MIXED), None))
    np.testing.assert_allclose(values, game(all_coalitions(4)))


@pytest.mark.parametrize("name", ["exact-match", "cohort"])
def test_matching_values_of_categories_are_means_over_rows_that_have_them(name):
    """Sizes are apart by more than the tolerance of a cohort; rows that lack a city match."""
    number = int(np.flatnonzero(MIXED["city"].isna())[0])
    row = MIXED.iloc[[number]]
    values = played(name, Rent(), MIXED, row, own_row=False)
    outputs = Rent().predict(MIXED)
    plain = MIXED.astype(object).where(MIXED.notna(), "missing").to_numpy()
    for members, value in zip(all_coalitions(4)[:-1], values[:-1], strict=True):
        matches = plain[:, members] == plain[number, members]
        np.testing.assert_allclose(value, outputs[matches.all(axis=1)].mean())


def test_a_kernel_of_categories_weights_only_rows_that_have_them():
    table = MIXED.assign(size=MIXED["size"].astype(str))
    numbers = table.apply(lambda column: pd.factorize(column, use_na_sentinel=False)[0])

    class Coded:
        def predict(self, rows):
            if isinstance(rows, pd.DataFrame):
                rows = np.stack(
                    [
                        pd.Index(table[name].drop_duplicates()).get_indexer(pd.Index(rows[name]))
                        for name in table
                    ],
                    axis=1,
                )
            return rows @ np.array([1.0, -2.0, 3.0, 0.5]) + rows[:, 0] * rows[:, 1]

    values = played("kernel", Coded(), table, table.iloc[[7]])
    names = tuple(f"x{j}" for j in range(4))
    by_number = create("kernel", {"categorical": names}).fit(
        Coded(), numbers.to_numpy(dtype=float), np.random.default_rng(0)
    )
    game = by_number.game(numbers.iloc[7].to_numpy(dtype=float), np.random.default_rng(1))
    np.testing.assert_allclose(values, game(all_coalitions(4)))


@pytest.mark.parametrize("name", [name for name in REGISTRY if name not in TRAINED])
def test_a_table_of_numbers_is_what_its_array_is_and_columns_go_by_name(name):
    params = KEEPING.get(name, {}) | ({"own_row": True} if name == "cohort" else {})
    if name in ("surrogate", "autoencoder"):
        params = {"epochs": 2, "hidden": (4,)}

    class OfArrays:
        def predict(self, rows):
            return Smooth().predict(pd.DataFrame(rows, columns=[*"abcd"]))

    row = NUMBERS.iloc[[4]]
    values = played(name, Smooth(), NUMBERS, row, **params)
    expected = played(name, OfArrays(), NUMBERS.to_numpy(), row.to_numpy()[0], **params)
    np.testing.assert_allclose(values, expected, rtol=1e-12)
    for turned in (row[[*"dbca"]], row.iloc[0][[*"cadb"]]):
        np.testing.assert_array_equal(played(name, Smooth(), NUMBERS, turned, **params), values)


@pytest.mark.parametrize("name", ["marginal", "gaussian"])
def test_what_was_fitted_to_a_table_of_numbers_is_saved(name, tmp_path):
    table = NUMBERS.assign(a=NUMBERS["a"] > 0) if name == "gaussian" else NUMBERS
    fitted = create(name).fit(Smooth(), table, np.random.default_rng(0))
    fitted.save(tmp_path)
    again, coalitions = load_removal(tmp_path, Smooth()), all_coalitions(4)
    row = table.iloc[[4]][[*"dcba"]]
    values, expected = (
        each.game(row, np.random.default_rng(1))(coalitions) for each in (again, fitted)
    )
    np.testing.assert_array_equal(values, expected)
    assert values[-1] == pytest.approx(Smooth().predict(row.astype(float))[0])


def test_tables_that_do_not_fit():
    rng = np.random.default_rng(0)
    fitted = create("marginal").fit(Rent(), MIXED, rng)
    row = MIXED.iloc[[0]]
    for explicand, message in (
        (row.drop(columns="city"), "the explicand lacks the column 'city'"),
        (row.assign(flat=1), "the explicand has 'flat', which was not fitted"),
        (row.assign(city="Rom"), "has 'Rom' in 'city', and no row that was fitted has it"),
        (np.zeros(4), "an explicand with categories is a table of one row"),
        (MIXED.iloc[:2], r"got shape \(2, 4\)"),
        (row.assign(size=np.nan), "the explicand is NaN or infinite in 'size'"),
    ):
        with pytest.raises(RemovalError, match=message):
            fitted.game(explicand, rng)
    assert np.isfinite(fitted.game(row.assign(kind="w"), rng)(np.ones((1, 4), dtype=bool)))
    with pytest.raises(RemovalError, match="the columns 'city', 'old', 'kind' hold entries"):
        fitted.save("unwritten")
    unnamed = pd.DataFrame(NUMBERS.to_numpy())
    with pytest.raises(RemovalError, match="of which the names '0', '1', '2', '3' are no texts"):
        create("gaussian").fit(lambda rows: rows, unnamed, rng).save("unwritten")
    for data, message in (
        (MIXED.assign(size=np.nan), "training rows are NaN or infinite in 'size'"),
        (MIXED.iloc[:0], r"training rows are none, of shape \(0, 4\)"),
        (np.zeros(4), r"training rows must have shape \(n, d\), not \(4,\)"),
        (pd.concat([MIXED, row[["old"]]], axis=1), "have the column 'old' twice"),
    ):
        with pytest.raises(RemovalError, match=message):
            create("marginal").fit(Rent(), data, rng)


def test_a_copula_takes_columns_that_are_rounded_and_no_coarser_ones():
    """The 82 and 78 distinct values in 777 rows of percentages; ties change the values little."""
    rng = np.random.default_rng(0)
    law = rng.multivariate_normal(np.zeros(3), 0.5 + 0.5 * np.eye(3), size=777)
    rounded = np.round(np.exp(law / 2) * 25)
    assert (np.array([len(np.unique(column)) for column in rounded.T]) < 110).all()

    class Sum:
        def predict(self, rows):
            return rows.sum(axis=1) / 25

    expected = played("copula", Sum(), np.exp(law / 2) * 25, np.array([30.0, 20.0, 40.0]))
    values = played("copula", Sum(), rounded, np.array([30.0, 20.0, 40.0]))
    np.testing.assert_allclose(values, expected, atol=0.03)
    create("copula").fit(Sum(), np.round(law / 0.75), rng)
    for coarse in (np.round(law), law > 0, np.digitize(law, [-1, 1])):
        with pytest.raises(RemovalError, match="have few distinct values over 777 training rows"):
            create("copula").fit(Sum(), coarse, rng)


def test_the_front_door_keeps_categories():
    removed = Explainer(Rent().predict, MIXED, removal="kernel")(MIXED[:2])
    values = played("kernel", Rent(), MIXED, MIXED.iloc[[0]])
    np.testing.assert_allclose(removed.base_values[0], values[0])
    np.testing.assert_allclose(removed.predictions, Rent().predict(MIXED[:2]))
