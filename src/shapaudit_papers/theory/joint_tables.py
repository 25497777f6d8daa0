"""Joint laws of few discrete features, and the games of removals under them, in exact arithmetic.

Chen et al. 2023, Sections 4.2, 4.3 and 5.1. A law is a list of rows, tuples of fractions, and a
list of weights, whose sum need not be 1. Tables are in the order of `games.coalition_index`.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from typing import NamedTuple

import numpy as np

from shapaudit.truth.rational import rationals

from .conditional import Weights, conditional_table
from .removal import Model, Row


class JointLaw(NamedTuple):
    """Rows with positive weights."""

    rows: Sequence[Row]
    weights: Weights

    @property
    def total(self) -> Fraction:
        """Sum of the weights."""
        return sum(self.weights, Fraction(0))

    def mean(self, function: Callable[[Row], Fraction]) -> Fraction:
        """Expectation of a function of a row."""
        pairs = zip(self.rows, self.weights, strict=True)
        return sum((weight * function(row) for row, weight in pairs), Fraction(0)) / self.total


Game = Callable[[Model, Row, JointLaw], np.ndarray]


def binary_rows(n_features: int) -> list[tuple[Fraction, ...]]:
    """All rows of zeros and ones."""
    return list(product((Fraction(0), Fraction(1)), repeat=n_features))


def factorised(law: JointLaw) -> JointLaw:
    """The law of independent features with the same margins, on all combinations of values."""
    margins = []
    for column in zip(*law.rows, strict=True):
        values = dict.fromkeys(column, Fraction(0))
        for value, weight in zip(column, law.weights, strict=True):
            values[value] += weight / law.total
        margins.append(list(values.items()))
    cells = list(product(*margins))
    rows = [tuple(value for value, _ in cell) for cell in cells]
    return JointLaw(
        rows, [prod((weight for _, weight in cell), start=Fraction(1)) for cell in cells]
    )


def levelled(law: JointLaw) -> JointLaw:
    """Independent features, each uniform on its values: uniform removal of discrete features."""
    rows = list(product(*(dict.fromkeys(column) for column in zip(*law.rows, strict=True))))
    return JointLaw(rows, [Fraction(1)] * len(rows))


def hybrid(explicand: Row, row: Row, members: int) -> tuple[Fraction, ...]:
    """The explicand on a coalition, given by its index, and a row off it."""
    pairs = zip(row, explicand, strict=True)
    return tuple(pair[members >> j & 1] for j, pair in enumerate(pairs))


def marginal(model: Model, explicand: Row, law: JointLaw) -> np.ndarray:
    """E f(x_S, X off S) (2^d,), Equation 3."""

    def mean_of(members: int) -> Fraction:
        return law.mean(lambda row: model(hybrid(explicand, row, members)))

    return rationals([mean_of(members) for members in range(1 << len(explicand))])


def product_of_marginals(model: Model, explicand: Row, law: JointLaw) -> np.ndarray:
    """E f(x_S, X off S) (2^d,) with absent features independent of each other, Section 4.3."""
    return marginal(model, explicand, factorised(law))


def uniform(model: Model, explicand: Row, law: JointLaw) -> np.ndarray:
    """E f(x_S, X off S) (2^d,) with absent features uniform on their values, Section 4.3."""
    return marginal(model, explicand, levelled(law))


def first_baseline(model: Model, explicand: Row, law: JointLaw) -> np.ndarray:
    """The game of one baseline (2^d,), the law's first row: Equation 2."""
    return marginal(model, explicand, JointLaw(law.rows[:1], [Fraction(1)]))


def conditional(model: Model, explicand: Row, law: JointLaw) -> np.ndarray:
    """E[f(X) | X_S = x_S] (2^d,), Equation 5; the explicand is one of the rows."""
    return conditional_table(*law, [Fraction(model(row)) for row in law.rows], explicand)


REMOVALS: dict[str, Game] = {
    "baseline": first_baseline,
    "uniform": uniform,
    "product of marginals": product_of_marginals,
    "marginal": marginal,
    "conditional": conditional,
}


def tabulated(rows: Sequence[Row], outputs: Sequence[Fraction]) -> Model:
    """The model with these outputs at these rows, and at no others."""
    table = {tuple(row): output for row, output in zip(rows, outputs, strict=True)}
    return lambda row: table[tuple(row)]


def independent_parts(law: JointLaw, members: int) -> bool:
    """Whether X_S is independent of the other features, S given by its index."""

    def chance(row: Row, inside: int) -> Fraction:
        places = [j for j in range(len(row)) if inside >> j & 1]
        return law.mean(lambda other: Fraction(all(other[j] == row[j] for j in places)))

    whole = (1 << len(law.rows[0])) - 1
    return all(
        chance(row, whole) == chance(row, members) * chance(row, whole ^ members)
        for row in factorised(law).rows
    )


def is_product(law: JointLaw) -> bool:
    """Whether the features are independent of each other."""
    wanted = factorised(law)
    kept = dict(zip(map(tuple, law.rows), law.weights, strict=True))
    return all(
        kept.get(tuple(row), Fraction(0)) == weight * law.total
        for row, weight in zip(*wanted, strict=True)
    )
