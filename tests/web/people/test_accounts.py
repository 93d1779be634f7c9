"""Players as others see them, and their tokens."""

from __future__ import annotations

from typing import Any

import pytest
from redis import Redis

from service.storage.people.players import MAX_TOKENS
from service.usecases.base.context import digest_of
from service.usecases.games import timeouts
from tests.storage.commits import pass_a_millisecond
from tests.threads import run_at_once
from tests.web.client import OPERATIONS, Client, body_of, invalid_fields, read_pages, refusal_of
from tests.web.players import Person, act, new_player, open_table, seat_players
from tests.web.table import Table, Wait
from tests.web.wrong_bodies import Faults, wrong_bodies


def put_handle(person: Person, handle: Any) -> Any:
    return person.client.put("/v1/me/handle", {"handle": handle})


def with_scopes(person: Person, *scopes: str) -> Person:
    made = body_of(person.client.post("/v1/me/tokens", {"scopes": list(scopes)}), 201)
    return Person(person.id, person.client.with_token(made["token"]))


# --------------------------------------------------------------------------------------------------- profiles


def test_a_player_changes_their_profile(anyone: Client) -> None:
    profile = {"name": "Ana", "bot": True, "colour": "#00aaff", "country": "PT"}
    made = body_of(anyone.post("/v1/players", profile), 201)
    assert profile == {name: made["player"][name] for name in profile}
    assert made["player"]["handle"] is None
    person = Person(made["player"]["id"], anyone.with_token(made["token"]))
    changed = body_of(person.client.patch("/v1/me", {"colour": None, "name": "Anna"}), 200)
    assert {**made["player"], "colour": None, "name": "Anna"} == changed
    standing = dict.fromkeys(("warning", "muted_until", "muted_reason", "unrated_until", "unrated_reason"))
    assert {**changed, "standing": standing} == body_of(person.client.get("/v1/me"))
    assert changed == body_of(person.client.patch("/v1/me", {}), 200) == body_of(anyone.get(f"/v1/players/{person.id}"))


def test_an_invalid_profile_is_refused_with_its_pointer(anyone: Client, ana: Person, redis_client: Redis) -> None:
    faults: Faults = {
        "/colour": ["red", "#12345G", "#ABCDEF", "#123456\n", 5],
        "/country": ["XX", "de", "D ", "DEU"],
        "/name": ["", " ", 7, "x" * 41, "a\x00b", "a\nb", "a\u202eb"],
        "/nick": ["Ana"],
    }
    for pointer, body in wrong_bodies({}, faults):
        assert (
            [pointer]
            == invalid_fields(anyone.post("/v1/players", body))
            == invalid_fields(ana.client.patch("/v1/me", body))
        ), body
    for body in ([], "x"):
        assert (
            [""] == invalid_fields(anyone.post("/v1/players", body)) == invalid_fields(ana.client.patch("/v1/me", body))
        )
    assert ["/bot"] == invalid_fields(ana.client.patch("/v1/me", {"bot": True}))
    assert 1 == len([*redis_client.scan_iter("*:player:*")])


def test_seats_keep_the_name_of_their_claim(ana: Person, ben: Person) -> None:
    table = seat_players(ana, ben)
    body_of(ana.client.patch("/v1/me", {"name": "Anna"}))
    assert ["Ana", "Ben"] == [seat["name"] for seat in table.view()["seats"]]


def test_seats_of_players_without_a_name_have_their_handles(anyone: Client) -> None:
    people = [new_player(anyone), new_player(anyone)]
    for person, handle in zip(people, ("Ana-Bel", "Ben-Ja"), strict=True):
        body_of(put_handle(person, handle))
    azul = {"ruleset": "azul", "variant": "grey"}
    challenge = body_of(people[0].client.post(f"/v1/players/{people[1].id}/challenges", azul), 201)
    accepted = body_of(people[1].client.post(f"/v1/challenges/{challenge['id']}/accept"))
    sought = [body_of(person.client.post("/v1/seeks", azul), 201) for person in people]
    games = [seat_players(*people).view()]
    games += [body_of(people[0].client.get(f"/v1/games/{one['game_id']}")) for one in (accepted, sought[1])]
    for game in games:
        assert {"Ana-Bel", "Ben-Ja"} == {seat["name"] for seat in game["seats"]}


# ---------------------------------------------------------------------------------------------------- handles


def test_a_player_is_found_by_every_spelling_of_their_handle(anyone: Client, ana: Person) -> None:
    body_of(put_handle(ana, "Ana-Bel"), 200)
    for spelt in ("Ana-Bel", "anabel", "ANA_BEL", "anabe1", ana.id):
        assert (ana.id, "Ana-Bel") == tuple(
            body_of(anyone.get(f"/v1/players/{spelt}"))[name] for name in ("id", "handle")
        )
    answer = ana.client.delete("/v1/me/handle")
    assert 204 == answer.status_code
    assert (404, "player/not_found") == refusal_of(anyone.get("/v1/players/anabel"))
    assert 204 == ana.client.delete("/v1/me/handle").status_code


@pytest.mark.parametrize("word", ["x", "%20", "no.such", "AAAAAAAAAAAAAAAA", "x" * 300, "%F0%9F%8E%B2"])
def test_an_unknown_player_is_not_found(anyone: Client, word: str) -> None:
    for path in (f"/v1/players/{word}", f"/v1/players/{word}/games"):
        assert (404, "player/not_found") == refusal_of(anyone.get(path))


def test_an_invalid_handle_is_refused_with_its_pointer(ana: Person) -> None:
    for handle in ("ab", "x" * 16, "a b", "", "Ärger", "admin", "Azul", "summer_pavil1on", None, 5):
        assert ["/handle"] == invalid_fields(put_handle(ana, handle)), handle


def test_a_recently_changed_handle_names_the_next_possible_change(ana: Person, wait_for: Wait) -> None:
    for handle in ("Ana", "Anna"):
        body_of(put_handle(ana, handle))
    answer = put_handle(ana, "Hanna")
    assert (409, "player/handle_too_soon") == refusal_of(answer)
    assert answer.json["until"] > body_of(ana.client.get("/v1/me"))["created_at"]
    wait_for(7 * 86_400 + 1)
    assert "Hanna" == body_of(put_handle(ana, "Hanna"))["handle"]


def test_simultaneous_requests_for_a_handle_give_it_to_one_player(anyone: Client) -> None:
    people = [new_player(Client(anyone.flask.application.test_client())) for _ in range(12)]
    statuses = run_at_once(lambda person: put_handle(person, "Ana").status_code, people)
    assert [200] + [409] * 11 == sorted(statuses)
    assert 1 == sum(body_of(person.client.get("/v1/me"))["handle"] == "Ana" for person in people)


# ----------------------------------------------------------------------------------------------------- tokens


def test_a_player_has_a_token_for_each_device_and_revokes_a_lost_one(anyone: Client, ana: Person) -> None:
    made = body_of(ana.client.post("/v1/me/tokens", {"name": "phone"}), 201)
    assert ("phone", ["play", "read"], False) == tuple(made["details"][key] for key in ("name", "scopes", "current"))
    phone = Person(ana.id, anyone.with_token(made["token"]))
    assert body_of(ana.client.get("/v1/me")) == body_of(phone.client.get("/v1/me"))
    table = seat_players(phone, ana)
    act(table, ana.client)
    listed_ids = body_of(ana.client.get("/v1/me/tokens"))["tokens"]
    assert [(None, True), ("phone", False)] == [(token["name"], token["current"]) for token in listed_ids]
    assert made["token"] not in str(listed_ids)
    assert 204 == ana.client.delete(f"/v1/me/tokens/{made['details']['id']}").status_code
    assert (401, "auth/token_unknown") == refusal_of(phone.client.get("/v1/me"))
    assert [None] == [token["name"] for token in body_of(ana.client.get("/v1/me/tokens"))["tokens"]]
    assert (404, "token/not_found") == refusal_of(ana.client.delete(f"/v1/me/tokens/{made['details']['id']}"))


def test_replacing_a_token_keeps_its_name_and_the_others(anyone: Client, ana: Person) -> None:
    phone = body_of(ana.client.post("/v1/me/tokens", {"name": "phone", "scopes": ["play"]}), 201)["token"]
    replaced = body_of(anyone.with_token(phone).post("/v1/me/token"), 201)["token"]
    assert (401, "auth/token_unknown") == refusal_of(anyone.with_token(phone).get("/v1/me"))
    listed_ids = body_of(anyone.with_token(replaced).get("/v1/me/tokens"))["tokens"]
    assert [(None, False), ("phone", True)] == [(token["name"], token["current"]) for token in listed_ids]
    body_of(ana.client.get("/v1/me"))


def test_deleting_the_current_token_signs_out(ana: Person) -> None:
    (token,) = body_of(ana.client.get("/v1/me/tokens"))["tokens"]
    assert 204 == ana.client.delete(f"/v1/me/tokens/{token['id']}").status_code
    assert (401, "auth/token_unknown") == refusal_of(ana.client.get("/v1/me"))


def test_a_player_has_no_more_than_ten_tokens(ana: Person) -> None:
    for _ in range(MAX_TOKENS - 1):
        body_of(ana.client.post("/v1/me/tokens"), 201)
    answer = ana.client.post("/v1/me/tokens")
    assert (409, "limit/tokens", MAX_TOKENS) == (*refusal_of(answer), (answer.json or {})["limit"])


def test_invalid_scopes_are_refused(ana: Person) -> None:
    for scopes in ([], ["admin"], ["play", "read", "play"], "play", None, [5]):
        assert invalid_fields(ana.client.post("/v1/me/tokens", {"scopes": scopes}))[0].startswith("/scopes"), scopes


def test_a_reading_token_reads_everything_of_its_player(ana: Person, ben: Person) -> None:
    table = seat_players(ana, ben, visibility="private")
    reading = with_scopes(ana, "read")
    assert [table.id] == reading.turns() == [game["id"] for game in reading.games()["games"]]
    assert table.id == body_of(reading.client.get(table.path))["id"]
    assert body_of(reading.client.post(f"{table.path}/tickets"), 201)["ticket"]
    legal = body_of(reading.client.get(f"{table.path}/actions?limit=1"))
    body = {"id": legal["actions"][0]["id"], "revision": legal["revision"]}
    assert 200 == reading.client.post(f"{table.path}/actions/preview", body).status_code
    assert 202 == reading.client.post(f"{table.path}/analyses", {"kind": "decision"}).status_code
    assert (403, "auth/read_only") == refusal_of(reading.client.post(f"{table.path}/actions", body))
    assert (403, "auth/read_only") == refusal_of(reading.client.post(f"{table.path}/messages", {"text": "hi"}))


READING_POSTS = ("checkPosition", "previewAction", "analysePosition", "analyseGame", "createTicket")
ANONYMOUS = ("createPlayer", "beginSignIn", "completeSignIn")  # ignore tokens
OF_TASKS = ("endAnalysis", "endTournament")  # do not load the player


def test_every_changing_operation_refuses_a_reading_token() -> None:
    of_staff = [name for name, (_, _, definition) in OPERATIONS.items() if "x-role" in definition]
    others = [*READING_POSTS, *ANONYMOUS, *OF_TASKS, *of_staff]
    changing = {name for name, (method, _, _) in OPERATIONS.items() if method != "GET" and name not in others}
    refusing = {
        name
        for name, (_, _, definition) in OPERATIONS.items()
        for answer in definition["responses"].values()
        if "auth/read_only" in answer.get("x-codes", ())
    }
    assert changing == refusing


def test_a_token_shows_its_last_use(ana: Person, context: Any, redis_client: Redis, wait_for: Wait) -> None:
    (token,) = body_of(ana.client.get("/v1/me/tokens"))["tokens"]
    assert token["used_at"] is None
    redis_client.expire(context.store.keys.player(ana.id), context.settings.player_ttl_s // 2)
    wait_for(3_600)
    (token,) = body_of(ana.client.get("/v1/me/tokens"))["tokens"]
    assert token["created_at"] < token["used_at"]


# ------------------------------------------------------------------------------------------- games of a player


@pytest.fixture
def tables(ana: Person, ben: Person, redis_client: Redis) -> dict[str, Table]:
    results = {}
    for visibility in ("public", "unlisted", "private"):
        results[visibility] = seat_players(ana, ben, visibility=visibility)
        pass_a_millisecond(redis_client)
    results["other"] = seat_players(ana, ben, visibility="public", ruleset="queens-garden", variant="reverse")
    return results


def listed_ids(client: Client, path: str) -> list[str]:
    return [game["id"] for game in body_of(client.get(path))["games"]]


def test_others_see_only_public_games_of_a_player(
    anyone: Client, ana: Person, ben: Person, tables: dict[str, Table]
) -> None:
    path = f"/v1/players/{ana.id}/games"
    public = [tables[name].id for name in ("other", "public")]
    assert (
        public == listed_ids(anyone, path) == listed_ids(ben.client, path) == listed_ids(tables["private"].host, path)
    )
    all_ids = [tables[name].id for name in ("other", "private", "unlisted", "public")]
    assert all_ids == listed_ids(ana.client, path) == listed_ids(ana.client, "/v1/me/games")
    assert (401, "auth/token_unknown") == refusal_of(anyone.with_token(f"{ana.id}.{'x' * 43}").get(path))


def test_a_players_games_are_filtered_and_paged(anyone: Client, ana: Person, tables: dict[str, Table]) -> None:
    path = f"/v1/players/{ana.id}/games"
    assert [tables["other"].id] == listed_ids(anyone, f"{path}?ruleset=queens-garden")
    assert [] == listed_ids(anyone, f"{path}?ruleset=queens-garden&variant=standard")
    assert [] == listed_ids(ana.client, "/v1/me/games?status=finished")
    assert listed_ids(anyone, path) == [game["id"] for (game,) in read_pages(anyone, f"{path}?limit=1", "games")]


def test_a_player_of_an_older_version_keeps_token_and_seats(
    ana: Person, ben: Person, redis_client: Redis, context: Any
) -> None:
    """The hash of older versions has name, token and created_at."""
    table, key = seat_players(ana, ben), context.store.keys.player(ana.id)
    created_at = body_of(ana.client.get("/v1/me"))["created_at"]
    redis_client.delete(key)
    redis_client.hset(key, mapping={"name": "Ana", "token": digest_of(ana.token), "created_at": created_at})
    act(table, ana.client)
    assert ["play", "read"] == body_of(ana.client.get("/v1/me/tokens"))["tokens"][0]["scopes"]
    renewed = body_of(ana.client.post("/v1/me/token"), 201)["token"]
    assert (401, "auth/token_unknown") == refusal_of(ana.client.get("/v1/me"))
    assert [] == Person(ana.id, ana.client.with_token(renewed)).turns()


# ------------------------------------------------------------------------------------------------ blocking others


def block(person: Person, other: str) -> Any:
    return person.client.put(f"/v1/me/blocked/{other}", {})


def unblock(person: Person, other: str) -> Any:
    return person.client.delete(f"/v1/me/blocked/{other}")


def test_a_blocked_player_cannot_take_a_seat_until_unblocked(ana: Person, ben: Person) -> None:
    table = open_table(ana)
    assert 204 == block(ana, ben.id).status_code
    assert (403, "player/blocked") == refusal_of(ben.client.post(f"{table.path}/seats"))
    (one,) = body_of(ana.client.get("/v1/me/blocked"))["blocked"]
    assert (ben.id, "Ben") == (one["id"], one["player"]["name"])
    assert [] == body_of(ben.client.get("/v1/me/blocked"))["blocked"]
    assert 204 == unblock(ana, ben.id).status_code == unblock(ana, ben.id).status_code
    body_of(ben.client.post(f"{table.path}/seats"), 201)


def test_a_player_can_join_a_player_they_blocked(ana: Person, ben: Person) -> None:
    table = open_table(ana)
    assert 204 == block(ben, ana.id).status_code
    body_of(ben.client.post(f"{table.path}/seats"), 201)


def test_a_player_blocked_during_a_game_plays_on_without_chat(
    ana: Person, ben: Person, wait_for: Wait, context: Any
) -> None:
    table = seat_players(ben, ana, clock={"turn_s": 10, "on_timeout": "ai"})
    assert 204 == block(ana, ben.id).status_code
    assert (403, "player/blocked") == refusal_of(ben.client.post(f"{table.path}/messages", {"text": "hi"}))
    body_of(ana.client.post(f"{table.path}/messages", {"text": "hi"}), 201)
    act(table, ben.client)
    act(table, ana.client)
    wait_for(11)
    assert timeouts.keep_time(context, table.id)
    body_of(ben.client.post(f"{table.path}/seats", {"seat": 0}), 201)


def test_a_player_is_blocked_once_by_handle_or_id(ana: Person, ben: Person) -> None:
    body_of(put_handle(ben, "Big-Ben"))
    for other in ("bigben", ben.id):
        assert 204 == block(ana, other).status_code
    assert [ben.id] == [one["id"] for one in body_of(ana.client.get("/v1/me/blocked"))["blocked"]]
    assert 204 == unblock(ana, "big_ben").status_code
    assert [] == body_of(ana.client.get("/v1/me/blocked"))["blocked"]


def test_a_deleted_blocked_player_stays_listed_and_can_be_removed(ana: Person, ben: Person) -> None:
    block(ana, ben.id)
    assert 204 == ben.client.delete("/v1/me").status_code
    (entry,) = body_of(ana.client.get("/v1/me/blocked"))["blocked"]
    assert (ben.id, None) == (entry["id"], entry["player"])
    assert 204 == unblock(ana, ben.id).status_code
    assert [] == body_of(ana.client.get("/v1/me/blocked"))["blocked"]


def test_a_player_blocks_no_more_than_two_hundred(ana: Person, ben: Person, redis_client: Redis, context: Any) -> None:
    key = context.store.keys.player(ana.id)
    redis_client.hset(key, mapping={f"blocked:{number:016}": "2026-01-01T00:00:00.000Z" for number in range(200)})
    answer = block(ana, ben.id)
    assert (409, "limit/blocked", 200) == (*refusal_of(answer), (answer.json or {})["limit"])
    assert 204 == unblock(ana, f"{7:016}").status_code
    assert 204 == block(ana, ben.id).status_code
