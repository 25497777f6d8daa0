"""How long `make test` will take here: one line, from the speed of a short piece of work."""

import time
from concurrent.futures import ProcessPoolExecutor

import numpy as np

MINUTES = 12  # `make test` on the two cores that the README names, with nothing else to do
REFERENCE = 0.37  # seconds of `work` there
PROCESSES = 2  # as many as run the tests
TIMES = 3


def work(_: int = 0) -> float:
    """Seconds on the clock that a fixed piece of work takes, in Python and in NumPy."""
    begin = time.perf_counter()
    rows = np.random.default_rng(0).normal(size=(300, 300))
    for _ in range(20):
        rows = np.linalg.qr(rows)[0] + np.eye(300)
    words: dict[str, int] = {}
    for number in range(400_000):
        words[str(number % 1000)] = words.get(str(number % 1000), 0) + number
    return time.perf_counter() - begin


def slowness(seconds: list[float]) -> float:
    """How many times as long as on the reference, never below 1."""
    return max(1.0, sum(seconds) / len(seconds) / REFERENCE)


def told(slow: float) -> str:
    """The line."""
    return (
        f"The tests take about {MINUTES * slow:.0f} minutes at the present speed of this machine "
        f"({slow:.1f} times as long as on two idle cores of 2.5 GHz)."
    )


def main() -> None:
    """Measure with as many processes at once as the tests have, and print."""
    with ProcessPoolExecutor(PROCESSES) as pool:
        pool.submit(work).result()
        seconds = list(pool.map(work, range(PROCESSES * TIMES)))
    print(told(slowness(seconds)), flush=True)


if __name__ == "__main__":
    main()
