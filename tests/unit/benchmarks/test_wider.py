"""The wider games: a part of their own, exact, always the same, and what they say they are."""

from collections import Counter

import numpy as np
import pytest
from sklearn import linear_model, metrics, naive_bayes, neighbors

from shapaudit.truth import reference_values, shapley_exact
from solved_games import (
    FEW,
    WIDER,
    data,
    entries,
    entry,
    explained,
    superpixels,
    training,
    unlabelled,
    words,
)
from solved_games.fitted import MODELS

KINDS = (
    *("rows", "data sets", "features", "members", "global", "uncertainty", "conditional"),
    *("clustering", "dependence", "superpixels", "words"),
)
QUICK = (
    "rows-diabetes-ridge-R2",
    "data-sets-diabetes-ridge-R2",
    "features-diabetes-ridge-R2",
    "members-diabetes-tree-R2",
    "global-wine-linear",
    "uncertainty-wine-entropy",
    "conditional-wine-linear-copula",
    "clustering-products-spread-ratio",
    "dependence-diabetes-counted",
    "superpixels-forest-9",
    "words-trees-10",
)


def wider():
    return [listed for listed in entries() if listed.part == WIDER]


def test_there_are_four_games_and_more_of_each_kind_with_few_players():
    few = [listed for listed in wider() if listed.few]
    counts = Counter(listed.kind for listed in few)
    assert set(counts) == set(KINDS)
    assert min(counts.values()) >= 4
    assert {listed.kind for listed in wider() if not listed.few} == {"conditional"}
    assert min(listed.n_players for listed in wider()) >= 8
    assert not {listed.n_players for listed in wider()} & set(range(FEW + 1, 30))


def test_every_quick_game_is_of_another_kind():
    assert [entry(name).kind for name in QUICK] == list(KINDS)


@pytest.mark.parametrize("name", QUICK)
def test_values_are_those_of_the_table_which_another_draw_has_not(name):
    listed = entry(name)
    first, again, other = (listed.drawn(k) for k in (1, 1, 2))
    assert first.game.n_players == listed.n_players == len(first.values)
    np.testing.assert_allclose(shapley_exact(first.game).values, first.values, atol=1e-12)
    np.testing.assert_array_equal(first.game.values, again.game.values)
    np.testing.assert_array_equal(first.values, again.values)
    assert not np.allclose(first.game.values, other.game.values)


@pytest.mark.parametrize("model", ["booster", "forest"])
def test_paths_of_trees_have_the_values_of_permutations(model):
    solved = entry(f"conditional-whole-cancer-{model}-paths").solved
    reference = reference_values(solved.game, np.random.default_rng(0), 60)
    z = (reference.values - solved.values) / (reference.standard_errors + 1e-12)
    assert np.abs(z).max() < 5
    assert np.abs(solved.values).max() > 0.05


def learnt():
    """30 rows of four features, a class, a number, and 20 rows to be asked about."""
    rng = np.random.default_rng(5)
    rows, asked = rng.standard_normal((30, 4)), rng.standard_normal((20, 4))
    return rows, (rows[:, 0] + 0.3 * rng.standard_normal(30) > 0).astype(float), rows[:, 1], asked


def test_learners_are_those_of_the_library():
    rows, classes, numbers, asked = learnt()
    expected = {
        "nearest": (classes, neighbors.KNeighborsRegressor(3).fit(rows, classes).predict(asked)),
        "ridge": (numbers, linear_model.Ridge(1.0).fit(rows, numbers).predict(asked)),
        "bayes": (
            classes,
            naive_bayes.GaussianNB(var_smoothing=0.1).fit(rows, classes).predict_proba(asked)[:, 1],
        ),
    }
    for name, (target, outputs) in expected.items():
        np.testing.assert_allclose(training.LEARNERS[name](rows, target, asked), outputs)
    ones = np.ones(30)
    for name in ("bayes", "logistic"):
        np.testing.assert_array_equal(training.LEARNERS[name](rows, ones, asked), np.ones(20))


def test_scores_are_those_of_the_library():
    rng = np.random.default_rng(6)
    target, chances = rng.integers(2, size=40).astype(float), 0.1 + 0.8 * rng.random(40)
    scores = {name: scored(chances, target) for name, (scored, _) in training.SCORES.items()}
    assert scores["accuracy"] == pytest.approx(metrics.accuracy_score(target, chances > 0.5))
    assert scores["R2"] == pytest.approx(metrics.r2_score(target, chances))
    assert scores["log-likelihood"] == pytest.approx(-metrics.log_loss(target, chances))


@pytest.mark.parametrize("kind", ["rows", "features"])
def test_players_of_a_training_are_its_rows_or_its_features(kind):
    build = {"rows": training._rows, "features": training._features}[kind]
    game = build("diabetes", "ridge", "R2", 8, np.random.default_rng(7)).game
    rng = np.random.default_rng(7)
    trained = 8 if kind == "rows" else training.TRAINED
    rows, target, asked, truth = training._split(data.diabetes(rng), trained, rng)
    some = np.flatnonzero([1, 0, 1, 1, 0, 0, 0, 1])
    if kind == "rows":
        outputs = training._ridge(rows[some], target[some], asked)
    else:
        outputs = training._ridge(rows[:, some], target, asked[:, some])
    coalition = np.isin(np.arange(8), some)
    values = game(np.array([coalition, np.zeros(8, dtype=bool)]))
    np.testing.assert_allclose(values, [training._r_squared(outputs, truth), 0.0])


def test_data_sets_share_out_the_rows_and_some_are_spoilt():
    table, seed = data.wine(None), 8
    rows, targets, *_ = training._parcels(table, 11, np.random.default_rng(seed))
    given = training._split(table, training.TRAINED, np.random.default_rng(seed))
    np.testing.assert_array_equal(np.concatenate(rows), given[0])
    assert min(map(len, rows)) >= 2
    assert len({len(part) for part in rows}) > 3
    whole = np.split(given[1], np.cumsum([len(part) for part in rows])[:-1])
    for place, (part, before) in enumerate(zip(targets, whole, strict=True)):
        assert sorted(part) == sorted(before)
        if place % training.SPOILT:
            np.testing.assert_array_equal(part, before)
    assert any(not np.array_equal(*pair) for pair in zip(targets, whole, strict=True))


def test_members_see_half_of_the_features_and_are_averaged(monkeypatch):
    made = []

    def learner(rows, target, asked):
        made.append(np.random.default_rng(len(made)).random(len(asked)))
        assert rows.shape == (training.TRAINED // 2, 6)
        return made[-1]

    monkeypatch.setitem(training.LEARNERS, "made up", learner)
    game = training._members("wine", "made up", "accuracy", 8, np.random.default_rng(9)).game
    _, _, _, truth = training._split(data.wine(None), training.TRAINED, np.random.default_rng(9))
    coalitions = np.array([[0, 1, 0, 0, 1, 0, 1, 0], [0, 0, 1, 0, 0, 0, 0, 0]], dtype=bool)
    outputs = (np.mean([made[k] for k in np.flatnonzero(row)], axis=0) for row in coalitions)
    np.testing.assert_allclose(game(coalitions), [np.mean((y > 0.5) == truth) for y in outputs])


def test_losses_are_of_the_rows_with_and_without_their_features():
    seed = 10
    game = explained._global("friedman", "booster", 8, np.random.default_rng(seed)).game
    rng = np.random.default_rng(seed)
    table = data.narrowed(data.friedman(rng), 8)
    predict = MODELS["booster"](table, 0)
    chosen = rng.choice(600, explained.JUDGED + explained.BACKGROUND, replace=False)
    judged, others = np.split(chosen, [explained.JUDGED])
    whole = -np.square(predict(table.features[judged]) - table.target[judged]).mean()
    without = -np.square(predict(table.features[others]).mean() - table.target[judged]).mean()
    np.testing.assert_allclose(game.values[[-1, 0]], [whole, without])


def test_uncertainties_are_of_trees_that_disagree_and_of_rows_far_away():
    table = data.wine(None)
    rows = table.features
    entropies = explained.UNCERTAINTIES["entropy"](table, 0)(rows)
    assert 0 <= entropies.min() < 0.05
    assert 0.3 < entropies.max() <= np.log(2) + 1e-12
    deviation = explained.UNCERTAINTIES["deviation"](table, 0)
    assert deviation(rows[: explained.TRAINED]).max() < 0.5
    np.testing.assert_allclose(deviation(rows[:3] + 100.0), 1.0)  # as before any row
    spread = explained.UNCERTAINTIES["disagreement"](table, 0)(rows)
    assert 0 == spread.min() < spread.max() <= 0.5  # of numbers from 0 to 1


def test_absent_features_of_a_conditional_game_leave_the_output_of_the_explicand():
    rng = np.random.default_rng(11)
    game = explained._conditional("wine", "linear", "cohort", 8, rng).game
    table = data.narrowed(data.wine(None), 8)
    row = np.random.default_rng(11).integers(len(table.target))
    outputs = MODELS["linear"](table, 0)(table.features)
    assert outputs.min() <= game.values.min() < game.values.max() <= outputs.max() + 1e-12
    assert row == pytest.approx(np.abs(outputs - game.values[-1]).argmin())


def test_dependence_of_two_columns_is_their_information():
    rng = np.random.default_rng(12)
    pair = rng.standard_normal((300, 2)) @ np.array([[1.0, 0.7], [0.0, 1.0]])
    r = np.corrcoef(pair.T)[0, 1]
    assert unlabelled.MEASURES["normal"](pair) == pytest.approx(-0.5 * np.log(1 - r**2))
    assert unlabelled.MEASURES["normal"](pair[:, :1]) == pytest.approx(0.0)
    twice = np.repeat(np.arange(300.0)[:, None], 2, axis=1)
    assert unlabelled.MEASURES["counted"](twice) == pytest.approx(np.log(3))
    grid = np.array([(i, j) for i in range(9) for j in range(9)], dtype=float)
    assert unlabelled.MEASURES["counted"](grid) == pytest.approx(0.0, abs=1e-12)


def test_clusters_that_are_apart_are_worth_more():
    rng = np.random.default_rng(13)
    noise = rng.standard_normal((60, 2))
    apart = noise + 20.0 * np.repeat([[0, 0], [0, 1], [1, 0]], 20, axis=0)
    for name in ("silhouette", "spread-ratio"):
        assert unlabelled.MEASURES[name](apart) > unlabelled.MEASURES[name](noise) + 0.3


@pytest.mark.parametrize(("rows", "columns"), [(3, 3), (3, 4), (4, 4)])
def test_parts_of_a_picture_are_rectangles(rows, columns):
    grid = superpixels.grid(rows, columns).reshape(8, 8)
    assert set(grid.ravel()) == set(range(rows * columns))
    for part in range(rows * columns):
        down, across = np.nonzero(grid == part)
        height, width = np.ptp(down) + 1, np.ptp(across) + 1
        assert len(down) == height * width
        assert {height, width} <= {2, 3}


def test_a_picture_is_taken_for_what_the_classifier_says_and_grey_without_parts():
    solved = superpixels._picture("forest", 3, 3, np.random.default_rng(14))
    pixels, _ = superpixels._digits()
    picture = pixels[np.random.default_rng(14).integers(len(pixels))]
    grey = np.full(64, pixels.mean())
    chances = superpixels._fitted("forest").predict_proba([picture, grey])
    label = chances[0].argmax()
    np.testing.assert_allclose(solved.game.values[[-1, 0]], chances[:, label])
    upper = np.where(superpixels.grid(3, 3) < 3, picture, grey)
    chance = superpixels._fitted("forest").predict_proba([upper])[0, label]
    assert solved.game.values[0b111] == pytest.approx(chance)


def test_words_are_kept_in_their_order():
    found, labels = words.texts()
    assert set(labels) == set(range(len(words.DESCRIBED)))
    assert min(Counter(labels).values()) >= 5
    seed = 15
    game = words._sentence("linear", 10, np.random.default_rng(seed)).game
    long = [k for k, text in enumerate(found) if len(set(text.split())) >= 10]
    place = long[np.random.default_rng(seed).integers(len(long))]
    first = list(dict.fromkeys(found[place].split()))[:10]
    some = np.arange(10) % 3 == 0
    kept = [" ".join(first), "", " ".join(np.array(first)[some])]
    chances = words._fitted("linear").predict_proba(kept)[:, labels[place]]
    asked = np.array([np.ones(10, dtype=bool), np.zeros(10, dtype=bool), some])
    np.testing.assert_allclose(game(asked), chances)


def test_tables_are_narrowed_to_their_first_features():
    table = data.narrowed(data.wine(None), 4)
    np.testing.assert_array_equal(table.features, data.wine(None).features[:, :4])
    assert table.classes
