"""Evidence on claims 48e and 49f: ensembles of trees, and how far path-dependent values are off."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from itertools import compress

import numpy as np

from shapaudit.statistics.limits import MINIMUM_UNITS
from shapaudit.truth.rational import shapley_values
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence, sampled
from shapaudit_audit.audit.exact import small_dimensions, vector_cases
from shapaudit_papers.theory.removal import Row, baseline_game, marginal_game
from shapaudit_papers.theory.trees import (
    Split,
    Tree,
    conditional_game,
    interventional_values,
    path_dependent_game,
    predict,
)

from .trees import DEPTH, random_rows, random_tree

TREES = 3  # of an ensemble
FEATURES, LEVELS, ROWS = 3, 3, 24  # of the dependent rows
COMMON = 0.6  # chance that a feature has the level that all share


def predicted(trees: list[Tree], row: Row) -> Fraction:
    """Return the sum of the trees' predictions."""
    return sum((predict(tree, row) for tree in trees), Fraction(0))


def gather_ensembles(context: Context, model: Callable = predicted) -> Evidence:
    """Return sums over trees of interventional values, and values of the ensemble.

    The latter are enumerated.
    """
    cases = []
    for d in small_dimensions(context, 4):
        for k in range(context.settings.random_games):
            rng = context.generator("ccll23-48e", d, k)
            x, *rows = random_rows(rng, d)
            trees = [random_tree(rng, [x, *rows]) for _ in range(TREES)]
            f, label = partial(model, trees), f"d = {d}, ensemble {k + 1}"
            values = [
                np.sum([interventional_values(tree, x, row) for tree in trees], axis=0)
                for row in rows
            ]
            exact = shapley_values(baseline_game(f, x, rows[0]))
            cases += vector_cases(f"{label}, baseline", values[0], exact)
            marginal = shapley_values(marginal_game(f, x, rows))
            cases += vector_cases(f"{label}, marginal", np.mean(values, axis=0), marginal)
    return {"cases": cases, "trees": TREES}


def dependent_rows(rng: np.random.Generator) -> list[Row]:
    """Rows whose features often have the same level."""
    shared = rng.integers(LEVELS, size=(ROWS, 1))
    own = rng.integers(LEVELS, size=(ROWS, FEATURES))
    drawn = np.where(rng.random((ROWS, FEATURES)) < COMMON, shared, own)
    return [tuple(map(Fraction, row)) for row in drawn.tolist()]


def grown_tree(rows: Sequence[Row], targets: Sequence[Fraction], depth: int = DEPTH) -> Tree:
    """Grow a tree that splits where the squared error falls most, at the first of equal splits.

    Splits lie between levels; a leaf has the mean of its targets.
    """
    mean = sum(targets, Fraction(0)) / len(targets)
    splits = [
        (j, level)
        for j, column in enumerate(zip(*rows, strict=True))
        for level in sorted(set(column))[1:]
    ]
    if depth == 0 or not splits:
        return mean
    parted = [[row[j] < level for row in rows] for j, level in splits]
    gains = [
        _explained([list(compress(targets, part)) for part in _sides(left)]) for left in parted
    ]
    best = gains.index(max(gains))
    (j, level), left = splits[best], parted[best]
    sides = (
        grown_tree(list(compress(rows, side)), list(compress(targets, side)), depth - 1)
        for side in _sides(left)
    )
    return Split(j, level, *sides)


def _sides(left: list[bool]) -> tuple[list[bool], list[bool]]:
    return left, [not goes_left for goes_left in left]


def _explained(parts: Sequence[Sequence[Fraction]]) -> Fraction:
    """Return the explained sum of squares of a partition, apart from a constant."""
    return sum((sum(part, Fraction(0)) ** 2 / len(part) for part in parts), Fraction(0))


def trained_tree(rng: np.random.Generator, rows: Sequence[Row]) -> Tree:
    """A tree grown on a random function of the three levels, with noise."""
    table = rng.integers(-9, 10, size=(LEVELS,) * FEATURES)
    noise = rng.integers(-2, 3, size=len(rows)).tolist()
    targets = [
        Fraction(int(table[tuple(map(int, row))]) + error)
        for row, error in zip(rows, noise, strict=True)
    ]
    return grown_tree(rows, targets)


KINDS = {"random trees": random_tree, "trained trees": trained_tree}


@sampled
def gather_distances(context: Context, game: Callable = path_dependent_game) -> Evidence:
    """Return distances (worlds, 2) from the conditional values, by kind of tree.

    They are the distances of path-dependent and of marginal values. A world is a table of
    dependent rows and a tree, and its first row is explained; worlds in which both distances
    are 0 are left out.
    """
    most = max(MINIMUM_UNITS, 2 * context.settings.interaction_games)
    distances = {}
    for kind, grow in KINDS.items():
        pairs: list[list[float]] = []
        k = 0
        while len(pairs) < most:
            rng, k = context.generator("ccll23-49f", kind, k), k + 1
            rows = dependent_rows(rng)
            pair = _distances(grow(rng, rows), rows, game)
            if any(pair):
                pairs.append(pair)
        distances[kind] = np.array(pairs)
    return {"distances": distances}


def _distances(tree: Tree, rows: Sequence[Row], game: Callable) -> list[float]:
    exact = shapley_values(conditional_game(tree, rows[0], rows))
    path = shapley_values(game(tree, rows[0], rows))
    marginal = shapley_values(marginal_game(partial(predict, tree), rows[0], rows))
    return [float(np.linalg.norm((values - exact).astype(float))) for values in (path, marginal)]
