"""Alternating timings, so that a drift of the machine's speed meets all contestants."""

from collections.abc import Callable
from statistics import median
from time import perf_counter


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
