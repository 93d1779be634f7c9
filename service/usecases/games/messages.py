"""Stored form of chat messages."""

from __future__ import annotations

from collections.abc import Collection

import orjson

from service.rulesets.wire import Json


def serialize(message: Json, player_id: str | None) -> bytes:
    """Return a message for storage, with the id of its sender."""
    return orjson.dumps({**message, "player": player_id})


def message_json(number: int, content: bytes) -> Json:
    """Return a stored message in the API's form: with its seat but without the player's id."""
    message = orjson.loads(content)
    members = {name: message[name] for name in ("seat", "text", "at")}
    return {"number": number, **members, "deletes": message.get("deletes")}


def is_from(content: bytes, player_id: str, seats: Collection[int]) -> bool:
    """Return whether the player sent the message. Older messages contain no player, so their seat is compared."""
    message = orjson.loads(content)
    return message["player"] == player_id if "player" in message else message["seat"] in seats
