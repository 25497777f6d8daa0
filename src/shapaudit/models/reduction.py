"""Reduction of a regression to a triangular factor, over blocks of rows.

Bell, Devanathan & Boyd 2024, Sections 3.2 (QR) and 4.4 (Cholesky of the Gram matrix). Blocks are
functions without arguments that return rows (m, p) and responses (m,), so that rows need not fit
in memory: they may be read, or generated, when they are asked for, twice where Cholesky gives way
to QR.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import TypeVar

import numpy as np

from ..threads import one_blas_thread
from .base import ModelError

Block = Callable[[], tuple[np.ndarray, np.ndarray]]
Item = TypeVar("Item")
Result = TypeVar("Result")

BLOCK_ROWS = 4096
# Condition number of the correlation matrix up to which Cholesky serves: fits lose this many units
# of rounding, 2e-10 in all.
LARGEST_CONDITION = 1e6
# Beyond, a Gram matrix is singular to rounding.
SINGULAR = 1e-2 / np.finfo(float).eps
METHODS = ("auto", "qr", "cholesky")


@dataclass(frozen=True, eq=False)
class Reduction:
    """Rows [X y] reduced to a triangle, minus means.

    Attributes
    ----------
    factor : (p + 1, p + 1), upper triangular; its Gram matrix is that of [X y] minus the means
    means : (p + 1,) that were taken off; zeros where nothing was
    n_rows : rows that were reduced
    method : "qr" or "cholesky"
    """

    factor: np.ndarray
    means: np.ndarray
    n_rows: int
    method: str


def blocks_of(rows: np.ndarray, target: np.ndarray) -> list[Block]:
    """Blocks of a table (n, p) in memory and its response (n,).

    Raises `ModelError` when the shapes do not fit.
    """
    rows, target = np.asarray(rows, dtype=np.float64), np.asarray(target, dtype=np.float64)
    if rows.ndim != 2 or target.shape != (len(rows),) or len(rows) == 0:
        raise ModelError(
            f"rows (n, p) and responses (n,) are wanted; got shapes {rows.shape} and {target.shape}"
        )

    def block(start: int) -> tuple[np.ndarray, np.ndarray]:
        return rows[start : start + BLOCK_ROWS], target[start : start + BLOCK_ROWS]

    return [partial(block, start) for start in range(0, len(rows), BLOCK_ROWS)]


def reduce_rows(
    blocks: Sequence[Block],
    method: str = "auto",
    means: np.ndarray | None = None,
    threads: int = 1,
) -> Reduction:
    """Reduce the rows of the blocks; the bytes do not depend on the number of threads.

    Parameters
    ----------
    blocks : of equal width
    method : "cholesky", "qr", or "auto": Cholesky unless the condition number of the columns'
        correlation matrix exceeds 1e6
    means : (p + 1,) to take off; None for the blocks' own
    threads : blocks read at a time

    Raises
    ------
    ModelError
        For an unknown method, entries that are not finite, or Cholesky of a matrix that is
        singular to rounding.
    """
    if method not in METHODS:
        raise ModelError(f"unknown reduction {method!r}; the known ones are {', '.join(METHODS)}")
    first, answer = blocks[0]()
    own = means is None
    with np.errstate(invalid="ignore"):  # infinities with both signs are named when blocks are read
        shift = np.append(first.mean(axis=0), answer.mean()) if means is None else means
    with one_blas_thread():
        reduction = None
        if method != "qr":
            reduction = _by_cholesky(blocks, shift, own, threads, method == "cholesky")
        return _by_qr(blocks, shift, own, threads) if reduction is None else reduction


def conditioned(factor: np.ndarray) -> float:
    """Condition number of the correlation matrix of the columns of a factor (k, p); inf if none."""
    lengths = np.linalg.norm(factor, axis=0)
    if not (lengths > 0).all():
        return np.inf
    singular = np.linalg.svd(factor / lengths, compute_uv=False)
    if len(factor) < factor.shape[1] or singular[-1] == 0:
        return np.inf
    return float(np.square(singular[0] / singular[-1]))


def in_order(
    function: Callable[[Item], Result], items: Iterable[Item], threads: int
) -> Iterator[Result]:
    """Results in the order of the items, ``threads`` of them in the making, BLAS on one thread."""
    with one_blas_thread():
        if threads == 1:
            yield from map(function, items)
            return
        items = iter(items)
        with ThreadPoolExecutor(threads) as pool:
            waiting = [pool.submit(function, item) for item in islice(items, 2 * threads)]
            while waiting:
                yield waiting.pop(0).result()
                waiting += [pool.submit(function, item) for item in islice(items, 1)]


def _shifted(block: Block, shift: np.ndarray) -> np.ndarray:
    """Rows [X y] (m, p + 1) minus the shift; raises `ModelError` naming what is not finite."""
    rows, target = block()
    if rows.shape[1] + 1 != len(shift):
        raise ModelError(
            f"rows with {rows.shape[1]} columns do not fit {len(shift) - 1} features; the test set "
            "needs the columns of the training set, in their order"
        )
    table = np.empty((len(rows), len(shift)))
    with np.errstate(invalid="ignore"):
        np.subtract(rows, shift[:-1], out=table[:, :-1])
        np.subtract(target, shift[-1], out=table[:, -1])
        sums = table.sum(axis=0)
    if not np.isfinite(sums).all():
        bad = np.flatnonzero(~np.isfinite(sums))
        names = ["the response" if j == len(sums) - 1 else f"column {j}" for j in bad]
        raise ModelError(f"missing or infinite entries in {', '.join(names)}; fill or drop them")
    return table


def _by_cholesky(
    blocks: Sequence[Block], shift: np.ndarray, own: bool, threads: int, insist: bool
) -> Reduction | None:
    """Reduction by the Gram matrix; None where that is too badly conditioned."""
    width = len(shift)

    def gram_of(block: Block) -> tuple[np.ndarray, np.ndarray, int]:
        table = _shifted(block, shift)
        return table.T @ table, table.sum(axis=0), len(table)

    gram, sums, n = np.zeros((width, width)), np.zeros(width), 0
    for part, total, m in in_order(gram_of, blocks, threads):
        gram += part
        sums += total
        n += m
    if own:
        offset = sums / n
        gram -= n * np.outer(offset, offset)
        shift = shift + offset
    condition = _gram_condition(gram[:-1, :-1])
    if not insist and condition > LARGEST_CONDITION:
        return None
    if condition > SINGULAR:
        raise ModelError(
            "the Gram matrix is singular to rounding; reduce by qr, which tells which columns are "
            "collinear"
        )
    factor = np.zeros((width, width))
    lower = np.linalg.cholesky(gram[:-1, :-1])
    factor[:-1, :-1] = lower.T
    factor[:-1, -1] = np.linalg.solve(lower, gram[:-1, -1])
    factor[-1, -1] = np.sqrt(max(gram[-1, -1] - factor[:-1, -1] @ factor[:-1, -1], 0.0))
    return Reduction(factor, shift, n, "cholesky")


def _gram_condition(gram: np.ndarray) -> float:
    lengths = np.sqrt(np.diag(gram))
    if not (lengths > 0).all():
        return np.inf
    values = np.linalg.eigvalsh(gram / np.outer(lengths, lengths))
    return float(values[-1] / values[0]) if values[0] > 0 else np.inf


def _by_qr(blocks: Sequence[Block], shift: np.ndarray, own: bool, threads: int) -> Reduction:
    """Triangle of the rows stacked block by block on the triangle so far.

    Centring is that of a column of ones, which comes first and is left out.
    """
    width = len(shift)
    factor: np.ndarray = np.zeros((0, width + own))
    n = 0
    for table in in_order(lambda block: _shifted(block, shift), blocks, threads):
        n += len(table)
        if own:
            table = np.hstack([np.ones((len(table), 1)), table])
        factor = np.asarray(np.linalg.qr(np.vstack([factor, table]), mode="r"))
    square = np.zeros((width + own, width + own))
    square[: len(factor)] = factor
    if own:
        shift = shift + square[0, 1:] / square[0, 0]
        square = square[1:, 1:]
    return Reduction(square, shift, n, "qr")
