"""From the store to a game and back: load, commit, wake.

The log is the truth, and the snapshot a cache, tagged with the hash of the rules' sources. Where the tag is
another, or the snapshot is damaged, the log is replayed. Where the rules themselves have changed (the ruleset's
version is higher), the position in wire form becomes the base for what follows: older entries stay as text. See
`replaying`.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Iterable
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
from service.games.state.statuses import ABORTED, CALL, FINISHED, TIME
from service.games.view import Lifetimes, view
from service.operate.observability import metrics, tracing
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import DamagedSnapshotError, Json, Position, Ruleset
from service.storage.base.follow_ups import RESULT, FollowUp, Noted
from service.storage.games.store import GameNotFoundError, StaleRevisionError
from service.storage.games.stored import LEFT, SEATED, TURN, Commit, Stored
from service.usecases.base import access, archived, trace_context
from service.usecases.base.access import Roles
from service.usecases.base.context import Caller, Context, Idempotency, Written
from service.usecases.base.i18n import sentence
from service.usecases.base.replaying import FORM, checkpoint, keep, rebased, replay

LOG = structlog.get_logger()
IDEMPOTENCY_TTL_S = 86_400
MAX_METAS = 500
"""What never changes of a game is remembered of so many games: it takes as long to read as what does."""
ANSWER_TTL_S = 600  # an idempotent create or claim is answered again for so long: its answer holds tokens


@dataclass(frozen=True)
class Loaded:
    """A game out of the store, and what the store knows of it."""

    game: Game
    stored: Stored
    roles: Roles = access.NOBODY  # the caller's
    player: str | None = None  # id of the caller, where they are one


def load(context: Context, game_id: str, caller: Caller | None = None, *, look_in_archive: bool = True) -> Loaded:
    """The game as it was last committed, and the caller's roles in it. One that only the archive has is put back.

    game/not_found; game/newer_ruleset if this process is older than the game.
    """
    stored, roles, player = _stored(context, game_id, caller)
    if stored is None and look_in_archive and archived.restored(context, game_id):
        stored, roles, player = _stored(context, game_id, caller)
    if stored is None:
        raise GameError("game/not_found")
    meta, state = _meta(stored.meta), orjson.loads(stored.state)
    played_by = meta.ruleset_version if state["base"] is None else state["base"]["ruleset_version"]
    ruleset = RULESETS.get(meta.ruleset)
    if ruleset is None or ruleset.version < played_by:
        raise GameError("game/newer_ruleset")
    position = _snapshot(game_id, stored, ruleset)
    game = Game.restored(meta, stored.revision, state, position)
    if position is not None or (not stored.snapshot and not stored.tag):  # it has not begun
        return Loaded(game, stored, roles, player)
    if ruleset.version == played_by:
        return Loaded(_replayed(context, game), stored, roles, player)
    return Loaded(rebased(game, stored, ruleset), stored, roles, player)


def _snapshot(game_id: str, stored: Stored, ruleset: Ruleset) -> Position | None:
    """The position, where there is a whole snapshot that the present rules can read."""
    if stored.tag != ruleset.rules_hash:
        return None
    try:
        return ruleset.from_snapshot(stored.snapshot)
    except DamagedSnapshotError as damaged:
        LOG.warning("a snapshot is damaged; the log is replayed", game=game_id, error=str(damaged))
        return None


def _replayed(context: Context, game: Game) -> Game:
    """The game with its position, of which the store has no snapshot that the present rules can read."""
    present = replay(context, game, game.revision)
    if present.position is not None:
        keep(context, game, _snapshot_fields(present.position), {})
    return present


def _snapshot_fields(position: Position) -> dict[str, bytes]:
    """The fields of a stored game that hold its snapshot."""
    return {"snapshot": position.to_snapshot(), "tag": position.ruleset.rules_hash.encode()}


@functools.lru_cache(MAX_METAS)
def _meta(content: bytes) -> Meta:
    return Meta.from_json(orjson.loads(content))


def _stored(context: Context, game_id: str, caller: Caller | None) -> tuple[Stored | None, Roles, str | None]:
    """What is stored of the game, the caller's roles in it and which player they are, in one exchange."""
    if caller is None:
        return context.store.load(game_id), access.NOBODY, None
    if caller.player_id is None:
        stored = context.store.load(game_id, caller.digest, *caller.along)
        return stored, access.roles_in(context, caller, "" if stored is None else stored.roles), None
    player = context.players.question(caller.player_id, caller.digest)
    stored = context.store.load(game_id, f"player:{caller.player_id}", player, *caller.along)
    try:
        access.checked(context, caller, player.answer)
    except GameError as error:
        if error.code != "auth/token_unknown":
            raise
        return stored, access.roles_in(context, caller, ""), None  # they hold no role
    return stored, access.roles_in(context, caller, "" if stored is None else stored.roles), caller.player_id


def opened(context: Context, game: Game, new_id: Callable[[], str] | None = None) -> GameSession:
    """A session of the game, written now. `new_id`: where the game to be followed by another gets its id."""
    return GameSession(game, rfc3339(context.now_ms()), lambda revision: replay(context, game, revision), new_id)


@dataclass
class Extras:
    """What goes into the store together with a session's events, beside what follows from the game itself."""

    tokens: dict[str, str] = field(default_factory=dict)  # digest or `player:<id>` -> roles
    dropped_tokens: tuple[str, ...] = ()
    remember: tuple[str, str, int] | None = None  # idempotency: key suffix, hash of the body, seconds
    answer: Json = field(default_factory=dict)  # what its record holds beside the range of revisions
    more_fields: dict[str, bytes] = field(default_factory=dict)  # when creating


def must_match(loaded: Loaded, expected: int | None) -> None:
    """game/stale_revision if the caller decided on another revision than the present one."""
    if expected is not None and expected != loaded.game.revision:
        raise stale(loaded.game.revision)


def stale(current: int) -> GameError:
    """Somebody was faster; `current` is the revision now."""
    return GameError("game/stale_revision", revision=current)


def is_stale(error: Exception) -> bool:
    """Whether another was faster: nothing was written."""
    return isinstance(error, StaleRevisionError) or (
        isinstance(error, GameError) and error.code == "game/stale_revision"
    )


def viewed(context: Context, game: Game) -> bytes:
    """The game's view, as it is stored and answered."""
    return orjson.dumps(view(game, lifetimes(context)))


def fields_of(context: Context, game: Game) -> dict[str, bytes]:
    """What is stored of a game with every commit."""
    view_bytes, facts = viewed(context, game), Facts.of(game).to_bytes()
    fields = {"state": orjson.dumps(game.state()), "facts": facts, "view": view_bytes}
    return fields if game.position is None else {**fields, "form": FORM, **_snapshot_fields(game.position)}


def commit_of(context: Context, session: GameSession, extras: Extras) -> tuple[Commit, bytes]:
    """The commit of a session, and the view it leaves."""
    game = session.game
    ttl_s = lifetimes(context).of(game)
    due_at, is_timed = game.due_at, game.due == TIME
    cause = b"" if due_at is None or is_timed else trace_context.present()
    fields = {**fields_of(context, game), "cause": cause, **extras.more_fields}
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
        players=_players(session),
        due_at_ms=due_at,
        timed=is_timed,
        checkpoints={then.revision: checkpoint(then) for then in session.checkpoints},
        listed=game.meta.visibility == "public" and game.status != ABORTED,
        ttl_s=ttl_s,
        ended=game.is_over,
        idempotency=remembered,
        notices=_notices(session) if context.settings.calls else (),
        follow_up=_follow_up(context, session),
        to_archive=context.archive is not None and game.status == FINISHED,
    )
    return commit, fields["view"]


def append(context: Context, session: GameSession, extras: Extras | None = None) -> bytes:
    """Commit a session: the view after it. game/stale_revision if somebody was faster: nothing is written.

    game/not_found if it has expired meanwhile.
    """
    game = session.game
    with tracing.span("commit", game__id=game.meta.id, game__revision=game.revision):
        commit, view_bytes = commit_of(context, session, extras or Extras())
        for player_id, standing in commit.players.items():
            if standing == LEFT:
                context.players.note_left(player_id, game.meta.id, context.now_ms(), context.settings.player_ttl_s)
        try:
            context.store.commit(game.meta.id, commit)
        except StaleRevisionError as lost:
            metrics.current.overtaken()
            raise stale(lost.current) from None
        except GameNotFoundError:
            raise GameError("game/not_found") from None
    for event in session.events:
        if isinstance(event, ActionEvent):
            seat = session.before.seats[event.seat]
            metrics.current.acted(game.meta.ruleset, seat.kind if seat.status == ACTIVE else AI)
    return view_bytes


def lifetimes(context: Context) -> Lifetimes:
    """What the operator allows."""
    settings = context.settings
    return Lifetimes(settings.game_ttl_s, settings.finished_ttl_s, settings.gone_s)


def _players(session: GameSession) -> dict[str, str]:
    """What the game is, after the session, to each player who has a seat in it or had one before."""
    game = session.game
    standings = {seat.player: LEFT for seat in session.before.seats if seat.player is not None}
    standings |= {seat.player: SEATED for seat in game.seats if seat.player is not None}
    number = game.person_to_decide
    decides = None if number is None else game.seats[number].player
    return standings if decides is None else {**standings, decides: TURN}


def _follow_up(context: Context, session: GameSession) -> Noted | None:
    """Where the session has ended a game of players: that it is to be counted for them, by a keeper, at once."""
    game = session.game
    if game.status != FINISHED or session.before.status == FINISHED or not any(seat.player for seat in game.seats):
        return None
    return FollowUp(game.meta.id, RESULT, id=f"{RESULT}:{game.meta.id}"), context.now_ms()


def _notices(session: GameSession) -> tuple[tuple[str, bytes], ...]:
    """The notices for the players of the game, as `deliveries` reads them from the outbox."""
    written_notices = []
    for notice in notices(session.before, session.game, session.events):
        content = {"player": notice.player, "seat": notice.seat, **notice.more}
        notice_json = {"type": notice.type, "timestamp": session.now, "game_id": session.game.meta.id, "data": content}
        written_notices.append((notice.player, orjson.dumps(notice_json)))
    return tuple(written_notices)


def written(session: GameSession, view_bytes: bytes, language: str) -> Written:
    """The answer to the caller of a session."""
    return Written(
        session.game.revision, events_json(session.game, session.events, language), view_bytes, session.game.rematch
    )


def wake(context: Context, game: Game) -> None:
    """Have the AI or the endpoint decide that is due now. It stands in the commit, so a lost wake-up is only slower.

    Raises nothing: who has committed gets the answer of the commit.
    """
    if game.to_decide is None or game.due_at != 0:
        return
    try:
        with tracing.span("wake", kind="producer", game__id=game.meta.id, game__revision=game.revision):
            context.queue.wake(game.meta.id, game.revision, game.to_decide, 0, call=game.due == CALL)
    except Exception as error:  # noqa: BLE001 - it is committed, whatever the queue says
        LOG.warning("wake-up lost; the keeper sends it again", game=game.meta.id, error=str(error))


def events_json(game: Game, told: Iterable[Event], language: str) -> list[Json]:
    """Events as the API shows them: all members present, and a sentence."""
    return [_event_json(game, event, language) for event in told]


def _event_json(game: Game, event: Event, language: str) -> Json:
    ruleset = game.ruleset
    notation = ruleset.wire.notation
    whole: dict[str, Any] = {"seat": None, "action": None, "draw": None, "effects": [], **event.to_json()}
    whole.pop("position", None)  # what a takeback brought back stands in the view
    whole["effects"] = [ruleset.typed(effect) for effect in whole["effects"]]
    whole["notation"] = None
    by_older_rules = game.base is not None and event.revision <= game.base.revision
    for name, writer in (("action", notation.action), ("draw", notation.draw)):
        if whole[name] is not None:
            whole[name] = ruleset.typed(whole[name])
            whole["notation"] = None if by_older_rules else writer.write(whole[name])
    whole["text"] = sentence(game, event, language)
    return whole


def idempotency_suffix(token_digest: str | None, key: str) -> str:
    """Where a request's record stands among the game's keys: by caller and key."""
    return "idem:" + hashlib.sha256(f"{token_digest or ''} {key}".encode()).hexdigest()


def read_replay_entry(replay_entry: bytes, idempotency: Idempotency) -> Json:
    """What is remembered of an earlier request with this key. idempotency/mismatch if its body was another."""
    known: Json = orjson.loads(replay_entry)
    if known["body"] != idempotency.body_hash:
        raise GameError("idempotency/mismatch")
    return known


def at_least(context: Context, loaded: Loaded, revision: int) -> Loaded:
    """The game at that revision or later; loaded again where it was loaded before."""
    return loaded if loaded.game.revision >= revision else load(context, loaded.game.meta.id)


def view_at(context: Context, loaded: Loaded, revision: int) -> bytes:
    """The view at a revision, which a process remembers for a while. game/revision_not_found, game/rebased."""
    if revision == loaded.game.revision:
        return loaded.stored.view
    key = (loaded.game.meta.id, revision)
    return context.views.get(key, lambda: viewed(context, game_at(context, loaded, revision)))


def game_at(context: Context, loaded: Loaded, revision: int) -> Game:
    """The game at a revision. game/revision_not_found, game/rebased."""
    game = loaded.game
    if not 1 <= revision <= game.revision:
        raise GameError("game/revision_not_found", revision=game.revision)
    return game if revision == game.revision else replay(context, game, revision)
