"""Games of pictures: players are parts of a digit of 8 x 8 pixels that a classifier reads."""

from collections.abc import Callable, Iterator
from functools import cache, partial

import numpy as np

from shapaudit.games import all_coalitions

from .base import Entry, Solved, tabulated

Rng = np.random.Generator
WIDTH = 8  # pixels


def _perceptron(width: int) -> Callable:
    from sklearn.neural_network import MLPClassifier  # only where it is used

    return MLPClassifier((width,), max_iter=200, random_state=0, early_stopping=True)


def _forest():
    from sklearn.ensemble import RandomForestClassifier  # only where it is used

    return RandomForestClassifier(30, random_state=0)


MODELS: dict[str, Callable] = {
    "small-network": partial(_perceptron, 16),
    "network": partial(_perceptron, 64),
    "forest": _forest,
}


@cache
def _digits() -> tuple[np.ndarray, np.ndarray]:
    from sklearn.datasets import load_digits  # half a second, only where it is used

    pixels, labels = load_digits(return_X_y=True)
    return pixels / 16.0, labels


@cache
def _fitted(model: str):
    return MODELS[model]().fit(*_digits())


def grid(rows: int, columns: int) -> np.ndarray:
    """The part (64,) in which each pixel is, of a grid of so many rows and columns."""
    places = np.arange(WIDTH)
    down, across = places * rows // WIDTH, places * columns // WIDTH
    return (down[:, None] * columns + across).ravel()


def _picture(model: str, rows: int, columns: int, rng: Rng) -> Solved:
    """The chance of what the whole picture is taken for; absent parts have the mean brightness."""
    pixels, _ = _digits()
    picture, predict = pixels[rng.integers(len(pixels))], _fitted(model).predict_proba
    present = all_coalitions(rows * columns)[:, grid(rows, columns)]
    chances = predict(np.where(present, picture, pixels.mean()))
    return tabulated(chances[:, chances[-1].argmax()])


GAMES = (
    ("small-network", 3, 3),
    ("network", 3, 4),
    ("forest", 3, 3),
    ("network", 4, 4),
    ("forest", 4, 3),
)


def entries() -> Iterator[Entry]:
    """Grids of 9, 12 and 16 parts under two networks and a forest."""
    for model, rows, columns in GAMES:
        made, d = partial(_picture, model, rows, columns), rows * columns
        yield Entry(f"superpixels-{model}-{d}", "superpixels", d, made, wider=True)
