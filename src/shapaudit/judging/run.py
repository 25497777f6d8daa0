"""The runs of an estimator on the bank: `judge`."""

import hashlib
import inspect
import json
import platform
from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from time import process_time
from typing import Any, cast

import numpy as np

from .. import __version__
from ..estimators import Estimator
from ..estimators.checked_runs import EstimatorFailure, run_once
from ..games import bank
from ..games.bank import Solved
from ..parameters import whole_number
from ..progress import progress
from ..seeding import generator
from .conduct import HiddenGame, bank_closed, check_conduct
from .judgement import Judgement, Run, bank_digest

BUDGETS = (30, 60, 100, 200, 500, 1_000, 2_000)
SEEDS = 3
DIGITS = 6  # of an error
CHECKED = 100  # evaluations of the runs that try the conduct


def judge(
    estimator: Estimator, *, name: str = "", seeds: int = SEEDS, games: Sequence[str] | None = None
) -> Judgement:
    """Run an estimator on games of the bank, at the same evaluations and seeds as all others.

    Before the runs its conduct is checked: `conduct`. A budget of all coalitions or more is left
    out. The generator of a run follows from the game, the budget and the number of the run.

    Parameters
    ----------
    estimator : of the package or of one's own
    name : on pages; the name of its class by default
    seeds : runs of each game and budget
    games : names of games of the bank, all by default

    Raises `EstimatorFailure` where the estimator breaks its contract, and `GameError` for a game
    that the bank does not have.
    """
    seeds = whole_number("seeds", seeds, ValueError)
    if seeds < 1:
        raise ValueError(f"seeds must be 1 or more; got {seeds}.")
    chosen = [bank.load(game) for game in (bank.names() if games is None else games)]
    _check_on(estimator, chosen[0])
    runs = []
    with bank_closed(estimator):
        for solved in progress(chosen, "the bank", "games"):
            runs += [
                _runs(estimator, solved, budget, seeds)
                for budget in BUDGETS
                if budget < solved.game.values.size
            ]
    versions = {
        "shapaudit": __version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
    }
    told = name or type(estimator).__name__
    return Judgement(told, _described(estimator), versions, bank_digest(), seeds, runs)


def _check_on(estimator: Estimator, solved: Solved) -> None:
    budget = max(CHECKED, estimator.minimum_budget(solved.game.n_players))
    with bank_closed(estimator):
        check_conduct(estimator, solved.game.values, budget, partial(generator, 0, "conduct"))


def _runs(estimator: Estimator, solved: Solved, budget: int, seeds: int) -> Run:
    """All runs of a budget on a game."""
    least = estimator.minimum_budget(solved.game.n_players)
    if budget < least:
        return Run(solved.name, budget, [], [], 0.0, f"needs {least} evaluations")
    errors, evaluations, start = [], [], process_time()
    for seed in range(seeds):
        generator_of = partial(generator, 0, "judge", solved.name, seed)
        game = HiddenGame(solved.game.values)
        (estimate,) = run_once(estimator, game, [budget], generator_of)
        off = np.linalg.norm(estimate.values - solved.values) / np.linalg.norm(solved.values)
        errors.append(float(f"{off:.{DIGITS}g}"))
        evaluations.append(int(estimate.evaluations))
    return Run(solved.name, budget, errors, evaluations, round(process_time() - start, 4))


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
    own = f"{cls.__module__}.{cls.__qualname__}"
    return {"class": own, "params": params, "sha256": hashlib.sha256(text).hexdigest()}
