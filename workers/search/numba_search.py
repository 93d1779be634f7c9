"""Compiles the search with Numba. Nothing else in this package imports Numba, and only `workers.warm` imports this."""

from __future__ import annotations

from typing import Any

import numba
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from service.rulesets.compiler import compile_entries, signature
from service.rulesets.kernel import SIGNATURES, generator
from service.rulesets.registry import RULESETS
from workers.search import endgame, playouts, simulation, tree_memory  # noqa: F401 - each has entries
from workers.search.parameters import Parameters
from workers.search.record_abi import ENTRIES, LIBRARY, RulesByAddress


def _atomic(operation: str) -> Any:
    """Return an intrinsic that changes the int32 at an address and returns its previous value. Numba has none."""

    @intrinsic
    def change(_context: Any, _address: Any, _value: Any) -> Any:
        def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            place = builder.inttoptr(arguments[0], ir.IntType(32).as_pointer())
            return builder.atomic_rmw(operation, place, arguments[1], "seq_cst")

        return types.int32(types.intp, types.int32), generate

    return change


fetch_add, exchange = _atomic("add"), _atomic("xchg")


def argument_types() -> dict[str, Any]:
    """Return Numba's types by the names that entries use. They are the same for every ruleset."""
    rules = [types.FunctionType(signature(SIGNATURES[name], game=types.intp)) for name in RulesByAddress._fields]
    typeof: Any = numba.typeof
    return {
        "Rules": types.NamedTuple(rules, RulesByAddress),
        "Scratch": typeof(playouts.new_scratch(next(iter(RULESETS.values())), generator(bytes(range(32))))),
        "Tree": typeof(tree_memory.new_tree()),
        "Stack": typeof(endgame.new_stack()),
        "Parameters": typeof(Parameters()),
    }


def compile_search() -> None:
    """Compile the search and save the object."""
    compile_entries(LIBRARY, ENTRIES, **argument_types())
