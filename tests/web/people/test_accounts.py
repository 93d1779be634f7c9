"""Players as everybody sees them, and their tokens."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import redis

from service.storage.people.players import MAX_TOKENS
from service.usecases.base.context import digest_of
from service.usecases.games import timeouts
from tests.usecases.waiting import pass_a_millisecond
from tests.web.client import OPERATIONS, Client, answered, invalid, pages, refused
from tests.web.players import Person, act, new_player, open_table, seated
from tests.web.table import Table
from tests.web.wrong_bodies import Faults, wrong_bodies


def put_handle(person: Person, handle: Any) -> Any:
    return person.client.put("/v1/me/handle", {"handle": handle})


def with_scopes(person: Person, *scopes: str) -> Person:
    made = answered(person.client.post("/v1/me/tokens", {"scopes": list(scopes)}), 201)
    return Person(person.id, person.client.with_token(made["token"]))


# --------------------------------------------------------------------------------------------------- profiles


def test_a_player_says_who_they_are_and_changes_it(anyone: Client) -> None:
    said = {"name": "Ana", "bot": True, "colour": "#00aaff", "country": "PT"}
    made = answered(anyone.post("/v1/players", said), 201)
    assert said == {name: made["player"][name] for name in said}
    assert made["player"]["handle"] is None
    person = Person(made["player"]["id"], anyone.with_token(made["token"]))
    changed = answered(person.client.patch("/v1/me", {"colour": None, "name": "Anna"}), 200)
    assert {**made["player"], "colour": None, "name": "Anna"} == changed == answered(person.client.get("/v1/me"))
    assert (
        changed == answered(person.client.patch("/v1/me", {}), 200) == answered(anyone.get(f"/v1/players/{person.id}"))
    )


def test_a_fault_in_a_profile_is_told_with_its_place(anyone: Client, ana: Person, redis_client: redis.Redis) -> None:
    faults: Faults = {
        "/colour": ["red", "#12345G", "#ABCDEF", "#123456\n", 5],
        "/country": ["XX", "de", "D ", "DEU"],
        "/name": ["", " ", 7, "x" * 41, "a\x00b", "a\nb", "a\u202eb"],
        "/nick": ["Ana"],
    }
    for pointer, body in wrong_bodies({}, faults):
        assert [pointer] == invalid(anyone.post("/v1/players", body)) == invalid(ana.client.patch("/v1/me", body)), body
    for body in ([], "x"):
        assert [""] == invalid(anyone.post("/v1/players", body)) == invalid(ana.client.patch("/v1/me", body))
    assert ["/bot"] == invalid(ana.client.patch("/v1/me", {"bot": True}))
    assert 1 == len([*redis_client.scan_iter("*:player:*")])


def test_seats_keep_the_name_they_were_taken_with(ana: Person, ben: Person) -> None:
    table = seated(ana, ben)
    answered(ana.client.patch("/v1/me", {"name": "Anna"}))
    assert ["Ana", "Ben"] == [seat["name"] for seat in table.view()["seats"]]


# ---------------------------------------------------------------------------------------------------- handles


def test_a_player_is_found_by_handle_however_it_is_spelt(anyone: Client, ana: Person) -> None:
    answered(put_handle(ana, "Ana-Bel"), 200)
    for spelt in ("Ana-Bel", "anabel", "ANA_BEL", "anabe1", ana.id):
        assert (ana.id, "Ana-Bel") == tuple(
            answered(anyone.get(f"/v1/players/{spelt}"))[name] for name in ("id", "handle")
        )
    answer = ana.client.delete("/v1/me/handle")
    assert 204 == answer.status_code
    assert (404, "player/not_found") == refused(anyone.get("/v1/players/anabel"))
    assert 204 == ana.client.delete("/v1/me/handle").status_code


@pytest.mark.parametrize("word", ["x", "%20", "no.such", "AAAAAAAAAAAAAAAA", "x" * 300, "%F0%9F%8E%B2"])
def test_to_look_for_what_is_no_player_is_not_found(anyone: Client, word: str) -> None:
    for path in (f"/v1/players/{word}", f"/v1/players/{word}/games"):
        assert (404, "player/not_found") == refused(anyone.get(path))


def test_what_can_be_nobodys_handle_is_told_with_its_place(ana: Person) -> None:
    for handle in ("ab", "x" * 16, "a b", "", "Ärger", "admin", "Azul", "summer_pavil1on", None, 5):
        assert ["/handle"] == invalid(put_handle(ana, handle)), handle


def test_a_handle_that_was_changed_lately_says_when_it_may_be_changed(
    ana: Person, wait_for: Callable[[float], None]
) -> None:
    for handle in ("Ana", "Anna"):
        answered(put_handle(ana, handle))
    answer = put_handle(ana, "Hanna")
    assert (409, "player/handle_too_soon") == refused(answer)
    assert answer.json["until"] > answered(ana.client.get("/v1/me"))["created_at"]
    wait_for(7 * 86_400 + 1)
    assert "Hanna" == answered(put_handle(ana, "Hanna"))["handle"]


def test_of_many_who_want_one_handle_at_once_one_gets_it(anyone: Client) -> None:
    people = [new_player(Client(anyone.flask.application.test_client())) for _ in range(12)]
    with ThreadPoolExecutor(12) as pool:
        statuses = list(pool.map(lambda person: put_handle(person, "Ana").status_code, people))
    assert [200] + [409] * 11 == sorted(statuses)
    assert 1 == sum(answered(person.client.get("/v1/me"))["handle"] == "Ana" for person in people)


# ----------------------------------------------------------------------------------------------------- tokens


def test_a_player_has_a_token_for_each_device_and_ends_one_that_was_lost(anyone: Client, ana: Person) -> None:
    made = answered(ana.client.post("/v1/me/tokens", {"name": "phone"}), 201)
    assert ("phone", ["play", "read"], False) == tuple(made["details"][key] for key in ("name", "scopes", "current"))
    phone = Person(ana.id, anyone.with_token(made["token"]))
    assert answered(ana.client.get("/v1/me")) == answered(phone.client.get("/v1/me"))
    table = seated(phone, ana)
    act(table, ana.client)
    listed = answered(ana.client.get("/v1/me/tokens"))["tokens"]
    assert [(None, True), ("phone", False)] == [(token["name"], token["current"]) for token in listed]
    assert made["token"] not in str(listed)
    assert 204 == ana.client.delete(f"/v1/me/tokens/{made['details']['id']}").status_code
    assert (401, "auth/token_unknown") == refused(phone.client.get("/v1/me"))
    assert [None] == [token["name"] for token in answered(ana.client.get("/v1/me/tokens"))["tokens"]]
    assert (404, "token/not_found") == refused(ana.client.delete(f"/v1/me/tokens/{made['details']['id']}"))


def test_to_replace_a_token_leaves_the_others_and_its_name(anyone: Client, ana: Person) -> None:
    phone = answered(ana.client.post("/v1/me/tokens", {"name": "phone", "scopes": ["play"]}), 201)["token"]
    replaced = answered(anyone.with_token(phone).post("/v1/me/token"), 201)["token"]
    assert (401, "auth/token_unknown") == refused(anyone.with_token(phone).get("/v1/me"))
    listed = answered(anyone.with_token(replaced).get("/v1/me/tokens"))["tokens"]
    assert [(None, False), ("phone", True)] == [(token["name"], token["current"]) for token in listed]
    answered(ana.client.get("/v1/me"))


def test_one_signs_out_by_ending_the_token_that_is_sent(ana: Person) -> None:
    (token,) = answered(ana.client.get("/v1/me/tokens"))["tokens"]
    assert 204 == ana.client.delete(f"/v1/me/tokens/{token['id']}").status_code
    assert (401, "auth/token_unknown") == refused(ana.client.get("/v1/me"))


def test_a_player_has_no_more_than_ten_tokens(ana: Person) -> None:
    for _ in range(MAX_TOKENS - 1):
        answered(ana.client.post("/v1/me/tokens"), 201)
    answer = ana.client.post("/v1/me/tokens")
    assert (409, "limit/tokens", MAX_TOKENS) == (*refused(answer), (answer.json or {})["limit"])


def test_faults_in_scopes_are_told(ana: Person) -> None:
    for scopes in ([], ["admin"], ["play", "read", "play"], "play", None, [5]):
        assert invalid(ana.client.post("/v1/me/tokens", {"scopes": scopes}))[0].startswith("/scopes"), scopes


def test_a_token_that_reads_sees_and_follows_all_that_its_player_may(ana: Person, ben: Person) -> None:
    table = seated(ana, ben, visibility="private")
    reading = with_scopes(ana, "read")
    assert [table.id] == reading.turns() == [game["id"] for game in reading.games()["games"]]
    assert table.id == answered(reading.client.get(table.path))["id"]
    assert answered(reading.client.post(f"{table.path}/tickets"), 201)["ticket"]
    legal = answered(reading.client.get(f"{table.path}/actions?limit=1"))
    body = {"id": legal["actions"][0]["id"], "revision": legal["revision"]}
    assert 200 == reading.client.post(f"{table.path}/actions?dry_run=true", body).status_code
    assert 202 == reading.client.post(f"{table.path}/analyses", {"kind": "decision"}).status_code
    assert (403, "auth/read_only") == refused(reading.client.post(f"{table.path}/actions", body))
    assert (403, "auth/read_only") == refused(reading.client.post(f"{table.path}/messages", {"text": "hi"}))


READING_POSTS = ("checkPosition", "analysePosition", "analyseGame", "createTicket")
OF_NOBODY = ("createPlayer", "beginSignIn", "completeSignIn")  # no token is looked at
OF_TASKS = ("createTournament", "endAnalysis", "endTournament")  # the player is not asked there


def test_every_operation_that_changes_something_for_a_player_refuses_a_token_that_reads() -> None:
    others = READING_POSTS + OF_NOBODY + OF_TASKS
    changing = {name for name, (method, _, _) in OPERATIONS.items() if method != "GET" and name not in others}
    refusing = {
        name
        for name, (_, _, told) in OPERATIONS.items()
        for answer in told["responses"].values()
        if "auth/read_only" in answer.get("x-codes", ())
    }
    assert changing == refusing


def test_the_token_tells_when_it_was_used(
    ana: Person, context: Any, redis_client: redis.Redis, wait_for: Callable[[float], None]
) -> None:
    (token,) = answered(ana.client.get("/v1/me/tokens"))["tokens"]
    assert token["used_at"] is None
    redis_client.expire(context.store.keys.player(ana.id), context.settings.player_ttl_s // 2)
    wait_for(3_600)
    (token,) = answered(ana.client.get("/v1/me/tokens"))["tokens"]
    assert token["created_at"] < token["used_at"]


# ------------------------------------------------------------------------------------------- games of a player


@pytest.fixture
def tables(ana: Person, ben: Person, redis_client: redis.Redis) -> dict[str, Table]:
    results = {}
    for visibility in ("public", "unlisted", "private"):
        results[visibility] = seated(ana, ben, visibility=visibility)
        pass_a_millisecond(redis_client)
    results["other"] = seated(ana, ben, visibility="public", ruleset="queens-garden", variant="reverse")
    return results


def listed(client: Client, path: str) -> list[str]:
    return [game["id"] for game in answered(client.get(path))["games"]]


def test_others_see_a_players_public_games_and_the_player_all(
    anyone: Client, ana: Person, ben: Person, tables: dict[str, Table]
) -> None:
    path = f"/v1/players/{ana.id}/games"
    public = [tables[name].id for name in ("other", "public")]
    assert public == listed(anyone, path) == listed(ben.client, path) == listed(tables["private"].host, path)
    every = [tables[name].id for name in ("other", "private", "unlisted", "public")]
    assert every == listed(ana.client, path) == listed(ana.client, "/v1/me/games")
    assert (401, "auth/token_unknown") == refused(anyone.with_token(f"{ana.id}.{'x' * 43}").get(path))


def test_a_players_games_are_filtered_and_paged(anyone: Client, ana: Person, tables: dict[str, Table]) -> None:
    path = f"/v1/players/{ana.id}/games"
    assert [tables["other"].id] == listed(anyone, f"{path}?ruleset=queens-garden")
    assert [] == listed(anyone, f"{path}?ruleset=queens-garden&variant=standard")
    assert [] == listed(ana.client, "/v1/me/games?status=finished")
    assert listed(anyone, path) == [game["id"] for (game,) in pages(anyone, f"{path}?limit=1", "games")]


def test_of_an_older_version_a_player_keeps_token_and_seats(
    ana: Person, ben: Person, redis_client: redis.Redis, context: Any
) -> None:
    """Its hash held name, token and created_at."""
    table, key = seated(ana, ben), context.store.keys.player(ana.id)
    created_at = answered(ana.client.get("/v1/me"))["created_at"]
    redis_client.delete(key)
    redis_client.hset(key, mapping={"name": "Ana", "token": digest_of(ana.token), "created_at": created_at})
    act(table, ana.client)
    assert ["play", "read"] == answered(ana.client.get("/v1/me/tokens"))["tokens"][0]["scopes"]
    renewed = answered(ana.client.post("/v1/me/token"), 201)["token"]
    assert (401, "auth/token_unknown") == refused(ana.client.get("/v1/me"))
    assert [] == Person(ana.id, ana.client.with_token(renewed)).turns()


# ------------------------------------------------------------------------------------------------ blocking others


def blocking(person: Person, other: str) -> Any:
    return person.client.put(f"/v1/me/blocked/{other}", {})


def unblocking(person: Person, other: str) -> Any:
    return person.client.delete(f"/v1/me/blocked/{other}")


def test_who_is_blocked_takes_no_seat_beside_that_player_until_they_are_not(ana: Person, ben: Person) -> None:
    table = open_table(ana)
    assert 204 == blocking(ana, ben.id).status_code
    assert (403, "player/blocked") == refused(ben.client.post(f"{table.path}/seats"))
    (one,) = answered(ana.client.get("/v1/me/blocked"))["blocked"]
    assert (ben.id, "Ben") == (one["id"], one["player"]["name"])
    assert [] == answered(ben.client.get("/v1/me/blocked"))["blocked"]
    assert 204 == unblocking(ana, ben.id).status_code == unblocking(ana, ben.id).status_code
    answered(ben.client.post(f"{table.path}/seats"), 201)


def test_who_has_blocked_another_may_sit_down_with_them(ana: Person, ben: Person) -> None:
    table = open_table(ana)
    assert 204 == blocking(ben, ana.id).status_code
    answered(ben.client.post(f"{table.path}/seats"), 201)


def test_who_is_blocked_in_the_game_plays_on_and_comes_back_but_writes_nothing(
    ana: Person, ben: Person, wait_for: Callable[[float], None], context: Any
) -> None:
    table = seated(ben, ana, clock={"turn_s": 10, "on_timeout": "ai"})
    assert 204 == blocking(ana, ben.id).status_code
    assert (403, "player/blocked") == refused(ben.client.post(f"{table.path}/messages", {"text": "hi"}))
    answered(ana.client.post(f"{table.path}/messages", {"text": "hi"}), 201)
    act(table, ben.client)
    act(table, ana.client)
    wait_for(11)
    assert timeouts.keep_time(context, table.id)
    answered(ben.client.post(f"{table.path}/seats", {"seat": 0}), 201)


def test_a_player_is_blocked_by_handle_and_once(ana: Person, ben: Person) -> None:
    answered(put_handle(ben, "Big-Ben"))
    for other in ("bigben", ben.id):
        assert 204 == blocking(ana, other).status_code
    assert [ben.id] == [one["id"] for one in answered(ana.client.get("/v1/me/blocked"))["blocked"]]
    assert 204 == unblocking(ana, "big_ben").status_code
    assert [] == answered(ana.client.get("/v1/me/blocked"))["blocked"]


def test_of_a_blocked_player_who_is_gone_the_id_stays_and_may_be_taken_out(ana: Person, ben: Person) -> None:
    blocking(ana, ben.id)
    assert 204 == ben.client.delete("/v1/me").status_code
    (kept,) = answered(ana.client.get("/v1/me/blocked"))["blocked"]
    assert (ben.id, None) == (kept["id"], kept["player"])
    assert 204 == unblocking(ana, ben.id).status_code
    assert [] == answered(ana.client.get("/v1/me/blocked"))["blocked"]


def test_a_player_blocks_no_more_than_two_hundred(
    ana: Person, ben: Person, redis_client: redis.Redis, context: Any
) -> None:
    key = context.store.keys.player(ana.id)
    redis_client.hset(key, mapping={f"blocked:{number:016}": "2026-01-01T00:00:00.000Z" for number in range(200)})
    answer = blocking(ana, ben.id)
    assert (409, "limit/blocked", 200) == (*refused(answer), (answer.json or {})["limit"])
    assert 204 == unblocking(ana, f"{7:016}").status_code
    assert 204 == blocking(ana, ben.id).status_code
