"""Offers: the seats that are asked, consent, and expiry."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from service.games.events import PauseEvent, TakebackEvent
from service.games.state.moments import unix_ms
from service.games.state.seats import Seat
from service.games.view import view
from tests.games.tables import BEGAN_MS, LOSING, RULE, Table, table
from tests.games.test_log import LIFETIMES

ANA, BEN = "a" * 16, "b" * 16


def of_players(*players: str | None, **changes: object) -> Table:
    """Create a game of these players (`ai`: an AI, None: an anonymous seat)."""
    made = table(*("ai" if player == "ai" else "player" for player in players))
    seats = tuple(Seat("ai", level="greedy") if player == "ai" else Seat("player", player=player) for player in players)
    again = table("player", "player", "player", "player")  # only its log's beginning is needed
    meta = replace(made.game.meta, seats=seats, **changes)  # type: ignore[arg-type]
    again.session = type(made.session)(made.game.new(meta), made.session.current_time, again.past, lambda: "r" * 16)
    again.session.create()
    return again


def awaited_seats(made: Table) -> list[list[int]]:
    return [made.game.pending_seats(offer) for offer in made.game.offers]


def end_game(made: Table) -> Table:
    made.session.end()
    return made


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_all_other_players_are_asked_and_the_last_acceptance_executes_the_offer(seats: int) -> None:
    made = table(*["player"] * seats)
    made.session.pause(1, 60)
    others = [seat for seat in range(seats) if seat != 1]
    for done, seat in enumerate(others):
        assert ([others[done:]], None) == (awaited_seats(made), made.game.paused_until)
        made.session.answer(seat, made.game.offers[0].id, accept=True)
    assert (made.log[-1]["until"], ()) == (made.game.paused_until, made.game.offers)
    assert ("pause", 1) == (made.session.events[-1].kind, made.log[-1]["seat"])
    assert BEGAN_MS + 60_000 == unix_ms(made.log[-1]["until"])


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_against_ais_an_offer_is_executed_at_once(seats: int) -> None:
    made = table(*["ai"] * (seats - 1), "player")
    made.session.pause(seats - 1, 60)
    assert ("pause", ()) == (made.session.events[-1].kind, made.game.offers)
    made.session.resume(seats - 1)
    assert ("resume", None) == (made.session.events[-1].kind, made.game.paused_until)
    end_game(made).session.rematch(seats - 1)
    assert ("rematch", "r" * 16) == (made.session.events[-1].kind, made.game.rematch)


def test_resigned_and_away_players_are_not_asked() -> None:
    made = table("player", "player", "player", "player", clock=RULE)
    made.session.resign(1)
    made.wait_until(70).session.keep_time()
    made.session.pause(2, 60)
    assert [[3]] == awaited_seats(made)
    made.assert_refused("offer/not_asked", made.session.answer, 0, made.game.offers[0].id, accept=True)
    made.assert_refused("offer/not_asked", made.session.answer, 1, made.game.offers[0].id, accept=False)
    made.session.answer(3, made.game.offers[0].id, accept=True)
    assert made.game.is_paused


def test_timed_out_players_are_not_asked() -> None:
    made = table("player", "player", "ai", clock=LOSING)
    made.wait_until(70).session.keep_time()
    made.session.pause(1, 60)
    assert made.game.is_paused


def test_all_people_are_asked_for_a_rematch() -> None:
    made = table("player", "player", "player", "ai")
    made.session.resign(1)
    end_game(made).session.rematch(0)
    assert [[1, 2]] == awaited_seats(made)
    made.session.answer(1, made.game.offers[0].id, accept=True)
    made.session.answer(2, made.game.offers[0].id, accept=True)
    assert "r" * 16 == made.game.rematch


def test_a_resigned_player_can_offer_a_rematch() -> None:
    made = table("player", "player")
    made.session.resign(0)
    made.session.rematch(0)
    assert [[1]] == awaited_seats(made)


def test_a_player_is_not_asked_for_their_own_offer() -> None:
    made = of_players(ANA, BEN, ANA, None)
    made.session.pause(0, 60)
    assert [[1, 3]] == awaited_seats(made)
    made.assert_refused("offer/not_asked", made.session.answer, 2, made.game.offers[0].id, accept=True)
    made.session.answer(1, made.game.offers[0].id, accept=True)
    made.session.answer(3, made.game.offers[0].id, accept=True)
    assert made.game.is_paused


@pytest.mark.parametrize("players", [(ANA, ANA), (ANA, "ai", ANA), (ANA, ANA, ANA, ANA)])
def test_a_player_who_holds_all_seats_of_people_needs_no_consent(players: tuple[str, ...]) -> None:
    made = of_players(*players)
    made.act()
    made.take_back(0)
    made.session.pause(0, 60)
    made.session.resume(0)
    end_game(made).session.rematch(0)
    assert ["takeback", "pause", "resume", "abort", "rematch"] == [event.kind for event in made.session.events[-5:]]


def test_anonymous_seats_count_as_different_people() -> None:
    made = of_players(None, None)
    made.session.pause(0, 60)
    assert [[1]] == awaited_seats(made)


def test_a_player_of_several_seats_answers_for_the_asked_seat() -> None:
    made = of_players(ANA, BEN, BEN)
    made.session.pause(0, 60)
    offer = made.game.offers[0].id
    assert [1, 2, None] == [made.session.answering_seat(offer, seats) for seats in ([1, 2], [2], [])]
    assert made.session.answering_seat(offer + 9, [1, 2]) is None


def test_the_offering_seat_can_withdraw_by_declining_but_cannot_accept() -> None:
    made = table("player", "player")
    made.session.pause(0, 60)
    offer = made.game.offers[0].id
    made.assert_refused("offer/not_asked", made.session.answer, 0, offer, accept=True)
    made.session.answer(0, offer, accept=False)
    assert () == made.game.offers
    made.assert_refused("offer/not_found", made.session.answer, 1, offer, accept=True)


def test_a_single_refusal_ends_the_offer() -> None:
    made = table("player", "player", "player")
    made.session.pause(0, 60)
    offer = made.game.offers[0].id
    made.session.answer(1, offer, accept=True)
    made.session.answer(2, offer, accept=False)
    assert ((), None) == (made.game.offers, made.game.paused_until)
    made.assert_refused("offer/not_found", made.session.answer, 1, offer, accept=True)


def test_a_seat_that_accepted_is_not_asked_again() -> None:
    made = table("player", "player", "player")
    made.session.pause(0, 60)
    offer = made.game.offers[0].id
    made.session.answer(1, offer, accept=True)
    made.assert_refused("offer/not_asked", made.session.answer, 1, offer, accept=True)
    made.assert_refused("offer/not_asked", made.session.answer, 1, offer, accept=False)


def test_a_seat_has_one_offer_open_at_a_time() -> None:
    made = table("player", "player", "player")
    made.act()
    made.session.pause(0, 60)
    made.assert_refused("offer/open", made.session.pause, 0, 30)
    made.assert_refused("offer/open", made.take_back, 0)
    made.act()
    made.take_back(1)
    assert [1] == [offer.seat for offer in made.game.offers]


def test_several_seats_can_each_have_an_open_offer() -> None:
    made = table("player", "player", "player")
    made.act()
    made.take_back(0)
    made.session.pause(1, 60)
    assert [("takeback", 0), ("pause", 1)] == [(offer.kind, offer.seat) for offer in made.game.offers]
    made.session.answer(2, made.game.offers[0].id, accept=False)
    assert [("pause", 1)] == [(offer.kind, offer.seat) for offer in made.game.offers]


def test_equal_offers_of_two_seats_are_accepted() -> None:
    made = table("player", "player")
    made.session.pause(0, 60)
    made.session.pause(1, 3600)
    assert ["offer", "answer", "pause"] == [event.kind for event in made.session.events[-3:]]
    made.session.resume(1)
    made.session.resume(0)
    assert not made.game.is_paused
    end_game(made).session.rematch(1)
    made.session.rematch(0)
    assert "r" * 16 == made.game.rematch


def test_equal_offers_of_all_seats_except_one_wait_for_the_last() -> None:
    made = table("player", "player", "player")
    made.session.pause(0, 60)
    made.session.pause(2, 60)
    assert ([[1]], 1) == (awaited_seats(made), len(made.game.offers))
    made.session.pause(1, 60)
    assert made.game.is_paused


MOVES_ON: dict[str, Callable[[Table], object]] = {
    "action": lambda made: made.act(),
    "resignation": lambda made: made.session.resign(2),
    "timeout": lambda made: made.wait_until(70).session.keep_time(),
    "abort": lambda made: made.session.end(),
    "pause": lambda made: made.session.add(PauseEvent(*made.session.head, 0, "2026-01-01T00:10:00.000Z")),
    "takeback": lambda made: made.session.add(
        TakebackEvent(
            *made.session.head, seat=0, to=3, across_draw=False, position=made.game.ruleset.view(made.position)
        )
    ),
}


@pytest.mark.parametrize("kind", MOVES_ON)
def test_offers_and_refusals_end_when_the_game_moves_on(kind: str) -> None:
    made = table("player", "player", "player", "player", clock=RULE)
    made.session.pause(1, 60)
    made.session.answer(3, made.game.offers[0].id, accept=False)
    made.session.pause(0, 60)
    MOVES_ON[kind](made)
    assert kind in [event.kind for event in made.session.events]
    assert ((), ()) == (made.game.offers, made.game.declined)


def test_the_end_of_a_pause_ends_an_offered_resumption() -> None:
    made = table("player", "player")
    made.session.pause(0, 60)
    made.session.pause(1, 60)
    made.session.resume(0)
    made.wait_until(60).session.keep_time()
    assert ((), False) == (made.game.offers, made.game.is_paused)


def test_a_seat_cannot_repeat_a_declined_offer_before_the_next_move() -> None:
    made = table("player", "player", "player")
    made.session.pause(0, 60)
    made.session.answer(1, made.game.offers[0].id, accept=False)
    made.assert_refused("offer/declined", made.session.pause, 0, 30)
    made.session.pause(1, 60)
    made.session.answer(1, made.game.offers[0].id, accept=False)
    made.act()
    made.session.pause(0, 30)
    assert 1 == len(made.game.offers)


def test_a_refusal_of_one_kind_allows_other_kinds() -> None:
    made = table("player", "player")
    made.act()
    made.session.pause(0, 60)
    made.session.answer(1, made.game.offers[0].id, accept=False)
    made.take_back(0)
    assert ["takeback"] == [offer.kind for offer in made.game.offers]


def test_a_refused_seat_can_accept_the_same_offer_of_another() -> None:
    made = table("player", "player")
    made.session.pause(0, 60)
    made.session.answer(1, made.game.offers[0].id, accept=False)
    made.session.pause(1, 60)
    made.session.pause(0, 60)
    assert made.game.is_paused


def test_a_declined_resumption_can_be_offered_again() -> None:
    made = table("player", "player")
    made.session.pause(0, 60)
    made.session.pause(1, 60)
    for _ in range(3):
        made.session.resume(0)
        made.session.answer(1, made.game.offers[0].id, accept=False)
    assert made.game.is_paused


def test_a_seat_cannot_repeat_a_declined_rematch() -> None:
    made = end_game(table("player", "player"))
    made.session.rematch(0)
    made.session.answer(1, made.game.offers[0].id, accept=False)
    made.assert_refused("offer/declined", made.session.rematch, 0)
    made.session.rematch(1)
    made.session.answer(0, made.game.offers[0].id, accept=True)
    assert "r" * 16 == made.game.rematch


def test_allowed_offers_depend_on_the_state_of_the_game() -> None:
    waiting, playing, ended = table("player", "open"), table("player", "player"), end_game(table("player", "player"))
    for command in (lambda: waiting.session.pause(0, 60), lambda: waiting.session.resume(0)):
        waiting.assert_refused("game/not_started", command)
    waiting.assert_refused("game/not_over", waiting.session.rematch, 0)
    playing.assert_refused("game/not_paused", playing.session.resume, 0)
    playing.assert_refused("game/not_over", playing.session.rematch, 0)
    ended.assert_refused("game/over", ended.session.pause, 0, 60)
    ended.assert_refused("game/over", ended.session.resume, 0)


def test_seats_that_no_longer_play_offer_only_a_rematch() -> None:
    made = table("player", "player", "player", "player", clock=RULE)
    made.session.resign(1)
    made.wait_until(70).session.keep_time()
    made.assert_refused("game/resigned", made.session.pause, 1, 60)
    made.assert_refused("game/away", made.session.pause, 0, 60)
    made.session.pause(2, 60)
    made.session.pause(3, 60)
    made.assert_refused("game/resigned", made.session.resume, 1)
    made.assert_refused("game/away", made.session.resume, 0)


def test_a_paused_game_allows_only_its_resumption() -> None:
    made = table("player", "ai")
    made.act()
    made.session.pause(0, 60)
    assert (None, BEGAN_MS + 60_000) == (made.game.level_to_decide, made.game.due_at)
    made.assert_refused("game/paused", made.act)
    made.assert_refused("game/paused", made.session.pause, 0, 60)
    made.assert_refused("game/paused", made.take_back, 0)
    made.session.resume(0)
    assert ("greedy", 0) == (made.game.level_to_decide, made.game.due_at)


def test_a_paused_game_can_be_resigned_and_aborted() -> None:
    made = table("player", "player", "player")
    for seat in (0, 1, 2):
        made.session.pause(seat, 60)
    made.session.resign(1)
    assert made.game.is_paused
    made.session.resign(0)
    assert ("finished", None, None) == (made.game.status, made.game.paused_until, made.game.due_at)
    made = table("player", "ai")
    made.session.pause(0, 60)
    made.session.abort()
    assert ("aborted", None) == (made.game.status, made.game.paused_until)


def test_an_accepted_rematch_is_accepted_once() -> None:
    made = end_game(table("player", "ai"))
    made.session.rematch(0)
    before = made.game
    made.session.rematch(0)
    assert before == made.game


def test_a_handover_ends_open_offers() -> None:
    """The new holder was not asked."""
    made = of_players(ANA, BEN)
    made.session.pause(0, 60)
    made.session.hand_over(1, None)
    assert () == made.game.offers
    made.session.pause(0, 60)
    made.session.join(1, None, ANA)
    assert () == made.game.offers


def test_a_withdrawn_offer_can_be_repeated() -> None:
    made = of_players(ANA, BEN)
    made.session.pause(0, 60)
    made.session.answer(0, made.game.offers[0].id, accept=False)
    made.session.pause(0, 60)
    assert [[1]] == awaited_seats(made)


def test_the_view_contains_each_offer_and_the_asked_seats() -> None:
    made = table("player", "player", "player")
    made.session.pause(1, 90)
    made.session.answer(2, made.game.offers[0].id, accept=True)
    assert [
        {
            "id": 4,
            "kind": "pause",
            "seat": 1,
            "accepted": (2,),
            "to": None,
            "across_draw": False,
            "seconds": 90,
            "awaiting": [0],
            "ends_at": "2026-01-04T00:00:00.000Z",
        }
    ] == view(made.game, LIFETIMES)["offers"]
