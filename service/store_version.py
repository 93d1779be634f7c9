"""Version of the store: of all that processes share in Redis.

Most changes need no new version, because records have their own (`service.stored_json`), rulesets theirs, and versions
ignore what they do not know. Increase STORE_VERSION if older processes must not use a store that this version has
written: after a change of keys, of the layout of a game, or of the meaning of a value. This version must still read the
older layout. Describe the change in docs/operations/upgrade.md.
"""

from __future__ import annotations

from typing import Any

STORE_VERSION = 1
KEY = "{b00}:store_version"
"""STRING: the highest STORE_VERSION of the keepers so far; missing in stores older than the first keeper."""
READABLE = (None, *(str(version).encode() for version in range(1, STORE_VERSION + 1)))
"""Values of KEY with which this version can use the store."""


def describe_newer(stored: Any) -> str:
    """Return a sentence about a store that this version cannot use. `stored`: the value of KEY."""
    version = stored.decode(errors="replace")
    return (
        f"a newer version of the service has changed the store: its version is {version}, and "
        f"this service uses versions up to {STORE_VERSION}. Start the newer version, or restore a backup"
    )
