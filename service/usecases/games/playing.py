"""Actions and their previews, resignations and aborts."""

from __future__ import annotations

from service.games.errors import GameError
from service.games.session import GameSession
from service.rulesets.ruleset import Json
from service.storage.base.follow_ups import OPERATOR, LogEntry
from service.usecases.base import access, repository
from service.usecases.base.context import Caller, CommandResult, Context
from service.usecases.base.i18n import reason_text
from service.usecases.games.commands import Invocation, Request, command
from service.usecases.positions.actions import ActionForms, read_action


@command
def act(invocation: Invocation, action_id: str | None, action: Json | None, notation: str | None = None) -> None:
    """Play one action of the caller's seat, given by id, fields or notation."""
    seat = invocation.seat()
    if invocation.request.expected is None:
        raise GameError("game/revision_required")
    _act(invocation.session, invocation.request.caller, seat, (action_id, action, notation))


def preview(
    context: Context, request: Request, action_id: str | None, action: Json | None, notation: str | None = None
) -> CommandResult:
    """Return the result of an action up to the first draw, without writing it."""
    caller = request.caller
    loaded = repository.load_with_role(context, request.game_id, caller)
    repository.must_match(loaded, request.expected)
    session = repository.open_session(context, loaded.game)
    _act(session, caller, access.seat_of(loaded.roles, loaded.game), (action_id, action, notation), draw=False)
    return repository.result_of(session, repository.serialize_view(context, session.game), caller.language)


@command
def resign(invocation: Invocation, seat: int | None) -> None:
    """Resign the caller's seat."""
    invocation.session.resign(invocation.seat(seat))


@command
def abort(invocation: Invocation) -> None:
    """End the game without an outcome. The host can do so before anyone would lose by it, the operator always."""
    if access.ADMIN in invocation.roles:
        invocation.session.end()
        invocation.context.moderation.append(LogEntry(OPERATOR, "end_game", "game", invocation.request.game_id))
    else:
        access.must_host(invocation.roles)
        invocation.session.abort(next(iter(access.seats_of(invocation.roles)), None))


def _act(session: GameSession, caller: Caller, seat: int, forms: ActionForms, *, draw: bool = True) -> None:
    if not session.game.is_over:
        session.must_be_active(seat)
    try:
        session.act(seat, read_action(session.game.ruleset, *forms), draw=draw)
    except GameError as error:
        if error.code == "game/illegal_action":
            error.detail = reason_text(session.game, error.extra["reason"], caller.language)
        raise
