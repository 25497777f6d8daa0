"""Which removal errs least: told from tables whose errors are known."""

import re

import numpy as np
import pandas as pd
import pytest
import removal_tables
import scipy.stats
from msgspec.structs import replace
from small_site import config_of, own_comparison, own_pages, own_study

from shapaudit.removals import REGISTRY
from shapaudit_audit.report.leads import lead_table, limits_of
from shapaudit_audit.report.removals import (
    RemovalStudy,
    agreement,
    at_equal_rows,
    choices,
    removal_studies,
)
from shapaudit_audit.report.site.page import Contents, render
from shapaudit_audit.report.site.pages import files_of
from shapaudit_audit.report.site.removals import choice_rows, equal_rows, error_rows, refusal_rows
from shapaudit_audit.study.blocks.games import RemovalBlock
from shapaudit_audit.study.blocks.studies import RemovalStudyBlock
from shapaudit_audit.study.results import write_table
from shapaudit_papers.chen_covert_lundberg_lee_2023.tables import removals as tables

BLOCK = RemovalStudyBlock(
    label="Made up",
    model="m",
    estimator="e",
    removals=["marginal", "gaussian", "kernel"],
    rows=[25, 100],
    fits=6,
    explicands=2,
    budgets=[8, 16],
    runs=2,
    row_limits=[100, 400],
)
SCALES = {"marginal": 4.0, "gaussian": 1.0, "kernel": 1.0}


def made(scales=SCALES, refused=(), changed=None, **changes):
    """A study of made-up tables, of which ``changed`` replaces some."""
    block = replace(BLOCK, **changes)
    content = removal_tables.tables(block, scales) | {"refusals": removal_tables.refusals(*refused)}
    tables = {kind: pd.DataFrame(table) for kind, table in content.items()} | (changed or {})
    cards = {name: REGISTRY[name].card for name in block.removals}
    return RemovalStudy("one", block.label, block, cards, tables)


def test_errors_are_relative_to_the_size_of_the_truth():
    study = made()
    truth = np.array([[1, 2, 3], [2, 3, 4]])
    assert study.scale == pytest.approx(np.sqrt((truth**2).sum(axis=1).mean()))
    expected = 4.0 / 5 * np.sqrt(3) / study.scale
    assert study.curves.loc["marginal", 25] == pytest.approx(expected, rel=0.05)
    assert study.curves.loc["marginal", 100] == pytest.approx(expected / 2, rel=0.05)


def test_the_parts_sum_to_the_total_and_find_the_bias():
    study = made()
    splits = study.splits(0.05)
    assert len(splits) == 3 * 2 * 2
    parts = ["removal_bias", "removal_variance", "estimation_bias", "estimation_variance", "cross"]
    np.testing.assert_allclose(splits[parts].sum(axis=1), splits["total"])
    final = study.final(0.05)
    assert set(final["budget"]) == {16}
    assert final.loc["marginal", "removal_bias"] == pytest.approx(
        study.curves.loc["marginal", 100] ** 2, rel=0.05
    )
    assert (splits["low"] <= splits["total"]).all()


def test_what_errs_less_is_chosen_and_what_cannot_be_told_apart_stands_beside_it():
    rows = choices([made()], 0.05)
    assert list(rows["rows"]) == [25, 100]
    for row in rows.itertuples():
        assert {row.best, *row.others} == {"gaussian", "kernel"}
        assert row.behind == "marginal"
        assert row.behind_low < 4 < row.behind_high
        assert row.entered == 3


def other(seed):
    """A study of another law with errors of its own."""
    values = pd.DataFrame(removal_tables.values(BLOCK, SCALES, seed=seed))
    return made(label=f"Law {seed}", changed={"values": values})


def test_limits_widen_with_the_number_of_comparisons():
    alone, among = choices([other(0)], 0.05), choices([other(k) for k in range(20)], 0.05)
    assert len(among) == 2 * 20
    assert among.loc[0, "behind_high"] > alone.loc[0, "behind_high"]


def test_a_comparison_that_occurs_twice_counts_once():
    alone, twice = choices([other(0)], 0.05), choices([other(0), made(label="Again")], 0.05)
    assert len(twice) == 2 * len(alone)
    assert twice.loc[0, "behind_high"] == alone.loc[0, "behind_high"]
    again = made(label="Again")
    again.tables["values"]["exact"] *= 1 + 1e-15  # another rounding
    rounded = choices([other(0), again], 0.05)
    assert rounded.loc[0, "behind_high"] == alone.loc[0, "behind_high"]


def test_without_a_difference_nothing_is_told_apart():
    row = choices([made(dict.fromkeys(SCALES, 1.0))], 0.05).iloc[0]
    assert len(row["others"]) == 2
    assert row["behind"] == ""
    assert np.isnan(row["behind_ratio"])
    assert row["low"] <= 1 <= row["high"]


def test_a_removal_with_fewer_fits_is_compared_over_those_it_shares():
    errors = pd.DataFrame(
        {
            "removal": ["a"] * 6 + ["b"] * 3,
            "fit": [*range(6), *range(3)],
            "error": [1, 1, 1, 50, 50, 50, 2, 2, 2.2],
        }
    )
    (row,) = lead_table(("law",), {("one",): errors}, 0.05).itertuples()
    assert row.best == "b"  # on a typical fit of its own
    assert row.ratio == pytest.approx((2 * 2 * 2.2) ** (-1 / 3))  # but on shared fits it is not


def test_two_removals_that_share_too_few_fits_have_no_limits():
    assert limits_of(np.array([1.0, 1.0]), 0.05) == (pytest.approx(np.e), 0.0, np.inf)


def test_limits_are_those_of_student_s_t():
    logs = np.array([0.1, 0.3, 0.2, 0.4])
    ratio, low, high = limits_of(logs, 0.01)
    interval = scipy.stats.ttest_1samp(logs, 0).confidence_interval(0.99)
    assert (np.log(low), np.log(high)) == pytest.approx(interval)
    assert np.log(ratio) == pytest.approx(0.25)


def test_at_equal_rows_the_leader_is_told_from_the_others():
    scales = {"marginal": 4.0, "gaussian": 1.0, "kernel": 2.0}
    leads = at_equal_rows([made(scales)], 0.05)
    assert len(leads) == 2 * 2 * 2  # ways of counting, training rows, limits
    for row in leads.itertuples():
        assert (row.best, row.next, row.others) == ("gaussian", "kernel", ())
        assert row.low < 2 < row.high
        assert row.low > 1


def test_at_equal_rows_equals_do_not_lead():
    leads = at_equal_rows([made(dict.fromkeys(SCALES, 1.0))], 0.05)
    assert (leads["others"].str.len() == 2).all()


def test_a_limit_that_is_not_always_enough_leaves_a_removal_out():
    rows = pd.DataFrame(removal_tables.rows(BLOCK, SCALES))
    short = (rows["removal"] == "gaussian") & (rows["limit"] == 100) & (rows["counted"] == "all")
    rows = rows[~(short & (rows["fit"] == 2) & (rows["explicand"] == 1))]
    leads = at_equal_rows([made(changed={"rows": rows})], 0.05)
    left = leads[(leads["counted"] == "all") & (leads["limit"] == 100)]
    assert list(left["entered"]) == [2, 2]
    assert set(leads.drop(left.index)["entered"]) == {3}


def test_errors_at_equal_rows_are_relative_and_pair_fits():
    study = made()
    own = study.within().query("counted == 'all'").groupby(["removal", "rows", "limit"])
    assert (own["fit"].nunique() == 6).all()
    expected = 4.0 / np.sqrt(25 * 100) / study.scale
    assert own["error"].mean()["marginal", 25, 100] == pytest.approx(expected, rel=0.05)


def test_marginal_values_have_errors_of_their_own():
    study = made()
    conditional, marginal = (study.within(target) for target in ("conditional", "marginal"))
    np.testing.assert_allclose(marginal["error"], conditional["error"] * 3 / 2)
    leads = at_equal_rows([study], 0.05, "marginal", ["model"])
    assert set(leads["counted"]) == {"model"}
    assert len(leads) == 4


def test_a_refused_fit_takes_a_removal_out_of_its_comparison_alone():
    study = made(refused=[("gaussian", 25, 1), ("gaussian", 25, 4)])
    assert np.isnan(study.curves.loc["gaussian", 25])
    assert study.curves.loc["gaussian", 100] > 0
    (refused,) = study.refused.itertuples()
    assert (refused.rows, refused.refused, refused.fits) == (25, 2, 6)
    entered = choices([study], 0.05).set_index("rows")["entered"]
    assert (entered[25], entered[100]) == (2, 3)
    at_25 = at_equal_rows([study], 0.05).query("rows == 25")
    assert set(at_25["entered"]) == {2}
    assert set(study.splits(0.05).query("rows == 25")["removal"]) == {"marginal", "kernel"}


def test_tables_and_page_show_what_refused():
    study = made(
        refused=[("gaussian", 25, 1), *(("kernel", n, k) for n in (25, 100) for k in range(6))]
    )
    table = tables.error_table([study])
    assert table.count("refused") == 3
    assert "2 of 6" not in tables.refusal_table([study])
    assert "1 of 6 & gaussian: cannot." in tables.refusal_table([study])
    assert "none" in tables.refusal_table([made()])
    rows = refusal_rows([study])
    assert (rows[0]["removal"], rows[0]["fits"]) == ("gaussian", "1 of 6")
    assert [row["fit"] for row in error_rows([study]) if row["removal"] == "kernel"] == ["–"]


def test_the_table_of_equal_rows_says_whose_lead_is_significant():
    scales = {"marginal": 4.0, "gaussian": 1.0, "kernel": 2.0}
    text = tables.tables([made(scales)], 0.05)["removal_equal_rows"]
    assert text.count("gaussian") == 4
    assert text.count(" & yes & 2 & 3") == 4
    text = tables.tables([made()], 0.05)["removal_all_rows"]
    assert text.count(" & no & 1 & 3") == 4
    rows = equal_rows([made(scales)], 0.05)
    assert {row["significant"] for row in rows} == {"yes"}
    assert len({(row["target"], row["counted"]) for row in rows}) == 3


def test_values_of_equal_rows_count_the_leads():
    scales = {"marginal": 4.0, "gaussian": 1.0, "kernel": 2.0}
    values = tables.values([made(scales)], 0.05)
    wanted = {"limits": "100 and 400", "compared": "4", "leads": "4", "leads-all": "4"}
    assert {key: values[f"removals.{key}"] for key in wanted} == wanted
    assert values["removals.changed"] == values["removals.refused"] == "0"


def test_removals_that_are_ahead_by_one_way_of_counting_are_counted():
    scales = {"marginal": 4.0, "gaussian": 1.0, "kernel": 2.0}
    rows = pd.DataFrame(removal_tables.rows(BLOCK, scales))
    costly = (rows["removal"] == "gaussian") & (rows["counted"] == "all") & (rows["limit"] == 400)
    rows["squared_error"] *= np.where(costly, 100.0, 1.0)
    values = tables.values([made(scales, changed={"rows": rows})], 0.05)
    assert values["removals.changed"] == str(len(BLOCK.rows))


def test_data_order_removals_as_the_truth_does_where_they_show_it():
    row = agreement(made({"marginal": 4.0, "gaussian": 1.0, "kernel": 2.0})).iloc[0]
    assert row["rank_values"] == row["rank_shapley"] == pytest.approx(1.0)
    assert row["chosen"] == row["best"] == "gaussian"
    assert row["regret"] == 1.0


def test_data_that_mislead_are_told_by_the_regret():
    scales = {"marginal": 4.0, "gaussian": 1.0, "kernel": 2.0}
    fits = pd.DataFrame(removal_tables.fits(BLOCK, scales))
    fits = fits.assign(error_from_data=-fits["error"])
    row = agreement(made(scales, changed={"fits": fits})).iloc[0]
    assert row["chosen"] == "marginal"
    assert row["regret"] == pytest.approx(4.0, rel=0.05)


def test_studies_are_read_from_all_their_jobs(tmp_path):
    folder = tmp_path / "removal_studies" / "one"
    folder.mkdir(parents=True)
    for batch, names in (("marginal", ["marginal", "gaussian"]), ("kernel", ["kernel"])):
        own = replace(BLOCK, removals=names)
        for kind, table in removal_tables.tables(own, SCALES).items():
            write_table(table, folder / f"{batch}.{kind}.parquet", f"removal_{kind}")
    config = replace(
        own_study("one"),
        removals={name: RemovalBlock(removal=name) for name in BLOCK.removals},
        removal_studies={"one": replace(BLOCK, per_job=2)},
    )
    (study,) = removal_studies(tmp_path, config, ["one"])
    assert set(study.values["removal"]) == set(BLOCK.removals)
    assert study.cards["gaussian"].target == "conditional"


def test_the_page_shows_choices_and_errors():
    study = made()
    rows = choice_rows([study], 0.05)
    assert [row["rows"] for row in rows] == ["25", "100"]
    assert rows[0]["next"].startswith("marginal: 4.0")
    errors = error_rows([study])
    assert [row["removal"] for row in errors] == BLOCK.removals
    assert errors[0]["errors"][0]["error"] == f"{100 * study.curves.loc['marginal', 25]:.0f} %"
    assert choice_rows([], 0.05) == error_rows([]) == equal_rows([], 0.05) == []


def test_the_site_has_a_page_of_removals_where_they_are_studied():
    compared = own_comparison({("paired-kernel-shap", 50): 1.0, ("a", 50): 0.5})
    without = {"provenance": {"git": {"commit": None}}, "compared": compared}
    files = render(Contents(config_of(compared), **without, removals=[made()]))
    assert sorted(files) == sorted(files_of(reported=False, removals=True, packages=False))
    plain = re.sub(r' data-tip="[^"]*"', "", files["removals.html"])
    assert '<td><button type="button" class="term">gaussian</button></td>' in plain
    assert 'href="removals.html"' in files["index.html"]
    assert "removals.html" not in own_pages(compared)["index.html"]
