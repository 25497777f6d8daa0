"""Settings of the whole suite: one numerical thread per process, repeatable property tests."""

import os

for library in ("OMP", "OPENBLAS", "MKL", "NUMBA"):  # before they are imported
    os.environ[f"{library}_NUM_THREADS"] = "1"

from hypothesis import settings  # noqa: E402

settings.register_profile("shapaudit", deadline=None, derandomize=True)
settings.load_profile("shapaudit")
