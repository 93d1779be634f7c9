"""Between the people of a game: takebacks, pauses, a rematch, and the answers to such offers."""

from __future__ import annotations

import orjson

from service.cases import access, creating, ledgers
from service.cases.access import Roles
from service.cases.context import Caller, Cases, Idempotency, Written
from service.cases.playing import perform
from service.games.errors import GameError
from service.games.ledger import Ledger
from service.games.takebacks import Target, target


def take_back(
    cases: Cases,
    caller: Caller,
    game_id: str,
    seat: int | None,
    expected: int | None,
    idempotency: Idempotency | None = None,
) -> Written:
    """Back to before the caller's last turn: at once where all others are AIs, else when they agree."""

    def command(ledger: Ledger, roles: Roles) -> None:
        own = access.seat_of(roles, ledger.game, seat)
        ledger.take_back(own, _target(cases, ledger, own))

    return perform(cases, caller, game_id, expected, idempotency, command)


def _target(cases: Cases, ledger: Ledger, seat: int) -> Target | None:
    game = ledger.game
    since = 0 if game.base is None else game.base.revision
    entries = cases.store.log(game.meta.id, since, game.revision)
    found = target((orjson.loads(event) for _, event in entries), seat, since)
    if found is None and game.base is not None and game.acted[seat]:
        raise GameError("game/rebased", since=since)
    return found


def pause(
    cases: Cases,
    caller: Caller,
    game_id: str,
    seat: int | None,
    seconds: int,
    expected: int | None,
    idempotency: Idempotency | None = None,
) -> Written:
    """The game and its clock stand still, when all who play agree."""

    def command(ledger: Ledger, roles: Roles) -> None:
        ledger.pause(access.seat_of(roles, ledger.game, seat), seconds)

    return perform(cases, caller, game_id, expected, idempotency, command)


def resume(
    cases: Cases,
    caller: Caller,
    game_id: str,
    seat: int | None,
    expected: int | None,
    idempotency: Idempotency | None = None,
) -> Written:
    """The game goes on before its pause is over, when all who play agree."""

    def command(ledger: Ledger, roles: Roles) -> None:
        ledger.resume(access.seat_of(roles, ledger.game, seat))

    return perform(cases, caller, game_id, expected, idempotency, command)


def rematch(
    cases: Cases,
    caller: Caller,
    game_id: str,
    seat: int | None,
    expected: int | None,
    idempotency: Idempotency | None = None,
) -> Written:
    """Another game with the same seats and tokens, when all its people agree; the next seat starts."""

    def command(ledger: Ledger, roles: Roles) -> None:
        ledger.rematch(access.seat_of(roles, ledger.game, seat))

    return _with_rematch(cases, game_id, perform(cases, caller, game_id, expected, idempotency, command))


def answer(
    cases: Cases,
    caller: Caller,
    game_id: str,
    offer_id: int,
    seat: int | None,
    accept: bool,  # noqa: FBT001 - the answer
    expected: int | None,
    idempotency: Idempotency | None = None,
) -> Written:
    """Accept an offer, decline it, or withdraw it where it is the caller's own."""

    def command(ledger: Ledger, roles: Roles) -> None:
        own = ledger.asked(offer_id, access.seats_of(roles)) if seat is None else seat
        ledger.answer(access.seat_of(roles, ledger.game, own), offer_id, accept=accept)

    return _with_rematch(cases, game_id, perform(cases, caller, game_id, expected, idempotency, command))


def _with_rematch(cases: Cases, game_id: str, done: Written) -> Written:
    """See that the game exists which the log names as the rematch; whoever died in between left that to the next."""
    if done.rematch is not None and cases.store.revision(done.rematch) == 0:
        creating.create_rematch(cases, ledgers.load(cases, game_id).game, done.rematch)
    return done
