"""True Shapley values of a collection of games, and their comparison with a second method."""

import numpy as np

from shapaudit.games import with_threads
from shapaudit.progress import progress
from shapaudit.seeding import generator
from shapaudit.truth import Truth, TruthError, compute

from .collection import GameCollection

FROM_TABLES = ("enumeration", "diagonal")
# Exact methods agree to this share of the largest Shapley value of the game; for methods with
# proved bounds, the bounds are added.
AGREEMENT = 1e-9


def compute_all(
    collection: GameCollection,
    method: str,
    params: dict,
    check: str | None,
    seed: int,
    threads: int = 1,
) -> tuple[list[Truth], list[float]]:
    """Truth of every game, and the largest difference from the method ``check`` (NaN without).

    Games that can walk on several ``threads`` do so, which changes no value. Raises `TruthError`
    naming the game where two methods differ by more than their certificates allow.
    """
    truths, differences = [], []
    for explicand in progress(range(collection.n_games), f"{collection.name}, {method}", "games"):
        rng = generator(seed, "truth", collection.name, explicand)
        # Some methods work on tables; the others on the structure of the game.
        structured = with_threads(collection.structured(explicand), threads)
        table = collection.game(explicand)
        truth = compute(method, table if method in FROM_TABLES else structured, rng, **params)
        difference = np.nan
        if check is not None:
            other = compute(check, table if check in FROM_TABLES else structured, rng)
            difference = float(np.abs(truth.values - other.values).max())
            _require_agreement(truth, other, difference, f"{collection.name}[{explicand}]")
        truths.append(truth)
        differences.append(difference)
    return truths, differences


def _require_agreement(truth: Truth, other: Truth, difference: float, name: str) -> None:
    if "reference" in (truth.certificate, other.certificate):
        raise TruthError(
            f"{name}: {truth.method} and {other.method} are compared to the last digits; "
            "neither may be a reference. Choose another method or leave out the check."
        )
    scale = max(np.abs(truth.values).max(), np.finfo(float).tiny)
    bounds = sum(value.bounds for value in (truth, other) if value.bounds is not None)
    if (np.abs(truth.values - other.values) > AGREEMENT * scale + bounds).any():
        raise TruthError(
            f"{name}: {truth.method} and {other.method} differ by {difference:.3g}, more than "
            f"{AGREEMENT:g} of the largest value {scale:.3g} and what is proved of their errors; "
            "one of them is wrong."
        )
