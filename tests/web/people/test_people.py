"""Players, their turns and games, and seats that change hands."""

from __future__ import annotations

import random
import re
from dataclasses import replace

import pytest
from redis import Redis

from service.rulesets.registry import RULESETS
from service.usecases.base.context import Context
from tests.patience import redis_now_ms
from tests.sampling import one_in
from tests.storage.commits import pass_a_millisecond
from tests.usecases.waiting import has_lifetime, wait_result, waits_without_news
from tests.web.client import Client, Json, body_of, check, check_replayed, read_pages, refusal_of
from tests.web.players import Person, act, new_player, seat_players
from tests.web.table import NewTable, Table

# ------------------------------------------------------------------------------------------- a player's token


def test_a_player_has_a_name_and_a_token_shown_once(anyone: Client) -> None:
    made = body_of(anyone.post("/v1/players", {"name": "Ana"}), 201)
    assert "Ana" == made["player"]["name"]
    assert re.fullmatch(r"[A-Za-z0-9_-]{16}", made["player"]["id"])
    assert made["player"].items() <= body_of(anyone.with_token(made["token"]).get("/v1/me"), 200).items()
    assert body_of(anyone.post("/v1/players"), 201)["player"]["name"] is None


def test_a_new_token_revokes_the_old_token_and_keeps_the_seats(anyone: Client, ana: Person, ben: Person) -> None:
    table = seat_players(ana, ben)
    made = body_of(ana.client.post("/v1/me/token"), 201)
    assert ana.id == made["player"]["id"]
    renewed = anyone.with_token(made["token"])
    assert (401, "auth/token_unknown") == refusal_of(ana.client.get("/v1/me"))
    body = {"id": table.actions(1)[0]["id"], "revision": table.view()["revision"]}
    assert 401 == ana.client.post(f"{table.path}/actions", body).status_code
    assert "Ana" == body_of(renewed.get("/v1/me"))["name"]
    act(table, renewed)


def test_a_player_who_creates_a_game_hosts_it_and_has_the_first_seat(ana: Person) -> None:
    seats = [{"kind": "ai", "level": "random"}, {"kind": "player"}, {"kind": "player"}, {"kind": "open"}]
    made = body_of(
        ana.client.post("/v1/games", {"ruleset": "azul", "variant": "grey", "seats": seats, "first_seat": 1})
    )
    assert [None, ana.id, None, None] == [seat["player"] for seat in made["game"]["seats"]]
    assert [None, "Ana", None, None] == [seat["name"] for seat in made["game"]["seats"]]
    assert ["2"] == list(made["tokens"]["seats"])
    table = Table(made["game"]["id"], made["tokens"], ana.client.with_token(None))
    assert "playing" == body_of(ana.client.post(f"{table.path}/start"))["game"]["status"]
    act(table, ana.client)


def test_a_name_given_for_a_seat_overrides_the_name_of_the_player(ana: Person, ben: Person) -> None:
    seats = [{"kind": "player", "name": "A."}, {"kind": "open"}]
    table = seat_players(ana, seats=seats)
    given = body_of(ben.client.post(f"{table.path}/seats", {"name": "B."}), 201)
    assert (None, 1) == (given["token"], given["seat"])
    assert [("A.", ana.id), ("B.", ben.id)] == [(seat["name"], seat["player"]) for seat in given["game"]["seats"]]


def test_a_player_with_two_seats_decides_for_the_seat_on_turn(ana: Person, ben: Person) -> None:
    table = seat_players(ana, ben, ana)
    for seat, person in enumerate((ana, ben, ana)):
        assert seat == act(table, person.client)["events"][0]["seat"]
    assert (403, "auth/wrong_seat") == refusal_of(ana.client.post(f"{table.path}/resignation", {"seat": 1}))
    actual = body_of(ana.client.post(f"{table.path}/resignation", {"seat": 2}))
    assert ["active", "active", "resigned"] == [seat["status"] for seat in actual["game"]["seats"]]


# ------------------------------------------------------------------------------------------- turns and games


def test_turns_list_the_games_that_wait_for_the_player(ana: Person, ben: Person, redis_client: Redis) -> None:
    assert [] == ana.turns()
    first = seat_players(ana, ben)
    pass_a_millisecond(redis_client)
    second = seat_players(ana, ben)
    assert [first.id, second.id] == ana.turns()
    assert [] == ben.turns()
    act(first, ana.client)
    assert ([second.id], [first.id]) == (ana.turns(), ben.turns())
    ben.client.post(f"{first.path}/resignation")
    assert [] == ben.turns()


def test_turns_are_sorted_by_waiting_time(ana: Person, ben: Person, redis_client: Redis) -> None:
    """An offer does not restart the wait, because the same decision is open."""
    first = seat_players(ana, ben)
    pass_a_millisecond(redis_client)
    second = seat_players(ana, ben)
    body_of(ben.client.post(f"{first.path}/pauses"), 201)
    assert [first.id, second.id] == ana.turns()


def test_turns_omit_paused_games(ana: Person, ben: Person) -> None:
    table = seat_players(ana, ben)
    offer = body_of(ben.client.post(f"{table.path}/pauses"), 201)["game"]["offers"][0]["id"]
    assert [table.id] == ana.turns()
    body_of(ana.client.post(f"{table.path}/offers/{offer}/answer", {"accept": True}), 201)
    assert [] == ana.turns()
    offer = body_of(ben.client.post(f"{table.path}/resumption"), 201)["game"]["offers"][0]["id"]
    body_of(ana.client.post(f"{table.path}/offers/{offer}/answer", {"accept": True}), 201)
    assert [table.id] == ana.turns()


def test_a_wait_for_a_turn_ends_with_the_others_move(ana: Person, ben: Person, context: Context) -> None:
    table = seat_players(ana, ben)
    assert [table.id] == wait_result(context, lambda: ben.turns(wait=60), lambda: act(table, ana.client))


def test_a_wait_for_a_turn_times_out_with_an_empty_list(ana: Person, context: Context) -> None:
    with waits_without_news(context) as waits:
        assert [] == ana.turns(wait=20)
    assert [20] == waits


@pytest.mark.parametrize("ruleset", one_in(3, RULESETS))
def test_a_bot_plays_a_whole_game_by_its_turns_alone(ana: Person, ben: Person, ruleset: str) -> None:
    """It reads only its turns and the legal actions. Every 40th answer is compared with the document."""
    table = seat_players(ana, ben, ruleset=ruleset, variant=RULESETS[ruleset].variants[-1])
    rng, flask, count, waiting = random.Random(5), ana.client.flask, 0, True
    while waiting:
        waiting = False
        for person in (ana, ben):
            headers = {"Authorization": f"Bearer {person.token}"}
            for game in flask.get("/v1/me/turns", headers=headers).get_json()["games"]:
                path = f"/v1/games/{game['id']}/actions"
                legal = flask.get(f"{path}?limit=30").get_json()
                body = {"id": rng.choice(legal["actions"])["id"], "revision": legal["revision"]}
                done = flask.post(path, json=body, headers=headers)
                assert done.status_code == 201, done.json
                count, waiting = count + 1, True
                if count % 40 == 0:
                    check("POST", path, done)
    assert ("finished", "completed") == (table.view()["status"], table.view()["outcome"]["reason"])


def test_a_players_games_come_in_pages_last_changed_first(ana: Person, ben: Person, redis_client: Redis) -> None:
    tables = []
    for _ in range(5):
        pass_a_millisecond(redis_client)
        tables.append(seat_players(ana, ben))
    for table in (tables[0], tables[3]):
        pass_a_millisecond(redis_client)
        act(table, ana.client)
    foreign = seat_players(ben, ben)
    expected = [tables[n].id for n in (3, 0, 4, 2, 1)]
    listed = read_pages(ana.client, "/v1/me/games?limit=2", "games")
    assert [expected[:2], expected[2:4], expected[4:]] == [[game["id"] for game in page] for page in listed]
    assert foreign.id in [game["id"] for game in ben.games()["games"]]


# ------------------------------------------------------------------------------------------- seats change hands


def test_handing_over_a_seat_creates_a_token_and_revokes_the_old_token(table: Table) -> None:
    given = body_of(table.seat(0).post(f"{table.path}/seats/0/handover", {"name": "Dora"}), 201)
    assert (0, "Dora", None) == (given["seat"], given["game"]["seats"][0]["name"], given["game"]["seats"][0]["player"])
    body = {"id": table.actions(1)[0]["id"], "revision": given["game"]["revision"]}
    assert 401 == table.seat(0).post(f"{table.path}/actions", body).status_code
    act(table, table.anyone.with_token(given["token"]))


def test_a_seat_is_handed_over_to_a_player(table: Table, ana: Person) -> None:
    given = body_of(table.seat(0).post(f"{table.path}/seats/0/handover", {"name": "Dora"}), 201)
    assert [] == ana.turns()
    claim = body_of(ana.client.post(f"{table.path}/seats", {"seat": 0, "token": given["token"]}), 201)
    assert (None, ana.id, "Ana") == (claim["token"], *(claim["game"]["seats"][0][name] for name in ("player", "name")))
    assert 401 == table.anyone.with_token(given["token"]).post(f"{table.path}/resignation").status_code
    assert [table.id] == ana.turns() == [game["id"] for game in ana.games()["games"]]
    act(table, ana.client)


def test_handing_over_one_of_several_seats_keeps_the_others(ana: Person, ben: Person) -> None:
    table = seat_players(ana, ana, ben)

    def give(seat: int) -> Json:
        token = body_of(ana.client.post(f"{table.path}/seats/{seat}/handover"), 201)["token"]
        return body_of(ben.client.post(f"{table.path}/seats", {"seat": seat, "token": token}), 201)

    assert [ana.id, ben.id, ben.id] == [seat["player"] for seat in give(1)["game"]["seats"]]
    for person in (ana, ben, ben):
        act(table, person.client)
    assert (403, "auth/wrong_seat") == refusal_of(ana.client.post(f"{table.path}/seats/1/handover"))
    assert [ben.id] * 3 == [seat["player"] for seat in give(0)["game"]["seats"]]
    assert ([], []) == (ana.turns(), ana.games()["games"])


def test_a_player_claims_a_seat_of_a_private_game_with_the_invitation(ana: Person, new_game: NewTable) -> None:
    table = new_game(visibility="private", seats=[{"kind": "player"}, {"kind": "open"}])
    path = f"{table.path}/seats"
    assert (404, "game/not_found") == refusal_of(ana.client.post(path))
    for wrong in ("x", table.tokens["watch"]):
        assert 400 <= ana.client.post(path, {"token": wrong}).status_code < 500
    claim = body_of(ana.client.post(path, {"token": table.tokens["invite"]}), 201)
    assert (1, None, ana.id) == (claim["seat"], claim["token"], claim["game"]["seats"][1]["player"])
    assert 200 == ana.client.get(table.path).status_code


def test_a_repeated_claim_with_an_invitation_gets_the_same_answer(ana: Person, new_game: NewTable) -> None:
    table = new_game(visibility="private", seats=[{"kind": "player"}, {"kind": "open"}])
    body, key = {"token": table.tokens["invite"]}, "of-the-claim-0123456789abcd"
    first = ana.client.post(f"{table.path}/seats", body, Idempotency_Key=key)
    again = ana.client.post(f"{table.path}/seats", body, Idempotency_Key=key)
    check_replayed(first, again)


@pytest.mark.parametrize("visibility", ["public", "private"])
def test_a_repeated_handover_gets_the_same_answer(new_game: NewTable, visibility: str) -> None:
    """Otherwise the seat's new token would be lost."""
    table, key = new_game(visibility=visibility), "of-the-handover-0123456789"
    first = table.seat(0).post(f"{table.path}/seats/0/handover", {}, Idempotency_Key=key)
    again = table.seat(0).post(f"{table.path}/seats/0/handover", {}, Idempotency_Key=key)
    check_replayed(first, again)


def test_a_player_expires_without_requests(anyone: Client, context: Context, redis_client: Redis) -> None:
    context.settings = replace(context.settings, player_ttl_s=600)
    person, began = new_player(anyone), redis_now_ms(redis_client)
    (key,) = redis_client.scan_iter("*:player:*")
    redis_client.expire(key, 300)
    body_of(person.client.get("/v1/me"))
    assert has_lifetime(redis_client, key, 600, began)
