"""Web Push messages to the devices of players, sent by a dialer. `dispatch` schedules them.

A message is small: type, game, URL and a sentence in the device's language. A device is deleted when its push service
no longer knows it, or when its token is revoked, because the device may be lost.
"""

from __future__ import annotations

from typing import Any

import orjson

from service.outgoing import web_push
from service.rulesets.wire import Json
from service.storage.base.keys import id_from
from service.storage.notifications.webhooks import DeliveryKey
from service.usecases.base.context import Context
from service.usecases.base.i18n import push_text, title
from service.usecases.notifications import dispatch, push_key
from service.usecases.notifications.dispatch import Parcel

UNKNOWN_STATUSES = (404, 410)
TTL_S = 86_400
"""How long a push service keeps messages for an unreachable device."""
URGENT = ("your_turn", "challenge")
SUBJECTS = ("game", "challenge", "competition")


def take(context: Context, key: DeliveryKey) -> Parcel | None:
    """Return the message to send now, or None."""
    waiting = dispatch.load_waiting(context, key, context.devices)
    if waiting is None:
        return None
    delivery, device = waiting
    push: dict[str, Any] = device.push or {}
    player = context.players.get(key.player)
    if player is None or push["token"] not in {token.id for token in context.players.tokens(player)}:
        context.devices.delete(key.player, device.id)
        return None
    notice = orjson.loads(delivery.payload)
    settings = context.settings
    content = orjson.dumps(push_json(settings.base_url, notice, push["language"]))
    body = web_push.encrypt(content, push["p256dh"], push["auth"])
    unix_s = context.now_ms() // 1000
    headers = web_push.headers(push_key.private_key(context), settings.push_contact, device.url, unix_s)
    about = next((subject["id"] for name in SUBJECTS if (subject := notice["data"].get(name))), None)
    headers |= {
        "TTL": str(TTL_S),
        "Urgency": "high" if delivery.type in URGENT else "normal",
        "Topic": id_from(f"{delivery.type} {about}"),  # a newer message replaces a waiting one
    }
    return Parcel(key, len(delivery.attempts), device.url, headers, body)


def push_json(base_url: str, notice: Json, language: str) -> Json:
    """Return the content of the message. `notice`: the payload of a delivery."""
    data = notice["data"]
    game, competition = data.get("game"), data.get("competition")
    place = f"#/{game['id']}" if game else f"#/competition/{competition['id']}" if competition else ""
    return {
        "type": notice["type"],
        "game_id": None if game is None else game["id"],
        "url": f"{base_url}/play{place}",
        "title": title((game or data.get("challenge") or competition or {}).get("ruleset"), language),
        "text": push_text(notice["type"], data, language),
        "language": language,
    }


def report(context: Context, parcel: Parcel, error: str | None, status: int | None, took_ms: int) -> None:
    """Record the result of sending. Delete a device that its push service does not know, or that only fails."""
    if status in UNKNOWN_STATUSES:
        context.devices.delete(parcel.key.player, parcel.key.webhook)
        return
    device = dispatch.record_attempt(context, parcel, error, status, took_ms, context.devices)
    if device is not None and not device.enabled:  # too many failures
        context.devices.delete(parcel.key.player, device.id)
