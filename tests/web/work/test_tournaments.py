"""Tournaments: requested, played by a worker, read, followed, exported."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from functools import partial
from operator import itemgetter
from unittest.mock import Mock

import pytest
from flask import Flask
from redis import Redis

from service.games.state.moments import add_seconds
from service.usecases.base.context import Context
from service.usecases.work import tournaments
from tests.sampling import one_in
from tests.usecases.waiting import wait_result, waits_without_news
from tests.web.client import Client, Json, body_of, invalid_fields, refusal_of
from tests.web.game_records import import_record
from tests.web.table import EVERY_VARIANT, Work
from tests.web.wrong_bodies import MISSING, Faults, wrong_bodies
from tests.workers.bots import Answer, cheating, failing, first_action, serving
from workers import jobs
from workers.tasks import tournament

BOT: Json = {"name": "Bot", "url": "https://bot.example/", "level": "random"}
SMALL: Json = {"ruleset": "azul", "variant": "coloured", "levels": ["greedy", "random"], "deals": 3, "seed": "07" * 32}


def start_tournament(client: Client, **changes: object) -> Json:
    answer = client.post("/v1/tournaments", {**SMALL, **changes})
    task = body_of(answer, 202)
    assert answer.headers["Location"] == f"/v1/tournaments/{task['id']}"
    return task


@pytest.fixture
def loopback(context: Context) -> None:
    """Let the service call bots on this machine."""
    context.settings = replace(context.settings, outgoing="loopback")


def play_games(task: Json, count: int) -> None:
    """Play the first games of a tournament, without the worker."""
    for number in range(count):
        jobs.play_game(task["id"], number)


def read_tournament(client: Client, task: Json) -> Json:
    return body_of(client.get(f"/v1/tournaments/{task['id']}"))


def records(client: Client, task: Json, query: str = "") -> list[Json]:
    answer = client.flask.get(f"/v1/tournaments/{task['id']}/games{query}")
    assert ("application/x-ndjson", 200) == (answer.mimetype, answer.status_code)
    return [json.loads(line) for line in answer.data.splitlines()]


@pytest.mark.parametrize(("ruleset", "variant"), one_in(3, EVERY_VARIANT))
def test_two_levels_swap_seats_and_every_game_can_be_imported(
    anyone: Client, work: Work, ruleset: str, variant: str
) -> None:
    task = start_tournament(anyone, ruleset=ruleset, variant=variant)
    assert ("waiting", 6, 0) == (task["status"], task["games"], task["games_played"])
    assert (None, [0, 1]) == (task["matches"][0]["wins"], task["matches"][0]["interval"])
    work()
    done = read_tournament(anyone, task)
    assert ("done", 6) == (done["status"], done["games_played"])
    (match,) = done["matches"]
    assert (["greedy", "random"], 6) == (match["participants"], match["games"])
    assert match["wins"] > 0.6
    assert match["interval"] == [round(bound, 4) for bound in tournaments.wilson(match["wins"], 6)]
    assert ["greedy", "random"] == [standing["participant"] for standing in done["standings"]]
    games = records(anyone, task)
    levels = [[seat["level"] for seat in game["seats"]] for game in games]
    assert [["greedy", "random"], ["random", "greedy"]] * 3 == levels
    assert ["finished"] * 6 == [game["status"] for game in games]
    wins = sum(
        game["outcome"]["seats"][number % 2]["won"] / sum(seat["won"] for seat in game["outcome"]["seats"])
        for number, game in enumerate(games)
    )
    assert match["wins"] == round(wins / 6, 4)
    means = [
        sum(game["outcome"]["seats"][(number + of) % 2]["score"] for number, game in enumerate(games)) / 6
        for of in (0, 1)
    ]
    assert match["mean_scores"] == [round(mean, 4) for mean in means]
    copy = import_record(anyone, games[-1])  # the import checks that the draws come from the seed
    assert games[-1]["outcome"] == copy.view()["outcome"]


def test_the_games_of_a_deal_have_the_same_draws(anyone: Client, work: Work) -> None:
    task = start_tournament(anyone, deals=2)
    work()
    games = records(anyone, task)
    assert games[0]["seed"] == games[1]["seed"] != games[2]["seed"] == games[3]["seed"]
    draws = [[event["draw"] for event in game["events"] if event["kind"] == "draw"] for game in games]
    first_deals = [next(draw for draw in of if "tiles" in draw) for of in draws]
    assert first_deals[0] == first_deals[1] != first_deals[2]


def test_the_same_seed_gives_the_same_tournament(anyone: Client, work: Work) -> None:
    tasks = [start_tournament(anyone, seed=seed) for seed in ("07" * 32, "07" * 32, "08" * 32)]
    work()
    actual = [read_tournament(anyone, task)["matches"] for task in tasks]
    games = [[game["events"] for game in records(anyone, task)] for task in tasks]
    actions = [[[e["action"] for e in game if e["action"]] for game in of] for of in games]
    assert actual[0] == actual[1]
    assert actions[0] == actions[1] != actions[2]


@pytest.mark.parametrize(("seats", "levels"), [(3, ["greedy", "random"]), (4, ["random", "greedy"])])
def test_with_more_seats_one_participant_plays_one_seat_and_the_other_the_rest(
    anyone: Client, work: Work, seats: int, levels: list[str]
) -> None:
    task = start_tournament(anyone, seats=seats, levels=levels, deals=1)
    work()
    expected = [[levels[at != first] for at in range(seats)] for first in range(seats)]
    assert expected == [[seat["level"] for seat in game["seats"]] for game in records(anyone, task)]


def test_a_round_robin_plays_every_pair(anyone: Client, work: Work) -> None:
    levels = ["random", "greedy", "planner"]
    task = start_tournament(anyone, levels=levels, deals=1)
    assert 6 == task["games"]
    work()
    done = read_tournament(anyone, task)
    assert [*itertools.combinations(levels, 2)] == [tuple(match["participants"]) for match in done["matches"]]
    assert [4, 4, 4] == [standing["games"] for standing in done["standings"]]
    assert "random" == done["standings"][-1]["participant"]


def test_a_repeated_job_plays_a_game_once(anyone: Client, work: Work) -> None:
    task = start_tournament(anyone)
    play_games(task, 2)
    half = read_tournament(anyone, task)
    assert ("running", 2) == (half["status"], half["games_played"])
    before = records(anyone, task)
    work()
    done = read_tournament(anyone, task)
    play_games(task, 6)
    assert done == read_tournament(anyone, task)
    assert before == records(anyone, task, "?limit=2")
    assert records(anyone, task)[3:5] == records(anyone, task, "?first=3&limit=2")


def test_the_games_of_a_tournament_are_paged(anyone: Client, work: Work) -> None:
    task = start_tournament(anyone)
    work()
    path = f"/v1/tournaments/{task['id']}/games"
    assert ["/limit"] == invalid_fields(anyone.get(f"{path}?limit=101"))
    first = anyone.get(f"{path}?limit=4")
    link = first.headers["Link"]
    rest = anyone.get(link[1 : link.index(">")])
    assert [4, 2] == [len(answer.data.splitlines()) for answer in (first, rest)]
    assert "Link" not in rest.headers


def test_a_tournament_with_failing_games_has_status_failed(
    anyone: Client, work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    task = start_tournament(anyone)
    monkeypatch.setattr(tournament, "play", Mock(side_effect=RuntimeError("broken for the test")))
    work()
    assert ("failed", 0) == (read_tournament(anyone, task)["status"], read_tournament(anyone, task)["games_played"])


def test_a_tournament_is_followed_to_its_end(app: Flask, anyone: Client, work: Work) -> None:
    task = start_tournament(anyone)
    path, headers = f"/v1/tournaments/{task['id']}/events", {"Accept": "application/x-ndjson"}
    follow = partial(anyone.flask.get, path, headers=headers, buffered=True)
    answer = wait_result(app.extensions["context"], follow, work)
    states = [json.loads(line) for line in answer.data.splitlines() if line.strip()]
    played = [state["games_played"] for state in states]
    assert (0, 6, "done") == (played[0], played[-1], states[-1]["status"])
    assert played == sorted(played)
    assert states[-1] == read_tournament(anyone, task)
    events = anyone.flask.get(f"/v1/tournaments/{task['id']}/events").data
    assert b"id: %d\ndata: {" % states[-1]["version"] in events


def test_a_wait_ends_with_the_next_game(app: Flask, anyone: Client, work: Work) -> None:
    task = start_tournament(anyone)
    path = f"/v1/tournaments/{task['id']}?after={task['version']}"
    with waits_without_news(app.extensions["context"]) as waits:
        assert 204 == anyone.get(f"{path}&wait=20").status_code
    assert [20] == waits
    actual = body_of(wait_result(app.extensions["context"], lambda: anyone.get(f"{path}&wait=60"), work))
    assert actual["games_played"] >= 1


def test_an_ended_tournament_is_deleted_completely(anyone: Client, work: Work, redis_client: Redis) -> None:
    owner = anyone.with_token(body_of(anyone.post("/v1/players"))["token"])
    task = start_tournament(owner)
    play_games(task, 2)
    path = f"/v1/tournaments/{task['id']}"
    assert (401, "auth/token_required") == refusal_of(anyone.delete(path))
    assert (403, "auth/not_owner") == refusal_of(anyone.with_token("x" * 43).delete(path))
    assert 204 == owner.delete(path).status_code
    work()
    for gone in (path, f"{path}/events", f"{path}/games"):
        assert (404, "task/not_found") == refusal_of(anyone.get(gone))
    assert [] == [key for key in redis_client.scan_iter("*") if task["id"].encode() in key]


def test_the_data_of_a_tournament_expires(app: Flask, anyone: Client, work: Work, redis_client: Redis) -> None:
    task = start_tournament(anyone)
    work()
    keys = [key for key in redis_client.scan_iter("*") if task["id"].encode() in key]
    assert 2 == len(keys)
    assert all(0 < redis_client.ttl(key) <= app.extensions["context"].settings.task_ttl_s for key in keys)


FAULTS: Faults = {
    "/ruleset": ["chess"],
    "/variant": ["purple"],
    "/seats": [5],
    "/levels": [["greedy", "greedy"], ["greedy"] * 17],
    "/levels/1": ["nobody"],
    "/endpoints": [[BOT, BOT], [{**BOT, "name": "greedy"}]],
    "/endpoints/0/name": [""],
    "/endpoints/0/level": ["nobody"],
    "/endpoints/0/url": [MISSING, "http://bot.example/"],
    "/endpoints/0/attempts": [0],
    "/deals": [0, 1001],
    "/seed": ["xyz"],
}


def test_an_invalid_request_is_refused_with_its_pointer(anyone: Client) -> None:
    for pointer, body in wrong_bodies({**SMALL, "endpoints": [BOT]}, FAULTS):
        assert [pointer] == invalid_fields(anyone.post("/v1/tournaments", body)), body
    for levels in ([], ["greedy"]):
        assert ["/levels"] == invalid_fields(anyone.post("/v1/tournaments", {**SMALL, "levels": levels}))


@pytest.mark.parametrize(("ruleset", "variant"), one_in(3, EVERY_VARIANT[::2]))
@pytest.mark.usefixtures("loopback")
def test_bots_play_against_levels_and_each_other(anyone: Client, work: Work, ruleset: str, variant: str) -> None:
    with serving(first_action) as (url, bodies), serving(first_action) as (other_url, other_bodies):
        endpoints = [{**BOT, "url": url}, {**BOT, "url": other_url, "name": "Other"}]
        task = start_tournament(
            anyone, ruleset=ruleset, variant=variant, levels=["random"], deals=1, endpoints=endpoints
        )
        participants = [*map(itemgetter("name", "kind"), task["participants"])]
        assert [("random", "ai"), ("Bot", "http"), ("Other", "http")] == participants
        assert url not in json.dumps(task)
        work()
    done = read_tournament(anyone, task)
    assert ("done", 6) == (done["status"], done["games_played"])
    pairs = [match["participants"] for match in done["matches"]]
    assert [["random", "Bot"], ["random", "Other"], ["Bot", "Other"]] == pairs
    games = records(anyone, task)
    kinds = [[seat["kind"] for seat in games[number]["seats"]] for number in (0, 1, 4)]
    assert [["ai", "http"], ["http", "ai"], ["http", "http"]] == kinds
    assert [] == [event for game in games for event in game["events"] if event["kind"] == "call_failed"]
    assert bodies
    assert other_bodies
    assert games[-1]["outcome"] == import_record(anyone, games[-1]).view()["outcome"]


@pytest.mark.parametrize(
    ("answer", "then", "reason"),
    [
        (failing, "lose", "status"),
        (cheating, "lose", "illegal"),
        (failing, "ai", "status"),
        (cheating, "ai", "illegal"),
    ],
)
@pytest.mark.usefixtures("loopback")
def test_a_bad_bot_loses_its_games_or_is_replaced_by_an_ai(
    anyone: Client,
    work: Work,
    monkeypatch: pytest.MonkeyPatch,
    answer: Answer,
    then: str,
    reason: str,
) -> None:
    pauses_s = list[float]()
    monkeypatch.setattr(tournament, "time", Mock(sleep=pauses_s.append))
    with serving(answer) as (url, bodies):
        challenger = {**BOT, "url": url, "attempts": 3, "on_failure": then}
        task = start_tournament(anyone, levels=["greedy"], deals=1, endpoints=[challenger])
        work()
    done = read_tournament(anyone, task)
    assert ("done", 1.0) == (done["status"], done["matches"][0]["wins"])
    assert 6 == len(bodies)
    assert [1] * 4 == pauses_s
    for game in records(anyone, task):
        failed = [event for event in game["events"] if event["kind"] == "call_failed"]
        assert [(reason, None)] * 2 + [(reason, then)] == [(event["reason"], event["then"]) for event in failed]
        assert [add_seconds(event["at"], 1) for event in failed[:2]] + [None] == [event["retry_at"] for event in failed]
        assert ("failure" if then == "lose" else "completed") == game["outcome"]["reason"]
        assert game["outcome"] == import_record(anyone, game).view()["outcome"]
