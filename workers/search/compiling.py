"""How Numba compiles the search: what the names in the signatures of its entries are to it.

Nothing else in this package imports Numba, and nothing imports this but `workers.warm`.
"""

from __future__ import annotations

from typing import Any

import numba
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from service.rulesets import compiler
from service.rulesets.kernel import SIGNATURES, record_dtype
from workers.search import endgame, playouts, tree_memory
from workers.search.parameters import Parameters
from workers.search.record_abi import ENTRIES, RulesByAddress, object_path

_INTS, _FLOATS = types.int64[::1], types.float64[::1]
_NUMBA_HEADER = numba.from_dtype(record_dtype([]))


def _tuple(members: list[Any], of: type) -> Any:
    return types.NamedTuple(members, of)  # type: ignore[no-untyped-call]  # numba ships half its types


TYPES = {
    "Rules": _tuple(
        [types.FunctionType(compiler.signature(SIGNATURES[name], game=types.intp)) for name in RulesByAddress._fields],
        RulesByAddress,
    ),
    "Scratch": _tuple(
        [
            types.uint64[:, ::1],
            *(_INTS, _FLOATS, _INTS),
            *(_FLOATS, _FLOATS, _FLOATS, _INTS),
            *(types.uint64[::1], _INTS, types.float32[::1], _INTS),
        ],
        playouts.Scratch,
    ),
    "Tree": _tuple([numba.from_dtype(tree_memory.NODE)[::1], types.int32[::1]], tree_memory.Tree),
    "Stack": _tuple(
        [types.int64[:, ::1], _INTS, _INTS, _INTS, types.float64[:, ::1], _FLOATS, _FLOATS, _INTS], endgame.Stack
    ),
    "Parameters": _tuple(
        [types.float64 if isinstance(default, float) else types.int64 for default in Parameters()], Parameters
    ),
}
"""In the order of the fields of each."""


@intrinsic
def header(_context: Any, address: Any) -> Any:
    """The HEADER at an address."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], context.get_value_type(signature.return_type))

    return _NUMBA_HEADER(address), generate


def _atomic(operation: str) -> Any:
    """(signature, code) of an intrinsic that changes the int32 at an address, and returns what it was."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        place = builder.inttoptr(arguments[0], ir.IntType(32).as_pointer())
        return builder.atomic_rmw(operation, place, arguments[1], "seq_cst")

    return types.int32(types.intp, types.int32), generate


@intrinsic
def fetch_add(_context: Any, _address: Any, _count: Any) -> Any:
    """See atomics.py."""
    return _atomic("add")


@intrinsic
def exchange(_context: Any, _address: Any, _value: Any) -> Any:
    """See atomics.py."""
    return _atomic("xchg")


def compile_search() -> None:
    """Compile the search, and keep the object."""
    functions = {
        name: (entry.function, compiler.signature(entry.signature, **TYPES)) for name, entry in ENTRIES.items()
    }
    compiler.keep(object_path(), compiler.compile_all("search", functions))
