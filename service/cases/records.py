"""Games written out as records; `service.cases.imports` reads them in."""

from __future__ import annotations

import orjson

from service.cases import access, ledgers
from service.cases.context import Caller, Cases
from service.games import record
from service.games.errors import GameError
from service.rulesets.wire import Json


def export(cases: Cases, caller: Caller, game_id: str) -> tuple[int, Json]:
    """The game's revision, and its record. game/rebased where it was begun by older rules."""
    loaded = ledgers.load(cases, game_id, caller)
    access.must_read(loaded.stored.visibility, loaded.roles)
    game = loaded.game
    if game.base is not None:
        raise GameError("game/rebased", since=game.base.revision)
    entries = cases.store.log(game_id, 0, game.revision)
    events = ledgers.told(game, (orjson.loads(event) for _, event in entries), caller.language)
    return game.revision, record.written(game, events)
