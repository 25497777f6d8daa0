"""Estimators in the form in which another package, shapiq, calls them."""

from collections.abc import Callable
from typing import Any

import numpy as np

from ..games.base import checked_values
from ..optional import needed
from . import create
from .base import BudgetTooSmall, Estimate, Estimator

Values = Callable[[np.ndarray], np.ndarray]


def shapiq_approximator(
    estimator: str | Estimator, n: int, *, random_state: int | None = None
) -> Any:
    """An `Approximator` of shapiq, of Shapley values, for the explainers and benchmarks there.

    ``shapiq.TabularExplainer(model, data, index="SV", max_order=1, approximator=it)`` explains a
    model by it; `shapiq_benchmark.run` takes its class, ``type(it)``. Its
    ``approximate(budget, game)`` returns `shapiq.InteractionValues` of order 1 and never exceeds
    the budget. The value of the empty coalition, the baseline, is part of them. Estimators whose
    values need not sum to v(grand) - v(empty) may do without it: one evaluation of the budget is
    kept for it.

    Parameters
    ----------
    estimator : an estimator, or what `create` makes one of, as "auto"
    n : number of players
    random_state : seed of the first run; those that follow draw on. None: not repeatable

    Raises `MissingPackage` without shapiq, and `UnknownEstimator`.
    """
    made = create(estimator) if isinstance(estimator, str) else estimator
    return approximator_class(made)(n, random_state)


def approximator_class(estimator: Estimator) -> type:
    """The class of the approximators by an estimator, named after it."""
    shapiq = needed("shapiq", "an approximator for shapiq")
    base: Any = needed("shapiq.approximator", "an approximator for shapiq").Approximator

    class Approximator(base):  # type: ignore[misc]
        __doc__ = f"Shapley values by the estimator {estimator.id}."
        valid_indices = ("SV",)

        def __init__(self, n: int, random_state: int | None = None):
            super().__init__(n=n, max_order=1, index="SV", random_state=random_state)
            self.estimator = estimator

        def approximate(self, budget: int, game: Values, *_: Any, **__: Any) -> Any:
            """`shapiq.InteractionValues` within ``budget`` evaluations of the game.

            Raises `BudgetTooSmall` below the minimum of the estimator.
            """
            evaluated = EvaluatedGame(game, self.n)
            estimate = estimate_with_empty(self.estimator, evaluated, budget, self._rng)
            exact = self.estimator.exact_budget(self.n)
            by_player = {(i,): value for i, value in enumerate(estimate.values.tolist())}
            return shapiq.InteractionValues(
                values={(): evaluated.empty} | by_player,
                index="SV",
                max_order=1,
                min_order=0,
                n_players=self.n,
                baseline_value=evaluated.empty,
                estimated=exact is None or budget < exact,
                estimation_budget=evaluated.evaluations,
            )

        def __eq__(self, other: object) -> bool:
            same = getattr(other, "estimator", None) == self.estimator
            return same and bool(super().__eq__(other))

        def __hash__(self) -> int:
            return hash((super().__hash__(), self.estimator.id))

        def __reduce__(self) -> tuple[Any, ...]:
            """Pickled by how it was made: explainers send it to other processes."""
            return shapiq_approximator, (self.estimator, self.n), vars(self)

    Approximator.__name__ = Approximator.__qualname__ = type(estimator).__name__
    return Approximator


class EvaluatedGame:
    """A game of shapiq with its number of players; counts rows and keeps the empty coalition's."""

    def __init__(self, game: Values, n_players: int):
        self.game = game
        self.n_players = n_players
        self.name = type(game).__name__
        self.evaluations = 0
        self.empty = np.nan

    def __call__(self, coalitions: np.ndarray) -> np.ndarray:
        """Values (m,) of the coalitions (m, d) bool."""
        values = checked_values(self.game(coalitions.copy()), coalitions, self.name).copy()
        self.evaluations += len(coalitions)
        for value in values[~coalitions.any(axis=1)]:
            self.empty = float(value)
        return values


def estimate_with_empty(
    estimator: Estimator, game: EvaluatedGame, budget: int, rng: np.random.Generator
) -> Estimate:
    """The estimate; then the game knows the value of the empty coalition, within the budget."""
    if estimator.card and estimator.card.efficient:  # its values sum to v(grand) - v(empty)
        return estimator.estimate(game, budget, rng)
    minimum = estimator.minimum_budget(game.n_players) + 1
    if budget < minimum:
        raise BudgetTooSmall(
            f"{estimator.id} needs at least {minimum} evaluations for {game.n_players} players, "
            f"that of the empty coalition among them; the budget is {budget}."
        )
    game(np.zeros((1, game.n_players), dtype=bool))
    return estimator.estimate(game, budget - 1, rng)
