"""What a stored message tells: to those who read it, and of who said it."""

from __future__ import annotations

from collections.abc import Collection

import orjson

from service.rulesets.wire import Json


def stored(message: Json, player_id: str | None) -> bytes:
    """A message as it is stored, with the player who said it."""
    return orjson.dumps({**message, "player": player_id})


def message_json(number: int, content: bytes) -> Json:
    """A stored message as it is told: by a seat."""
    message = orjson.loads(content)
    return {"number": number, **{name: message[name] for name in ("seat", "text", "at")}}


def is_of(content: bytes, player_id: str, seats: Collection[int]) -> bool:
    """Whether a stored message is the player's; an older one tells no player: whether it is of one of these seats."""
    message = orjson.loads(content)
    return message["player"] == player_id if "player" in message else message["seat"] in seats
