"""Between the people of a game: takebacks, pauses, a rematch, and the answers to such offers."""

from __future__ import annotations

from service.games.errors import GameError
from service.games.session import GameSession
from service.games.takebacks import Target, target
from service.usecases.core import access, replaying, repository
from service.usecases.core.access import Roles
from service.usecases.core.context import Caller, Context, Idempotency, Written
from service.usecases.requests import creating
from service.usecases.requests.playing import perform


def take_back(
    context: Context,
    caller: Caller,
    game_id: str,
    seat: int | None,
    expected: int | None,
    idempotency: Idempotency | None = None,
) -> Written:
    """Back to before the caller's last turn: at once where all others are AIs, else when they agree."""

    def command(session: GameSession, roles: Roles) -> None:
        own = access.seat_of(roles, session.game, seat)
        session.take_back(own, _target(context, session, own))

    return perform(context, caller, game_id, expected, idempotency, command)


def _target(context: Context, session: GameSession, seat: int) -> Target | None:
    game = session.game
    since = 0 if game.base is None else game.base.revision
    found = target(replaying.events_of(context, game.meta.id, since, game.revision), seat, since)
    if found is None and game.base is not None and game.acted[seat]:
        raise GameError("game/rebased", since=since)
    return found


def pause(
    context: Context,
    caller: Caller,
    game_id: str,
    seat: int | None,
    seconds: int,
    expected: int | None,
    idempotency: Idempotency | None = None,
) -> Written:
    """The game and its clock stand still, when all who play agree."""

    def command(session: GameSession, roles: Roles) -> None:
        session.pause(access.seat_of(roles, session.game, seat), seconds)

    return perform(context, caller, game_id, expected, idempotency, command)


def resume(
    context: Context,
    caller: Caller,
    game_id: str,
    seat: int | None,
    expected: int | None,
    idempotency: Idempotency | None = None,
) -> Written:
    """The game goes on before its pause is over, when all who play agree."""

    def command(session: GameSession, roles: Roles) -> None:
        session.resume(access.seat_of(roles, session.game, seat))

    return perform(context, caller, game_id, expected, idempotency, command)


def rematch(
    context: Context,
    caller: Caller,
    game_id: str,
    seat: int | None,
    expected: int | None,
    idempotency: Idempotency | None = None,
) -> Written:
    """Another game with the same seats and tokens, when all its people agree; the next seat starts."""

    def command(session: GameSession, roles: Roles) -> None:
        session.rematch(access.seat_of(roles, session.game, seat))

    return _with_rematch(context, game_id, perform(context, caller, game_id, expected, idempotency, command))


def answer(
    context: Context,
    caller: Caller,
    game_id: str,
    offer_id: int,
    seat: int | None,
    accept: bool,  # noqa: FBT001 - the answer
    expected: int | None,
    idempotency: Idempotency | None = None,
) -> Written:
    """Accept an offer, decline it, or withdraw it where it is the caller's own."""

    def command(session: GameSession, roles: Roles) -> None:
        own = session.asked(offer_id, access.seats_of(roles)) if seat is None else seat
        session.answer(access.seat_of(roles, session.game, own), offer_id, accept=accept)

    return _with_rematch(context, game_id, perform(context, caller, game_id, expected, idempotency, command))


def _with_rematch(context: Context, game_id: str, done: Written) -> Written:
    """See that the game exists which the log names as the rematch; whoever died in between left that to the next."""
    if done.rematch is not None and context.store.revision(done.rematch) == 0:
        creating.create_rematch(context, repository.load(context, game_id).game, done.rematch)
    return done
