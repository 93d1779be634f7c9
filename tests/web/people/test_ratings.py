"""Rated games and ratings over HTTP."""

from __future__ import annotations

from operator import itemgetter
from typing import Any

import redis

from service.usecases.people import follow_ups
from tests.web.client import Client, Json, answered, invalid, pointers, refused
from tests.web.people.test_deletions import left_of
from tests.web.players import Person, act
from tests.web.table import SEED, Table
from tests.web.wrong_bodies import Faults, wrong_bodies

OWN, OPEN, AI = {"kind": "player"}, {"kind": "open"}, {"kind": "ai", "level": "greedy"}
RATED: Json = {"ruleset": "azul", "variant": "coloured", "first_seat": 0, "clock": {"turn_s": 60}, "rated": True}
BOT = {"kind": "http", "endpoint": {"url": "https://bot.example/azul"}}


def table_of(*people: Person, others: tuple[Json, ...] = (), **changes: Any) -> Table:
    """A rated game of these players, the first its creator, and these beside them."""
    seats = [OWN, *[OPEN] * (len(people) - 1), *others]
    made = answered(people[0].client.post("/v1/games", {**RATED, "seats": seats, **changes}), 201)
    table = Table(made["game"]["id"], made["tokens"], people[0].client.with_token(None))
    for person in people[1:]:
        answered(person.client.post(f"{table.path}/seats", {"token": table.tokens["invite"]}), 201)
    return table


def resign(table: Table, person: Person, context: Any) -> None:
    answered(person.client.post(f"{table.path}/resignation"), 201)
    follow_ups.look_after(context)


def rating_of(client: Client, person: Person, query: str = "") -> Json:
    return answered(client.get(f"/v1/players/{person.id}/ratings{query}"))


# --------------------------------------------------------------------------------------------------- what is agreed


def test_a_rated_game_says_so_is_played_without_help_and_whose_time_is_up_has_lost(ana: Person, ben: Person) -> None:
    table = table_of(ana, ben, help=True, visibility="public")
    view = table.view()
    assert (True, False, "lose", True) == (view["rated"], view["help"], view["clock"]["on_timeout"], view["fair"])
    assert [True] == [game["rated"] for game in answered(table.anyone.get("/v1/games"))["games"]]
    analysis = ana.client.post(f"{table.path}/analyses", {"kind": "decision"})
    assert (403, "game/help_forbidden") == refused(analysis)
    assert {} == table.tokens["seats"]


def test_a_game_is_not_rated_unless_it_is_asked_for(table: Table) -> None:
    assert table.view()["rated"] is False
    assert (409, "game/not_rated") == refused(table.anyone.get(f"{table.path}/rating"))


def test_what_a_rated_game_cannot_be_is_told_with_its_place(ana: Person) -> None:
    faults: Faults = {"/seed": [SEED], "/clock": [None], "/rated": ["yes"]}
    faults |= {"/seats": [[OPEN, AI], [AI, AI]], "/seats/1/kind": ["player"]}
    for pointer, body in wrong_bodies({**RATED, "seats": [OWN, OPEN]}, faults):
        assert [pointer] == invalid(ana.client.post("/v1/games", body)), body
    for seats, pointer in (([OWN, BOT], "/seats/1/kind"), ([OWN, OPEN, OWN, AI], "/seats/2/kind")):
        assert [pointer] == invalid(ana.client.post("/v1/games", {**RATED, "seats": seats})), seats


def test_a_rated_game_begins_at_the_set_up(ana: Person, table: Table) -> None:
    answer = ana.client.post("/v1/games", {**RATED, "seats": [OWN, OPEN], "position": table.view()["position"]})
    assert {"/position", "/first_seat"} == set(pointers(answer))


def test_a_seat_of_a_rated_game_is_claimed_by_players_and_by_each_once(
    anyone: Client, ana: Person, ben: Person
) -> None:
    table = table_of(ana, others=(OPEN, OPEN))
    for client in (anyone, table.host):
        assert (403, "auth/player_required") == refused(client.post(f"{table.path}/seats"))
    assert (409, "game/already_seated") == refused(ana.client.post(f"{table.path}/seats"))
    answered(ben.client.post(f"{table.path}/seats", {"seat": 2}), 201)
    assert (409, "game/already_seated") == refused(ben.client.post(f"{table.path}/seats"))
    answered(ben.client.post(f"{table.path}/seats", {"seat": 2, "name": "Benny"}), 201)  # it is theirs
    assert ["player", "open", "player"] == [seat["kind"] for seat in table.view()["seats"]]


def test_in_a_rated_game_nothing_is_taken_back_and_no_seat_is_handed_over(ana: Person, ben: Person) -> None:
    table = table_of(ana, ben)
    act(table, ana.client)
    assert (409, "game/rated") == refused(ana.client.post(f"{table.path}/takebacks"))
    assert (409, "game/rated") == refused(ana.client.post(f"{table.path}/seats/0/handover"))


def test_in_a_rated_game_people_pause_when_they_agree_and_nobody_alone(ana: Person, ben: Person) -> None:
    alone = table_of(ana, others=(AI,))
    assert (409, "game/rated") == refused(ana.client.post(f"{alone.path}/pauses"))
    table = table_of(ana, ben)
    offer = answered(ana.client.post(f"{table.path}/pauses"), 201)["game"]["offers"][0]["id"]
    answered(ben.client.post(f"{table.path}/offers/{offer}/answer", {"accept": True}), 201)
    assert table.view()["paused_until"]


def test_what_was_imported_is_not_rated(anyone: Client, ana: Person, ben: Person, context: Any) -> None:
    table = table_of(ana, ben)
    resign(table, ben, context)
    record = answered(anyone.get(f"{table.path}/export"))
    assert answered(ana.client.post("/v1/games/import", record), 201)["game"]["rated"] is False


# ----------------------------------------------------------------------------------------------------- what it brings


def test_a_game_tells_what_it_has_brought_each_seat(anyone: Client, ana: Person, ben: Person, context: Any) -> None:
    table = table_of(ana, ben)
    path = f"{table.path}/rating"
    assert {"status": "unfinished", "reason": None, "seats": []} == answered(anyone.get(path))
    answered(ben.client.post(f"{table.path}/resignation"), 201)
    assert {"status": "pending", "reason": None, "seats": []} == answered(anyone.get(path))
    follow_ups.look_after(context)
    told = answered(anyone.get(path))
    won, lost = told["seats"]
    assert ("applied", 1500, 1500) == (told["status"], won["before"], lost["before"])
    assert won["change"] == won["after"] - 1500 == 1500 - lost["after"] == -lost["change"] > 50
    for person, seat, wins in ((ana, won, 1), (ben, lost, 0)):
        (rating,) = rating_of(anyone, person)["ratings"]
        assert ("azul", "two", seat["after"], True, 1, wins, None) == tuple(
            rating[name] for name in ("ruleset", "seats", "points", "provisional", "games", "wins", "best")
        )


def test_a_game_that_was_aborted_is_not_counted(anyone: Client, ana: Person, ben: Person) -> None:
    table = table_of(ana, ben)
    answered(ana.client.post(f"{table.path}/abort"), 201)
    told = answered(anyone.get(f"{table.path}/rating"))
    assert {"status": "not_counted", "reason": "aborted", "seats": []} == told


def test_of_a_private_game_only_its_people_see_what_it_brings(anyone: Client, ana: Person, ben: Person) -> None:
    table = table_of(ana, ben, visibility="private")
    assert (404, "game/not_found") == refused(anyone.get(f"{table.path}/rating"))
    assert "unfinished" == answered(ben.client.get(f"{table.path}/rating"))["status"]


def test_ratings_are_found_by_handle_filtered_and_one_with_its_history(
    anyone: Client, ana: Person, ben: Person, context: Any
) -> None:
    answered(ana.client.put("/v1/me/handle", {"handle": "Ana-Bel"}))
    assert {"ratings": [], "history": None} == rating_of(anyone, ana)
    resign(table_of(ana, ben), ben, context)
    three = table_of(ana, ben, others=(AI,), ruleset="queens-garden", variant="standard")
    answered(ben.client.post(f"{three.path}/resignation"), 201)
    resign(three, ana, context)
    ratings = rating_of(anyone, ana)
    kinds = [*map(itemgetter("ruleset", "seats"), ratings["ratings"])]
    assert [("azul", "two"), ("queens-garden", "many")] == kinds
    assert ratings["history"] is None
    path = "/v1/players/anabel/ratings"
    assert ratings["ratings"][:1] == answered(anyone.get(f"{path}?ruleset=azul"))["ratings"]
    assert ratings["ratings"][1:] == answered(anyone.get(f"{path}?seats=many"))["ratings"]
    (day,) = answered(anyone.get(f"{path}?ruleset=azul&seats=two"))["history"]
    assert (ratings["ratings"][0]["points"], True) == (day["points"], day["provisional"])
    assert {"ratings": [], "history": []} == answered(anyone.get(f"{path}?ruleset=azul&seats=many"))


def test_ratings_are_exported_and_vanish_with_their_player(
    anyone: Client, ana: Person, ben: Person, context: Any, redis_client: redis.Redis
) -> None:
    over, goes_on = table_of(ana, ben), table_of(ana, ben)
    resign(over, ben, context)
    (rating,) = answered(ana.client.get("/v1/me/export"))["ratings"]
    expected = rating_of(anyone, ana, "?ruleset=azul&seats=two")
    assert {**expected["ratings"][0], "history": expected["history"]} == rating
    assert left_of(redis_client, ana.id)
    assert 204 == ana.client.delete("/v1/me").status_code
    follow_ups.look_after(context)
    assert set() == left_of(redis_client, ana.id, "Ana")
    assert "applied" == answered(anyone.get(f"{goes_on.path}/rating"))["status"]
    assert [(2, 1)] == [(one["games"], one["wins"]) for one in rating_of(anyone, ben)["ratings"]]
    assert (404, "player/not_found") == refused(anyone.get(f"/v1/players/{ana.id}/ratings"))


def test_one_person_against_an_ai_is_rated_and_the_ai_stays_as_it_is(anyone: Client, ana: Person, context: Any) -> None:
    table = table_of(ana, others=(AI,))
    resign(table, ana, context)
    own, of_ai = answered(anyone.get(f"{table.path}/rating"))["seats"]
    assert 0 > own["change"]
    assert (0, False) == (of_ai["change"], of_ai["provisional"])
