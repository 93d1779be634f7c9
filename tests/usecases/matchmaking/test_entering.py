"""Competitions: who can enter, leave and host, what they publish, and what remains of them."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import orjson
import pytest
from redis import Redis

from service.storage.matchmaking.competitions import MAX_HOSTED
from service.storage.people.ratings import MAX_ABORTED, PAUSE_MS
from service.usecases.base.context import Caller, Context
from service.usecases.matchmaking import competitions, entering
from service.usecases.people import player_exports, players
from tests.patience import HANG_S
from tests.usecases.answers import to_json
from tests.usecases.competing import (
    ARENA,
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
from tests.usecases.games.test_usecases import raises_error
from tests.usecases.players import Time, everybody_decides, issuer_of_retry, player, view
from tests.usecases.waiting import wait_result

# ------------------------------------------------------------------------------------------------------- who may what


def test_leaving_before_the_start_removes_the_entry(context: Context) -> None:
    competition, _ = announce(context)
    people = enter_players(context, competition, 2)
    for caller in people.values():
        competitions.leave(context, caller, competition)
    assert 0 == competition_view(context, competition)["players"]
    assert [] == competitions.leave(context, next(iter(people.values())), competition)["standings"]
    assert {"hosted": [], "entered": []} == competitions.list_own(context, next(iter(people.values())))


def test_a_withdrawal_from_a_swiss_is_final_and_a_pause_in_an_arena_is_not(context: Context, time: Time) -> None:
    competition, _, people = start_competition(context)
    ana, as_ana = next(iter(people.items()))
    competitions.leave(context, as_ana, competition)
    with raises_error("competition/closed"):
        competitions.join(context, as_ana, competition)
    play_round(context, competition, people)
    time.pass_(5)
    run_keeper(context)
    assert all(one["player"] != ana for game in running_games(context, competition) for one in game["players"])
    arena, _, others = start_competition(context, ARENA, 2)
    as_other = next(iter(others.values()))
    competitions.leave(context, as_other, arena)
    assert {"paused", "entered"} == {row["status"] for row in competition_view(context, arena)["standings"]}
    competitions.join(context, as_other, arena)
    assert {"entered"} == {row["status"] for row in competition_view(context, arena)["standings"]}


def test_a_host_removes_a_player_who_cannot_come_back(context: Context) -> None:
    competition, host = announce(context)
    people = enter_players(context, competition, 2)
    ana, as_ana = next(iter(people.items()))
    with raises_error("auth/host_only"):
        competitions.remove(context, as_ana, competition, ana)
    competitions.remove(context, host, competition, ana)
    with raises_error("competition/removed"):
        competitions.join(context, as_ana, competition)
    with raises_error("competition/too_few"):
        competitions.start(context, host, competition)
    assert 1 == len(competition_view(context, competition)["standings"])


def test_a_player_who_was_removed_stays_removed_after_leaving(context: Context) -> None:
    competition, host, people = start_competition(context)
    ana, as_ana = next(iter(people.items()))
    competitions.remove(context, host, competition, ana)
    competitions.leave(context, as_ana, competition)
    with raises_error("competition/removed"):
        competitions.join(context, as_ana, competition)


def test_running_games_of_a_cancelled_competition_do_not_count(context: Context) -> None:
    competition, host, people = start_competition(context)
    (game, _) = running_games(context, competition)
    competitions.cancel(context, host, competition)
    competitions.cancel(context, host, competition)
    assert ("cancelled", []) == (competition_view(context, competition)["status"], games(context, competition))
    assert "playing" == view(context, game["game_id"])["status"]
    resign(context, game["game_id"], people)
    run_keeper(context)
    assert [0] * 4 == [row["score"] for row in competition_view(context, competition)["standings"]]
    assert ([], None) == competitions.list_public(context, None, 0, 10)


def test_people_and_bots_can_enter_only_competitions_open_to_them(context: Context) -> None:
    bot = Caller(players.create(context, {"name": "Bot", "bot": True})["token"])
    _, person = player(context)
    for open_to, welcome in (("people", person), ("bots", bot)):
        competition, _ = announce(context, replace(SWISS, open_to=open_to))
        competitions.join(context, welcome, competition)
        with raises_error("competition/not_for_you"):
            competitions.join(context, bot if welcome is person else person, competition)
    mixed, _ = announce(context, replace(SWISS, rated=True))
    with raises_error("game/not_mixed"):
        competitions.join(context, person, mixed)
    for caller in (person, bot):
        competitions.join(context, caller, mixed, mixed=True)
    assert 2 == competition_view(context, mixed)["players"]


def test_games_of_a_rated_competition_are_rated(context: Context) -> None:
    competition, _, people = start_competition(context, replace(SWISS, rated=True, open_to="people"), 2)
    (game,) = running_games(context, competition)
    assert view(context, game["game_id"])["rated"]
    everybody_decides(context, game["game_id"])
    resign(context, game["game_id"], people)
    run_keeper(context)
    winner = competition_view(context, competition)["standings"][0]["player"]
    assert context.ratings.get(winner)


@pytest.mark.parametrize("is_late", [False, True])
def test_leaving_a_rated_game_of_a_competition_without_a_decision_loses_it_unrated(
    context: Context, time: Time, *, is_late: bool
) -> None:
    competition, _, people = start_competition(context, replace(SWISS, rated=True, open_to="people"), 2)
    (game,) = running_games(context, competition)
    time.pass_(91 if is_late else 0)
    if not is_late:
        resign(context, game["game_id"], people, seat=0)
    run_keeper(context)
    shown = view(context, game["game_id"])
    standings = competition_view(context, competition)["standings"]
    assert ("aborted", [1, 0]) == (shown["status"], [row["score"] for row in standings])
    assert shown["seats"][1]["player"] == standings[0]["player"]
    assert [{}, {}] == context.ratings.get_many([row["player"] for row in standings])
    assert ["entered", "withdrawn" if is_late else "entered"] == [row["status"] for row in standings]


def test_a_player_who_left_too_many_rated_games_does_not_join_a_running_rated_arena(
    context: Context, time: Time
) -> None:
    arena, _, people = start_competition(context, replace(ARENA, rated=True, open_to="people"), 2)
    ana, as_ana = next(iter(people.items()))
    competitions.leave(context, as_ana, arena)
    for number in range(MAX_ABORTED + 1):
        context.ratings.record_abort(ana, f"game {number}", context.now_ms())
    with raises_error("limit/aborted_games"):
        competitions.join(context, as_ana, arena)
    assert "paused" in {row["status"] for row in competition_view(context, arena)["standings"]}
    time.pass_(PAUSE_MS / 1000)
    competitions.join(context, as_ana, arena)
    assert {"entered"} == {row["status"] for row in competition_view(context, arena)["standings"]}


def test_an_invitation_is_required_and_shown_only_to_the_host(context: Context) -> None:
    competition, host = announce(context, replace(SWISS, by_invitation=True))
    shown = competitions.get(context, host, competition, None, 0)
    assert shown is not None
    invitation = orjson.loads(shown[1])["invitation"]
    assert competition_view(context, competition)["invitation"] is None
    _, as_ana = player(context)
    for wrong in (None, "nonsense", "ä"):
        with raises_error("competition/invitation"):
            competitions.join(context, as_ana, competition, wrong)
    competitions.join(context, as_ana, competition, invitation)


def test_a_player_hosts_and_enters_a_limited_number_at_once(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    _, host = player(context)
    for number in range(MAX_HOSTED):
        made = competitions.announce(context, host, SWISS, issuer_of_retry(host, f"{number}"))
        assert made["id"] == competitions.announce(context, host, SWISS, issuer_of_retry(host, f"{number}"))["id"]
    with raises_error("limit/competitions"):
        competitions.announce(context, host, SWISS)
    competitions.cancel(context, host, made["id"])
    competitions.announce(context, host, SWISS)
    assert MAX_HOSTED + 1 == len(competitions.list_own(context, host)["hosted"])
    monkeypatch.setattr(entering, "MAX_AT_ONCE", 1)
    first, second = (one["id"] for one in competitions.list_own(context, host)["hosted"][:2])
    _, as_ana = player(context)
    competitions.join(context, as_ana, first)
    competitions.join(context, as_ana, first)
    with raises_error("limit/competitions"):
        competitions.join(context, as_ana, second)


def test_a_competition_cannot_start_in_the_past(context: Context) -> None:
    with raises_error("request/invalid") as error:
        announce(context, replace(SWISS, starts_at=5))
    assert {"/starts_at"} == set(error.value.errors)


def content_of(redis_client: Redis, name: Any) -> object:
    return redis_client.hgetall(name) if redis_client.type(name) == b"hash" else redis_client.zrange(name, 0, -1)


def test_a_deleted_player_becomes_anonymous_and_resigns(context: Context, time: Time, redis_client: Redis) -> None:
    competition, _, people = start_competition(context)
    ana, as_ana = next(iter(people.items()))
    coming, _ = announce(context)
    competitions.join(context, as_ana, coming)
    own = competitions.announce(context, as_ana, SWISS)["id"]
    exported = to_json(player_exports.export(context, as_ana))["competitions"]
    assert ([own], {competition, coming}) == (
        [one["id"] for one in exported["hosted"]],
        {one["id"] for one in exported["entered"]},
    )
    going_on, as_host, _ = start_competition(context)
    players.delete(context, as_host)
    players.delete(context, as_ana)
    run_keeper(context)
    assert ("running", None) == (
        competition_view(context, going_on)["status"],
        competition_view(context, going_on)["host"],
    )
    assert "cancelled" == competition_view(context, own)["status"]
    assert 0 == competition_view(context, coming)["players"]
    after = competition_view(context, competition)
    (row,) = (row for row in after["standings"] if row["player"] is None)
    assert (None, "withdrawn", 0, 1) == (row["name"], row["status"], row["score"], row["played"])
    assert ana not in str(after)
    assert ana not in str(games(context, competition))
    assert not [name for name in redis_client.scan_iter("*competition*") if ana.encode() in name]
    assert not [name for name in redis_client.scan_iter("*competition:*") if ana in str(content_of(redis_client, name))]


# ------------------------------------------------------------------------------------------------- waiting, following


def test_a_wait_ends_with_the_next_version_and_a_stream_with_the_competition(context: Context) -> None:
    competition, host = announce(context)
    version = competition_view(context, competition)["version"]
    assert competitions.get(context, Caller(), competition, version, 0.05) is None
    wait_for_version = partial(competitions.get, context, Caller(), competition, version, HANG_S)
    result = wait_result(context, wait_for_version, lambda: enter_players(context, competition, 1))
    assert result is not None
    assert result[0] > version
    items = competitions.follow(context, competition, None, 0.05)
    assert "coming" == (next(items) or {})["status"]
    assert next(items) is None
    competitions.cancel(context, host, competition)
    assert ["cancelled"] == [item["status"] for item in items if item]
    with raises_error("competition/not_found"):
        competitions.follow(context, "none", None)


def test_the_list_contains_running_coming_and_finished_competitions(context: Context, time: Time) -> None:
    finished_one, _, people = start_competition(context, replace(SWISS, rounds=1), 2)
    play_round(context, finished_one, people)
    run_keeper(context)
    now_running, _, _ = start_competition(context, SWISS, 2)
    coming, _ = announce(context)
    announce(context, replace(SWISS, public=False))
    first_page, following = competitions.list_public(context, None, 0, 2)
    assert ([now_running, coming], 2) == ([one["id"] for one in first_page], following)
    second_page, following = competitions.list_public(context, None, 2, 2)
    assert ([finished_one], None) == ([one["id"] for one in second_page], following)
    assert [finished_one] == [one["id"] for one in competitions.list_public(context, "over", 0, 9)[0]]


def test_a_cancelled_competition_expires(context: Context, redis_client: Redis) -> None:
    competition, host = announce(context)
    enter_players(context, competition, 2)
    competitions.cancel(context, host, competition)
    bucket = context.store.keys.matchmaking_bucket
    left = [name.decode() for name in redis_client.scan_iter("*competition*")]
    assert {bucket.competition(competition), bucket.entrants(competition)} <= set(left)
    assert [] == [key for key in left if redis_client.pttl(key) < 0]
