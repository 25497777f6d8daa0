"""Stochastic amortisation: a network trained on noisy unbiased values of each row.

Covert, Kim, Lee, Zou & Hashimoto 2024. The mean of what is regressed on is the Shapley value, so
that the optimum is that of `FastShap`; Chen et al. 2023, Section 8, asks for such objectives.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..estimators import create as create_estimator
from ..games import CountedGame
from ..nets import Network
from ..removals.base import RemovalGame
from .amortised import Amortised, Learning, PlayedRow, normalised
from .base import ExplainerError, Names


@dataclass(frozen=True, eq=False)
class NoisyValues(Learning):
    """Mean squared distance of attributions from unbiased estimates, both normalised.

    Attributes
    ----------
    estimates : (n, d), in units of the scale
    """

    estimates: np.ndarray

    def value(self, network: Network) -> float:
        """Mean over rows of the squared distance."""
        errors = normalised(network(self.rows), self.totals) - self.estimates
        return float(np.square(errors).sum(axis=1).mean())

    def gradient(self, network: Network, chosen: np.ndarray) -> np.ndarray:
        """Gradient (P,) of the mean squared distance on chosen rows."""
        trace = network.trace(self.rows[chosen])
        errors = normalised(trace.outputs, self.totals[chosen]) - self.estimates[chosen]
        errors *= 2.0 / len(errors)
        return network.backward(trace, errors - errors.mean(axis=1, keepdims=True))


@dataclass(frozen=True)
class StochasticAmortisation(Amortised):
    """A network trained on few-evaluation estimates of the Shapley values of each row.

    Parameters
    ----------
    removal, evaluations, hidden, epochs, patience, batch, rate : as of `Amortised`; evaluations are
        those of one estimate, and at least what it takes
    estimator : name of an estimator without bias, by which the rows are explained once

    Examples
    --------
    >>> class Doubled:
    ...     def predict(self, rows):
    ...         return 2.0 * rows[:, 0]
    >>> rows = np.random.default_rng(0).normal(size=(50, 2))
    >>> name, params = "stochastic-amortisation", {"hidden": [8], "epochs": 5}
    >>> create(name, params).fit(Doubled(), rows, 1).explain(rows[:3]).values.shape
    (3, 2)
    """

    estimator: str = "antithetic-monte-carlo"

    id: ClassVar[str] = "stochastic-amortisation"
    names: ClassVar[Names] = {}
    definition: ClassVar[str] = (
        "A network trained on unbiased estimates of the values of many rows."
    )
    source: ClassVar[str] = "Covert et al. 2024; Chen et al. 2023, Section 8"

    def __post_init__(self) -> None:
        """Raise ValueError for a parameter outside its choices, or an estimator with a bias."""
        super().__post_init__()
        card = create_estimator(self.estimator).card
        if card is None or not card.unbiased:
            raise ExplainerError(
                f"{self.id}: {self.estimator} is not said to be unbiased, and a network that is "
                "trained on biased estimates learns the bias; take antithetic-monte-carlo."
            )

    def objectives(
        self, rows: np.ndarray, played: Sequence[PlayedRow], scale: float, rng: np.random.Generator
    ) -> tuple[Learning, int]:
        """Estimates of the rows, and the rows of the model that they took."""
        estimator, d = create_estimator(self.estimator), rows.shape[1]
        budget = max(self.evaluations, estimator.minimum_budget(d))
        totals = np.array([row.total for row in played])
        values, spent = np.empty(rows.shape), 0
        for k, row in enumerate(played):
            counted = _Counted(row.game)
            values[k] = estimator.estimate(CountedGame(counted, budget), budget, rng).values
            spent += counted.spent
        return NoisyValues(rows, totals / scale, normalised(values, totals) / scale), spent


class _Counted:
    """A removal's game that adds up the rows of the model that it takes."""

    def __init__(self, game: RemovalGame) -> None:
        self.game, self.n_players, self.spent = game, game.n_players, 0

    def __call__(self, coalitions: np.ndarray) -> np.ndarray:
        self.spent += int(self.game.rows(coalitions).sum())
        return self.game(coalitions)
