"""Random generators derived from names: results do not depend on the order of jobs."""

import hashlib

import numpy as np


def derive_seed(base_seed: int, *names: str | int) -> int:
    """Derive a 128-bit seed from the base seed and the named axes of an experiment.

    Each name is hashed with its type and length, so ``("a", "bc")`` and ``("ab", "c")`` differ,
    and so do ``1`` and ``"1"``.
    """
    digest = hashlib.sha256(str(int(base_seed)).encode())
    for name in names:
        kind = "i" if isinstance(name, int | np.integer) else "s"
        text = str(name).encode()
        digest.update(f"|{kind}{len(text)}:".encode() + text)
    return int.from_bytes(digest.digest()[:16], "little")


def generator(base_seed: int, *names: str | int) -> np.random.Generator:
    """Generator for the named axes (study, dataset, explicand, estimator, repetition, ...)."""
    return np.random.Generator(np.random.PCG64(derive_seed(base_seed, *names)))
