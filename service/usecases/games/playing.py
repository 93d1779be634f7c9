"""Decisions: an action, a trial of one, a resignation, an abort."""

from __future__ import annotations

from service.games.errors import GameError
from service.games.session import GameSession
from service.rulesets.ruleset import Json
from service.usecases.base import access, repository
from service.usecases.base.context import Caller, Context, Written
from service.usecases.base.i18n import refusal
from service.usecases.games.commands import Request, Work, command
from service.usecases.positions.actions import read_action


@command
def act(work: Work, action_id: str | None, action: Json | None, notation: str | None = None) -> None:
    """One action of the caller's seat, by its id, its fields or its notation."""
    seat = work.seat()
    if work.request.expected is None:
        raise GameError("game/revision_required")
    _act(work.session, work.request.caller, seat, action_id, action, notation)


def dry_run(
    context: Context, request: Request, action_id: str | None, action: Json | None, notation: str | None = None
) -> Written:
    """What would follow up to the first draw. Nothing is written."""
    caller = request.caller
    loaded = repository.load(context, request.game_id, caller)
    access.must_hold_role(caller, loaded.stored.visibility, loaded.roles)
    repository.must_match(loaded, request.expected)
    session = repository.opened(context, loaded.game)
    _act(session, caller, access.seat_of(loaded.roles, loaded.game), action_id, action, notation, draw=False)
    return repository.written(session, repository.viewed(context, session.game), caller.language)


@command
def resign(work: Work, seat: int | None) -> None:
    """The caller's seat gives up."""
    work.session.resign(work.seat(seat))


@command
def abort(work: Work) -> None:
    """End the game without an outcome: the host's right, and the operator's even where somebody would lose by it."""
    if access.ADMIN in work.roles:
        work.session.end()
    else:
        access.must_host(work.roles)
        work.session.abort()


def _act(
    session: GameSession,
    caller: Caller,
    seat: int,
    action_id: str | None,
    action: Json | None,
    notation: str | None,
    *,
    draw: bool = True,
) -> None:
    if not session.game.is_over:
        session.must_be_active(seat)
    try:
        session.act(seat, read_action(session.game.ruleset, action_id, action, notation), draw=draw)
    except GameError as error:
        if error.code == "game/illegal_action":
            error.detail = refusal(session.game, error.extra["reason"], caller.language)
        raise
