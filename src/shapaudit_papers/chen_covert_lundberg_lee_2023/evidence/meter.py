"""Numbers that count how often they are multiplied or divided."""

from dataclasses import dataclass, field
from functools import total_ordering
from typing import Any

import numpy as np


@dataclass
class Meter:
    """Counts of multiplications and divisions."""

    count: int = 0


@total_ordering
@dataclass(eq=False)
class Counted:
    """A number whose products and quotients are counted by a meter; sums are free."""

    value: Any
    meter: Meter = field(repr=False)

    def _made(self, value) -> "Counted":
        return Counted(value, self.meter)

    def __add__(self, other):
        return self._made(self.value + _plain(other))

    def __sub__(self, other):
        return self._made(self.value - _plain(other))

    def __rsub__(self, other):
        return self._made(_plain(other) - self.value)

    def __mul__(self, other):
        self.meter.count += 1
        return self._made(self.value * _plain(other))

    def __truediv__(self, other):
        self.meter.count += 1
        return self._made(self.value / _plain(other))

    def __rtruediv__(self, other):
        self.meter.count += 1
        return self._made(_plain(other) / self.value)

    def __eq__(self, other):
        return self.value == _plain(other)

    def __lt__(self, other):
        return self.value < _plain(other)

    __radd__, __rmul__ = __add__, __mul__


def counted(numbers: np.ndarray, meter: Meter) -> np.ndarray:
    """Return an object array of counted numbers of the same shape."""
    metered = np.empty(numbers.size, dtype=object)
    metered[:] = [Counted(x, meter) for x in numbers.ravel().tolist()]
    return metered.reshape(numbers.shape)


def _plain(number):
    return number.value if isinstance(number, Counted) else number
