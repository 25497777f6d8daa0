"""Studies of removals: fresh rows per fit, games against the law's own, rows counted."""

import numpy as np
import pytest
from msgspec.structs import replace

from shapaudit.datasets import LOADERS
from shapaudit.games import ConditionalGame, all_coalitions, tabulate
from shapaudit.games.expectations.marginal import marginal_values
from shapaudit.models import CountedModel, train
from shapaudit.removals import RemovalError, create
from shapaudit.removals.marginal import Marginal
from shapaudit.seeding import generator
from shapaudit.truth.enumeration import shapley_from_table
from shapaudit_audit.study.blocks.games import RemovalBlock
from shapaudit_audit.study.blocks.runs import EstimatorBlock
from shapaudit_audit.study.blocks.studies import FewerBlock, RemovalStudyBlock
from shapaudit_audit.study.places import REMOVAL_TABLES
from shapaudit_audit.study.removal_studies import fitted_to, study_removals, world_of
from shapaudit_audit.study.results import read_table, write_table

D = 3
BLOCK = RemovalStudyBlock(
    model="m",
    rows=[20, 40],
    fits=3,
    explicands=2,
    estimator="kernel",
    budgets=[6, 8],
    runs=2,
    row_limits=[100, 1000],
    removals=["marginal"],
)
KERNEL = EstimatorBlock(estimator="paired-kernel-shap")
MARGINAL = {"marginal": RemovalBlock(removal="marginal")}


def world(loader="gaussian-law", trainer="polynomial", explicands=2):
    dataset = LOADERS[loader](generator(1, loader), n_rows=60, n_features=D)
    return world_of("one", explicands, dataset, train(trainer, dataset, {}, 0), 5)


@pytest.fixture(scope="module")
def gaussian():
    return world()


@pytest.fixture(scope="module")
def measured(gaussian):
    removals = MARGINAL | {"gaussian": RemovalBlock(removal="gaussian", params={"draws": 30})}
    block = replace(BLOCK, fewer={"gaussian": FewerBlock(fits=2, rows=[40])})
    return study_removals(block, removals, KERNEL, gaussian)


def test_the_truth_is_that_of_the_law(gaussian):
    game = ConditionalGame(gaussian.law, gaussian.model, gaussian.explicands[1])
    np.testing.assert_allclose(gaussian.values[1], shapley_from_table(tabulate(game).values))


def test_errors_at_equal_rows_are_from_both_truths(gaussian, measured):
    every = all_coalitions(D)
    alone = marginal_values(gaussian.law, gaussian.model, gaussian.explicands, every)
    np.testing.assert_allclose(gaussian.marginal[1], shapley_from_table(alone[1]))
    values, rows = measured["values"], measured["rows"]
    cell = {"removal": "marginal", "rows": 20, "fit": 2, "explicand": 1}
    of = np.logical_and.reduce([rows[key] == value for key, value in cell.items()])
    at = of & (rows["limit"] == 1000)  # pays for all 8 coalitions: 7 of 20 rows, and one
    assert set(rows["spent"][at]) == {141}
    cell |= {"run": 0, "budget": 6}
    of = np.logical_and.reduce([values[key] == value for key, value in cell.items()])
    for truth, error in (("truth", "squared_error"), ("marginal", "marginal_error")):
        square = np.square(values["exact"][of] - values[truth][of]).sum()
        np.testing.assert_allclose(rows[error][at], square)


def test_every_fit_has_rows_of_its_own_and_removals_share_them(gaussian):
    first, again, other = gaussian.rows(20, 0), gaussian.rows(20, 0), gaussian.rows(20, 1)
    np.testing.assert_array_equal(first.features, again.features)
    assert not np.isin(first.features, other.features).any()
    assert not np.isin(gaussian.explicands, first.features).any()


def test_targets_have_the_model_as_their_expectation(gaussian):
    made = gaussian.rows(4000, 0)
    rest = made.target - gaussian.model.predict(made.features)
    assert abs(rest.mean()) < 4 * rest.std() / np.sqrt(len(rest))
    assert rest.std() == pytest.approx(0.5 * (made.target - rest).std(), rel=0.1)


def test_all_tables_follow_their_schemas(measured, tmp_path):
    assert tuple(measured) == REMOVAL_TABLES
    for kind, table in measured.items():
        write_table(table, tmp_path / kind, f"removal_{kind}")
        assert len(read_table(tmp_path / kind, f"removal_{kind}")["fit"]) == len(table["fit"])


def test_fewer_fits_and_rows_are_those_that_run(measured):
    values, fits = measured["values"], measured["fits"]
    own = values["removal"] == "gaussian"
    assert set(values["rows"][own]) == {40}
    assert set(values["fit"][own]) == {0, 1}
    assert len(values["fit"]) == (2 * 3 + 2) * 2 * D * 2 * 2
    assert len(fits["fit"]) == (2 * 3 + 2) * D


def test_what_is_written_is_what_the_removal_plays(gaussian, measured):
    values, fits = measured["values"], measured["fits"]
    fitted = fitted_to(create("marginal"), "marginal", 20, 1, gaussian)
    tables = np.stack(
        [tabulate(fitted.game(row, np.random.default_rng(0))).values for row in gaussian.explicands]
    )
    at = (values["removal"] == "marginal") & (values["rows"] == 20) & (values["fit"] == 1)
    chosen = at & (values["explicand"] == 1) & (values["run"] == 0) & (values["budget"] == 6)
    np.testing.assert_allclose(values["exact"][chosen], shapley_from_table(tables[1]))
    np.testing.assert_allclose(values["truth"][chosen], gaussian.values[1])
    at = (fits["removal"] == "marginal") & (fits["rows"] == 20) & (fits["fit"] == 1)
    empty = at & (fits["size"] == 0)
    squares = np.square(tables[:, 0] - gaussian.tables[:, 0]).mean()
    np.testing.assert_allclose(fits["error"][empty], squares)
    from_data = np.square(tables[:, 0] - gaussian.outputs).mean()
    np.testing.assert_allclose(fits["error_from_data"][empty], from_data)


def test_rows_of_the_model_are_those_that_a_counter_sees(gaussian):
    counted = CountedModel(gaussian.model)
    block = replace(BLOCK, rows=[20], budgets=[8])
    tables = study_removals(block, MARGINAL, KERNEL, gaussian)
    values, fits = tables["values"], tables["fits"]
    fitted = create("marginal").fit(counted, gaussian.rows(20, 0), np.random.default_rng(0))
    tabulate(fitted.game(gaussian.explicands[0], np.random.default_rng(0)))
    # 8 evaluations of 3 players: the ends and 6 others, which take 20 rows each.
    assert set(values["model_rows"]) == {7 * 20 + 1}
    assert counted.rows == fitted.fit_rows + 7 * 20 + 1
    np.testing.assert_array_equal(fits["rows_per_value"], 20)


def test_equal_seeds_give_equal_tables(gaussian, measured):
    again = study_removals(BLOCK, MARGINAL, KERNEL, gaussian)
    for kind, table in again.items():
        own = measured[kind]["removal"] == "marginal"
        for name, column in table.items():
            np.testing.assert_array_equal(column, measured[kind][name][own])


def test_the_error_from_data_exceeds_the_true_one_by_what_the_law_leaves():
    made = world(explicands=100)
    block = replace(BLOCK, rows=[40], runs=2, budgets=[6])
    fits = study_removals(block, MARGINAL, KERNEL, made)["fits"]
    excess = fits["error_from_data"] - fits["error"] - fits["remaining"]
    assert np.abs(excess).max() < 0.3 * fits["error_from_data"].max()
    assert (fits["error_from_data"] > fits["error"]).all()


@pytest.fixture(scope="module")
def refused():
    """Rows of a discrete law, of which two lack values that the explicands have."""
    removals = {"matched": RemovalBlock(removal="exact-match")} | MARGINAL
    block = replace(BLOCK, rows=[2, 40], fits=20)
    return study_removals(block, removals, KERNEL, world("discrete-law"))


def test_a_refusal_costs_its_fit_alone_and_says_why(refused):
    values, refusals = refused["values"], refused["refusals"]
    few = set(refusals["fit"][refusals["rows"] == 2])
    assert 0 < len(few) < 20
    assert set(refusals["removal"]) == {"matched"}
    assert all("no training row matches" in reason for reason in refusals["reason"])
    assert all("take fallback" in reason for reason in refusals["reason"])
    matched = (values["removal"] == "matched") & (values["rows"] == 2)
    assert set(values["fit"][matched]) == set(range(20)) - few
    assert set(values["fit"][~matched & (values["rows"] == 2)]) == set(range(20))


def test_what_refuses_is_in_no_table_but_that_of_refusals(refused):
    refusals = refused["refusals"]
    cells = {*zip(refusals["removal"], refusals["rows"], refusals["fit"], strict=True)}
    for kind in ("values", "fits", "rows"):
        table = refused[kind]
        assert not cells & {*zip(table["removal"], table["rows"], table["fit"], strict=True)}


def test_a_removal_that_always_refuses_leaves_tables_that_can_be_read(tmp_path):
    block = replace(BLOCK, rows=[2], fits=3)
    removals = {"normal": RemovalBlock(removal="gaussian")}  # two rows of three features
    tables = study_removals(block, removals, KERNEL, world())
    assert len(tables["refusals"]["fit"]) == 3
    for kind, table in tables.items():
        write_table(table, tmp_path / kind, f"removal_{kind}")
    assert read_table(tmp_path / "values", "removal_values")["estimate"].dtype == np.float64


def test_another_error_of_a_removal_stops_the_study_by_name(gaussian, monkeypatch):
    def broken(*_):
        raise ZeroDivisionError("no rows")

    monkeypatch.setattr(Marginal, "learn", broken)
    with pytest.raises(RemovalError, match=r"study one: marginal with 20 rows, fit 0: ZeroDiv"):
        study_removals(BLOCK, MARGINAL, KERNEL, gaussian)
