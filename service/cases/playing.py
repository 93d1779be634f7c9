"""Decisions: an action, a trial of one, a resignation, an abort.

The order of judgement is fixed: who asks, whether the request was served before (idempotency), which revision it
was decided on, and only then turn and legality.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import orjson

from service.cases import access, ledgers, places
from service.cases.access import Roles
from service.cases.context import Caller, Cases, Idempotency, Written
from service.cases.ledgers import IDEMPOTENCY_TTL_S, Extras, Loaded
from service.cases.sentences import refusal
from service.games.errors import GameError
from service.games.ledger import Ledger
from service.rulesets.ruleset import Json, Ruleset
from service.rulesets.wire import Inconsistent
from service.state.store import KeyTaken

Command = Callable[[Ledger, Roles], None]
ACTION_ID = re.compile("[0-9]{1,19}")
MOST_ACTION = 2**63 - 1  # the kernel's actions are int64


def act(
    cases: Cases,
    caller: Caller,
    game_id: str,
    action_id: str | None,
    action: Json | None,
    expected: int | None,
    idempotency: Idempotency | None = None,
) -> Written:
    """One action of the caller's seat, by its id or by its fields."""

    def command(ledger: Ledger, roles: Roles) -> None:
        seat = access.seat_of(roles, ledger.game)
        if expected is None:
            raise GameError("game/revision_required")
        _act(ledger, caller, seat, action_id, action)

    return perform(cases, caller, game_id, expected, idempotency, command)


def dry_run(
    cases: Cases,
    caller: Caller,
    game_id: str,
    action_id: str | None,
    action: Json | None,
    expected: int | None,
) -> Written:
    """What would follow up to the first draw. Nothing is written."""
    loaded = ledgers.load(cases, game_id, caller)
    access.must_hold_role(caller, loaded.stored.visibility, loaded.roles)
    ledgers.must_match(loaded, expected)
    ledger = ledgers.opened(cases, loaded.game)
    _act(ledger, caller, access.seat_of(loaded.roles, loaded.game), action_id, action, draw=False)
    return ledgers.written(ledger, ledgers.viewed(cases, ledger.game), caller.language)


def resign(
    cases: Cases,
    caller: Caller,
    game_id: str,
    seat: int | None,
    expected: int | None,
    idempotency: Idempotency | None = None,
) -> Written:
    """The caller's seat gives up."""

    def command(ledger: Ledger, roles: Roles) -> None:
        ledger.resign(access.seat_of(roles, ledger.game, seat))

    return perform(cases, caller, game_id, expected, idempotency, command)


def abort(
    cases: Cases, caller: Caller, game_id: str, expected: int | None, idempotency: Idempotency | None = None
) -> Written:
    """The host ends the game without an outcome; the operator may, whoever would lose by it."""

    def command(ledger: Ledger, roles: Roles) -> None:
        if access.ADMIN in roles:
            ledger.end()
        else:
            access.must_host(roles)
            ledger.abort()

    return perform(cases, caller, game_id, expected, idempotency, command)


def perform(
    cases: Cases,
    caller: Caller,
    game_id: str,
    expected: int | None,
    idempotency: Idempotency | None,
    command: Command,
) -> Written:
    """Load, check, append, wake; or the answer that an earlier request with the same key got."""
    loaded = ledgers.load(cases, game_id, caller)
    access.must_hold_role(caller, loaded.stored.visibility, loaded.roles)
    remember = None
    if idempotency is not None:
        suffix = ledgers.idempotency_suffix(caller.digest, idempotency.key)
        record = cases.store.remembered(game_id, suffix)
        if record is not None:
            return _again(cases, caller, loaded, record, idempotency)
        remember = (suffix, idempotency.body_hash, IDEMPOTENCY_TTL_S)
    ledgers.must_match(loaded, expected)
    ledger = ledgers.opened(cases, loaded.game, lambda: places.new_game_id(cases, caller))
    command(ledger, loaded.roles)
    if not ledger.events:  # it is so already
        return ledgers.written(ledger, loaded.stored.view, caller.language)
    try:
        view = ledgers.append(cases, ledger, Extras(remember=remember))
    except KeyTaken as taken:  # the same request, served while this one was judged
        if idempotency is None:
            raise
        return _again(cases, caller, loaded, taken.record, idempotency)
    ledgers.wake(cases, ledger.game)
    return ledgers.written(ledger, view, caller.language)


def _again(cases: Cases, caller: Caller, loaded: Loaded, record: bytes, idempotency: Idempotency) -> Written:
    """The answer of the request that the record is of, rebuilt from the log."""
    known = ledgers.recalled(record, idempotency)
    loaded = ledgers.at_least(cases, loaded, known["last"])
    entries = cases.store.log(loaded.game.meta.id, known["first"] - 1, known["last"])
    events = [orjson.loads(event) for _, event in entries]
    view = ledgers.view_at(cases, loaded, known["last"])
    told = ledgers.told(loaded.game, events, caller.language)
    return Written(known["last"], told, view, loaded.game.rematch, replayed=True)


def _act(
    ledger: Ledger, caller: Caller, seat: int, action_id: str | None, action: Json | None, *, draw: bool = True
) -> None:
    if not ledger.game.is_over:
        ledger.must_be_active(seat)
    try:
        ledger.act(seat, read_action(ledger.game.ruleset, action_id, action), draw=draw)
    except GameError as error:
        if error.code == "game/illegal_action":
            error.detail = refusal(ledger.game, error.extra["reason"], caller.language)
        raise


def read_action(ruleset: Ruleset, action_id: str | None, action: Json | None) -> int:
    """The action that was named, by its id or its fields. request/invalid, with pointers, if neither names one."""
    if (action_id is None) == (action is None):
        raise GameError("request/invalid", errors={"": "exactly one of `id` and `action` is needed"})
    if action is not None:
        try:
            return ruleset.wire.encode(action)
        except Inconsistent as error:
            raise GameError(
                "request/invalid", errors={f"/action{pointer}": text for pointer, text in error.errors.items()}
            ) from None
    if not (action_id and ACTION_ID.fullmatch(action_id) and int(action_id) <= MOST_ACTION):
        raise GameError("request/invalid", errors={"/id": "must be the id of an action"})
    return int(action_id)
