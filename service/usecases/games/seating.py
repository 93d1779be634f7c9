"""Who sits where: claiming a seat, handing it over, new tokens.

A claim without a token is scoped by its idempotency key alone. A seat that changes hands changes its token, so its
last holder decides no more; of what a player holds, only that seat ends.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable

import orjson

from service.games.errors import GameError
from service.games.session import GameSession
from service.games.state.model import Game
from service.games.state.moments import unix_ms
from service.games.state.seats import OPEN_SEAT, SEAT
from service.games.state.statuses import OPEN
from service.games.view import replaceable_at
from service.rulesets.wire import Json
from service.storage.base.optimistic import optimistic
from service.storage.games.store import GameNotFoundError, KeyTakenError
from service.storage.people.players import StoredPlayer
from service.usecases.base import access, published_bots, repository
from service.usecases.base.access import HOST, INVITE, Roles
from service.usecases.base.context import Caller, Context, Idempotency, digest_of
from service.usecases.base.repository import ANSWER_TTL_S, Extras, Loaded
from service.usecases.games.tokens import Issuer

Remember = tuple[str, str, int] | None
"""Where a request's record is to stand, the hash of its body, and for how many seconds."""
Attempt = Callable[[Loaded, Remember], Json]


def claim(
    context: Context,
    caller: Caller,
    game_id: str,
    seat: int | None,
    name: str | None,
    shown: str | None = None,
    idempotency: Idempotency | None = None,
    *,
    mixed: bool = False,
) -> Json:
    """A seat is the caller's: an open one, or that of a person who is gone; the game starts when no seat is open.

    A player has it by their own token; anybody else by the one in the answer. In a private game, and for a seat that is
    not open, the invite token is needed, or the host's; for the seat of which one has the token, that is enough: so
    one comes back, and so a player makes a seat their own that was handed over to them. These tokens are the caller's
    own, or `shown` beside a player's. Without `seat`, the first open one. game/not_mixed.
    """
    player = access.player_of(context, caller)
    beside = "" if shown is None else context.store.roles(game_id, digest_of(shown))

    def attempt(loaded: Loaded, remember: Remember) -> Json:
        number = _seat_to_claim(context, loaded, loaded.roles | set(beside.split()), seat)
        if player is not None and loaded.game.seats[number].player != player.id:
            access.must_not_be_blocked(context, loaded.game, player.id)
            _must_want_the_others(context, loaded.game, player, mixed=mixed)
        session = repository.opened(context, loaded.game)
        session.join(number, *_named(name, player))
        return _reseat(context, session, number, player, Issuer.new(caller, idempotency), remember)

    return _once(context, caller, game_id, f"claim {caller.digest or ''}", idempotency, attempt)


def _must_want_the_others(context: Context, game: Game, player: StoredPlayer, *, mixed: bool) -> None:
    """In a rated game all are people, or all programs; or else each has said that they want both. game/not_mixed."""
    if not game.meta.rated or (game.meta.mixed and mixed):
        return
    seated = [seat.player for seat in game.seats if seat.player is not None]
    others = [other for other in context.players.every(seated) if other is not None]
    if game.meta.mixed or published_bots.is_mixed([player, *others]):
        raise GameError("game/not_mixed")


def _named(name: str | None, player: StoredPlayer | None) -> tuple[str | None, str | None]:
    """The name and the player's id that a seat bears."""
    return (name, None) if player is None else (name or player.name, player.id)


def hand_over(
    context: Context,
    caller: Caller,
    game_id: str,
    seat: int,
    name: str | None,
    idempotency: Idempotency | None = None,
) -> Json:
    """The caller's seat passes to the bearer of the answer's token; their own token loses it."""

    def attempt(loaded: Loaded, remember: Remember) -> Json:
        access.must_hold_role(caller, loaded.stored.visibility, loaded.roles)
        number = access.seat_of(loaded.roles, loaded.game, seat)
        session = repository.opened(context, loaded.game)
        session.hand_over(number, name)
        return _reseat(context, session, number, None, Issuer.new(caller, idempotency), remember)

    return _once(context, caller, game_id, f"hand over {caller.digest or ''}", idempotency, attempt)


def rotate(context: Context, caller: Caller, game_id: str, role: str) -> Json:
    """A new token for the host's, the invited's or the watchers' role; the old one ends. Only the host may."""
    loaded = repository.load(context, game_id, caller)
    access.must_hold_role(caller, loaded.stored.visibility, loaded.roles)
    access.must_host(loaded.roles)
    token = secrets.token_urlsafe(32)
    try:
        context.store.rotate(game_id, role, digest_of(token))
    except GameNotFoundError:
        raise GameError("game/not_found") from None
    return {"role": role, "token": token}


def _seat_to_claim(context: Context, loaded: Loaded, roles: Roles, requested: int | None) -> int:
    game = loaded.game
    access.must_read(loaded.stored.visibility, roles)
    if requested is not None and not 0 <= requested < len(game.seats):
        raise GameError("request/invalid", errors={"/seat": "must be a seat of this game"})
    invited = bool(roles & {INVITE, HOST})
    if requested is not None and requested in access.seats_of(roles) and not game.is_over:
        return requested
    if loaded.stored.visibility == "private" and not invited:
        raise GameError("auth/invite_required")
    free = [number for number, seat in enumerate(game.seats) if seat.kind == OPEN_SEAT and game.status == OPEN]
    number = requested if requested is not None else next(iter(free), None)
    if number is None:
        raise GameError("game/full")
    if number in free:
        return number
    if not _is_gone(context, game, number):
        raise GameError("game/seat_taken" if free or game.status == OPEN else "game/full")
    if not invited:
        raise GameError("auth/invite_required")
    return number


def _is_gone(context: Context, game: Game, number: int) -> bool:
    since = replaceable_at(game, number, context.settings.gone_s)
    return since is not None and unix_ms(since) <= context.now_ms()


def _once(
    context: Context, caller: Caller, game_id: str, scope: str, idempotency: Idempotency | None, attempt: Attempt
) -> Json:
    """The attempt's answer, tried again where somebody was faster; or that of an earlier request with the same key."""

    def once() -> Json:
        remember = None
        loaded = repository.load(context, game_id, caller)
        if idempotency is not None:
            suffix = repository.idempotency_suffix(None, f"{scope} {idempotency.key}")
            if (replay_entry := context.store.remembered(game_id, suffix)) is not None:
                return _seated_before(context, caller, loaded, replay_entry, idempotency)
            remember = (suffix, idempotency.body_hash, ANSWER_TTL_S)
        try:
            return attempt(loaded, remember)
        except KeyTakenError as taken:
            if idempotency is None:
                raise
            return _seated_before(context, caller, loaded, taken.replay_entry, idempotency)

    return optimistic(once, repository.is_stale)


def _reseat(
    context: Context,
    session: GameSession,
    number: int,
    player: StoredPlayer | None,
    issuer: Issuer,
    remember: Remember,
) -> Json:
    """Commit that the seat belongs to the player, or to the bearer of the token in the answer, and to nobody else."""
    game_id, role = session.game.meta.id, f"{SEAT}{number}"
    holders = context.store.holders(game_id)
    changed = {holder: _without(roles, role) for holder, roles in holders.items() if role in roles.split()}
    token = None
    if player is None:
        token = issuer.token(role)
        changed[digest_of(token)] = role
    else:
        field = f"player:{player.id}"
        changed[field] = f"{changed.get(field, holders.get(field, ''))} {role}".strip()
    extras = Extras(
        tokens={holder: roles for holder, roles in changed.items() if roles},
        dropped_tokens=tuple(holder for holder, roles in changed.items() if not roles),
        remember=remember,
        answer={"seat": number, "salt": None if player is not None else issuer.salt},
    )
    view = repository.append(context, session, extras)
    repository.wake(context, session.game)
    return {"game": orjson.loads(view), "seat": number, "token": token}


def _without(roles: str, role: str) -> str:
    return " ".join(held for held in roles.split() if held != role)


def _seated_before(
    context: Context, caller: Caller, loaded: Loaded, replay_entry: bytes, idempotency: Idempotency
) -> Json:
    """The answer of an earlier request with this key."""
    known = repository.read_replay_entry(replay_entry, idempotency)
    view = repository.view_at(context, repository.at_least(context, loaded, known["last"]), known["last"])
    token = known.get("token")  # remembered by a version that kept the tokens
    if known.get("salt") is not None:
        token = Issuer.again(caller, idempotency, known["salt"]).token(f"{SEAT}{known['seat']}")
    return {"game": orjson.loads(view), "seat": known["seat"], "token": token}
