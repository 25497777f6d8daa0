"""Claims 84 and 85: what methods of Table 1 evaluate, and what was measured of them."""

from dataclasses import replace

import numpy as np
import pytest
from parts import part

from shapaudit.estimators import OptimisedMonteCarlo
from shapaudit.explainers.linear import Linear
from shapaudit.games import all_coalitions
from shapaudit.removals.gaussian import Gaussian
from shapaudit.removals.kernel import Kernel
from shapaudit.removals.marginal import Marginal
from shapaudit.removals.matching import Cohort, ExactMatch
from shapaudit_audit.audit.context import Context, Settings
from shapaudit_papers.chen_covert_lundberg_lee_2023.claims import measured as judges
from shapaudit_papers.chen_covert_lundberg_lee_2023.evidence import measured, table_one
from shapaudit_papers.chen_covert_lundberg_lee_2023.evidence import removal_cells as cells
from shapaudit_papers.chen_covert_lundberg_lee_2023.tables import measured as tables
from shapaudit_papers.chen_covert_lundberg_lee_2023.tables.seconds import SECONDS

CONTEXT = Context("tiny", 1, (), Settings(interaction_games=10))


def judged(key, evidence, alpha=0.05):
    return part(key).judge(evidence, alpha)


@pytest.fixture(scope="module")
def evaluated():
    return cells.gather_evaluated(CONTEXT)


def test_every_row_of_the_table_is_looked_at(evaluated):
    named = {row["method"] for row in evaluated["rows"]} | set(cells.THEORY)
    assert named == {method.name for method in table_one.METHODS}


def test_the_cells_are_as_the_definitions_have_it(evaluated):
    verdict = judged("84a", evaluated)
    assert (verdict.status, verdict.consequence) == ("exact", "stands")
    assert verdict.numbers["methods"] == 20


def test_path_dependent_trees_compare_no_rows(evaluated):
    verdict = judged("check_tree", evaluated)
    assert (verdict.status, verdict.consequence) == ("exact", "loosely")


@pytest.mark.parametrize(
    ("change", "status", "consequence"),
    [({"marginal": 1}, "refuted", "slip"), ({"observed": 1}, "exact", "stands")],
)
def test_trees_that_compare_rows_or_play_another_game(evaluated, change, status, consequence):
    name = "Path-dependent TreeSHAP"
    rows = [row | change if row["method"] == name else row for row in evaluated["rows"]]
    verdict = judged("check_tree", evaluated | {"rows": rows})
    assert (verdict.status, verdict.consequence) == (status, consequence)


@pytest.mark.parametrize(
    ("method", "other"),
    [
        ("SGD-Shapley", Marginal()),
        ("IME", Gaussian(draws=5)),
        ("KernelSHAP", Kernel(bandwidth=0.5)),
        ("CES", Cohort(ratio=0.6)),
        ("CES", Kernel(bandwidth=0.5)),
        ("Shapley cohort refinement", ExactMatch(own_row=True)),
        ("Nonparametric KernelSHAP", Marginal()),
        ("Generative model", Marginal()),
        ("Surrogate model", Gaussian(draws=5)),
        ("Parametric KernelSHAP", Marginal()),
    ],
)
def test_another_removal_is_noticed(evaluated, method, other):
    chosen, estimator = cells.removed(cells.SMALL | {method: other})[method]
    rng = CONTEXT.generator("ccll23-84", method)
    made = cells.by_removal(chosen, estimator, rng, cells.as_model(cells.OpaqueProduct()))
    rows = [row | made if row["method"] == method else row for row in evaluated["rows"]]
    verdict = judged("84a", evaluated | {"rows": rows})
    assert verdict.status == "refuted"
    assert method in verdict.summary


@pytest.mark.parametrize(
    ("method", "change"),
    [
        ("DASP", {"hybrid": 1}),
        ("Deep ShapNet", {"empty": "mean"}),
        ("KernelSHAP", {"other": 1}),
        ("LinearSHAP", {"observed": 1}),
        ("Interventional TreeSHAP", {"marginal": 0}),
        ("CES", {"hybrid": 1}),
        ("CES", {"excluded": 1}),
        ("CES", {"fit_observed": 17}),
        ("Shapley cohort refinement", {"other": 1}),
        ("Shapley cohort refinement", {"whole": 1}),
        ("Nonparametric KernelSHAP", {"other": 1}),
        ("Generative model", {"observed": 1}),
        ("FastSHAP", {"explicand": 1}),
        ("Correlated LinearSHAP", {"hybrid": 1}),
    ],
)
def test_one_row_too_many_is_noticed(evaluated, method, change):
    rows = [row | change if row["method"] == method else row for row in evaluated["rows"]]
    verdict = judged("84a", evaluated | {"rows": rows})
    assert verdict.status == "refuted"
    assert method in verdict.summary


def test_explainers_of_one_baseline_are_told_from_those_of_rows():
    def swapped(rng):
        trials = cells.explained(rng)
        return trials | {"DeepLIFT": trials["DeepSHAP"], "DeepSHAP": trials["DeepLIFT"]}

    verdict = judged("84a", cells.gather_evaluated(CONTEXT, explainers=swapped))
    assert verdict.status == "refuted"
    assert "DeepLIFT, DeepSHAP" in verdict.summary


def test_rows_are_told_by_what_they_are_made_of():
    assert cells.kind_of(cells.EXPLICAND) == "explicand"
    assert cells.kind_of(cells.OBSERVED[3]) == "observed"
    hybrid = cells.OBSERVED[0].copy()
    hybrid[0] = cells.EXPLICAND[0]
    assert cells.kind_of(hybrid) == "hybrid"
    assert cells.kind_of(np.array([2.0, 0.0, 0.0, 2.0])) == "padded"
    assert cells.kind_of(np.array([2.0, 2.5, 3.0, 2.0])) == "other"
    # features from two rows, which no row has together: a product of marginals
    assert cells.kind_of(np.array([1.0, 4.0, 3.0, 2.0])) == "other"
    counted = cells.counted(np.array([hybrid, [1.0, 3.0, 1.0, 1.0]]))
    assert (counted["hybrid"], counted["other"], counted["excluded"]) == (1, 1, 2)


def test_sources_with_zeros_are_told_from_rows():
    verdict = judged("84c", cells.gather_introduced(CONTEXT))
    assert (verdict.status, verdict.consequence) == ("inconsistent", "slip")
    assert verdict.numbers["methods"] == 3
    given = judged("84c", cells.gather_introduced(CONTEXT, zeros=Marginal()))
    assert (given.status, given.consequence) == ("exact", "stands")


def test_methods_of_game_theory_ask_for_coalitions_alone(evaluated):
    class Wrong(OptimisedMonteCarlo):
        def estimate(self, game, budget, rng):
            made = super().estimate(game, budget, rng)
            return replace(made, values=made.values * 2)

    rows = cells.theory_rows(CONTEXT, {"ApproShapley": Wrong})
    verdict = judged("84a", evaluated | {"theory": rows})
    assert verdict.status == "refuted"
    assert "ApproShapley" in verdict.summary


@pytest.fixture(scope="module")
def world():
    return measured.small_world(CONTEXT)


def chosen(*names):
    methods = measured.methods()
    return {name: methods[name] for name in names}


def test_all_24_methods_are_measured_and_timed():
    names = [method.name for method in table_one.METHODS]
    assert set(measured.methods()) == set(SECONDS) == set(names)
    assert all(min(both) > 0 for both in SECONDS.values())


def test_the_population_is_that_of_many_rows(world):
    """Fits to many rows come near the values that the law has."""
    explainers = measured.methods()
    linear = explainers["LinearSHAP"]
    rows = world.law.sample(np.random.default_rng(0), 40_000)
    values = linear.runs.fit(world.models["linear"], rows).explain(world.explicands).values
    np.testing.assert_allclose(values, world.truth(linear), atol=0.03)
    matching = explainers["CES"]
    data = measured._dataset(rows, None)
    model = world.models["network"]
    fitted = ExactMatch(own_row=True).fit(model, data, np.random.default_rng(0))
    games = [fitted.game(x, np.random.default_rng(0)) for x in world.explicands]
    np.testing.assert_allclose(measured.shapley(games), world.truth(matching), atol=0.1)


@pytest.mark.parametrize(
    "name", ["LinearSHAP", "Interventional TreeSHAP", "Path-dependent TreeSHAP", "Shallow ShapNet"]
)
def test_exact_explainers_give_the_values_of_their_own_game(world, name):
    exact, estimates, _ = measured.of_fit(world, measured.methods()[name], 1)
    np.testing.assert_allclose(estimates, np.broadcast_to(exact, estimates.shape), atol=1e-5)


def test_runs_of_fastshap_share_the_game_that_they_are_held_against(world):
    method = measured.methods()["FastSHAP"]
    exact, estimates, (fit_rows, rows) = measured.of_fit(world, method, 0)
    assert (fit_rows, rows) == (measured.ROWS, 0)
    fitted = method.removal.fit(
        world.models["network"], world.rows(0), world.rng(method.name, 0, "fit")
    )
    own = [fitted.game(x, np.random.default_rng(0)) for x in world.explicands]
    np.testing.assert_allclose(exact, measured.shapley(own))
    totals = [np.ptp(game(all_coalitions(measured.FEATURES)[[0, -1]])) for game in own]
    np.testing.assert_allclose(np.abs(estimates.sum(axis=-1)), np.tile(totals, (2, 1)), rtol=1e-6)
    assert np.abs(estimates[0] - estimates[1]).max() > 1e-6


def test_rows_of_the_model_are_counted(world):
    methods = measured.methods()
    cost = {name: measured.of_fit(world, methods[name], 0)[2] for name in ("CES", "IME", "DASP")}
    # one row of the example for CES, one for each evaluation of IME
    assert cost["CES"] == (measured.ROWS, 1)
    assert cost["IME"] == (0, 40)
    assert cost["DASP"] == (0, 2 * measured.FEATURES**2)


def test_neither_convention_gives_both_columns():
    names = ("LinearSHAP", "Path-dependent TreeSHAP", "DASP", "Deep ShapNet")
    evidence = measured.gather_methods(CONTEXT, chosen(*names), fits=30)
    verdict = judged("85", evidence, 0.05)
    assert verdict.status == "supported"
    rows = {row["method"]: row for row in verdict.rows}
    linear, path = rows["LinearSHAP"], rows["Path-dependent TreeSHAP"]
    assert (linear["own_variance_there"], linear["population_variance_there"]) == ("no", "yes")
    assert (path["own_bias_there"], path["population_bias_there"]) == ("no", "yes")
    assert rows["DASP"]["own_bias_there"] == "yes"
    assert judges.otherwise(linear, "population") == ["variance"]
    assert judges.otherwise(linear, "own") == []


def test_a_table_that_follows_one_convention_is_no_support():
    """Printed as what is found for given rows, no cell is otherwise by that convention."""
    evidence = measured.gather_methods(CONTEXT, chosen("LinearSHAP", "Shallow ShapNet"), fits=6)
    assert judged("85", evidence).status == "refuted"
    few = measured.gather_methods(CONTEXT, chosen("IME"), fits=4)
    assert judged("85", few).status == "inconclusive"


def test_a_method_with_a_bias_it_should_not_have_is_noticed():
    """LinearSHAP against another baseline than its rows."""
    method = replace(measured.methods()["LinearSHAP"], runs=Shifted())
    evidence = measured.gather_methods(CONTEXT, {"LinearSHAP": method}, fits=8)
    (row,) = judged("85", evidence).rows
    assert row["own_bias_there"] == row["population_bias_there"] == "yes"
    assert judges.otherwise(row, "own") == ["bias"]


class Shifted(Linear):
    """LinearSHAP against another baseline."""

    def fit(self, model, data, rng=0):
        return super().fit(model, np.asarray(data) + 1.0, rng)


def test_the_table_has_a_line_for_each_method_with_limits_where_there_are_any():
    row = {"model": "network", "data_rows": 100, "fit_rows": 0, "rows": 1600.0}
    for source in tables.PARTS:
        row |= {source: 0.02, f"{source}_low": 0.01, f"{source}_high": 0.03}
    row |= {"own_variance": 0.0, "own_variance_low": 0.0, "own_variance_high": 0.0}
    # the same in all fits, but for rounding
    row |= {"own_bias": 0.2, "own_bias_low": 0.2 - 1e-9, "own_bias_high": 0.2 + 1e-9}
    row |= {"population_bias": -0.0001, "population_bias_low": -0.01}
    rows = [{**row, "method": method.name} for method in table_one.METHODS]
    measures = tables.measured({"ccll23-85": {"rows": rows[::-1]}}, "ccll23")
    assert [measure["method"] for measure in measures] == [
        method.name for method in table_one.METHODS
    ]
    lines = tables.measured_table(measures).splitlines()
    (line,) = [line for line in lines if line.startswith("L-Shapley")]
    fit, each = SECONDS["L-Shapley"]
    assert line.startswith(
        r"L-Shapley & ReLU network & 20.0 & 0 & \stacked{0.0}{[\ensuremath{-}1.0, 3.0]} & "
        r"\stacked{2.0}{[1.0, 3.0]} & 100 & 0 & 1\,600 & "
    )
    assert f"{1e3 * each:.2g}" in line.rpartition("&")[2]
    assert f"{1e3 * fit:.2g}" in line
