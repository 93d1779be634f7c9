"""The memory in which the search plays: a position is a row of 64-bit words.

Only the HEADER, common to all records, is ever looked into.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from service.rulesets.kernel import compiled_as, helper, record_dtype
from service.rulesets.ruleset import Position, Ruleset
from workers.search.record_abi import record_at

Words = npt.NDArray[np.uint64]

# rows: where the search begins, where it is, what it only looks at; and a line of play
ROOT_ROW, CURRENT_ROW, TRIAL_ROW, FIRST_STACK_ROW = range(4)
STACK_ROWS = 32  # rows of that line

_HEADER = record_dtype([])


def tables(ruleset: Ruleset) -> Words:
    """Zeroed memory for positions of the ruleset: (rows, words of a record)."""
    return np.zeros((FIRST_STACK_ROW + STACK_ROWS, -(-ruleset.rules.dtype.itemsize // 8)), np.uint64)


def set_root(rows: Words, position: Position) -> None:
    """Lay a position into row ROOT."""
    content = np.frombuffer(position.to_bytes(), np.uint8)
    rows[ROOT_ROW].view(np.uint8)[: len(content)] = content


@compiled_as("workers.search.numba_search:header")
def header(address: int) -> Any:
    """The HEADER at an address."""
    return record_at(address, _HEADER)


@helper
def address(rows: Words, row: int) -> int:
    """Return the address of a row."""
    return np.intp(rows.ctypes.data) + np.intp(row) * np.intp(rows.strides[0])  # type: ignore[return-value]


@helper
def copy(rows: Words, to: int, origin: int) -> None:
    """Lay row `origin` over row `to`."""
    for word in range(rows.shape[1]):
        rows[to, word] = rows[origin, word]


@helper
def status(rows: Words, row: int) -> int:
    """DECIDING, DRAWING or OVER."""
    return header(address(rows, row)).status  # type: ignore[no-any-return]


@helper
def seat_to_decide(rows: Words, row: int) -> int:
    """The seat, while DECIDING."""
    return np.int64(header(address(rows, row)).seat)  # type: ignore[return-value]


@helper
def seats_of(rows: Words, row: int) -> int:
    """Number of seats."""
    return np.int64(header(address(rows, row)).seats)  # type: ignore[return-value]
