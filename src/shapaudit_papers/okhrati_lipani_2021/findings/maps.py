"""Saliency maps of images against a reference (Figure 3)."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from shapaudit.estimators import Estimator
from shapaudit_audit.study.samples import with_samples

from .trial import CASTRO, METHODS

MAP_ROLES = ("castro", "halved", "best")  # of the rows of the maps
MAP_CONTRASTS = (("castro", "halved"), ("best", "castro"), ("best", "halved"))
MAP_SAMPLES = 12
HALVED = METHODS[-1]


@dataclass(frozen=True, eq=False)
class Maps:
    """Saliency maps of a few images.

    Attributes
    ----------
    name, label, players, provenance, accuracy : as in `TableExperiment`
    images : (explicands, d)
    reference : Shapley values (explicands, d), with standard errors
    kept : estimates (n, d) by (estimator, budget, explicand), of the explicands that are shown
    means : squared errors over players and seeds, by (estimator, budget) and explicand
    estimators : by name
    """

    name: str
    label: str
    players: int
    provenance: str
    accuracy: float
    images: np.ndarray
    reference: np.ndarray
    standard_errors: np.ndarray
    kept: pd.DataFrame
    means: pd.DataFrame
    estimators: Mapping[str, Estimator]

    @property
    def shown(self) -> int:
        """Explicands that are shown, the first ones."""
        return int(self.kept.index.unique("explicand").max()) + 1

    @property
    def budget(self) -> int:
        """The last budget: that of halved Owen sampling."""
        return int(max(self.means.index.unique("budget")))

    def at_samples(self, estimator: str) -> int:
        """Evaluations of an estimator at the published number of samples."""
        return with_samples(self.estimators[estimator], MAP_SAMPLES, self.players)[1]

    @cached_property
    def best(self) -> str:
        """Estimator with the smallest mean squared error at the last budget, on other images."""
        others = self.means.xs(self.budget, level="budget").iloc[:, self.shown :]
        return str(others.mean(axis=1).idxmin())

    @cached_property
    def rows(self) -> list[tuple[str, int]]:
        """Estimators of the maps below the reference, with their evaluations."""
        published = [(m, self.at_samples(m)) for m in (CASTRO, HALVED)]
        return [*published, (self.best, self.budget)]

    def map_of(self, estimator: str, budget: int) -> np.ndarray:
        """Estimates (shown, d)."""
        return self.kept.loc[(estimator, budget)].to_numpy()

    def squared_errors(self, estimator: str, budget: int) -> np.ndarray:
        """Of the maps (shown,), summed over the pixels."""
        error = self.map_of(estimator, budget) - self.reference[: self.shown]
        return np.square(error).sum(axis=1)

    def relative_error(self, estimator: str, budget: int) -> float:
        """Root mean squared error over the root mean square of the reference, shown images."""
        squares = self.squared_errors(estimator, budget).sum()
        return float(np.sqrt(squares) / np.linalg.norm(self.reference[: self.shown]))
