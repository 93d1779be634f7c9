"""The arithmetic of network.py as machine code: a layer's UNITS numbers as one vector, which stays in registers.

Numba unrolls a loop over so few numbers before LLVM looks for what could be computed side by side, and does them one
by one. Each intrinsic here stands for the function of the same name there, and computes in the same order.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from service.rulesets.networks.network import UNITS

_VECTOR = ir.VectorType(ir.FloatType(), UNITS)
_ALIGNMENT = 4  # bytes: of one number
_INT64 = ir.IntType(64)


def _generating(result: Any) -> Callable[[Callable[..., Any]], Any]:
    """Make an intrinsic of a function that generates code: from a builder, where each array begins, and integers."""

    def decorate(generate: Callable[..., Any]) -> Any:
        def code(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            places = [
                value if kind == types.int64 else context.make_array(kind)(context, builder, value).data
                for kind, value in zip(signature.args, values, strict=True)
            ]
            made = generate(builder, *places)
            return context.get_dummy_value() if made is None else made

        @functools.wraps(generate)  # with its parameters
        def typed(_context: Any, *arguments: Any) -> Any:
            kinds: list[Any] = [kind if isinstance(kind, types.Array) else types.int64 for kind in arguments]
            assert all(kind == types.int64 or kind.layout == "C" for kind in kinds)  # noqa: S101 - indexes count through all axes
            return result(*kinds), code

        return intrinsic(typed)

    return decorate


def _at(builder: Any, data: Any, index: Any) -> Any:
    assert data.type.pointee == ir.FloatType()  # noqa: S101 - a vector of other numbers would be misread
    return builder.bitcast(builder.gep(data, [index]), _VECTOR.as_pointer())


def _load(builder: Any, data: Any, index: Any) -> Any:
    """The numbers from an index on, counted through all axes of their array."""
    return builder.load(_at(builder, data, index), align=_ALIGNMENT)


def _above_zero(builder: Any, vector: Any) -> Any:
    """0 in the place of what is below."""
    zero = _VECTOR([0.0] * UNITS)
    return builder.select(builder.fcmp_ordered(">", vector, zero), vector, zero)


def _picked(builder: Any, vector: Any, order: Sequence[int]) -> Any:
    return builder.shuffle_vector(vector, vector, ir.Constant(ir.VectorType(ir.IntType(32), len(order)), list(order)))


@_generating(types.void)
def add_rows(builder: Any, start: Any, table: Any, features: Any, count: Any, out: Any, first: Any) -> None:
    """See network.add_rows."""
    total = cgutils.alloca_once_value(builder, _load(builder, start, _INT64(0)))  # type: ignore[no-untyped-call]
    with cgutils.for_range(builder, count) as loop:
        feature = builder.load(builder.gep(features, [loop.index]))
        row = _load(builder, table, builder.mul(feature, _INT64(UNITS)))
        builder.store(builder.fadd(builder.load(total), row), total)
    builder.store(builder.load(total), _at(builder, out, first), align=_ALIGNMENT)


@_generating(types.float64)
def weighed(builder: Any, hidden: Any, first: Any, last: Any) -> Any:
    """See network.weighed."""
    terms = builder.fmul(_above_zero(builder, _load(builder, hidden, first)), _load(builder, last, _INT64(0)))
    while (width := terms.type.count // 2) > 0:
        low, high = (_picked(builder, terms, range(k, k + width)) for k in (0, width))
        terms = builder.fadd(low, high)
    return builder.fpext(builder.extract_element(terms, ir.IntType(32)(0)), ir.DoubleType())


@_generating(types.void)
def second_layer(builder: Any, hidden: Any, second: Any) -> None:
    """See network.second_layer."""
    units = _above_zero(builder, _load(builder, hidden, _INT64(0)))
    total = _load(builder, second, _INT64(UNITS * UNITS))
    for unit in range(UNITS):
        factor = _picked(builder, units, [unit] * UNITS)
        total = builder.fadd(total, builder.fmul(factor, _load(builder, second, _INT64(unit * UNITS))))
    builder.store(total, _at(builder, hidden, _INT64(UNITS)), align=_ALIGNMENT)
