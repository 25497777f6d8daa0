"""Values of many rows for which coalitions are evaluated: what they cost, and what is kept."""

import hashlib
import json
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ..datasets.mixed import Players, TableError
from ..estimators.explain import refined
from ..models.predictors import Predictor
from ..parameters import counted
from ..progress import Bar
from ..removals import Removal
from ..seeding import derive_seed, generator
from .asking import CALL, MOST_ROWS, SLOW, SpeedTrial
from .explanation import interval_factor
from .many_rows import Work, explained_rows
from .memory import Memory, entry_codes, row_name
from .row_games import MarginalGames, RowGames, removal_games
from .rows_game import SharedValues
from .sampling import RowValues
from .stopping import Stopping, cheapest, check_affordable

RECOGNISED = 4  # rows of the background by whose outputs a model is recognised
CLOSE = 1e-5  # outputs of the same row in two calls, relative to the largest


@dataclass
class Evaluation:
    """The games of rows, and how they are played.

    Attributes
    ----------
    predict : the model
    background : table (b, p)
    players : which columns move together
    removal : None: absent columns are taken from the background
    most : rows that stand for a larger background; None: all are used
    seed : of all that is drawn
    """

    predict: Predictor
    background: pd.DataFrame
    players: Players
    removal: Removal | None
    most: int | None
    seed: int
    _memories: dict[str, Memory] = field(default_factory=dict)
    _row_seconds: float | None = None

    def rows(
        self,
        table: pd.DataFrame,
        stop: Stopping,
        asked: Sequence[Any],
        *,
        n_jobs: int,
        keep: str | Path | None,
        bar: Bar,
    ) -> tuple[list[RowValues], np.ndarray]:
        """The explanations of the rows of a table (n, p), and the spread (k,) of the outputs.

        ``asked`` are the tolerance, evaluations and minutes that the user asked for; with the row
        they name what is remembered. Raises `TableError` as `Explainer` does.
        """
        used, codes = self.used_background(), entry_codes(table)
        settings = json.dumps([*asked, *self._settings(used)], default=str)
        names = [row_name(row, settings) for row in codes]
        if self._row_seconds is None:
            self._row_seconds = SpeedTrial(self.predict, table).row_seconds
        each = len(used) * self._row_seconds
        check_affordable(stop, len(table), each)
        if not any(asked[1:]):  # neither evaluations nor minutes
            stop = cheapest(stop, each, len(self.predict.names))
        memory = self._memory(keep, used)
        slow = self._row_seconds >= SLOW
        batch = int(np.clip(CALL / max(self._row_seconds, 1e-9), 1, MOST_ROWS))
        work = Work(
            games=self._games(used, memory if slow else None, batch, bar),
            table=table,
            codes=codes,
            names=names,
            spread=self._spread(used, memory if slow else None, batch),
            stop=stop,
            seed=self.seed,
        )
        try:
            rows = explained_rows(work, memory, n_jobs, slow, bar)
        except KeyboardInterrupt:
            bar.end()
            same = "the same call" if keep is not None else "the same call of this explainer"
            warnings.warn(
                f"stopped: {bar.done} are explained and kept; {same} goes on from there",
                stacklevel=3,
            )
            raise
        if not slow:
            self._check_sums(table, rows)
        return rows, work.spread

    def convergence(self, row: pd.DataFrame, evaluations: int, level: float) -> pd.DataFrame:
        """Values of a row while the evaluations grow, see `Explainer.convergence`."""
        used, outputs = self.used_background(), len(self.predict.names)
        codes = entry_codes(row)
        games = self._games(used, None, MOST_ROWS, Bar("rows", False)).of(row, codes, self.seed)

        def game(coalitions: np.ndarray) -> np.ndarray:
            return np.mean([each(coalitions) for each in games], axis=0)

        d, seed = len(self.players), derive_seed(self.seed, "convergence")
        factor = interval_factor(d, level)
        parts = []
        for look in refined(SharedValues(game, outputs), d, evaluations, seed):
            for name, estimate in zip(self.predict.names, look.estimates, strict=True):
                half = factor * estimate.known_errors()
                parts.append(
                    pd.DataFrame(
                        {
                            "evaluations": estimate.evaluations,
                            "output": name,
                            "feature": self.players.names,
                            "value": estimate.values,
                            "low": estimate.values - half,
                            "high": estimate.values + half,
                        }
                    )
                )
        frame = pd.concat(parts, ignore_index=True)
        return frame if outputs > 1 else frame.drop(columns="output")

    def used_background(self) -> pd.DataFrame:
        """The background, or rows that are drawn from a larger one."""
        there = len(self.background)
        if self.removal is not None or self.most is None or there <= self.most:
            return self.background
        warnings.warn(
            f"{self.most} of the {there:,} background rows, drawn with seed {self.seed}, stand for "
            f"all of them; give {counted(self.most, 'row')} or fewer, or background_rows=None to "
            "use all",
            stacklevel=4,
        )
        drawn = generator(self.seed, "background").permutation(there)[: self.most]
        return self.background.iloc[np.sort(drawn)].reset_index(drop=True)

    def removed(self) -> str:
        """How columns are absent, in words."""
        there = len(self.background)
        if self.removal is None:
            used = there if self.most is None else min(there, self.most)
            return f"absent columns from {counted(used, 'background row')}"
        return f"absent columns removed by {self.removal.id}, fitted to {counted(there, 'row')}"

    def _settings(self, used: pd.DataFrame) -> list[Any]:
        """What the values of a row depend on besides the row, the model and when it ends."""
        digest = hashlib.sha256(entry_codes(used).tobytes()).hexdigest()
        removal = "marginal" if self.removal is None else repr(self.removal)
        return [digest, removal, self.players.names, self.players.columns, self.seed]

    def _memory(self, keep: str | Path | None, used: pd.DataFrame) -> Memory:
        key = "" if keep is None else str(Path(keep).resolve())
        if key not in self._memories:
            known = self.predict(used.iloc[:RECOGNISED])
            columns = list(self.background.columns)
            self._memories[key] = Memory(keep, columns, self.predict.names, known)
        return self._memories[key]

    def _games(self, used: pd.DataFrame, memory: Memory | None, batch: int, bar: Bar) -> RowGames:
        """The games of rows; ``memory`` is that of a slow model, which shows its progress."""
        if self.removal is not None:
            return removal_games(self.removal, self.predict, used, self.players, self.seed)
        if memory is None:
            return MarginalGames(self.predict, used, self.players)
        return MarginalGames(
            Told(self.predict, bar),
            used,
            self.players,
            batch=batch,
            outputs=memory.outputs,
            codes=entry_codes(used),
        )

    def _spread(self, used: pd.DataFrame, memory: Memory | None, batch: int) -> np.ndarray:
        """Standard deviations (k,) of the outputs over the background."""
        if memory is None:
            return self.predict(used).std(axis=0)
        known = memory.outputs.of(
            entry_codes(used), lambda new: self.predict(used.iloc[new]), batch
        )
        return known.std(axis=0)

    def _check_sums(self, table: pd.DataFrame, rows: Sequence[RowValues]) -> None:
        """Raise `TableError` where base value and values do not add up to the model's output.

        A removal may make something else of a whole row, as the surrogate does; that is a warning.
        """
        given = self.predict(table)
        sums = np.array([row.base + row.values.sum(axis=0) for row in rows])
        gap = np.abs(sums - given)
        largest = max(np.abs([row.base, *row.values]).max() for row in rows)  # a sum may be zero
        if (gap <= CLOSE * max(largest, np.abs(given).max())).all():
            return
        row, output = np.unravel_index(gap.argmax(), gap.shape)
        differ = (
            f"the values of row {table.index[row]!r} add up to {sums[row, output]:.6g}, and the "
            f"model gives {given[row, output]:.6g} for it"
        )
        if self.removal is None:
            raise TableError(
                f"{differ}; it must give the same number whenever it is asked, whatever other rows "
                "come with it"
            )
        warnings.warn(
            f"{differ}: removal {self.removal.id!r} does not give the model's output where all "
            "columns are there",
            stacklevel=4,
        )


class Told:
    """A slow model, which shows progress after each call."""

    def __init__(self, predict: Predictor, bar: Bar):
        self._predict, self._bar = predict, bar
        self._rows = 0

    def __call__(self, table: pd.DataFrame) -> np.ndarray:
        """Outputs (m, k) of the rows of a table."""
        outputs = self._predict(table)
        self._rows += len(table)
        self._bar.tell(f", {self._rows:,} rows of the model")
        return outputs
