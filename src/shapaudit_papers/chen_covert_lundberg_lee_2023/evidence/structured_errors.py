"""Evidence on claim 91: L-Shapley and C-Shapley beside least squares, on chains and on pictures."""

from collections.abc import Callable, Iterator, Mapping

import numpy as np

from shapaudit.datasets.bundled import load_digits
from shapaudit.datasets.laws import ChainLaw
from shapaudit.estimators import Estimator, PairedKernelSHAP, StratifiedLeastSquares
from shapaudit.estimators.structured import CShapley, LShapley
from shapaudit.games import Game, TabularGame, TreeGame, all_coalitions, coalition_index
from shapaudit.games.expectations.table import TableExpectation
from shapaudit.models.xgboost import fit_booster
from shapaudit.truth import shapley_from_table, tree_shapley
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence, sampled

from .common import target_of

PLAYERS, WIDTH = 12, 8  # of the chain, of the pictures
ROWS, BACKGROUND, EXPLICANDS = 1000, 50, 2
PERSISTENCE = 0.6  # with which a player of the chain repeats the one before
DIGIT = 8
TREES = {"n_estimators": 60, "max_depth": 4, "learning_rate": 0.3, "tree_method": "hist"}
NEAR, FAR = 1, PLAYERS // 3  # from one to the next of three players that interact
SQUARED_ERROR_ROUNDING = 1e-24  # of squared errors: what is below counts as this
LOCAL: dict[str, dict[str, LShapley | CShapley]] = {
    "chain": {
        "L-Shapley, radius 1": LShapley(radius=1),
        "L-Shapley, radius 2": LShapley(radius=2),
        "C-Shapley, radius 2": CShapley(radius=2),
        "C-Shapley by Myerson, radius 2": CShapley(radius=2, weights="myerson"),
    },
    "grid": {
        "L-Shapley, radius 1": LShapley("grid", width=WIDTH),
        "C-Shapley, radius 1": CShapley("grid", width=WIDTH),
        "C-Shapley by Myerson, radius 1": CShapley("grid", width=WIDTH, weights="myerson"),
    },
}
RIVALS: dict[str, Estimator] = {
    "paired KernelSHAP": PairedKernelSHAP(),
    "Leverage SHAP": StratifiedLeastSquares(),
}
Predict = Callable[[np.ndarray], np.ndarray]
Played = tuple[Game, np.ndarray]


def motif(reach: int, rng: np.random.Generator) -> Predict:
    """Return features and a target of weighted products of three features ``reach`` apart."""
    first = np.arange(PLAYERS - 2 * reach)
    single, joint = rng.normal(size=PLAYERS), rng.normal(size=len(first))
    triples = first[:, None] + reach * np.arange(3)
    return lambda rows: rows @ single + rows[:, triples].prod(axis=2) @ joint


def chain_games(rng: np.random.Generator) -> Iterator[tuple[str, list[Played]]]:
    """Return games of a target and of trees trained on it, with their values."""
    law = ChainLaw.random(rng, PLAYERS, persistence=PERSISTENCE)
    rows, explicands = law.sample(rng, ROWS), law.sample(rng, EXPLICANDS)
    near, far = (motif(reach, rng) for reach in (NEAR, FAR))
    trees, others = (
        fit_booster(rows, target(rows), "rows of a chain", **TREES) for target in (near, far)
    )
    background = rows[:BACKGROUND]
    conditional = TableExpectation(law, trees).values(explicands, all_coalitions(PLAYERS))
    for name, tables in {
        "neighbours alone": marginal_tables(near, explicands, background),
        "trees trained on neighbours": marginal_tables(trees.predict, explicands, background),
        "the same, conditional values": conditional,
        "trees trained on distant players": marginal_tables(others.predict, explicands, background),
    }.items():
        yield name, [(TabularGame(table), shapley_from_table(table)) for table in tables]


def marginal_tables(predict: Predict, explicands: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Return values (m, 2^d) of marginal games of a model of bits, from its 2^d outputs."""
    outputs = predict(all_coalitions(PLAYERS).astype(float))
    present = np.arange(len(outputs))
    absent = present[::-1]  # the complement
    x, b = (coalition_index(part == 1) for part in (explicands, rows))
    return np.array(
        [outputs[(explicand & present) | (b[:, None] & absent)].mean(axis=0) for explicand in x]
    )


def picture_games(rng: np.random.Generator) -> list[Played]:
    """Return games of held-out pictures of a model of trees, against a black picture."""
    pictures = load_digits(rng, digit=DIGIT)
    rows, target = pictures.features, target_of(pictures)
    chosen = rng.integers(len(rows), size=len(rows))
    settings = TREES | {"objective": "binary:logistic"}
    ensemble = fit_booster(rows[chosen], target[chosen], "pictures", **settings).ensemble
    left_out = np.setdiff1d(np.arange(len(rows)), chosen)
    explicands = rows[rng.choice(left_out, EXPLICANDS, replace=False)]
    black = np.zeros(WIDTH**2)
    values = tree_shapley(ensemble, explicands, black)
    return [(TreeGame(ensemble, x, black), phi) for x, phi in zip(explicands, values, strict=True)]


def worlds(rng: np.random.Generator) -> Iterator[tuple[str, str, list[Played]]]:
    """Yield case, kind of graph, and games with their values."""
    for name, games in chain_games(rng):
        yield f"chain, {name}", "chain", games
    yield "pictures", "grid", picture_games(rng)


def squared_error(
    method: Estimator, games: list[Played], budget: int, rng: np.random.Generator
) -> float:
    """Return the squared error of a method, the mean over games."""
    errors = [method.estimate(game, budget, rng).values - truth for game, truth in games]
    return max(float(np.square(errors).sum(axis=1).mean()), SQUARED_ERROR_ROUNDING)


@sampled
def gather_structured(
    context: Context,
    local: Mapping[str, Mapping[str, LShapley | CShapley]] = LOCAL,
    rivals: Mapping[str, Estimator] = RIVALS,
) -> Evidence:
    """Return squared errors (worlds, 1 + rivals) by case and local method, at equal cost.

    The local method comes first, then `RIVALS`, at its number of evaluations. Each world has
    its own law or sample of pictures, model and explicands.
    """
    count = context.settings.fitted_worlds
    errors: dict[str, list] = {}
    evaluations: dict[str, int] = {}
    for k in range(count):
        rng = context.generator("ccll23-91", k)
        for case, kind, games in worlds(rng):
            for name, method in local[kind].items():
                key = f"{case}: {name}"
                budget = evaluations[key] = method.minimum_budget(games[0][0].n_players)
                errors.setdefault(key, []).append(
                    [
                        squared_error(estimator, games, budget, rng)
                        for estimator in (method, *rivals.values())
                    ]
                )
    return {
        "errors": {key: np.array(rows) for key, rows in errors.items()},
        "evaluations": evaluations,
        "rivals": list(rivals),
    }
