"""What an estimator achieved on the bank: one file, in a format with a version.

A file is a JSON object with

- ``format``: "shapaudit-judgement 1";
- ``name``: of the estimator on pages; ``estimator``: its class, parameters and the SHA-256 of its
  file; ``versions``: of shapaudit, Python and NumPy;
- ``bank``: SHA-256 of the bank's index, so that only results on the same games are compared;
- ``seeds``: runs of each game and budget, `SEEDS`;
- ``runs``: an object for each game of the bank and each of `BUDGETS` below the number of its
  coalitions, with ``game``, ``budget``, ``errors`` (the Euclidean
  norm of the error over that of the Shapley values, one per seed), ``evaluations`` (counted, one
  per seed) and ``seconds`` (of the processor, all seeds together); where the estimator needs more
  evaluations, these lists are empty and ``refused`` says so.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from math import isfinite
from numbers import Real
from pathlib import Path
from typing import Any

from ..games import bank
from ..own_files import OwnFolder

FORMAT = "shapaudit-judgement 1"
BUDGETS = (30, 60, 100, 200, 500, 1_000, 2_000)
SEEDS = 3
MOST = 1e100  # a relative error beyond which is none


class JudgementError(ValueError):
    """A file that is no judgement, or one on other games."""


@dataclass(frozen=True)
class Run:
    """Runs of an estimator on a game with a budget, one per seed; none where it was refused."""

    game: str
    budget: int
    errors: Sequence[float]
    evaluations: Sequence[int]
    seconds: float
    refused: str = ""


@dataclass(frozen=True)
class Judgement:
    """Results of an estimator on the games of the bank; the module says what the fields hold."""

    name: str
    estimator: Mapping[str, Any]
    versions: Mapping[str, str]
    bank: str
    seeds: int
    runs: Sequence[Run]

    def save(self, path: str | Path) -> None:
        """Write the file; raises `FolderError` rather than overwrite what was not written so."""
        path = Path(path)
        OwnFolder(path.parent).write({path.name: self.text()})

    def text(self) -> str:
        """The file: a line for each run."""
        content = {"format": FORMAT, **asdict(self)}
        runs = ",\n  ".join(json.dumps(run) for run in content.pop("runs"))
        head = json.dumps(content, indent=1, sort_keys=False).removesuffix("\n}")
        return f'{head},\n "runs": [\n  {runs}\n ]\n}}\n'


def read(path: str | Path) -> Judgement:
    """The judgement of a file, of all games of the bank; raises `JudgementError` for any other."""
    path = Path(path)
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        if content.pop("format") != FORMAT:
            raise JudgementError(
                f"{path} has another format than {FORMAT!r}, which this version reads; install the "
                "version of shapaudit that wrote it, or judge the estimator anew."
            )
        runs = [Run(**run) for run in content.pop("runs")]
        judgement = Judgement(**content, runs=runs)
        if fault := _fault(judgement):
            raise JudgementError(f"{path}: {fault}.")
    except (OSError, ValueError, TypeError, KeyError, AttributeError, OverflowError) as fault:
        if isinstance(fault, JudgementError):
            raise
        raise JudgementError(
            f"{path} is no judgement ({type(fault).__name__}: {fault}); write one with `shapaudit "
            "judge`."
        ) from fault
    return judgement


def _fault(judgement: Judgement) -> str:
    """What is wrong with a judgement, "" where nothing is; TypeError for what has another form."""
    name, about = judgement.name, judgement.estimator
    if not (isinstance(name, str) and name == name.strip() and name and name.isprintable()):
        return (
            f"its name is {name!r}, and must be a text that can be printed, without blanks around"
        )
    if not all(isinstance(about[key], str) for key in ("class", "sha256")):
        return "its estimator has no class or no digest of its file"
    if judgement.bank != bank_digest():
        return "it is about other games than the bank of this version has; judge the estimator anew"
    if judgement.seeds != SEEDS:
        return f"it has {judgement.seeds!r} seeds, and the others have {SEEDS}"
    tasks = [(run.game, run.budget) for run in judgement.runs]
    if unknown := sorted({game for game, _ in tasks} - {*bank.names()}):
        return f"the bank has no game {unknown[0]!r}"
    if twice := [task for task in dict.fromkeys(tasks) if tasks.count(task) > 1]:
        return "{} with {} evaluations is there twice".format(*twice[0])
    if lost := _tasks() - {*tasks}:
        return "it lacks {} with {} evaluations".format(*min(lost))
    if more := {*tasks} - _tasks():
        return "{} is not played with {} evaluations".format(*min(more))
    for run in judgement.runs:
        if fault := _fault_of_run(run):
            return f"{run.game} with {run.budget} evaluations: {fault}"
    return fault_of_refusals(judgement.runs)


def fault_of_refusals(runs: Sequence[Run]) -> str:
    """An estimator needs a number of evaluations for a number of players, and enters all others."""
    for d in {_players(run) for run in runs}:
        own = [run for run in runs if _players(run) == d]
        refused, entered = ([r for r in own if bool(r.refused) == told] for told in (True, False))
        most = max((run.budget for run in refused), default=0)
        if len({run.refused for run in refused}) > 1 or any(r.budget <= most for r in entered):
            return f"it enters some games of {d} players and not others, at the same evaluations"
    return ""


def _players(run: Run) -> int:
    return int(bank.index()[run.game]["players"])


def _tasks() -> set[tuple[str, int]]:
    """The games of the bank and the budgets at which each is played."""
    players = {name: int(about["players"]) for name, about in bank.index().items()}
    return {(name, budget) for name, d in players.items() for budget in BUDGETS if budget < 1 << d}


def _fault_of_run(run: Run) -> str:
    wanted = 0 if run.refused else SEEDS
    if not isinstance(run.refused, str) or {len(run.errors), len(run.evaluations)} != {wanted}:
        return "not one error and one count for each of the seeds"
    if not all(_is_number(error) and 0 <= error <= MOST for error in run.errors):
        return "an error is no number, negative or too large"
    if not all(type(count) is int and 1 <= count <= run.budget for count in run.evaluations):
        return "a count of evaluations is no whole number from 1 to the budget"
    if not (_is_number(run.seconds) and isfinite(run.seconds) and run.seconds >= 0):
        return "its seconds are no number"
    return ""


def _is_number(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def bank_digest() -> str:
    """SHA-256 of the index of the bank, which holds those of its tables."""
    return hashlib.sha256(bank.INDEX.read_bytes()).hexdigest()
