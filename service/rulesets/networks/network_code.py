"""Vector code for the layers of network.py: the UNITS numbers of a layer are one vector, which stays in registers.

Written as loops, the layers make a search of Summer Pavilion 15 % slower. Each intrinsic replaces the function of the
same name in network.py, and adds in the same order.
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
_ALIGNMENT = 4  # bytes, of one number
_INT64 = ir.IntType(64)


def _generates(result: Any) -> Callable[[Callable[..., Any]], Any]:
    """Decorate a code generator as an intrinsic. It gets a builder, the address of each array, and integers."""

    def decorate(generate: Callable[..., Any]) -> Any:
        def code(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            operands = [
                value if kind == types.int64 else context.make_array(kind)(context, builder, value).data
                for kind, value in zip(signature.args, values, strict=True)
            ]
            result_value = generate(builder, *operands)
            return context.get_dummy_value() if result_value is None else result_value

        @functools.wraps(generate)  # Numba reads the parameters
        def infer_type(_context: Any, *arguments: Any) -> Any:
            kinds: list[Any] = [kind if isinstance(kind, types.Array) else types.int64 for kind in arguments]
            assert all(kind == types.int64 or kind.layout == "C" for kind in kinds)  # noqa: S101 - indices are flat
            return result(*kinds), code

        return intrinsic(infer_type)

    return decorate


def _vector_pointer(builder: Any, data: Any, index: Any) -> Any:
    assert data.type.pointee == ir.FloatType()  # noqa: S101 - other types would be misread
    return builder.bitcast(builder.gep(data, [index]), _VECTOR.as_pointer())


def _load(builder: Any, data: Any, index: Any) -> Any:
    """Return the vector at a flat index of an array."""
    return builder.load(_vector_pointer(builder, data, index), align=_ALIGNMENT)


def _relu(builder: Any, vector: Any) -> Any:
    """Return the vector with 0 in place of negative numbers."""
    zero = _VECTOR([0.0] * UNITS)
    return builder.select(builder.fcmp_ordered(">", vector, zero), vector, zero)


def _shuffle(builder: Any, vector: Any, order: Sequence[int]) -> Any:
    return builder.shuffle_vector(vector, vector, ir.Constant(ir.VectorType(ir.IntType(32), len(order)), list(order)))


@_generates(types.void)
def add_rows(builder: Any, start: Any, table: Any, features: Any, count: Any, out: Any, first: Any) -> None:
    """Generate `network.add_rows`."""
    total = cgutils.alloca_once_value(builder, _load(builder, start, _INT64(0)))  # type: ignore[no-untyped-call]
    with cgutils.for_range(builder, count) as loop:
        feature = builder.load(builder.gep(features, [loop.index]))
        row = _load(builder, table, builder.mul(feature, _INT64(UNITS)))
        builder.store(builder.fadd(builder.load(total), row), total)
    builder.store(builder.load(total), _vector_pointer(builder, out, first), align=_ALIGNMENT)


@_generates(types.float64)
def layer_output(builder: Any, hidden: Any, first: Any, last: Any) -> Any:
    """Generate `network.layer_output`."""
    terms = builder.fmul(_relu(builder, _load(builder, hidden, first)), _load(builder, last, _INT64(0)))
    while (width := terms.type.count // 2) > 0:
        low, high = (_shuffle(builder, terms, range(k, k + width)) for k in (0, width))
        terms = builder.fadd(low, high)
    return builder.fpext(builder.extract_element(terms, ir.IntType(32)(0)), ir.DoubleType())


@_generates(types.void)
def second_layer(builder: Any, hidden: Any, second: Any) -> None:
    """Generate `network.second_layer`."""
    units = _relu(builder, _load(builder, hidden, _INT64(0)))
    total = _load(builder, second, _INT64(UNITS * UNITS))
    for unit in range(UNITS):
        factor = _shuffle(builder, units, [unit] * UNITS)
        total = builder.fadd(total, builder.fmul(factor, _load(builder, second, _INT64(unit * UNITS))))
    builder.store(total, _vector_pointer(builder, hidden, _INT64(UNITS)), align=_ALIGNMENT)
