"""Faults with which the service still runs, for `/readyz` and the metrics."""

from __future__ import annotations

from service.operate.setting_warnings import MCP_MISSING, MISSPELT_SETTING, setting_warnings
from service.storage.work import store_metrics
from service.storage.work.queue import ARCHIVE
from service.usecases.base.context import Context

ARCHIVE_UNREACHABLE, EVICTION_POLICY = "archive_unreachable", "eviction_policy"
WARNINGS = (ARCHIVE_UNREACHABLE, EVICTION_POLICY, MISSPELT_SETTING, MCP_MISSING)


def service_warnings(context: Context) -> tuple[str, ...]:
    """Return the codes of the current faults, a part of `WARNINGS`. Skips servers that are unavailable."""
    is_cut_off = context.archive is not None and not context.queue.count_living(ARCHIVE)
    clients = dict(enumerate((context.store.redis, *context.queue.servers)))
    servers = store_metrics.servers({str(number): client for number, client in clients.items()})
    evicts = any(server.evicts for server in servers.values() if server is not None)
    found = {ARCHIVE_UNREACHABLE: is_cut_off, EVICTION_POLICY: evicts}
    return (*(code for code, is_found in found.items() if is_found), *setting_warnings(context.settings))
