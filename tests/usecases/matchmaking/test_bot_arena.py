"""The bots' arena: who is paired with whom, when, how often, and one game for one pairing whatever is killed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from service.rulesets.wire import Json
from service.storage.matchmaking.bots import InArena, StoredBot
from service.storage.people.ratings import Change, Scale
from service.usecases.base.context import Caller, Context
from service.usecases.base.published_bots import ONLINE_MS
from service.usecases.games import playing
from service.usecases.games.commands import Request
from service.usecases.keeping import duties
from service.usecases.matchmaking import bot_arena, bots, paired_games, pairing
from service.usecases.matchmaking.bot_arena import MAX_OF_TWO, PAUSE_MS, Candidate, clock_of, matches
from service.usecases.people import follow_ups, players
from tests.usecases.bots import CALLED, POLLING, published
from tests.usecases.killing import KilledError, killed_before
from tests.usecases.players import Time, view

Arena = list[tuple[str, Caller]]


def candidate(number: int, points: int = 1500, **changes: Any) -> Candidate:
    """A bot that was paired at that moment."""
    blocked = changes.pop("blocked", frozenset())
    members = {**vars(POLLING), "endpoint": None, "arena": True, "published_at": "", **changes}
    bot = StoredBot(id=f"bot-{number}", **members)
    return Candidate(InArena(bot.id, number), bot, None, dict.fromkeys(bot.rulesets, points), blocked)


def met(*candidates: Candidate, **begun: int) -> list[tuple[str, str]]:
    two = [match.two for match in matches(candidates, {name.replace("_", " "): count for name, count in begun.items()})]
    return [(one.bot.id, other.bot.id) for one, other in two]


# ------------------------------------------------------------------------------------------------ who with whom


def test_whichever_was_paired_longest_ago_plays_first_with_the_nearest_by_rating() -> None:
    four = [candidate(1, 1500), candidate(2, 1900), candidate(3, 1520), candidate(4, 1800)]
    assert [("bot-1", "bot-3"), ("bot-2", "bot-4")] == met(*four)
    assert [("bot-1", "bot-2")] == met(candidate(1, 1500), candidate(2, 1600), candidate(3, 1400))
    assert [] == met(candidate(1))


def test_two_play_what_both_play_with_a_clock_that_both_accept() -> None:
    garden, both = candidate(2, rulesets=("queens-garden",)), candidate(3, rulesets=("queens-garden", "azul"))
    assert [("bot-1", "bot-3")] == met(candidate(1), garden, both)
    (match,) = matches([candidate(1, turn_s=(20, 30)), candidate(2, bank_s=(0, 60))], {})
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
def test_the_clock_is_as_near_to_the_arenas_as_both_accept(
    one: Json, other: Json, clock: tuple[int, int] | None
) -> None:
    assert clock == clock_of(candidate(1, **one).bot, candidate(2, **other).bot)


def test_two_do_not_meet_whom_they_have_blocked_or_have_met_too_often_today() -> None:
    assert [] == met(candidate(1, blocked=frozenset({"bot-2"})), candidate(2))
    assert [] == met(candidate(1), candidate(2, blocked=frozenset({"bot-1"})))
    two = candidate(1), candidate(2)
    assert [("bot-1", "bot-2")] == met(*two, **{"bot-1_bot-2": MAX_OF_TWO - 1})
    assert [] == met(*two, **{"bot-1_bot-2": MAX_OF_TWO})


# ------------------------------------------------------------------------------------------------------ the store


@pytest.fixture
def arena(context: Context, time: Time) -> Arena:
    """Three bots that take part and are online; time stands still."""
    return [published(context, arena=True, name=name) for name in ("A", "B", "C")]


def look(context: Context, time: Time) -> int:
    """What a keeper does when it is time again; how many games begin."""
    time.pass_(PAUSE_MS / 1000 + 1)
    context.seeks._redis.delete("{b00}:bot_arena_look")
    return bot_arena.look_after(context).done


def games(context: Context, bot: str) -> list[str]:
    return sorted(set(context.players.game_ids(bot)))


def test_bots_that_take_part_play_rated_games_with_a_clock(context: Context, time: Time, arena: Arena) -> None:
    published(context)  # it does not take part
    assert (1, 0) == (look(context, time), look(context, time))
    playing_now = [bot for bot, _ in arena if games(context, bot)]
    assert 2 == len(playing_now)
    (game,) = games(context, playing_now[0])
    seen = view(context, game)
    assert (True, False, 10, 180) == (seen["rated"], seen["mixed"], seen["clock"]["turn_s"], seen["clock"]["bank_s"])
    assert {*playing_now} == {seat["player"] for seat in seen["seats"]}


def test_the_one_that_was_left_out_plays_next(context: Context, time: Time, arena: Arena) -> None:
    look(context, time)
    (left,) = [bot for bot, _ in arena if not games(context, bot)]
    game, caller = next((games(context, bot)[0], caller) for bot, caller in arena if bot != left)
    playing.resign(context, Request(caller, game), None)
    assert 1 == follow_ups.look_after(context).done
    assert 1 == look(context, time)
    assert 1 == len(games(context, left))


def test_a_bot_that_is_not_here_is_not_paired(context: Context, time: Time, arena: Arena) -> None:
    time.pass_(ONLINE_MS / 1000)
    assert 0 == look(context, time)
    for _, caller in arena[:2]:
        players.me(context, caller)
    assert 1 == look(context, time)


def test_bots_that_are_called_take_part_where_somebody_is(context: Context, time: Time) -> None:
    context.settings = replace(context.settings, outgoing="on")
    two = [published(context, CALLED, arena=True)[0] for _ in range(2)]
    context.settings = replace(context.settings, outgoing="off")
    assert 0 == look(context, time)
    context.settings = replace(context.settings, outgoing="on")
    assert 1 == look(context, time)
    (game,) = games(context, two[0])
    assert ["http", "http"] == [seat["kind"] for seat in view(context, game)["seats"]]


def test_nobody_is_paired_while_a_decision_waits_or_where_there_is_no_arena(
    context: Context, time: Time, arena: Arena
) -> None:
    context.queue.wake("a-game", 1, 0, 0)
    assert 0 == look(context, time)
    context.settings = replace(context.settings, bot_arena_games=0)
    context.queue.redis.delete(*context.queue.redis.keys("rq:*"))
    assert 0 == look(context, time)
    context.settings = replace(context.settings, bot_arena_games=1)
    assert 1 == look(context, time)


def test_one_keeper_looks_at_a_time(context: Context, arena: Arena) -> None:
    assert [1, 0] == [bot_arena.look_after(context).done for _ in range(2)]


def test_a_bot_has_so_many_games_a_day(context: Context, time: Time, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_arena, "MAX_OF_TWO", 99)
    context.settings = replace(context.settings, bot_arena_games=2)
    two = [published(context, arena=True, games_at_once=9) for _ in range(2)]
    day_ms = 86_400_000
    time.ms += day_ms - time.ms % day_ms  # a day begins
    for _, caller in two:
        players.me(context, caller)
    assert [1, 1, 0] == [look(context, time) for _ in range(3)]
    time.pass_(86_400)
    for _, caller in two:
        players.me(context, caller)
    assert 1 == look(context, time)


def test_a_bot_that_withdraws_or_leaves_the_arena_is_paired_no_more(context: Context, time: Time, arena: Arena) -> None:
    bots.withdraw(context, arena[0][1])
    bots.put(context, arena[1][1], POLLING)
    assert 0 == look(context, time)


def test_ratings_decide_who_plays_whom(context: Context, time: Time, arena: Arena) -> None:
    scale = Scale(25.0, 8.0, 4.0)
    change = Change("azul:two", 9.0, 0.5, True)
    for bot, _ in (arena[0], arena[2]):
        context.ratings.apply(bot, f"game of {bot}", context.now_ms(), change, scale)
    context.bots._redis.zadd("{b00}:bot_arena", {arena[1][0]: 5})
    assert 1 == look(context, time)
    assert [1, 0, 1] == [len(games(context, bot)) for bot, _ in arena]


# ---------------------------------------------------------------------------------------------------------- kills


@pytest.mark.parametrize("step", ["pair", "create", "begin", "done"])
def test_a_keeper_that_is_killed_before_a_step_leaves_one_game_or_none(
    context: Context, time: Time, arena: Arena, step: str
) -> None:
    places: dict[str, tuple[Any, str]] = {
        "pair": (context.bots, "pair"),
        "create": (paired_games, "create"),
        "begin": (context.bots, "begin"),
        "done": (context.seeks, "done"),
    }

    with killed_before(*places[step]), pytest.raises(KilledError):
        look(context, time)
    time.pass_(pairing.DUE_MS / 1000)
    for _ in range(2):
        duties.look(context, duties.BackOff())  # the bots' arena has its pause
    every = [games(context, bot) for bot, _ in arena]
    expected = 0 if step == "pair" else 1
    assert expected == len({game for one in every for game in one})
    assert (
        2 * expected == sum(map(len, every)) == sum(len(of) for of in context.bots.games(b for b, _ in arena).values())
    )


def test_of_two_keepers_that_have_read_the_same_one_pairs(context: Context, time: Time, arena: Arena) -> None:
    """The second finds that a bot was paired since, though it could play one more game."""
    for _, caller in arena:
        bots.put(context, caller, replace(POLLING, arena=True, games_at_once=3))
    places = context.bots.in_arena()[:2]
    results = []
    for _ in range(2):
        coming = pairing.seated(context, {"ruleset": "azul"}, [])
        now = context.now_ms()
        results.append(context.bots.pair(places, (3, 3), coming, (now, now), (9, 9), 60))
    assert ["done", "changed"] == results
