"""A game's stream, from here to the end, whatever the connection does.

The cursor is the revision of the last item that came whole: where a connection breaks, the stream is asked for again
from there. So no event comes twice and none is missed.
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
BEGIN_ANEW = {"game/rebased", "game/revision_not_found"}
"""The cursor means nothing any more: the rules have changed since, or an older state was restored."""
OVER = {"finished", "aborted"}
"""Statuses of a game that nothing follows."""


@dataclass(frozen=True)
class Event:
    """What happened, and the game as it left it. `kind` `snapshot`: the game as it stands, first on a stream.

    `data`: the whole of it as it came, with `action`, `draw` and `effects` as the document describes them.
    """

    kind: str
    revision: int
    game: View
    data: dict[str, Any]

    @property
    def seat(self) -> int | None:
        """Whose it is; None where it is nobody's."""
        return self.data.get("seat")

    @property
    def text(self) -> str:
        """For people."""
        return str(self.data.get("text", ""))


def follow(http: httpx.Client, game_id: str, after: int | None = None) -> Iterator[Event]:
    """A snapshot, where `after` is None, then each event until the game is over.

    ServiceError and httpx.TransportError where the stream cannot be opened again.
    """
    barren = 0
    while True:
        try:
            for event in _connection(http, game_id, after):
                if event is None:
                    return
                after, barren = event.revision, 0
                yield event
        except ServiceError as error:
            if error.code not in BEGIN_ANEW or after is None:
                raise
            after = None
        barren += 1
        time.sleep(pause_s(barren))


def _connection(http: httpx.Client, game_id: str, after: int | None) -> Iterator[Event | None]:
    """What one connection brings; None at last where the game is over."""
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
            except (httpx.TransportError, ValueError):  # cut off, perhaps within a line
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
