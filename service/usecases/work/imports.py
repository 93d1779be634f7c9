"""Import records as new games: short ones at once, long ones in a background worker.

An import replays the record event by event. Each takes a few tenths of a millisecond, which is too much in a web
process for a long record. So a record of more than `SHORT` events becomes a task. The request returns the game's tokens
at once. They work when the game exists, and only their digests are stored.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import orjson

from service.games import game_export
from service.games.errors import GameError
from service.games.session import GameSession
from service.games.state.clocks import ClockRule
from service.games.state.model import Game, Meta
from service.games.state.moments import parse_ms, rfc3339
from service.games.state.seats import AI, HTTP
from service.levels import FALLBACK
from service.rulesets.registry import RULESETS
from service.rulesets.wire import Json
from service.storage.games.store import GameExistsError
from service.storage.work.tasks import DONE, FAILED, StoredTask
from service.usecases.base import access, repository
from service.usecases.base.context import Caller, Context, Idempotency, Replay
from service.usecases.games import creating, new_games, shares
from service.usecases.games.creating import NewGame, NewSeat
from service.usecases.games.tokens import Issuer
from service.usecases.work import lifecycle
from service.usecases.work.background import IMPORT
from service.usecases.work.lifecycle import Workload

SCOPE = "import"  # of idempotency keys
SHORT = 100
"""Maximum number of events that are replayed while the caller waits."""
COST_S = 0.001  # per event, generous for slow machines
AHEAD_MS = 86_400_000  # how far timestamps in a record may be in the future
GAME_FIELDS = ("ruleset", "variant", "first_seat", "position")
DERIVED_FIELDS = ("effects", "notation", "text", "position")
"""Fields of an event that follow from the rules and are ignored."""


def import_game(context: Context, caller: Caller, export: Json, idempotency: Idempotency | None = None) -> Json:
    """Create a game from an exported one and return it with its tokens. If it was not over, it continues from there.

    People get new tokens. The game is not `fair`. Its seed is the record's if that is known and the game is over;
    otherwise a new seed is used for future draws. Records do not contain the URLs of endpoints, so AIs of the fallback
    level take their seats.

    Raises: request/invalid, record/illegal_event.
    """
    new = _new_game(export)
    begin = _replay(context, new, export)
    return creating.create_with(context, caller, SCOPE, idempotency, lambda game_id, _: begin(game_id))


def is_short(export: Json) -> bool:
    """Return whether the record can be imported while the caller waits."""
    return len(export["events"]) <= SHORT


def _new_game(export: Json) -> NewGame:
    """Return the settings of the record as a new game. Raises: request/invalid."""
    seats = [NewSeat(**seat) for seat in export["seats"]]
    new = NewGame(
        **{name: export[name] for name in GAME_FIELDS},
        seats=tuple(
            replace(seat, kind=AI, level=seat.level or FALLBACK) if seat.kind == HTTP else seat for seat in seats
        ),
        seed=None if export["seed"] is None else bytes.fromhex(export["seed"]),
        clock=None if export["clock"] is None else ClockRule(**export["clock"]),
    )
    new = creating.validate(new)
    if errors := contradictions(export):
        raise GameError("request/invalid", errors=errors)
    return new


def contradictions(export: Mapping[str, Any]) -> dict[str, str]:
    """Return errors in the version and in the seed of a record, by JSON pointer. Wrong members are absent."""
    errors, ruleset, seed = {}, RULESETS.get(export.get("ruleset", "")), export.get("seed")
    if ruleset is not None and export.get("ruleset_version", 0) > ruleset.version:
        errors["/ruleset_version"] = f"must be at most {ruleset.version}"
    commitment = None if seed is None else hashlib.sha256(bytes.fromhex(seed)).hexdigest()
    if commitment is not None and export.get("seed_commitment", commitment) != commitment:
        errors["/seed"] = "must have the SHA-256 in `seed_commitment`"
    return errors


def _replay(context: Context, new: NewGame, export: Json) -> Callable[[str], GameSession]:
    """Return a function that makes the session of the imported game for a game id. Raises: record/illegal_event."""
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


def create(context: Context, caller: Caller, export: Json, idempotency: Idempotency | None = None) -> Json:
    """Start the import of a long record. Return the task and the tokens of the future game.

    A repeated request with the same key returns the same task and tokens. Raises: request/invalid, limit/open_games,
    limit/background.
    """
    meta = _meta(_new_game(export), export, "", None, 0)
    creator = access.player_of(context, caller)
    digest = creating.digest_of_key(caller, SCOPE, idempotency)
    if (answer := _repeat_answer(context, caller, export, digest, idempotency)) is not None:
        return answer
    issuer = Issuer(caller, idempotency)
    tokens = {role: issuer.token(role) for role in creating.roles_of(meta)}
    request = {
        "record": _slim(export),
        "game_id": shares.new_game_id(context, caller),
        "counted_for": shares.holders_of(caller),
        "holders": creating.holders_of(meta, tokens, creator),
    }
    task = lifecycle.create(context, caller, IMPORT, request)
    if digest is not None and idempotency is not None:
        entry = {"body": idempotency.body_hash, "task": task.id, "roles": [*tokens], **issuer.to_entry()}
        if not context.store.store_create_replay(digest, orjson.dumps(entry), repository.ANSWER_TTL_S):
            context.tasks.delete(task.id)  # another request with this key was faster
            return create(context, caller, export, idempotency)
    return _accept(context, caller, export, task, tokens)


def _slim(export: Json) -> Json:
    """Return the record without the ignored fields, which are most of it."""
    events = [
        {name: value for name, value in event.items() if name not in DERIVED_FIELDS} for event in export["events"]
    ]
    return {**export, "events": events}


def _repeat_answer(
    context: Context, caller: Caller, export: Json, digest: str | None, idempotency: Idempotency | None
) -> Json | None:
    """Return the response to an earlier request with this key, unless that request failed."""
    content = None if digest is None else context.store.create_replay(digest)
    if digest is None or idempotency is None or content is None:
        return None
    entry = repository.read_replay_entry(content, idempotency)
    task = context.tasks.get(IMPORT, entry["task"])
    if task is None:
        context.store.delete_create_replay(digest)
        return None
    issuer = Issuer.from_entry(caller, idempotency, entry)
    return Replay(_accept(context, caller, export, task, {role: issuer.token(role) for role in entry["roles"]}))


def _accept(context: Context, caller: Caller, export: Json, task: StoredTask, tokens: dict[str, str]) -> Json:
    # also if an earlier request was killed before this step
    lifecycle.submit(context, caller, task, Workload(IMPORT, COST_S * len(export["events"])))
    return {**import_json(task), "tokens": creating.tokens_json(tokens, {})}


def get(context: Context, task_id: str, after: int | None, timeout_s: float) -> Json | None:
    """Return the import. With `after`, wait for a later version; None after the timeout. Raises: task/not_found."""
    task = lifecycle.wait(context, IMPORT, task_id, after, timeout_s)
    return None if task is None else import_json(task)


@lifecycle.shows_task
def import_json(task: StoredTask) -> Json:
    """Return an import in the API's form. A refusal has code, detail and event."""
    progress = orjson.loads(task.result) if task.result else {"game_id": None, "refusal": None}
    return {**lifecycle.head(task), **progress}


def perform(context: Context, task: StoredTask) -> None:
    """Import the record and report the game or the error. The call is idempotent."""
    request = task.settings()
    game_id: str = request["game_id"]
    try:
        session = _replay(context, _new_game(request["record"]), request["record"])(game_id)
        shares.count_game(context, game_id, request.get("counted_for", ()))
        with contextlib.suppress(GameExistsError):  # an earlier process was killed before its report
            new_games.store(context, session, request["holders"])
    except GameError as error:
        refusal = {"code": error.code, "detail": error.detail, "event": error.extra.get("event")}
        _end(context, task, FAILED, {"game_id": None, "refusal": refusal})
    else:
        _end(context, task, DONE, {"game_id": game_id, "refusal": None})


def _end(context: Context, task: StoredTask, status: str, progress: Json) -> None:
    """Report the result and delete the stored record, which can be a megabyte."""
    context.tasks.report(task.id, status, orjson.dumps(progress), request=b"{}")
