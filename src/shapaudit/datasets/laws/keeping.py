"""Laws as arrays with names of their own, for files that hold more than a law."""

from typing import Any

import numpy as np

from .base import Law, LawError
from .chain import ChainLaw
from .copula import CopulaLaw
from .discrete import DiscreteLaw
from .gaussian import GaussianLaw
from .mixture import MixtureLaw

LAWS: dict[str, type[Law]] = {
    law.kind: law for law in (ChainLaw, CopulaLaw, DiscreteLaw, GaussianLaw, MixtureLaw)
}
_LAW = "law_"


def law_to_arrays(law: Law) -> dict[str, np.ndarray]:
    """Its kind and its arrays, under names that begin with "law_"."""
    named = {_LAW + name: array for name, array in law.arrays().items()}
    return {_LAW + "kind": np.array(law.kind), **named}


def law_from_arrays(arrays: dict[str, Any]) -> Law:
    """The law that `law_to_arrays` gave, taken out of the arrays.

    Raises `LawError` for an unknown kind, or where an array is missing.
    """
    own = {name: arrays.pop(name) for name in list(arrays) if name.startswith(_LAW)}
    own = {name.removeprefix(_LAW): array for name, array in own.items()}
    kind = str(own.pop("kind", None))
    if kind not in LAWS:
        raise LawError(f"unknown kind of law {kind!r}; the known ones are {', '.join(LAWS)}")
    return LAWS[kind].from_arrays(own)
