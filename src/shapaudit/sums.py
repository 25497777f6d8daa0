"""Sums in kernels: in vector registers, and in an order that is written down.

Left to itself, a compiler adds one number after the other. With ``fastmath`` it may regroup a sum,
and how it does so depends on the processor, and on whether a kernel was compiled just now, inside
the kernel that calls it, or read from numba's cache: the last bits differ. So no kernel has
``fastmath``. Here entry i goes to partial sum i mod 16, as far as whole sixteens go. These are
added in halves until four are left, which take the whole fours that follow. When these have been
added in halves as well, the last entries, at most three, are added one by one.

Vectors are contiguous. Their lengths are not checked.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.extending import intrinsic

WIDE, NARROW = 16, 4  # partial sums
Term = Callable[..., ir.Value]  # of a builder and one or two registers: the register of the terms


@intrinsic
def fma(typing_context: Any, x: types.Type, y: types.Type, z: types.Type) -> Any:
    """The float64 x y + z, rounded once: what a compiler may do or not, unless it is told."""

    def generate(
        context: Any, builder: ir.IRBuilder, signature: Any, arguments: Sequence[ir.Value]
    ) -> ir.Value:
        return builder.fma(*arguments)

    return types.float64(types.float64, types.float64, types.float64), generate


def _sum_of(term: Term) -> Callable[..., Any]:
    """An intrinsic f(first, second, count): the sum of terms of two vectors' first entries.

    ``term`` emits the terms of some entries, given as two registers. The count is a multiple of
    four.
    """

    @intrinsic
    def total(typing_context: Any, first: types.Type, second: types.Type, count: types.Type) -> Any:
        if any(vector.ndim != 1 or vector.layout not in "CF" for vector in (first, second)):
            raise TypingError("sums are of contiguous vectors")

        def generate(
            context: Any, builder: ir.IRBuilder, signature: Any, arguments: Sequence[ir.Value]
        ) -> ir.Value:
            data = [
                context.make_array(kind)(context, builder, value).data
                for kind, value in zip(signature.args[:2], arguments[:2], strict=True)
            ]
            count = arguments[2]
            wide = builder.sub(count, builder.srem(count, ir.Constant(count.type, WIDE)))
            sums = ir.Constant(ir.VectorType(ir.DoubleType(), WIDE), None)
            sums = _add_terms(builder, term, data, (ir.Constant(count.type, 0), wide), sums)
            sums = _add_terms(builder, term, data, (wide, count), _halve(builder, sums, NARROW))
            return builder.extract_element(_halve(builder, sums, 1), ir.IntType(32)(0))

        return types.float64(first, second, types.intp), generate

    return total


def _add_terms(
    builder: ir.IRBuilder,
    term: Term,
    data: Sequence[ir.Value],
    span: tuple[ir.Value, ir.Value],
    sums: ir.Value,
) -> ir.Value:
    """Add the terms of the entries from span[0] to span[1] to the partial sums."""
    lanes, index_type = sums.type.count, span[0].type
    held = cgutils.alloca_once_value(builder, sums)
    step = ir.Constant(index_type, lanes)
    with cgutils.for_range_slice(builder, *span, step, index_type) as (index, _):
        loaded = [_load(builder, pointer, index, lanes) for pointer in data]
        builder.store(builder.fadd(builder.load(held), term(builder, *loaded)), held)
    return builder.load(held)


def _load(builder: ir.IRBuilder, data: ir.Value, index: ir.Value, lanes: int) -> ir.Value:
    """A register of the entries from ``index`` on, which need not be aligned."""
    element = data.type.pointee
    register = ir.VectorType(element, lanes)
    loaded = builder.load(builder.bitcast(builder.gep(data, [index]), register.as_pointer()))
    loaded.align = element.width // 8 if isinstance(element, ir.IntType) else 8
    return loaded


def _halve(builder: ir.IRBuilder, sums: ir.Value, lanes: int) -> ir.Value:
    """Add the upper half of the partial sums to the lower until so many are left."""
    while (half := sums.type.count // 2) >= lanes:
        lower, upper = (
            builder.shuffle_vector(
                sums, sums, ir.Constant(ir.VectorType(ir.IntType(32), half), list(places))
            )
            for places in (range(half), range(half, 2 * half))
        )
        sums = builder.fadd(lower, upper)
    return sums


def _product(builder: ir.IRBuilder, x: ir.Value, y: ir.Value) -> ir.Value:
    return builder.fmul(x, y)


def _chosen(builder: ir.IRBuilder, mask: ir.Value, x: ir.Value) -> ir.Value:
    nothing = ir.Constant(mask.type, None)
    return builder.select(builder.icmp_unsigned("!=", mask, nothing), x, ir.Constant(x.type, None))


def _itself(builder: ir.IRBuilder, x: ir.Value, again: ir.Value) -> ir.Value:
    return x


_products, _chosen_entries, _entries = map(_sum_of, (_product, _chosen, _itself))


@njit(cache=True, nogil=True)
def dot(x: np.ndarray, y: np.ndarray) -> float:
    """Sum of the products of the entries of two float64 vectors (n,)."""
    whole = x.size - x.size % NARROW
    total = _products(x, y, whole)
    for i in range(whole, x.size):
        total += x[i] * y[i]
    return total


@njit(cache=True, nogil=True)
def sum_where(mask: np.ndarray, x: np.ndarray) -> float:
    """Sum of the entries of a float64 vector (n,) where the mask (n,) bool is true."""
    whole = x.size - x.size % NARROW
    total = _chosen_entries(mask, x, whole)
    for i in range(whole, x.size):
        total += x[i] if mask[i] else 0.0
    return total


@njit(cache=True, nogil=True)
def sum_of(x: np.ndarray) -> float:
    """Sum of the entries of a float64 vector (n,)."""
    whole = x.size - x.size % NARROW
    total = _entries(x, x, whole)
    for i in range(whole, x.size):
        total += x[i]
    return total
