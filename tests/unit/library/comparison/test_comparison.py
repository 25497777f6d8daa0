"""What a comparison finds, against computations of its own on errors that are made up."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from made_comparisons import BUDGETS, FACTORS, ROWS, RUNS, comparison, errors_of, planned

from shapaudit.comparison import TableError
from shapaudit.comparison.comparison import EXACT, Comparison
from shapaudit.comparison.words import answer, price


def test_a_line_is_the_median_over_rows_of_means_over_runs():
    compared = comparison()
    table = compared.table().set_index(["estimator", "budget"])
    for name in FACTORS:
        for budget in BUDGETS:
            shares = []
            for row in range(ROWS):
                mine = compared.errors.query(
                    f"estimator == '{name}' and budget == {budget} and row == {row}"
                )
                assert len(mine) == RUNS
                shares.append(mine["error"].sum() / RUNS / (1.0 + row))
            line = table.loc[(name, budget)]
            assert line["relative"] == pytest.approx((sorted(shares)[5] + sorted(shares)[6]) / 2)
            # P(at most 2 of 12 rows on one side of the median) = 79 / 4096 < 0.025 < 299 / 4096
            assert (line["low"], line["high"]) == pytest.approx(
                (sorted(shares)[2], sorted(shares)[9])
            )
            assert line["seconds"] == 0.25
            assert line["per_player"] == pytest.approx(
                np.median(np.array(shares) * (1.0 + np.arange(ROWS)) / 2)
            )


def test_estimators_and_rows_keep_their_order():
    errors = errors_of()
    turned = pd.concat([errors[errors.row == row] for row in reversed(range(ROWS))])
    compared = comparison(turned)
    assert list(compared.by_row()["row"].unique()) == list(reversed(range(ROWS)))
    assert list(compared.table()["estimator"].unique()) == list(FACTORS)
    assert list(compared.needed().index) == list(FACTORS)


def test_few_rows_have_no_limits():
    table = comparison(errors_of(rows=5), planned(explicands=5)).table()
    assert table[["low", "high"]].isna().all().all()


def test_errors_of_rounding_are_equal():
    errors = errors_of({"good": 1e-13, "other": 1e-12})
    compared = comparison(errors).by_row()
    np.testing.assert_allclose(compared["error"], EXACT * compared["scale"])
    nothing = comparison(errors.assign(error=0.0, scale=0.0))
    assert (nothing.by_row()["relative"] == 0.0).all()
    assert set(nothing.ratios().values()) <= {(1.0, 1.0, 1.0), (1.0, 0.0, np.inf)}


def test_evaluations_needed_are_between_those_that_were_made():
    frame = errors_of({"good": 1.0}, spread=0.0).assign(scale=1.0)
    errors = pd.concat(
        [
            frame.assign(error=np.where(frame.budget == 10, 0.2, 0.025)),  # 0.1 a third of the way
            frame.assign(estimator="exact", error=0.001),
            frame.assign(estimator="poor", error=0.5),
        ]
    )
    needed = comparison(errors).needed()
    assert list(needed.columns) == ["10%", "5%", "1%"]
    # log 2 of the errors: -2.32 and -5.32, so 10 % is reached at 10 * 2^(1/3), 5 % at 10 * 2^(2/3)
    assert needed.loc["good"].tolist() == ["13", "16", ">20"]
    assert needed.loc["exact"].tolist() == ["<=10", "<=10", "<=10"]
    assert needed.loc["poor"].tolist() == [">20", ">20", ">20"]


def test_the_best_is_closest_to_the_least_on_most_rows():
    compared = comparison()
    assert compared.best() == "good"
    swapped = compared.errors.replace({"estimator": {"good": "bad", "bad": "good"}})
    assert comparison(swapped).best() == "bad"
    # Once far off is less than always a little off.
    errors = errors_of({"steady": 1.1, "mostly": 1.0}, spread=0.0)
    errors.loc[(errors.estimator == "mostly") & (errors.row == 0), "error"] *= 1000
    assert comparison(errors).best() == "mostly"


def test_ratios_are_those_of_the_largest_budget_with_limits():
    errors = errors_of()
    errors.loc[(errors.estimator == "bad") & (errors.budget == 10), "error"] *= 50
    ratios = comparison(errors).ratios()
    assert set(ratios) == {"bad", "worse"}
    for name, factor in (("bad", 3.0), ("worse", 9.0)):
        estimate, low, high = ratios[name]
        assert low < estimate < high
        assert estimate == pytest.approx(factor, rel=0.15)
        assert low > factor / 1.5
        assert high < factor * 1.5
    few = comparison(errors_of(rows=9), planned(explicands=9)).ratios()
    assert few["bad"][1:] == (0.0, np.inf)
    assert comparison(errors_of({"good": 1.0})).ratios() == {}


def test_the_answer_names_whom_the_best_beats():
    said = " ".join(answer(comparison()))
    assert (
        "Use good: among the estimators compared, its error is closest to the smallest one on most"
        in said
    )
    assert "With 20 evaluations its error is smaller than that of bad and worse on a" in said
    assert "cannot distinguish" not in said
    assert "is smaller on a typical row." not in said
    assert "not resolved" not in said
    three = " ".join(answer(comparison(errors_of(FACTORS | {"worst": 27.0}))))
    assert "smaller than that of bad, worse and worst on" in three


def test_the_answer_says_from_whom_the_best_is_not_told():
    alike = comparison(errors_of({"good": 1.0, "twin": 1.01, "bad": 4.0}, spread=0.3))
    other = {"good": "twin", "twin": "good"}[alike.best()]
    said = " ".join(answer(alike))
    assert f"With 20 evaluations 12 rows cannot distinguish it from {other}." in said
    assert "its error is smaller than that of bad on a typical row" in said


def test_a_limit_of_one_distinguishes_nobody(monkeypatch):
    limits = {"bad": (2.0, 1.0, 3.0), "worse": (0.5, 0.2, 1.0)}
    monkeypatch.setattr(Comparison, "ratios", lambda self: limits)
    said = " ".join(answer(comparison()))
    assert "12 rows cannot distinguish it from bad and worse." in said
    assert "smaller" not in said.partition("most rows.")[2]
    limits |= {"bad": (1.5, 1.1, 3.0), "worse": (0.8, 0.5, 0.9)}
    said = " ".join(answer(comparison()))
    assert "its error is smaller than that of bad on" in said
    assert "the error of worse is smaller on" in said
    assert "cannot distinguish" not in said


def test_the_answer_says_who_errs_less_at_the_largest_budget():
    late = errors_of({"early": 1.0, "late": 3.0}, spread=0.01)
    late.loc[(late.estimator == "late") & (late.budget == 20), "error"] /= 6
    late.loc[(late.estimator == "early") & (late.budget == 10), "error"] /= 4
    said = " ".join(answer(comparison(late)))
    assert "Use early" in said
    assert "With 20 evaluations the error of late is smaller on a typical row." in said


def test_the_answer_says_what_is_free_and_what_is_not_resolved():
    free = (
        "Exact values are affordable here: 4 players have 16 coalitions, which take 10 s per row."
    )
    assert answer(comparison(plan=planned(seconds=120.0)))[0] == free
    dear = answer(comparison(plan=planned(seconds=121.0)))
    assert not any("Exact values are" in sentence for sentence in dear)
    trees = planned("trees", seconds=1e5)
    assert "they follow from the trees" in answer(comparison(plan=trees))[0]
    reference = comparison(plan=planned("reference", 300, seconds=12.0), resolution=0.0123)
    said = answer(reference)
    assert not any("Exact values are" in sentence for sentence in said)
    assert "errors below 0.0123 (norm of their standard errors) are not resolved" in said[-1]


def test_without_budgets_there_are_only_exact_values():
    none = comparison(errors_of().iloc[:0], planned(seconds=12.0))
    assert len(answer(none)) == 1
    assert "Evaluations for an error" not in str(none)


@pytest.mark.parametrize(
    ("truth", "reference", "words"),
    [
        ("enumeration", 0, "exact values from all coalitions"),
        ("trees", 0, "exact values from the trees"),
        ("reference", 1500, "reference values from 1,500 evaluations of auto each"),
    ],
)
@pytest.mark.parametrize(
    ("background", "filled"), [(1, "one typical row"), (3, "3 background rows")]
)
def test_the_price_is_a_sentence(truth, reference, words, background, filled):
    compared = comparison(plan=planned(truth, reference), background=background, rows=2500)
    assert price(compared) == (
        f"12 rows explained over {filled}, {words}; 2,500 rows of the model, about 10 min 0 s."
    )


def test_an_error_of_nothing_is_as_good_as_the_best_and_no_better():
    """On rows without values; what errs there is without bound worse."""
    errors = {"bold": [0.0, 0.0, 1.5, 1.5], "careful": [0.0, 1e-9, 1.0, 1.0]}
    lines = [
        (name, 10, row, 0, 10, error, float(row > 1), error, 0.1)
        for name, own in errors.items()
        for row, error in enumerate(own)
    ]
    frame = pd.DataFrame(lines, columns=errors_of().columns)
    assert comparison(frame).best() == "careful"  # medians 1 and (1 + 1.5) / 2
    frame = frame.assign(error=[0.0, 2.0] * 2 + [1.0, 0.0] * 2, scale=0.0)
    assert comparison(frame).best() == "careful"  # both without bound on half of the rows
    frame = frame[frame.row < 3].assign(error=[0.0, 1.2, 1.0, 1.0, 1.0, 1.1], scale=0.0)
    assert comparison(frame).best() == "bold"  # medians 1 and 1.1


def test_the_best_is_judged_by_ratios_of_errors_and_not_by_their_size():
    """Of three rows the one that errs least on a typical row may err more in the median."""
    errors = {"one": [0.5, 0.24, 0.1], "other": [0.49, 0.2, 0.25]}
    lines = [
        (name, 10, row, 0, 10, error, 1.0, error, 0.1)
        for name, own in errors.items()
        for row, error in enumerate(own)
    ]
    frame = pd.DataFrame(lines, columns=errors_of().columns)
    assert comparison(frame).best() == "other"  # medians 1.02 and 1; 0.24 and 0.25


def test_ratios_have_limits_from_ten_rows_on():
    ratios = comparison(errors_of(rows=10), planned(explicands=10)).ratios()
    assert all(0 < low < estimate < high < 100 for estimate, low, high in ratios.values())


def test_ratios_are_of_estimators_that_ran_on_all_rows_at_the_largest_budget():
    errors = errors_of()
    last = errors.budget == 20
    some = errors[~(last & (errors.estimator == "bad") & (errors.row == 3))]
    assert set(comparison(some).ratios()) == {"worse"}
    early = errors[~(last & (errors.estimator == "good"))]
    assert comparison(early).best() == "good"
    assert comparison(early).ratios() == {}


def test_a_row_that_is_explained_alone_takes_all_the_time():
    compared = comparison(plan=planned(explicands=1, seconds=8.0))
    assert "16 coalitions, which take 8 s per row" in answer(compared)[0]
    assert price(replace(compared, rows=2)).endswith("2 rows of the model, about 1 s.")


def test_standard_errors_of_rounding_are_called_exact():
    median = errors_of()["scale"].median()
    plan = planned("reference", 300)
    for share, said in ((0.9, "exact except for rounding"), (1.1, "are not resolved")):
        sentences = answer(comparison(plan=plan, resolution=share * EXACT * median))
        assert said in sentences[-1]
    assert "rounding" not in answer(comparison(plan=plan))[-1]


def test_where_all_values_are_zero_no_estimator_is_recommended():
    compared = comparison()
    compared.values[:] = 0.0
    assert answer(compared)[-1].startswith("All values are zero")
    assert "Use" not in " ".join(answer(compared))


@pytest.mark.parametrize(
    ("plan", "said"),
    [
        # 0.25 s for each run, whatever its budget
        (planned(seconds=ROWS * 0.26), "Use good: among the estimators"),
        (
            planned(seconds=ROWS * 0.25),
            "Use the exact values: they take no longer than good with 10",
        ),
        (planned("trees"), "Use the exact values: they take no longer than good with 10"),
        (planned("reference", 100, seconds=0.1), "Use good: among the estimators"),
    ],
)
def test_exact_values_are_recommended_where_they_take_no_longer(plan, said):
    assert said in " ".join(answer(comparison(plan=plan)))


def test_what_an_explanation_takes_is_said_beside_the_exact_values():
    errors = errors_of()
    errors["seconds"] = errors["budget"] * 1.0
    said = " ".join(answer(comparison(errors, planned(seconds=ROWS * 15.0))))
    assert "An explanation by good takes 10 s with 10 evaluations and 20 s with 20." in said
    said = " ".join(answer(comparison(errors, planned("reference", 100))))
    assert "An explanation by" not in said


def test_an_estimator_that_needs_clearly_fewer_evaluations_for_some_error_is_named():
    """As for near-additive models, on which all is decided at the smallest budget."""
    errors = errors_of({"auto": 1.0}, spread=0.0).assign(scale=1.0)
    early = pd.concat(
        [
            errors.assign(error=np.where(errors.budget == 10, 0.2, 0.0001)),
            errors.assign(estimator="pairs", error=np.where(errors.budget == 10, 0.02, 0.015)),
        ]
    )
    compared = comparison(early)
    assert compared.best() == "auto"
    assert [word for _, word in compared.reached()["auto"]] == ["", "", ""]
    assert compared.reached()["pairs"] == [
        (10.0, "at most"),
        (10.0, "at most"),
        (20.0, "more than"),
    ]
    said = " ".join(answer(compared))
    fewer = "pairs needs fewer evaluations: 10 against 11 for 5%."
    assert f"Depending on the error that is wanted, {fewer}" in said
    alike = early.assign(error=early["error"].where(early.estimator == "auto", 0.19))
    assert "Depending" not in " ".join(answer(comparison(alike)))


def test_without_runs_tables_are_empty_and_nobody_is_best():
    compared = comparison(pd.DataFrame(), planned())
    assert compared.table().empty
    assert compared.by_row().empty
    assert compared.needed().empty
    assert (compared.ratios(), compared.reached()) == ({}, {})
    with pytest.raises(TableError, match="no estimator was compared, since all 16 coalitions of 4"):
        compared.best()


def test_one_row_is_one_row():
    alike = errors_of({"good": 1.0, "twin": 1.01}, rows=1)
    assert "1 row cannot distinguish" in " ".join(answer(comparison(alike, planned(explicands=1))))
