"""The arithmetic of network.py as machine code: a layer's UNITS numbers as one vector, which stays in registers.

Numba unrolls a loop over so few numbers before LLVM looks for what could be computed side by side, and does them one
by one. Each function here stands for the one of the same name there, and computes in the same order.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from service.rulesets.networks.network import UNITS

_VECTOR = ir.VectorType(ir.FloatType(), UNITS)
_ALIGNMENT = 4  # bytes: of one number


class _Vectors:
    """Vectors in the function that is being generated."""

    def __init__(self, context: Any, builder: Any) -> None:
        self.context, self.builder = context, builder

    def _at(self, array: Any, kind: Any, index: Any) -> Any:
        assert kind.dtype == types.float32 and kind.layout == "C"  # noqa: S101, PT018 - else these are other numbers
        data = self.context.make_array(kind)(self.context, self.builder, array).data
        return self.builder.bitcast(self.builder.gep(data, [index]), _VECTOR.as_pointer())

    def load(self, array: Any, kind: Any, index: Any) -> Any:
        """The numbers of an array that begin at an index, counted through all its axes."""
        return self.builder.load(self._at(array, kind, index), align=_ALIGNMENT)

    def store(self, vector: Any, array: Any, kind: Any, index: Any) -> None:
        """Put them there."""
        self.builder.store(vector, self._at(array, kind, index), align=_ALIGNMENT)

    def row(self, table: Any, kind: Any, row: Any) -> Any:
        """A row of a table."""
        return self.load(table, kind, self.builder.mul(row, row.type(UNITS)))

    def above_zero(self, vector: Any) -> Any:
        """0 in the place of what is below."""
        zero = _VECTOR([0.0] * UNITS)
        return self.builder.select(self.builder.fcmp_ordered(">", vector, zero), vector, zero)

    def all_of(self, number: Any) -> Any:
        """A vector of one number."""
        single = self.builder.insert_element(_VECTOR(ir.Undefined), number, ir.IntType(32)(0))
        return self._shuffled(single, single, [0] * UNITS)

    def sum(self, vector: Any) -> Any:
        """Of its numbers: the first half and the second are added, and so on."""
        width = UNITS
        while width > 1:
            width //= 2
            low, high = (self._shuffled(vector, vector, range(k, k + width)) for k in (0, width))
            vector = self.builder.fadd(low, high)
        return self.builder.extract_element(vector, ir.IntType(32)(0))

    def _shuffled(self, one: Any, other: Any, order: Any) -> Any:
        mask = ir.Constant(ir.VectorType(ir.IntType(32), len(order)), list(order))
        return self.builder.shuffle_vector(one, other, mask)


def _made(result: Any, generate: Callable[..., Any], *arguments: Any) -> Any:
    """What an intrinsic returns; `generate` gets vectors, the arguments, and their types."""

    def code(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        made = generate(_Vectors(context, builder), values, signature.args)
        return context.get_dummy_value() if made is None else made

    return result(*arguments), code


@intrinsic
def add_rows(_: Any, start: Any, table: Any, features: Any, _count: Any, out: Any, _first: Any) -> Any:
    """See network.add_rows."""

    def generate(vectors: _Vectors, values: Any, kinds: Any) -> None:
        start, table, features, count, out, first = values
        builder, nought = vectors.builder, ir.IntType(64)(0)
        begun = vectors.load(start, kinds[0], nought)
        total = cgutils.alloca_once_value(builder, begun)  # type: ignore[no-untyped-call]  # numba ships half its types
        numbers = vectors.context.make_array(kinds[2])(vectors.context, builder, features).data
        with cgutils.for_range(builder, count) as loop:
            feature = builder.load(builder.gep(numbers, [loop.index]))
            builder.store(builder.fadd(builder.load(total), vectors.row(table, kinds[1], feature)), total)
        vectors.store(builder.load(total), out, kinds[4], first)

    return _made(types.void, generate, start, table, features, types.int64, out, types.int64)


@intrinsic
def weighed(_: Any, hidden: Any, _first: Any, last: Any) -> Any:
    """See network.weighed."""

    def generate(vectors: _Vectors, values: Any, kinds: Any) -> Any:
        hidden, first, last = values
        units = vectors.above_zero(vectors.load(hidden, kinds[0], first))
        weights = vectors.load(last, kinds[2], ir.IntType(64)(0))
        return vectors.builder.fpext(vectors.sum(vectors.builder.fmul(units, weights)), ir.DoubleType())

    return _made(types.float64, generate, hidden, types.int64, last)


@intrinsic
def second_layer(_: Any, hidden: Any, second: Any) -> Any:
    """See network.second_layer."""

    def generate(vectors: _Vectors, values: Any, kinds: Any) -> None:
        hidden, second = values
        builder, index = vectors.builder, ir.IntType(64)
        units = vectors.above_zero(vectors.load(hidden, kinds[0], index(0)))
        total = vectors.row(second, kinds[1], index(UNITS))
        for unit in range(UNITS):
            factor = vectors.all_of(builder.extract_element(units, ir.IntType(32)(unit)))
            total = builder.fadd(total, builder.fmul(factor, vectors.row(second, kinds[1], index(unit))))
        vectors.store(total, hidden, kinds[0], index(UNITS))

    return _made(types.void, generate, hidden, second)
