"""Threads of the linear algebra libraries."""

from contextlib import AbstractContextManager
from functools import cache
from typing import Any


def one_blas_thread() -> AbstractContextManager[Any]:
    """Context in which BLAS uses one thread.

    Parallel sums would depend on the number of threads, and small matrices are slower with several.
    """
    return _libraries().limit(limits=1, user_api="blas")


@cache
def _libraries() -> Any:
    import scipy.linalg  # noqa: F401, it has a BLAS of its own, found once it is loaded
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
