"""Changes of memory that several threads share, each as one step: no other thread comes in between.

They are in order, too: whoever sees one sees all that its thread has written before.
"""

from __future__ import annotations

import ctypes
import threading

from service.rulesets.kernel import compiled_as

_one_at_a_time = threading.Lock()  # where nothing is compiled


@compiled_as("workers.search.numba_search:fetch_add")
def fetch_add(address: int, count: int) -> int:
    """Add to the int32 at an address: what it was before."""
    with _one_at_a_time:
        field = ctypes.c_int32.from_address(int(address))
        before = field.value
        field.value = before + int(count)
    return before


@compiled_as("workers.search.numba_search:exchange")
def exchange(address: int, value: int) -> int:
    """Write the int32 at an address: what it was before."""
    with _one_at_a_time:
        field = ctypes.c_int32.from_address(int(address))
        before = field.value
        field.value = int(value)
    return before
