"""The contract of a law: rows drawn from it, and its conditional laws exactly."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import Field, fields
from typing import Any, ClassVar, Self

import numpy as np
import scipy

from ..base import DatasetError

SMALLEST = 2.0**-54  # uniform numbers stay this far from 0 and 1, where quantiles are infinite


class LawError(DatasetError):
    """A law that is malformed, or is conditioned on what cannot happen."""


class Law(ABC):
    """A joint law of d features whose conditional laws are known exactly.

    A law is a frozen dataclass of arrays, so that it can be saved without pickle. Rows are a
    function of uniform numbers: with u and 1 - u a pair of rows is antithetic, and with numbers
    drawn once the rows of a game stay as they are.
    """

    kind: ClassVar[str]
    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    @property
    @abstractmethod
    def n_features(self) -> int:
        """Number of features d; none are left once all are given."""

    @property
    @abstractmethod
    def n_uniforms(self) -> int:
        """How many uniform numbers a row is made of."""

    @abstractmethod
    def from_uniforms(self, uniforms: np.ndarray) -> np.ndarray:
        """Rows (n, d) that numbers (n, n_uniforms) in [0, 1] stand for."""

    @abstractmethod
    def given(self, members: np.ndarray, values: np.ndarray) -> "Law":
        """The law of the other features, in their order, once the members have these values.

        Parameters
        ----------
        members : (d,) bool, the features that are given
        values : (k,), what the members are, in the order of the features

        Raises
        ------
        LawError
            When shapes differ, a value is not finite, or the values cannot occur.
        """

    def sample(self, rng: np.random.Generator, n: int) -> np.ndarray:
        """Independent rows (n, d)."""
        return self.from_uniforms(rng.random((n, self.n_uniforms)))

    def completions(
        self, members: np.ndarray, explicand: np.ndarray, rng: np.random.Generator, n: int
    ) -> np.ndarray:
        """Rows (n, d) with the members as in the explicand (d,), the others from `given`."""
        rows = np.tile(np.asarray(explicand, dtype=np.float64), (n, 1))
        rows[:, ~members] = self.given(members, rows[0, members]).sample(rng, n)
        return rows

    def arrays(self) -> dict[str, np.ndarray]:
        """What the law consists of, by the names of its fields."""
        return {field.name: np.asarray(getattr(self, field.name)) for field in fields(self)}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, np.ndarray]) -> Self:
        """The law of what `arrays` gave; raises `LawError` where one is missing."""
        names = [field.name for field in fields(cls)]
        if missing := [name for name in names if name not in arrays]:
            raise LawError(f"a {cls.kind} law needs the array {', '.join(missing)}")
        return cls(**{name: arrays[name] for name in names})


def checked_given(
    law: Law, members: np.ndarray, values: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Members (d,) bool and values (k,) float64; raises `LawError` unless they fit the law."""
    members = np.asarray(members)
    if members.dtype != np.bool_ or members.shape != (law.n_features,):
        raise LawError(
            f"members must be bool of shape ({law.n_features},), got {members.dtype} "
            f"{members.shape}"
        )
    values = np.asarray(values, dtype=np.float64)
    if values.shape != (members.sum(),):
        raise LawError(f"{members.sum()} features are given, but {values.shape} values")
    if not np.isfinite(values).all():
        feature = int(np.flatnonzero(members)[np.argmin(np.isfinite(values))])
        raise LawError(f"feature {named(feature)} is given as NaN or infinite; impute it first")
    return members, values


def named(feature: int) -> str:
    """Name of a column: x1, x2, ..."""
    return f"x{feature + 1}"


def normal_quantiles(uniforms: np.ndarray) -> np.ndarray:
    """Standard normal numbers of uniform ones, finite also at 0 and 1."""
    return scipy.special.ndtri(np.clip(uniforms, SMALLEST, 1 - 2 * SMALLEST))


def frozen(law: Law, **arrays: np.ndarray) -> None:
    """Set fields of a frozen law to contiguous arrays, read-only."""
    for name, array in arrays.items():
        array = np.array(array, order="C")
        array.flags.writeable = False
        object.__setattr__(law, name, array)
