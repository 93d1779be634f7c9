"""Entries of the audit log. The stores add them to the transactions of acts, and `Moderation` reads them."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import NamedTuple

import orjson

from service.storage.base.bucket_keys import BucketKeys
from service.storage.base.transactions import Transaction


class Actor(NamedTuple):
    """A member of staff in the log, or the operator. The name stays after the member is deleted."""

    id: str
    name: str | None


OPERATOR = Actor("operator", None)


@dataclass(frozen=True)
class LogEntry:
    """An entry of the audit log. `object_type`, `object_id`: what the act changed; `id`: empty before it is stored."""

    actor: Actor
    act: str
    object_type: str
    object_id: str
    reason: str | None = None
    id: str = ""

    @property
    def at_ms(self) -> int:
        """Unix ms of the act."""
        return int(self.id.partition("-")[0])

    def add_to(self, change: Transaction, bucket: BucketKeys) -> None:
        """Add the entry to a transaction in this bucket."""
        content = orjson.dumps({**asdict(self), "actor": [*self.actor]})
        change.run("XADD", bucket.audit_log, "*", "e", content)
