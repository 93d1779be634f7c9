"""Creating a game, claiming a seat, starting."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

import orjson

from service.cases import access, ledgers
from service.cases.context import Caller, Cases, Idempotency, Written, digest_of, rfc3339
from service.cases.ledgers import Extras
from service.cases.playing import must_host, perform
from service.games.chance import SEED_BYTES
from service.games.errors import GameError
from service.games.log import Ledger
from service.games.model import OPEN, Game, Meta, Seat
from service.levels import LEVELS
from service.rulesets.registry import RULESETS
from service.rulesets.wire import Json
from service.state.store import KeyTaken

ANSWER_TTL_S = 600  # an idempotent create or claim is answered again for so long: its answer holds tokens


@dataclass(frozen=True)
class NewSeat:
    """A seat as the creator wants it."""

    kind: str
    name: str | None = None
    level: str | None = None


@dataclass(frozen=True)
class NewGame:
    """A game as the creator wants it. `first_seat` None: drawn; `seed` None: secret, and the game is fair."""

    ruleset: str
    variant: str
    seats: tuple[NewSeat, ...]
    first_seat: int | None = None
    seed: bytes | None = None
    visibility: str = "unlisted"


def create(cases: Cases, new: NewGame, idempotency: Idempotency | None = None) -> Json:
    """A new game and its tokens; it starts at once where no seat is open."""
    _check(new)
    digest = None if idempotency is None else digest_of(f"create {idempotency.key}")
    if digest is not None and idempotency is not None and (answer := cases.store.created(digest)) is not None:
        return dict(ledgers.recalled(answer, idempotency)["answer"])
    game_id = cases.store.new_game_id(digest)
    meta = _meta(new, game_id, rfc3339(cases.now_ms()))
    ledger = Ledger(Game.new(meta), meta.created_at)
    ledger.create()
    tokens = _tokens(meta)
    extras = Extras(
        tokens={digest_of(token): role for role, token in tokens.items()},
        more_fields={"meta": orjson.dumps(meta.to_json()), "visibility": meta.visibility.encode()},
    )
    commit, view = ledgers.commit_of(cases, ledger, extras)
    answer_json = {"game": orjson.loads(view), "tokens": _by_name(tokens)}
    remembered = None
    if digest is not None and idempotency is not None:
        record = {"body": idempotency.body_hash, "answer": answer_json}
        remembered = (digest, orjson.dumps(record), ANSWER_TTL_S)
    try:
        cases.store.create(game_id, commit, remembered)
    except KeyTaken as taken:
        if idempotency is None:
            raise
        return dict(ledgers.recalled(taken.record, idempotency)["answer"])
    ledgers.wake(cases, ledger.game)
    return answer_json


def _check(new: NewGame) -> None:
    """What the schema cannot know: it hangs on the ruleset, and on the table of levels."""
    ruleset = RULESETS.get(new.ruleset)
    if ruleset is None:
        raise GameError("request/invalid", errors={"/ruleset": f"must be one of: {', '.join(RULESETS)}"})
    errors = {}
    if new.variant not in ruleset.variants:
        errors["/variant"] = f"must be one of: {', '.join(ruleset.variants)}"
    if len(new.seats) not in ruleset.seat_counts:
        errors["/seats"] = f"must be one of these numbers of seats: {', '.join(map(str, ruleset.seat_counts))}"
    if new.first_seat is not None and not 0 <= new.first_seat < len(new.seats):
        errors["/first_seat"] = "must be null or a seat of this game"
    for number, seat in enumerate(new.seats):
        if seat.kind == "ai" and seat.level not in LEVELS:
            errors[f"/seats/{number}/level"] = f"must be one of: {', '.join(LEVELS)}"
        if seat.kind != "ai" and seat.level is not None:
            errors[f"/seats/{number}/level"] = "only a seat of kind ai has a level"
    if new.seed is not None and not any(new.seed):
        errors["/seed"] = "must not be all zero"
    if errors:
        raise GameError("request/invalid", errors=errors)


def _meta(new: NewGame, game_id: str, now: str) -> Meta:
    return Meta(
        id=game_id,
        ruleset=new.ruleset,
        ruleset_version=RULESETS[new.ruleset].version,
        variant=new.variant,
        visibility=new.visibility,
        first_seat=new.first_seat,
        seed=(new.seed or secrets.token_bytes(SEED_BYTES)).hex(),
        fair=new.seed is None,
        created_at=now,
        seats=tuple(Seat(seat.kind, seat.name, seat.level) for seat in new.seats),
    )


def _tokens(meta: Meta) -> dict[str, str]:
    """Fresh tokens by role: host, watch, invite, and one for each seat of kind player."""
    seats = [f"{access.SEAT}{number}" for number, seat in enumerate(meta.seats) if seat.kind == "player"]
    return {role: secrets.token_urlsafe(32) for role in ("host", "watch", "invite", *seats)}


def _by_name(tokens: dict[str, str]) -> Json:
    seats = {role.removeprefix(access.SEAT): token for role, token in tokens.items() if access.SEAT in role}
    return {"host": tokens["host"], "seats": seats, "invite": tokens["invite"], "watch": tokens["watch"]}


def claim(
    cases: Cases,
    caller: Caller,
    game_id: str,
    seat: int | None,
    name: str | None,
    idempotency: Idempotency | None = None,
) -> Json:
    """An open seat is the caller's, by the token in the answer; the game starts when it was the last.

    In a private game the caller shows the invite token. Without `seat`, the first open one.
    """
    _must_be_invited(cases, caller, game_id)
    remember = None
    if idempotency is not None:
        suffix = ledgers.idempotency_suffix(None, f"claim {idempotency.key}")
        if (record := cases.store.remembered(game_id, suffix)) is not None:
            return _claimed_before(cases, game_id, record, idempotency)
        remember = (suffix, idempotency.body_hash, ANSWER_TTL_S)
    while True:
        try:
            return _claim(cases, game_id, seat, name, remember)
        except GameError as error:
            if error.code != "game/stale_revision":  # somebody else joined: look again
                raise
        except KeyTaken as taken:
            if idempotency is None:
                raise
            return _claimed_before(cases, game_id, taken.record, idempotency)


def _must_be_invited(cases: Cases, caller: Caller, game_id: str) -> None:
    """To a private game; to others everybody is."""
    stored = cases.store.glance(game_id)
    if stored is None:
        raise GameError("game/not_found")
    if stored.visibility == "private":
        role = access.role_of(cases, caller, game_id)
        access.must_read(stored.visibility, role)
        if role not in ("invite", "host"):
            raise GameError("auth/invite_required")


def _claim(
    cases: Cases, game_id: str, seat: int | None, name: str | None, remember: tuple[str, str, int] | None
) -> Json:
    loaded = ledgers.load(cases, game_id)
    number = _open_seat(loaded.game, seat)
    ledger = Ledger(loaded.game, rfc3339(cases.now_ms()))
    ledger.join(number, name)
    answer = {"seat": number, "token": secrets.token_urlsafe(32)}
    tokens = {digest_of(str(answer["token"])): f"{access.SEAT}{number}"}
    view = ledgers.append(cases, ledger, Extras(tokens=tokens, remember=remember, answer=answer))
    ledgers.wake(cases, ledger.game)
    return {"game": orjson.loads(view), **answer}


def _claimed_before(cases: Cases, game_id: str, record: bytes, idempotency: Idempotency) -> Json:
    known = ledgers.recalled(record, idempotency)
    view = ledgers.view_at(cases, ledgers.load(cases, game_id), known["last"])
    return {"game": orjson.loads(view), "seat": known["seat"], "token": known["token"]}


def _open_seat(game: Game, wanted: int | None) -> int:
    if wanted is not None and not 0 <= wanted < len(game.seats):
        raise GameError("request/invalid", errors={"/seat": "must be a seat of this game"})
    free = [number for number, seat in enumerate(game.seats) if seat.kind == "open"]
    if game.status != OPEN or not free:
        raise GameError("game/full")
    if wanted is None:
        return free[0]
    if wanted not in free:
        raise GameError("game/seat_taken")
    return wanted


def start(
    cases: Cases, caller: Caller, game_id: str, expected: int | None, idempotency: Idempotency | None = None
) -> Written:
    """The host starts the game; AIs fill the open seats."""

    def command(ledger: Ledger, role: str) -> None:
        must_host(role)
        ledger.start()

    return perform(cases, caller, game_id, expected, idempotency, command)
