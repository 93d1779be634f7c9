"""Shares of callers: entries in the lists that all callers fill, and unfinished games.

A caller is an address or an application. Nobody can fill a shared list alone: a caller has at most LIMIT_SHARE entries
in it, and a player a fixed number. If a list is full, the caller with the most entries gives up its oldest one, unless
somebody uses that. So only a caller with many entries is ever refused.

An unfinished game counts for each caller and player who asked for it, whichever way it was created.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from service.games.errors import GameError
from service.games.state.statuses import UNFINISHED
from service.storage.base.shares import CALLER_FULL, LIST_FULL, NO_LIMIT, PLAYER_FULL, Entry, Place, SharedList
from service.storage.base.transactions import APPLIED
from service.usecases.base import game_facts
from service.usecases.base.context import Caller, Context
from service.usecases.base.published_bots import UNSETTLED_MS

MAX_GIVEN_UP = 10
"""Entries that are given up for one new entry, if other callers are faster each time."""
GiveUp = Callable[[Sequence[str]], bool]
"""Ends the first of these entries that nobody uses. Returns False if there is none."""


def most_of_caller(context: Context) -> int:
    """Return how many entries a caller may have in a shared list, or 0 without limits."""
    return context.settings.limit_share if context.settings.has_rate_limits else 0


def add_entry(shared: SharedList, caller: str, add: Callable[[], str], give_up: GiveUp) -> str:
    """Return the word of `add`. If the list is full, make room and repeat it."""
    for _ in range(MAX_GIVEN_UP):
        word = add()
        if word != LIST_FULL or not give_up(entries_to_give_up(shared.read(), caller)):
            return word
    return add()


def entries_to_give_up(entries: Sequence[Entry], caller: str) -> list[str]:
    """Return the entries that can make room for a new one of the caller: those of the fullest callers, oldest first.

    Callers with fewer entries than this caller would have keep all of theirs. An entry of an unknown caller, which an
    older version wrote, counts as the only one of its caller.
    """
    callers = {entry: entry.caller or entry.id for entry in entries}
    counts = Counter([caller, *callers.values()])
    fuller = [entry for entry in entries if counts[callers[entry]] >= counts[caller]]
    fuller.sort(key=lambda entry: (-counts[callers[entry]], entry.caller == caller, entry.since, entry.id))
    return [entry.id for entry in fuller]


def must_be_added(context: Context, word: str, code: str, *, of_player: int, of_all: int) -> None:
    """Raise the error `code`, with the limit that was reached, unless the entry was added."""
    if word != APPLIED:
        limits = {PLAYER_FULL: of_player, CALLER_FULL: context.settings.limit_share, LIST_FULL: of_all}
        raise GameError(code, limit=limits[word])


# ------------------------------------------------------------------------------------------------ unfinished games


def new_game_id(context: Context, caller: Caller, remembered: str | None = None) -> str:
    """Return an id for a new game, in the bucket of the digest `remembered` if there is one.

    Raises: limit/open_games if the caller or the player has too many unfinished games.
    """
    game_id = context.store.new_game_id(remembered)
    count_game(context, game_id, holders_of(caller))
    return game_id


def holders_of(caller: Caller) -> list[str]:
    """Return the names under which the caller's games are counted."""
    return holders(caller.share, caller.player_id)


def holders(caller: str, player_id: str | None) -> list[str]:
    """Return the names under which games of this caller (digest, may be empty) and player are counted."""
    return [*([caller] if caller else []), *([] if player_id is None else [f"player:{player_id}"])]


def count_game(context: Context, game_id: str, names: Iterable[str]) -> None:
    """Count a game that will be created. Raises: limit/open_games."""
    if find_full(context, game_id, names):
        raise GameError("limit/open_games", limit=context.settings.limit_open_games)


def find_full(context: Context, game_id: str, names: Iterable[str]) -> list[str]:
    """Count a game that will be created. If it cannot be counted for some of `names`, return them and count nothing."""
    most = _most_games(context)
    if not most:
        return []
    places = [Place(name, game_id) for name in dict.fromkeys(names)]
    full = _take(context, places, most)
    if full:
        for name in full:
            _release_ended(context, name)
        full = _take(context, [place for place in places if place.holder in full], most)
    if full:
        context.open_games.release(places)
    return full


def count_in_any_case(context: Context, places: Sequence[Place]) -> None:
    """Count games that must not be refused."""
    if _most_games(context):
        _take(context, places, NO_LIMIT)


def must_have_room(context: Context, names: Iterable[str]) -> None:
    """Raise limit/open_games if a new game would be refused now."""
    most = _most_games(context)
    for name in names if most else ():
        if len(_games_of(context, name)) >= most:
            _release_ended(context, name)
            if len(_games_of(context, name)) >= most:
                raise GameError("limit/open_games", limit=most)


def release(context: Context, game_id: str, names: Iterable[str]) -> None:
    """Count a game no longer, because it will not be created."""
    if _most_games(context):
        context.open_games.release([Place(name, game_id) for name in names])


def _most_games(context: Context) -> int:
    return context.settings.limit_open_games if context.settings.has_rate_limits else 0


def _take(context: Context, places: Sequence[Place], most: int) -> list[str]:
    return context.open_games.take(places, most, context.settings.game_ttl_s)


def _games_of(context: Context, name: str) -> dict[str, int]:
    return context.open_games.games_of(name, context.settings.game_ttl_s, context.now_ms())


def _release_ended(context: Context, name: str) -> None:
    """Free the places of games that have ended, and of those that were not created for a long time."""
    held, now = _games_of(context, name), context.now_ms()
    facts = zip(held.items(), game_facts.get_many(context, list(held)), strict=True)
    ended = [
        Place(name, game_id)
        for (game_id, since), stored in facts
        if (now - since >= UNSETTLED_MS if stored is None else stored.facts.status not in UNFINISHED)
    ]
    if ended:
        context.open_games.release(ended)
