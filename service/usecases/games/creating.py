"""Create and start games, including rematches."""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import orjson

from service.games.chance import SEED_BYTES
from service.games.errors import GameError
from service.games.events import ActionEvent
from service.games.session import GameSession
from service.games.state.clocks import AI_PLAYS_ON, LOSE, ClockRule
from service.games.state.endpoints import LONGEST_S, Endpoint
from service.games.state.model import Game, Meta
from service.games.state.moments import rfc3339
from service.games.state.seats import AI, HTTP, PLAYER, SEAT, Seat
from service.levels import FALLBACK, LEVELS
from service.outgoing import signing
from service.rulesets.registry import RULESETS
from service.rulesets.wire import InconsistentStateError, Json
from service.storage.games.store import GameExistsError, KeyTakenError
from service.storage.people.players import StoredPlayer
from service.usecases.base import access, outgoing, published_bots, replaying, repository
from service.usecases.base.context import Caller, Context, Idempotency, Replay, digest_of
from service.usecases.base.repository import ANSWER_TTL_S
from service.usecases.games import consents, new_games, shares
from service.usecases.games.commands import Invocation, command
from service.usecases.games.tokens import Issuer
from service.usecases.positions import positions
from service.usecases.positions.ruleset_fit import ruleset_errors

Begin = Callable[[str, StoredPlayer | None], GameSession]
"""Makes the session of a new game for a game id and the creator."""


@dataclass(frozen=True)
class NewEndpoint:
    """Endpoint that plays a seat. Without `secret`, a new one is created and returned once."""

    url: str
    secret: str | None = None
    timeout_s: float = LONGEST_S
    attempts: int = 3
    on_failure: str = AI_PLAYS_ON

    def to_endpoint(self, owner: str | None = None) -> Endpoint:
        """Return the endpoint with a secret. `owner`: see `outgoing.owner_digest`."""
        return Endpoint(**{**asdict(self), "secret": self.secret or signing.new_secret()}, owner=owner)


@dataclass(frozen=True)
class NewSeat:
    """A seat as requested by the creator."""

    kind: str
    name: str | None = None
    level: str | None = None
    endpoint: NewEndpoint | None = None


@dataclass(frozen=True)
class NewGame:
    """A game as requested by the creator. `first_seat` None: drawn. `seed` None: secret, and the game is fair.

    A `rated` game has no help, and running out of time loses it, whatever the other fields say. `mixed` allows people
    and programs in one rated game.
    """

    ruleset: str
    variant: str
    seats: tuple[NewSeat, ...]
    first_seat: int | None = None
    seed: bytes | None = None
    visibility: str = "unlisted"
    clock: ClockRule | None = None
    position: Json | None = None  # the initial position; None: the normal set-up
    help: bool = True
    rated: bool = False
    mixed: bool = False


def create(context: Context, caller: Caller, new: NewGame, idempotency: Idempotency | None = None) -> Json:
    """Create a valid game and return it with its tokens. It starts at once if no seat is open.

    A player who creates a game is its host and gets its first seat of kind `player`. Only players can create rated
    games.
    """
    if new.rated:
        access.must_be_player(context, caller)
    if any(seat.endpoint is not None for seat in new.seats):
        outgoing.must_be_on(context)

    def begin(game_id: str, creator: StoredPlayer | None) -> GameSession:
        owner = outgoing.owner_digest(caller.origin if creator is None else creator.id)
        return new_games.new_session(meta_of(new, game_id, rfc3339(context.now_ms()), creator, owner))

    return create_with(context, caller, "create", idempotency, begin)


def create_with(context: Context, caller: Caller, scope: str, idempotency: Idempotency | None, begin: Begin) -> Json:
    """Store the session that `begin` makes of a game id and the creator. Return the game and its tokens."""
    creator = access.player_of(context, caller)
    digest = digest_of_key(caller, scope, idempotency)
    if (
        digest is not None
        and idempotency is not None
        and (replay_entry := context.store.create_replay(digest)) is not None
    ):
        return _repeat_answer(caller, replay_entry, idempotency)
    session = begin(shares.new_game_id(context, caller, digest), creator)
    consents.enter(context, session, None if creator is None else creator.id)
    meta, issuer = session.game.meta, Issuer(caller, idempotency)
    tokens = {role: issuer.token(role) for role in roles_of(meta)}
    commit, view = repository.build_commit(
        context, session, new_games.creation_extras(meta, holders_of(meta, tokens, creator))
    )
    game, signing_secrets = orjson.loads(view), _endpoint_secrets(meta)
    remembered = None
    if digest is not None and idempotency is not None:
        answer = {"game": game, "roles": [*tokens], "secrets": signing_secrets, **issuer.to_entry()}
        remembered = (digest, orjson.dumps({"body": idempotency.body_hash, **answer}), ANSWER_TTL_S)
    try:
        context.store.create(meta.id, commit, remembered)
    except KeyTakenError as taken:
        if idempotency is None:
            raise
        return _repeat_answer(caller, taken.replay_entry, idempotency)
    repository.wake(context, session.game)
    new_games.count(context, session.game)
    return {"game": game, "tokens": tokens_json(tokens, signing_secrets)}


def digest_of_key(caller: Caller, scope: str, idempotency: Idempotency | None) -> str | None:
    """Return the digest under which a request is remembered, or None without an Idempotency-Key."""
    return None if idempotency is None else digest_of(f"{scope} {caller.digest or ''} {idempotency.key}")


def _repeat_answer(caller: Caller, replay_entry: bytes, idempotency: Idempotency) -> Json:
    """Return the response to an earlier request with this key."""
    entry = repository.read_replay_entry(replay_entry, idempotency)
    if "answer" in entry:  # older versions stored the tokens
        return Replay(entry["answer"])
    issuer = Issuer.from_entry(caller, idempotency, entry)
    tokens = {role: issuer.token(role) for role in entry["roles"]}
    return Replay({"game": entry["game"], "tokens": tokens_json(tokens, entry["secrets"])})


def holders_of(meta: Meta, tokens: dict[str, str], creator: StoredPlayer | None) -> dict[str, str]:
    """Return the roles in a new game, by digest of a token or `player:<id>`."""
    holders = {digest_of(token): role for role, token in tokens.items()}
    if creator is not None:
        seats = [f"{SEAT}{number}" for number, seat in enumerate(meta.seats) if seat.player == creator.id]
        holders[f"player:{creator.id}"] = " ".join([access.HOST, *seats])
    return holders


def create_rematch(context: Context, old: Game, game_id: str) -> None:
    """Create the rematch of `old` with the same seats and tokens. The next seat starts.

    A game that began at a posted position starts there again.
    """
    bots = context.bots.get_many([seat.player for seat in old.seats if seat.player is not None])
    meta = replace(
        old.meta,
        id=game_id,
        clock=old.meta.clock or published_bots.default_clock([bot for bot in bots if bot is not None]),
        ruleset_version=old.ruleset.version,
        first_seat=None if old.meta.position is not None else _next_first_seat(context, old),
        seed=secrets.token_bytes(SEED_BYTES).hex(),
        fair=True,
        created_at=rfc3339(context.now_ms()),
        seats=tuple(Seat(seat.kind, seat.name, seat.level, seat.player) for seat in old.seats),
        rematch_of=old.meta.id,
        competition=None,
    )
    with contextlib.suppress(GameExistsError):  # another process was faster
        new_games.store(context, new_games.new_session(meta), context.store.holders(old.meta.id))


def _next_first_seat(context: Context, old: Game) -> int:
    """Return the seat after the first seat to act in the old game."""
    events = replaying.events_of(context, old.meta.id, 0, old.revision)
    first = next((event.seat for event in events if isinstance(event, ActionEvent)), None)
    if first is None and old.position is not None:  # the first seat has not acted yet
        first = old.position.seat
    return 0 if first is None else (first + 1) % len(old.seats)


def validate(new: NewGame) -> NewGame:
    """Check a game that does not come from its schema. Return it with its position in canonical form.

    Raises: request/invalid.
    """
    if new.ruleset not in RULESETS:
        raise GameError("request/invalid", errors={"/ruleset": f"must be one of: {', '.join(RULESETS)}"})
    if errors := contradictions(asdict(new)):
        raise GameError("request/invalid", errors=errors)
    position = None if new.position is None else positions.read(new.position)
    return new if position is None else replace(new, position=position.ruleset.view(position))


def contradictions(new: Mapping[str, Any]) -> dict[str, str]:
    """Return contradictions between the settings of a new game, by JSON pointer.

    `new`: members of `NewGame`. Those that are wrong on their own are absent; wrong seats are None or incomplete.
    """
    seats, first_seat = new.get("seats"), new.get("first_seat")
    errors = ruleset_errors(new.get("ruleset"), new.get("variant"), None if seats is None else len(seats))
    if seats is not None:
        errors |= _seat_errors(seats)
        if first_seat is not None and not 0 <= first_seat < len(seats):
            errors["/first_seat"] = "must be null or a seat of this game"
    if new.get("position") is not None:
        errors |= _position_errors(new, new["position"])
    if new.get("seed") is not None and {*new["seed"]} <= {"0", 0}:  # hex or bytes
        errors["/seed"] = "must not be all zeros"
    if new.get("rated"):
        errors |= _rated_errors(new)
    return errors


def _seat_errors(seats: Sequence[Json | None]) -> dict[str, str]:
    errors = {}
    for number, seat in enumerate(seats):
        if seat is None or "kind" not in seat:
            continue
        level = seat.get("level", FALLBACK)
        if (seat["kind"] == AI or level is not None) and level not in LEVELS:
            errors[f"/seats/{number}/level"] = f"must be one of: {', '.join(LEVELS)}"
        if seat["kind"] not in (AI, HTTP) and seat.get("level") is not None:
            errors[f"/seats/{number}/level"] = "is only for seats of kind ai or http"
        if "endpoint" in seat and (seat["kind"] == HTTP) != (seat["endpoint"] is not None):
            errors[f"/seats/{number}/endpoint"] = "is required for seats of kind http, and only allowed there"
    return errors


def _rated_errors(new: Mapping[str, Any]) -> dict[str, str]:
    errors = {f"/{name}": "must be null in a rated game" for name in ("seed", "position") if new.get(name) is not None}
    if "clock" in new and new["clock"] is None:
        errors["/clock"] = "is required in a rated game"
    kinds = [(seat or {}).get("kind") for seat in new.get("seats", (None,))]
    creator_seat = kinds.index(PLAYER) if PLAYER in kinds else None
    if not {PLAYER, None} & {*kinds}:
        errors["/seats"] = "must contain a seat of kind player for the creator of a rated game"
    for number, kind in enumerate(kinds):
        if kind == HTTP:
            errors[f"/seats/{number}/kind"] = "must not be http in a rated game"
        if kind == PLAYER and number != creator_seat:
            errors[f"/seats/{number}/kind"] = "must be open in a rated game, so that another player can claim it"
    return errors


def _position_errors(new: Mapping[str, Any], json: Json) -> dict[str, str]:
    """Return errors in the initial position, and contradictions between the game and it, by JSON pointer."""
    try:
        position = positions.read(json)
    except InconsistentStateError as error:
        return {f"/position{pointer}": text for pointer, text in error.errors.items()}
    errors = {}
    if position.ruleset.id != new.get("ruleset", position.ruleset.id):
        errors["/position/ruleset"] = "must be the game's ruleset"
    elif position.variant != new.get("variant", position.variant):
        errors["/position/variant"] = "must be the game's variant"
    if "seats" in new and position.seats != len(new["seats"]):
        errors["/position/seats"] = "must have as many items as the game has seats"
    if position.status == "over":
        errors["/position/phase"] = "must not be over"
    if new.get("first_seat") is not None:
        errors["/first_seat"] = "must be null, because the position determines who decides"
    return errors


def meta_of(
    new: NewGame, game_id: str, created_at: str, creator: StoredPlayer | None, owner: str | None = None
) -> Meta:
    """Return the immutable part of a new game. Draw a seed if the creator gives none. `owner`: of its endpoints."""
    # the level of a seat of kind http plays if its endpoint fails
    seats = [Seat(seat.kind, seat.name, seat.level or (FALLBACK if seat.kind == HTTP else None)) for seat in new.seats]
    endpoints = tuple(None if seat.endpoint is None else seat.endpoint.to_endpoint(owner) for seat in new.seats)
    creator_seat = next((number for number, seat in enumerate(seats) if seat.kind == PLAYER), None)
    if creator is not None and creator_seat is not None:
        name = seats[creator_seat].name or creator.display_name
        seats[creator_seat] = replace(seats[creator_seat], player=creator.id, name=name)
    return Meta(
        id=game_id,
        ruleset=new.ruleset,
        ruleset_version=RULESETS[new.ruleset].version,
        variant=new.variant,
        visibility=new.visibility,
        first_seat=new.first_seat,
        seed=(new.seed or secrets.token_bytes(SEED_BYTES)).hex(),
        fair=new.seed is None,
        created_at=created_at,
        seats=tuple(seats),
        clock=replace(new.clock, on_timeout=LOSE) if new.rated and new.clock is not None else new.clock,
        position=new.position,
        help=new.help and not new.rated,
        endpoints=endpoints if any(endpoints) else (),
        rated=new.rated,
        mixed=new.rated and new.mixed,
    )


def _endpoint_secrets(meta: Meta) -> Json:
    """Return the secrets of endpoints by seat."""
    return {str(seat): endpoint.secret for seat, endpoint in enumerate(meta.endpoints) if endpoint is not None}


def roles_of(meta: Meta) -> list[str]:
    """Return the roles that get their own token: host, watch, invite and seats of kind player without a player."""
    seats = [f"{SEAT}{number}" for number, seat in enumerate(meta.seats) if seat.kind == PLAYER and seat.player is None]
    return ["host", "watch", "invite", *seats]


def tokens_json(tokens: dict[str, str], signing_secrets: Json) -> Json:
    """Return the tokens and secrets of a new game in the API's form."""
    seats = {role.removeprefix(SEAT): token for role, token in tokens.items() if SEAT in role}
    return {**{role: tokens[role] for role in ("host", "invite", "watch")}, "seats": seats, "secrets": signing_secrets}


@command
def start(invocation: Invocation) -> None:
    """Start the game with AIs on the open seats. Only the host can do this."""
    access.must_host(invocation.roles)
    invocation.session.start()
    consents.enter(invocation.context, invocation.session, invocation.request.caller.player_id)
