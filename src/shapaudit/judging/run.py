"""The runs of an estimator on the bank: `judge`."""

import hashlib
import inspect
import json
import platform
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from pathlib import Path
from time import process_time
from typing import Any, cast

import numpy as np

from .. import __version__
from ..estimators import Estimator
from ..estimators.checked_runs import (
    EstimatorDiverged,
    EstimatorFailure,
    least_budget,
    named,
)
from ..games import bank
from ..games.bank import Solved
from ..parameters import shortened, whole_number
from ..progress import progress
from ..seeding import generator
from .conduct import FirstRun, bank_closed, check_again, first_run
from .judgement import BUDGETS, MOST, SEEDS, Judgement, Run, bank_digest, fault_of_refusals

DIGITS = 6  # of an error
CHECKED = 100  # evaluations of the runs that try the conduct


def judge(
    estimator: Estimator, *, name: str = "", seeds: int = SEEDS, games: Sequence[str] | None = None
) -> Judgement:
    """Run an estimator on games of the bank, at the same evaluations and seeds as all others.

    A budget of all coalitions or more is left out. The generator of a run follows from the game,
    the budget and the number of the run. After all runs, one of each game and budget is repeated,
    by which the conduct is checked (`check_again`).

    Parameters
    ----------
    estimator : of the package or of one's own
    name : on pages; the name of its class by default
    seeds : runs of each game and budget
    games : names of games of the bank, all by default

    Raises `EstimatorFailure` where the estimator breaks its contract, with the game, the budget and
    the run; `GameError` for a game that the bank does not have; TypeError for what is no estimator;
    ValueError for no seeds or no games.
    """
    if not isinstance(estimator, Estimator):
        told = shortened(repr(estimator))
        raise TypeError(f"judge an instance of shapaudit.estimators.Estimator; got {told}.")
    seeds = whole_number("seeds", seeds, ValueError)
    if seeds < 1:
        raise ValueError(f"seeds must be 1 or more; got {seeds}.")
    chosen = [bank.load(game) for game in (bank.names() if games is None else games)]
    if not chosen:
        raise ValueError("games must name at least one game of the bank.")
    runs, firsts = [], []
    with bank_closed(class_of(estimator)):
        _check_at_once(estimator, chosen[0])
        for solved in progress(chosen, "the bank", "games"):
            for budget in BUDGETS:
                if budget < solved.game.values.size:
                    run, first = _runs(estimator, solved, budget, seeds)
                    runs.append(run)
                    firsts += [(solved, first)] if first else []
        for solved, first in progress(firsts[::-1], "the same again", "runs"):
            with _told(solved.name, first.budget, 0):
                check_again(estimator, first)
    if fault := fault_of_refusals(runs):
        raise EstimatorFailure(f"{named(estimator)}: {fault}.")
    versions = {
        "shapaudit": __version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
    }
    told = name or type(estimator).__name__
    return Judgement(told, _described(estimator), versions, bank_digest(), seeds, runs)


def _check_at_once(estimator: Estimator, solved: Solved) -> None:
    """Check the conduct on one game before all runs, which may take long."""
    budget = max(CHECKED, least_budget(estimator, solved.game.n_players))
    generator_of = partial(generator, 0, "conduct")
    with _told(solved.name, budget, 0):
        check_again(estimator, first_run(estimator, solved.game.values, budget, generator_of))


def _runs(
    estimator: Estimator, solved: Solved, budget: int, seeds: int
) -> tuple[Run, FirstRun | None]:
    """All runs of a budget on a game, and the first; none where the budget is too small."""
    least = least_budget(estimator, solved.game.n_players)
    if budget < least:
        return Run(solved.name, budget, [], [], 0.0, f"needs {least} evaluations"), None
    made, start = [], process_time()
    for seed in range(seeds):
        generator_of = partial(generator, 0, "judge", solved.name, seed)
        with _told(solved.name, budget, seed):
            made.append(first_run(estimator, solved.game.values, budget, generator_of))
    seconds = round(process_time() - start, 4)
    errors = [_error(estimator, solved, one) for one in made]
    evaluations = [one.estimate.evaluations for one in made]
    return Run(solved.name, budget, errors, evaluations, seconds), made[0]


def _error(estimator: Estimator, solved: Solved, made: FirstRun) -> float:
    """Euclidean norm of the error over that of the Shapley values."""
    with np.errstate(over="ignore"):
        off = np.linalg.norm(made.estimate.values - solved.values) / np.linalg.norm(solved.values)
    if not off <= MOST:
        raise EstimatorDiverged(
            f"{named(estimator)}: values that are too large for their error to be a number, on "
            f"{solved.name} with {made.budget} evaluations."
        )
    return float(f"{off:.{DIGITS}g}")


@contextmanager
def _told(game: str, budget: int, run: int) -> Iterator[None]:
    """Say of a failure on which game it was, with which budget and in which run."""
    try:
        yield
    except EstimatorFailure as fault:
        where = f"This was on {game}, with {budget} evaluations, in run {run + 1}."
        raise type(fault)(f"{str(fault).rstrip('.')}. {where}") from fault


def _described(estimator: Estimator) -> dict[str, Any]:
    """The class, its parameters and the digest of its file; a parameter must be JSON."""
    cls = type(estimator)
    params = asdict(cast(Any, estimator))
    try:
        json.dumps(params)
    except (TypeError, ValueError) as fault:
        raise EstimatorFailure(
            f"{cls.__name__}: its parameters cannot be written to a file ({fault}); make them "
            "numbers, texts, or lists or mappings of these."
        ) from fault
    text = Path(inspect.getfile(cls)).read_bytes()
    sha256 = hashlib.sha256(text).hexdigest()
    return {"class": class_of(estimator), "params": params, "sha256": sha256}


def class_of(estimator: Estimator) -> str:
    """Dotted path of the class."""
    return f"{type(estimator).__module__}.{type(estimator).__qualname__}"
