"""Claim 15: interventional and path-dependent TreeSHAP, on random small trees."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import product

import numpy as np

from ...models.trees import LEAF, Nodes, TreeEnsemble
from ...theory.least_squares import rationals, shapley_values
from ...theory.removal import Row, baseline_game, marginal_game
from ...theory.trees import (
    Split,
    Tree,
    conditional_game,
    interventional_values,
    path_dependent_game,
    predict,
)
from ...truth.tree import tree_shapley
from ..base import Evidence, Verdict
from ..context import Context
from ..exact import Case, first_mismatch, show, small_dimensions, vector_cases, verdict_against
from .common import claim

ROWS, LEVELS, DEPTH = 6, 3, 3  # of the random backgrounds and trees
ROUNDING = 1e-12
Game = Callable[[Tree, Row, Sequence[Row]], np.ndarray]


def random_tree(rng: np.random.Generator, rows: Sequence[Row], depth: int = DEPTH) -> Tree:
    """Splits with rows on both sides, integer leaves; features may come again along a path."""
    varying = [j for j, column in enumerate(zip(*rows, strict=True)) if len(set(column)) > 1]
    if depth == 0 or not varying:
        return Fraction(int(rng.integers(-9, 10)))
    j = int(rng.choice(varying))
    levels = sorted({row[j] for row in rows})
    threshold = levels[int(rng.integers(1, len(levels)))]
    sides = [[row for row in rows if (row[j] < threshold) is left] for left in (True, False)]
    return Split(j, threshold, *(random_tree(rng, side, depth - 1) for side in sides))


def random_rows(rng: np.random.Generator, n_players: int) -> list[tuple[Fraction, ...]]:
    """Rows of small integers, dependent as they fall."""
    return [
        tuple(map(Fraction, row)) for row in rng.integers(LEVELS, size=(ROWS, n_players)).tolist()
    ]


def product_rows(rng: np.random.Generator, n_players: int) -> list[tuple[Fraction, ...]]:
    """All combinations of three values for each feature: independent features."""
    columns = rng.integers(LEVELS, size=(n_players, 3)).tolist()
    return [tuple(map(Fraction, row)) for row in product(*columns)]


def problems(
    context: Context, name: str, background: Callable
) -> Iterator[tuple[str, Tree, list[tuple[Fraction, ...]]]]:
    """Label, tree and background; the explicand is the first of the rows."""
    for d in small_dimensions(context, 4):
        for k in range(context.settings.random_games):
            rng = context.generator(name, d, k)
            rows = background(rng, d)
            yield f"d = {d}, tree {k + 1}", random_tree(rng, rows), rows


def as_ensemble(tree: Tree, n_players: int) -> TreeEnsemble:
    """The tree as the models of this project have it."""
    nodes: list[list] = []

    def add(node: Tree) -> int:
        place = len(nodes)
        if not isinstance(node, Split):
            nodes.append([LEAF, 0.0, LEAF, LEAF, False, float(node)])
            return place
        nodes.append([node.feature, float(node.threshold), 0, 0, False, 0.0])
        nodes[place][2], nodes[place][3] = add(node.left), add(node.right)
        return place

    add(tree)
    columns = (np.array(column) for column in zip(*nodes, strict=True))
    return TreeEnsemble(Nodes(*columns), np.array([0]), 0.0, n_players)


def gather_exact(context: Context, formula: Callable = interventional_values) -> Evidence:
    """Interventional TreeSHAP against enumeration, of baseline and marginal games.

    In fractions from the formula over leaves; this project's code beside it.
    """
    cases, largest = [], 0.0
    for label, tree, (x, *rows) in problems(context, "ccll23-15a", random_rows):
        model = partial(predict, tree)
        found = [formula(tree, x, row) for row in rows]
        for row, values in zip(rows, found, strict=True):
            exact = shapley_values(baseline_game(model, x, row))
            cases += vector_cases(f"{label}, baseline", values, exact)
            ours = tree_shapley(as_ensemble(tree, len(x)), *np.array([x, row], dtype=float))
            largest = max(largest, float(np.abs(ours - exact.astype(float)).max()))
        marginal = shapley_values(marginal_game(model, x, rows))
        cases += vector_cases(f"{label}, marginal", sum(found) / Fraction(len(rows)), marginal)
    return {"cases": cases, "code": largest}


def check_exact(evidence: Evidence, alpha: float) -> Verdict:
    """Proved when every entry agrees, and the code to rounding."""
    sample, code = {"entries": len(evidence["cases"])}, {"code": evidence["code"]}
    if wrong := first_mismatch(evidence["cases"]):
        told = f"{wrong.label}: {wrong.left}, and by enumeration {wrong.right}."
        return verdict_against(wrong, told, numbers=code, sample=sample)
    if evidence["code"] > ROUNDING:
        return Verdict(
            "inconclusive",
            f"The formula is exact; the code is off by {show(evidence['code'])}.",
            "sample",
            code,
            sample=sample,
            evidence="prop:chen-trees",
        )
    return Verdict(
        "proved",
        f"The sum over leaves is exact in {sample['entries']} entries for random trees, which may "
        "split on a feature again, and for all. The code that gives this project its exact values "
        f"is off by {show(evidence['code'])} at most.",
        "sound",
        code,
        sample=sample,
        evidence="prop:chen-trees",
    )


def conjunction(first: int) -> Tree:
    """x_1 x_2 on zeros and ones, the split on feature ``first`` at the root."""
    half, zero, one = Fraction(1, 2), Fraction(0), Fraction(1)
    return Split(first, half, zero, Split(1 - first, half, zero, one))


STAIRS = ((1, 1), (1, 0), (0, 0))  # the explicand first; dependent: x_2 is never without x_1
CORNERS = ((1, 1), (1, 0), (0, 1), (0, 0))  # independent


def example(background: Sequence[Sequence[int]], game: Game) -> list[dict]:
    """Both drawings of x_1 x_2: path-dependent and conditional values of each feature."""
    rows = [rationals(row).tolist() for row in background]
    found = []
    for first in (0, 1):
        tree = conjunction(first)
        path = shapley_values(game(tree, rows[0], rows))
        exact = shapley_values(conditional_game(tree, rows[0], rows))
        found += [
            {"root": f"x{first + 1}", "feature": j + 1, "path_dependent": a, "conditional": b}
            for j, (a, b) in enumerate(zip(path, exact, strict=True))
        ]
    return found


def gather_biased(context: Context, game: Game = path_dependent_game) -> Evidence:
    """The smallest example, and how often the values differ on random trees and rows."""
    differing = [
        (shapley_values(game(tree, rows[0], rows)) != _conditional(tree, rows)).any()
        for _, tree, rows in problems(context, "ccll23-15b", random_rows)
    ]
    rows = example(STAIRS, game)
    return {"rows": rows, "differing": sum(differing), "trees": len(differing)}


def _conditional(tree, rows):
    return shapley_values(conditional_game(tree, rows[0], rows))


def check_biased(evidence: Evidence, alpha: float) -> Verdict:
    """Proved by the example, if its values differ."""
    rows = tuple(evidence["rows"])
    numbers = {"differing": evidence["differing"]}
    sample = {"trees": evidence["trees"]}
    if all(row["path_dependent"] == row["conditional"] for row in rows):
        return Verdict(
            "refuted", "They agree in the example.", "false", numbers, sample=sample, rows=rows
        )
    return Verdict(
        "proved",
        "Already for the product of two binary features, the second never without the first, "
        "explained at 1 and 1 on the rows 11, 10 and 00. On random trees and dependent rows the "
        f"values differ in {evidence['differing']} of {evidence['trees']} cases.",
        "sound",
        numbers,
        sample=sample,
        rows=rows,
    )


def gather_independent(context: Context, background: Callable = product_rows) -> Evidence:
    """Path-dependent, conditional and marginal values where the rows make a product."""
    cases: list[Case] = []
    for label, tree, rows in problems(context, "ccll23-15c", background):
        path = shapley_values(path_dependent_game(tree, rows[0], rows))
        cases += vector_cases(f"{label}, conditional", path, _conditional(tree, rows))
        marginal = shapley_values(marginal_game(partial(predict, tree), rows[0], rows))
        cases += vector_cases(f"{label}, marginal", path, marginal)
    return {"cases": cases}


def check_independent(evidence: Evidence, alpha: float) -> Verdict:
    """Proved when every entry agrees."""
    sample = {"entries": len(evidence["cases"])}
    if wrong := first_mismatch(evidence["cases"]):
        told = f"{wrong.label}: {wrong.left} by the path, exactly {wrong.right}."
        return verdict_against(wrong, told, sample=sample)
    return Verdict(
        "proved",
        f"Exact in {sample['entries']} entries for random trees, and for all: the shares along a "
        "path multiply to the probability of each feature's own conditions. So the bias is owed "
        "to dependence alone, that of the sample included, not to repeated splits or interactions.",
        "sound",
        sample=sample,
        evidence="prop:chen-trees",
    )


def gather_drawing(context: Context, background: Sequence = STAIRS) -> Evidence:
    """Values of one function drawn as two trees."""
    return {"rows": example(background, path_dependent_game)}


def check_drawing(evidence: Evidence, alpha: float) -> Verdict:
    """Proved when the two trees have different values."""
    rows = tuple(evidence["rows"])
    first, second = ([row for row in rows if row["root"] == root] for root in ("x1", "x2"))
    pairs = list(zip(first, second, strict=True))
    numbers = {"differing": sum(a["path_dependent"] != b["path_dependent"] for a, b in pairs)}
    if not numbers["differing"]:
        return Verdict("refuted", "Both trees have the same values.", "false", numbers, rows=rows)
    shown = " and ".join(
        f"({', '.join(str(row['path_dependent']) for row in part)})" for part in (first, second)
    )
    return Verdict(
        "proved",
        f"The same function has the values {shown}, depending on the feature at the root: "
        "path-dependent values are no attribute of function and data.",
        "sound",
        numbers,
        rows=rows,
    )


SECTION = "Section 5.2.3"

CLAIMS = (
    claim(
        id="ccll23-15a",
        title="Interventional TreeSHAP",
        where=f"{SECTION}; Table 1, columns Bias-free and Variance-free",
        statement=r"Interventional TreeSHAP gives baseline and marginal Shapley values of trees "
        r"exactly, without bias and variance.",
        gather=gather_exact,
        check=check_exact,
    ),
    claim(
        id="ccll23-15b",
        title="Path-dependent TreeSHAP is biased",
        where=f"{SECTION}; Table 1",
        statement=r"Path-dependent TreeSHAP is a biased estimator of conditional Shapley values.",
        gather=gather_biased,
        check=check_biased,
    ),
    claim(
        id="ccll23-15c",
        title="Path-dependent TreeSHAP with independent features",
        where=f"{SECTION}, beyond what is said there",
        statement=r"When the features are independent in the rows that weigh the nodes, "
        r"path-dependent, conditional and marginal Shapley values are the same.",
        gather=gather_independent,
        check=check_independent,
        source="this project",
    ),
    claim(
        id="ccll23-15d",
        title="Path-dependent values and the drawing of the tree",
        where=f"{SECTION}, beyond what is said there",
        statement=r"Two trees of the same function can have different path-dependent values on "
        r"the same data.",
        gather=gather_drawing,
        check=check_drawing,
        source="this project",
    ),
)
