"""How compiled code that knows no ruleset plays by any ruleset's rules.

A position is a row of 64-bit words; a rule is a C function that gets the row's address (`Rules.by_address`). Only the
HEADER, common to all records, is ever looked into. So the types of the search's arguments are the same for every
ruleset, and Numba compiles it once. This needs compiled code: with NUMBA_DISABLE_JIT=1 the search cannot run.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar, cast

import numba
import numpy as np
import numpy.typing as npt
from numba import njit, types
from numba.extending import intrinsic

from service.rulesets import compiled
from service.rulesets.kernel import SIGNATURES_BY_ADDRESS, Rules, helper, record_dtype
from service.rulesets.ruleset import Position, Ruleset

Function = TypeVar("Function", bound=Callable[..., Any])
Words = npt.NDArray[np.uint64]

# rows of the memory that search works in: where it begins, where it is, what it only looks at; and a line of play
ROOT_ROW, CURRENT_ROW, TRIAL_ROW, FIRST_STACK_ROW = range(4)
STACK_ROWS = 32  # rows of that line

INT_ARRAY, FLOAT_ARRAY = types.int64[::1], types.float64[::1]  # types of contiguous arrays
_HEADER_TYPE = numba.from_dtype(record_dtype([]))


class RulesByAddress(NamedTuple):
    """A ruleset's rules, each taking an address (intp) where it took a record. Fields are the kernel's names."""

    candidates: Any
    check_listed: Any
    random_action: Any
    apply: Any
    sample: Any
    resolve_draw: Any
    outcome: Any
    estimate: Any


RULES_TYPE: Any = types.NamedTuple(  # type: ignore[no-untyped-call]  # numba ships half its types
    [types.FunctionType(SIGNATURES_BY_ADDRESS[name]) for name in RulesByAddress._fields], RulesByAddress
)


@functools.cache
def _by_address(rules: Rules) -> RulesByAddress:
    return RulesByAddress(*(rules.by_address(name) for name in RulesByAddress._fields))


def rules_by_address(ruleset: Ruleset) -> RulesByAddress:
    """The ruleset's rules as search takes them."""
    return _by_address(ruleset.rules)


def tables(ruleset: Ruleset) -> Words:
    """Zeroed memory for positions of the ruleset: (rows, words of a record)."""
    return np.zeros((FIRST_STACK_ROW + STACK_ROWS, -(-ruleset.rules.dtype.itemsize // 8)), np.uint64)


def set_root(rows: Words, position: Position) -> None:
    """Lay a position into row ROOT."""
    content = np.frombuffer(position.to_bytes(), np.uint8)
    rows[ROOT_ROW].view(np.uint8)[: len(content)] = content


def compiled_once(signature: Any) -> Callable[[Function], Function]:
    """Compile an entry to the search, with a line of progress when this machine does so for the first time."""

    def decorate(function: Function) -> Function:
        began = time.monotonic()
        entry = njit(signature, cache=True, nogil=True)(function)
        stats = getattr(entry, "stats", None)  # None: Numba is switched off
        if stats is not None and stats.cache_misses:
            compiled.PROGRESS.report("the search", function.__name__, time.monotonic() - began)
        return cast("Function", entry)

    return decorate


@intrinsic
def header(_context: Any, address: Any) -> Any:
    """The HEADER at an address."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], context.get_value_type(signature.return_type))

    return _HEADER_TYPE(address), generate


@helper
def address(rows: Words, row: int) -> int:
    """Where a row stands in memory."""
    return np.intp(rows.ctypes.data) + np.intp(row) * rows.strides[0]  # type: ignore[return-value]


@helper
def copy(rows: Words, to: int, origin: int) -> None:
    """Lay row `origin` over row `to`."""
    for word in range(rows.shape[1]):
        rows[to, word] = rows[origin, word]


@helper
def status(rows: Words, row: int) -> int:
    """DECIDING, DRAWING or OVER."""
    return header(address(rows, row)).status  # type: ignore[call-arg]


@helper
def seat_to_decide(rows: Words, row: int) -> int:
    """The seat, while DECIDING."""
    return np.int64(header(address(rows, row)).seat)  # type: ignore[call-arg,return-value]


@helper
def seats_of(rows: Words, row: int) -> int:
    """Number of seats."""
    return np.int64(header(address(rows, row)).seats)  # type: ignore[call-arg,return-value]
