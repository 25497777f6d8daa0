"""What every estimator is called with: checked, and brought to one type, before it begins."""

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

import numpy as np

from ..games import Game, guarded
from ..parameters import whole_number


def as_generator(name: str, rng: np.random.Generator | int) -> np.random.Generator:
    """A generator as it is, or the one that a whole number seeds.

    Raises ValueError, naming the estimator, for anything else: an estimate can be repeated.
    """
    if isinstance(rng, np.random.Generator):
        return rng
    wanted = f"{name}: rng, unless it is a numpy.random.Generator,"
    seed = whole_number(wanted, rng, ValueError)
    if seed < 0:
        raise ValueError(f"{name}: a seed must not be negative; got {seed}.")
    return np.random.default_rng(seed)


def as_budget(name: str, budget: Any) -> int:
    """A budget of any integral type as an int; raises ValueError naming the estimator."""
    return whole_number(f"{name}: the budget", budget, ValueError)


def as_budgets(name: str, checkpoints: Sequence[Any]) -> list[int]:
    """Budgets of any integral type as ints; raises ValueError naming the estimator."""
    try:
        budgets = list(checkpoints)
    except TypeError:
        raise ValueError(
            f"{name}: checkpoints are a list of budgets; got {checkpoints!r}."
        ) from None
    return [as_budget(name, budget) for budget in budgets]


READ = {"estimate": as_budget, "trajectory": as_budgets, "stream": as_budgets}


def with_checked_arguments(method: Callable[..., Any]) -> Callable[..., Any]:
    """A method of an estimator, called with a guarded game, ints as budgets and a generator."""
    read = READ[method.__name__]

    @wraps(method)
    def checked(self: Any, game: Game, budget: Any, rng: np.random.Generator | int) -> Any:
        name = getattr(self, "id", type(self).__name__)
        return method(self, guarded(game), read(name, budget), as_generator(name, rng))

    return checked
