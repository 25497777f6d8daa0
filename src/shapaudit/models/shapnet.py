"""Shapley explanation networks: shallow ones of overlapping modules, deep ones of a butterfly."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from math import comb
from pathlib import Path
from typing import Any

import numpy as np

from ..datasets.base import Dataset, save_arrays
from ..nets.shapnet import ShapNet
from ..registers import reader, trainer
from .base import (
    ModelError,
    checked_rows,
    classification_scores,
    regression_scores,
    write_manifest,
)
from .schedule import Schedule

ARRAYS = "shapnet.npz"
MOST = 4  # features of a module
# Of a generator: number of features, groups of each stage, and channels between the stages.
Shape = Callable[[np.random.Generator], tuple[int, list[np.ndarray], list[int]]]


@dataclass(frozen=True, eq=False)
class ShapleyNetwork:
    """A ShapNet of the difference from a reference row; a classifier gives log-odds.

    Parameters
    ----------
    network : ShapNet of d features, or more, of which the last are always 0
    reference : (d,) the row that takes the place of 0
    classifier : whether the output is the log-odds of class 1

    Raises `ModelError` for parameters that are not finite.
    """

    network: ShapNet
    reference: np.ndarray
    classifier: bool = False

    def __post_init__(self) -> None:
        if not (np.isfinite(self.network.parameters).all() and np.isfinite(self.reference).all()):
            raise ModelError("a ShapNet's parameters and reference must be finite")

    @property
    def n_features(self) -> int:
        """Number of features d."""
        return len(self.reference)

    @property
    def shallow(self) -> bool:
        """Whether it has one stage, and so exact explanations."""
        return len(self.network.groups) == 1

    def moved(self, rows: np.ndarray) -> np.ndarray:
        """Differences (m, d') from the reference, with zeros for features that fill up."""
        rows = checked_rows(rows, self.n_features) - self.reference
        return np.pad(rows, [(0, 0), (0, self.network.n_features - self.n_features)])

    def predict(self, rows: np.ndarray) -> np.ndarray:
        """Outputs (m,) of rows (m, d)."""
        return self.network(self.moved(rows))[:, 0]

    def score(self, rows: np.ndarray, target: np.ndarray) -> dict[str, float]:
        """R^2 and RMSE of a regression, accuracy of a classifier."""
        outputs = self.predict(rows)
        if self.classifier:
            return classification_scores(target, (outputs > 0).astype(np.float64))
        return regression_scores(target, outputs)

    def save(self, directory: str | Path) -> None:
        """Write the arrays; equal models give equal bytes."""
        net = self.network
        directory = write_manifest(
            directory,
            "shapnet",
            ARRAYS,
            classifier=self.classifier,
            n_features=net.n_features,
            channels=list(net.channels),
            width=net.width,
            stages=len(net.groups),
        )
        groups = {f"groups{k}": group for k, group in enumerate(net.groups)}
        arrays = {"parameters": net.parameters, "reference": self.reference, **groups}
        save_arrays(directory / ARRAYS, arrays)


@reader("shapnet")
def read_shapnet(directory: Path, manifest: dict[str, Any]) -> ShapleyNetwork:
    """The network of a directory that `ShapleyNetwork.save` wrote."""
    with np.load(directory / ARRAYS, allow_pickle=False) as file:
        network = ShapNet(
            manifest["n_features"],
            [file[f"groups{k}"] for k in range(manifest["stages"])],
            manifest["channels"],
            manifest["width"],
            file["parameters"],
        )
        return ShapleyNetwork(network, file["reference"], manifest["classifier"])


@trainer("shallow-shapnet")
def train_shallow_shapnet(
    dataset: Dataset,
    seed: int,
    *,
    size: int = 2,
    modules: int = 64,
    width: int = 16,
    batch: int = 64,
    epochs: int = 200,
    patience: int = 20,
    rate: float = 0.005,
) -> ShapleyNetwork:
    """A sum of modules of a few features each, whose Shapley values are exact.

    A target of 0 and 1 makes it a classifier. The reference is the mean of the training rows, of
    which a fifth, drawn, says when to stop. Equal seeds give equal models with equal libraries.

    Parameters
    ----------
    size : features of a module, 1 to 4, at most d
    modules : sets of features, drawn without replacement; all of them where there are no more
    width : hidden units of a module
    batch, epochs, patience, rate : as `nets.fit` has them

    Raises
    ------
    ModelError
        For counts out of range, no target, or fewer than five training rows.
    """
    schedule = Schedule("shallow-shapnet", batch, epochs, patience, rate)
    for name, count in {"modules": modules, "size": size}.items():
        schedule.check(name, count)
    d = dataset.n_features
    if size > min(d, MOST):
        raise ModelError(
            f"trainer 'shallow-shapnet': a module takes up to {min(d, MOST)} of {d} features, got "
            f"size {size}; its coalitions are counted in powers of two"
        )

    def shape(rng: np.random.Generator) -> tuple[int, list[np.ndarray], list[int]]:
        return d, [_sets(d, size, modules, rng)], [1, 1]

    return _trained(schedule, dataset, seed, shape, width)


@trainer("deep-shapnet")
def train_deep_shapnet(
    dataset: Dataset,
    seed: int,
    *,
    channels: int = 8,
    width: int = 16,
    batch: int = 64,
    epochs: int = 200,
    patience: int = 20,
    rate: float = 0.005,
) -> ShapleyNetwork:
    """Pairs of features in a butterfly of log2 d stages, so that each meets all others.

    A target of 0 and 1 makes it a classifier. Features are filled up to a power of two with zeros,
    which stay zero. The reference is the mean of the training rows, of which a fifth, drawn, says
    when to stop. Equal seeds give equal models with equal libraries.

    Parameters
    ----------
    channels : numbers that a feature has between stages
    width : hidden units of a module
    batch, epochs, patience, rate : as `nets.fit` has them

    Raises
    ------
    ModelError
        For counts out of range, no target, or fewer than five training rows.
    """
    schedule = Schedule("deep-shapnet", batch, epochs, patience, rate)
    schedule.check("channels", channels)
    stages = max(1, int(dataset.n_features - 1).bit_length())

    def shape(rng: np.random.Generator) -> tuple[int, list[np.ndarray], list[int]]:
        return 1 << stages, butterfly(stages), [1, *[channels] * (stages - 1), 1]

    return _trained(schedule, dataset, seed, shape, width)


def butterfly(stages: int) -> list[np.ndarray]:
    """Pairs (2^(stages - 1), 2) of features i and i + 2^s for each stage s."""
    features = np.arange(1 << stages)
    return [
        np.stack([lower, lower + (1 << s)], axis=1)
        for s in range(stages)
        for lower in [features[(features >> s & 1) == 0]]
    ]


def _sets(d: int, size: int, count: int, rng: np.random.Generator) -> np.ndarray:
    """Distinct sets (count, size) of features, or all of them, in increasing order."""
    if comb(d, size) <= count:
        return np.array(list(combinations(range(d), size)))
    sets: set[tuple[int, ...]] = set()
    while len(sets) < count:
        sets.add(tuple(sorted(rng.choice(d, size=size, replace=False).tolist())))
    return np.array(sorted(sets))


def _trained(
    schedule: Schedule, dataset: Dataset, seed: int, shape: Shape, width: int
) -> ShapleyNetwork:
    schedule.check("width", width)
    rows, target = schedule.rows(dataset)
    classifier = bool(np.isin(target, (0.0, 1.0)).all())
    rng = np.random.default_rng(seed)
    reference, spread = rows.mean(axis=0), rows.std(axis=0)
    spread = np.where(spread > 0, spread, 1.0)
    middle, height = (0.0, 1.0) if classifier else (target.mean(), target.std() or 1.0)
    d, groups, channels = shape(rng)
    filled = np.pad((rows - reference) / spread, [(0, 0), (0, d - len(spread))])
    wanted = ((target - middle) / height)[:, None]
    network = schedule.fit(
        lambda rng: ShapNet.start(d, groups, channels, width, rng),
        filled,
        wanted,
        "logistic" if classifier else "squared-error",
        rng,
    )
    _rescale(network, np.pad(spread, (0, d - len(spread)), constant_values=1.0), middle, height)
    return ShapleyNetwork(network, reference, classifier)


def _rescale(network: ShapNet, spread: np.ndarray, middle: float, height: float) -> None:
    """Fold the scales of rows and target into the first and the last stage."""
    stages = network.stages()
    stages[0].first[...] /= spread[stages[0].groups][..., None, None]
    stages[-1].last[...] *= height
    network.bias[...] = network.bias * height + middle
