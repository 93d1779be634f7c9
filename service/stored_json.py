"""JSON objects in Redis that other versions have written, or that are damaged.

Older versions store fewer members of a JSON object than this version, and newer ones more, which are ignored. A newer
version that stores something which older ones must not ignore adds a `version` above VERSION to the object.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

VERSION = 1
"""The version of the objects that this code writes. It is not stored."""
DAMAGE = (ValueError, TypeError, LookupError, AttributeError)
"""What reading a damaged record raises."""


class UnreadableRecordError(Exception):
    """A record is damaged, or a newer version has written it. Nothing was changed."""


class NewerRecordError(UnreadableRecordError):
    """A newer version has written a record that this version must not read."""


def select_known(kind: type[Any], members: Mapping[str, Any]) -> dict[str, Any]:
    """Return the members that are fields of a dataclass. Raises NewerRecordError."""
    must_be_readable(members)
    return {name: value for name, value in members.items() if name in kind.__dataclass_fields__}


def must_be_readable(members: Mapping[str, Any]) -> None:
    """Raise NewerRecordError if this version must not read the object."""
    if members.get("version", VERSION) > VERSION:
        raise NewerRecordError(f"a newer version has written version {members['version']}")
