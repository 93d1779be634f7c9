"""Offers between players (takeback, pause, resumption, rematch) and the answers to them."""

from __future__ import annotations

import functools

from service.games.errors import GameError
from service.games.session import GameSession
from service.games.state.takebacks import Target, find_target
from service.usecases.base import access, archived_games, replaying, repository
from service.usecases.base.context import CommandResult, Context
from service.usecases.games import consents, creating
from service.usecases.games.commands import Arguments, Command, Invocation, Request, command


@command
def take_back(invocation: Invocation, seat: int | None) -> None:
    """Return to the position before the caller's last turn. Other people must agree first."""
    consents.drop_lapsed(invocation)
    number = invocation.seat(seat)
    invocation.session.take_back(number, _target(invocation.context, invocation.session, number))


def _target(context: Context, session: GameSession, seat: int) -> Target | None:
    game = session.game
    since = 0 if game.base is None else game.base.revision
    goal = find_target(replaying.events_of(context, game.meta.id, since, game.revision), seat, since)
    if goal is None and game.base is not None and game.acted[seat]:
        raise GameError("game/rebased", since=since)
    return goal


@command
def pause(invocation: Invocation, seat: int | None, seconds: int) -> None:
    """Pause the game and its clock, if all players agree."""
    consents.must_not_keep_waiting(invocation.session.game)
    consents.drop_lapsed(invocation)
    invocation.session.pause(invocation.seat(seat), seconds)


@command
def resume(invocation: Invocation, seat: int | None) -> None:
    """End a pause early, if all players agree."""
    consents.drop_lapsed(invocation)
    invocation.session.resume(invocation.seat(seat))
    consents.confirm(invocation)


def _with_rematch(execute: Command[Arguments]) -> Command[Arguments]:
    """Let a command create the rematch that the log names, also if an earlier process died before creating it."""

    @functools.wraps(execute)
    def execute_with_rematch(
        context: Context, request: Request, /, *args: Arguments.args, **kwargs: Arguments.kwargs
    ) -> CommandResult:
        result = execute(context, request, *args, **kwargs)
        rematch_id = result.rematch
        if rematch_id and not context.store.revision(rematch_id) and not archived_games.restore(context, rematch_id):
            creating.create_rematch(context, repository.load(context, request.game_id).game, rematch_id)
        return result

    return execute_with_rematch


def _must_get_rated_games(invocation: Invocation) -> None:
    """Raise limit/aborted_games if the next game is rated and one of its players is paused."""
    game = invocation.session.game
    if game.is_over and game.meta.rated and game.rematch is None:
        access.must_get_rated_games(invocation.context, [seat.player for seat in game.seats if seat.player is not None])


@_with_rematch
@command
def rematch(invocation: Invocation, seat: int | None) -> None:
    """Offer a rematch, or create it when all people agree. Seats and tokens stay the same, and the next seat starts."""
    consents.drop_lapsed(invocation)
    _must_get_rated_games(invocation)
    invocation.session.rematch(invocation.seat(seat))
    consents.confirm(invocation)


@_with_rematch
@command
def answer(invocation: Invocation, offer_id: int, seat: int | None, *, accept: bool) -> None:
    """Accept or decline an offer, or withdraw the caller's own."""
    consents.drop_lapsed(invocation)
    session = invocation.session
    number = session.answering_seat(offer_id, access.seats_of(invocation.roles)) if seat is None else seat
    if accept:
        _must_get_rated_games(invocation)
    session.answer(invocation.seat(number), offer_id, accept=accept)
    consents.confirm(invocation)
