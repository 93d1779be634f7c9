"""The stream of a player: the state of their games, challenges and standing, and every change of it.

Events are read from the store's lists of changed games and challenges, so a resumed stream misses nothing. An event has
the state of one game or challenge, or the standing, not a single step: several changes in quick succession can become
one event.

The id of an event is the unix ms of its change. The clocks of the servers differ, and changes can have the same ms. So
each read begins `OVERLAP_MS` before the last event and skips what has been sent. A resumed stream can repeat events.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from operator import itemgetter

import orjson

from service.games.state.seats import ACTIVE
from service.games.state.statuses import UNFINISHED
from service.rulesets.wire import Json
from service.storage.games.hub import KEEP_ALIVE_S
from service.storage.people.players import StoredPlayer
from service.usecases.base import access, published_bots
from service.usecases.base.context import Caller, Context
from service.usecases.matchmaking.challenging import ChallengeChanges
from service.usecases.matchmaking.seeking import Updates
from service.usecases.people import standings
from service.usecases.views import viewers

GAME_CHANGED, GAME_LEFT, CHALLENGE_CHANGED, STANDING_CHANGED = "game", "game_left", "challenge", "standing"
GAMES_AT_ONCE = 500
"""Games that a stream reads at a time, those that changed last."""
OVERLAP_MS = 5_000
Changes = list[tuple[int, Json]]
"""Items with the unix ms of their change, or their version."""


def follow(
    context: Context, caller: Caller, after: int | None, keep_alive_s: float = KEEP_ALIVE_S, *, hidden: bool = False
) -> Updates:
    """Yield an event for each change of the caller's games, challenges and standing; None after `keep_alive_s` without.

    Without `after`, the id of an event, the unfinished games and the open challenges come first. A standing comes first
    if something is imposed. Unless `hidden`, the caller is present until the end. Errors in the request are raised
    before the first item.
    """
    player = access.must_be_player(context, caller)
    since = None if after is None else max(0, min(after, context.now_ms()) - OVERLAP_MS)
    games, challenges = _GameChanges(context, player.id, since), ChallengeChanges(context, player.id, since)
    standing = _StandingChanges(context, player.id)

    def read() -> Changes:
        challenged = ((version, {"kind": CHALLENGE_CHANGED, "challenge": one}) for version, one in challenges.read())
        return sorted([*games.read(), *challenged, *standing.read()], key=itemgetter(0))

    updates = _updates(context, caller, _batches(context, player, read, challenges, keep_alive_s))
    return updates if hidden else viewers.of_player(context, player.id).show_during(updates)


def follow_challenges(
    context: Context, caller: Caller, after: int | None, keep_alive_s: float = KEEP_ALIVE_S
) -> Updates:
    """Yield each change of the caller's challenges, with its version; None after `keep_alive_s` without one.

    Without `after`, a version, the open challenges come first. Errors in the request are raised before the first item.
    """
    player = access.must_be_player(context, caller)
    challenges = ChallengeChanges(context, player.id, after)
    return _updates(context, caller, _batches(context, player, challenges.read, challenges, keep_alive_s))


def _updates(context: Context, caller: Caller, batches: Iterator[Changes | None]) -> Updates:
    """Yield the items until the caller's token ends, which is checked once for each batch. Ids never decrease."""
    last = 0
    for batch in access.until_revoked(context, caller, batches):
        if batch is None:
            yield None
            continue
        for changed_at, item in batch:
            last = max(last, changed_at)
            yield last, item


def _batches(
    context: Context,
    player: StoredPlayer,
    read: Callable[[], Changes],
    challenges: ChallengeChanges,
    keep_alive_s: float,
) -> Iterator[Changes | None]:
    """Yield what `read` returns at the start, after each change, and when a challenge expires."""
    with context.hub.watching(player.id) as wait:
        while True:
            if changes := read():
                yield changes
            while challenges.next_end_ms > (now := context.now_ms()) and not wait(
                min(keep_alive_s, (challenges.next_end_ms - now) / 1000)
            ):
                if player.bot:
                    published_bots.record_presence(context, player)
                yield None


class _StandingChanges:
    """The changes of what moderators have imposed on a player, from nothing."""

    def __init__(self, context: Context, player_id: str) -> None:
        self._context, self._player_id = context, player_id
        self._sent: Json = {}

    def read(self) -> Changes:
        """Return the event of the standing if it differs from the one returned before."""
        now = self._context.now_ms()
        standing = standings.standing_json(self._context.moderation.standing(self._player_id), now)
        if standing == self._sent or not (self._sent or any(standing.values())):
            return []
        self._sent = standing
        return [(now, {"kind": STANDING_CHANGED, "standing": standing})]


class _GameChanges:
    """The changes of a player's games. Starts with the unfinished games, or with the changes since a unix ms."""

    def __init__(self, context: Context, player_id: str, since_ms: int | None) -> None:
        self._context, self._player_id = context, player_id
        self._is_new, self._since_ms = since_ms is None, since_ms or 0
        self._sent: dict[str, Json] = {}  # of the games that the next read may find again

    def read(self) -> Changes:
        """Return the events of games that differ from those returned before."""
        changed = self._context.players.changed_games(self._player_id, self._since_ms, GAMES_AT_ONCE)
        if changed:
            self._since_ms = max(self._since_ms, changed[-1][0] - OVERLAP_MS)
        glances = self._context.store.glances(game_id for _, game_id in changed)
        found = [
            (ms, game_id, _game_event(self._player_id, orjson.loads(glance.view)))
            for (ms, game_id), glance in zip(changed, glances, strict=True)
            if glance is not None
        ]
        news = [(ms, event) for ms, game_id, event in found if event != self._sent.get(game_id)]
        if self._is_new:
            news, self._is_new = [(ms, event) for ms, event in news if event.get("status") in UNFINISHED], False
        self._sent = {game_id: event for _, game_id, event in found}
        return news


def _game_event(player_id: str, view: Json) -> Json:
    """Return the event with the state of a game for one of its players."""
    seats = [number for number, seat in enumerate(view["seats"]) if seat["player"] == player_id]
    if not seats:
        return {"kind": GAME_LEFT, "game_id": view["id"]}
    is_paused, number = view["paused_until"] is not None, view["to_decide"]
    return {
        "kind": GAME_CHANGED,
        "game_id": view["id"],
        "revision": view["revision"],
        "status": view["status"],
        "seats": seats,
        "your_turn": number in seats and view["seats"][number]["status"] == ACTIVE and not is_paused,
        "offers": view["offers"],
    }
