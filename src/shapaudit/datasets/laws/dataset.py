"""Rows drawn from a law, with the law beside them."""

from dataclasses import dataclass
from hashlib import sha256
from typing import Any, ClassVar, Self

import numpy as np

from ..base import Dataset, DatasetError
from .base import Law
from .keeping import law_from_arrays, law_to_arrays

_CHECKSUM = "sha256"


@dataclass(frozen=True, eq=False)
class LawDataset(Dataset):
    """A table whose rows are independent draws from a law, which is saved with them.

    Parameters
    ----------
    law : Law
        Of one row of features; what a truth of conditional games is computed from.

    Raises
    ------
    DatasetError
        When the law has another number of features, and when a file is not as it was written.
    """

    kind: ClassVar = "law"

    law: Law

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.law.n_features != self.n_features:
            raise DatasetError(
                f"dataset {self.name!r} has {self.n_features} features, its law "
                f"{self.law.n_features}"
            )

    def arrays(self) -> dict[str, np.ndarray]:
        """The table, the law, and the SHA-256 of both."""
        arrays = super().arrays() | {"kind": np.array(self.kind)}
        arrays |= law_to_arrays(self.law)
        return arrays | {_CHECKSUM: np.array(_digest(arrays))}

    @classmethod
    def from_arrays(cls, arrays: dict[str, np.ndarray], **further: Any) -> Self:
        """What `arrays` gave; raises `DatasetError` where its checksum is that of another."""
        if arrays.pop(_CHECKSUM).item() != _digest(arrays):
            raise DatasetError("its checksum is that of other rows or another law")
        arrays.pop("kind")
        return super().from_arrays(arrays, law=law_from_arrays(arrays), **further)


def _digest(arrays: dict[str, np.ndarray]) -> str:
    digest = sha256()
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        digest.update(f"{name} {array.dtype.str} {array.shape} ".encode() + array.tobytes())
    return digest.hexdigest()
