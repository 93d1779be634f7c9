"""Pairing: who of those who seek plays together, and the game that becomes of it.

It is fair: whoever has waited longest is looked at first, and gets those who have waited longest of all who fit.
Whoever looks, a request or a keeper, chooses from what they read, and the store takes the choice only if all of it
still waits; so it does not matter how many look at once. The game is created by whoever comes first.
"""

from __future__ import annotations

import contextlib
import random
from collections.abc import Iterator, Sequence
from typing import Any

import orjson

from service.storage.base.connect import RedisError
from service.storage.games.store import GameExistsError
from service.storage.matchmaking.seeks import Pairing, Partner, StoredSeek
from service.usecases.base.batches import Look
from service.usecases.base.context import Context

WIDENING_MS = 30_000  # after so long a range of ratings is twice as wide, after twice that three times
DUE_MS = 5_000  # whoever has paired them has created the game by then, or never will
SEEKS_A_LOOK = 100
MAX_CHECKS = 40_000  # comparisons of a seek with a group in one pass, shared by the seeks with the same settings
MIN_CHECKS = 24  # for one seek, however many others there are
GAMES_CREATED_A_LOOK = 25
"""A round of a competition comes at once, and clocks are looked at between two looks."""


def groups(waiting: Sequence[StoredSeek], now_ms: int) -> Iterator[list[StoredSeek]]:
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
            found = _full_group([*group, seek], candidates[number + 1 :], now_ms, checks)
            if found:
                return found
    return []


def _compatible(first: StoredSeek, candidates: Sequence[StoredSeek], now_ms: int) -> list[StoredSeek]:
    """Return the seek and those that fit it and each other, the oldest first."""
    group = [first]
    for seek in candidates:
        if _fits(group, seek, now_ms):
            group.append(seek)
    return group


def _fits(group: Sequence[StoredSeek], seek: StoredSeek, now_ms: int) -> bool:
    return all(_fit(member, seek, now_ms) for member in group)


def _fit(one: StoredSeek, other: StoredSeek, now_ms: int) -> bool:
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


def match(context: Context, settings: dict[str, Any] | None = None, first: StoredSeek | None = None) -> int:
    """Pair those who wait, of all, or of those who want just that; how many games come of it.

    `first`: who is looked at before all others.
    """
    now = context.now_ms()
    waiting = [seek for seek in context.seeks.waiting(now) if settings is None or seek.settings == settings]
    if first is not None:
        waiting.sort(key=lambda seek: seek.id != first.id)
    return sum(_pair(context, group, now) for group in groups(waiting, now))


def _pair(context: Context, group: Sequence[StoredSeek], now_ms: int) -> bool:
    """Have the group become a game; False where somebody else was faster."""
    settings = group[0].settings
    partners = [Partner(seek.player, seek.name, None) for seek in group]
    partners += [Partner(None, None, group[0].fill)] * (settings["seats"] - len(group))
    pairing = seated(context, settings, partners)
    if not context.seeks.pair(group, pairing, now_ms, now_ms + DUE_MS):
        return False
    with contextlib.suppress(RedisError):  # then a keeper creates the game
        create(context, pairing)
    return True


def seated(context: Context, settings: dict[str, Any], partners: Sequence[Partner]) -> Pairing:
    """A pairing of these, whose seats are drawn."""
    drawn = random.SystemRandom().sample(partners, len(partners))
    return Pairing(context.store.new_game_id(), settings, tuple(drawn))


def create(context: Context, pairing: Pairing) -> None:
    """Create the game of a pairing, unless somebody has done so."""
    from service.usecases.matchmaking import paired_games  # it needs the rules

    with contextlib.suppress(GameExistsError):
        paired_games.create(context, pairing)
    players = [partner.player for partner in pairing.partners if partner.player is not None]
    known_bots = [bot.id for bot in context.bots.of(players) if bot is not None]
    if known_bots:
        context.bots.begin(known_bots, pairing.game_id, context.now_ms(), context.settings.game_ttl_s)
    context.seeks.done(pairing)


def look_after(context: Context) -> Look:
    """Pair those who wait, create games that nobody has created, and forget seeks that nobody keeps; how many."""
    now = context.now_ms()
    done = match(context)
    due = context.seeks.take_due(now, now + DUE_MS, GAMES_CREATED_A_LOOK)
    for pairing in due:
        create(context, pairing)
    ended = context.seeks.ended(now, SEEKS_A_LOOK)
    for seek in ended:
        context.seeks.drop(seek, now)
    more = len(due) == GAMES_CREATED_A_LOOK or len(ended) == SEEKS_A_LOOK
    return Look(done + len(due) + len(ended), more)


def end_all_of(context: Context, player_id: str) -> None:
    """The player looks for nobody any more, and asks nobody, nor is asked, nor found as a bot."""
    context.bots.drop(player_id)
    context.challenges.forget(player_id, context.now_ms())
    for seek in context.seeks.waiting(0):
        if seek.player == player_id:
            context.seeks.drop(seek)
