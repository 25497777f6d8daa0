"""Games of real models: absent features take the values of one row, or of several on average."""

from collections.abc import Iterator, Sequence
from functools import cache, partial

import numpy as np
from scipy.special import roots_legendre

from shapaudit.games import BaselineGame, Game, TreeGame, tabulate
from shapaudit.models import TreeEnsemble
from shapaudit.seeding import generator
from shapaudit.truth import mean_tree_shapley, shapley_from_table, tree_shapley

from .base import SEED, Entry, Solved
from .data import FEW_TABLES, MANY_TABLES, Table
from .fitted import MODELS, Radial, boosted_trees, gaussian_process, kernel_machine, random_forest

REMOVALS = ("baseline", "marginal")
BACKGROUND = 12  # rows whose values the absent features take, on average
MANY = {
    "booster": boosted_trees,
    "forest": random_forest,
    "kernel": kernel_machine,
    "process": gaussian_process,
}


class MeanGame:
    """The mean of several games: with those of some baselines, the marginal game."""

    def __init__(self, games: Sequence[Game], name: str = "mean"):
        self.games = tuple(games)
        self.n_players = self.games[0].n_players
        self.name = name

    def __call__(self, coalitions: np.ndarray) -> np.ndarray:
        """Values (m,) of the coalitions (m, d) bool."""
        return np.mean([game(coalitions) for game in self.games], axis=0)


def radial_shapley(machine: Radial, explicand: np.ndarray, baseline: np.ndarray) -> np.ndarray:
    """Shapley values (d,) of the baseline game of a sum of radial functions.

    Each is a product over the features. Along the diagonal of its multilinear extension the slopes
    are polynomials of degree d - 1, which Gauss-Legendre integrates (`truth.product_shapley`).
    """
    present, absent = (
        np.exp(-machine.rate * np.square(row - machine.centres)) for row in (explicand, baseline)
    )
    nodes, weights = roots_legendre((len(explicand) + 1) // 2)
    values = np.zeros(len(explicand))
    for q, weight in zip(0.5 * (nodes + 1.0), 0.5 * weights, strict=True):
        logs = np.log(np.maximum((1.0 - q) * absent + q * present, 1e-300))
        others = np.exp(logs.sum(axis=1, keepdims=True) - logs)
        values += weight * machine.weights @ (others * (present - absent))
    return values


def _rows(table: Table, removal: str, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """The explicand (d,) and the rows (k, d) that stand for absent features."""
    count = 1 if removal == "baseline" else BACKGROUND
    chosen = rng.choice(len(table.features), 1 + count, replace=False)
    return table.features[chosen[0]], table.features[chosen[1:]]


@cache
def _table(name: str) -> Table:
    tables = FEW_TABLES | MANY_TABLES
    return tables[name][1](generator(SEED, "suite", "data", name))


def _few(data: str, model: str, removal: str, rng: np.random.Generator) -> Solved:
    """A table of all values."""
    table = _table(data)
    predict = MODELS[model](table, 0)
    explicand, baselines = _rows(table, removal, rng)
    games = [BaselineGame(predict, explicand, baseline) for baseline in baselines]
    game = tabulate(MeanGame(games, f"{data}-{model}-{removal}"))
    return Solved(game, shapley_from_table(game.values))


def _many(data: str, model: str, removal: str, rng: np.random.Generator) -> Solved:
    """A game of trees, or of radial functions, whose structure has exact values."""
    table, name = _table(data), f"{data}-{model}-{removal}"
    fitted = MANY[model](table, 0)
    explicand, baselines = _rows(table, removal, rng)
    if isinstance(fitted, TreeEnsemble):
        games = [TreeGame(fitted, explicand, row, name) for row in baselines]
        exact = tree_shapley if len(baselines) == 1 else mean_tree_shapley
        values = exact(fitted, explicand, baselines[0] if len(baselines) == 1 else baselines)
    else:
        games = [BaselineGame(fitted, explicand, row, name) for row in baselines]
        values = np.mean([radial_shapley(fitted, explicand, row) for row in baselines], axis=0)
    return Solved(games[0] if len(games) == 1 else MeanGame(games, name), values)


def entries() -> Iterator[Entry]:
    """Every table with every model that fits it: the two removals by turns, or with many both."""
    for i, (data, (d, _)) in enumerate(FEW_TABLES.items()):
        for k, model in enumerate(MODELS):
            removal = REMOVALS[(i + k) % 2]
            build = partial(_few, data, model, removal)
            yield Entry(f"{data}-{model}-{removal}", model, d, build)
    for data, (d, _) in MANY_TABLES.items():
        for model in MANY:
            for removal in REMOVALS:
                build = partial(_many, data, model, removal)
                yield Entry(f"{data}-{model}-{removal}", model, d, build)
