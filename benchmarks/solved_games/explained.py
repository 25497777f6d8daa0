"""Games of fitted models: losses of many rows, uncertainties, and conditional removals."""

from collections.abc import Callable, Iterator
from functools import partial
from types import SimpleNamespace

import numpy as np

from shapaudit.explainers import create as explainer
from shapaudit.games import all_coalitions, tabulate
from shapaudit.removals import create as removal

from .base import Entry, Solved, tabulated
from .data import FEW_TABLES, MANY_TABLES, Table, narrowed
from .fitted import MODELS, boosted_trees, random_forest

Rng = np.random.Generator
JUDGED = 25  # rows whose loss is taken
BACKGROUND = 3  # rows whose values the absent features take, on average
FAINTEST = 1e-3  # least chance of a class
TRAINED = 150  # rows of a Gaussian process


def _composed(model: Callable, row: np.ndarray, baselines: np.ndarray) -> np.ndarray:
    """Mean outputs (2^d,) where absent features take the values of the baselines (k, d)."""
    coalitions = all_coalitions(len(row))
    return np.mean([model(np.where(coalitions, row, other)) for other in baselines], axis=0)


def _global(data: str, model: str, d: int, rng: Rng) -> Solved:
    """What the features save of the loss: squared error, or minus the log of a class's chance."""
    table = narrowed(FEW_TABLES[data][1](rng), d)
    predict = MODELS[model](table, 0)
    chosen = rng.choice(len(table.target), JUDGED + BACKGROUND, replace=False)
    judged, values = chosen[:JUDGED], np.zeros(1 << d)
    for row, truth in zip(table.features[judged], table.target[judged], strict=True):
        output = _composed(predict, row, table.features[chosen[JUDGED:]])
        if table.classes:
            values += np.log(np.clip(output if truth else 1.0 - output, FAINTEST, 1.0))
        else:
            values -= np.square(output - truth)
    return tabulated(values / JUDGED)


def _entropy(table: Table, seed: int) -> Callable:
    """Of the shares of a forest's trees."""
    from sklearn.ensemble import RandomForestClassifier  # only where it is used

    forest = RandomForestClassifier(20, max_depth=4, random_state=seed)
    forest.fit(table.features, table.target)

    def entropy(rows):
        shares = np.clip(forest.predict_proba(rows), 1e-12, 1.0)
        return -(shares * np.log(shares)).sum(axis=1)

    return entropy


def _deviation(table: Table, seed: int) -> Callable:
    """The standard deviation of a Gaussian process."""
    from sklearn.gaussian_process import GaussianProcessRegressor  # only where it is used
    from sklearn.gaussian_process.kernels import RBF

    kernel = RBF(np.sqrt(table.features.shape[1]))
    process = GaussianProcessRegressor(kernel, alpha=0.1, optimizer=None, random_state=seed)
    process.fit(table.features[:TRAINED], table.target[:TRAINED])
    return lambda rows: process.predict(rows, return_std=True)[1]


def _disagreement(table: Table, seed: int) -> Callable:
    """The standard deviation over the trees of a forest."""
    from sklearn.ensemble import RandomForestRegressor  # only where it is used

    forest = RandomForestRegressor(12, max_depth=6, random_state=seed)
    forest.fit(table.features, table.target)
    return lambda rows: np.std([tree.predict(rows) for tree in forest.estimators_], axis=0)


def _uncertainty(data: str, measure: str, d: int, rng: Rng) -> Solved:
    table = narrowed(FEW_TABLES[data][1](rng), d)
    rows = table.features[rng.choice(len(table.target), 1 + BACKGROUND, replace=False)]
    return tabulated(_composed(UNCERTAINTIES[measure](table, 0), rows[0], rows[1:]))


UNCERTAINTIES = {
    "entropy": _entropy,
    "deviation": _deviation,
    "disagreement": _disagreement,
}


def _conditional(data: str, model: str, how: str, d: int, rng: Rng) -> Solved:
    """One of the library's removals, fitted to the rows."""
    table = narrowed(FEW_TABLES[data][1](rng), d)
    predicts = SimpleNamespace(predict=MODELS[model](table, 0))
    fitted = removal(how, REMOVALS[how]).fit(predicts, table.features, rng)
    game = tabulate(fitted.game(table.features[rng.integers(len(table.target))], rng))
    return tabulated(game.values)


def _paths(data: str, fit: Callable, rng: Rng) -> Solved:
    """Trees whose splits on absent features are followed to both sides; solved by their paths."""
    table = MANY_TABLES[data][1](rng)
    trees, row = fit(table, 0), table.features[rng.integers(len(table.target))]
    method = explainer("path-dependent-tree", {"weights": "rows"})
    values = method.fit(trees, table.features).explain(row).values
    return Solved(removal("path-dependent").fit(trees, table.features, rng).game(row, rng), values)


REMOVALS = {"gaussian": {"draws": 20}, "copula": {"draws": 10}, "kernel": {}, "cohort": {}}
GAMES = {
    "global": (
        _global,
        ("diabetes", "booster", 10),
        ("wine", "linear", 12),
        ("friedman", "perceptron", 11),
        ("cancer", "forest", 12),
    ),
    "uncertainty": (
        _uncertainty,
        ("wine", "entropy", 13),
        ("diabetes", "deviation", 10),
        ("friedman", "disagreement", 12),
        ("patches", "entropy", 12),
    ),
}
CONDITIONAL = (
    ("diabetes", "booster", "gaussian", 10),
    ("wine", "linear", "copula", 10),
    ("friedman", "kernel", "kernel", 12),
    ("survey", "forest", "cohort", 14),
)
PATHS = {"booster": boosted_trees, "forest": random_forest}


def entries() -> Iterator[Entry]:
    """Losses, uncertainties, and conditional removals, these of many players too."""
    for kind, (build, *games) in GAMES.items():
        for data, what, d in games:
            made = partial(build, data, what, d)
            yield Entry(f"{kind}-{data}-{what}", kind, d, made, wider=True)
    for data, model, how, d in CONDITIONAL:
        made = partial(_conditional, data, model, how, d)
        yield Entry(f"conditional-{data}-{model}-{how}", "conditional", d, made, wider=True)
    for data in ("whole-cancer", "many-friedman", "long-survey"):
        for model, fit in PATHS.items():
            name, made = f"conditional-{data}-{model}-paths", partial(_paths, data, fit)
            yield Entry(name, "conditional", MANY_TABLES[data][0], made, wider=True)
