"""When the estimate of a row's values ends: at a tolerance, after some evaluations or minutes."""

import math
from dataclasses import dataclass, replace
from numbers import Integral

import numpy as np

from ..datasets.mixed import TableError
from ..progress import duration

MOST = 2048  # evaluations of a row where nothing else was asked for
MOST_OTHERWISE = 10_000  # where a tolerance or minutes were
WHOLE = 256  # coalitions, up to which all are evaluated whatever was asked for
SHARE = 0.01  # of the spread of the outputs: the tolerance where nothing was asked for
FIT = 0.1  # seconds that `auto` takes for an output, about, beside the model
MOST_PLAYERS = 20  # of whose coalitions a table is made
NEXT = 2.0  # time until after the next look, over the time until now, about


@dataclass(frozen=True)
class Stopping:
    """How long the values of each row are estimated.

    Attributes
    ----------
    players : of the game
    evaluations : coalitions of a row, at most
    tolerance : half-width of the widest interval at which a row ends, in units of the output, or of
        its spread if ``relative``; None: all evaluations are used
    seconds : after which a row ends, about
    whole : whether all coalitions are evaluated, since that takes no longer than an estimate
    """

    players: int
    evaluations: int
    tolerance: float | None = None
    relative: bool = False
    seconds: float = math.inf
    whole: bool = False

    @property
    def fewest(self) -> int:
        """Evaluations that each row takes at least: two for each player, and the ends."""
        return min(2 * self.players + 2, self.all_coalitions)

    @property
    def all_coalitions(self) -> int:
        """Number of all coalitions."""
        return 1 << self.players

    @property
    def exhausts(self) -> bool:
        """Whether all coalitions are evaluated from the first."""
        if self.whole or self.all_coalitions <= WHOLE:
            return True
        single = self.tolerance is None and math.isinf(self.seconds)
        return single and self.evaluations >= self.all_coalitions

    @property
    def looks(self) -> bool:
        """Whether a row may end before all evaluations are used."""
        return self.tolerance is not None or not math.isinf(self.seconds)

    def limit(self, spread: np.ndarray) -> np.ndarray:
        """Half-width (k,) at which a row ends, for outputs of a spread (k,)."""
        if self.tolerance is None:
            return np.zeros(len(spread))
        return self.tolerance * (spread if self.relative else np.ones(len(spread)))

    def is_over(self, spent: float) -> bool:
        """Whether there is no time for another look after some seconds."""
        return NEXT * spent > self.seconds


def cheapest(stop: Stopping, evaluation_seconds: float, outputs: int) -> Stopping:
    """All coalitions where the model gives their values sooner than `auto` fits a few of them."""
    few = stop.players <= MOST_PLAYERS
    cheap = few and stop.all_coalitions * evaluation_seconds <= FIT * outputs
    return replace(stop, whole=True) if cheap else stop


def stopping(
    players: int, tolerance: float | None, evaluations: int | None, seconds: float = math.inf
) -> Stopping:
    """What was asked for, completed where nothing was.

    Raises `TableError` for a tolerance that is not positive, and too few evaluations.
    """
    if tolerance is not None and not 0 < tolerance < math.inf:
        raise TableError(
            f"tolerance must be a positive number, in units of the model's output; got {tolerance}"
        )
    nothing = tolerance is None and evaluations is None and math.isinf(seconds)
    most = max(MOST if nothing else MOST_OTHERWISE, 8 * players)
    made = Stopping(
        players,
        most if evaluations is None else evaluations,
        SHARE if nothing else tolerance,
        relative=nothing,
        seconds=seconds,
    )
    if not isinstance(made.evaluations, Integral) or made.evaluations < made.fewest:
        raise TableError(
            f"evaluations must be a whole number of at least {made.fewest}, two for each of "
            f"{players} players and two more; got {evaluations}"
        )
    return made


def check_affordable(stop: Stopping, rows: int, evaluation_seconds: float) -> None:
    """Raise `TableError` where the model has no time for the fewest evaluations of a row."""
    least = stop.fewest * evaluation_seconds
    if least > stop.seconds:
        raise TableError(
            f"the model takes {evaluation_seconds:.2g} s for the value of a coalition, and a row "
            f"takes {stop.fewest} of them at least; {rows} rows take about "
            f"{duration(max(1.0, least * rows))}. Allow more minutes "
            f"({math.ceil(least * rows / 60):,} are enough), or take fewer background rows, fewer "
            "rows, or groups of columns as players"
        )
