"""Games as records: written out, and read in again as games of our own."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import replace

import orjson

from service.cases import access, creating, ledgers
from service.cases.context import Caller, Cases, Idempotency
from service.cases.creating import NewGame
from service.games import record
from service.games.chance import SEED_BYTES
from service.games.errors import GameError
from service.games.ledger import Ledger
from service.games.model import Game, Meta
from service.games.moments import rfc3339, told_ms
from service.games.seats import AI, HTTP, Seat
from service.rulesets.registry import RULESETS
from service.rulesets.wire import Json
from service.state.players import StoredPlayer

AHEAD_MS = 86_400_000  # the clock that a record was written by may be ahead of ours


def export(cases: Cases, caller: Caller, game_id: str) -> tuple[int, Json]:
    """The game's revision, and its record. game/rebased where it was begun by older rules."""
    loaded = ledgers.load(cases, game_id, caller)
    access.must_read(loaded.stored.visibility, loaded.roles)
    game = loaded.game
    if game.base is not None:
        raise GameError("game/rebased", since=game.base.revision)
    entries = cases.store.log(game_id, 0, game.revision)
    events = ledgers.told(game, (orjson.loads(event) for _, event in entries), caller.language)
    return game.revision, record.written(game, events)


def import_game(cases: Cases, caller: Caller, new: NewGame, told: Json, idempotency: Idempotency | None = None) -> Json:
    """A game of ours that is what the record tells, and its tokens; if it was not over it goes on from there.

    request/invalid, record/illegal_event. Its people get tokens of their own; it is not `fair`. Its seed is the
    record's where that is known and the game is over, else a new one, for what is still to be drawn. Nobody tells us
    where its endpoints stand, so their seats are AIs', of the level that stood in for them.
    """
    new = replace(new, seats=tuple(replace(seat, kind=AI) if seat.kind == HTTP else seat for seat in new.seats))
    new = creating.checked(new)
    _check(new, told)
    meta = _meta(new, told, "", new.seed, told["seed_from"])
    replayed = record.replayed(meta, told["events"], new.seed, cases.now_ms() + AHEAD_MS)

    def begin(game_id: str, _: StoredPlayer | None) -> Ledger:
        keeps_seed = new.seed is not None and replayed.game.is_over
        seed, seed_from = (new.seed, told["seed_from"]) if keeps_seed else (None, replayed.game.revision)
        meta = _meta(new, told, game_id, seed, seed_from)
        ledger = Ledger(Game.new(meta), rfc3339(cases.now_ms()))
        ledger.take_over(replace(replayed, game=replace(replayed.game, meta=meta)), told["id"])
        return ledger

    return creating.found(cases, caller, "import", idempotency, begin)


def _check(new: NewGame, told: Json) -> None:
    errors = {}
    if told["ruleset_version"] > RULESETS[new.ruleset].version:
        errors["/ruleset_version"] = "is newer than ours"
    if new.seed is not None and hashlib.sha256(new.seed).hexdigest() != told["seed_commitment"]:
        errors["/seed"] = "its SHA-256 is not the seed_commitment"
    if errors:
        raise GameError("request/invalid", errors=errors)


def _meta(new: NewGame, told: Json, game_id: str, seed: bytes | None, seed_from: int) -> Meta:
    return Meta(
        id=game_id,
        ruleset=new.ruleset,
        ruleset_version=RULESETS[new.ruleset].version,
        variant=new.variant,
        visibility=new.visibility,
        first_seat=new.first_seat,
        seed=(seed or secrets.token_bytes(SEED_BYTES)).hex(),
        fair=False,
        created_at=rfc3339(told_ms(told["created_at"])),
        seats=tuple(Seat(seat.kind, seat.name, seat.level) for seat in new.seats),
        clock=new.clock,
        position=new.position,
        seed_from=seed_from,
    )
