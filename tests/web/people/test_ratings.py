"""Rated games and ratings over HTTP."""

from __future__ import annotations

from operator import itemgetter
from typing import Any

from redis import Redis

from service.usecases.people import follow_ups
from tests.usecases.players import everybody_decides
from tests.web.client import Client, Json, body_of, invalid_fields, pointers, refusal_of
from tests.web.people.test_deletions import left_of
from tests.web.players import Person, act
from tests.web.table import SEED, Table
from tests.web.wrong_bodies import Faults, wrong_bodies

OWN, OPEN, AI = {"kind": "player"}, {"kind": "open"}, {"kind": "ai", "level": "greedy"}
RATED: Json = {"ruleset": "azul", "variant": "coloured", "first_seat": 0, "clock": {"turn_s": 60}, "rated": True}
BOT = {"kind": "http", "endpoint": {"url": "https://bot.example/azul"}}


def table_of(*people: Person, others: tuple[Json, ...] = (), **changes: Any) -> Table:
    """Create a rated game of these players, the first its creator, and of other seats."""
    seats = [OWN, *[OPEN] * (len(people) - 1), *others]
    made = body_of(people[0].client.post("/v1/games", {**RATED, "seats": seats, **changes}), 201)
    table = Table(made["game"]["id"], made["tokens"], people[0].client.with_token(None))
    for person in people[1:]:
        body_of(person.client.post(f"{table.path}/seats", {"token": table.tokens["invite"]}), 201)
    return table


def resign(table: Table, person: Person, context: Any) -> None:
    everybody_decides(context, table.id)
    body_of(person.client.post(f"{table.path}/resignation"), 201)
    follow_ups.run_due(context)


def rating_of(client: Client, person: Person, query: str = "") -> Json:
    return body_of(client.get(f"/v1/players/{person.id}/ratings{query}"))


# ---------------------------------------------------------------------------------------------------- the rules


def test_a_rated_game_is_played_without_help_and_lost_on_time(ana: Person, ben: Person) -> None:
    table = table_of(ana, ben, help=True, visibility="public")
    view = table.view()
    assert (True, False, "lose", True) == (view["rated"], view["help"], view["clock"]["on_timeout"], view["fair"])
    assert [True] == [game["rated"] for game in body_of(table.anyone.get("/v1/games"))["games"]]
    analysis = ana.client.post(f"{table.path}/analyses", {"kind": "decision"})
    assert (403, "game/help_forbidden") == refusal_of(analysis)
    assert {} == table.tokens["seats"]


def test_games_are_not_rated_by_default(table: Table) -> None:
    assert table.view()["rated"] is False
    assert (409, "game/not_rated") == refusal_of(table.anyone.get(f"{table.path}/rating"))


def test_an_invalid_rated_game_is_refused_with_its_pointer(ana: Person) -> None:
    faults: Faults = {"/seed": [SEED], "/clock": [None], "/rated": ["yes"]}
    faults |= {"/seats": [[OPEN, AI], [AI, AI]], "/seats/1/kind": ["player"]}
    for pointer, body in wrong_bodies({**RATED, "seats": [OWN, OPEN]}, faults):
        assert [pointer] == invalid_fields(ana.client.post("/v1/games", body)), body
    for seats, pointer in (([OWN, BOT], "/seats/1/kind"), ([OWN, OPEN, OWN, AI], "/seats/2/kind")):
        assert [pointer] == invalid_fields(ana.client.post("/v1/games", {**RATED, "seats": seats})), seats


def test_a_rated_game_starts_at_the_normal_setup(ana: Person, table: Table) -> None:
    answer = ana.client.post("/v1/games", {**RATED, "seats": [OWN, OPEN], "position": table.view()["position"]})
    assert {"/position", "/first_seat"} == set(pointers(answer))


def test_a_player_claims_one_seat_of_a_rated_game(anyone: Client, ana: Person, ben: Person) -> None:
    table = table_of(ana, others=(OPEN, OPEN))
    for client in (anyone, table.host):
        assert (403, "auth/player_required") == refusal_of(client.post(f"{table.path}/seats"))
    assert (409, "game/already_seated") == refusal_of(ana.client.post(f"{table.path}/seats"))
    body_of(ben.client.post(f"{table.path}/seats", {"seat": 2}), 201)
    assert (409, "game/already_seated") == refusal_of(ben.client.post(f"{table.path}/seats"))
    body_of(ben.client.post(f"{table.path}/seats", {"seat": 2, "name": "Benny"}), 201)  # their own seat
    assert ["player", "open", "player"] == [seat["kind"] for seat in table.view()["seats"]]


def test_rated_games_refuse_takebacks_and_handovers(ana: Person, ben: Person) -> None:
    table = table_of(ana, ben)
    act(table, ana.client)
    assert (409, "game/rated") == refusal_of(ana.client.post(f"{table.path}/takebacks"))
    assert (409, "game/rated") == refusal_of(ana.client.post(f"{table.path}/seats/0/handover"))


def test_a_rated_game_is_paused_only_by_agreement(ana: Person, ben: Person) -> None:
    alone = table_of(ana, others=(AI,))
    assert (409, "game/rated") == refusal_of(ana.client.post(f"{alone.path}/pauses"))
    table = table_of(ana, ben)
    offer = body_of(ana.client.post(f"{table.path}/pauses"), 201)["game"]["offers"][0]["id"]
    body_of(ben.client.post(f"{table.path}/offers/{offer}/answer", {"accept": True}), 201)
    assert table.view()["paused_until"]


def test_an_imported_game_is_not_rated(anyone: Client, ana: Person, ben: Person, context: Any) -> None:
    table = table_of(ana, ben)
    resign(table, ben, context)
    record = body_of(anyone.get(f"{table.path}/export"))
    assert body_of(ana.client.post("/v1/games/import", record), 201)["game"]["rated"] is False


# ----------------------------------------------------------------------------------------------------- changes


def test_a_game_shows_the_rating_change_of_each_seat(anyone: Client, ana: Person, ben: Person, context: Any) -> None:
    table = table_of(ana, ben)
    path = f"{table.path}/rating"
    assert {"status": "unfinished", "reason": None, "seats": []} == body_of(anyone.get(path))
    everybody_decides(context, table.id)
    body_of(ben.client.post(f"{table.path}/resignation"), 201)
    assert {"status": "pending", "reason": None, "seats": []} == body_of(anyone.get(path))
    follow_ups.run_due(context)
    result = body_of(anyone.get(path))
    won, lost = result["seats"]
    assert ("applied", 1500, 1500) == (result["status"], won["before"], lost["before"])
    assert won["change"] == won["after"] - 1500 == 1500 - lost["after"] == -lost["change"] > 50
    for person, seat, wins in ((ana, won, 1), (ben, lost, 0)):
        (rating,) = rating_of(anyone, person)["ratings"]
        assert ("azul", "two", seat["after"], True, 1, wins, None) == tuple(
            rating[name] for name in ("ruleset", "seats", "points", "provisional", "games", "wins", "best")
        )


def test_too_many_aborted_games_are_refused_with_the_time_to_wait(ana: Person, ben: Person, context: Any) -> None:
    body = {**RATED, "seats": [OWN, OPEN]}
    for _ in range(4):
        table = table_of(ana, ben)
        result = body_of(ana.client.post(f"{table.path}/resignation"), 201)
        text = "Seat 1 left before every player had made a decision. The game was aborted."
        assert text == result["events"][0]["text"]
        follow_ups.run_due(context)
    seek = {name: RATED[name] for name in ("ruleset", "variant", "rated", "clock")}
    waiting = body_of(ben.client.post("/v1/seeks", seek), 201)["id"]
    open_game = body_of(ben.client.post("/v1/games", body), 201)["game"]["id"]
    for path, sent in (
        ("/v1/games", body),
        ("/v1/seeks", seek),
        (f"/v1/seeks/{waiting}/join", None),
        (f"/v1/players/{ben.id}/challenges", seek),
        (f"/v1/games/{open_game}/seats", None),
    ):
        answer = ana.client.post(path, sent)
        assert (429, "limit/aborted_games") == refusal_of(answer), path
        assert 0 < int(answer.headers["Retry-After"]) <= 3600


def test_an_aborted_game_is_not_rated(anyone: Client, ana: Person, ben: Person) -> None:
    table = table_of(ana, ben)
    body_of(ana.client.post(f"{table.path}/abort"), 201)
    result = body_of(anyone.get(f"{table.path}/rating"))
    assert {"status": "not_counted", "reason": "aborted", "seats": []} == result


def test_rating_changes_of_a_private_game_are_hidden_from_strangers(anyone: Client, ana: Person, ben: Person) -> None:
    table = table_of(ana, ben, visibility="private")
    assert (404, "game/not_found") == refusal_of(anyone.get(f"{table.path}/rating"))
    assert "unfinished" == body_of(ben.client.get(f"{table.path}/rating"))["status"]


def test_ratings_are_found_by_handle_and_filtered(anyone: Client, ana: Person, ben: Person, context: Any) -> None:
    body_of(ana.client.put("/v1/me/handle", {"handle": "Ana-Bel"}))
    assert {"ratings": [], "history": None} == rating_of(anyone, ana)
    resign(table_of(ana, ben), ben, context)
    three = table_of(ana, ben, others=(AI,), ruleset="queens-garden", variant="standard")
    resign(three, ben, context)
    resign(three, ana, context)
    ratings = rating_of(anyone, ana)
    kinds = [*map(itemgetter("ruleset", "seats"), ratings["ratings"])]
    assert [("azul", "two"), ("queens-garden", "many")] == kinds
    assert ratings["history"] is None
    path = "/v1/players/anabel/ratings"
    assert ratings["ratings"][:1] == body_of(anyone.get(f"{path}?ruleset=azul"))["ratings"]
    assert ratings["ratings"][1:] == body_of(anyone.get(f"{path}?seats=many"))["ratings"]
    (day,) = body_of(anyone.get(f"{path}?ruleset=azul&seats=two"))["history"]
    assert (ratings["ratings"][0]["points"], True) == (day["points"], day["provisional"])
    assert {"ratings": [], "history": []} == body_of(anyone.get(f"{path}?ruleset=azul&seats=many"))


def test_ratings_are_exported_and_deleted_with_their_player(
    anyone: Client, ana: Person, ben: Person, context: Any, redis_client: Redis
) -> None:
    finished_table, running_table = table_of(ana, ben), table_of(ana, ben)
    everybody_decides(context, running_table.id)
    resign(finished_table, ben, context)
    (rating,) = body_of(ana.client.get("/v1/me/export"))["ratings"]
    expected = rating_of(anyone, ana, "?ruleset=azul&seats=two")
    assert {**expected["ratings"][0], "history": expected["history"]} == rating
    assert left_of(redis_client, ana.id)
    assert 204 == ana.client.delete("/v1/me").status_code
    follow_ups.run_due(context)
    assert set() == left_of(redis_client, ana.id, "Ana")
    assert "applied" == body_of(anyone.get(f"{running_table.path}/rating"))["status"]
    assert [(2, 1)] == [(one["games"], one["wins"]) for one in rating_of(anyone, ben)["ratings"]]
    assert (404, "player/not_found") == refusal_of(anyone.get(f"/v1/players/{ana.id}/ratings"))


def test_a_person_is_rated_against_an_ai_with_a_fixed_rating(anyone: Client, ana: Person, context: Any) -> None:
    table = table_of(ana, others=(AI,))
    resign(table, ana, context)
    own, of_ai = body_of(anyone.get(f"{table.path}/rating"))["seats"]
    assert 0 > own["change"]
    assert (0, False, 1) == (of_ai["change"], of_ai["provisional"], of_ai["weight"])
