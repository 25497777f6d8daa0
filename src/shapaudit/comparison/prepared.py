"""What comes before the work of a comparison: the model is tried or recognised, and priced."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ..datasets.mixed import Players, TableError
from ..estimators import Estimator
from ..explanations.asking import TRIED, SpeedTrial, busy
from ..explanations.trees import Trees, trees_of
from ..models.predictors import LARGEST, Predictor
from ..parameters import listed
from .drawn import DrawnRows
from .kept import ComparisonStore, kept_before
from .own_time import within
from .plan import Plan, best_plan

MOST_OUTPUTS = 20  # of a model, where they are not chosen
logger = logging.getLogger("shapaudit.progress")
Prepared = tuple[ComparisonStore, Plan, list[Trees] | None]


@dataclass(frozen=True)
class Question:
    """What is compared on what.

    Attributes
    ----------
    model, predict : as it was given, and as a function
    players, drawn, estimators : of the comparison
    seconds : that the model may take, and the estimators as well
    """

    model: Any
    predict: Predictor
    players: Players
    drawn: DrawnRows
    estimators: Mapping[str, Estimator]
    seconds: float

    def before(self, keep: str | Path | None, settings: Mapping[str, Any]) -> Prepared | None:
        """What is kept of the same comparison, its plan, and the trees; None without any."""
        earlier = kept_before(keep, self.drawn.known, self.predict, settings)
        if earlier is None:
            return None
        kept, outputs = earlier
        return kept, kept.stored_plan(), self._trees(outputs)

    def tried(self, keep: str | Path | None, settings: Mapping[str, Any]) -> Prepared:
        """The same of a comparison that is new; raises `TableError` where there is no plan."""
        rows, predict = self.drawn.explained, self.predict
        logger.info("comparison: trying the model on %d rows", min(TRIED, len(rows)))
        trial = SpeedTrial(predict, rows)
        _check_outputs(predict)
        _check_size(trial.outputs)
        trees, players, outputs = self._trees(trial.outputs), len(self.players), len(predict.names)
        planned = _affordable(
            trial,
            self.drawn.choices(),
            players=players,
            estimators=len(self.estimators),
            allowed=self.seconds,
            trees=trees is not None,
            outputs=outputs,
        )
        planned = within(planned, self.estimators, players, outputs, self.seconds)
        kept = ComparisonStore(keep, self.drawn.known, predict.names, settings)
        kept.recognise(trial.outputs)
        return kept, kept.plan(planned), trees

    def _trees(self, outputs: np.ndarray) -> list[Trees] | None:
        rows = self.drawn.explained
        return _all_trees(self.model, self.predict, self.players, rows, outputs)


def _check_outputs(predict: Predictor) -> None:
    if len(predict.names) > MOST_OUTPUTS:
        raise TableError(
            f"the model gives {len(predict.names):,} outputs per row, and estimators would run for "
            f"each; choose up to {MOST_OUTPUTS} of them by output"
        )
    if len(set(predict.names)) < len(predict.names):
        raise TableError(f"outputs are named twice: {listed(predict.names)}; choose each once")


def _check_size(outputs: np.ndarray) -> None:
    """Raise `TableError` for outputs whose squares vanish."""
    if 0 < (largest := np.abs(outputs).max()) < 1 / LARGEST:
        raise TableError(
            f"the model gives outputs of size {largest:.2g}, whose squares are too small to add; "
            f"multiply them so that they exceed {1 / LARGEST:.0e}"
        )


def _affordable(trial: SpeedTrial, choices: Sequence[tuple[int, int]], **settings: Any) -> Plan:
    """The plan at the speed of the trial; one that is refused is looked at again before.

    Other programs may have slowed the model down while its speed was measured.
    """
    try:
        return best_plan(choices, row_seconds=trial.row_seconds, **settings)
    except TableError:
        trial.measure_again()
    try:
        return best_plan(choices, row_seconds=trial.row_seconds, **settings)
    except TableError as error:
        raise TableError(f"{error}{busy()}") from None


def _all_trees(
    model: Any, predict: Predictor, players: Players, rows: pd.DataFrame, outputs: np.ndarray
) -> list[Trees] | None:
    """Trees of every output; None where one of them has none."""
    numbers: Sequence[int | None] = [None] if predict.total == 1 else predict.columns
    ensembles: list[Trees] = []
    for place, number in enumerate(numbers):
        trees = trees_of(model, number, players, rows, outputs[:, place])
        if trees is None:
            return None
        ensembles.append(trees)
    return ensembles
