"""Atomic operations on memory that several threads share.

They are sequentially consistent: a thread that reads a new value also reads everything written before it.
"""

from __future__ import annotations

import ctypes
import threading

from service.rulesets.kernel import compiled_as

_lock = threading.Lock()  # for plain Python


@compiled_as(f"{__package__}.numba_search:fetch_add")
def fetch_add(address: int, count: int) -> int:
    """Add to the int32 at an address and return its previous value."""
    with _lock:
        field = ctypes.c_int32.from_address(int(address))
        before = field.value
        field.value = before + int(count)
    return before


@compiled_as(f"{__package__}.numba_search:exchange")
def exchange(address: int, value: int) -> int:
    """Replace the int32 at an address and return its previous value."""
    with _lock:
        field = ctypes.c_int32.from_address(int(address))
        before = field.value
        field.value = int(value)
    return before
