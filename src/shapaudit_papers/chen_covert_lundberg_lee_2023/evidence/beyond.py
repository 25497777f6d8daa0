"""Evidence on claims 43, 44, 89 and 94: orders, causal graphs, gradients of trees, groups."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import product
from math import comb, sqrt
from typing import NamedTuple

import numpy as np

from shapaudit.truth.rational import rationals
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.exact import vector_cases
from shapaudit_papers.theory.joint_tables import JointLaw, conditional, marginal
from shapaudit_papers.theory.removal import Model, Row, product_of
from shapaudit_papers.theory.trees import predict

from .trees import problems, random_rows

# Two players whose contributions are 0 or a gain: the gain, and the probability of it.
CONTRIBUTIONS = ((Fraction(1), Fraction(1, 2)), (Fraction(27, 20), Fraction(1, 3)))
DRAWS = (25, 100, 400)


def binomial(n: int, chance: Fraction) -> list[Fraction]:
    """Return the probabilities (n + 1,) of 0, ..., n successes."""
    return [comb(n, k) * chance**k * (1 - chance) ** (n - k) for k in range(n + 1)]


def gather_order(context: Context, players=CONTRIBUTIONS) -> Evidence:
    """Return by draws per player the largest standard deviation, and the chance of a wrong order.

    Means of independent contributions; ties count as wrong by half.
    """
    values = [gain * chance for gain, chance in players]
    rows = []
    for n in DRAWS:
        deviations = [gain * sqrt(chance * (1 - chance) / n) for gain, chance in players]
        (first, p), (second, q) = players
        below = [Fraction(0)]
        laws = binomial(n, p), binomial(n, q)
        for chance in laws[1]:
            below.append(below[-1] + chance)
        wrong = Fraction(0)
        for k, chance in enumerate(laws[0]):
            least = first * k / second  # second's successes that give an equal mean
            tied = laws[1][int(least)] / 2 if least == int(least) and least <= n else Fraction(0)
            upto = min(n, int(least)) + 1
            wrong += chance * (1 - below[upto] + tied)
        rows.append({"draws": n, "deviation": max(deviations), "wrong": float(wrong)})
    return {"rows": rows, "values": values}


class Graph(NamedTuple):
    """Binary features that are functions of a common cause, of noise and of earlier features."""

    functions: Sequence[Callable[[int, int, Sequence[Fraction]], int]]

    def row(self, cause: int, noise: Sequence[int], forced: Sequence) -> tuple[Fraction, ...]:
        """Return the features where some are forced to a value, the others None."""
        values: list[Fraction] = []
        for function, own, value in zip(self.functions, noise, forced, strict=True):
            values.append(Fraction(function(cause, own, values)) if value is None else value)
        return tuple(values)

    def rows(self, forced: Sequence) -> list[tuple[Fraction, ...]]:
        """Return the features by cause and noise, which are all equally likely."""
        d = len(self.functions)
        return [
            self.row(cause, noise, forced)
            for cause in (0, 1)
            for noise in product((0, 1), repeat=d)
        ]

    def game(self, model: Model, explicand: Row) -> np.ndarray:
        """Return mean outputs (2^d,) where the features of a coalition are set by intervention."""
        values = []
        for members in range(1 << len(explicand)):
            forced = [x if members >> j & 1 else None for j, x in enumerate(explicand)]
            rows = self.rows(forced)
            values.append(sum(map(model, rows), Fraction(0)) / len(rows))
        return rationals(values)

    def law(self) -> JointLaw:
        """Return the law of the features without any intervention."""
        rows = self.rows([None] * len(self.functions))
        kinds = sorted(set(rows))
        return JointLaw(kinds, [Fraction(rows.count(kind)) for kind in kinds])


def flat(d: int, rng: np.random.Generator) -> Graph:
    """Return features that depend on a common cause and on their own noise alone."""
    tables = rng.integers(2, size=(d, 2, 2)).tolist()

    def looked_up(table: list[list[int]]) -> Callable[[int, int, Sequence[Fraction]], int]:
        return lambda cause, own, _: table[cause][own]

    return Graph([looked_up(table) for table in tables])


def linked() -> Graph:
    """Return a second feature that is the first, or noise where the cause is there."""
    return Graph(
        [lambda cause, own, _: own, lambda cause, own, before: own if cause else int(before[0])]
    )


def gather_flat_graph(
    context: Context, graph: Callable[[int, np.random.Generator], Graph] = flat
) -> Evidence:
    """Return games of interventions and marginal games, for flat graphs; beside them a linked one.

    ``dependent`` counts the flat graphs under which the conditional game is another one.
    """
    cases, dependent = [], 0
    for d in (2, 3):
        for k in range(context.settings.random_games):
            made = graph(d, context.generator("ccll23-44", d, k))
            law = made.law()
            x = law.rows[-1]
            sides = made.game(product_of, x), marginal(product_of, x, law)
            cases += vector_cases(f"d = {d}, graph {k + 1}", *sides)
            dependent += bool((conditional(product_of, x, law) != sides[1]).any())
    ones = (Fraction(1), Fraction(1))
    law = linked().law()
    games = linked().game(product_of, ones), marginal(product_of, ones, law)
    rows = [
        {"coalition": members, "intervention": a, "marginal": b}
        for members, (a, b) in enumerate(zip(*games, strict=True))
    ]
    graphs = 2 * context.settings.random_games
    return {"cases": cases, "dependent": dependent, "graphs": graphs, "linked": rows}


STEP, POINTS = Fraction(1, 10**6), 97  # of difference quotients along the path


def integrated(model: Model, explicand: Row, baseline: Row) -> list[Fraction]:
    """Return Integrated Gradients (d,), with difference quotients at points of the path."""
    total = [Fraction(0)] * len(explicand)
    for k in range(POINTS):
        t = Fraction(2 * k + 1, 2 * POINTS)
        z = [r + t * (x - r) for x, r in zip(explicand, baseline, strict=True)]
        for j, (x, r) in enumerate(zip(explicand, baseline, strict=True)):
            moved = [*z[:j], z[j] + STEP, *z[j + 1 :]]
            total[j] += (x - r) * (model(moved) - model(z)) / STEP / POINTS
    return total


def trees_and_rows(context: Context) -> Iterator[tuple[str, Model, Row, Row]]:
    """Yield label, random tree, explicand and baseline."""
    for label, tree, rows in problems(context, "ccll23-89", random_rows):
        yield label, partial(predict, tree), rows[0], rows[1]


def gather_gradients(context: Context, models: Callable = trees_and_rows) -> Evidence:
    """Return the sum of Integrated Gradients and the change of the output, by random tree."""
    rows = []
    for label, model, x, r in models(context):
        total = sum(integrated(model, x, r), Fraction(0))
        rows.append({"tree": label, "gradients": total, "change": model(x) - model(r)})
    return {"rows": rows}


GROUPS = ((4, 2), (8, 3), (12, 4))  # features, and groups of them


def gather_groups(context: Context, counts: Sequence[tuple[int, int]] = GROUPS) -> Evidence:
    """Return the coalitions of features, and those that a game of groups evaluates."""
    rows = []
    for d, g in counts:
        blocks = [sum(1 << j for j in range(d) if j % g == k) for k in range(g)]
        unions = {
            sum(block for k, block in enumerate(blocks) if chosen >> k & 1)
            for chosen in range(1 << g)
        }
        rows.append({"features": d, "groups": g, "coalitions": 1 << d, "evaluated": len(unions)})
    return {"rows": rows}
