"""Which models are fitted to pairs, and what a trial tells of them."""

import numpy as np
import pytest

from shapaudit.estimators import create
from shapaudit.estimators.fits import adaptive
from shapaudit.estimators.fits.adaptive import RELEVANCES, adapt
from shapaudit.estimators.fits.additive import fit_additive
from shapaudit.estimators.fits.kriging import Kriging, Observations
from shapaudit.estimators.fits.likelihood import Hyper
from shapaudit.estimators.fits.mixture import mixed, tried
from shapaudit.estimators.fits.single_index import single_index_of
from shapaudit.estimators.pairs import draw_pairs
from shapaudit.games import TabularGame, all_coalitions
from solved_games import entry
from solved_games.synthetic import KINDS


def test_the_mixture_takes_sets_of_a_trial_but_not_its_relevances():
    rng = np.random.default_rng(0)
    signs = np.vstack([np.where(rng.random((160, 10)) < 0.5, 1.0, -1.0), np.ones(10)])
    values = signs @ np.arange(10.0) + 3.0 * signs[:, 0] * signs[:, 1] * signs[:, 2]
    rows = Observations(
        signs, values + 0.01 * rng.standard_normal(161), np.append(np.ones(160), 0.0)
    )
    seen = np.arange(161) % 4 != 1
    plain, other = (
        Hyper(np.full(10, relevance), 0.1, 0.1, 0.1, 0.1, 0.1, np.full(10, 10**-0.5))
        for relevance in (0.2, 0.4)
    )
    fitted = Kriging(rows, plain)
    trial = tried(Kriging(rows.part(seen), other), rows, ~seen)
    assert trial.squared < 0.01
    mixture = mixed(fitted, trial)
    assert mixture.share > 0.5
    assert [0, 1, 2] in mixture.sparse.sets.members[0].tolist()
    np.testing.assert_array_equal(mixture.sparse.hyper.relevance, plain.relevance)
    np.testing.assert_allclose(mixture.at(signs) + mixture.residuals(), rows.values, atol=1e-8)


def tried_with(monkeypatch, missed, players, n_pairs):
    """Which models are fitted where the trials missed so much."""
    fitted = []

    def trials(rows, own, pairs, rng):
        plain = adaptive._process(rows)

        def model(name):
            fitted.append(name)
            return None, adaptive.ProcessMixture(plain, plain, 0.0)

        return [
            adaptive._Trial(much, lambda name=name: model(name)) for name, much in missed.items()
        ]

    monkeypatch.setattr(adaptive, "_trials", trials)
    game = TabularGame(np.random.default_rng(0).standard_normal(1 << players))
    pairs = draw_pairs(game, 2 + 2 * n_pairs, "leverage", np.random.default_rng(0))
    return fitted, adapt(pairs, np.random.default_rng(1))


@pytest.mark.parametrize(
    ("missed", "n_pairs", "fitted"),
    [
        ({"alone": 1.0, "number": 1.3}, 200, ["alone", "number"]),
        ({"alone": 1.3, "number": 1.0}, 200, ["alone", "number"]),
        ({"alone": 1.0, "number": 1.5}, 200, ["alone"]),
        ({"alone": 1.5, "number": 1.0}, 200, ["number"]),
        ({"alone": 1.0, "number": 1.3}, 199, ["alone"]),
        ({"alone": 1.3, "number": 1.0}, 199, ["number"]),
        ({"alone": 0.0}, 199, ["alone"]),
    ],
)
def test_with_few_pairs_the_better_trial_is_taken_and_with_many_also_what_is_near(
    monkeypatch, missed, n_pairs, fitted
):
    fit, fits = tried_with(monkeypatch, missed, 10, n_pairs)
    assert fit == fitted
    assert len(fits) == len(fitted) * (1 if n_pairs >= 10 * RELEVANCES else 2)


def test_of_blocks_the_better_trial_decides(monkeypatch):
    monkeypatch.setattr(adaptive, "MOST_ROWS", 100)
    for missed, expected in (((1.0, 0.9), ["number"]), ((0.9, 1.0), ["alone"])):
        given = dict(zip(("alone", "number"), missed, strict=True))
        fit, fits = tried_with(monkeypatch, given, 10, 300)
        assert (fit, len(fits)) == (expected, 1)


SIGNS = np.where(all_coalitions(10), 1.0, -1.0)
ONE_SET = SIGNS @ np.arange(10.0) + 5.0 * SIGNS[:, :5].prod(axis=1)


@pytest.mark.parametrize(
    ("table", "share", "trials"),
    [(ONE_SET, 0.04, 2), (ONE_SET, 0.06, 1), (np.tanh(0.1 * SIGNS @ np.arange(10.0)), 1.0, 2)],
)
def test_a_function_of_one_number_is_tried_where_joint_features_or_a_sigmoid_ask_for_it(
    monkeypatch, table, share, trials
):
    monkeypatch.setattr(adaptive, "left_by_sigmoid", lambda _: share)
    noted = []
    tried_of = adaptive._trials
    monkeypatch.setattr(adaptive, "_trials", lambda *of: noted.append(tried_of(*of)) or noted[-1])
    create("auto").estimate(TabularGame(table), 2 + 2 * RELEVANCES * 10, np.random.default_rng(0))
    assert [len(each) for each in noted] == [trials]


@pytest.mark.parametrize(("clearly", "trials"), [(0.0, 1), (1e9, 2)])
def test_with_few_pairs_a_function_of_one_number_must_err_clearly_less_than_slopes(
    monkeypatch, clearly, trials
):
    monkeypatch.setattr(adaptive, "left_by_sigmoid", lambda _: 0.04)
    monkeypatch.setattr(adaptive, "CLEARLY", clearly)
    pairs = draw_pairs(TabularGame(ONE_SET), 400, "leverage", np.random.default_rng(0))
    rows = Observations(
        np.vstack([np.where(pairs.coalitions, 1.0, -1.0), np.ones(10)]),
        np.append(pairs.odd_part, 0.5 * pairs.total),
        np.append(pairs.weights.mean() / pairs.weights, 0.0),
    )
    made = adaptive._trials(rows, np.arange(199), pairs, np.random.default_rng(1))
    assert len(made) == trials
    seen = np.arange(200) % adaptive.HELD_OUT != 1
    missed = adaptive._missed_by_slopes(rows, pairs, seen)
    values = fit_additive(pairs.part(seen[:-1])).values
    left = pairs.odd_part - 0.5 * (np.where(pairs.coalitions, 1.0, -1.0) @ values)
    noises = pairs.weights.mean() / pairs.weights
    assert missed == pytest.approx(np.mean((np.abs(left) / np.sqrt(noises))[~seen[:-1]]))


def test_few_pairs_that_a_function_of_one_number_fits_by_chance_do_no_harm():
    """Among these samples were some with 5 and 30 times the error of least squares."""
    solved = KINDS["third-order"][1](9, np.random.default_rng([99, 9, 0, 11]))
    squares = np.zeros(2)
    for budget, seeds in ((40, range(7, 9)), (60, range(5, 7))):
        for seed in seeds:
            for place, name in enumerate(("auto", "Leverage SHAP")):
                rng = np.random.default_rng([seed, budget])
                values = create(name).estimate(solved.game, budget, rng).values
                squares[place] += np.square(values - solved.values).sum()
    assert squares[0] < 1.3**2 * squares[1]


def test_what_a_trial_misses_is_told_in_squares_and_in_size():
    rng = np.random.default_rng(0)
    signs = np.vstack([np.where(rng.random((80, 6)) < 0.5, 1.0, -1.0), np.ones(6)])
    rows = Observations(signs, signs @ np.arange(6.0), np.append(np.full(80, 4.0), 0.0))
    seen = np.arange(81) % 4 != 1
    wrong = np.flatnonzero(~seen)
    rows.values[wrong[0]] += 6.0
    hyper = Hyper(np.full(6, 0.2), 0.1, 0.1, 0.1, 0.1, 0.1, np.full(6, 6**-0.5))
    missed = tried(Kriging(rows.part(seen), hyper), rows, ~seen)
    assert missed.squared == pytest.approx(9.0 / len(wrong), rel=1e-6)
    assert missed.typical == pytest.approx(3.0 / len(wrong), rel=1e-6)


def test_residuals_of_the_model_are_what_it_leaves_of_the_odd_part():
    pairs = draw_pairs(entry("range-10").solved.game, 300, "leverage", np.random.default_rng(0))
    fit = adapt(pairs, np.random.default_rng(1))[0]
    assert fit.left.shape == fit.left_out.shape == pairs.odd_part.shape
    assert np.linalg.norm(fit.left) < np.linalg.norm(fit.left_out)


def test_the_function_of_a_trial_is_known_to_the_fit_of_all_pairs(monkeypatch):
    functions, given = [], []

    def noted(pairs, rng, known=None):
        given.append(known)
        functions.append(single_index_of(pairs, rng, known))
        return functions[-1]

    monkeypatch.setattr(adaptive, "single_index_of", noted)
    game = TabularGame(np.tanh(SIGNS @ np.linspace(0.5, 1.0, 10)))
    adapt(draw_pairs(game, 600, "leverage", np.random.default_rng(0)), np.random.default_rng(1))
    assert given == [None, functions[0]]
