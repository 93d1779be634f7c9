"""Request bodies with one fault each."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

Faults = dict[str, list[Any]]
"""Wrong values by pointer."""
MISSING = object()
"""Value that removes the member."""


def wrong_bodies(body: Any, faults: Faults) -> Iterator[tuple[str, Any]]:
    """Yield each pointer with a copy of the valid body that has one of these wrong values there."""
    for pointer, values in faults.items():
        *path, last = pointer.split("/")[1:]
        for value in values:
            changed = deepcopy(body)
            place = changed
            for name in path:
                place = place[_key(place, name)]
            if value is MISSING:
                del place[last]
            else:
                place[_key(place, last)] = value
            yield pointer, changed


def _key(place: Any, name: str) -> int | str:
    return int(name) if isinstance(place, list) else name
