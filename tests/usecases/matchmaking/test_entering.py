"""Competitions: who may enter, leave and host, what is told of them, and what stays of them."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import orjson
import pytest
import redis

from service.games.state.clocks import ClockRule
from service.rulesets.wire import Json
from service.storage.matchmaking.competitions import MAX_HOSTED
from service.usecases.base.context import Caller, Context, Idempotency
from service.usecases.matchmaking import competitions
from service.usecases.people import player_exports, players
from tests.patience import HANG_S
from tests.usecases.answers import answered
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
from tests.usecases.players import Time, player, view
from tests.usecases.waiting import woken

# ------------------------------------------------------------------------------------------------------- who may what


def test_who_leaves_before_it_begins_was_never_there(context: Context) -> None:
    competition, _ = announced(context)
    people = entered(context, competition, 2)
    for caller in people.values():
        competitions.leave(context, caller, competition)
    assert 0 == seen(context, competition)["players"]
    assert [] == competitions.leave(context, next(iter(people.values())), competition)["standings"]
    assert {"hosted": [], "entered": []} == competitions.own(context, next(iter(people.values())))


def test_who_withdraws_from_a_swiss_is_paired_no_more_and_who_pauses_an_arena_may_come_back(
    context: Context, time: Time
) -> None:
    competition, _, people = begun(context)
    ana, as_ana = next(iter(people.items()))
    competitions.leave(context, as_ana, competition)
    with refused("competition/closed"):
        competitions.join(context, as_ana, competition)
    play_round(context, competition, people)
    time.pass_(5)
    keep(context)
    assert all(one["player"] != ana for game in running(context, competition) for one in game["players"])
    arena, _, others = begun(context, ARENA, 2)
    as_other = next(iter(others.values()))
    competitions.leave(context, as_other, arena)
    assert {"paused", "entered"} == {row["status"] for row in seen(context, arena)["standings"]}
    competitions.join(context, as_other, arena)
    assert {"entered"} == {row["status"] for row in seen(context, arena)["standings"]}


def test_a_host_removes_a_player_who_cannot_come_back(context: Context) -> None:
    competition, host = announced(context)
    people = entered(context, competition, 2)
    ana, as_ana = next(iter(people.items()))
    with refused("auth/host_only"):
        competitions.remove(context, as_ana, competition, ana)
    competitions.remove(context, host, competition, ana)
    with refused("competition/removed"):
        competitions.join(context, as_ana, competition)
    with refused("competition/too_few"):
        competitions.start(context, host, competition)
    assert 1 == len(seen(context, competition)["standings"])


def test_a_player_who_was_removed_stays_removed_after_leaving(context: Context) -> None:
    competition, host, people = begun(context)
    ana, as_ana = next(iter(people.items()))
    competitions.remove(context, host, competition, ana)
    competitions.leave(context, as_ana, competition)
    with refused("competition/removed"):
        competitions.join(context, as_ana, competition)


def test_a_host_cancels_and_games_go_on_that_count_no_more(context: Context) -> None:
    competition, host, people = begun(context)
    (game, _) = running(context, competition)
    competitions.cancel(context, host, competition)
    competitions.cancel(context, host, competition)
    assert ("cancelled", []) == (seen(context, competition)["status"], games(context, competition))
    assert "playing" == view(context, game["game_id"])["status"]
    resign(context, game["game_id"], people)
    keep(context)
    assert [0] * 4 == [row["score"] for row in seen(context, competition)["standings"]]
    assert ([], None) == competitions.listed(context, None, 0, 10)


def test_people_and_bots_enter_what_is_open_to_them(context: Context) -> None:
    bot = Caller(players.create(context, {"name": "Bot", "bot": True})["token"])
    _, person = player(context)
    for open_to, welcome in (("people", person), ("bots", bot)):
        competition, _ = announced(context, replace(SWISS, open_to=open_to))
        competitions.join(context, welcome, competition)
        with refused("competition/not_for_you"):
            competitions.join(context, bot if welcome is person else person, competition)
    mixed, _ = announced(context, replace(SWISS, rated=True))
    with refused("game/not_mixed"):
        competitions.join(context, person, mixed)
    for caller in (person, bot):
        competitions.join(context, caller, mixed, mixed=True)
    assert 2 == seen(context, mixed)["players"]


def test_rated_games_are_rated(context: Context) -> None:
    competition, _, people = begun(context, replace(SWISS, rated=True, open_to="people"), 2)
    (game,) = running(context, competition)
    assert view(context, game["game_id"])["rated"]
    resign(context, game["game_id"], people)
    keep(context)
    winner = seen(context, competition)["standings"][0]["player"]
    assert context.ratings.of(winner)


def test_one_by_invitation_needs_it_and_its_host_alone_sees_it(context: Context) -> None:
    competition, host = announced(context, replace(SWISS, by_invitation=True))
    shown = competitions.look(context, host, competition, None, 0)
    assert shown is not None
    invitation = orjson.loads(shown[1])["invitation"]
    assert seen(context, competition)["invitation"] is None
    _, as_ana = player(context)
    for wrong in (None, "nonsense", "ä"):
        with refused("competition/invitation"):
            competitions.join(context, as_ana, competition, wrong)
    competitions.join(context, as_ana, competition, invitation)


def test_a_player_hosts_so_many_and_enters_so_many_at_one_time(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, host = player(context)
    for number in range(MAX_HOSTED):
        made = competitions.announce(context, host, SWISS, Idempotency(f"key {number}", ""))
        assert made["id"] == competitions.announce(context, host, SWISS, Idempotency(f"key {number}", ""))["id"]
    with refused("limit/competitions"):
        competitions.announce(context, host, SWISS)
    with refused("idempotency/mismatch"):
        competitions.announce(context, host, replace(SWISS, rounds=3), Idempotency("key 0", ""))
    competitions.cancel(context, host, made["id"])
    competitions.announce(context, host, SWISS)
    assert MAX_HOSTED + 1 == len(competitions.own(context, host)["hosted"])
    monkeypatch.setattr("service.storage.matchmaking.competitions.MAX_OPEN", 3)
    with refused("limit/competitions"):
        announced(context)
    monkeypatch.setattr(competitions, "MAX_AT_ONCE", 1)
    first, second = (one["id"] for one in competitions.own(context, host)["hosted"][:2])
    _, as_ana = player(context)
    competitions.join(context, as_ana, first)
    competitions.join(context, as_ana, first)
    with refused("limit/competitions"):
        competitions.join(context, as_ana, second)


@pytest.mark.parametrize(
    ("wrong", "places"),
    [
        ({"minutes": 5}, {"/minutes"}),
        ({"format": "arena"}, {"/rounds", "/pause_s"}),
        ({"starts_at": 5}, {"/starts_at"}),
        ({"variant": "standard"}, {"/variant"}),
        ({"clock": ClockRule(601, 7_201, "lose", "greedy")}, {"/clock/turn_s", "/clock/bank_s"}),
    ],
)
def test_what_is_wrong_with_an_announcement_is_told(context: Context, wrong: Json, places: set[str]) -> None:
    with refused("request/invalid") as error:
        announced(context, replace(SWISS, **wrong))
    assert places == set(error.value.errors)


def whole(redis_client: redis.Redis, name: Any) -> object:
    return redis_client.hgetall(name) if redis_client.type(name) == b"hash" else redis_client.zrange(name, 0, -1)


def test_a_player_who_is_deleted_is_nobody_there_and_resigns(
    context: Context, time: Time, redis_client: redis.Redis
) -> None:
    competition, _, people = begun(context)
    ana, as_ana = next(iter(people.items()))
    coming, _ = announced(context)
    competitions.join(context, as_ana, coming)
    own = competitions.announce(context, as_ana, SWISS)["id"]
    exported = answered(player_exports.export(context, as_ana))["competitions"]
    assert ([own], {competition, coming}) == (
        [one["id"] for one in exported["hosted"]],
        {one["id"] for one in exported["entered"]},
    )
    going_on, as_host, _ = begun(context)
    players.delete(context, as_host)
    players.delete(context, as_ana)
    keep(context)
    assert ("running", None) == (seen(context, going_on)["status"], seen(context, going_on)["host"])
    assert "cancelled" == seen(context, own)["status"]
    assert 0 == seen(context, coming)["players"]
    after = seen(context, competition)
    (row,) = (row for row in after["standings"] if row["player"] is None)
    assert (None, "withdrawn", 0, 1) == (row["name"], row["status"], row["score"], row["played"])
    assert ana not in str(after)
    assert ana not in str(games(context, competition))
    assert not [name for name in redis_client.scan_iter("*competition*") if ana.encode() in name]
    assert not [name for name in redis_client.scan_iter("*competition:*") if ana in str(whole(redis_client, name))]


# ------------------------------------------------------------------------------------------------- waiting, following


def test_waiting_ends_with_the_next_version_and_a_stream_with_the_competition(context: Context) -> None:
    competition, host = announced(context)
    version = seen(context, competition)["version"]
    assert competitions.look(context, Caller(), competition, version, 0.05) is None
    look = partial(competitions.look, context, Caller(), competition, version, HANG_S)
    found = woken(context, look, lambda: entered(context, competition, 1))
    assert found is not None
    assert found[0] > version
    items = competitions.follow(context, competition, None, 0.05)
    assert "coming" == (next(items) or {})["status"]
    assert next(items) is None
    competitions.cancel(context, host, competition)
    assert ["cancelled"] == [item["status"] for item in items if item]
    with refused("competition/not_found"):
        competitions.follow(context, "none", None)


def test_the_list_tells_what_runs_what_comes_and_what_is_over(context: Context, time: Time) -> None:
    over, _, people = begun(context, replace(SWISS, rounds=1), 2)
    play_round(context, over, people)
    keep(context)
    now_running, _, _ = begun(context, SWISS, 2)
    coming, _ = announced(context)
    announced(context, replace(SWISS, public=False))
    every, following = competitions.listed(context, None, 0, 2)
    assert ([now_running, coming], 2) == ([one["id"] for one in every], following)
    rest, following = competitions.listed(context, None, 2, 2)
    assert ([over], None) == ([one["id"] for one in rest], following)
    assert [over] == [one["id"] for one in competitions.listed(context, "over", 0, 9)[0]]


def test_what_stays_of_a_competition_expires(context: Context, redis_client: redis.Redis) -> None:
    competition, host = announced(context)
    entered(context, competition, 2)
    competitions.cancel(context, host, competition)
    bucket = context.store.keys.of_seeks
    left = [name.decode() for name in redis_client.scan_iter("*competition*")]
    assert {bucket.competition(competition), bucket.entrants(competition)} <= set(left)
    assert [] == [key for key in left if redis_client.pttl(key) < 0]
