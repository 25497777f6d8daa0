"""The game of a regression's R^2: reduction, walks, exact values, bad input."""

import numpy as np
import pytest
from scipy.optimize import nnls
from sklearn.linear_model import Lasso

from shapaudit.estimators import OptimisedMonteCarlo, PairedKernelSHAP, RandomOrder
from shapaudit.estimators.convergence import estimate_until
from shapaudit.games import (
    CountedGame,
    GameError,
    PairwiseGame,
    RegressionGame,
    all_coalitions,
    regression,
    regression_active,
    regression_penalised,
    walk,
)
from shapaudit.games.base import prefixes
from shapaudit.games.regression_penalised import PenalisedRegressionGame
from shapaudit.models import LeastSquares, ModelError
from shapaudit.models.reduced import check_columns, cross_validated, reduce_problem, select_ridge
from shapaudit.models.reduction import blocks_of, in_order, reduce_rows
from shapaudit.samplers.permutation_sets import STRUCTURED, affine_sets, cyclic_sets, set_size
from shapaudit.truth import TruthError, compute, shapley_from_table
from shapaudit_audit.study.blocks.runs import EstimatorBlock, ExperimentBlock
from shapaudit_audit.study.experiments import run_spec
from shapaudit_audit.study.ground_truth import compute_all
from shapaudit_audit.study.regression_collection import build_regressions

P = 9


def data(n=60, p=P, seed=0):
    """Rows and responses of a mechanism that depends on p alone."""
    rng, mechanism = np.random.default_rng(seed), np.random.default_rng(100 + p)
    mixing = np.eye(p) + 0.4 * mechanism.normal(size=(p, p)) / np.sqrt(p)
    rows = rng.normal(size=(n, p)) @ mixing + 5.0
    return rows, rows @ mechanism.normal(size=p) + rng.normal(size=n) + 3.0


TRAIN, TEST = data(seed=1), data(n=50, seed=2)


def problem(train=TRAIN, test=TEST, **settings):
    return reduce_problem(blocks_of(*train), blocks_of(*test), **settings)


def refit(members, train=TRAIN, test=TEST, intercept=True, ridge=0.0):
    """R^2 of a regression solved on all rows."""
    (x, y), (u, v) = train, test
    if intercept:
        (x, u), (y, v) = (x - x.mean(axis=0), u - x.mean(axis=0)), (y - y.mean(), v - y.mean())
    x, u = x[:, members], u[:, members]
    stacked = np.vstack([x, np.sqrt(len(y) * ridge) * np.eye(x.shape[1])])
    target = np.append(y, np.zeros(x.shape[1]))
    theta = np.linalg.lstsq(stacked, target, rcond=None)[0]
    return 1 - np.sum((u @ theta - v) ** 2) / np.sum(v**2)


@pytest.mark.parametrize("method", ["cholesky", "qr"])
@pytest.mark.parametrize(("intercept", "ridge"), [(True, 0.0), (False, 0.0), (True, 0.3)])
def test_values_are_those_of_direct_refits(method, intercept, ridge):
    game = RegressionGame([problem(intercept=intercept, method=method).with_ridge(ridge)])
    table = game.table()
    coalitions = all_coalitions(P)
    np.testing.assert_allclose(game(coalitions), table, rtol=0, atol=1e-12)
    for index in (1, 5, 77, 300, 511):
        members = np.flatnonzero(coalitions[index])
        expected = refit(members, intercept=intercept, ridge=ridge)
        assert table[index] == pytest.approx(expected, abs=1e-10)


def test_stable_walks_serve_badly_conditioned_columns():
    (x, y), (u, v) = TRAIN, TEST
    near = 1e-5 * np.random.default_rng(3).normal(size=200)
    parts = [
        (np.column_stack([rows, rows[:, 0] + near[: len(rows)]]), target)
        for rows, target in ((x, y), (u, v))
    ]
    posed = problem(*parts)
    assert posed.methods[0] == "qr"
    assert posed.condition > 1e8
    game = RegressionGame([posed])
    orders = cyclic_sets(1, P + 1, np.random.default_rng(4))[0]
    lifts = game.walk(orders)
    for k in (0, 3):
        sums = np.cumsum(lifts[k][orders[k]])
        for size in (1, 5, P + 1):
            expected = refit(orders[k][:size], *parts)
            assert sums[size - 1] == pytest.approx(expected, abs=1e-8)


def test_shifts_are_walked_like_fresh_permutations():
    for p in (1, 2, 3, 16, 17):
        game = RegressionGame([problem(data(70, p, 5), data(40, p, 6))])
        orders = cyclic_sets(3, p, np.random.default_rng(p)).reshape(-1, p)
        mixed = np.concatenate([orders, orders[:2], orders[::-1]])
        one_by_one = np.concatenate([game.walk(order[None]) for order in mixed])
        np.testing.assert_allclose(game.walk(mixed), one_by_one, rtol=1e-9, atol=1e-10)


def test_threads_change_no_bit():
    orders = cyclic_sets(4, P, np.random.default_rng(7)).reshape(-1, P)
    posed = RegressionGame([problem()])
    two = posed.with_threads(2)
    np.testing.assert_array_equal(posed.walk(orders), two.walk(orders))
    blocks = blocks_of(*data(9000, seed=8))
    for method in ("cholesky", "qr"):
        factors = [reduce_rows(blocks, method, threads=threads).factor for threads in (1, 2)]
        np.testing.assert_array_equal(*factors)
    assert list(in_order(lambda x: x * x, range(7), 3)) == [0, 1, 4, 9, 16, 25, 36]


def test_long_orbits_are_walked_in_parts(monkeypatch):
    game, orders = RegressionGame([problem()]), cyclic_sets(2, P, np.random.default_rng(7))
    whole = game.walk(orders.reshape(-1, P))
    monkeypatch.setattr(regression, "SHIFTS", 3)
    starts = regression._starts(regression.shifts_of(orders.reshape(-1, P)), P // 3)
    assert starts.tolist() == [0, 3, 6, 9, 12, 15]
    parts = game.walk(orders.reshape(-1, P))
    assert (parts != whole).any()  # fresh chains round differently
    np.testing.assert_allclose(parts, whole, rtol=1e-9, atol=1e-11)
    np.testing.assert_array_equal(game.with_threads(3).walk(orders.reshape(-1, P)), parts)


def test_jobs_use_their_threads_and_find_the_same(monkeypatch):
    def counted(game, threads, original=RegressionGame.with_threads):
        asked.append(threads)
        return original(game, threads)

    monkeypatch.setattr(RegressionGame, "with_threads", counted)
    model = LeastSquares(((problem(data(90, 22, 5), data(60, 22, 6)),),), "least-squares", 0, (0,))
    games, asked = build_regressions("g", model, 1, 0), []
    spec = EstimatorBlock(estimator="random-order", params={"permutations": "uniform"})
    setting = ExperimentBlock(game="g", budgets=[1 + 22 * 40], repetitions=2, estimators=["e"])
    outcomes = []
    for threads in (1, 2):
        truths, _ = compute_all(games, "orbits", {"orbits": 3}, None, 1, threads)
        outcomes.append(
            (truths[0].values, run_spec(spec, setting, games, truths, 1, ("e",), threads))
        )
    np.testing.assert_array_equal(outcomes[0][0], outcomes[1][0])
    for column, values in outcomes[0][1][0].items():
        np.testing.assert_array_equal(values, outcomes[1][1][0][column])
    assert asked == [1, 1, 2, 2]


def test_large_blocks_are_eliminated_by_products():
    p = 140  # more than regression_kernels.BLOCK
    game = RegressionGame([problem(data(300, p, 9), data(200, p, 10))])
    order = np.random.default_rng(11).permutation(p)
    sums = np.cumsum(game.walk(order[None])[0][order])
    members = np.zeros((2, p), dtype=bool)
    members[0, order[:130]] = members[1] = True
    np.testing.assert_allclose(sums[[129, 139]], game(members), rtol=1e-9, atol=1e-10)


def test_folds_add_up_their_mean_losses():
    x, y = TRAIN
    parts = [(x[k::3], y[k::3]) for k in range(3)]
    game = RegressionGame(cross_validated(parts))
    losses = np.zeros(2)
    for k in range(3):
        rest = np.concatenate([parts[j][0] for j in range(3) if j != k])
        target = np.concatenate([parts[j][1] for j in range(3) if j != k])
        total = np.sum((parts[k][1] - target.mean()) ** 2)
        share = refit([0, 4], (rest, target), parts[k])
        losses += np.array([(1 - share) * total, total]) / len(parts[k][1])
    members = np.zeros((1, P), dtype=bool)
    members[0, [0, 4]] = True
    assert game(members)[0] == pytest.approx(1 - losses[0] / losses[1], abs=1e-10)
    orders = STRUCTURED["uniform"](3, P, np.random.default_rng(1)).reshape(-1, P)
    np.testing.assert_allclose(game.walk(orders).sum(axis=1), game(np.ones((1, P), bool))[0])


def test_ridge_is_selected_by_the_test_error():
    posed = problem()
    errors = {strength: posed.with_ridge(strength).loss() for strength in (0.0, 0.01, 1.0, 100.0)}
    assert select_ridge([posed], list(errors)) == min(errors, key=errors.get)
    with pytest.raises(ModelError, match="not be negative"):
        posed.with_ridge(-1.0)


def test_exact_values_by_subsets():
    game = RegressionGame([problem()])
    rng = np.random.default_rng(0)
    truth = compute("subsets", game, rng)
    np.testing.assert_allclose(truth.values, compute("enumeration", game, rng).values, atol=1e-12)
    assert truth.certificate == "exact"
    orbits = compute("orbits", game, rng, orbits=400)
    z = (orbits.values - truth.values) / orbits.standard_errors
    assert np.abs(z).max() < 4.5
    with pytest.raises(TruthError, match="RegressionGame"):
        compute("subsets", CountedGame(game), rng)
    with pytest.raises(TruthError, match="no permutations"):
        compute("orbits", game, rng, permutations="zigzag")


def test_twenty_six_features_are_too_many_for_all_subsets():
    game = RegressionGame([problem(data(80, 26, 3), data(40, 26, 4))])
    with pytest.raises(GameError, match="at most 25"):
        game.table()


def test_estimators_run_on_it():
    game = RegressionGame([problem()])
    truth = shapley_from_table(game.table())
    for estimator in (OptimisedMonteCarlo(), PairedKernelSHAP(), RandomOrder("affine")):
        budget = 3 * estimator.minimum_budget(P) + 3000
        estimate = estimator.estimate(CountedGame(game, budget), budget, np.random.default_rng(5))
        assert np.linalg.norm(estimate.values - truth) < 0.05
    stopped = estimate_until(RandomOrder("cyclic"), game, 0.02, 300_000, np.random.default_rng(6))
    assert stopped.converged
    assert np.abs(stopped.estimate.values - truth).max() < 0.02


@pytest.mark.parametrize("p", [1, 2, 4, 5, 7])
def test_affine_sets_are_affine(p):
    sets = affine_sets(2, p, np.random.default_rng(p))
    assert sets.shape == (2, set_size("affine", p), p)
    assert (np.sort(sets, axis=-1) == np.arange(p)).all()
    for orders in sets:
        places = np.argsort(orders, axis=-1)
        counts = np.array([np.bincount(column, minlength=p) for column in places.T])
        assert (counts == len(orders) // p).all()
    if p in (5, 7):  # any two players at any two positions once
        first, second = sets[0][:, 1], sets[0][:, 3]
        assert len(set(zip(first.tolist(), second.tolist(), strict=True))) == p * (p - 1)


def test_affine_orbits_leave_games_of_pairs_no_variance():
    weights = np.random.default_rng(0).normal(size=(7, 7))
    weights = np.triu(weights, 1) + np.triu(weights, 1).T
    game = PairwiseGame(np.arange(7.0), weights)
    orders = affine_sets(1, 7, np.random.default_rng(1))[0]
    np.testing.assert_allclose(walk(game, orders).mean(axis=0), game.shapley_values(), atol=1e-12)


@pytest.mark.parametrize("fit", ["non-negative", "lasso"])
def test_other_penalties_on_the_reduced_data(fit):
    game = PenalisedRegressionGame([problem()], fit, 2.0)
    members = np.zeros((2, P), dtype=bool)
    members[0, [1, 2, 6]] = True
    value, nothing = game(members)
    (x, y), (u, v) = TRAIN, TEST
    u, v = (u - x.mean(axis=0))[:, members[0]], v - y.mean()
    x, y = (x - x.mean(axis=0))[:, members[0]], y - y.mean()
    theta = nnls(x, y)[0] if fit == "non-negative" else lasso(x, y, 2.0)
    assert value == pytest.approx(1 - np.sum((u @ theta - v) ** 2) / np.sum(v**2), abs=1e-8)
    assert nothing == pytest.approx(0.0, abs=1e-12)
    with pytest.raises(GameError, match="unknown fit"):
        PenalisedRegressionGame([problem()], "ridge")


def lasso(x, y, penalty):
    """Another library's answer; it halves the mean of the squares."""
    model = Lasso(penalty / (2 * len(y)), fit_intercept=False, tol=1e-14, max_iter=100_000)
    return model.fit(x, y).coef_


@pytest.mark.parametrize("penalty", [0.5, 20.0, 300.0])
def test_penalised_walks_are_those_of_the_coalitions(penalty):
    orders = STRUCTURED["uniform"](40, P, np.random.default_rng(5)).reshape(-1, P)
    coalitions = prefixes(orders).reshape(-1, P)
    for fit in ("non-negative", "lasso"):
        game = PenalisedRegressionGame([problem(), problem().scaled(0.5)], fit, penalty)
        sums = np.cumsum(np.take_along_axis(game.walk(orders), orders, axis=1), axis=1)
        np.testing.assert_allclose(sums.ravel(), game(coalitions), rtol=0, atol=1e-12)
        two = game.with_threads(2)
        np.testing.assert_array_equal(two.walk(orders), game.walk(orders))
        np.testing.assert_array_equal(two(coalitions), game(coalitions))


@pytest.mark.parametrize("near", [1.0, 1e-3, 1e-6, 0.0])
@pytest.mark.parametrize(("fit", "penalty"), [("non-negative", 0.0), ("lasso", 0.01), ("lasso", 9)])
def test_penalised_fits_meet_their_conditions(near, fit, penalty):
    rng = np.random.default_rng(8)
    rows = rng.normal(size=(50, 6))
    rows = np.column_stack([rows, rows[:, :3] + near * rng.normal(size=(50, 3))])
    target = rows @ rng.normal(size=9) + rng.normal(size=50)
    posed = problem((rows, target), (rows, target), intercept=False)
    columns, response = map(np.ascontiguousarray, (posed.factor.T, posed.response))
    p, signed, half = len(columns), fit == "lasso", penalty / 2
    state = np.empty(p, dtype=np.int64), np.empty(p), np.empty((p, p)), np.empty((p, p))
    theta, inside = np.zeros(p), np.arange(p) != 4
    fit_in_python = regression_active._fit.py_func  # what it calls is compiled for the games
    k = fit_in_python(0, columns, response, half, signed, inside, *state, theta)
    assert k == np.count_nonzero(theta) <= p - 1
    gradient = columns @ (response - theta @ columns)
    small = 1e-9 * np.abs(columns @ response).max()
    wanted = half * np.sign(theta[theta != 0])
    np.testing.assert_allclose(gradient[theta != 0], wanted, atol=small)
    idle = inside & (theta == 0)
    assert (gradient[idle] <= half + small).all()
    assert (gradient[idle] >= -half - small).all() if signed else (theta >= 0).all()


def test_features_leave_in_the_order_in_which_their_parameters_reach_zero():
    rng, left_more_than_once = np.random.default_rng(0), 0
    for _ in range(100):
        columns = rng.normal(size=(5, 6)) @ (np.eye(6) + 1.0)
        response, theta = rng.normal(size=6), rng.uniform(0.1, 2.0, 5)
        expected, active = theta.copy(), list(range(5))
        while active:
            solution = np.linalg.lstsq(columns[active].T, response, rcond=None)[0]
            old = expected[active]
            shares = np.where(solution <= 0, old / (old - solution), 1.0)
            expected[active] = old + shares.min() * (solution - old)
            if (solution > 0).all():
                break
            expected[active.pop(int(shares.argmin()))] = 0.0
        left_more_than_once += len(active) < 4
        state = np.arange(5), np.ones(5), np.empty((5, 6)), np.empty((5, 5))
        for k in range(5):
            assert regression_active._append(columns[k], k, *state[2:])
        k = regression_active._settle(5, columns, response, 0.0, *state, theta)
        assert (k, state[0][:k].tolist()) == (len(active), active)
        np.testing.assert_allclose(theta, expected, rtol=0, atol=1e-9)
    assert left_more_than_once > 20


def test_a_penalised_fit_that_does_not_end_is_refused(monkeypatch):
    monkeypatch.setattr(regression_penalised, "coalition_losses", lambda *arguments: False)
    game = PenalisedRegressionGame([problem()], "lasso", 1.0)
    with pytest.raises(GameError, match="lasso fit did not converge"):
        game(np.ones((1, P), dtype=bool))


def with_column(values):
    return [(np.column_stack([rows, values(rows)]), target) for rows, target in (TRAIN, TEST)]


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        (with_column(lambda rows: rows[:, 2]), "columns .* depend linearly"),
        (with_column(lambda rows: rows[:, 0] + 2 * rows[:, 1]), "columns .* depend linearly"),
        (with_column(lambda rows: np.full(len(rows), 4.0)), r"columns \[9\] are constant"),
        ([data(6), TEST], "6 training rows do not determine 9"),
    ],
)
def test_undetermined_coefficients_are_refused_without_a_ridge(parts, message):
    posed = problem(*parts)
    with pytest.raises(ModelError, match=message):
        check_columns(posed)
    with pytest.raises(GameError, match="depend on each other"):
        RegressionGame([posed])
    p = parts[0][0].shape[1]
    game = RegressionGame([posed.with_ridge(0.1)])
    expected = refit(np.arange(p), *parts, ridge=0.1)
    assert game(np.ones((1, p), dtype=bool))[0] == pytest.approx(expected, abs=1e-10)


def test_bad_rows_are_refused():
    rows, target = TRAIN
    holed = rows.copy()
    holed[3, 4] = np.nan
    with pytest.raises(ModelError, match="column 4"):
        problem((holed, target))
    with pytest.raises(ModelError, match="columns of the training set"):
        problem(test=(TEST[0][:, 1:], TEST[1]))
    with pytest.raises(ModelError, match=r"shapes \(60, 9\) and \(60, 1\)"):
        problem((rows, target[:, None]))
    with pytest.raises(ModelError, match="unknown reduction"):
        problem(method="lu")
    with pytest.raises(GameError, match="constant"):
        RegressionGame([problem(test=(TEST[0], np.full(50, TRAIN[1].mean())))])
    with pytest.raises(ModelError, match="at least 2 folds"):
        cross_validated([TRAIN])


def test_cholesky_says_when_it_fails():
    parts = with_column(lambda rows: rows[:, 2])
    with pytest.raises(ModelError, match="reduce by qr"):
        reduce_rows(blocks_of(*parts[0]), "cholesky")
