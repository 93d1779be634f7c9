"""Pair players who seek, and create their games.

Pairing is fair: the seek that has waited longest comes first, and gets the compatible seeks that have waited longest. A
request or a keeper chooses from the seeks that it read. The store accepts the choice only if all of these seeks still
wait, so several processes can pair at once. The first to get to it creates the game.
"""

from __future__ import annotations

import contextlib
import itertools
import random
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import orjson

from service.games.state.clocks import ClockRule
from service.storage.base.connect import RedisError
from service.storage.games.store import GameExistsError
from service.storage.matchmaking.seeks import RESUME_MS, Pairing, Partner, StoredSeek
from service.storage.matchmaking.starts import Start
from service.storage.work.figures import WAIT
from service.usecases.base import published_bots
from service.usecases.base.batches import BatchResult
from service.usecases.base.context import Context
from service.usecases.games import shares

WIDENING_MS = 30_000  # a rating range grows by its initial width in this time
DUE_MS = 5_000  # after this time, a keeper creates the game of a pairing
SEEKS_PER_BATCH = 100
WAITS_S = (1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1_800, 3_600, 86_400)
"""Seconds to which waits are rounded up in the figures. Longer waits count as the last."""
MAX_CHECKS = 40_000  # comparisons of a seek with a group in one pass, shared by the seeks with the same settings
MIN_CHECKS = 24  # for one seek, however many others there are
GAMES_CREATED_PER_BATCH = 25
"""A round has many games, and clocks are checked only between two batches."""


def find_groups(waiting: Sequence[StoredSeek], now_ms: int) -> Iterator[list[StoredSeek]]:
    """Yield the seeks that become one game; `waiting` is sorted by age, the oldest first.

    A group with too few players is filled with AIs.
    """
    alike: dict[bytes, dict[str, StoredSeek]] = {}
    for seek in waiting:
        alike.setdefault(orjson.dumps(seek.settings, option=orjson.OPT_SORT_KEYS), {})[seek.id] = seek
    for free in alike.values():
        checks = max(MIN_CHECKS, MAX_CHECKS // len(free))
        while free:
            first = free.pop(next(iter(free)))
            candidates = _candidates(list(free.values()), checks, now_ms)
            group = _full_group([first], candidates, now_ms, iter(range(checks)))
            if not group:
                if first.fill is None or now_ms < first.fill_at:
                    continue
                same_fill = [seek for seek in candidates if seek.fill == first.fill]
                group = _compatible(first, same_fill, now_ms)[: first.settings["seats"]]
            for seek in group[1:]:
                del free[seek.id]
            yield group


def _candidates(others: list[StoredSeek], count: int, now_ms: int) -> list[StoredSeek]:
    """Return at most `count` of the others: the oldest, and for half of the count some that change with the time.

    So every combination of seeks is tried sooner or later, even where there are too many for one pass.
    """
    if len(others) <= count:
        return others
    oldest = count // 2
    start = oldest + now_ms % (len(others) - count + 1)
    return others[:oldest] + others[start : start + count - oldest]


def _full_group(
    group: list[StoredSeek], candidates: Sequence[StoredSeek], now_ms: int, checks: Iterator[int]
) -> list[StoredSeek]:
    """Return the group extended to all its seats, the oldest candidates first; empty if there is no such group.

    Each candidate that is compared with a group takes one of `checks`; the search ends when none is left.
    """
    if len(group) == group[0].settings["seats"]:
        return group
    for number, seek in enumerate(candidates):
        if next(checks, None) is None:
            break
        if _fits(group, seek, now_ms):
            full_group = _full_group([*group, seek], candidates[number + 1 :], now_ms, checks)
            if full_group:
                return full_group
    return []


def _compatible(first: StoredSeek, candidates: Sequence[StoredSeek], now_ms: int) -> list[StoredSeek]:
    """Return the seek and those that fit it and each other, the oldest first."""
    group = [first]
    for seek in candidates:
        if _fits(group, seek, now_ms):
            group.append(seek)
    return group


def _fits(group: Sequence[StoredSeek], seek: StoredSeek, now_ms: int) -> bool:
    return all(_are_compatible(member, seek, now_ms) for member in group)


def _are_compatible(one: StoredSeek, other: StoredSeek, now_ms: int) -> bool:
    """Return whether two seeks with the same settings may become one game."""
    return (
        one.player != other.player
        and one.player not in other.blocked
        and other.player not in one.blocked
        and _may_be_rated(one, other)
        and all(_is_near(seek, abs(one.points - other.points), now_ms) for seek in (one, other))
    )


def _may_be_rated(one: StoredSeek, other: StoredSeek) -> bool:
    """Return False for a rated game of a person and a program, unless both accept that."""
    return not one.settings["rated"] or one.bot == other.bot or (one.mixed and other.mixed)


def _is_near(seek: StoredSeek, points_apart: int, now_ms: int) -> bool:
    """Return whether a rating so far away is acceptable; the range widens while the player waits."""
    if seek.rating_range is None:
        return True
    return points_apart <= seek.rating_range * (1 + (now_ms - seek.created_at) / WIDENING_MS)


def pair_waiting(context: Context, settings: dict[str, Any] | None = None, first: StoredSeek | None = None) -> int:
    """Pair the seeks that wait, or only those with these settings. Return the number of new games.

    `first` is paired before all others.
    """
    now = context.now_ms()
    waiting = [seek for seek in context.seeks.list_waiting(now) if settings is None or seek.settings == settings]
    waiting = _without_busy_bots(context, waiting)
    if first is not None:
        waiting.sort(key=lambda seek: seek.id != first.id)
    return sum(_pair(context, group, now) for group in find_groups(waiting, now))


def _without_busy_bots(context: Context, waiting: list[StoredSeek]) -> list[StoredSeek]:
    """Return the seeks without those of bots that play as many games as they allow."""
    found = context.bots.get_many([*{seek.player for seek in waiting if seek.bot}])
    bots = [bot for bot in found if bot is not None]
    playing = published_bots.count_games(context, bots)
    busy = {bot.id for bot in bots if playing[bot.id] >= bot.games_at_once}
    return [seek for seek in waiting if seek.player not in busy]


def _is_counted(
    context: Context, group: Sequence[StoredSeek], game_id: str, names: Mapping[str, Sequence[str]]
) -> bool:
    """Count the game under the `names` of each seek. End the seeks whose caller or player has too many games."""
    full = {*shares.find_full(context, game_id, itertools.chain(*names.values()))}
    for seek in group:
        if full & {*names[seek.id]}:
            context.seeks.drop(seek)
    return not full


def _pair(context: Context, group: Sequence[StoredSeek], now_ms: int) -> bool:
    """Turn the group into a game. Return False if another process was faster, or if the group cannot play.

    Players who block one another wait for others. The seeks of players who get no rated games now end.
    """
    settings, players = group[0].settings, [seek.player for seek in group]
    if settings["rated"] and (paused := _find_paused(context, group, now_ms)):
        for seek in paused:
            context.seeks.drop(seek)
        return False
    if blocks := context.players.blocks_among(players):
        for seek in group:  # the next pass pairs them with others
            if others := {other for one, other in blocks if one == seek.player}:
                context.seeks.block(seek, others)
        return False
    partners = [Partner(seek.player, seek.name, None) for seek in group]
    partners += [Partner(None, None, group[0].fill)] * (settings["seats"] - len(group))
    pairing = draw_seats(context, settings, partners)
    names = {seek.id: shares.holders(seek.caller, seek.player) for seek in group}
    if not _is_counted(context, group, pairing.game_id, names):
        return False
    start, consents = start_of(context, pairing), published_bots.consents_of(context, dict.fromkeys(players))
    if not context.seeks.pair(group, pairing, start.now_ms + DUE_MS, start, consents):
        shares.release(context, pairing.game_id, itertools.chain(*names.values()))
        return False
    with contextlib.suppress(RedisError):  # then a keeper creates the game
        create(context, pairing)
        _count_waits(context, group, now_ms)
    return True


def _count_waits(context: Context, group: Sequence[StoredSeek], now_ms: int) -> None:
    """Count how long the seeks of a group have waited, as the next of `WAITS_S`."""
    waits = ((now_ms - seek.created_at) / 1000 for seek in group)
    bounds = (WAITS_S[min(bisect_left(WAITS_S, wait_s), len(WAITS_S) - 1)] for wait_s in waits)
    context.figures.count(now_ms, [f"{WAIT}{bound}" for bound in bounds])


def _find_paused(context: Context, group: Sequence[StoredSeek], now_ms: int) -> list[StoredSeek]:
    """Return the seeks of players who get no rated games now."""
    ends = context.ratings.paused_until([seek.player for seek in group])
    return [seek for seek, end in zip(group, ends, strict=True) if end > now_ms]


def draw_seats(context: Context, settings: dict[str, Any], partners: Sequence[Partner]) -> Pairing:
    """Return a pairing of these partners with seats in random order."""
    shuffled = random.SystemRandom().sample(partners, len(partners))
    return Pairing(context.store.new_game_id(), settings, tuple(shuffled))


def start_of(context: Context, pairing: Pairing) -> Start:
    """Return the start of a pairing's game."""
    clock, game_id = pairing.settings["clock"], pairing.game_id
    is_live = clock is not None and ClockRule(**clock).is_live
    return Start(game_id, game_id, is_live, context.now_ms(), context.settings.game_ttl_s)


def create(context: Context, pairing: Pairing) -> None:
    """Create the game of a pairing, unless it exists already."""
    from service.usecases.matchmaking import paired_games  # loads the rules

    with contextlib.suppress(GameExistsError):
        paired_games.create(context, pairing)
    players = [partner.player for partner in pairing.partners if partner.player is not None]
    bot_ids = [bot.id for bot in context.bots.get_many(players) if bot is not None]
    if bot_ids:
        context.bots.add_game(bot_ids, pairing.game_id, context.now_ms(), context.settings.game_ttl_s)
    context.seeks.remove_pairing(pairing)


def run_due(context: Context) -> BatchResult:
    """Pair waiting seeks, create games that are still missing, and delete seeks that have expired."""
    now = context.now_ms()
    paired = pair_waiting(context)
    due = context.seeks.take_due(now, now + DUE_MS, GAMES_CREATED_PER_BATCH)
    for pairing in due:
        create(context, pairing)
    ended_by = now - RESUME_MS
    ended = context.seeks.list_ended(ended_by, SEEKS_PER_BATCH)
    for seek in ended:
        context.seeks.drop(seek, ended_by)
    if starters := context.starts.take_starters():
        from service.usecases.matchmaking import challenging  # loads the rules

        challenging.withdraw_lapsed(context, starters)
    more = len(due) == GAMES_CREATED_PER_BATCH or len(ended) == SEEKS_PER_BATCH
    return BatchResult(paired + len(due) + len(ended), more)


def forget_player(context: Context, player_id: str) -> None:
    """Delete the player's seeks, challenges, last start and published bot."""
    context.bots.withdraw(player_id)
    context.starts.forget(player_id)
    context.challenges.forget(player_id, context.now_ms())
    for seek in context.seeks.list_waiting(0):
        if seek.player == player_id:
            context.seeks.drop(seek)
