"""Records read in as games of our own: a short one at once, a long one by a background worker.

A record is played again event by event, which takes a few tenths of a millisecond each: too long to do it for a long
one in a web process. So a record of more than `SHORT` events becomes a task. Its tokens are given out when it is asked
for, and open the game once it is there; only their digests are stored.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable
from dataclasses import replace

import orjson

from service.games import record
from service.games.clocks import ClockRule
from service.games.errors import GameError
from service.games.model import Game, Meta
from service.games.moments import rfc3339, told_ms
from service.games.seats import AI, HTTP
from service.games.session import GameSession
from service.rulesets.registry import RULESETS
from service.rulesets.wire import Json
from service.storage.store import GameExists
from service.storage.tasks import DONE, FAILED, WAITING, StoredTask
from service.usecases.automatic.background import IMPORT
from service.usecases.core import access, game_ids, repository
from service.usecases.core.context import Caller, Context, Idempotency
from service.usecases.core.issuing import Issuer
from service.usecases.requests import creating
from service.usecases.requests.creating import NewGame, NewSeat
from service.usecases.tasks import lifecycle
from service.usecases.tasks.lifecycle import Work

SCOPE = "import"  # of idempotency keys
SHORT = 100
"""Events of a record that is played again while the caller waits."""
COST_S = 0.001  # of an event, with room for a slow machine
AHEAD_MS = 86_400_000  # the clock that a record was written by may be ahead of ours
OF_A_NEW_GAME = ("ruleset", "variant", "first_seat", "position")
LEFT_OUT = ("effects", "text", "position")
"""Of an event: they follow from the rules, so nobody looks at them."""


def import_game(context: Context, caller: Caller, told: Json, idempotency: Idempotency | None = None) -> Json:
    """A game of ours that is what the record tells, and its tokens; if it was not over it goes on from there.

    request/invalid, record/illegal_event. Its people get tokens of their own; it is not `fair`. Its seed is the
    record's where that is known and the game is over, else a new one, for what is still to be drawn. Nobody tells us
    where its endpoints stand, so their seats are AIs', of the level that stood in for them.
    """
    new = _new_game(told)
    begin = _played_again(context, new, told)
    return creating.found(context, caller, SCOPE, idempotency, lambda game_id, _: begin(game_id))


def is_short(told: Json) -> bool:
    """Whether the record can be read in while the caller waits."""
    return len(told["events"]) <= SHORT


def _new_game(told: Json) -> NewGame:
    """What was agreed, in our words. request/invalid."""
    seats = [NewSeat(**seat) for seat in told["seats"]]
    new = NewGame(
        **{name: told[name] for name in OF_A_NEW_GAME},
        seats=tuple(replace(seat, kind=AI) if seat.kind == HTTP else seat for seat in seats),
        seed=None if told["seed"] is None else bytes.fromhex(told["seed"]),
        clock=None if told["clock"] is None else ClockRule(**told["clock"]),
    )
    new = creating.checked(new)
    errors = {}
    if told["ruleset_version"] > RULESETS[new.ruleset].version:
        errors["/ruleset_version"] = "is newer than ours"
    if new.seed is not None and hashlib.sha256(new.seed).hexdigest() != told["seed_commitment"]:
        errors["/seed"] = "its SHA-256 is not the seed_commitment"
    if errors:
        raise GameError("request/invalid", errors=errors)
    return new


def _played_again(context: Context, new: NewGame, told: Json) -> Callable[[str], GameSession]:
    """What makes the game, once its id is known. record/illegal_event."""
    meta = _meta(new, told, "", new.seed, told["seed_from"])
    replayed = record.replayed(meta, told["events"], new.seed, context.now_ms() + AHEAD_MS)

    def begin(game_id: str) -> GameSession:
        keeps_seed = new.seed is not None and replayed.game.is_over
        seed, seed_from = (new.seed, told["seed_from"]) if keeps_seed else (None, replayed.game.revision)
        meta = _meta(new, told, game_id, seed, seed_from)
        session = GameSession(Game.new(meta), rfc3339(context.now_ms()))
        session.take_over(replace(replayed, game=replace(replayed.game, meta=meta)), told["id"])
        return session

    return begin


def _meta(new: NewGame, told: Json, game_id: str, seed: bytes | None, seed_from: int) -> Meta:
    meta = creating.meta_of(replace(new, seed=seed), game_id, rfc3339(told_ms(told["created_at"])), None)
    return replace(meta, fair=False, seed_from=seed_from)


# ------------------------------------------------------------------------------------------------- as a task


def ask(context: Context, caller: Caller, told: Json, idempotency: Idempotency | None = None) -> Json:
    """Have a long record read in: the task, and the tokens of the game that comes of it.

    request/invalid, limit/open_games, limit/background. The same key brings the same task and tokens.
    """
    meta = _meta(_new_game(told), told, "", None, 0)
    creator = access.player_of(context, caller)
    digest = creating.digest_of_key(caller, SCOPE, idempotency)
    if (answer := _again(context, caller, told, digest, idempotency)) is not None:
        return answer
    issuer = Issuer.new(caller, idempotency)
    tokens = {role: issuer.token(role) for role in creating.roles_of(meta)}
    asked = {
        "record": _slim(told),
        "game_id": game_ids.new_game_id(context, caller),
        "counted": caller.counted,
        "holders": creating.holders_of(meta, tokens, creator),
    }
    task = lifecycle.new(context, caller, IMPORT, asked)
    if digest is not None and idempotency is not None:
        known = {"body": idempotency.body_hash, "task": task.id, "roles": [*tokens], "salt": issuer.salt}
        if not context.store.remember_created(digest, orjson.dumps(known), repository.ANSWER_TTL_S):
            context.tasks.delete(task.id)  # another request with this key was faster
            return ask(context, caller, told, idempotency)
    return _accepted(context, caller, told, task, tokens)


def _slim(told: Json) -> Json:
    """The record without what is not looked at, which is most of it."""
    events = [{name: value for name, value in event.items() if name not in LEFT_OUT} for event in told["events"]]
    return {**told, "events": events}


def _again(
    context: Context, caller: Caller, told: Json, digest: str | None, idempotency: Idempotency | None
) -> Json | None:
    """The answer of an earlier request with this key, unless that was refused after all."""
    content = None if digest is None else context.store.created(digest)
    if digest is None or idempotency is None or content is None:
        return None
    known = repository.recalled(content, idempotency)
    task = context.tasks.get(IMPORT, known["task"])
    if task is None:
        context.store.forget_created(digest)
        return None
    issuer = Issuer.again(caller, idempotency, known["salt"])
    return _accepted(context, caller, told, task, {role: issuer.token(role) for role in known["roles"]})


def _accepted(context: Context, caller: Caller, told: Json, task: StoredTask, tokens: dict[str, str]) -> Json:
    if task.status == WAITING:  # whoever asked first may have been killed before they did this
        lifecycle.have_done(context, caller, task, Work(IMPORT, COST_S * len(told["events"])))
    return {**told_of(task), "tokens": creating.by_name(tokens, {})}


def look(context: Context, task_id: str, after: int | None, timeout_s: float) -> Json | None:
    """The import so far; None if nothing beyond version `after` has come within the time. task/not_found."""
    found = lifecycle.wait(context, IMPORT, task_id, after, timeout_s)
    return None if found is None else told_of(found)


def told_of(task: StoredTask) -> Json:
    """An import as the API tells it, its refusal as code, detail and event."""
    found = orjson.loads(task.found) if task.found else {"game_id": None, "refusal": None}
    return {**lifecycle.head(task), **found}


def perform(context: Context, task: StoredTask) -> None:
    """Read the record in, and report the game, or why it cannot be played. What was done already is not done again."""
    asked = orjson.loads(task.asked)
    game_id: str = asked["game_id"]
    try:
        session = _played_again(context, _new_game(asked["record"]), asked["record"])(game_id)
        game_ids.take(context, asked["counted"], game_id)
        with contextlib.suppress(GameExists):  # whoever did it was killed before they could report
            creating.keep(context, session, asked["holders"])
    except GameError as error:
        refusal = {"code": error.code, "detail": error.detail, "event": error.extra.get("event")}
        _end(context, task, FAILED, {"game_id": None, "refusal": refusal})
    else:
        _end(context, task, DONE, {"game_id": game_id, "refusal": None})


def _end(context: Context, task: StoredTask, status: str, found: Json) -> None:
    """Report what came of it; the record, up to a megabyte, is not kept any longer."""
    context.tasks.report(task.id, status, orjson.dumps(found), asked=b"{}")
