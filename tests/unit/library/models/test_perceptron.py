"""Perceptrons: data, training, saving, games without rows, and the search for an architecture."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from scipy.special import expit

from shapaudit import datasets, models
from shapaudit.datasets import DatasetError, credit, download, mnist
from shapaudit.datasets.base import Dataset, standardised, three_parts
from shapaudit.games import BaselineGame, GameError, PerceptronGame, gains, tabulate, walk
from shapaudit.models import ModelError, Perceptron, RadialRegression
from shapaudit.models.architectures import search
from shapaudit.truth import diagonal_shapley, shapley_from_table
from shapaudit_audit.study.collection import build_collection, make_game, select_rows


def load(loader, seed=0, **params):
    return datasets.load(loader, params, np.random.default_rng(seed))


@pytest.fixture(scope="module")
def cancer():
    return load("breast-cancer")


@pytest.fixture(scope="module")
def model(cancer):
    return models.train("perceptron", cancer, {"hidden": [5], "batch": 16, "epochs": 25}, 1)


def random_model(sizes, seed=0):
    rng = np.random.default_rng(seed)
    shapes = list(pairwise(sizes))
    return Perceptron(
        tuple(rng.normal(size=shape) for shape in shapes),
        tuple(rng.normal(size=shape[1]) for shape in shapes),
    )


def test_probabilities_are_those_of_the_layers():
    model = random_model([3, 4, 2])
    rows = np.random.default_rng(1).normal(size=(5, 3))
    hidden = expit(rows @ model.weights[0] + model.biases[0])
    powers = np.exp(hidden @ model.weights[1] + model.biases[1])
    wanted = powers / powers.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(model.probabilities(rows), wanted, rtol=1e-12)
    np.testing.assert_array_equal(model.predict(rows), wanted.argmax(axis=1))


def test_training_learns_is_repeatable_and_keeps_the_best_epoch(cancer, model, tmp_path):
    score = model.score(*cancer.rows("test"))
    share = max(np.bincount(cancer.target.astype(int))) / cancer.n_rows
    assert score["accuracy"] > share + 0.15
    again = models.train("perceptron", cancer, {"hidden": [5], "batch": 16, "epochs": 25}, 1)
    other = models.train("perceptron", cancer, {"hidden": [5], "batch": 16, "epochs": 25}, 2)
    for name, trained in {"first": model, "again": again, "other": other}.items():
        trained.save(tmp_path / name)
    arrays = {
        n: (tmp_path / n / "perceptron.npz").read_bytes() for n in ("first", "again", "other")
    }
    assert arrays["first"] == arrays["again"] != arrays["other"]
    read = models.load_model(tmp_path / "first")
    rows, _ = cancer.rows("test")
    np.testing.assert_array_equal(read.probabilities(rows), model.probabilities(rows))


@pytest.mark.parametrize("flipped", [True, False])
def test_patience_ends_the_training_at_the_smallest_validation_loss(flipped):
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(300, 2))
    target, split = (rows[:, 0] > 0).astype(float), three_parts(300, rng)
    if flipped:  # whatever is learnt makes the validation loss larger
        target[split["validation"]] = 1 - target[split["validation"]]
    dataset = Dataset("flipped", rows, target, ("a", "b"), split, "generated")
    settings = {"hidden": [], "batch": 8, "patience": 2}
    first, long = (
        models.train("perceptron", dataset, {**settings, "epochs": n}, 3) for n in (1, 30)
    )
    assert np.array_equal(first.weights[0], long.weights[0]) == flipped


def test_a_constant_input_can_stand_for_the_bias():
    dataset = load("breast-cancer", bias=True)
    assert dataset.feature_names[0] == "bias"
    assert (dataset.features[:, 0] == 1).all()
    params = {"hidden": [3], "batch": 64, "epochs": 3, "input_bias": False}
    model = models.train("perceptron", dataset, params, 0)
    assert not model.biases[0].any()
    assert model.biases[1].any()
    assert model.weights[0][0].any()


def test_trainer_names_what_it_misses(cancer):
    two = replace(cancer, split={"train": np.arange(400), "test": np.arange(400, 569)})
    with pytest.raises(ModelError, match="no part 'validation'"):
        models.train("perceptron", two, {}, 0)
    with pytest.raises(ModelError, match="must be classes"):
        models.train("perceptron", replace(cancer, target=cancer.target + 0.5), {}, 0)
    with pytest.raises(ModelError, match="patience must be an integer of at least 1"):
        models.train("perceptron", cancer, {"patience": 0}, 0)


def test_search_ranks_by_validation_and_repeats(cancer):
    params = {"batch": 64, "epochs": 3}
    ranked = search(cancer, 6, 2, range(1, 4), 5, params)
    assert ranked == search(cancer, 6, 2, range(1, 4), 5, params)
    accuracies = [trial["validation"]["accuracy"] for trial in ranked]
    assert accuracies == sorted(accuracies, reverse=True)
    hidden = [tuple(trial["hidden"]) for trial in ranked]
    assert len(set(hidden)) == len(hidden) > 1
    assert all(len(h) <= 2 and set(h) <= {1, 2, 3} for h in hidden)


def test_game_is_the_baseline_game_of_the_class_probability(cancer, model):
    x, r = cancer.rows("test")[0][3], cancer.rows("train")[0][5]
    label = int(model.predict(x[None])[0])
    rows = BaselineGame(lambda z: model.probabilities(z)[:, label], x, r)
    game = PerceptronGame(model, x, r)
    rng = np.random.default_rng(0)
    coalitions = rng.random((40, 15)) < 0.5
    orders = rng.permuted(np.tile(np.arange(15), (9, 1)), axis=1)
    close = {"rtol": 1e-10, "atol": 1e-12}
    np.testing.assert_allclose(game(coalitions), rows(coalitions), **close)
    np.testing.assert_allclose(walk(game, orders), walk(rows, orders), **close)
    np.testing.assert_allclose(gains(game, coalitions), gains(rows, coalitions), **close)


@pytest.mark.parametrize("bias", [False, True])
def test_diagonal_quadrature_agrees_with_enumeration(bias):
    dataset = load("breast-cancer", bias=bias)
    params = {"hidden": [5], "batch": 64, "epochs": 40, "input_bias": not bias}
    model = models.train("perceptron", dataset, params, 0)
    game = make_game(
        model, "class-probability", dataset.rows("test")[0][0], np.zeros(15 + bias), ""
    )
    table = tabulate(game)
    truth = shapley_from_table(table.values)
    np.testing.assert_allclose(diagonal_shapley(table).values, truth, rtol=0, atol=1e-10)


def test_game_refuses_what_does_not_fit(model):
    x = np.zeros(15)
    with pytest.raises(GameError, match=r"must both be \(15,\)"):
        PerceptronGame(model, x[:3], x[:3])
    with pytest.raises(GameError, match="not finite"):
        PerceptronGame(model, np.full(15, np.nan), x)
    with pytest.raises(GameError, match="needs a perceptron, not RadialRegression"):
        make_game(RadialRegression(15), "class-probability", x, x, "g")


def test_zero_baselines_keep_the_explicands(cancer, model):
    drawn = select_rows(cancer, model, 4, "class-probability", np.random.default_rng(3))
    zero = select_rows(cancer, model, 4, "class-probability", np.random.default_rng(3), "zero")
    np.testing.assert_array_equal(drawn[0], zero[0])
    assert not zero[1].any()
    rng = np.random.default_rng(3)
    built = build_collection("g", cancer, model, "class-probability", 2, 0, rng, baseline="zero")
    assert not built.baselines.any()
    with pytest.raises(GameError, match="unknown baseline 'mean'; known: drawn, zero"):
        select_rows(cancer, model, 4, "class-probability", np.random.default_rng(3), "mean")


def test_three_parts_have_the_published_shares():
    split = three_parts(1000, np.random.default_rng(0))
    assert {part: len(rows) for part, rows in split.items()} == {
        "train": 640,
        "validation": 160,
        "test": 200,
    }
    with pytest.raises(DatasetError, match="at least 5 rows"):
        three_parts(4, np.random.default_rng(0))


def test_scores_are_those_of_the_training_rows(cancer):
    train, _ = cancer.rows("train")
    np.testing.assert_allclose(train.mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(train.std(axis=0), 1)
    table = np.array([[1.0, 2.0], [1.0, 4.0], [5.0, 8.0]])
    np.testing.assert_allclose(standardised(table, np.array([0, 1])), [[0, -1], [0, 1], [4, 5]])


def test_credit_leaves_out_other_marriages_and_unknown_educations(small_files):
    dataset = load("credit")
    assert (dataset.n_rows, dataset.n_features) == (20, 15)
    assert dataset.feature_names[:4] == ("LIMIT_BAL", "SEX", "EDUCATION", "MARRIAGE")
    assert dataset.target.tolist() == [0, 1] * 10
    assert load("credit", bias=True).n_features == 16
    assert credit.TARGET not in dataset.feature_names


def test_mnist_is_all_images_or_says_that_it_is_not(small_files, tmp_path, monkeypatch, caplog):
    whole = load("mnist")
    assert (whole.n_rows, whole.n_features, whole.provenance) == (42, 784, "MNIST")
    assert whole.features.max() == 1
    assert whole.target[:12].tolist() == [*range(10), 0, 1]
    (small_files / mnist.TRAINING[0].filename).unlink()
    monkeypatch.chdir(tmp_path)
    part = load("mnist")
    assert part.n_rows == 12
    assert "could not be had" in part.provenance
    assert "only the 10,000 test images" in caplog.text
    np.testing.assert_array_equal(part.features, whole.features[-12:])
    # Once for all models of a process, whose splits are their own.
    caplog.clear()
    again = datasets.load("mnist", {}, np.random.default_rng(1))
    assert not caplog.text
    np.testing.assert_array_equal(again.features, part.features)
    assert not np.array_equal(again.split["train"], part.split["train"])


def test_mnist_without_its_test_images_is_an_error(small_files, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (small_files / mnist.TEST[1].filename).unlink()
    with pytest.raises(download.DownloadError, match="'mnist'"):
        load("mnist")


def test_a_file_of_another_format_is_no_image(small_files, monkeypatch):
    images, labels = mnist.TEST
    monkeypatch.setattr(mnist, "TEST", (labels, images))
    with pytest.raises(DatasetError, match="do not fit together"):
        load("mnist")
    with pytest.raises(DatasetError, match="not an IDX file"):
        mnist._idx(b"\0\0\x08\x01\0\0\0\x05ab", "x")


def test_digits_are_images_in_the_unit_interval():
    dataset = load("digits")
    assert isinstance(dataset, Dataset)
    assert dataset.n_features == 64
    assert (dataset.features.min(), dataset.features.max()) == (0, 1)
    assert set(dataset.target) == set(range(10))
