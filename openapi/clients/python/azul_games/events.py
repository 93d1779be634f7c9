"""Follow the stream of a game across broken connections.

After a broken connection, the stream resumes after the last complete event, so no event is repeated or lost.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import httpx

from azul_games.errors import ServiceError
from azul_games.transport import pause_s
from azul_games_client.models import Game as View

NDJSON = "application/x-ndjson"
RESTART_CODES = {"game/rebased", "game/revision_not_found"}
"""Errors for a cursor that is no longer valid, after a change of the rules or a restored backup."""
OVER = {"finished", "aborted"}
"""Statuses of games without further events."""


@dataclass(frozen=True)
class Event:
    """An event and the game after it, or with the kind `snapshot` the current game at the start of a stream.

    `data`: the complete event in JSON, with `action`, `draw` and `effects` as in the document.
    """

    kind: str
    revision: int
    game: View
    data: dict[str, Any]

    @property
    def seat(self) -> int | None:
        """The seat that caused the event, or None."""
        return self.data.get("seat")

    @property
    def text(self) -> str:
        """The sentence for people."""
        return str(self.data.get("text", ""))


def follow(http: httpx.Client, game_id: str, after: int | None = None) -> Iterator[Event]:
    """Yield a snapshot if `after` is None, then each event until the game is over.

    Raise ServiceError or httpx.TransportError if the stream cannot be reopened.
    """
    empty_connections = 0
    while True:
        try:
            for event in _connection(http, game_id, after):
                if event is None:
                    return
                after, empty_connections = event.revision, 0
                yield event
        except ServiceError as error:
            if error.code not in RESTART_CODES or after is None:
                raise
            after = None
        empty_connections += 1
        time.sleep(pause_s(empty_connections))


def _connection(http: httpx.Client, game_id: str, after: int | None) -> Iterator[Event | None]:
    """Yield the events of one connection, then None if the game is over."""
    path, query = f"/v1/games/{game_id}/events", {} if after is None else {"after": after}
    with http.stream("GET", path, params=query, headers={"Accept": NDJSON}) as answer:
        if answer.status_code == httpx.codes.NO_CONTENT:
            yield None
            return
        lines = answer.iter_lines()
        while True:
            try:
                line = next(lines, None)
                item = json.loads(line) if line else None
            except (httpx.TransportError, ValueError):  # the connection broke, perhaps within a line
                return
            if line is None:
                return
            if item is None:  # an empty line keeps the connection alive
                continue
            game = View.from_dict(item["game"])
            yield Event(item["kind"], item["revision"], game, item)
            if game.status in OVER:
                yield None
                return
