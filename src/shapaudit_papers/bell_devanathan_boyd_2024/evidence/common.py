"""What the evidence shares: published values, rational problems, games with exact values."""

from collections.abc import Iterator

import numpy as np

from shapaudit.datasets.linear import load
from shapaudit.games import RegressionGame, TabularGame
from shapaudit.models.reduced import reduce_problem
from shapaudit.truth import shapley_from_table
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.exact import random_integers

from .. import PAPER

FEATURES, ROWS = 12, 400  # of the regressions whose values are exact

Part = tuple[np.ndarray, np.ndarray]


def published(context: Context, quantity: str) -> dict[str, float]:
    """Printed values of a quantity by key."""
    rows = [row for row in context.printed(PAPER.key) if row["quantity"] == quantity]
    return {row["key"]: float(row["value"]) for row in rows}


def integer_part(context: Context, *names: str | int, n_rows: int, p: int) -> Part:
    """Rows (n, p) and responses (n,) of random integers, as fractions."""
    numbers = random_integers(context, *names, count=n_rows * (p + 1)).reshape(n_rows, p + 1)
    return numbers[:, :-1], numbers[:, -1]


def integer_problems(context: Context, name: str) -> Iterator[tuple[str, Part, Part]]:
    """Label, training and test data of random integer regressions with 2 to 4 features."""
    for p in range(2, min(4, context.settings.brute_force_dimension) + 1):
        for k in range(context.settings.random_games):
            train, test = (
                integer_part(context, name, part, p, k, n_rows=2 * p + 1, p=p)
                for part in ("train", "test")
            )
            yield f"p = {p}, problem {k + 1}", train, test


def exact_games(context: Context, count: int) -> tuple[tuple[RegressionGame, np.ndarray], ...]:
    """Return regressions of the paper's design with 12 features and exact Shapley values."""
    rng = context.generator("bdb24", "problems")
    mechanism = load(rng, n_train=ROWS, n_test=ROWS, n_features=FEATURES, problems=count)
    games = []
    for k in range(count):
        problem = reduce_problem(mechanism.blocks("train", k), mechanism.blocks("test", k))
        game = RegressionGame([problem], f"problem {k + 1}")
        games.append((game, shapley_from_table(game.table())))
    return tuple(games)


def quick(game: RegressionGame) -> TabularGame:
    """Return the same game as a table, which has the same lifts and is faster."""
    return TabularGame(game.table(), game.name)
