"""Tables for the models of the suite: those that scikit-learn carries, and generated ones."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from shapaudit.datasets import load

Rng = np.random.Generator


@dataclass(frozen=True, eq=False)
class Table:
    """Features (n, d) in units of their spread, and a target (n,): a number, or 0 and 1."""

    features: np.ndarray
    target: np.ndarray
    classes: bool


def _table(features, target, classes) -> Table:
    features = np.asarray(features, dtype=np.float64)
    spread = features.std(axis=0)
    features = (features - features.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    target = np.asarray(target, dtype=np.float64)
    return Table(features, target if classes else (target - target.mean()) / target.std(), classes)


def _bundled(name: str, label: int, columns: int | None = None) -> Table:
    """A classification table of scikit-learn: one class against the others."""
    from sklearn import datasets  # half a second, only where it is used

    table = getattr(datasets, f"load_{name}")()
    return _table(table.data[:, :columns], table.target == label, True)


def narrowed(table: Table, d: int) -> Table:
    """The first d features."""
    return Table(table.features[:, :d], table.target, table.classes)


def diabetes(rng: Rng) -> Table:
    """442 patients, 10 features, the disease's progression."""
    table = load("diabetes", {}, rng)
    return _table(table.features, table.target, False)


def wine(rng: Rng) -> Table:
    """178 wines, 13 features, one of three cultivars."""
    return _bundled("wine", 1)


def cancer(rng: Rng) -> Table:
    """569 tumours, the first 15 of 30 features, benign or not."""
    return _bundled("breast_cancer", 1, 15)


def whole_cancer(rng: Rng) -> Table:
    """569 tumours, 30 features, benign or not."""
    return _bundled("breast_cancer", 1)


def patches(rng: Rng) -> Table:
    """1,797 digits as the mean brightness of 16 patches of 2 x 2 pixels, 8 or not."""
    table = _bundled("digits", 8)
    means = table.features.reshape(-1, 4, 2, 4, 2).mean(axis=(2, 4))
    return _table(means.reshape(-1, 16), table.target, True)


def digits(rng: Rng) -> Table:
    """1,797 digits of 64 pixels, 8 or not."""
    return _bundled("digits", 8)


def friedman(rng: Rng, n_features: int = 12) -> Table:
    """Friedman's first function of uniform features, of which five matter (Friedman 1991)."""
    x = rng.random((600, n_features))
    signal = 10 * np.sin(np.pi * x[:, 0] * x[:, 1]) + 20 * (x[:, 2] - 0.5) ** 2
    return _table(x, signal + 10 * x[:, 3] + 5 * x[:, 4] + rng.standard_normal(600), False)


def many_friedman(rng: Rng) -> Table:
    """The same with 50 features."""
    return friedman(rng, 50)


def products(rng: Rng) -> Table:
    """8 correlated features, a target with products of two and three of them."""
    x = rng.standard_normal((500, 8)) @ (np.eye(8) + 0.3)
    target = x[:, 0] * x[:, 1] - x[:, 2] * x[:, 3] * x[:, 4] / 3 + np.abs(x[:, 5]) * x[:, 6]
    return _table(x, target + x[:, 7] + 0.2 * rng.standard_normal(500), False)


def _generated(rng: Rng, kind: str, n_rows: int, n_features: int, classes: bool) -> Table:
    params = {"kind": kind, "n_rows": n_rows, "n_features": n_features}
    table = load("generated", params, rng)
    target = table.target if classes else np.log1p(table.target)
    return _table(table.features, target, classes)


def survey(rng: Rng) -> Table:
    """A generated survey of 14 questions, and a rare outcome."""
    return _generated(rng, "survey", 800, 14, True)


def long_survey(rng: Rng) -> Table:
    """A generated survey of 120 questions."""
    return _generated(rng, "survey", 1500, 120, True)


def counts(rng: Rng) -> Table:
    """Generated counts of 300 words, and the logarithm of a count."""
    return _generated(rng, "counts", 1500, 300, False)


FEW_TABLES: dict[str, tuple[int, Callable[[Rng], Table]]] = {
    "diabetes": (10, diabetes),
    "wine": (13, wine),
    "cancer": (15, cancer),
    "patches": (16, patches),
    "friedman": (12, friedman),
    "products": (8, products),
    "survey": (14, survey),
}
MANY_TABLES: dict[str, tuple[int, Callable[[Rng], Table]]] = {
    "whole-cancer": (30, whole_cancer),
    "many-friedman": (50, many_friedman),
    "digits": (64, digits),
    "long-survey": (120, long_survey),
    "counts": (300, counts),
}
