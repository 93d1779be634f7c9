"""Competitions proceed on their own, each step once, after any kill."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any
from unittest import mock

import pytest
import redis
from redis import Redis

from service.competitions import progress
from service.games.session import GameSession
from service.usecases.base.context import Context
from service.usecases.games import offering, seating
from service.usecases.games.commands import Request
from service.usecases.matchmaking import competing, competitions, paired_games
from service.usecases.people import follow_ups
from tests.usecases.competing import (
    ARENA,
    CLOCK,
    SWISS,
    announce,
    competition_view,
    enter_players,
    games,
    play_round,
    resign,
    run_keeper,
    running_games,
    start_competition,
)
from tests.usecases.games.test_usecases import AI, PLAYER, raises_error
from tests.usecases.killing import KilledError, killed_before
from tests.usecases.players import Time, new_game_of, offer_id, player, view
from tests.usecases.waiting import run_together

# ---------------------------------------------------------------------------------------------------- from begin to end


def test_a_swiss_runs_on_its_own_from_start_to_end(context: Context, time: Time) -> None:
    competition, host = announce(context, replace(SWISS, starts_at=time.ms + 60_000))
    people = enter_players(context, competition, 4)
    run_keeper(context)
    assert ("coming", 4) == (
        competition_view(context, competition)["status"],
        competition_view(context, competition)["players"],
    )
    time.pass_(60)
    run_keeper(context)
    first = competition_view(context, competition)
    assert ("running", 1, 2) == (first["status"], first["round"], len(first["current_games"]))
    for game in first["current_games"]:
        shown = view(context, game["game_id"])
        assert ("playing", 0, False, 30) == (
            *(shown["status"], shown["to_decide"], shown["help"]),
            shown["clock"]["turn_s"],
        )
        assert [one["player"] for one in game["players"]] == [seat["player"] for seat in shown["seats"]]
    play_round(context, competition, people)
    assert (1, False) == (
        competition_view(context, competition)["round"],
        competition_view(context, competition)["next_at"] is None,
    )
    time.pass_(5)
    run_keeper(context)
    assert 2 == competition_view(context, competition)["round"]
    play_round(context, competition, people)
    final_view = competition_view(context, competition)
    assert ("over", [2, 1, 1, 0]) == (final_view["status"], [row["score"] for row in final_view["standings"]])
    assert [1, 2, 3, 4] == [row["rank"] for row in final_view["standings"]]
    pairs = [frozenset(one["player"] for one in game["players"]) for game in games(context, competition)]
    assert 4 == len(set(pairs))
    with raises_error("competition/closed"):
        competitions.start(context, host, competition)


@pytest.mark.parametrize("public", [True, False])
def test_the_games_of_a_public_competition_can_be_watched_by_all(context: Context, *, public: bool) -> None:
    competition, _, _ = start_competition(context, replace(SWISS, public=public))
    shown = [
        view(context, game["game_id"])["visibility"] for game in competition_view(context, competition)["current_games"]
    ]
    shown.append(competition_view(context, competition)["visibility"])
    assert ["public" if public else "unlisted"] * 3 == shown


def test_games_of_a_competition_are_read_in_pages(context: Context) -> None:
    competition, _, _ = start_competition(context)
    pages = [competitions.list_games(context, competition, None, first, 1) for first in (0, 1)]
    assert [1, None] == [following for _, following in pages]
    assert games(context, competition) == [game for page, _ in pages for game in page]


def test_an_arena_pairs_free_players_until_its_time_is_up(context: Context, time: Time) -> None:
    competition, _, people = start_competition(context, ARENA, 2)
    for number in range(1, 4):
        (game,) = running_games(context, competition)
        resign(context, game["game_id"], people)
        run_keeper(context)
        time.pass_(2)
        run_keeper(context)
        assert number + 1 == len(games(context, competition))
    late_player, as_late = player(context, "Late")
    assert 3 == len(competitions.join(context, as_late, competition)["standings"])
    time.pass_(300)
    (game,) = running_games(context, competition)
    resign(context, game["game_id"], people)
    run_keeper(context)
    run_keeper(context)
    final_view = competition_view(context, competition)
    assert ("over", 4) == (final_view["status"], len(games(context, competition)))
    assert late_player == final_view["standings"][-1]["player"]
    assert sum(row["wins"] for row in final_view["standings"]) == 4
    assert all(row["streak"] is not None and row["buchholz"] is None for row in final_view["standings"])


def test_a_free_player_of_an_arena_who_plays_elsewhere_is_paused(context: Context, time: Time) -> None:
    competition, host = announce(context, ARENA)
    people = enter_players(context, competition, 3)
    for caller in people.values():  # a game before the arena does not matter
        new_game_of(context, caller, PLAYER, AI, clock=CLOCK)
    time.pass_(1)
    competitions.start(context, host, competition)
    run_keeper(context)
    (game,) = running_games(context, competition)
    seated = {seat["player"] for seat in view(context, game["game_id"])["seats"]}
    (free,) = people.keys() - seated
    time.pass_(1)
    new_game_of(context, people[free], PLAYER, AI, clock=CLOCK)
    resign(context, game["game_id"], people)
    time.pass_(60)
    run_keeper(context)
    (game,) = running_games(context, competition)
    assert seated == {seat["player"] for seat in view(context, game["game_id"])["seats"]}
    rows = competition_view(context, competition)["standings"]
    assert {free: "paused"} == {row["player"]: row["status"] for row in rows if row["status"] != "entered"}
    assert "entered" in {row["status"] for row in competitions.join(context, people[free], competition)["standings"]}


def test_an_absent_player_loses_on_time_and_is_withdrawn(context: Context, time: Time) -> None:
    competition, _, people = start_competition(context)
    one, other = running_games(context, competition)
    absent_player = view(context, other["game_id"])["seats"][0]["player"]
    resign(context, one["game_id"], people)
    time.pass_(91)
    run_keeper(context)
    time.pass_(6)
    run_keeper(context)
    after = competition_view(context, competition)
    assert 2 == after["round"]
    assert "withdrawn" == next(row["status"] for row in after["standings"] if row["player"] == absent_player)
    assert [1, 2] == sorted(len(game["players"]) for game in after["current_games"])


def test_players_cannot_pause_a_game_of_a_competition(context: Context, time: Time) -> None:
    """Both agree, in a rated competition. The absent one loses on time as usual."""
    competition, _, people = start_competition(context, replace(SWISS, rounds=1, rated=True, open_to="people"), 2)
    (game,) = running_games(context, competition)
    for seat, entrant in enumerate(game["players"]):
        request = Request(people[entrant["player"]], game["game_id"])
        with raises_error("game/in_competition"):
            offering.pause(context, request, None, 86_400)
        with raises_error("game/in_competition"):
            seating.hand_over(context, request.caller, game["game_id"], seat, None)
        with raises_error("game/in_competition"):
            offering.take_back(context, request, None)
    time.pass_(91)
    for _ in range(2):
        run_keeper(context)
    assert ("over", [1, 0]) == (
        competition_view(context, competition)["status"],
        [row["score"] for row in competition_view(context, competition)["standings"]],
    )


def test_a_rematch_of_a_game_of_a_competition_does_not_belong_to_it(context: Context, time: Time) -> None:
    competition, _, people = start_competition(context, replace(SWISS, rounds=1), 2)
    (game,) = running_games(context, competition)
    assert competition == view(context, game["game_id"])["competition"]
    resign(context, game["game_id"], people)
    one, other = (Request(people[each["player"]], game["game_id"]) for each in game["players"])
    for request in (one, other):
        rematch = offering.rematch(context, request, None).rematch
    assert view(context, str(rematch))["competition"] is None
    offering.pause(context, replace(one, game_id=str(rematch)), None, 60)


def test_a_paused_game_of_an_earlier_version_finally_counts_as_a_draw(
    context: Context, time: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(GameSession, "_must_not_be_in_competition", lambda _: None)
    competition, _, people = start_competition(context, replace(SWISS, rounds=1), 2)
    (game,) = running_games(context, competition)
    one, other = (people[each["player"]] for each in game["players"])
    offering.pause(context, Request(one, game["game_id"]), None, 86_400)
    offering.answer(context, Request(other, game["game_id"]), offer_id(context, game["game_id"]), None, accept=True)
    time.pass_(2 * (60 + 30 * progress.MAX_TURNS) - 1)
    run_keeper(context)
    assert "running" == competition_view(context, competition)["status"]
    time.pass_(progress.WATCH_MS / 1000)
    run_keeper(context)
    run_keeper(context)
    assert ("over", [0.5, 0.5]) == (
        competition_view(context, competition)["status"],
        [row["score"] for row in competition_view(context, competition)["standings"]],
    )
    assert "playing" == view(context, game["game_id"])["status"]


def test_a_game_missing_from_the_store_counts_as_a_draw(context: Context, time: Time, redis_client: Redis) -> None:
    competition, _, _ = start_competition(context)
    one, other = running_games(context, competition)
    for game in (one, other):
        for key in context.store.keys.game(game["game_id"]).commit_keys()[:5]:
            redis_client.delete(key)
    time.pass_(progress.WATCH_MS / 1000)
    run_keeper(context)
    assert [0.5] * 4 == [row["score"] for row in competition_view(context, competition)["standings"]]


def test_a_damaged_competition_does_not_delay_others(context: Context, time: Time, redis_client: Redis) -> None:
    damaged, other = (announce(context, replace(SWISS, starts_at=time.ms + 1000))[0] for _ in range(2))
    (key,) = [key for key in redis_client.scan_iter() if key.endswith(f":competition:{damaged}".encode())]
    redis_client.hset(key, "plan", b"{")
    time.pass_(1)
    assert 2 == competing.run_due(context).done
    assert "cancelled" == competition_view(context, other)["status"]


def test_an_outage_of_redis_ends_a_pass_over_competitions(
    context: Context, time: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    announce(context, replace(SWISS, starts_at=time.ms + 1000))
    time.pass_(1)
    monkeypatch.setattr(context.competitions, "get", mock.Mock(side_effect=redis.ConnectionError))
    with pytest.raises(redis.ConnectionError):
        competing.run_due(context)


def test_a_competition_without_start_or_entrants_is_cancelled(context: Context, time: Time) -> None:
    forgotten, _ = announce(context)
    empty, _ = announce(context, replace(SWISS, starts_at=time.ms + 1000))
    time.pass_(1)
    run_keeper(context)
    assert "cancelled" == competition_view(context, empty)["status"]
    time.pass_(progress.MAX_WAIT_FOR_HOST_MS / 1000)
    run_keeper(context)
    assert "cancelled" == competition_view(context, forgotten)["status"]


# ------------------------------------------------------------------------------------------------------------- kills


@pytest.mark.parametrize("step", ["commit", "looked", "create", "begin", "done"])
def test_a_round_killed_before_a_step_has_each_game_once(context: Context, time: Time, step: str) -> None:
    places: dict[str, tuple[Any, str]] = {
        "commit": (context.competitions, "commit"),
        "looked": (context.competitions, "set_due"),
        "create": (paired_games, "create"),
        "begin": (context.bots, "get_many"),
        "done": (context.seeks, "remove_pairing"),
    }
    competition, host = announce(context)
    people = enter_players(context, competition, 4)
    competitions.start(context, host, competition)
    if step == "looked":
        run_keeper(context)
        time.pass_(progress.WATCH_MS / 1000)
    with killed_before(*places[step]), pytest.raises(KilledError):
        run_keeper(context)
    time.pass_(competing.COMPETITION_LEASE_MS / 1000)
    run_keeper(context)
    begun_games = running_games(context, competition)
    assert 2 == len(begun_games)
    assert {1} == {len(context.players.game_ids(name)) for name in people}
    assert {*people} == {one["player"] for game in begun_games for one in game["players"]}
    assert {game["game_id"] for game in begun_games} == {
        game for name in people for game in context.players.game_ids(name)
    }


@pytest.mark.parametrize("step", ["find_by_games", "commit", "remove"])
def test_a_result_killed_before_a_step_counts_once(context: Context, time: Time, step: str) -> None:
    competition, _, people = start_competition(context)
    one, _ = running_games(context, competition)
    resign(context, one["game_id"], people)
    places = {"find_by_games": context.competitions, "commit": context.competitions, "remove": context.follow_ups}
    with killed_before(places[step], step), pytest.raises(KilledError):
        run_keeper(context)
    time.pass_(follow_ups.RETRY_MS / 1000)
    for _ in range(2):
        run_keeper(context)
        competing.record_result(context, one["game_id"])
    assert [0, 0, 0, 1] == sorted(row["score"] for row in competition_view(context, competition)["standings"])


def test_a_result_that_was_not_recorded_is_found_later(
    context: Context, time: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    competition, _, people = start_competition(context)
    monkeypatch.setattr(competing, "record_result", lambda *_: None)
    for game in running_games(context, competition):
        resign(context, game["game_id"], people)
    run_keeper(context)
    assert 2 == len(running_games(context, competition))
    time.pass_(progress.WATCH_MS / 1000 + 1)
    run_keeper(context)
    assert [] == running_games(context, competition)


def test_two_simultaneous_keepers_start_one_round(context: Context) -> None:
    competition, host = announce(context)
    people = enter_players(context, competition, 8)
    competitions.start(context, host, competition)
    assert [None] * 4 == run_together(*[lambda: competing.advance(context, competition)] * 4)
    run_keeper(context)
    assert 4 == len(games(context, competition))
    assert {1} == {len(context.players.game_ids(name)) for name in people}


def test_simultaneous_entrants_are_each_entered_once(context: Context) -> None:
    competition, _ = announce(context, replace(SWISS, most_players=10))
    people = [player(context)[1] for _ in range(12)]
    results = run_together(*[partial(competitions.join, context, caller, competition) for caller in people + people])
    assert ["competition/full"] * 4 == [result for result in results if isinstance(result, str)]
    assert [*range(1, 11)] == sorted(row["number"] for row in competition_view(context, competition)["standings"])
