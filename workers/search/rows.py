"""Memory of the search: a position is a row of 64-bit words.

The search reads only the HEADER, which all records share.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from service.rulesets.kernel import helper, record_dtype
from service.rulesets.ruleset import Position, Ruleset

Words = npt.NDArray[np.uint64]

# the root's position, the current one, one after a trial action; then the line of play of the endgame solver
ROOT_ROW, CURRENT_ROW, TRIAL_ROW, FIRST_STACK_ROW = range(4)
STACK_ROWS = 32  # rows of the line of play

_OFFSET = {name: int(field[1]) for name, field in (record_dtype([]).fields or {}).items()}  # in bytes
_STATUS, _SEATS, _SEAT, _SCORE = _OFFSET["status"], _OFFSET["seats"], _OFFSET["seat"], _OFFSET["score"]


def tables(ruleset: Ruleset) -> Words:
    """Return zeroed memory for positions of the ruleset: (rows, words of a record)."""
    return np.zeros((FIRST_STACK_ROW + STACK_ROWS, -(-ruleset.rules.dtype.itemsize // 8)), np.uint64)


def set_root(rows: Words, position: Position) -> None:
    """Copy a position into row ROOT_ROW."""
    content = np.frombuffer(position.to_bytes(), np.uint8)
    rows[ROOT_ROW].view(np.uint8)[: len(content)] = content


@helper
def address(rows: Words, row: int) -> int:
    """Return the address of a row."""
    return np.intp(rows.ctypes.data) + np.intp(row) * np.intp(rows.strides[0])  # type: ignore[return-value]


@helper
def copy(rows: Words, to: int, origin: int) -> None:
    """Copy row `origin` to row `to`."""
    for word in range(rows.shape[1]):
        rows[to, word] = rows[origin, word]


@helper
def _field(rows: Words, row: int, offset: int, mask: int) -> int:
    """Return the unsigned field at an offset in bytes. Reads a word, because a view of a row counts references."""
    return np.int64((rows[row, offset // 8] >> np.uint64(8 * (offset % 8))) & np.uint64(mask))  # type: ignore[return-value]


@helper
def status(rows: Words, row: int) -> int:
    """Return DECIDING, DRAWING or OVER."""
    return _field(rows, row, _STATUS, 0xFF)


@helper
def seat_to_decide(rows: Words, row: int) -> int:
    """Return the seat to decide; meaningless unless DECIDING."""
    return _field(rows, row, _SEAT, 0xFF)


@helper
def seats_of(rows: Words, row: int) -> int:
    """Return the number of seats."""
    return _field(rows, row, _SEATS, 0xFF)


@helper
def score_of(rows: Words, row: int, seat: int) -> int:
    """Return a seat's score, in points."""
    return (_field(rows, row, _SCORE + 2 * seat, 0xFFFF) ^ 0x8000) - 0x8000  # sign of an int16
