"""The multiplications that the theory counts are those that the kernels make."""

import operator

import numpy as np
import pytest

from shapaudit.games import regression_kernels as kernels
from shapaudit.games import regression_table
from shapaudit_papers.theory import regression_costs as costs

SIZES = (6, 19, 40)


class Counted:
    """A number that counts the multiplications and divisions that it takes part in."""

    made = 0

    def __init__(self, value):
        self.value = float(value)

    def _by(operation, counts):
        def apply(self, other):
            Counted.made += counts
            return Counted(operation(self.value, getattr(other, "value", other)))

        return apply

    __add__ = __radd__ = _by(operator.add, 0)
    __sub__ = _by(operator.sub, 0)
    __mul__ = __rmul__ = _by(operator.mul, 1)
    __truediv__ = _by(operator.truediv, 1)
    __rtruediv__ = _by(lambda a, b: b / a, 1)

    def __neg__(self):
        return Counted(-self.value)

    def sqrt(self):
        return Counted(np.sqrt(self.value))


@pytest.fixture(autouse=True)
def sums_in_python(monkeypatch):
    """What `shapaudit.sums` compiles, for numbers that count."""
    for module in (kernels, regression_table):
        monkeypatch.setattr(module, "fma", lambda x, y, z: x * y + z)
        monkeypatch.setattr(module, "dot", lambda x, y: sum(map(operator.mul, x, y)))


def counting(*arrays):
    return [np.vectorize(Counted, otypes=[object])(array) for array in arrays]


def made_by(kernel, *arguments):
    """Multiplications of a compiled function, run in Python."""
    Counted.made = 0
    kernel.py_func(*arguments)
    return Counted.made


@pytest.mark.parametrize("p", SIZES)
def test_elimination_and_losses_of_a_chain(p):
    rng, w = np.random.default_rng(p), p + 1
    lower, rows = counting(
        np.tril(rng.normal(size=(p, p))) + p * np.eye(p), rng.normal(size=(p, w))
    )
    elimination = made_by(kernels._eliminate, lower, rows)
    left, *_ = counting(np.ones(w))
    losses = sum(made_by(kernels._leave, row, left, Counted(1.0)) for row in rows)
    factor_and_coefficients = costs.chain(p) - elimination - losses
    # Cholesky's own p^3/6 and p^2/2 are LAPACK's; p divisions come to the elimination.
    expected = sum((k + 1) * (k + 2) // 2 for k in range(p)) + p * (p + 1) // 2 - p
    assert factor_and_coefficients == expected


@pytest.mark.parametrize("p", SIZES)
def test_a_shift(p, monkeypatch):
    for name in ("_turn_triangle", "_turn_rows"):
        monkeypatch.setattr(kernels, name, getattr(kernels, name).py_func)
    rng, w = np.random.default_rng(p), p + 1
    upper = np.zeros((p + 2, 2 * p + 2 * kernels.LANES))
    upper[:p, :p] = np.triu(rng.normal(size=(p, p))) + p * np.eye(p)
    rows, z = np.vstack([rng.normal(size=(p, w)), np.zeros((2, w))]), np.zeros(p + 2)
    carry, work = np.zeros(upper.shape[1]), np.zeros((3, w))
    arrays = counting(upper, rows, z, carry, work, np.ones(w))
    count = made_by(kernels._shift, *arrays, 0, counting(np.zeros(p + 1))[0])
    # Rotations come in twos, and columns in lanes: that adds to each row what does not grow with p.
    assert costs.shift(p) <= count <= costs.shift(p) + 8 * (kernels.LANES + 2) * (p + 2)


@pytest.mark.parametrize("p", SIZES)
def test_a_subset_and_its_parent(p):
    rng, w = np.random.default_rng(p), p + 1
    train, rows = counting(rng.normal(size=(2, p, p)), rng.normal(size=(2, p, w)))
    left, response = counting(np.ones((2, w)), np.ones(p))
    steps = [
        made_by(regression_table._include, train, rows, left, k, 0, 1, response) for k in range(p)
    ]
    assert costs.all_subsets(p) == sum(step << k for k, step in enumerate(steps))
