"""Rows drawn from a law, with the law beside them."""

from dataclasses import dataclass
from hashlib import sha256
from typing import Any, ClassVar, Self

import numpy as np

from ..base import Dataset, DatasetError
from . import LAWS
from .base import Law

_LAW, _CHECKSUM = "law_", "sha256"


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
        arrays |= {_LAW + "kind": np.array(self.law.kind)}
        arrays |= {_LAW + name: array for name, array in self.law.arrays().items()}
        return arrays | {_CHECKSUM: np.array(_digest(arrays))}

    @classmethod
    def from_arrays(cls, arrays: dict[str, np.ndarray], **further: Any) -> Self:
        """What `arrays` gave; raises `DatasetError` where its checksum is that of another."""
        if arrays.pop(_CHECKSUM).item() != _digest(arrays):
            raise DatasetError("its checksum is that of other rows or another law")
        arrays.pop("kind")
        law = LAWS[arrays.pop(_LAW + "kind").item()]
        own = {name: arrays.pop(name) for name in list(arrays) if name.startswith(_LAW)}
        own = {name.removeprefix(_LAW): array for name, array in own.items()}
        return super().from_arrays(arrays, law=law.from_arrays(own), **further)


def _digest(arrays: dict[str, np.ndarray]) -> str:
    digest = sha256()
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        digest.update(f"{name} {array.dtype.str} {array.shape} ".encode() + array.tobytes())
    return digest.hexdigest()
