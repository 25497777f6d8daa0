"""Additive efficient normalisation of any estimator."""

from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np

from ..games import Game, empty_value, grand_value
from .base import Card, Estimate, Estimator


@dataclass(frozen=True)
class Normalised(Estimator):
    """Split what an estimate lacks of v(grand) - v(empty) equally among the players.

    This projects the estimate on the hyperplane that holds the Shapley values (Ruiz, Valenciano &
    Zarzuelo 1998; Chen et al. 2023, Section 5.2): the squared error falls by gap^2 / d, whatever
    the estimate; the bias is projected too, so an unbiased estimate stays unbiased. Costs two
    evaluations, repeats of what the estimator evaluates itself included. No standard errors:
    they would take the covariances between players.

    Parameters
    ----------
    estimator : id or dotted path
    params : its parameters
    """

    id: ClassVar[str] = "normalised"

    estimator: str = "plain-monte-carlo"
    params: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Raise `UnknownEstimator`, or what the estimator raises for its parameters."""
        super().__post_init__()
        self.inner  # noqa: B018

    @property
    def inner(self) -> Estimator:
        """The estimator that is normalised."""
        from . import create  # the registry holds this class

        return create(self.estimator, self.params)

    @property
    def card(self) -> Card | None:
        """The card of the estimator, made efficient."""
        card = self.inner.card
        return card and replace(
            card,
            definition=f"{card.definition} The efficiency gap is split equally.",
            evaluations=f"{card.evaluations} + 2",
            source=f"{card.source}; Chen et al. 2023, Section 5.2",
            aliases=(),
            efficient=True,
        )

    def minimum_budget(self, n_players: int) -> int:
        """That of the estimator and the end points."""
        return self.inner.minimum_budget(n_players) + 2

    def exact_budget(self, n_players: int) -> int | None:
        """That of the estimator and the end points."""
        exact = self.inner.exact_budget(n_players)
        return None if exact is None else exact + 2

    def estimate(self, game: Game, budget: int, rng: np.random.Generator) -> Estimate:
        """Estimate within ``budget`` evaluations; raises `BudgetTooSmall` below the minimum."""
        self.check_budget(game.n_players, budget)
        total = grand_value(game) - empty_value(game)
        estimate = self.inner.estimate(game, budget - 2, rng)
        gap = total - estimate.values.sum()
        return replace(
            estimate,
            values=estimate.values + gap / game.n_players,
            evaluations=estimate.evaluations + 2,
            standard_errors=None,
        )
