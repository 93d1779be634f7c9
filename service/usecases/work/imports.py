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

from service.games import game_export
from service.games.errors import GameError
from service.games.session import GameSession
from service.games.state.clocks import ClockRule
from service.games.state.model import Game, Meta
from service.games.state.moments import parse_ms, rfc3339
from service.games.state.seats import AI, HTTP
from service.rulesets.registry import RULESETS
from service.rulesets.wire import Json
from service.storage.games.store import GameExistsError
from service.storage.work.tasks import DONE, FAILED, WAITING, StoredTask
from service.usecases.base import access, repository
from service.usecases.base.context import Caller, Context, Idempotency
from service.usecases.games import creating, game_ids, new_games
from service.usecases.games.creating import NewGame, NewSeat
from service.usecases.games.tokens import Issuer
from service.usecases.work import lifecycle
from service.usecases.work.background import IMPORT
from service.usecases.work.lifecycle import Work

SCOPE = "import"  # of idempotency keys
SHORT = 100
"""Events of a record that is played again while the caller waits."""
COST_S = 0.001  # of an event, with room for a slow machine
AHEAD_MS = 86_400_000  # the clock that a record was written by may be ahead of ours
OF_A_NEW_GAME = ("ruleset", "variant", "first_seat", "position")
LEFT_OUT = ("effects", "notation", "text", "position")
"""Of an event: they follow from the rules, so nobody looks at them."""


def import_game(context: Context, caller: Caller, export: Json, idempotency: Idempotency | None = None) -> Json:
    """A new game made from the export, and its tokens; if it was not over it goes on from there.

    request/invalid, record/illegal_event. Its people get tokens of their own; it is not `fair`. Its seed is the
    record's where that is known and the game is over, else a new one, for what is still to be drawn. Nobody tells us
    where its endpoints stand, so their seats are AIs', of the level that stood in for them.
    """
    new = _new_game(export)
    begin = _played_again(context, new, export)
    return creating.create_with(context, caller, SCOPE, idempotency, lambda game_id, _: begin(game_id))


def is_short(export: Json) -> bool:
    """Whether the record can be read in while the caller waits."""
    return len(export["events"]) <= SHORT


def _new_game(export: Json) -> NewGame:
    """What was agreed, in our words. request/invalid."""
    seats = [NewSeat(**seat) for seat in export["seats"]]
    new = NewGame(
        **{name: export[name] for name in OF_A_NEW_GAME},
        seats=tuple(replace(seat, kind=AI) if seat.kind == HTTP else seat for seat in seats),
        seed=None if export["seed"] is None else bytes.fromhex(export["seed"]),
        clock=None if export["clock"] is None else ClockRule(**export["clock"]),
    )
    new = creating.checked(new)
    errors = {}
    if export["ruleset_version"] > RULESETS[new.ruleset].version:
        errors["/ruleset_version"] = f"must be at most {RULESETS[new.ruleset].version}"
    if new.seed is not None and hashlib.sha256(new.seed).hexdigest() != export["seed_commitment"]:
        errors["/seed"] = "must have the SHA-256 in `seed_commitment`"
    if errors:
        raise GameError("request/invalid", errors=errors)
    return new


def _played_again(context: Context, new: NewGame, export: Json) -> Callable[[str], GameSession]:
    """What makes the game, once its id is known. record/illegal_event."""
    meta = _meta(new, export, "", new.seed, export["seed_from"])
    replayed = game_export.replay_game(meta, export["events"], new.seed, context.now_ms() + AHEAD_MS)

    def begin(game_id: str) -> GameSession:
        keeps_seed = new.seed is not None and replayed.game.is_over
        seed, seed_from = (new.seed, export["seed_from"]) if keeps_seed else (None, replayed.game.revision)
        meta = _meta(new, export, game_id, seed, seed_from)
        session = GameSession(Game.new(meta), rfc3339(context.now_ms()))
        session.take_over(replace(replayed, game=replace(replayed.game, meta=meta)), export["id"])
        return session

    return begin


def _meta(new: NewGame, export: Json, game_id: str, seed: bytes | None, seed_from: int) -> Meta:
    meta = creating.meta_of(replace(new, seed=seed), game_id, rfc3339(parse_ms(export["created_at"])), None)
    return replace(meta, fair=False, seed_from=seed_from)


# ------------------------------------------------------------------------------------------------- as a task


def ask(context: Context, caller: Caller, export: Json, idempotency: Idempotency | None = None) -> Json:
    """Have a long record read in: the task, and the tokens of the game that comes of it.

    request/invalid, limit/open_games, limit/background. The same key brings the same task and tokens.
    """
    meta = _meta(_new_game(export), export, "", None, 0)
    creator = access.player_of(context, caller)
    digest = creating.digest_of_key(caller, SCOPE, idempotency)
    if (answer := _again(context, caller, export, digest, idempotency)) is not None:
        return answer
    issuer = Issuer.new(caller, idempotency)
    tokens = {role: issuer.token(role) for role in creating.roles_of(meta)}
    request = {
        "record": _slim(export),
        "game_id": game_ids.new_game_id(context, caller),
        "counted": caller.counted,
        "holders": creating.holders_of(meta, tokens, creator),
    }
    task = lifecycle.new(context, caller, IMPORT, request)
    if digest is not None and idempotency is not None:
        known = {"body": idempotency.body_hash, "task": task.id, "roles": [*tokens], "salt": issuer.salt}
        if not context.store.remember_created(digest, orjson.dumps(known), repository.ANSWER_TTL_S):
            context.tasks.delete(task.id)  # another request with this key was faster
            return ask(context, caller, export, idempotency)
    return _accepted(context, caller, export, task, tokens)


def _slim(export: Json) -> Json:
    """The record without what is not looked at, which is most of it."""
    events = [{name: value for name, value in event.items() if name not in LEFT_OUT} for event in export["events"]]
    return {**export, "events": events}


def _again(
    context: Context, caller: Caller, export: Json, digest: str | None, idempotency: Idempotency | None
) -> Json | None:
    """The answer of an earlier request with this key, unless that was refused after all."""
    content = None if digest is None else context.store.created(digest)
    if digest is None or idempotency is None or content is None:
        return None
    known = repository.read_replay_entry(content, idempotency)
    task = context.tasks.get(IMPORT, known["task"])
    if task is None:
        context.store.forget_created(digest)
        return None
    issuer = Issuer.again(caller, idempotency, known["salt"])
    return _accepted(context, caller, export, task, {role: issuer.token(role) for role in known["roles"]})


def _accepted(context: Context, caller: Caller, export: Json, task: StoredTask, tokens: dict[str, str]) -> Json:
    if task.status == WAITING:  # the first request may have been killed before it did this
        lifecycle.have_done(context, caller, task, Work(IMPORT, COST_S * len(export["events"])))
    return {**import_json(task), "tokens": creating.by_name(tokens, {})}


def look(context: Context, task_id: str, after: int | None, timeout_s: float) -> Json | None:
    """The import so far; None if nothing beyond version `after` has come within the time. task/not_found."""
    task = lifecycle.wait(context, IMPORT, task_id, after, timeout_s)
    return None if task is None else import_json(task)


def import_json(task: StoredTask) -> Json:
    """An import as the API shows it, its refusal as code, detail and event."""
    progress = orjson.loads(task.result) if task.result else {"game_id": None, "refusal": None}
    return {**lifecycle.head(task), **progress}


def perform(context: Context, task: StoredTask) -> None:
    """Read the record in, and report the game, or why it cannot be played. What was done already is not done again."""
    request = orjson.loads(task.request)
    game_id: str = request["game_id"]
    try:
        session = _played_again(context, _new_game(request["record"]), request["record"])(game_id)
        game_ids.take(context, request["counted"], game_id)
        with contextlib.suppress(GameExistsError):  # the process that did it was killed before it could report
            new_games.keep(context, session, request["holders"])
    except GameError as error:
        refusal = {"code": error.code, "detail": error.detail, "event": error.extra.get("event")}
        _end(context, task, FAILED, {"game_id": None, "refusal": refusal})
    else:
        _end(context, task, DONE, {"game_id": game_id, "refusal": None})


def _end(context: Context, task: StoredTask, status: str, progress: Json) -> None:
    """Report what came of it; the record, up to a megabyte, is not kept any longer."""
    context.tasks.report(task.id, status, orjson.dumps(progress), request=b"{}")
