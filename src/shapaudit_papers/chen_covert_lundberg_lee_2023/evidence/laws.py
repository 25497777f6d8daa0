"""Random laws of few binary features with random models, and examples shared by several claims."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.exact import random_integers, small_dimensions
from shapaudit_papers.theory.joint_tables import JointLaw, binary_rows, tabulated
from shapaudit_papers.theory.removal import Model, Row

TOP = 3  # features, at most


class BinaryWorld(NamedTuple):
    """A law of binary features with positive weights, and outputs (2^d,) of a model at its rows."""

    label: str
    law: JointLaw
    outputs: Sequence[Fraction]

    @property
    def model(self) -> Model:
        """The model with these outputs."""
        return tabulated(self.law.rows, self.outputs)

    def ignoring_last(self) -> Model:
        """Return the model that has its output at 0 for every value of the last feature."""
        return lambda row: self.model([*row[:-1], Fraction(0)])


def worlds(context: Context, name: str) -> Iterator[BinaryWorld]:
    """Yield random laws with weights 1, ..., 10 and outputs -9, ..., 9."""
    for d in small_dimensions(context, TOP):
        rows = binary_rows(d)
        for k in range(context.settings.random_games):
            drawn = random_integers(context, name, d, k, count=2 * len(rows)).tolist()
            weights, outputs = drawn[: len(rows)], drawn[len(rows) :]
            law = JointLaw(rows, [abs(weight) + 1 for weight in weights])
            yield BinaryWorld(f"d = {d}, law {k + 1}", law, outputs)


def square_law() -> JointLaw:
    """Return the law of X1, uniform on -1, 0 and 1, and its square X2: dependent, uncorrelated."""
    rows = [(Fraction(k), Fraction(k * k)) for k in (-1, 0, 1)]
    return JointLaw(rows, [Fraction(1)] * 3)


def last(row: Row) -> Fraction:
    """The model that returns its last feature."""
    return row[-1]
