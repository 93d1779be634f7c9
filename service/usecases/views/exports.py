"""Export games as records. `service.usecases.work.imports` imports them."""

from __future__ import annotations

from service.games import game_export
from service.games.errors import GameError
from service.rulesets.wire import Json
from service.usecases.base import access, replaying, repository
from service.usecases.base.context import Caller, Context


def export(context: Context, caller: Caller, game_id: str) -> tuple[int, Json]:
    """Return the game's revision and its record. Raises: game/rebased if it began under older rules."""
    loaded = repository.load(context, game_id, caller)
    access.must_read(loaded.stored.visibility, loaded.roles)
    game = loaded.game
    if game.base is not None:
        raise GameError("game/rebased", since=game.base.revision)
    events = replaying.events_of(context, game_id, 0, game.revision)
    return game.revision, game_export.export_game(game, repository.events_json(game, events, caller.language))
