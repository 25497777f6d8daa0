"""Data and parameters that a removal cannot use are refused, by feature, removal and remedy."""

import re

import numpy as np
import pytest
from removal_worlds import Function, dataset_of

from shapaudit.games import all_coalitions
from shapaudit.removals import RemovalError, create

RNG = np.random.default_rng(0)
ROWS = RNG.normal(size=(60, 3))
NAMES = ("age", "sex", "bmi")
SUM = Function(lambda rows: rows.sum(axis=1))
MIXED = np.column_stack([ROWS[:, 0], ROWS[:, 1] > 0, ROWS[:, 2]])


def fit(name, params=None, rows=ROWS, target=None):
    data = dataset_of(rows, target, NAMES[: rows.shape[1]])
    return create(name, params).fit(SUM, data, np.random.default_rng(0))


def play(fitted, explicand):
    return fitted.game(np.array(explicand, dtype=float), np.random.default_rng(0))


@pytest.mark.parametrize(
    ("name", "params", "rows", "words"),
    [
        (
            "marginal",
            {"rows": 61},
            ROWS,
            "marginal: 61 .* of 60 training rows; take rows of at most",
        ),
        ("kernel", {"most": 61}, ROWS, "kernel: 61 rows .* of 60 training rows; take most"),
        ("gaussian", {}, ROWS[:3], "gaussian: 3 training rows .* 3 features 'age', 'sex', 'bmi'"),
        ("mixture", {"components": 60}, ROWS, "mixture: 60 components .* there are 60"),
        ("surrogate", {}, ROWS[:9], "surrogate: 9 training rows are too few"),
        (
            "cohort",
            {"categorical": ["sec"]},
            ROWS,
            "cohort: categorical: no feature is called 'sec'",
        ),
        ("separate", {}, ROWS, "separate: .* target, which is missing; give the dataset one"),
        ("missingness", {}, ROWS, "missingness: .* target, which is missing; give"),
        ("path-dependent", {}, ROWS, "path-dependent: the model is no ensemble of trees that"),
        ("copula", {}, MIXED, "copula: the features 'sex' have few distinct values over 60"),
        ("surrogate", {"loss": "logistic"}, ROWS, "surrogate: .* outputs reach from -.*; set loss"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_data_that_do_not_suffice_are_refused(name, params, rows, words):
    with pytest.raises(RemovalError, match=words):
        fit(name, params, rows)


@pytest.mark.parametrize("name", ["gaussian", "mixture", "kernel", "combined"])
def test_columns_without_a_covariance_are_named(name):
    constant = np.where([False, True, False], 0.1, ROWS)
    with pytest.raises(RemovalError, match=f"^{name}: .*the features 'sex' are constant over"):
        fit(name, rows=constant)
    twice = ROWS[:, [0, 1, 0]]
    with pytest.raises(RemovalError, match=r"the features 'age', 'bmi' depend linearly .*; drop"):
        fit(name, rows=twice)


def test_separate_least_squares_names_columns_too():
    with pytest.raises(RemovalError, match="separate: the features 'age', 'bmi' depend linearly"):
        fit("separate", rows=ROWS[:, [0, 1, 0]], target=ROWS[:, 0])


def test_a_target_with_gaps_is_refused():
    with pytest.raises(RemovalError, match="missing in some rows"):
        fit("missingness", target=np.where(ROWS[:, 0] > 1, np.nan, 0.0))


def test_too_many_features_for_separate_models_are_refused():
    rows = RNG.normal(size=(60, 17))
    data = dataset_of(rows, rows[:, 0])
    with pytest.raises(RemovalError, match=r"17 features need 2\^17 models; at most 16 by least"):
        create("separate").fit(SUM, data, np.random.default_rng(0))


@pytest.mark.parametrize("name", ["exact-match", "cohort"])
def test_values_that_no_row_has_are_named_before_the_first_evaluation(name):
    fitted = fit(name, {"own_row": False} | ({"categorical": ["sex"]} if name == "cohort" else {}))
    with pytest.raises(RemovalError, match=rf"{name}: no training row matches .* 'sex' = 7"):
        play(fitted, [ROWS[0, 0], 7.0, ROWS[0, 2]])


def test_coalitions_that_no_row_matches_are_named():
    game = play(fit("exact-match"), [ROWS[0, 0], ROWS[1, 1], ROWS[2, 2]])
    assert np.isfinite(game(np.array([[True, False, False], [True, True, True]]))).all()
    with pytest.raises(
        RemovalError, match=r"no training row matches .* 'age', 'sex' together; take"
    ):
        game(all_coalitions(3))


@pytest.mark.parametrize(("fallback", "value"), [("own", None), ("marginal", "mean")])
def test_fallbacks_stand_in_for_missing_matches(fallback, value):
    x = np.array([ROWS[0, 0], 9.0, ROWS[2, 2]])
    game = play(fit("exact-match", {"fallback": fallback}), x)
    coalition = np.array([[False, True, True]])
    hybrids = np.where(coalition, x, ROWS).sum(axis=1).mean()
    expected = hybrids if value else x.sum()
    np.testing.assert_allclose(game(coalition), [expected], rtol=1e-12)
    assert game.rows(coalition).tolist() == [60 if value else 0]


def test_categories_that_no_row_has_are_named_by_the_kernel():
    fitted = fit("kernel", {"categorical": ["sex"]}, MIXED)
    with pytest.raises(RemovalError, match="kernel: no training row has the category 'sex' = 2"):
        play(fitted, [0.0, 2.0, 0.0])
    both = np.column_stack([MIXED[:, 1], MIXED[:, 1], MIXED[:, 0]])
    game = play(fit("kernel", {"categorical": ["age", "sex"]}, both), [0.0, 1.0, 0.0])
    with pytest.raises(RemovalError, match=r"no training row has .* in 'age', 'sex' together"):
        game(all_coalitions(3))


def test_explicands_outside_the_range_of_a_copula_are_named():
    top = ROWS[:, 1].max()
    with pytest.raises(RemovalError, match=r"copula: .*'sex' = 9 outside .*; set outside 'edge'"):
        play(fit("copula"), [0.0, 9.0, 0.0])
    beyond, edge = (
        play(fit("copula", {"outside": "edge"}), [0.0, value, 0.0]) for value in (9.0, top)
    )
    coalition = np.array([[False, True, False]])
    np.testing.assert_allclose(beyond(coalition) - edge(coalition), 9.0 - top)


@pytest.mark.parametrize(
    ("name", "params", "words"),
    [
        ("gausian", {}, r"unknown removal 'gausian' \(did you mean 'gaussian'\?\); known: autoen"),
        ("gaussian", {"draw": 3}, "'gaussian' has no parameter 'draw'; it has 'draws', 'anti"),
        ("gaussian", {"draws": 0}, "gaussian: draws must be an integer of at least 1, got 0"),
        ("gaussian", {"draws": 3, "antithetic": True}, "come in pairs; 3 is odd"),
        ("gaussian", {"draws": 2.5}, "gaussian: draws must be a whole number; got 2.5"),
        ("marginal", {"choice": "nearest"}, "choice 'nearest' is none of 'random', 'k-means'"),
        ("kernel", {"bandwidth": 0.0}, "kernel: bandwidth must be above 0"),
        ("cohort", {"ratio": 2.0}, "cohort: ratio must lie in"),
        ("cohort", {"percentiles": [90, 10]}, "percentiles be two increasing numbers"),
        ("surrogate", {"hidden": [0]}, "a width of hidden must be an integer of at least 1"),
        ("mixture", {"floor": 0.0}, "mixture: floor must be above 0"),
        ("no.such.Thing", {}, "cannot import the removal 'no.such.Thing'"),
        ("shapaudit.games.AdditiveGame", {}, "not a subclass of shapaudit.removals.base.Removal"),
    ],
)
def test_parameters_that_make_no_sense_are_refused(name, params, words):
    with pytest.raises(RemovalError, match=words):
        create(name, params)


def test_a_damaged_file_is_named(tmp_path):
    from shapaudit.removals import load_removal

    fit("marginal").save(tmp_path)
    (tmp_path / "removal.npz").write_bytes(b"PK")
    with pytest.raises(
        RemovalError, match=r"holds no fitted removal .*; delete it and fit it again"
    ):
        load_removal(tmp_path, SUM)


def test_backgrounds_are_not_cut():
    rows = RNG.normal(size=(5000, 2))
    game = play(fit("marginal", rows=rows), [0.0, 0.0])
    assert game.rows(np.array([[True, False]])).tolist() == [5000]


def test_the_explicand_itself_is_named_where_the_model_fails_on_it():
    undefined = Function(lambda rows: np.where(rows[:, 0] == 5, np.nan, rows[:, 0]))
    fitted = create("marginal").fit(undefined, dataset_of(ROWS, None, NAMES), RNG)
    with pytest.raises(RemovalError, match=r"marginal: .* nan on a row, the explicand; "):
        play(fitted, [5.0, 0.0, 0.0])(np.array([[True, True, True]]))


@pytest.mark.parametrize(
    ("name", "params"),
    [
        ("surrogate", {"hidden": [4], "epochs": 3}),
        ("mixture", {"components": 2}),
        ("kernel", {"selection": "aicc"}),
    ],
)
def test_long_fits_say_how_far_they_are(name, params, caplog, monkeypatch):
    monkeypatch.setattr("shapaudit.progress.INTERVAL", 0.0)
    caplog.set_level("INFO", "shapaudit.progress")
    fit(name, params)
    assert re.search(r": 1 of \d+ (epochs|steps|sizes) .* left", caplog.text)
