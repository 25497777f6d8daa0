"""Evidence on claim 15: interventional and path-dependent TreeSHAP, on random small trees."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import product

import numpy as np

from shapaudit.truth.rational import rationals, shapley_values
from shapaudit.truth.tree import tree_shapley
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Case, Evidence
from shapaudit_audit.audit.exact import small_dimensions, vector_cases
from shapaudit_papers.theory.removal import Row, baseline_game, marginal_game
from shapaudit_papers.theory.trees import (
    Split,
    Tree,
    as_ensemble,
    conditional_game,
    interventional_values,
    path_dependent_game,
    predict,
)

ROWS, LEVELS, DEPTH = 6, 3, 3  # of the random backgrounds and trees
Game = Callable[[Tree, Row, Sequence[Row]], np.ndarray]


def random_tree(rng: np.random.Generator, rows: Sequence[Row], depth: int = DEPTH) -> Tree:
    """Return a tree with rows on both sides of every split and integer leaves.

    Features may occur repeatedly along a path.
    """
    varying = [j for j, column in enumerate(zip(*rows, strict=True)) if len(set(column)) > 1]
    if depth == 0 or not varying:
        return Fraction(int(rng.integers(-9, 10)))
    j = int(rng.choice(varying))
    levels = sorted({row[j] for row in rows})
    threshold = levels[int(rng.integers(1, len(levels)))]
    sides = [[row for row in rows if (row[j] < threshold) is left] for left in (True, False)]
    return Split(j, threshold, *(random_tree(rng, side, depth - 1) for side in sides))


def random_rows(rng: np.random.Generator, n_players: int) -> list[tuple[Fraction, ...]]:
    """Return rows of small random integers, which are dependent in the sample."""
    return [
        tuple(map(Fraction, row)) for row in rng.integers(LEVELS, size=(ROWS, n_players)).tolist()
    ]


def product_rows(rng: np.random.Generator, n_players: int) -> list[tuple[Fraction, ...]]:
    """Return all combinations of three values for each feature: independent features."""
    columns = rng.integers(LEVELS, size=(n_players, 3)).tolist()
    return [tuple(map(Fraction, row)) for row in product(*columns)]


def problems(
    context: Context, name: str, background: Callable
) -> Iterator[tuple[str, Tree, list[tuple[Fraction, ...]]]]:
    """Yield label, tree and background; the explicand is the first row."""
    for d in small_dimensions(context, 4):
        for k in range(context.settings.random_games):
            rng = context.generator(name, d, k)
            rows = background(rng, d)
            yield f"d = {d}, tree {k + 1}", random_tree(rng, rows), rows


def gather_exact(context: Context, formula: Callable = interventional_values) -> Evidence:
    """Return interventional TreeSHAP and enumerated values of baseline and marginal games.

    The former are computed in fractions by the formula over leaves; the error of this project's
    code is beside them.
    """
    cases, largest = [], 0.0
    for label, tree, (x, *rows) in problems(context, "ccll23-15a", random_rows):
        model = partial(predict, tree)
        formula_values = [formula(tree, x, row) for row in rows]
        for row, values in zip(rows, formula_values, strict=True):
            exact = shapley_values(baseline_game(model, x, row))
            cases += vector_cases(f"{label}, baseline", values, exact)
            ours = tree_shapley(as_ensemble(tree, len(x)), *np.array([x, row], dtype=float))
            largest = max(largest, float(np.abs(ours - exact.astype(float)).max()))
        marginal = shapley_values(marginal_game(model, x, rows))
        cases += vector_cases(
            f"{label}, marginal", sum(formula_values) / Fraction(len(rows)), marginal
        )
    return {"cases": cases, "code": largest}


def conjunction(first: int) -> Tree:
    """Return x_1 x_2 on zeros and ones as a tree with the split on ``first`` at the root."""
    half, zero, one = Fraction(1, 2), Fraction(0), Fraction(1)
    return Split(first, half, zero, Split(1 - first, half, zero, one))


STAIRS = ((1, 1), (1, 0), (0, 0))  # the explicand first; dependent: x_2 is never without x_1


def example(background: Sequence[Sequence[int]], game: Game) -> list[dict]:
    """Return path-dependent and conditional values of each feature, for both trees of x_1 x_2."""
    rows = [rationals(row).tolist() for row in background]
    features = []
    for first in (0, 1):
        tree = conjunction(first)
        path = shapley_values(game(tree, rows[0], rows))
        exact = shapley_values(conditional_game(tree, rows[0], rows))
        features += [
            {"root": f"x{first + 1}", "feature": j + 1, "path_dependent": a, "conditional": b}
            for j, (a, b) in enumerate(zip(path, exact, strict=True))
        ]
    return features


def gather_biased(context: Context, game: Game = path_dependent_game) -> Evidence:
    """Return the smallest example, and how often values differ on random trees and rows."""
    differing = [
        (shapley_values(game(tree, rows[0], rows)) != _conditional(tree, rows)).any()
        for _, tree, rows in problems(context, "ccll23-15b", random_rows)
    ]
    rows = example(STAIRS, game)
    return {"rows": rows, "differing": sum(differing), "trees": len(differing)}


def _conditional(tree, rows):
    return shapley_values(conditional_game(tree, rows[0], rows))


def gather_independent(context: Context, background: Callable = product_rows) -> Evidence:
    """Return path-dependent, conditional and marginal values for independent features."""
    cases: list[Case] = []
    for label, tree, rows in problems(context, "ccll23-15c", background):
        path = shapley_values(path_dependent_game(tree, rows[0], rows))
        cases += vector_cases(f"{label}, conditional", path, _conditional(tree, rows))
        marginal = shapley_values(marginal_game(partial(predict, tree), rows[0], rows))
        cases += vector_cases(f"{label}, marginal", path, marginal)
    return {"cases": cases}


def gather_drawing(context: Context, background: Sequence = STAIRS) -> Evidence:
    """Return values of one function written as two trees."""
    return {"rows": example(background, path_dependent_game)}


# Rows, and a tree whose second split stands below the first.
COHORT = ((0, 0), (0, 0), (0, 1), (1, 0), (1, 1), (1, 1))


def gather_cohort(context: Context, present: int = 1, game: Game = path_dependent_game) -> Evidence:
    """Return readings of v({j}) of one tree at a row of ones, where ``present`` is j.

    They follow the path, refine the cohort of each node, take the mean of all rows that agree on
    j, and take the mean of all rows in leaves that such rows can reach.
    """
    half, zero = Fraction(1, 2), Fraction(0)
    tree = Split(0, half, Split(1, half, zero, Fraction(4)), Fraction(1))
    explicand = (Fraction(1), Fraction(1))
    rows = [tuple(map(Fraction, row)) for row in COHORT]
    path = game(tree, explicand, rows)[1 << present]
    alike = [predict(tree, row) for row in rows if row[present] == explicand[present]]
    reached = [predict(tree, row) for row in rows if _reachable(tree, row, explicand, present)]
    by_node = sum((w * leaf for w, leaf in _cohorts(tree, rows, explicand, present)), zero)
    readings = {"by the path": path, "cohorts at each node": by_node}
    for name, outputs in (("mean of rows alike", alike), ("mean of leaves in reach", reached)):
        readings[name] = sum(outputs, zero) / len(outputs)
    return {"rows": [{"reading": name, "value": value} for name, value in readings.items()]}


def _cohorts(
    tree: Tree, rows: Sequence[Row], explicand: Row, present: int
) -> Iterator[tuple[Fraction, Fraction]]:
    """Yield the weight and the value of each leaf.

    The cohort of a node is that of its parent, refined: to the rows on the explicand's side where
    the feature is present, and otherwise into the rows of either side, by their number.
    """
    if not isinstance(tree, Split):
        yield Fraction(1), tree
        return
    sides = {left: [row for row in rows if tree.sends_left(row) is left] for left in (True, False)}
    for left, side in ((True, tree.left), (False, tree.right)):
        if tree.feature != present or tree.sends_left(explicand) is left:
            known = sides[left] if tree.feature == present else rows
            share = Fraction(len(sides[left]), len(known))
            for weight, leaf in _cohorts(side, sides[left], explicand, present):
                yield share * weight, leaf


def _reachable(tree: Tree, row: Row, explicand: Row, present: int) -> bool:
    """Return whether a row's leaf can be reached with the explicand's present feature."""
    while isinstance(tree, Split):
        if tree.feature == present and tree.sends_left(row) != tree.sends_left(explicand):
            return False
        tree = tree.side(row)
    return True
