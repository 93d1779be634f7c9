"""Takebacks, pauses and rematches between people, and the refusals of their operations."""

from __future__ import annotations

from typing import Any

import pytest

from service.usecases.base.context import Context
from service.usecases.games import timeouts
from tests.web.client import Client, Json, body_of, invalid_fields, refusal_of
from tests.web.players import Person, act, new_player, seat_players
from tests.web.table import NewTable, Table, Wait
from tests.web.wrong_bodies import MISSING, Faults, wrong_bodies


def make_offer(client: Client, table: Table, what: str, body: Json | None = None) -> Json:
    """Make an offer and return it."""
    done = body_of(client.post(f"{table.path}/{what}", body), 201)
    assert ["offer"] == [event["kind"] for event in done["events"]]
    (offer,) = done["game"]["offers"]
    assert offer["id"] == done["events"][0]["revision"]
    return dict(offer)


def answer(client: Client, table: Table, offer: Json, *, accept: bool = True, **more: Any) -> Json:
    """Answer an offer and return the response."""
    path = f"{table.path}/offers/{offer['id']}/answer"
    return body_of(client.post(path, {"accept": accept, **more}), 201)


def kinds(done: Json) -> list[str]:
    return [event["kind"] for event in done["events"]]


# ------------------------------------------------------------------------------------------- takebacks


def test_an_accepted_takeback_restores_the_position_and_keeps_the_log(table: Table) -> None:
    before = table.view()
    after = body_of(table.act())["game"]
    offer = make_offer(table.seat(0), table, "takebacks")
    assert ("takeback", 0, [1], before["revision"], False) == tuple(
        offer[name] for name in ("kind", "seat", "awaiting", "to", "across_draw")
    )
    done = answer(table.seat(1), table, offer)
    assert ["answer", "takeback"] == kinds(done)
    assert (before["position"], 0, []) == tuple(done["game"][name] for name in ("position", "to_decide", "offers"))
    assert done["game"]["revision"] == after["revision"] + 3
    earlier_view = body_of(table.anyone.get(f"{table.path}/history/{after['revision']}"))
    assert after["position"] == earlier_view["position"]


def test_a_takeback_across_a_draw_makes_the_game_unfair(new_game: NewTable) -> None:
    table = new_game()
    done = body_of(table.act())
    while "draw" not in kinds(done):
        seat = done["game"]["to_decide"]
        done = body_of(table.act())
    assert done["game"]["fair"]
    offer = make_offer(table.seat(seat), table, "takebacks")
    assert offer["across_draw"]
    takeback = answer(table.seat(1 - seat), table, offer)
    assert (False, seat) == (takeback["game"]["fair"], takeback["game"]["to_decide"])
    assert [True] == [event["across_draw"] for event in takeback["events"] if event["kind"] == "takeback"]


def test_a_takeback_against_ais_is_immediate(new_game: NewTable) -> None:
    table = new_game(seats=[{"kind": "player"}, {"kind": "ai", "level": "random"}, {"kind": "ai", "level": "random"}])
    before = table.view()
    table.act()
    done = body_of(table.seat(0).post(f"{table.path}/takebacks"), 201)
    assert (["takeback"], before["position"]) == (kinds(done), done["game"]["position"])


def test_a_declined_takeback_cannot_be_repeated_before_the_next_move(table: Table) -> None:
    table.act()
    done = answer(table.seat(1), table, make_offer(table.seat(0), table, "takebacks"), accept=False)
    assert (["answer"], []) == (kinds(done), done["game"]["offers"])
    assert (409, "offer/declined") == refusal_of(table.seat(0).post(f"{table.path}/takebacks"))
    table.act()
    assert [1] == make_offer(table.seat(0), table, "takebacks")["awaiting"]


def test_a_move_ends_open_offers(table: Table) -> None:
    table.act()
    offer = make_offer(table.seat(0), table, "takebacks")
    assert [] == body_of(table.act())["game"]["offers"]
    path = f"{table.path}/offers/{offer['id']}/answer"
    assert (409, "offer/not_found") == refusal_of(table.seat(1).post(path, {"accept": True}))


def test_only_its_maker_withdraws_an_offer_and_only_others_accept_it(table: Table) -> None:
    table.act()
    offer = make_offer(table.seat(0), table, "takebacks")
    path = f"{table.path}/offers/{offer['id']}/answer"
    assert (409, "offer/not_asked") == refusal_of(table.seat(0).post(path, {"accept": True}))
    assert [] == answer(table.seat(0), table, offer, accept=False)["game"]["offers"]
    assert (409, "offer/not_found") == refusal_of(table.seat(1).post(path, {"accept": True}))


@pytest.mark.parametrize("accept", [True, False])
def test_a_caller_cannot_answer_for_the_seat_of_another_player(new_game: NewTable, *, accept: bool) -> None:
    table = new_game(seats=[{"kind": "player"}] * 3)
    path = f"{table.path}/offers/{make_offer(table.seat(0), table, 'pauses')['id']}/answer"
    for client, seat in ((table.seat(1), 2), (table.seat(1), 0), (table.host, 1)):
        assert (403, "auth/wrong_seat") == refusal_of(client.post(path, {"accept": accept, "seat": seat}))
    assert [[1, 2]] == [offer["awaiting"] for offer in table.view()["offers"]]


def test_each_seat_has_one_offer_at_a_time(table: Table) -> None:
    table.act()
    offer = make_offer(table.seat(0), table, "takebacks")
    again = table.seat(0).post(f"{table.path}/pauses")
    assert (409, "offer/open", offer["id"]) == (*refusal_of(again), (again.json or {})["offer"])
    both = body_of(table.seat(1).post(f"{table.path}/pauses"), 201)["game"]["offers"]
    assert [(0, "takeback"), (1, "pause")] == [(other["seat"], other["kind"]) for other in both]


# ------------------------------------------------------------------------------------------- pauses


def test_a_pause_and_its_end_need_the_consent_of_all_others(new_game: NewTable) -> None:
    table = new_game(seats=[{"kind": "player"}] * 3)
    offer = make_offer(table.seat(1), table, "pauses", {"seconds": 600})
    assert ([0, 2], 600) == (offer["awaiting"], offer["seconds"])
    assert [2] == answer(table.seat(0), table, offer)["game"]["offers"][0]["awaiting"]
    paused = answer(table.seat(2), table, offer)
    until = paused["game"]["paused_until"]
    assert (["answer", "pause"], until) == (kinds(paused), paused["events"][1]["until"])
    refusal = table.act()
    assert (409, "game/paused", until) == (*refusal_of(refusal), (refusal.json or {})["until"])
    offer = make_offer(table.seat(0), table, "resumption")
    for seat in (1, 2):
        done = answer(table.seat(seat), table, offer)
    assert (["answer", "resume"], None) == (kinds(done), done["game"]["paused_until"])
    assert 201 == table.act().status_code


def test_a_seat_accepts_an_open_offer_by_making_the_same_offer(table: Table) -> None:
    make_offer(table.seat(0), table, "pauses")
    done = body_of(table.seat(1).post(f"{table.path}/pauses"), 201)
    assert ["answer", "pause"] == kinds(done)
    make_offer(table.seat(1), table, "resumption")
    assert ["answer", "resume"] == kinds(body_of(table.seat(0).post(f"{table.path}/resumption"), 201))


def test_a_pause_against_ais_needs_no_consent(new_game: NewTable) -> None:
    table = new_game(seats=[{"kind": "player"}, {"kind": "ai", "level": "random"}])
    assert ["pause"] == kinds(body_of(table.seat(0).post(f"{table.path}/pauses"), 201))
    assert ["resume"] == kinds(body_of(table.seat(0).post(f"{table.path}/resumption"), 201))


def test_a_declined_resumption_can_be_offered_again(table: Table) -> None:
    make_offer(table.seat(0), table, "pauses")
    table.seat(1).post(f"{table.path}/pauses")
    answer(table.seat(1), table, make_offer(table.seat(0), table, "resumption"), accept=False)
    answer(table.seat(1), table, make_offer(table.seat(0), table, "resumption"))


def test_an_offer_needs_no_answer_from_other_seats_of_its_player(ana: Person, ben: Person) -> None:
    table = seat_players(ana, ana, ben)
    assert [2] == make_offer(ana.client, table, "pauses", {"seat": 1})["awaiting"]
    done = answer(ben.client, table, table.view()["offers"][0])
    assert done["game"]["paused_until"] is not None
    both = make_offer(ben.client, table, "resumption")
    assert [0, 1] == both["awaiting"]  # either answers for both
    assert ["answer", "resume"] == kinds(answer(ana.client, table, both))


def test_an_offer_needs_no_answer_from_a_player_who_resigned(new_game: NewTable) -> None:
    table = new_game(seats=[{"kind": "player"}] * 3)
    table.seat(2).post(f"{table.path}/resignation")
    offer = make_offer(table.seat(0), table, "pauses")
    assert [1] == offer["awaiting"]
    path = f"{table.path}/offers/{offer['id']}/answer"
    assert (409, "offer/not_asked") == refusal_of(table.seat(2).post(path, {"accept": True}))


# ------------------------------------------------------------------------------------------- rematches


def test_two_people_agree_on_a_rematch(ana: Person, ben: Person) -> None:
    table = seat_players(ana, ben, clock={"turn_s": 60}, visibility="private")
    act(table, ana.client)
    body_of(ben.client.post(f"{table.path}/resignation"))
    offer = make_offer(ben.client, table, "rematch")
    assert [0] == offer["awaiting"]
    done = answer(ana.client, table, offer)
    assert ["answer", "rematch"] == kinds(done)
    second = done["game"]["rematch"]
    assert second == done["events"][1]["game_id"]
    for person in (ana, ben):
        again = body_of(person.client.post(f"{table.path}/rematch"), 201)
        assert ([], second) == (again["events"], again["game"]["rematch"])
        assert {table.id, second} == {game["id"] for game in person.games()["games"]}
    view = body_of(ana.client.get(f"/v1/games/{second}"))
    assert (table.id, "private", 1, "playing", True) == tuple(
        view[name] for name in ("rematch_of", "visibility", "to_decide", "status", "fair")
    )
    assert [(ana.id, "active"), (ben.id, "active")] == [(seat["player"], seat["status"]) for seat in view["seats"]]
    assert (60, None) == (view["clock"]["turn_s"], view["seed"])
    assert ([], [second]) == (ana.turns(), ben.turns())
    assert view["seed_commitment"] != done["game"]["seed_commitment"]
    assert 404 == table.anyone.get(f"/v1/games/{second}").status_code


def test_the_tokens_of_a_game_are_valid_in_its_rematch(table: Table) -> None:
    table.seat(1).post(f"{table.path}/resignation")
    make_offer(table.seat(0), table, "rematch")
    second = body_of(table.seat(1).post(f"{table.path}/rematch"), 201)["game"]["rematch"]
    following = Table(second, table.tokens, table.anyone)
    assert following.view()["fair"]
    assert 201 == following.act().status_code
    body_of(following.host.post(f"{following.path}/tokens", {"role": "watch"}), 201)


def test_a_declined_rematch_creates_no_game(table: Table) -> None:
    table.host.post(f"{table.path}/abort")
    offer = make_offer(table.seat(0), table, "rematch")
    assert None is answer(table.seat(1), table, offer, accept=False)["game"]["rematch"]
    assert (409, "offer/declined") == refusal_of(table.seat(0).post(f"{table.path}/rematch"))


# ------------------------------------------------------------------------------------------- time, keys, faults


def test_an_offer_repeated_with_its_key_creates_one_offer(table: Table) -> None:
    table.act()
    first, again = (table.seat(0).post(f"{table.path}/pauses", {}, Idempotency_Key="a") for _ in range(2))
    assert ("true", body_of(first)) == (again.headers["Idempotency-Replayed"], body_of(again))


def test_an_away_seat_cannot_make_offers_and_need_not_answer_them(
    new_game: NewTable, context: Context, wait_for: Wait
) -> None:
    table = new_game(seats=[{"kind": "player"}] * 3, clock={"turn_s": 10})
    wait_for(11)
    assert (409, "game/time_is_up") == refusal_of(table.seat(0).post(f"{table.path}/pauses"))
    assert timeouts.keep_time(context, table.id)
    assert (409, "game/away") == refusal_of(table.seat(0).post(f"{table.path}/pauses"))
    assert [2] == make_offer(table.seat(1), table, "pauses")["awaiting"]


INVALID_OFFERS: list[tuple[str, Json, Faults]] = [
    ("takebacks", {}, {"/to": [3], "/seat": [4, "0", False], "/revision": [-1, "3"]}),
    ("pauses", {}, {"/seconds": [0, -1, 604_801, 10**30, 1.5, "60", None], "/until": ["2030-01-01"], "/seat": [-1]}),
    ("resumption", {}, {"/seconds": [1], "/seat": [[0]]}),
    ("rematch", {}, {"/seats": [[]], "/seat": [0.5]}),
    ("offers/1/answer", {"accept": True}, {"/accept": [MISSING, None, "true", 1, 1.0], "/offer": [1], "/seat": [4]}),
]


def test_an_invalid_offer_or_answer_is_refused_with_its_pointer(table: Table) -> None:
    table.act()
    before = table.view()
    for path, valid, faults in INVALID_OFFERS:
        for pointer, body in wrong_bodies(valid, faults):
            assert [pointer] == invalid_fields(table.seat(0).post(f"{table.path}/{path}", body)), (path, body)
    assert [""] == invalid_fields(table.seat(0).post(f"{table.path}/takebacks", []))
    assert before == table.view()


@pytest.mark.parametrize("offer", ["0", "99999999999999999999999", "9007199254740991"])
def test_an_unknown_number_of_an_offer_is_not_found(table: Table, offer: str) -> None:
    refusal = table.seat(0).post(f"{table.path}/offers/{offer}/answer", {"accept": True})
    assert (409, "offer/not_found") == refusal_of(refusal)


def test_an_invalid_number_of_an_offer_or_seat_is_not_found(table: Table, anyone: Client) -> None:
    player = new_player(anyone)
    for path in ("offers/x/answer", "offers/-1/answer", "seats/x/handover", "seats/-1/handover"):
        assert (404, "request/not_found") == refusal_of(player.client.post(f"{table.path}/{path}", {"accept": True}))
