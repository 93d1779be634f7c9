"""The bots' arena: bots that take part are paired all the time, so that the table of bots is always fresh.

A keeper looks every few seconds, while no AI's or endpoint's decision waits in the queue. Of the bots that are online
and not busy, whichever was paired longest ago plays first, with the one nearest to it by rating of those that fit; of
those as near, the one that was paired longest ago. Games have two seats and a clock, and are rated. A pairing is one
commit, so whoever dies leaves none, or one game.
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
from service.storage.matchmaking.bots import InArena, StoredBot
from service.storage.matchmaking.seeks import Partner
from service.usecases.base import published_bots
from service.usecases.base.batches import Look
from service.usecases.base.context import Context
from service.usecases.matchmaking import pairing

PAUSE_MS = 5_000
ARENA_TURN_S, ARENA_BANK_S = 10, 180
"""The clock of its games, but for what a bot's bounds make of it."""
MAX_OF_TWO = 5
"""So many games of the same two it begins a day: as many as are rated."""


@dataclass(frozen=True)
class Candidate:
    """A bot that may be paired now. `points`: its ratings at two seats, by ruleset; `blocked`: ids of players."""

    place: InArena
    bot: StoredBot
    name: str | None
    points: Mapping[str, int]
    blocked: frozenset[str] = frozenset()


class Match(NamedTuple):
    """Two that are to play, and what."""

    two: tuple[Candidate, Candidate]
    ruleset: str
    clock: tuple[int, int]


def look_after(context: Context) -> Look:
    """Pair bots, where it is time, the arena is on and nothing waits for a worker; how many games begin."""
    most = context.settings.bot_arena_games
    if not most or not context.bots.may_look(PAUSE_MS) or not is_idle(context):
        return Look(0, more=False)
    begun = context.bots.begun_today(context.now_ms())
    matches_now = matches(_candidates(context, begun, most), begun)
    return Look(sum(_begin(context, match, most) for match in matches_now), more=False)


def is_idle(context: Context) -> bool:
    """Whether no decision waits in the queue, of an AI or of an endpoint."""
    return context.queue.decisions() == 0


def _candidates(context: Context, begun: Mapping[str, int], most: int) -> list[Candidate]:
    """Who may be paired now, whoever was paired longest ago first. Bots whose player is no more are forgotten."""
    now = context.now_ms()
    places = [place for place in context.bots.in_arena() if begun.get(place.id, 0) < most]
    known = dict(zip(places, context.bots.of([place.id for place in places]), strict=True))
    online = {
        place: bot
        for place, bot in known.items()
        if bot is not None and published_bots.is_known(context, bot) and published_bots.is_online(bot, now)
    }
    if len(online) < 2:
        return []
    playing = published_bots.playing(context, [*online.values()])
    ids = [place.id for place in online]
    results = []
    for (place, bot), player, ratings in zip(
        online.items(), context.players.every(ids), context.ratings.of_all(ids), strict=True
    ):
        if player is None:
            context.bots.drop(place.id)
        elif playing[place.id] < bot.games_at_once:
            points = published_bots.points_of(bot, ratings, seats=2)
            blocked = frozenset(context.players.blocked(player))
            results.append(Candidate(place, bot, player.name, points, blocked))
    return results


def matches(candidates: Sequence[Candidate], begun: Mapping[str, int]) -> Iterator[Match]:
    """Who plays with whom, of those who may, whoever was paired longest ago first. `begun`: as `Bots.begun_today`."""
    free = list(candidates)
    while free:
        first = free.pop(0)
        found = [(other, common) for other in free if (common := _common(first, other, begun))]
        if not found:
            continue
        ruleset = random.SystemRandom().choice(sorted({ruleset for _, common in found for ruleset in common}))
        fitting = [other for other, common in found if ruleset in common]
        points = first.points[ruleset]
        second = min(fitting, key=lambda other: abs(other.points[ruleset] - points))
        free.remove(second)
        yield Match((first, second), ruleset, clock_of(first.bot, second.bot) or (ARENA_TURN_S, ARENA_BANK_S))


def _common(one: Candidate, other: Candidate, begun: Mapping[str, int]) -> set[str]:
    """The rulesets that two may play with each other; none where they do not fit, or have met too often today."""
    met = begun.get(" ".join(sorted((one.bot.id, other.bot.id))), 0)
    if met >= MAX_OF_TWO or one.bot.id in other.blocked or other.bot.id in one.blocked:
        return set()
    if clock_of(one.bot, other.bot) is None:
        return set()
    return {*one.bot.rulesets} & {*other.bot.rulesets}


def clock_of(one: StoredBot, other: StoredBot) -> tuple[int, int] | None:
    """Seconds a turn and in the bank that both accept, as near to the arena's as can be; None: there are none."""
    turn_s = _nearest(ARENA_TURN_S, one.turn_s, other.turn_s)
    bank_s = _nearest(ARENA_BANK_S, one.bank_s, other.bank_s)
    return (turn_s, bank_s) if turn_s is not None and bank_s is not None and turn_s + bank_s else None


def _nearest(wanted: int, *bounds: tuple[int, int]) -> int | None:
    least, most = max(low for low, _ in bounds), min(high for _, high in bounds)
    return min(max(wanted, least), most) if least <= most else None


def settings_of(match: Match, variant: str) -> dict[str, Any]:
    """What is played, as a pairing has it."""
    clock = ClockRule(*match.clock, LOSE, FALLBACK)
    return {"ruleset": match.ruleset, "variant": variant, "seats": 2, "clock": asdict(clock), "rated": True}


def _begin(context: Context, match: Match, most: int) -> bool:
    """Have the two play; False where one of them is not as it was any more."""
    from service.rulesets.registry import RULESETS  # it loads the rules, which a keeper has beside its first looks

    variant = random.SystemRandom().choice(RULESETS[match.ruleset].variants)
    partners = [Partner(one.bot.id, one.name, None) for one in match.two]
    coming = pairing.seated(context, settings_of(match, variant), partners)
    now = context.now_ms()
    places, at_once = [one.place for one in match.two], [one.bot.games_at_once for one in match.two]
    times, limits = (now, now + pairing.DUE_MS), (most, MAX_OF_TWO)
    if context.bots.pair(places, at_once, coming, times, limits, context.settings.game_ttl_s) != "done":
        return False
    with contextlib.suppress(RedisError):  # then a keeper creates the game
        pairing.create(context, coming)
    return True
