"""Schemas of the state of the service, its processes and settings, for admins."""

from __future__ import annotations

from service.web.api import Schema
from service.web.schemas.base.fields import array, choice, flag, instant, integer, number, text
from service.web.schemas.base.names import WARNING


class LivingProcesses(Schema):
    """The processes of a kind that are alive and take jobs."""

    kind = text("Kind of process: `keeper`, `worker`, `background` or `dialer`.")
    count = integer()


class WorkingProcess(Schema):
    """A process that takes jobs."""

    name = text()
    kind = text("Kind of process: `worker`, `background` or `dialer`.")
    drained = flag("Whether it takes no further jobs. Follows an act within seconds.")


class WaitingWork(Schema):
    """A queue, or a kind of due work."""

    name = text()
    count = integer("Number of entries that wait.")
    oldest_s = number("How long the first entry has waited, in seconds.")


class RedisServer(Schema):
    """A Redis server. All figures of a server that does not respond are null."""

    name = text("`games`, or `queue` and a number.")
    ping_s = number("Duration of a ping, in seconds.", allow_none=True)
    used_bytes = integer("Memory in use; null if the server does not report it.", allow_none=True)
    most_bytes = integer("Limit of the memory; 0 for none.", allow_none=True)
    evicts = flag("Whether a full server deletes keys.", allow_none=True)


class LateGame(Schema):
    """A game whose AI has been due for more than five seconds."""

    id = text()
    ruleset = text()
    variant = text()
    updated_at = instant()


class DisabledWebhook(Schema):
    """A webhook that is disabled."""

    player = text("Id of the player.")
    url = text()
    reason = text("Why the service disabled it; null if the player did.", allow_none=True)


class ServiceState(Schema):
    """State of the service."""

    stored_games = integer("Number of games in Redis.")
    living = array(LivingProcesses)
    processes = array(WorkingProcess)
    queues = array(WaitingWork, "Jobs that wait for a worker.")
    due = array(WaitingWork, "Work that waits for a keeper.")
    servers = array(RedisServer)
    late_games = array(LateGame, "At most 50.")
    disabled_webhooks = array(DisabledWebhook, "At most 50.")
    warnings = array(choice(WARNING), "Faults with which the service still runs.")


class SettingValue(Schema):
    """A setting."""

    name = text()
    value = text("The value as text; `***` for a secret.")
    meaning = text()


class SettingList(Schema):
    """The settings of the process that responds."""

    settings = array(SettingValue)
