"""Competitions go on by themselves, each step once, whatever is killed."""

from __future__ import annotations

import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import orjson
import pytest
import redis

from service.competitions import progress
from service.games.clocks import ClockRule
from service.rulesets.wire import Json
from service.storage.competitions import MOST_HOSTED
from service.usecases.automatic import competing, due_queue, follow_ups, paired_games
from service.usecases.core.commands import Request
from service.usecases.core.context import Caller, Context, Idempotency
from service.usecases.requests import competitions, offering, player_exports, players, playing
from service.usecases.requests.competitions import NewCompetition
from tests.usecases.answers import answered
from tests.usecases.people import Time, player, the_offer, view
from tests.usecases.test_usecases import refused

CLOCK = ClockRule(30, 60, "lose", "greedy")
SWISS = NewCompetition("Open", "swiss", "azul", "coloured", CLOCK, rounds=2, pause_s=5)
ARENA = replace(SWISS, format="arena", rounds=None, pause_s=None, minutes=5)
People = dict[str, Caller]


def announced(context: Context, new: NewCompetition = SWISS) -> tuple[str, Caller]:
    """A competition: (id, its host)."""
    _, host = player(context, "Host")
    return competitions.announce(context, host, new)["id"], host


def entered(context: Context, competition: str, count: int) -> People:
    """So many new players who have entered."""
    people = dict(player(context, f"Player {number}") for number in range(1, count + 1))
    for caller in people.values():
        competitions.join(context, caller, competition)
    return people


def begun(context: Context, new: NewCompetition = SWISS, count: int = 4) -> tuple[str, Caller, People]:
    """One that has begun: (id, its host, its players)."""
    competition, host = announced(context, new)
    people = entered(context, competition, count)
    competitions.start(context, host, competition)
    keep(context)
    return competition, host, people


def keep(context: Context) -> None:
    """All that a keeper does now."""
    while due_queue.look(context, due_queue.BackOff()):
        pass
    due_queue.look(context, due_queue.BackOff())


def seen(context: Context, competition: str) -> Json:
    found = competitions.look(context, Caller(), competition, None, 0)
    assert found is not None
    return dict(orjson.loads(found[1]))


def games(context: Context, competition: str) -> list[Json]:
    return competitions.games(context, competition, None, 0, 100)[0]


def running(context: Context, competition: str) -> list[Json]:
    return [game for game in games(context, competition) if game["ended_at"] is None]


def resign(context: Context, game_id: str, people: People, *, seat: int = 1) -> None:
    """Whoever has that seat resigns."""
    playing.resign(context, Request(people[view(context, game_id)["seats"][seat]["player"]], game_id), None)


def play_round(context: Context, competition: str, people: People) -> None:
    for game in running(context, competition):
        resign(context, game["game_id"], people)
    keep(context)


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
    time.pass_(2 * (60 + 30 * progress.MOST_TURNS) - 1)
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


class Killed(BaseException):
    """As a signal would do it."""


def cut(*_: Any, **__: Any) -> Any:
    raise Killed


@pytest.mark.parametrize("step", ["commit", "looked", "create", "begin", "done"])
def test_a_round_that_is_killed_before_a_step_has_each_game_once(
    context: Context, time: Time, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
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
    with monkeypatch.context() as patch:
        patch.setattr(*places[step], cut)
        with pytest.raises(Killed):
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
def test_a_result_that_is_killed_before_a_step_counts_once(
    context: Context, time: Time, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    competition, _, people = begun(context)
    one, _ = running(context, competition)
    resign(context, one["game_id"], people)
    places = {"of_games": context.competitions, "commit": context.competitions, "done": context.follow_ups}
    with monkeypatch.context() as patch:
        patch.setattr(places[step], step, cut)
        with pytest.raises(Killed):
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
    at_once = threading.Barrier(4)

    def look() -> None:
        at_once.wait(10)
        competing.advance(context, competition)

    with ThreadPoolExecutor(4) as pool:
        for one in [pool.submit(look) for _ in range(4)]:
            one.result()
    keep(context)
    assert 4 == len(games(context, competition))
    assert {1} == {len(context.players.game_ids(name)) for name in people}


def test_many_who_join_at_once_are_each_in_it_once(context: Context) -> None:
    competition, _ = announced(context, replace(SWISS, most_players=10))
    people = [player(context)[1] for _ in range(12)]

    def join(caller: Caller) -> str:
        try:
            competitions.join(context, caller, competition)
        except Exception as error:  # noqa: BLE001 - the code is what is looked at
            return str(getattr(error, "code", error))
        return "in"

    with ThreadPoolExecutor(6) as pool:
        results = Counter(pool.map(join, people + people))
    assert {"in": 20, "competition/full": 4} == results
    assert [*range(1, 11)] == sorted(row["number"] for row in seen(context, competition)["standings"])


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
    for number in range(MOST_HOSTED):
        made = competitions.announce(context, host, SWISS, Idempotency(f"key {number}", ""))
        assert made["id"] == competitions.announce(context, host, SWISS, Idempotency(f"key {number}", ""))["id"]
    with refused("limit/competitions"):
        competitions.announce(context, host, SWISS)
    with refused("idempotency/mismatch"):
        competitions.announce(context, host, replace(SWISS, rounds=3), Idempotency("key 0", ""))
    competitions.cancel(context, host, made["id"])
    competitions.announce(context, host, SWISS)
    assert MOST_HOSTED + 1 == len(competitions.own(context, host)["hosted"])
    monkeypatch.setattr("service.storage.competitions.MOST_OPEN", 3)
    with refused("limit/competitions"):
        announced(context)
    monkeypatch.setattr(competitions, "MOST_AT_ONCE", 1)
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
    timer = threading.Timer(0.3, lambda: entered(context, competition, 1))
    timer.start()
    found = competitions.look(context, Caller(), competition, version, 20)
    timer.join()
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
