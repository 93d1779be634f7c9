"""The bots' arena: it keeps pairing the bots that take part, so that their leaderboard stays current.

A keeper pairs bots every few seconds, unless decisions of AIs or endpoints are waiting in the queue. Only bots that are
online and not busy are paired. The bot whose last pairing is the oldest comes first. It plays the compatible bot with
the nearest rating, or among equals the one whose last pairing is the oldest. Games have two seats and a clock, and are
rated. A pairing is one commit, so a process that dies leaves either no game or one.
"""

from __future__ import annotations

import contextlib
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from service.games.state.clocks import LOSE, ClockRule
from service.levels import FALLBACK
from service.storage.base.connect import RedisError
from service.storage.matchmaking.bots import ArenaBot, StoredBot
from service.storage.matchmaking.seeks import Partner
from service.storage.people.players import BLOCKED
from service.usecases.base import published_bots
from service.usecases.base.batches import BatchResult
from service.usecases.base.context import Context
from service.usecases.matchmaking import pairing

PAIRING_INTERVAL_MS = 5_000
ARENA_TURN_S, ARENA_BANK_S = 10, 180
"""The clock of arena games, unless the bounds of a bot require another."""
MAX_GAMES_PER_PAIR = 5
"""Games of the same two bots a day: as many as are rated."""


@dataclass(frozen=True)
class Candidate:
    """A bot that can be paired now. `points`: its ratings at two seats, by ruleset; `blocked`: ids of players."""

    place: ArenaBot
    bot: StoredBot
    name: str | None
    points: Mapping[str, int]
    blocked: frozenset[str] = frozenset()


class Match(NamedTuple):
    """Two bots, and the game they will play."""

    two: tuple[Candidate, Candidate]
    ruleset: str
    clock: tuple[int, int]


def run_due(context: Context) -> BatchResult:
    """Pair bots if it is time, the arena is on and no decision is waiting. The result counts new games."""
    most = context.settings.bot_arena_games
    if not most or not context.bots.lease_arena(PAIRING_INTERVAL_MS) or not is_idle(context):
        return BatchResult(0, more=False)
    counts = context.bots.arena_games_today(context.now_ms())
    new_matches = pair_candidates(_candidates(context, counts, most), counts)
    return BatchResult(sum(_begin(context, match, most) for match in new_matches), more=False)


def is_idle(context: Context) -> bool:
    """Return whether the queue contains no decisions of AIs or endpoints."""
    return context.queue.decisions() == 0


def _candidates(context: Context, begun: Mapping[str, int], most: int) -> list[Candidate]:
    """Return the bots that can be paired, the oldest pairing first. Remove bots whose player was deleted."""
    now = context.now_ms()
    places = [place for place in context.bots.arena_bots() if begun.get(place.id, 0) < most]
    stored = dict(zip(places, context.bots.get_many([place.id for place in places]), strict=True))
    online = {
        place: bot
        for place, bot in stored.items()
        if bot is not None and published_bots.is_published(context, bot) and published_bots.is_online(bot, now)
    }
    if len(online) < 2:
        return []
    playing = published_bots.count_games(context, [*online.values()])
    ids = [place.id for place in online]
    players, paused_until = context.players.get_many(ids), context.ratings.paused_until(ids)
    results = []
    for (place, bot), player, ratings, pause_end in zip(
        online.items(), players, context.ratings.get_many(ids), paused_until, strict=True
    ):
        if player is None:
            context.bots.withdraw(place.id)
        elif playing[place.id] < bot.games_at_once and pause_end <= now:
            points = published_bots.points_of(bot, ratings, seats=2)
            blocked = frozenset(context.players.relations(player, BLOCKED))
            results.append(Candidate(place, bot, player.display_name, points, blocked))
    return results


def pair_candidates(candidates: Sequence[Candidate], begun: Mapping[str, int]) -> Iterator[Match]:
    """Yield the matches of these candidates. `begun`: numbers of games as from `Bots.arena_games_today`."""
    free = list(candidates)
    while free:
        first = free.pop(0)
        opponents = [(other, common) for other in free if (common := _common_rulesets(first, other, begun))]
        if not opponents:
            continue
        ruleset = random.SystemRandom().choice(sorted({ruleset for _, common in opponents for ruleset in common}))
        compatible = [other for other, common in opponents if ruleset in common]
        points = first.points[ruleset]
        second = min(compatible, key=lambda other: abs(other.points[ruleset] - points))
        free.remove(second)
        yield Match((first, second), ruleset, clock_of(first.bot, second.bot) or (ARENA_TURN_S, ARENA_BANK_S))


def _common_rulesets(one: Candidate, other: Candidate, begun: Mapping[str, int]) -> set[str]:
    """Return the rulesets that two bots can play; empty if they are incompatible or have played too often today."""
    games = begun.get(" ".join(sorted((one.bot.id, other.bot.id))), 0)
    is_blocked = one.bot.id in other.blocked or other.bot.id in one.blocked
    if games >= MAX_GAMES_PER_PAIR or is_blocked or clock_of(one.bot, other.bot) is None:
        return set()
    return {*one.bot.rulesets} & {*other.bot.rulesets}


def clock_of(one: StoredBot, other: StoredBot) -> tuple[int, int] | None:
    """Return seconds a turn and in the bank that both bots accept, as near to the arena's as possible, or None."""
    return published_bots.clock_within((one, other), ARENA_TURN_S, ARENA_BANK_S)


def settings_of(match: Match, variant: str) -> dict[str, Any]:
    """Return the settings of the match's game, in the form of a pairing."""
    clock = ClockRule(*match.clock, LOSE, FALLBACK)
    return {"ruleset": match.ruleset, "variant": variant, "seats": 2, "clock": asdict(clock), "rated": True}


def _begin(context: Context, match: Match, most: int) -> bool:
    """Start the game of the two bots. Return False if either has changed in the meantime."""
    from service.rulesets.registry import RULESETS  # loads the rules, which a keeper starts without

    variant = random.SystemRandom().choice(RULESETS[match.ruleset].variants)
    partners = [Partner(one.bot.id, one.name, None) for one in match.two]
    coming = pairing.draw_seats(context, settings_of(match, variant), partners)
    now = context.now_ms()
    places, at_once = [one.place for one in match.two], [one.bot.games_at_once for one in match.two]
    times, limits = (now, now + pairing.DUE_MS), (most, MAX_GAMES_PER_PAIR)
    if context.bots.pair(places, at_once, coming, times, limits, context.settings.game_ttl_s) != "done":
        return False
    with contextlib.suppress(RedisError):  # then a keeper creates the game
        pairing.create(context, coming)
    return True
