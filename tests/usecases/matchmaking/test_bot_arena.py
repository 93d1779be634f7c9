"""The bots' arena: pairs, times and limits, and one game for each pairing after any kill."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from service.rulesets.wire import Json
from service.storage.matchmaking.bots import ArenaBot, StoredBot
from service.storage.people.ratings import Change, Scale
from service.usecases.base.context import Caller, Context
from service.usecases.base.published_bots import ONLINE_MS
from service.usecases.games import playing
from service.usecases.games.commands import Request
from service.usecases.keeping import duties
from service.usecases.matchmaking import bot_arena, bots, paired_games, pairing
from service.usecases.matchmaking.bot_arena import (
    MAX_GAMES_PER_PAIR,
    PAIRING_INTERVAL_MS,
    Candidate,
    clock_of,
    pair_candidates,
)
from service.usecases.people import follow_ups, players
from tests.usecases.bots import CALLED, POLLING, publish_bot
from tests.usecases.killing import KilledError, killed_before
from tests.usecases.players import Time, view

Arena = list[tuple[str, Caller]]


def candidate(number: int, points: int = 1500, **changes: Any) -> Candidate:
    """Create a bot that was last paired at the moment `number`."""
    blocked = changes.pop("blocked", frozenset())
    members = {**vars(POLLING), "endpoint": None, "arena": True, "published_at": "", **changes}
    bot = StoredBot(id=f"bot-{number}", **members)
    return Candidate(ArenaBot(bot.id, number), bot, None, dict.fromkeys(bot.rulesets, points), blocked)


def paired_bots(*candidates: Candidate, **games_today: int) -> list[tuple[str, str]]:
    pairs = [
        match.two
        for match in pair_candidates(candidates, {name.replace("_", " "): count for name, count in games_today.items()})
    ]
    return [(first.bot.id, second.bot.id) for first, second in pairs]


# ------------------------------------------------------------------------------------------------ who with whom


def test_the_longest_waiting_bot_plays_the_nearest_by_rating() -> None:
    four = [candidate(1, 1500), candidate(2, 1900), candidate(3, 1520), candidate(4, 1800)]
    assert [("bot-1", "bot-3"), ("bot-2", "bot-4")] == paired_bots(*four)
    assert [("bot-1", "bot-2")] == paired_bots(candidate(1, 1500), candidate(2, 1600), candidate(3, 1400))
    assert [] == paired_bots(candidate(1))


def test_two_bots_play_a_common_ruleset_with_a_common_clock() -> None:
    garden_bot, versatile_bot = (
        candidate(2, rulesets=("queens-garden",)),
        candidate(3, rulesets=("queens-garden", "azul")),
    )
    assert [("bot-1", "bot-3")] == paired_bots(candidate(1), garden_bot, versatile_bot)
    (match,) = pair_candidates([candidate(1, turn_s=(20, 30)), candidate(2, bank_s=(0, 60))], {})
    assert ("azul", (20, 60)) == (match.ruleset, match.clock)


@pytest.mark.parametrize(
    ("one", "other", "clock"),
    [
        ({}, {}, (10, 180)),
        ({"turn_s": (0, 5)}, {"turn_s": (2, 9)}, (5, 180)),
        ({"turn_s": (0, 5)}, {"turn_s": (6, 9)}, None),
        ({"bank_s": (200, 900)}, {"bank_s": (0, 199)}, None),
        ({"turn_s": (0, 0), "bank_s": (0, 0)}, {}, None),
    ],
)
def test_a_pair_gets_the_accepted_clock_nearest_to_that_of_the_arena(
    one: Json, other: Json, clock: tuple[int, int] | None
) -> None:
    assert clock == clock_of(candidate(1, **one).bot, candidate(2, **other).bot)


def test_blocked_bots_and_frequent_opponents_are_not_paired() -> None:
    assert [] == paired_bots(candidate(1, blocked=frozenset({"bot-2"})), candidate(2))
    assert [] == paired_bots(candidate(1), candidate(2, blocked=frozenset({"bot-1"})))
    two = candidate(1), candidate(2)
    assert [("bot-1", "bot-2")] == paired_bots(*two, **{"bot-1_bot-2": MAX_GAMES_PER_PAIR - 1})
    assert [] == paired_bots(*two, **{"bot-1_bot-2": MAX_GAMES_PER_PAIR})


# ------------------------------------------------------------------------------------------------------ the store


@pytest.fixture
def arena(context: Context, time: Time) -> Arena:
    """Publish three online bots that take part, and stop the clock."""
    return [publish_bot(context, arena=True, name=name) for name in ("A", "B", "C")]


def run_arena(context: Context, time: Time) -> int:
    """Run a keeper after the arena's pause. Return the number of new games."""
    time.pass_(PAIRING_INTERVAL_MS / 1000 + 1)
    context.seeks._redis.delete("{b00}:bot_arena_look")
    return bot_arena.run_due(context).done


def games(context: Context, bot: str) -> list[str]:
    return sorted(set(context.players.game_ids(bot)))


def test_bots_in_the_arena_play_rated_games_with_a_clock(context: Context, time: Time, arena: Arena) -> None:
    publish_bot(context)  # it does not take part
    assert (1, 0) == (run_arena(context, time), run_arena(context, time))
    playing_now = [bot for bot, _ in arena if games(context, bot)]
    assert 2 == len(playing_now)
    (game,) = games(context, playing_now[0])
    seen = view(context, game)
    assert (True, False, 10, 180) == (seen["rated"], seen["mixed"], seen["clock"]["turn_s"], seen["clock"]["bank_s"])
    assert {*playing_now} == {seat["player"] for seat in seen["seats"]}


def test_a_bot_that_was_left_out_plays_next(context: Context, time: Time, arena: Arena) -> None:
    run_arena(context, time)
    (idle_bot,) = [bot for bot, _ in arena if not games(context, bot)]
    game, caller = next((games(context, bot)[0], caller) for bot, caller in arena if bot != idle_bot)
    playing.resign(context, Request(caller, game), None)
    assert 1 == follow_ups.run_due(context).done
    assert 1 == run_arena(context, time)
    assert 1 == len(games(context, idle_bot))


def test_an_offline_bot_is_not_paired(context: Context, time: Time, arena: Arena) -> None:
    time.pass_(ONLINE_MS / 1000)
    assert 0 == run_arena(context, time)
    for _, caller in arena[:2]:
        players.get_own(context, caller)
    assert 1 == run_arena(context, time)


def test_called_bots_take_part_if_outgoing_calls_are_on(context: Context, time: Time) -> None:
    context.settings = replace(context.settings, outgoing="on")
    two = [publish_bot(context, CALLED, arena=True)[0] for _ in range(2)]
    context.settings = replace(context.settings, outgoing="off")
    assert 0 == run_arena(context, time)
    context.settings = replace(context.settings, outgoing="on")
    assert 1 == run_arena(context, time)
    (game,) = games(context, two[0])
    assert ["http", "http"] == [seat["kind"] for seat in view(context, game)["seats"]]


def test_bots_are_not_paired_while_a_decision_is_queued_or_the_arena_is_off(
    context: Context, time: Time, arena: Arena
) -> None:
    context.queue.wake("a-game", 1, 0, 0)
    assert 0 == run_arena(context, time)
    context.settings = replace(context.settings, bot_arena_games=0)
    context.queue.redis.delete(*context.queue.redis.keys("rq:*"))
    assert 0 == run_arena(context, time)
    context.settings = replace(context.settings, bot_arena_games=1)
    assert 1 == run_arena(context, time)


def test_only_one_keeper_pairs_at_a_time(context: Context, arena: Arena) -> None:
    assert [1, 0] == [bot_arena.run_due(context).done for _ in range(2)]


def test_a_bot_has_limited_games_a_day(context: Context, time: Time, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_arena, "MAX_GAMES_PER_PAIR", 99)
    context.settings = replace(context.settings, bot_arena_games=2)
    two = [publish_bot(context, arena=True, games_at_once=9) for _ in range(2)]
    day_ms = 86_400_000
    time.ms += day_ms - time.ms % day_ms  # a day begins
    for _, caller in two:
        players.get_own(context, caller)
    assert [1, 1, 0] == [run_arena(context, time) for _ in range(3)]
    time.pass_(86_400)
    for _, caller in two:
        players.get_own(context, caller)
    assert 1 == run_arena(context, time)


def test_a_bot_that_withdraws_or_leaves_the_arena_is_not_paired(context: Context, time: Time, arena: Arena) -> None:
    bots.withdraw(context, arena[0][1])
    bots.publish(context, arena[1][1], POLLING)
    assert 0 == run_arena(context, time)


def test_bots_of_similar_ratings_are_paired(context: Context, time: Time, arena: Arena) -> None:
    scale = Scale(25.0, 8.0, 4.0, 2.0, 0.0)
    change = Change("azul:two", 9.0, 0.5, True)
    for bot, _ in (arena[0], arena[2]):
        context.ratings.apply(bot, f"game of {bot}", context.now_ms(), change, scale)
    context.bots._redis.zadd("{b00}:bot_arena", {arena[1][0]: 5})
    assert 1 == run_arena(context, time)
    assert [1, 0, 1] == [len(games(context, bot)) for bot, _ in arena]


# ---------------------------------------------------------------------------------------------------------- kills


@pytest.mark.parametrize("step", ["pair", "create", "begin", "done"])
def test_a_keeper_killed_before_a_step_creates_at_most_one_game(
    context: Context, time: Time, arena: Arena, step: str
) -> None:
    places: dict[str, tuple[Any, str]] = {
        "pair": (context.bots, "pair"),
        "create": (paired_games, "create"),
        "begin": (context.bots, "add_game"),
        "done": (context.seeks, "remove_pairing"),
    }

    with killed_before(*places[step]), pytest.raises(KilledError):
        run_arena(context, time)
    time.pass_(pairing.DUE_MS / 1000)
    for _ in range(2):
        duties.run_due(context, duties.BackOff())  # the bots' arena pauses
    games_by_bot = [games(context, bot) for bot, _ in arena]
    expected = 0 if step == "pair" else 1
    assert expected == len({game for ids in games_by_bot for game in ids})
    assert (
        2 * expected
        == sum(map(len, games_by_bot))
        == sum(len(of) for of in context.bots.games(b for b, _ in arena).values())
    )


def test_only_one_of_two_keepers_that_read_the_same_bots_pairs_them(context: Context, time: Time, arena: Arena) -> None:
    """The second keeper sees that a bot was paired since, though the bot could play one more game."""
    for _, caller in arena:
        bots.publish(context, caller, replace(POLLING, arena=True, games_at_once=3))
    places = context.bots.arena_bots()[:2]
    results = []
    for _ in range(2):
        games_ahead = pairing.draw_seats(context, {"ruleset": "azul"}, [])
        now = context.now_ms()
        results.append(context.bots.pair(places, (3, 3), games_ahead, (now, now), (9, 9), 60))
    assert ["done", "changed"] == results
