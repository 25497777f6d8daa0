"""What an estimator achieved on the bank: one file, in a format with a version.

A file is a JSON object with

- ``format``: "shapaudit-judgement 1";
- ``name``: of the estimator on pages; ``estimator``: its class, parameters and the SHA-256 of its
  file; ``versions``: of shapaudit, Python and NumPy;
- ``bank``: SHA-256 of the bank's index, so that only results on the same games are compared;
- ``seeds``: runs of each game and budget;
- ``runs``: an object for each game and budget with ``game``, ``budget``, ``errors`` (the Euclidean
  norm of the error over that of the Shapley values, one per seed), ``evaluations`` (counted, one
  per seed) and ``seconds`` (of the processor, all seeds together); where the estimator needs more
  evaluations, these lists are empty and ``refused`` says so.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from math import isfinite
from pathlib import Path
from typing import Any

from ..games import bank
from ..own_files import OwnFolder

FORMAT = "shapaudit-judgement 1"


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
    """The judgement of a file; raises `JudgementError` saying what is wrong with it."""
    path = Path(path)
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        if content.pop("format") != FORMAT:
            raise JudgementError(f"{path} has another format than {FORMAT!r}.")
        runs = [Run(**run) for run in content.pop("runs")]
        judgement = Judgement(**content, runs=runs)
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as fault:
        if isinstance(fault, JudgementError):
            raise
        raise JudgementError(
            f"{path} is no judgement ({type(fault).__name__}: {fault}); write one with `shapaudit "
            "judge`."
        ) from fault
    _check(judgement, path)
    return judgement


def _check(judgement: Judgement, path: Path) -> None:
    if judgement.bank != bank_digest():
        raise JudgementError(
            f"{path} is about other games than the bank of this version has; judge the estimator "
            "anew."
        )
    players = {name: int(about["players"]) for name, about in bank.index().items()}
    for run in judgement.runs:
        where = f"{path}: {run.game} with {run.budget} evaluations"
        if run.game not in players:
            raise JudgementError(f"{path}: the bank has no game {run.game!r}.")
        lengths = {len(run.errors), len(run.evaluations)}
        if lengths != {0 if run.refused else judgement.seeds}:
            raise JudgementError(f"{where}: not one error and one count for each of the seeds.")
        if not all(isfinite(error) and error >= 0 for error in run.errors):
            raise JudgementError(f"{where}: an error is negative or not finite.")
        if any(count > run.budget for count in run.evaluations):
            raise JudgementError(f"{where}: more evaluations than the budget.")


def bank_digest() -> str:
    """SHA-256 of the index of the bank, which holds those of its tables."""
    return hashlib.sha256(bank.INDEX.read_bytes()).hexdigest()
