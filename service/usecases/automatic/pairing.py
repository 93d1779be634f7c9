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

from service.storage.connect import RedisError
from service.storage.seeks import Pairing, Partner, StoredSeek
from service.storage.store import GameExists
from service.usecases.core.context import Context
from service.usecases.core.looks import Look

WIDENING_MS = 30_000  # after so long a range of ratings is twice as wide, after twice that three times
DUE_MS = 5_000  # whoever has paired them has created the game by then, or never will
SEEKS_A_LOOK = 100
GAMES_CREATED_A_LOOK = 25
"""A round of a competition comes at once, and clocks are looked at between two looks."""


def groups(waiting: Sequence[StoredSeek], now_ms: int) -> Iterator[list[StoredSeek]]:
    """Who plays together, of those who wait, longest first. A group with too few players is filled with AIs."""
    free = list(waiting)
    while free:
        first = free.pop(0)
        group = _partners(first, free, now_ms)
        if len(group) < first.settings["seats"]:
            if first.fill is None or now_ms < first.fill_at:
                continue
            group = [seek for seek in group if seek.fill == first.fill]
        free = [seek for seek in free if seek not in group]
        yield group


def _partners(first: StoredSeek, others: Sequence[StoredSeek], now_ms: int) -> list[StoredSeek]:
    """The seek, and of the others those that fit, as many as there are seats for."""
    group = [first]
    for other in others:
        if len(group) == first.settings["seats"]:
            break
        if all(_fit(one, other, now_ms) for one in group):
            group.append(other)
    return group


def _fit(one: StoredSeek, other: StoredSeek, now_ms: int) -> bool:
    return (
        one.settings == other.settings
        and one.player != other.player
        and one.player not in other.blocked
        and other.player not in one.blocked
        and _may_be_rated(one, other)
        and all(_is_near(seek, abs(one.points - other.points), now_ms) for seek in (one, other))
    )


def _may_be_rated(one: StoredSeek, other: StoredSeek) -> bool:
    """Not one of people and the other of programs, unless both have said that they want it, or nobody is rated."""
    return not one.settings["rated"] or one.bot == other.bot or (one.mixed and other.mixed)


def _is_near(seek: StoredSeek, points_apart: int, now_ms: int) -> bool:
    """Whether a rating so far from the player's is one they want to meet: the longer they wait, the farther."""
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
    from service.usecases.automatic import paired_games  # it needs the rules

    with contextlib.suppress(GameExists):
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
