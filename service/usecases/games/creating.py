"""Creating a game, and its rematch; starting."""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace

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
from service.rulesets.ruleset import Position
from service.rulesets.wire import Json
from service.storage.games.store import GameExistsError, KeyTakenError
from service.storage.people.players import StoredPlayer
from service.usecases.base import access, outgoing, replaying, repository
from service.usecases.base.context import Caller, Context, Idempotency, digest_of
from service.usecases.base.repository import ANSWER_TTL_S
from service.usecases.games import game_ids, new_games
from service.usecases.games.commands import Work, command
from service.usecases.games.tokens import Issuer
from service.usecases.positions import positions


@dataclass(frozen=True)
class NewEndpoint:
    """Who is to play a seat over HTTP. `secret` None: one is made, and shown once."""

    url: str
    secret: str | None = None
    timeout_s: float = LONGEST_S
    attempts: int = 3
    on_failure: str = AI_PLAYS_ON

    def agreed(self) -> Endpoint:
        """The endpoint with its secret."""
        return Endpoint(**{**asdict(self), "secret": self.secret or signing.new_secret()})


@dataclass(frozen=True)
class NewSeat:
    """A seat as the creator wants it."""

    kind: str
    name: str | None = None
    level: str | None = None
    endpoint: NewEndpoint | None = None


@dataclass(frozen=True)
class NewGame:
    """A game as the creator wants it. `first_seat` None: drawn; `seed` None: secret, and the game is fair.

    `rated`: it is played without help, and who runs out of time has lost, whatever else is said here; `mixed`: people
    and programs may be rated in it together.
    """

    ruleset: str
    variant: str
    seats: tuple[NewSeat, ...]
    first_seat: int | None = None
    seed: bytes | None = None
    visibility: str = "unlisted"
    clock: ClockRule | None = None
    position: Json | None = None  # where it begins; None: at the set-up
    help: bool = True
    rated: bool = False
    mixed: bool = False


def create(context: Context, caller: Caller, new: NewGame, idempotency: Idempotency | None = None) -> Json:
    """A new game and its tokens; it starts at once where no seat is open.

    A player who creates one is its host, and has its first seat of kind `player`. Only a player creates a rated one.
    """
    new = checked(new)
    if new.rated:
        access.must_be_player(context, caller)
    check_endpoints(context, {f"/seats/{number}/endpoint": seat.endpoint for number, seat in enumerate(new.seats)})

    def begin(game_id: str, creator: StoredPlayer | None) -> GameSession:
        return new_games.created(meta_of(new, game_id, rfc3339(context.now_ms()), creator))

    return create_with(context, caller, "create", idempotency, begin)


def create_with(
    context: Context,
    caller: Caller,
    scope: str,
    idempotency: Idempotency | None,
    begin: Callable[[str, StoredPlayer | None], GameSession],
) -> Json:
    """Keep the game that `begin` makes of an id and the player who asks: the game and its tokens."""
    creator = access.player_of(context, caller)
    digest = digest_of_key(caller, scope, idempotency)
    if digest is not None and idempotency is not None and (replay_entry := context.store.created(digest)) is not None:
        return _again(caller, replay_entry, idempotency)
    session = begin(game_ids.new_game_id(context, caller, digest), creator)
    meta, issuer = session.game.meta, Issuer.new(caller, idempotency)
    tokens = {role: issuer.token(role) for role in roles_of(meta)}
    commit, view = repository.commit_of(
        context, session, new_games.first_extras(meta, holders_of(meta, tokens, creator))
    )
    game, signing_secrets = orjson.loads(view), _secrets(meta)
    remembered = None
    if digest is not None and idempotency is not None:
        known = {"game": game, "roles": [*tokens], "secrets": signing_secrets, "salt": issuer.salt}
        remembered = (digest, orjson.dumps({"body": idempotency.body_hash, **known}), ANSWER_TTL_S)
    try:
        context.store.create(meta.id, commit, remembered)
    except KeyTakenError as taken:
        if idempotency is None:
            raise
        return _again(caller, taken.replay_entry, idempotency)
    repository.wake(context, session.game)
    return {"game": game, "tokens": by_name(tokens, signing_secrets)}


def digest_of_key(caller: Caller, scope: str, idempotency: Idempotency | None) -> str | None:
    """By what a request with an Idempotency-Key is remembered; None for one without."""
    return None if idempotency is None else digest_of(f"{scope} {caller.digest or ''} {idempotency.key}")


def _again(caller: Caller, replay_entry: bytes, idempotency: Idempotency) -> Json:
    """The answer of an earlier request with this key."""
    known = repository.read_replay_entry(replay_entry, idempotency)
    if "answer" in known:  # remembered by a version that kept the tokens
        return dict(known["answer"])
    issuer = Issuer.again(caller, idempotency, known["salt"])
    tokens = {role: issuer.token(role) for role in known["roles"]}
    return {"game": known["game"], "tokens": by_name(tokens, known["secrets"])}


def holders_of(meta: Meta, tokens: dict[str, str], creator: StoredPlayer | None) -> dict[str, str]:
    """Who may do what in a new game: the roles of its tokens, and of the player who created it."""
    holders = {digest_of(token): role for role, token in tokens.items()}
    if creator is not None:
        seats = [f"{SEAT}{number}" for number, seat in enumerate(meta.seats) if seat.player == creator.id]
        holders[f"player:{creator.id}"] = " ".join([access.HOST, *seats])
    return holders


def create_rematch(context: Context, old: Game, game_id: str) -> None:
    """The game that `old` names as its rematch: the same seats and tokens, and the next seat starts.

    A game that began at a posted position is repeated from there.
    """
    meta = replace(
        old.meta,
        id=game_id,
        ruleset_version=old.ruleset.version,
        first_seat=None if old.meta.position is not None else _next_first_seat(context, old),
        seed=secrets.token_bytes(SEED_BYTES).hex(),
        fair=True,
        created_at=rfc3339(context.now_ms()),
        seats=tuple(Seat(seat.kind, seat.name, seat.level, seat.player) for seat in old.seats),
        rematch_of=old.meta.id,
    )
    with contextlib.suppress(GameExistsError):  # somebody else saw to it
        new_games.keep(context, new_games.created(meta), context.store.holders(old.meta.id))


def _next_first_seat(context: Context, old: Game) -> int:
    """The seat after the one that decided first in the old game."""
    events = replaying.events_of(context, old.meta.id, 0, old.revision)
    first = next((event.seat for event in events if isinstance(event, ActionEvent)), None)
    if first is None and old.position is not None:  # nobody has decided, and who would have stands there still
        first = old.position.seat
    return 0 if first is None else (first + 1) % len(old.seats)


def checked(new: NewGame) -> NewGame:
    """What the schema cannot know, since it hangs on the ruleset and on the table of levels. request/invalid.

    The same game comes back; its position, which may be posted in other words, as we tell it.
    """
    ruleset = RULESETS.get(new.ruleset)
    if ruleset is None:
        raise GameError("request/invalid", errors={"/ruleset": f"must be one of: {', '.join(RULESETS)}"})
    errors = {}
    if new.variant not in ruleset.variants:
        errors["/variant"] = f"must be one of: {', '.join(ruleset.variants)}"
    if len(new.seats) not in ruleset.seat_counts:
        errors["/seats"] = f"must have one of these lengths: {', '.join(map(str, ruleset.seat_counts))}"
    if new.first_seat is not None and not 0 <= new.first_seat < len(new.seats):
        errors["/first_seat"] = "must be null or a seat of this game"
    errors |= _faults_of_seats(new.seats)
    position = None if new.position is None else positions.read(new.position)
    if position is not None:
        errors |= _faults_of_position(new, position)
    errors |= faults_of_clock(new.clock)
    if new.seed is not None and not any(new.seed):
        errors["/seed"] = "must not be all zeros"
    if new.rated:
        errors |= _faults_of_rated(new)
    if errors:
        raise GameError("request/invalid", errors=errors)
    return new if position is None else replace(new, position=position.ruleset.view(position))


def faults_of_clock(clock: ClockRule | None) -> dict[str, str]:
    """What is wrong with the clock of a game to come, by JSON pointer."""
    if clock is not None and clock.turn_s + clock.bank_s == 0:
        return {"/clock": "must have time in `turn_s` or `bank_s`"}
    return {}


def _faults_of_seats(seats: tuple[NewSeat, ...]) -> dict[str, str]:
    errors = {}
    for number, seat in enumerate(seats):
        if (seat.kind == AI or seat.level is not None) and seat.level not in LEVELS:
            errors[f"/seats/{number}/level"] = f"must be one of: {', '.join(LEVELS)}"
        if seat.kind not in (AI, HTTP) and seat.level is not None:
            errors[f"/seats/{number}/level"] = "is only for seats of kind ai or http"
        if (seat.kind == HTTP) != (seat.endpoint is not None):
            errors[f"/seats/{number}/endpoint"] = "is required for seats of kind http, and only allowed there"
    return errors


def _faults_of_rated(new: NewGame) -> dict[str, str]:
    """What a rated game cannot be."""
    errors = {}
    if new.seed is not None:
        errors["/seed"] = "must be null in a rated game"
    if new.position is not None:
        errors["/position"] = "must be null in a rated game"
    if new.clock is None:
        errors["/clock"] = "is required in a rated game"
    own = next((number for number, seat in enumerate(new.seats) if seat.kind == PLAYER), None)
    if own is None:
        errors["/seats"] = "must contain a seat of kind player for the creator of a rated game"
    for number, seat in enumerate(new.seats):
        if seat.kind == HTTP:
            errors[f"/seats/{number}/kind"] = "must not be http in a rated game"
        if seat.kind == PLAYER and number != own:
            errors[f"/seats/{number}/kind"] = "must be open in a rated game, so that another player can claim it"
    return errors


def check_endpoints(context: Context, endpoints: Mapping[str, NewEndpoint | None]) -> None:
    """Whether all of them, by their pointers, may be called. outgoing/off, request/invalid."""
    faults = {
        f"{pointer}/url": outgoing.faults_of_url(context, endpoint.url)
        for pointer, endpoint in endpoints.items()
        if endpoint is not None
    }
    if errors := {pointer: fault for pointer, fault in faults.items() if fault is not None}:
        raise GameError("request/invalid", errors=errors)


def _faults_of_position(new: NewGame, position: Position) -> dict[str, str]:
    """What does not fit between the game and the position it is to begin at."""
    errors = {}
    if position.ruleset.id != new.ruleset:
        errors["/position/ruleset"] = "must be the game's ruleset"
    elif position.variant != new.variant:
        errors["/position/variant"] = "must be the game's variant"
    if position.seats != len(new.seats):
        errors["/position/seats"] = "must have as many items as the game has seats"
    if position.status == "over":
        errors["/position/phase"] = "must not be over"
    if new.first_seat is not None:
        errors["/first_seat"] = "must be null, because the position determines who decides"
    return errors


def meta_of(new: NewGame, game_id: str, created_at: str, creator: StoredPlayer | None) -> Meta:
    """What is agreed at the beginning; a seed is drawn where the creator gives none."""
    seats = [Seat(seat.kind, seat.name, _level(seat)) for seat in new.seats]
    endpoints = tuple(None if seat.endpoint is None else seat.endpoint.agreed() for seat in new.seats)
    own = next((number for number, seat in enumerate(seats) if seat.kind == PLAYER), None)
    if creator is not None and own is not None:
        seats[own] = replace(seats[own], player=creator.id, name=seats[own].name or creator.name)
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


def _level(seat: NewSeat) -> str | None:
    """Of the AI that plays, at once or when the endpoint has failed."""
    return seat.level or (FALLBACK if seat.kind == HTTP else None)


def _secrets(meta: Meta) -> Json:
    """By seat, what its endpoint is to know."""
    return {str(seat): endpoint.secret for seat, endpoint in enumerate(meta.endpoints) if endpoint is not None}


def roles_of(meta: Meta) -> list[str]:
    """The roles that have tokens of their own: host, watch, invite, each seat of kind player that is no player's."""
    seats = [f"{SEAT}{number}" for number, seat in enumerate(meta.seats) if seat.kind == PLAYER and seat.player is None]
    return ["host", "watch", "invite", *seats]


def by_name(tokens: dict[str, str], signing_secrets: Json) -> Json:
    """What is given out of a new game, as the API shows it."""
    seats = {role.removeprefix(SEAT): token for role, token in tokens.items() if SEAT in role}
    rest = {role: tokens[role] for role in ("host", "invite", "watch")}
    return {**rest, "seats": seats, "secrets": signing_secrets}


@command
def start(work: Work) -> None:
    """The host starts the game; AIs fill the open seats."""
    access.must_host(work.roles)
    work.session.start()
