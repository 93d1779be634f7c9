"""Load games from the store, commit changes and wake the next decider.

The log is authoritative and the snapshot is a cache, tagged with the hash of the rules' sources. If the tag differs or
the snapshot is damaged, the log is replayed. If the ruleset's version has increased, the position in wire form becomes
the base of the game, and older entries remain as text. See `replaying`.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Container, Iterable
from dataclasses import dataclass, field
from typing import Any

import orjson
import structlog

from service.games.errors import GameError
from service.games.events import ActionEvent, Event
from service.games.facts import Facts
from service.games.notices import notices
from service.games.session import GameSession
from service.games.state.model import Game, Meta
from service.games.state.moments import rfc3339
from service.games.state.seats import ACTIVE, AI
from service.games.state.statuses import ABORTED, FINISHED, TIME
from service.games.view import Lifetimes, view
from service.operate.observability import metrics, tracing
from service.record_reader import unreadable
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import DamagedSnapshotError, Json, Position, Ruleset
from service.storage.base.follow_ups import RESULT, DueFollowUp, FollowUp
from service.storage.games.store import GameNotFoundError, StaleRevisionError
from service.storage.games.stored_game import LEFT, SEATED, TURN, Commit, StoredGame
from service.stored_json import DAMAGE, NewerRecordError, UnreadableRecordError
from service.usecases.base import access, archived_games, outgoing, trace_context
from service.usecases.base.access import Roles
from service.usecases.base.context import Caller, CommandResult, Context, Idempotency
from service.usecases.base.i18n import sentence
from service.usecases.base.replaying import POSITION_FORM, checkpoint_bytes, rebase, replay, store_computed

LOG = structlog.get_logger()
IDEMPOTENCY_TTL_S = 86_400
MAX_METAS = 500
"""Number of games whose immutable part is cached. Parsing it takes as long as parsing the rest."""
Revisions = Container[int]
"""Expected revisions of a request."""
ANSWER_TTL_S = 600  # how long a create or claim can be repeated; short, because its response contains tokens


@dataclass(frozen=True)
class Loaded:
    """A game loaded from the store, with its stored form and the caller's roles."""

    game: Game
    stored: StoredGame
    roles: Roles = access.NOBODY
    player: str | None = None  # the caller's id if they are a player


def load(context: Context, game_id: str, caller: Caller | None = None, *, look_in_archive: bool = True) -> Loaded:
    """Return the game at its last commit, with the caller's roles. A game that only the archive has is restored.

    Raises: game/not_found, NewerRecordError if this process has older rules than the game, UnreadableRecordError.
    """
    stored, roles, player = _load_stored(context, game_id, caller)
    if stored is None and look_in_archive and archived_games.restore(context, game_id):
        stored, roles, player = _load_stored(context, game_id, caller)
    if stored is None:
        raise GameError("game/not_found")
    try:
        meta, state = _meta(stored.meta), orjson.loads(stored.state)
        played_by = meta.ruleset_version if state["base"] is None else state["base"]["ruleset_version"]
        ruleset = RULESETS.get(meta.ruleset)
        if ruleset is None or ruleset.version < played_by:
            raise NewerRecordError(f"version {played_by} of {meta.ruleset} is newer")
        position = _snapshot(game_id, stored, ruleset)
        game = Game.from_state(meta, stored.revision, state, position)
    except (UnreadableRecordError, *DAMAGE) as damage:
        raise unreadable("game", game_id, damage) from damage
    if position is not None or (not stored.snapshot and not stored.tag):  # not started yet
        return Loaded(game, stored, roles, player)
    if ruleset.version == played_by:
        return Loaded(_replay_and_store(context, game), stored, roles, player)
    return Loaded(rebase(game, stored, ruleset), stored, roles, player)


def load_with_role(context: Context, game_id: str, caller: Caller) -> Loaded:
    """Return the game for a caller who must have a role in it.

    Raises: auth/token_required, auth/token_unknown, auth/not_taking_part, game/not_found if it is private, and the
    errors of `load`.
    """
    loaded = load(context, game_id, caller)
    access.must_hold_role(caller, loaded.stored.visibility, loaded.roles, loaded.player)
    return loaded


def _snapshot(game_id: str, stored: StoredGame, ruleset: Ruleset) -> Position | None:
    """Return the position, or None without an intact snapshot of the current rules."""
    if stored.tag != ruleset.rules_hash:
        return None
    try:
        return ruleset.from_snapshot(stored.snapshot)
    except DamagedSnapshotError as damaged:
        LOG.warning("snapshot damaged; replaying the log", game=game_id, error=str(damaged))
        return None


def _replay_and_store(context: Context, game: Game) -> Game:
    """Return the game with its position and store the missing snapshot."""
    current = replay(context, game, game.revision)
    if current.position is not None:
        store_computed(context, game, _snapshot_fields(current.position), {})
    return current


def _snapshot_fields(position: Position) -> dict[str, bytes]:
    return {"snapshot": position.to_snapshot(), "tag": position.ruleset.rules_hash.encode()}


@functools.lru_cache(MAX_METAS)
def _meta(content: bytes) -> Meta:
    return Meta.from_json(orjson.loads(content))


def _load_stored(context: Context, game_id: str, caller: Caller | None) -> tuple[StoredGame | None, Roles, str | None]:
    """Load the stored game, the caller's roles and their player id in one round trip."""
    if caller is None:
        return context.store.load(game_id), access.NOBODY, None
    owner = access.owner_question(context, caller)
    stored = context.store.load(game_id, caller.holder, owner, *caller.extra_reads)
    is_valid = access.is_valid(context, caller, owner)
    roles = stored.roles if is_valid and stored is not None else ""
    return stored, access.roles_in(context, caller, roles), caller.player_id if is_valid else None


def open_session(context: Context, game: Game, new_id: Callable[[], str] | None = None) -> GameSession:
    """Open a session for changes to the game at the current time. `new_id` returns the id of a rematch."""
    return GameSession(game, rfc3339(context.now_ms()), lambda revision: replay(context, game, revision), new_id)


@dataclass
class Extras:
    """Parts of a commit that do not follow from the session."""

    tokens: dict[str, str] = field(default_factory=dict)  # digest or `player:<id>` -> roles
    dropped_tokens: tuple[str, ...] = ()
    remember: tuple[str, str, int] | None = None  # idempotency: key suffix, hash of the body, seconds
    answer: Json = field(default_factory=dict)  # more members of the replay entry
    more_fields: dict[str, bytes] = field(default_factory=dict)  # when creating


def must_match(loaded: Loaded, expected: Revisions | None) -> None:
    """Raise game/stale_revision if the caller expected other revisions than the current one."""
    if expected is not None and loaded.game.revision not in expected:
        raise stale_error(loaded.game.revision)


def stale_error(current: int) -> GameError:
    """Return game/stale_revision with the `current` revision."""
    return GameError("game/stale_revision", revision=current)


def is_stale(error: Exception) -> bool:
    """Return whether the error means that another writer was faster and nothing was written."""
    return isinstance(error, StaleRevisionError) or (
        isinstance(error, GameError) and error.code == "game/stale_revision"
    )


def serialize_view(context: Context, game: Game) -> bytes:
    """Return the game's view as JSON."""
    return orjson.dumps(view(game, lifetimes(context)))


def stored_fields(context: Context, game: Game) -> dict[str, bytes]:
    """Return the fields that every commit of a game writes."""
    view_bytes, facts = serialize_view(context, game), Facts.from_game(game).to_bytes()
    fields = {"state": orjson.dumps(game.state()), "facts": facts, "view": view_bytes}
    return fields if game.position is None else {**fields, "form": POSITION_FORM, **_snapshot_fields(game.position)}


def build_commit(context: Context, session: GameSession, extras: Extras) -> tuple[Commit, bytes]:
    """Return the commit of a session and the view after it."""
    game = session.game
    ttl_s = lifetimes(context).retention_s(game)
    due_at, is_timed = game.due_at, game.due == TIME
    cause = b"" if due_at is None or is_timed else trace_context.serialize()
    fields = {**stored_fields(context, game), "cause": cause, **extras.more_fields}
    remembered = None
    if extras.remember is not None:
        suffix, body_hash, seconds = extras.remember
        revisions = {"first": session.before.revision + 1, "last": game.revision}
        replay_entry = orjson.dumps({"body": body_hash, **revisions, **extras.answer})
        remembered = (suffix, replay_entry, min(seconds, ttl_s))
    commit = Commit(
        expected=session.before.revision,
        events=tuple(orjson.dumps(event.to_stored()) for event in session.events),
        fields=fields,
        tokens=extras.tokens,
        dropped_tokens=extras.dropped_tokens,
        players=_player_relations(session),
        due_at_ms=due_at,
        timed=is_timed,
        checkpoints={state.revision: checkpoint_bytes(state) for state in session.checkpoints},
        listed=game.meta.visibility == "public" and game.status != ABORTED,
        ttl_s=ttl_s,
        ended=game.is_over,
        idempotency=remembered,
        notices=_notices(session) if context.settings.allows_calls else (),
        follow_up=_follow_up(context, session),
        to_archive=context.archive is not None and game.status == FINISHED,
    )
    return commit, fields["view"]


def append(context: Context, session: GameSession, extras: Extras | None = None) -> bytes:
    """Commit a session and return the view after it.

    Raises: game/stale_revision if another writer was faster, game/not_found if the game has expired.
    """
    game = session.game
    with tracing.span("commit", game__id=game.meta.id, game__revision=game.revision):
        commit, view_bytes = build_commit(context, session, extras or Extras())
        for player_id, relation in commit.players.items():
            if relation == LEFT:
                context.players.record_left(player_id, game.meta.id, context.now_ms(), context.settings.player_ttl_s)
        try:
            context.store.commit(game.meta.id, commit)
        except StaleRevisionError as lost:
            metrics.current.record_conflict()
            raise stale_error(lost.current) from None
        except GameNotFoundError:
            raise GameError("game/not_found") from None
    for event in session.events:
        if isinstance(event, ActionEvent):
            seat = session.before.seats[event.seat]
            metrics.current.record_action(game.meta.ruleset, seat.kind if seat.status == ACTIVE else AI)
    return view_bytes


def lifetimes(context: Context) -> Lifetimes:
    """Return the lifetimes of games from the settings."""
    settings = context.settings
    return Lifetimes(settings.game_ttl_s, settings.finished_ttl_s, settings.gone_s)


def _player_relations(session: GameSession) -> dict[str, str]:
    """Return the relation to the game of each player who has, or had before the session, a seat in it."""
    game = session.game
    relations = {seat.player: LEFT for seat in session.before.seats if seat.player is not None}
    relations |= {seat.player: SEATED for seat in game.seats if seat.player is not None}
    number = game.person_to_decide
    decides = None if number is None else game.seats[number].player
    return relations if decides is None else {**relations, decides: TURN}


def _follow_up(context: Context, session: GameSession) -> DueFollowUp | None:
    """Return the follow-up that counts the game for its players, due now, if the session has ended the game."""
    game = session.game
    if not game.is_over or session.before.is_over or not any(seat.player for seat in game.seats):
        return None
    return FollowUp(game.meta.id, RESULT, id=f"{RESULT}:{game.meta.id}"), context.now_ms()


def _notices(session: GameSession) -> tuple[tuple[str, bytes], ...]:
    """Return the notices for the game's players, in the form that `dispatch` reads from the outbox."""
    header = {"timestamp": session.current_time, "game_id": session.game.meta.id}
    return tuple(
        (
            one.player,
            orjson.dumps({"type": one.type, **header, "data": {"player": one.player, "seat": one.seat, **one.more}}),
        )
        for one in notices(session.before, session.game, session.events)
    )


def result_of(session: GameSession, view_bytes: bytes, language: str) -> CommandResult:
    """Return the result of a committed session for its caller."""
    return CommandResult(
        session.game.revision, events_json(session.game, session.events, language), view_bytes, session.game.rematch
    )


def wake(context: Context, game: Game) -> None:
    """Wake a worker or dialer for the decision that is due now, if any.

    The commit contains the decision, so a keeper wakes them later if this fails. Failures are only logged.
    """
    if game.to_decide is None or game.due_at != 0:
        return
    try:
        with tracing.span("wake", kind="producer", game__id=game.meta.id, game__revision=game.revision):
            decision = outgoing.Decision(game.meta.id, game.revision, game.to_decide, 0)
            if (endpoint := game.endpoint_to_decide) is not None:
                outgoing.add_decision(context, decision, endpoint.url, endpoint.owner)
            else:
                context.queue.wake(*decision)
    except Exception as error:  # noqa: BLE001 - the game is committed, so the request succeeded
        LOG.warning("wake-up lost; the keeper repeats it", game=game.meta.id, error=str(error))


def events_json(game: Game, events: Iterable[Event], language: str) -> list[Json]:
    """Return the events in the API's form: with all members and a sentence."""
    return [_event_json(game, event, language) for event in events]


def _event_json(game: Game, event: Event, language: str) -> Json:
    ruleset = game.ruleset
    notation = ruleset.wire.notation
    members: dict[str, Any] = {"seat": None, "action": None, "draw": None, "effects": [], **event.to_json()}
    members.pop("position", None)  # the view has the position after a takeback
    members["effects"] = [ruleset.with_full_type(effect) for effect in members["effects"]]
    members["notation"] = None
    by_older_rules = game.base is not None and event.revision <= game.base.revision
    for name, writer in (("action", notation.action), ("draw", notation.draw)):
        if members[name] is not None:
            members[name] = ruleset.with_full_type(members[name])
            members["notation"] = None if by_older_rules else writer.write(members[name])
    members["text"] = sentence(game, event, language)
    return members


def idempotency_suffix(token_digest: str | None, key: str) -> str:
    """Return the key suffix of a replay entry, by caller and idempotency key."""
    return "idem:" + hashlib.sha256(f"{token_digest or ''} {key}".encode()).hexdigest()


def read_replay_entry(replay_entry: bytes, idempotency: Idempotency) -> Json:
    """Return the replay entry of an earlier request. Raises: idempotency/mismatch if its body was different."""
    members: Json = orjson.loads(replay_entry)
    if members["body"] != idempotency.body_hash:
        raise GameError("idempotency/mismatch")
    return members


def ensure_revision(context: Context, loaded: Loaded, revision: int) -> Loaded:
    """Return the game, reloaded if it was loaded before the revision."""
    return loaded if loaded.game.revision >= revision else load(context, loaded.game.meta.id)


def view_at(context: Context, loaded: Loaded, revision: int) -> bytes:
    """Return the view at a revision, cached in the process. Raises: game/revision_not_found, game/rebased."""
    if revision == loaded.game.revision:
        return loaded.stored.view
    key = (loaded.game.meta.id, revision)
    return context.views.get(key, lambda: serialize_view(context, game_at(context, loaded, revision)))


def game_at(context: Context, loaded: Loaded, revision: int) -> Game:
    """Return the game at a revision. Raises: game/revision_not_found, game/rebased."""
    game = loaded.game
    if not 1 <= revision <= game.revision:
        raise GameError("game/revision_not_found", revision=game.revision)
    return game if revision == game.revision else replay(context, game, revision)
