"""What every removal of the package promises: purity, counted rows, files, noise, bad input."""

import numpy as np
import pytest
import scipy.sparse

from shapaudit.datasets import Dataset
from shapaudit.estimators import REGISTRY as ESTIMATORS
from shapaudit.games import (
    CountedGame,
    all_coalitions,
    grand_value,
    realisation,
    tabulate,
)
from shapaudit.models import CountedModel, RowsExceeded, train
from shapaudit.removals import (
    REGISTRY,
    RemovalCard,
    RemovalError,
    RemovalGame,
    create,
    load_removal,
)

D, N = 4, 120
NET = {"hidden": (8,), "epochs": 3}
SMALL = {
    "autoencoder": {"draws": 8, "latent": 2, **NET},
    "combined": {"draws": 8, "largest": 1},
    "copula": {"draws": 8},
    "exact-match": {"own_row": True},
    "gaussian": {"draws": 8},
    "missingness": NET,
    "mixture": {"draws": 8, "components": 2},
    "product": {"draws": 8},
    "surrogate": NET,
    "uniform": {"draws": 8},
}
VARIANTS = [
    ("baseline", {"row": "drawn"}),
    ("baseline", {"row": "median"}),
    ("baseline", {"row": "zero"}),
    ("cohort", {"ratio": 0.3, "own_row": False, "fallback": "marginal"}),
    ("combined", {"draws": 8, "beyond": "copula", "most": 10}),
    ("copula", {"draws": 8, "antithetic": True, "outside": "edge"}),
    ("exact-match", {"fallback": "marginal"}),
    ("exact-match", {"fallback": "own"}),
    ("gaussian", {"draws": 8, "antithetic": True}),
    ("kernel", {"bandwidth": 0.5, "most": 20}),
    ("kernel", {"selection": "aicc"}),
    ("marginal", {"rows": 7}),
    ("marginal", {"rows": 7, "choice": "k-means"}),
    ("missingness", {"trainer": "xgboost", "n_estimators": 3, "max_depth": 2}),
    ("path-dependent", {"weights": "file"}),
    ("separate", {"trainer": "xgboost", "n_estimators": 3, "max_depth": 2}),
    ("surrogate", {"ends": "known", **NET}),
]
REMOVALS = [
    *(create(id, SMALL.get(id)) for id in REGISTRY),
    *(create(name, params) for name, params in VARIANTS),
]
NOISELESS = [removal for removal in REMOVALS if removal.card.noise == "none"]


def table(seed=0, n=N):
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(n, D)) @ (np.eye(D) + 0.4)
    target = rows[:, 0] - 2 * rows[:, 1] * rows[:, 2] + 0.1 * rng.normal(size=n)
    names = tuple(f"x{j}" for j in range(D))
    split = {"train": np.arange(n - 9), "test": np.arange(n - 9, n)}
    return Dataset("drawn", rows, target, names, split, "generated")


@pytest.fixture(scope="module")
def dataset():
    return table()


@pytest.fixture(scope="module")
def model(dataset):
    return train("xgboost", dataset, {"n_estimators": 5, "max_depth": 3}, 0)


@pytest.fixture
def explicand(dataset):
    return np.median(dataset.features, axis=0)


def fit(removal, model, dataset, seed=0):
    return removal.fit(model, dataset, np.random.default_rng(seed))


def play(fitted, explicand, seed=0):
    return fitted.game(explicand, np.random.default_rng(seed))


each = pytest.mark.parametrize("removal", REMOVALS, ids=repr)


@each
def test_has_a_card_and_is_named(removal):
    assert isinstance(removal.card, RemovalCard)
    assert type(removal) is type(create(removal.id))


@each
def test_plays_a_pure_game_whatever_the_batch(removal, model, dataset, explicand):
    game = play(fit(removal, model, dataset), explicand)
    assert isinstance(game, RemovalGame)
    assert game.n_players == D
    coalitions = all_coalitions(D)
    values = game(coalitions)
    assert values.dtype == np.float64
    order = np.random.default_rng(1).permutation(np.repeat(np.arange(len(values)), 3))
    np.testing.assert_array_equal(game(coalitions[order]), values[order])
    np.testing.assert_array_equal([game(row[None])[0] for row in coalitions], values)
    np.testing.assert_array_equal(game(np.asfortranarray(coalitions)), values)
    assert game(coalitions[:0]).shape == (0,)


@each
def test_depends_on_nothing_but_its_generators(removal, model, dataset, explicand):
    first, again = fit(removal, model, dataset), fit(removal, model, dataset)
    assert first.arrays.keys() == again.arrays.keys()
    for key, array in first.arrays.items():
        assert array.tobytes() == again.arrays[key].tobytes()
    np.testing.assert_array_equal(*(tabulate(play(f, explicand)).values for f in (first, again)))


@pytest.mark.parametrize("removal", NOISELESS, ids=repr)
def test_has_no_noise_where_its_card_says_so(removal, model, dataset, explicand):
    fitted = fit(removal, model, dataset)
    first, two = (tabulate(play(fitted, explicand, seed)).values for seed in (1, 2))
    np.testing.assert_array_equal(first, two)


@each
def test_counts_its_rows(removal, model, dataset, explicand):
    counted = CountedModel(model)
    fitted = fit(removal, counted, dataset)
    assert counted.rows == fitted.fit_rows
    game = play(fitted, explicand)
    assert counted.rows == fitted.fit_rows + game.prepared_rows
    before, coalitions = counted.rows, all_coalitions(D)
    game(coalitions)
    assert counted.rows - before == game.rows(coalitions).sum()


@each
def test_stops_at_a_limit_of_rows(removal, model, dataset, explicand):
    fitted = fit(removal, CountedModel(model), dataset)
    game = play(fitted, explicand)
    needed = int(game.rows(all_coalitions(D)).sum())
    if not needed:
        return
    fitted.model.limit = fitted.model.rows + needed - 1
    with pytest.raises(RowsExceeded, match="raise the limit"):
        game(all_coalitions(D))


@each
def test_is_saved_and_read(removal, model, dataset, explicand, tmp_path):
    fitted = fit(removal, model, dataset)
    fitted.save(tmp_path)
    read = load_removal(tmp_path, model)
    assert (read.removal, read.fit_rows, read.names) == (removal, fitted.fit_rows, fitted.names)
    assert read.auxiliary_fit_rows == fitted.auxiliary_fit_rows
    np.testing.assert_array_equal(*(tabulate(play(f, explicand)).values for f in (fitted, read)))


@each
def test_realisations_average_to_the_value(removal, model, dataset, explicand):
    fitted, draws = fit(removal, model, dataset), 600
    rng = np.random.default_rng(3)
    fresh = np.array(
        [tabulate(play(fitted, explicand).realisation(rng)).values for _ in range(draws)]
    )
    games = 1 if removal.card.noise == "none" else draws
    frozen = np.array([tabulate(play(fitted, explicand, seed)).values for seed in range(games)])
    variance = fresh.var(axis=0) / draws + frozen.var(axis=0) / games
    difference = fresh.mean(axis=0) - frozen.mean(axis=0)
    if removal.id == "baseline":  # a game of its own reference row, which has no noise
        difference, variance = fresh.std(axis=0), np.zeros(1)
    assert (np.abs(difference) <= 5 * np.sqrt(variance) + 1e-9).all()


def has_noise(game):
    return realisation(game, np.random.default_rng(0)) is not game


@each
def test_every_estimator_plays_its_game(removal, model, dataset, explicand):
    game = play(fit(removal, model, dataset), explicand)
    values = tabulate(game)
    for cls in ESTIMATORS.values():
        estimator = cls()
        counted = CountedGame(game, max(200, estimator.minimum_budget(D)))
        estimate = estimator.estimate(counted, counted.budget, np.random.default_rng(4))
        assert counted.evaluations == estimate.evaluations
        assert np.isfinite(estimate.values).all()
        fresh = estimator.id == "realised-walks"
        if estimator.card.efficient and not (fresh and has_noise(game)):
            total = grand_value(values) - values.values[0]
            np.testing.assert_allclose(estimate.values.sum(), total, atol=1e-8)


@each
def test_refuses_explicands_that_it_cannot_explain(removal, model, dataset, explicand):
    fitted = fit(removal, model, dataset)
    with pytest.raises(RemovalError, match=r"an explicand are sparse; .*rows.toarray\(\)"):
        play(fitted, scipy.sparse.csr_array(explicand[None]))
    with pytest.raises(RemovalError, match=rf"{removal.id}: an explicand has the {D} features"):
        play(fitted, explicand[1:])
    explicand[2] = np.nan
    with pytest.raises(RemovalError, match=rf"{removal.id}: .* NaN or infinite in 'x2'; impute"):
        play(fitted, explicand)


@each
def test_refuses_training_rows_that_are_no_numbers(removal, model, dataset):
    rng = np.random.default_rng(0)
    with pytest.raises(RemovalError, match=rf"{removal.id}: training rows are sparse; .*toarray"):
        removal.fit(model, scipy.sparse.csr_array(dataset.features), rng)
    with pytest.raises(RemovalError, match=rf"{removal.id}: training rows must be numbers \(could"):
        removal.fit(model, [["a", "b"]], rng)


@each
def test_refuses_training_rows_with_gaps(removal, model, dataset):
    rows = dataset.features.copy()
    rows[3, 1] = np.nan
    gaps = Dataset("gaps", rows, dataset.target, dataset.feature_names, dataset.split, "generated")
    with pytest.raises(RemovalError, match=rf"{removal.id}: training rows of .*'gaps'.* in 'x1'"):
        fit(removal, model, gaps)


@each
def test_gives_x_its_own_output_where_it_evaluates_the_model(removal, model, dataset, explicand):
    if removal.id in ("cohort", "missingness", "path-dependent", "separate", "surrogate"):
        return
    game = play(fit(removal, model, dataset), explicand)
    assert grand_value(game) == model.predict(explicand[None])[0]


class Undefined:
    """A model that knows rows of the data only."""

    def __init__(self, rows):
        self.known = {row.tobytes() for row in rows}

    def predict(self, rows):
        return np.array([1.0 if row.tobytes() in self.known else np.nan for row in rows])


@pytest.mark.parametrize("removal", [r for r in REMOVALS if r.id != "path-dependent"], ids=repr)
def test_a_model_that_fails_on_completed_rows_is_told_of(removal, dataset):
    explicand = dataset.features[2]
    game = play(fit(removal, Undefined(dataset.features), dataset), explicand)
    coalition = np.arange(D) == 1
    if not game.rows(coalition[None]).any():  # nothing is completed
        assert np.isfinite(game(all_coalitions(D))).all()
        return
    absent = r"'x0', 'x2', 'x3'"
    with pytest.raises(
        RemovalError, match=rf"{removal.id}: .* nan on a row .*{absent}.*; such rows"
    ):
        CountedGame(game)(coalition[None])
