"""Cases, dimensions and random games for checks that compare exact numbers case by case."""

from collections.abc import Iterable, Iterator

import numpy as np

from shapaudit.truth.rational import rationals

from .context import Context
from .evidence import Case

INTEGER_RANGE = 9  # random games take integer values in -9, ..., 9


def vector_cases(label: str, left: Iterable, right: Iterable) -> list[Case]:
    """One case per entry of two vectors (d,)."""
    return [
        Case(f"{label}, entry {k + 1}", *sides)
        for k, sides in enumerate(zip(left, right, strict=True))
    ]


def random_integers(context: Context, *names: str | int, count: int) -> np.ndarray:
    """Integers (count,) in -9, ..., 9 as fractions."""
    rng = context.generator(*names)
    return rationals(rng.integers(-INTEGER_RANGE, INTEGER_RANGE + 1, size=count).tolist())


def exact_dimensions(context: Context) -> range:
    """2, ..., the study's largest dimension of exact identities."""
    return range(2, context.settings.max_exact_dimension + 1)


def small_dimensions(context: Context, top: int) -> range:
    """2, ..., the smaller of ``top`` and the study's limit for brute force."""
    return range(2, min(top, context.settings.brute_force_dimension) + 1)


def integer_games(
    context: Context, *names: str | int, dimensions: Iterable[int]
) -> Iterator[tuple[str, int, np.ndarray]]:
    """Label, number of players and values (2^d,), fractions, of random integer games."""
    for d in dimensions:
        for k in range(context.settings.random_games):
            values = random_integers(context, *names, "game", d, k, count=1 << d)
            yield f"d = {d}, game {k + 1}", d, values
