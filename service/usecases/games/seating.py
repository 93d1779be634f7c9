"""Claim a seat, hand it over, rotate tokens.

A claim without a token is identified by its idempotency key alone. When a seat changes hands, its token changes too, so
the previous holder can no longer act. A player's other roles stay.

A seat's new token belongs to the player to whom the token in the request belongs (see `tokens`). The exception is an
invitation, which is meant for other people.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

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
from service.usecases.base.context import Caller, Context, Idempotency, Replay, digest_of
from service.usecases.base.repository import ANSWER_TTL_S, Extras, Loaded
from service.usecases.games import consents
from service.usecases.games.tokens import Issuer

Remember = tuple[str, str, int] | None
"""Key suffix of the replay entry, hash of the request body, lifetime in seconds."""
Seating = tuple[GameSession, int, str | None]
"""The changed session, the seat, and the id of its new player, if any."""
SeatChange = Callable[[Loaded], Seating]


def claim(
    context: Context,
    caller: Caller,
    game_id: str,
    seat: int | None,
    name: str | None,
    shown_token: str | None = None,
    idempotency: Idempotency | None = None,
    *,
    mixed: bool = False,
) -> Json:
    """Claim a seat for the caller: an open one, or one whose person has left. The game starts when no seat is open.

    A player gets the seat under their own token. Anyone else gets the token in the response. A private game, or a seat
    that is not open, requires the invite token or the host's. The seat's own token also suffices: this is how someone
    reconnects, or how a player keeps a seat that was handed over. The token is the caller's own, or `shown_token` next
    to a player's. Without `seat`, the first open seat is claimed.

    Raises: auth/invite_required, game/full, game/seat_taken, game/not_mixed, game/not_ready, player/blocked, bot/busy,
    limit/aborted_games.
    """
    player = access.player_of(context, caller)
    shown = Caller(shown_token)
    shown_roles = access.NOBODY if shown.player_id else access.find_roles(context, shown, game_id)[0]

    def join(loaded: Loaded) -> Seating:
        number = _seat_to_claim(context, loaded, loaded.roles | shown_roles, seat)
        if player is not None and loaded.game.seats[number].player != player.id:
            access.must_not_be_blocked(context, loaded.game, player.id)
            _must_accept_mixed(context, loaded.game, player, mixed=mixed)
        session = repository.open_session(context, loaded.game)
        seat_name, player_id = (name, None) if player is None else (name or player.display_name, player.id)
        session.join(number, seat_name, player_id)
        consents.enter(context, session, player_id)
        return session, number, player_id

    return _run_idempotently(context, caller, game_id, f"claim {caller.digest or ''}", idempotency, join)


def _must_accept_mixed(context: Context, game: Game, player: StoredPlayer, *, mixed: bool) -> None:
    """Raise game/not_mixed for a rated game of people and programs, unless the game and the player allow that."""
    if not game.meta.rated or (game.meta.mixed and mixed):
        return
    seated = [seat.player for seat in game.seats if seat.player is not None]
    others = [other for other in context.players.get_many(seated) if other is not None]
    if game.meta.mixed or published_bots.is_mixed([player, *others]):
        raise GameError("game/not_mixed")


def hand_over(
    context: Context, caller: Caller, game_id: str, seat: int, name: str | None, idempotency: Idempotency | None = None
) -> Json:
    """Give the caller's seat a new token and return it. The caller's own token loses the seat."""

    def change_hands(loaded: Loaded) -> Seating:
        access.must_hold_role(caller, loaded.stored.visibility, loaded.roles, loaded.player)
        number = access.seat_of(loaded.roles, loaded.game, seat)
        session = repository.open_session(context, loaded.game)
        session.hand_over(number, name)
        return session, number, None

    return _run_idempotently(context, caller, game_id, f"hand over {caller.digest or ''}", idempotency, change_hands)


def rotate(context: Context, caller: Caller, game_id: str, role: str, issuer: Issuer | None = None) -> Json:
    """Replace the token of the role host, invite or watch. Only the host can do this.

    A repeated request gets the same new token. It replaced the host's own token if `role` is host.
    """
    token = (issuer or Issuer(caller, None)).token(role)
    if issuer is not None and issuer.is_repeated and HOST in access.find_roles(context, Caller(token), game_id)[0]:
        caller = replace(caller, token=token)
    loaded = repository.load_with_role(context, game_id, caller)
    access.must_host(loaded.roles)
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


def _run_idempotently(
    context: Context, caller: Caller, game_id: str, scope: str, idempotency: Idempotency | None, change: SeatChange
) -> Json:
    """Commit the change and return the response, or that of an earlier request with the same key.

    Retry if another writer is faster.
    """

    def attempt() -> Json:
        remember = None
        loaded = repository.load(context, game_id, caller)
        if idempotency is not None:
            suffix = repository.idempotency_suffix(None, f"{scope} {idempotency.key}")
            if (replay_entry := context.store.replay_entry(game_id, suffix)) is not None:
                return _repeat_answer(context, caller, loaded, replay_entry, idempotency)
            remember = (suffix, idempotency.body_hash, ANSWER_TTL_S)
        is_own = HOST in loaded.roles or access.seats_of(loaded.roles)
        issuer = Issuer(caller, idempotency, issuer=caller.issuer if is_own else "")
        try:
            return _reseat(context, change(loaded), issuer, remember)
        except KeyTakenError as taken:
            if idempotency is None:
                raise
            return _repeat_answer(context, caller, loaded, taken.replay_entry, idempotency)

    return optimistic(attempt, repository.is_stale)


def _reseat(context: Context, seating: Seating, issuer: Issuer, remember: Remember) -> Json:
    """Commit that the seat belongs only to the player, or else to the bearer of the token in the response."""
    session, number, player_id = seating
    game_id, role = session.game.meta.id, f"{SEAT}{number}"
    holders = context.store.holders(game_id)
    changed = {
        holder: " ".join(other for other in roles.split() if other != role)
        for holder, roles in holders.items()
        if role in roles.split()
    }
    token = None
    if player_id is None:
        token = issuer.token(role)
        changed[digest_of(token)] = role
    else:
        field = f"player:{player_id}"
        changed[field] = f"{changed.get(field, holders.get(field, ''))} {role}".strip()
    extras = Extras(
        tokens={holder: roles for holder, roles in changed.items() if roles},
        dropped_tokens=tuple(holder for holder, roles in changed.items() if not roles),
        remember=remember,
        answer={"seat": number, **(issuer.to_entry() if player_id is None else {"salt": None})},
    )
    view = repository.append(context, session, extras)
    repository.wake(context, session.game)
    return {"game": orjson.loads(view), "seat": number, "token": token}


def _repeat_answer(
    context: Context, caller: Caller, loaded: Loaded, replay_entry: bytes, idempotency: Idempotency
) -> Json:
    """Return the response to an earlier request with this key, unless the caller's token has ended."""
    if caller.token is not None and access.holder_of(context, caller) is None:
        access.must_hold_role(caller, loaded.stored.visibility, access.NOBODY)
    entry = repository.read_replay_entry(replay_entry, idempotency)
    view = repository.view_at(context, repository.ensure_revision(context, loaded, entry["last"]), entry["last"])
    token = entry.get("token")  # older versions stored the tokens
    if entry.get("salt") is not None:
        token = Issuer.from_entry(caller, idempotency, entry).token(f"{SEAT}{entry['seat']}")
    return Replay({"game": orjson.loads(view), "seat": entry["seat"], "token": token})
