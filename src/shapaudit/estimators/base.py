"""The contract of an estimator and the two loops most estimators share."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import Field, dataclass, replace
from typing import Any, ClassVar

import numpy as np

from ..discovery import values_bearing
from ..games import Game
from ..parameters import check_fields
from ..statistics.moments import RunningMoments
from .arguments import READ, with_checked_arguments

FAMILIES = (
    "random order",
    "semivalue",
    "multilinear",
    "least squares",
    "stochastic gradient",
    "surrogate",
)
# The less where the game itself walks along permutations, and needs no coalitions.
WALK_COST = r"O(1) \text{ to } O(d)"
BLOCK_CELLS = 1 << 22  # coalitions are drawn in blocks of about this many (row, player) cells
Names = Mapping[str, Mapping[str, Any]]


class BudgetTooSmall(ValueError):
    """The budget is below what one estimate takes."""


@dataclass(frozen=True)
class Estimate:
    """What an estimator returns.

    Attributes
    ----------
    values : (d,) float64, estimated Shapley values in the units of the game, by player
    evaluations : of the game that were spent, repeats included; never more than the budget
    standard_errors : (d,) in the same units, of this run; None where the estimator has none, or
        the run was too short for them
    """

    values: np.ndarray
    evaluations: int
    standard_errors: np.ndarray | None = None

    def known_errors(self) -> np.ndarray:
        """The standard errors (d,); raises ValueError where there are none."""
        if self.standard_errors is None:
            raise ValueError("this estimate has no standard errors")
        return self.standard_errors


@dataclass(frozen=True)
class Card:
    """What an estimator is and promises: printed by the report, put to the test by the contract.

    Attributes
    ----------
    family : one of `FAMILIES`
    definition : one sentence
    evaluations : evaluations of v spent on its units, LaTeX in terms of d and the number of units
    source : paper, section, equation
    cost : order of the arithmetic per evaluation, LaTeX in terms of d: to draw the coalition, of d
        entries, and to use its value. Without the game, and without what is done once per estimate
    aliases : names in the literature, as "ME_RAND": those of `Estimator.names` that fit; where a
        class variable lists none, it gets all names of the class that have no parameters
    unbiased : the expectation is the Shapley value at every admissible budget, on every game
    bias : what is known of the bias where there is one
    efficient : the estimates sum to v(grand) - v(empty); with fresh noise, in expectation
    additive : exact on additive games from the minimum budget on
    consistent : converges to the Shapley values as the budget grows
    deterministic : draws nothing from its generator
    """

    family: str
    definition: str
    evaluations: str
    source: str
    cost: str = ""
    aliases: tuple[str, ...] = ()
    unbiased: bool = False
    bias: str = ""
    efficient: bool = False
    additive: bool = False
    consistent: bool = True
    deterministic: bool = False

    def __post_init__(self) -> None:
        """Raise ValueError for an unknown family, or a bias that contradicts the promise."""
        if self.family not in FAMILIES:
            raise ValueError(f"family {self.family!r} is none of {', '.join(FAMILIES)}.")
        if self.unbiased == bool(self.bias):
            raise ValueError("an estimator is unbiased, or its card says what its bias is.")


class Estimator(ABC):
    """A model-agnostic estimator; its dataclass fields are its parameters.

    One evaluation is one row of v, repeats, empty and grand coalition included. An estimator never
    spends more than its budget and reports what it spent. Budgets may be of any integral type, a
    generator may be given by its seed, and a game may be any callable with ``n_players``: whatever
    a subclass defines to estimate gets them as an int, a Generator and a game that keeps to the
    contract, and is not called with anything else (ValueError).

    Attributes
    ----------
    id : its name in a configuration
    names : names in the literature, each with the parameters that bear it; those it leaves out may
        be anything. Of a parameter with a tuple of values the first is what the name creates
    card : what it is and promises; None for an estimator that does not say
    """

    id: ClassVar[str]
    names: ClassVar[Names] = {}
    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    def __init_subclass__(cls, **settings: Any) -> None:
        """Check the arguments of every method that estimates, and complete the card by names."""
        super().__init_subclass__(**settings)
        card = vars(cls).get("card")
        if isinstance(card, Card) and not card.aliases:
            plain = tuple(name for name, params in cls.names.items() if not params)
            type.__setattr__(cls, "card", replace(card, aliases=plain))
        for name in READ.keys() & vars(cls).keys():
            setattr(cls, name, with_checked_arguments(vars(cls)[name]))

    @property
    def card(self) -> Card | None:
        """None; a subclass has a class variable or a property of this name in its place."""
        return None

    @property
    def aliases(self) -> tuple[str, ...]:
        """Names in the literature that these parameters bear."""
        return tuple(
            name
            for name, params in self.names.items()
            if all(getattr(self, key) in values_bearing(value) for key, value in params.items())
        )

    def __post_init__(self) -> None:
        """Raise ValueError for a parameter outside its declared choices, or of another type."""
        check_fields(getattr(self, "id", type(self).__name__), self)

    @abstractmethod
    def minimum_budget(self, n_players: int) -> int:
        """Smallest budget for which there is an estimate."""

    @abstractmethod
    def estimate(self, game: Game, budget: int, rng: np.random.Generator) -> Estimate:
        """Estimate within ``budget`` evaluations.

        Parameters
        ----------
        game : callable with ``n_players`` that maps coalitions (m, d) bool to values (m,)
        budget : evaluations of the game, at most; an evaluation is a row of coalitions
        rng : generator, or a seed

        Raises `BudgetTooSmall` below `minimum_budget`, `GameError` for values that are not finite
        real numbers (m,), and ValueError for another type of budget or generator.
        """

    def exact_budget(self, n_players: int) -> int | None:
        """Budget from which the estimate is exact on every game; None where there is none."""
        return None

    def check_budget(self, n_players: int, budget: int) -> None:
        """Raise `BudgetTooSmall`, naming the estimator and the minimum."""
        minimum = self.minimum_budget(n_players)
        if budget < minimum:
            raise BudgetTooSmall(
                f"{self.id} needs at least {minimum} evaluations for {n_players} players; "
                f"the budget is {budget}."
            )


class AnytimeEstimator(Estimator):
    """An estimator whose single run yields the estimate at every checkpoint."""

    def estimate(self, game: Game, budget: int, rng: np.random.Generator) -> Estimate:
        """Estimate within ``budget`` evaluations."""
        return self.trajectory(game, [budget], rng)[-1]

    @abstractmethod
    def trajectory(
        self, game: Game, checkpoints: Sequence[int], rng: np.random.Generator
    ) -> list[Estimate]:
        """Estimates at increasing budgets, from one run.

        Parameters
        ----------
        game : callable with ``n_players`` that maps coalitions (m, d) bool to values (m,)
        checkpoints : budgets, increasing; the estimate at each counts what was spent up to there
        rng : generator, or a seed

        Raises `BudgetTooSmall` where the first is below `minimum_budget`, and ValueError for none
        or decreasing ones.
        """

    def check_checkpoints(self, n_players: int, checkpoints: Sequence[int]) -> None:
        """Raise `BudgetTooSmall` or ValueError for checkpoints that cannot be served."""
        if len(checkpoints) == 0 or (np.diff(checkpoints) < 0).any():
            raise ValueError(f"{self.id}: checkpoints must be one or more increasing budgets.")
        self.check_budget(n_players, min(checkpoints))


class UnitEstimator(AnytimeEstimator):
    """An estimator from independent units of the same cost, which can stop after any of them."""

    fixed_cost: ClassVar[int] = 0

    @abstractmethod
    def unit_cost(self, n_players: int) -> int:
        """Evaluations of one unit."""

    @abstractmethod
    def stream(
        self, game: Game, checkpoints: Sequence[int], rng: np.random.Generator
    ) -> Iterator[Estimate]:
        """The estimates of `trajectory`, nothing evaluated before it is asked for."""

    def units_for_errors(self, n_players: int) -> int | None:
        """Units from which standard errors can be relied on; None where there are none."""
        return None

    def trajectory(
        self, game: Game, checkpoints: Sequence[int], rng: np.random.Generator
    ) -> list[Estimate]:
        """Estimates at increasing budgets, from one run; raises `BudgetTooSmall`."""
        return list(self.stream(game, checkpoints, rng))


class SampleMean(UnitEstimator):
    """The mean of independent units (d,).

    Standard errors come from the spread of the units, so they need two of them.
    """

    @abstractmethod
    def draw(self, game: Game, units: int, rng: np.random.Generator) -> np.ndarray:
        """Evaluate ``units`` independent units (units, d)."""

    def minimum_budget(self, n_players: int) -> int:
        """One unit."""
        return self.fixed_cost + self.unit_cost(n_players)

    def units_for_errors(self, n_players: int) -> int | None:
        """Two, for any number of players."""
        return 2

    def stream(
        self, game: Game, checkpoints: Sequence[int], rng: np.random.Generator
    ) -> Iterator[Estimate]:
        """The estimates of `trajectory`, nothing evaluated before it is asked for."""
        d = game.n_players
        self.check_checkpoints(d, checkpoints)
        cost = self.unit_cost(d)
        block = max(1, BLOCK_CELLS // (cost * d))
        moments = RunningMoments(d)
        for checkpoint in checkpoints:
            units = (checkpoint - self.fixed_cost) // cost
            while moments.count < units:
                moments.update(self.draw(game, min(block, units - moments.count), rng))
            spent = self.fixed_cost + cost * units
            yield Estimate(moments.mean.copy(), spent, moments.standard_errors())
