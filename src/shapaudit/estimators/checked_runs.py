"""A run of an estimator on a counted game, with checks of the contract."""

import inspect
import traceback
from collections.abc import Callable, Sequence
from functools import partial
from numbers import Integral
from operator import index
from pathlib import Path
from typing import Any

import numpy as np

from ..games import CountedGame, Game, for_estimator
from ..parameters import check_count, shortened
from .base import AnytimeEstimator, Estimate, Estimator


class EstimatorFailure(RuntimeError):
    """An estimator raised, overspent, misreported its spending or returned no proper estimate."""


class EstimatorDiverged(EstimatorFailure):
    """An estimator returned values that are not finite."""


def run_once(
    estimator: Estimator,
    game: Game,
    budgets: Sequence[int],
    generator_of: Callable[[int], np.random.Generator],
) -> list[Estimate]:
    """Estimates (one per budget) of a counted game, checked.

    An anytime estimator runs once; any other runs once per budget, with the generator of that
    budget. Raises `EstimatorFailure` naming the estimator and the game.
    """
    if isinstance(estimator, AnytimeEstimator):
        counted = CountedGame(game, budgets[-1])
        rng = generator_of(budgets[-1])
        given = for_estimator(counted)
        estimates = _guarded(estimator, partial(estimator.trajectory, given, budgets, rng), game)
        return _checked(estimator, game, estimates, budgets, counted.evaluations)
    estimates = []
    for budget in budgets:
        counted = CountedGame(game, budget)
        rng = generator_of(budget)
        given = for_estimator(counted)
        estimate = _guarded(estimator, partial(estimator.estimate, given, budget, rng), game)
        estimates += _checked(estimator, game, [estimate], [budget], counted.evaluations)
    return estimates


def least_budget(estimator: Estimator, n_players: int, called: str = "") -> int:
    """Its minimum budget; raises `EstimatorFailure` where that fails or is no count.

    ``called`` is what the message calls it, `named` by default.
    """
    what = f"minimum_budget({n_players}) of {called or named(estimator)}"
    try:
        least = estimator.minimum_budget(n_players)
    except Exception as error:
        where = _line(error, estimator)
        told = f"{type(error).__name__}: {shortened(str(error))}"
        raise EstimatorFailure(f"{what} fails{where}: {told}") from error
    check_count(what, least, 1, EstimatorFailure)
    return int(least)


def check_repeats(
    estimator: Estimator,
    game: Game,
    budget: int,
    generator_of: Callable[[int], np.random.Generator],
) -> None:
    """Raise `EstimatorFailure` where two runs with the same generator differ."""
    first, second = (run_once(estimator, game, [budget], generator_of)[0] for _ in range(2))
    if _differ(first, second):
        raise EstimatorFailure(
            f"{named(estimator)} on {_name(game)}: two runs with the same generator differ at "
            f"budget {budget}; draw all random numbers from rng, and keep nothing between runs."
        )


def _differ(first: Estimate, second: Estimate) -> bool:
    errors = [
        None if e.standard_errors is None else list(e.standard_errors) for e in (first, second)
    ]
    same = np.array_equal(first.values, second.values) and first.evaluations == second.evaluations
    return not same or errors[0] != errors[1]


def _name(game: Game) -> str:
    return getattr(game, "name", "a game")


def named(estimator: Estimator) -> str:
    """What messages call an estimator."""
    return f"estimator {shortened(str(estimator))}"


def _guarded(estimator: Estimator, call: Callable[[], Any], game: Game) -> Any:
    """The result of a call; an exception or an exit from Python is a failure of the estimator."""
    try:
        return call()
    except SystemExit as error:
        raise EstimatorFailure(
            f"{named(estimator)} called sys.exit({error.code!r}) on {_name(game)}, which would "
            "end the job; raise an error instead."
        ) from error
    except Exception as error:
        raise EstimatorFailure(
            f"{named(estimator)} failed on {_name(game)}{_line(error, estimator)}: "
            f"{type(error).__name__}: {shortened(str(error))}"
        ) from error


def _line(error: Exception, estimator: Estimator) -> str:
    """The last line of a user's own file that an error passed; "" where there is none."""
    if type(estimator).__module__.partition(".")[0] == __package__.partition(".")[0]:
        return ""
    try:
        own = inspect.getfile(type(estimator))
    except (OSError, TypeError):  # typed in at a prompt
        return ""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == own]
    return f" (line {lines[-1]} of {Path(own).name})" if lines else ""


def _checked(
    estimator: Estimator, game: Game, estimates: Any, budgets: Sequence[int], counted: int
) -> list[Estimate]:
    """The estimates as plain copies; raises `EstimatorFailure` when they break the contract.

    An array that the estimator changes later, or one of a class of its own, changes nothing here.
    """
    name = f"{named(estimator)} on {_name(game)}"
    if not isinstance(estimates, list):
        raise EstimatorFailure(
            f"{name}: a {type(estimates).__name__}; return a list of one Estimate per budget."
        )
    if len(estimates) != len(budgets):
        raise EstimatorFailure(f"{name}: {len(estimates)} estimates for {len(budgets)} budgets.")
    for estimate in estimates:
        if not isinstance(estimate, Estimate):
            raise EstimatorFailure(
                f"{name}: a {type(estimate).__name__}; return a shapaudit.estimators.Estimate."
            )
    estimates = [_copied(estimate) for estimate in estimates]
    for estimate, budget in zip(estimates, budgets, strict=True):
        if fault := _fault(estimate, game.n_players, budget):
            raise EstimatorFailure(f"{name}: {fault}.")
        if not np.isfinite(estimate.values).all():
            raise EstimatorDiverged(
                f"{name}: values that are not finite at budget {budget}; "
                "a step size may be too large for this many players."
            )
    if estimates[-1].evaluations != counted:
        raise EstimatorFailure(
            f"{name}: reports {estimates[-1].evaluations} evaluations; {counted} were counted."
        )
    return estimates


def _copied(estimate: Estimate) -> Estimate:
    """The same of arrays and whole numbers that are NumPy's and Python's own."""
    values, errors, spent = estimate.values, estimate.standard_errors, estimate.evaluations
    return Estimate(
        np.array(values) if isinstance(values, np.ndarray) else values,
        index(spent) if isinstance(spent, Integral) and not isinstance(spent, bool) else spent,
        np.array(errors) if isinstance(errors, np.ndarray) else errors,
    )


def _fault(estimate: Estimate, d: int, budget: int) -> str:
    """The fault of the arrays or the count of an estimate; "" where there is none."""
    errors = np.zeros(d) if estimate.standard_errors is None else estimate.standard_errors
    for what, array in (("values", estimate.values), ("standard errors", errors)):
        if not isinstance(array, np.ndarray):
            return f"{what} are a {type(array).__name__}; return an array of ({d},) floats"
        if array.shape != (d,) or array.dtype.kind not in "fiu":
            return f"{what} of shape {array.shape} and type {array.dtype}; return ({d},) floats"
    if np.isfinite(estimate.values).all() and not (errors >= 0).all():
        return (
            f"standard errors {errors} are negative or missing; where there are none, return None"
        )
    spent = estimate.evaluations
    if not isinstance(spent, Integral) or isinstance(spent, bool):
        return f"reports {spent!r} evaluations; report how many rows were asked for"
    if spent > budget:
        return f"reports {spent} evaluations for a budget of {budget}"
    if spent < 1:
        return f"reports {spent} evaluations; an estimate is made of one value of the game at least"
    return ""
