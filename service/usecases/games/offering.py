"""Between the people of a game: takebacks, pauses, a rematch, and the answers to such offers."""

from __future__ import annotations

import functools

from service.games.errors import GameError
from service.games.session import GameSession
from service.games.state.takebacks import Target, target
from service.usecases.base import access, archived, replaying, repository
from service.usecases.base.context import Context, Written
from service.usecases.games import creating
from service.usecases.games.commands import Command, Own, Request, Work, command


@command
def take_back(work: Work, seat: int | None) -> None:
    """Back to before the caller's last turn: at once where all others are AIs, else when they agree."""
    own = work.seat(seat)
    work.session.take_back(own, _target(work.context, work.session, own))


def _target(context: Context, session: GameSession, seat: int) -> Target | None:
    game = session.game
    since = 0 if game.base is None else game.base.revision
    goal = target(replaying.events_of(context, game.meta.id, since, game.revision), seat, since)
    if goal is None and game.base is not None and game.acted[seat]:
        raise GameError("game/rebased", since=since)
    return goal


@command
def pause(work: Work, seat: int | None, seconds: int) -> None:
    """The game and its clock stand still, when all who play agree."""
    work.session.pause(work.seat(seat), seconds)


@command
def resume(work: Work, seat: int | None) -> None:
    """The game goes on before its pause is over, when all who play agree."""
    work.session.resume(work.seat(seat))


def _with_rematch(performed: Command[Own]) -> Command[Own]:
    """Create the game that the log names as the rematch, if a process died before it did so."""

    @functools.wraps(performed)
    def followed(context: Context, request: Request, /, *args: Own.args, **more: Own.kwargs) -> Written:
        done = performed(context, request, *args, **more)
        rematch_id = done.rematch
        if rematch_id and not context.store.revision(rematch_id) and not archived.restored(context, rematch_id):
            creating.create_rematch(context, repository.load(context, request.game_id).game, rematch_id)
        return done

    return followed


@_with_rematch
@command
def rematch(work: Work, seat: int | None) -> None:
    """Another game with the same seats and tokens, when all its people agree; the next seat starts."""
    work.session.rematch(work.seat(seat))


@_with_rematch
@command
def answer(work: Work, offer_id: int, seat: int | None, *, accept: bool) -> None:
    """Accept an offer, decline it, or withdraw it where it is the caller's own."""
    own = work.session.asked(offer_id, access.seats_of(work.roles)) if seat is None else seat
    work.session.answer(work.seat(own), offer_id, accept=accept)
