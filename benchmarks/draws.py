"""Numbers of evaluations, and generators of the runs on the suite; needs none of the peers."""

import numpy as np

from shapaudit.seeding import generator
from solved_games.base import SEED

FEW_BUDGETS = (60, 200, 500, 1_000, 2_000)
MANY_BUDGETS = (500, 2_000, 8_000)


def generator_of(
    name: str, budget: int, seed: int, package: str, method: str
) -> np.random.Generator:
    """The generator of a run: those of this project share it, and so the coalitions they draw."""
    own = () if package == "shapaudit" else (method,)
    return generator(SEED, "runs", name, budget, seed, package, *own)
