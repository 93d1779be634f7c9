"""Competitions go on by themselves, each step once, whatever is killed."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any
from unittest import mock

import pytest
import redis

from service.competitions import progress
from service.usecases.base.context import Context
from service.usecases.games import offering
from service.usecases.games.commands import Request
from service.usecases.matchmaking import competing, competitions, paired_games
from service.usecases.people import follow_ups
from tests.usecases.competing import (
    ARENA,
    SWISS,
    announced,
    begun,
    entered,
    games,
    keep,
    play_round,
    resign,
    running,
    seen,
)
from tests.usecases.games.test_usecases import refused
from tests.usecases.killing import KilledError, killed_before
from tests.usecases.players import Time, player, the_offer, view
from tests.usecases.waiting import together

# ---------------------------------------------------------------------------------------------------- from begin to end


def test_a_swiss_goes_by_itself_from_its_start_to_its_end(context: Context, time: Time) -> None:
    competition, host = announced(context, replace(SWISS, starts_at=time.ms + 60_000))
    people = entered(context, competition, 4)
    keep(context)
    assert ("coming", 4) == (seen(context, competition)["status"], seen(context, competition)["players"])
    time.pass_(60)
    keep(context)
    first = seen(context, competition)
    assert ("running", 1, 2) == (first["status"], first["round"], len(first["current_games"]))
    for game in first["current_games"]:
        shown = view(context, game["game_id"])
        assert ("playing", 0, False, 30) == (
            *(shown["status"], shown["to_decide"], shown["help"]),
            shown["clock"]["turn_s"],
        )
        assert [one["player"] for one in game["players"]] == [seat["player"] for seat in shown["seats"]]
    play_round(context, competition, people)
    assert (1, False) == (seen(context, competition)["round"], seen(context, competition)["next_at"] is None)
    time.pass_(5)
    keep(context)
    assert 2 == seen(context, competition)["round"]
    play_round(context, competition, people)
    over = seen(context, competition)
    assert ("over", [2, 1, 1, 0]) == (over["status"], [row["score"] for row in over["standings"]])
    assert [1, 2, 3, 4] == [row["rank"] for row in over["standings"]]
    pairs = [frozenset(one["player"] for one in game["players"]) for game in games(context, competition)]
    assert 4 == len(set(pairs))
    with refused("competition/closed"):
        competitions.start(context, host, competition)


@pytest.mark.parametrize("public", [True, False])
def test_the_games_of_a_public_competition_can_be_watched_by_all(context: Context, *, public: bool) -> None:
    competition, _, _ = begun(context, replace(SWISS, public=public))
    shown = [view(context, game["game_id"])["visibility"] for game in seen(context, competition)["current_games"]]
    assert ["public" if public else "unlisted"] * 2 == shown


def test_an_arena_pairs_who_is_free_until_its_time_is_up(context: Context, time: Time) -> None:
    competition, _, people = begun(context, ARENA, 2)
    for number in range(1, 4):
        (game,) = running(context, competition)
        resign(context, game["game_id"], people)
        keep(context)
        time.pass_(2)
        keep(context)
        assert number + 1 == len(games(context, competition))
    late, as_late = player(context, "Late")
    assert 3 == len(competitions.join(context, as_late, competition)["standings"])
    time.pass_(300)
    (game,) = running(context, competition)
    resign(context, game["game_id"], people)
    keep(context)
    keep(context)
    over = seen(context, competition)
    assert ("over", 4) == (over["status"], len(games(context, competition)))
    assert late == over["standings"][-1]["player"]
    assert sum(row["wins"] for row in over["standings"]) == 4
    assert all(row["streak"] is not None and row["buchholz"] is None for row in over["standings"])


def test_who_does_not_appear_loses_by_the_clock_and_is_paired_no_more(context: Context, time: Time) -> None:
    competition, _, people = begun(context)
    one, other = running(context, competition)
    absent = view(context, other["game_id"])["seats"][0]["player"]
    resign(context, one["game_id"], people)
    time.pass_(91)
    keep(context)
    time.pass_(6)
    keep(context)
    after = seen(context, competition)
    assert 2 == after["round"]
    assert "withdrawn" == next(row["status"] for row in after["standings"] if row["player"] == absent)
    assert [1, 2] == sorted(len(game["players"]) for game in after["current_games"])


def test_a_game_that_everybody_pauses_counts_as_a_draw_at_last(context: Context, time: Time) -> None:
    competition, _, people = begun(context, replace(SWISS, rounds=1), 2)
    (game,) = running(context, competition)
    one, other = (people[each["player"]] for each in game["players"])
    offering.pause(context, Request(one, game["game_id"]), None, 86_400)
    offering.answer(context, Request(other, game["game_id"]), the_offer(context, game["game_id"]), None, accept=True)
    time.pass_(2 * (60 + 30 * progress.MAX_TURNS) - 1)
    keep(context)
    assert "running" == seen(context, competition)["status"]
    time.pass_(progress.WATCH_MS / 1000)
    keep(context)
    keep(context)
    assert ("over", [0.5, 0.5]) == (
        seen(context, competition)["status"],
        [row["score"] for row in seen(context, competition)["standings"]],
    )
    assert "playing" == view(context, game["game_id"])["status"]


def test_a_game_that_is_gone_is_a_draw(context: Context, time: Time, redis_client: redis.Redis) -> None:
    competition, _, _ = begun(context)
    one, other = running(context, competition)
    for game in (one, other):
        for key in context.store.keys.game(game["game_id"]).committed()[:5]:
            redis_client.delete(key)
    time.pass_(progress.WATCH_MS / 1000)
    keep(context)
    assert [0.5] * 4 == [row["score"] for row in seen(context, competition)["standings"]]


def test_a_competition_that_cannot_be_read_holds_up_no_other(
    context: Context, time: Time, redis_client: redis.Redis
) -> None:
    damaged, other = (announced(context, replace(SWISS, starts_at=time.ms + 1000))[0] for _ in range(2))
    (key,) = [key for key in redis_client.scan_iter() if key.endswith(f":competition:{damaged}".encode())]
    redis_client.hset(key, "plan", b"{")
    time.pass_(1)
    assert 2 == competing.look_after(context).done
    assert "cancelled" == seen(context, other)["status"]


def test_an_outage_of_redis_ends_a_pass_over_competitions(
    context: Context, time: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    announced(context, replace(SWISS, starts_at=time.ms + 1000))
    time.pass_(1)
    monkeypatch.setattr(context.competitions, "get", mock.Mock(side_effect=redis.ConnectionError))
    with pytest.raises(redis.ConnectionError):
        competing.look_after(context)


def test_a_competition_that_nobody_starts_or_enters_is_cancelled(context: Context, time: Time) -> None:
    forgotten, _ = announced(context)
    empty, _ = announced(context, replace(SWISS, starts_at=time.ms + 1000))
    time.pass_(1)
    keep(context)
    assert "cancelled" == seen(context, empty)["status"]
    time.pass_(progress.WAITS_FOR_HOST_MS / 1000)
    keep(context)
    assert "cancelled" == seen(context, forgotten)["status"]


# ------------------------------------------------------------------------------------------------------------- kills


@pytest.mark.parametrize("step", ["commit", "looked", "create", "begin", "done"])
def test_a_round_that_is_killed_before_a_step_has_each_game_once(context: Context, time: Time, step: str) -> None:
    places: dict[str, tuple[Any, str]] = {
        "commit": (context.competitions, "commit"),
        "looked": (context.competitions, "looked"),
        "create": (paired_games, "create"),
        "begin": (context.bots, "of"),
        "done": (context.seeks, "done"),
    }
    competition, host = announced(context)
    people = entered(context, competition, 4)
    competitions.start(context, host, competition)
    if step == "looked":
        keep(context)
        time.pass_(progress.WATCH_MS / 1000)
    with killed_before(*places[step]), pytest.raises(KilledError):
        keep(context)
    time.pass_(competing.COMPETITION_LEASE_MS / 1000)
    keep(context)
    begun_games = running(context, competition)
    assert 2 == len(begun_games)
    assert {1} == {len(context.players.game_ids(name)) for name in people}
    assert {*people} == {one["player"] for game in begun_games for one in game["players"]}
    assert {game["game_id"] for game in begun_games} == {
        game for name in people for game in context.players.game_ids(name)
    }


@pytest.mark.parametrize("step", ["of_games", "commit", "done"])
def test_a_result_that_is_killed_before_a_step_counts_once(context: Context, time: Time, step: str) -> None:
    competition, _, people = begun(context)
    one, _ = running(context, competition)
    resign(context, one["game_id"], people)
    places = {"of_games": context.competitions, "commit": context.competitions, "done": context.follow_ups}
    with killed_before(places[step], step), pytest.raises(KilledError):
        keep(context)
    time.pass_(follow_ups.RETRY_MS / 1000)
    for _ in range(2):
        keep(context)
        competing.record(context, one["game_id"])
    assert [0, 0, 0, 1] == sorted(row["score"] for row in seen(context, competition)["standings"])


def test_a_result_that_nobody_told_is_found(context: Context, time: Time, monkeypatch: pytest.MonkeyPatch) -> None:
    competition, _, people = begun(context)
    monkeypatch.setattr(competing, "record", lambda *_: None)
    for game in running(context, competition):
        resign(context, game["game_id"], people)
    keep(context)
    assert 2 == len(running(context, competition))
    time.pass_(progress.WATCH_MS / 1000 + 1)
    keep(context)
    assert [] == running(context, competition)


def test_two_keepers_at_once_begin_one_round(context: Context) -> None:
    competition, host = announced(context)
    people = entered(context, competition, 8)
    competitions.start(context, host, competition)
    assert [None] * 4 == together(*[lambda: competing.advance(context, competition)] * 4)
    keep(context)
    assert 4 == len(games(context, competition))
    assert {1} == {len(context.players.game_ids(name)) for name in people}


def test_many_who_join_at_once_are_each_in_it_once(context: Context) -> None:
    competition, _ = announced(context, replace(SWISS, most_players=10))
    people = [player(context)[1] for _ in range(12)]
    results = together(*[partial(competitions.join, context, caller, competition) for caller in people + people])
    assert ["competition/full"] * 4 == [result for result in results if isinstance(result, str)]
    assert [*range(1, 11)] == sorted(row["number"] for row in seen(context, competition)["standings"])
