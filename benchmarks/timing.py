"""Alternating timings, so that a drift of the machine's speed meets all; time beside a game."""

from collections.abc import Callable
from statistics import median
from time import perf_counter, process_time


def alternate(
    contestants: dict[str, Callable[[], object]],
    rounds: int,
    clock: Callable[[], float] = perf_counter,
) -> dict[str, float]:
    """Median seconds of each contestant over the rounds, after one uncounted call of each."""
    seconds = {name: [] for name in contestants}
    for number in range(rounds + 1):
        for name, call in contestants.items():
            start = clock()
            call()
            if number:
                seconds[name].append(clock() - start)
    return {name: median(values) for name, values in seconds.items()}


class TimedGame:
    """A game that adds up the processor seconds spent in it."""

    def __init__(self, game):
        self.game, self.n_players, self.seconds = game, game.n_players, 0.0

    def _timed(self, call, argument):
        start = process_time()
        values = call(argument)
        self.seconds += process_time() - start
        return values

    def __call__(self, coalitions):
        """Values (m,) of the coalitions (m, d)."""
        return self._timed(self.game, coalitions)

    def walk(self, permutations):
        """Marginal contributions (m, d) along the permutations (m, d)."""
        return self._timed(self.game.walk, permutations)
