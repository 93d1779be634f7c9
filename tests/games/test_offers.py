"""Offers: who is asked, who has agreed, what ends them, and that nobody is pestered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from service.games.events import PauseEvent, TakebackEvent
from service.games.state.moments import unix_ms
from service.games.state.seats import Seat
from service.games.view import view
from tests.games.tables import BEGUN, LOSING, RULE, Table, table
from tests.games.test_log import LIFETIMES

ANA, BEN = "a" * 16, "b" * 16


def of_players(*players: str | None, **changes: object) -> Table:
    """A game whose seats of kind player are these players'; `ai` is one, None a token's."""
    made = table(*("ai" if player == "ai" else "player" for player in players))
    seats = tuple(Seat("ai", level="greedy") if player == "ai" else Seat("player", player=player) for player in players)
    again = table("player", "player", "player", "player")  # only its log's beginning is needed
    meta = replace(made.game.meta, seats=seats, **changes)  # type: ignore[arg-type]
    again.session = type(made.session)(made.game.new(meta), made.session.now, again.past, lambda: "r" * 16)
    again.session.create()
    return again


def awaited(made: Table) -> list[list[int]]:
    return [made.game.awaiting(offer) for offer in made.game.offers]


def over(made: Table) -> Table:
    made.session.end()
    return made


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_everybody_else_who_plays_is_asked_and_the_last_to_agree_carries_it_out(seats: int) -> None:
    made = table(*["player"] * seats)
    made.session.pause(1, 60)
    others = [seat for seat in range(seats) if seat != 1]
    for done, seat in enumerate(others):
        assert ([others[done:]], None) == (awaited(made), made.game.paused_until)
        made.session.answer(seat, made.game.offers[0].id, accept=True)
    assert (made.log[-1]["until"], ()) == (made.game.paused_until, made.game.offers)
    assert ("pause", 1) == (made.session.events[-1].kind, made.log[-1]["seat"])
    assert BEGUN + 60_000 == unix_ms(made.log[-1]["until"])


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_where_all_others_are_ais_it_happens_at_once_and_leaves_no_offer(seats: int) -> None:
    made = table(*["ai"] * (seats - 1), "player")
    made.session.pause(seats - 1, 60)
    assert ("pause", ()) == (made.session.events[-1].kind, made.game.offers)
    made.session.resume(seats - 1)
    assert ("resume", None) == (made.session.events[-1].kind, made.game.paused_until)
    over(made).session.rematch(seats - 1)
    assert ("rematch", "r" * 16) == (made.session.events[-1].kind, made.game.rematch)


def test_who_has_resigned_or_is_away_is_not_asked() -> None:
    made = table("player", "player", "player", "player", clock=RULE)
    made.session.resign(1)
    made.at(70).session.keep_time()
    made.session.pause(2, 60)
    assert [[3]] == awaited(made)
    made.refused("offer/not_asked", made.session.answer, 0, made.game.offers[0].id, accept=True)
    made.refused("offer/not_asked", made.session.answer, 1, made.game.offers[0].id, accept=False)
    made.session.answer(3, made.game.offers[0].id, accept=True)
    assert made.game.is_paused


def test_who_lost_on_time_is_not_asked_and_where_nobody_else_plays_it_happens_at_once() -> None:
    made = table("player", "player", "ai", clock=LOSING)
    made.at(70).session.keep_time()
    made.session.pause(1, 60)
    assert made.game.is_paused


def test_all_people_are_asked_for_a_rematch_whether_they_resigned_or_not() -> None:
    made = table("player", "player", "player", "ai")
    made.session.resign(1)
    over(made).session.rematch(0)
    assert [[1, 2]] == awaited(made)
    made.session.answer(1, made.game.offers[0].id, accept=True)
    made.session.answer(2, made.game.offers[0].id, accept=True)
    assert "r" * 16 == made.game.rematch


def test_who_resigned_may_offer_a_rematch() -> None:
    made = table("player", "player")
    made.session.resign(0)
    made.session.rematch(0)
    assert [[1]] == awaited(made)


def test_a_player_is_not_asked_what_he_offers_himself() -> None:
    made = of_players(ANA, BEN, ANA, None)
    made.session.pause(0, 60)
    assert [[1, 3]] == awaited(made)
    made.refused("offer/not_asked", made.session.answer, 2, made.game.offers[0].id, accept=True)
    made.session.answer(1, made.game.offers[0].id, accept=True)
    made.session.answer(3, made.game.offers[0].id, accept=True)
    assert made.game.is_paused


@pytest.mark.parametrize("players", [(ANA, ANA), (ANA, "ai", ANA), (ANA, ANA, ANA, ANA)])
def test_a_player_who_has_all_the_peoples_seats_asks_nobody(players: tuple[str, ...]) -> None:
    made = of_players(*players)
    made.act()
    made.take_back(0)
    made.session.pause(0, 60)
    made.session.resume(0)
    over(made).session.rematch(0)
    assert ["takeback", "pause", "resume", "abort", "rematch"] == [event.kind for event in made.session.events[-5:]]


def test_seats_held_by_tokens_alone_are_different_people() -> None:
    made = of_players(None, None)
    made.session.pause(0, 60)
    assert [[1]] == awaited(made)


def test_of_a_players_seats_the_one_that_can_answer_answers() -> None:
    made = of_players(ANA, BEN, BEN)
    made.session.pause(0, 60)
    offer = made.game.offers[0].id
    assert (1, 2, None, None) == (
        made.session.asked(offer, [1, 2]),
        made.session.asked(offer, [2]),
        made.session.asked(offer, []),
        made.session.asked(offer + 9, [1, 2]),
    )


def test_the_offerer_withdraws_by_declining_and_cannot_accept() -> None:
    made = table("player", "player")
    made.session.pause(0, 60)
    offer = made.game.offers[0].id
    made.refused("offer/not_asked", made.session.answer, 0, offer, accept=True)
    made.session.answer(0, offer, accept=False)
    assert () == made.game.offers
    made.refused("offer/not_found", made.session.answer, 1, offer, accept=True)


def test_one_who_declines_ends_it_for_all() -> None:
    made = table("player", "player", "player")
    made.session.pause(0, 60)
    offer = made.game.offers[0].id
    made.session.answer(1, offer, accept=True)
    made.session.answer(2, offer, accept=False)
    assert ((), None) == (made.game.offers, made.game.paused_until)
    made.refused("offer/not_found", made.session.answer, 1, offer, accept=True)


def test_who_has_agreed_is_not_asked_again() -> None:
    made = table("player", "player", "player")
    made.session.pause(0, 60)
    offer = made.game.offers[0].id
    made.session.answer(1, offer, accept=True)
    made.refused("offer/not_asked", made.session.answer, 1, offer, accept=True)
    made.refused("offer/not_asked", made.session.answer, 1, offer, accept=False)


def test_a_seat_has_one_offer_open_at_a_time() -> None:
    made = table("player", "player", "player")
    made.act()
    made.session.pause(0, 60)
    made.refused("offer/open", made.session.pause, 0, 30)
    made.refused("offer/open", made.take_back, 0)
    made.act()
    made.take_back(1)
    assert [1] == [offer.seat for offer in made.game.offers]


def test_several_seats_may_each_have_an_offer_open() -> None:
    made = table("player", "player", "player")
    made.act()
    made.take_back(0)
    made.session.pause(1, 60)
    assert [("takeback", 0), ("pause", 1)] == [(offer.kind, offer.seat) for offer in made.game.offers]
    made.session.answer(2, made.game.offers[0].id, accept=False)
    assert [("pause", 1)] == [(offer.kind, offer.seat) for offer in made.game.offers]


def test_the_same_offer_of_two_seats_is_agreement() -> None:
    made = table("player", "player")
    made.session.pause(0, 60)
    made.session.pause(1, 3600)
    assert ["offer", "answer", "pause"] == [event.kind for event in made.session.events[-3:]]
    made.session.resume(1)
    made.session.resume(0)
    assert not made.game.is_paused
    over(made).session.rematch(1)
    made.session.rematch(0)
    assert "r" * 16 == made.game.rematch


def test_the_same_offer_of_all_but_one_still_waits_for_that_one() -> None:
    made = table("player", "player", "player")
    made.session.pause(0, 60)
    made.session.pause(2, 60)
    assert ([[1]], 1) == (awaited(made), len(made.game.offers))
    made.session.pause(1, 60)
    assert made.game.is_paused


MOVES_ON: dict[str, Callable[[Table], object]] = {
    "action": lambda made: made.act(),
    "resignation": lambda made: made.session.resign(2),
    "timeout": lambda made: made.at(70).session.keep_time(),
    "abort": lambda made: made.session.end(),
    "pause": lambda made: made.session.add(PauseEvent(*made.session.head, 0, "2026-01-01T00:10:00.000Z")),
    "takeback": lambda made: made.session.add(
        TakebackEvent(
            *made.session.head, seat=0, to=3, across_draw=False, position=made.game.ruleset.view(made.position)
        )
    ),
}


@pytest.mark.parametrize("kind", MOVES_ON)
def test_when_the_game_moves_on_offers_lapse_and_refusals_are_forgotten(kind: str) -> None:
    made = table("player", "player", "player", "player", clock=RULE)
    made.session.pause(1, 60)
    made.session.answer(3, made.game.offers[0].id, accept=False)
    made.session.pause(0, 60)
    MOVES_ON[kind](made)
    assert kind in [event.kind for event in made.session.events]
    assert ((), ()) == (made.game.offers, made.game.declined)


def test_the_end_of_a_pause_lets_an_offer_to_go_on_lapse() -> None:
    made = table("player", "player")
    made.session.pause(0, 60)
    made.session.pause(1, 60)
    made.session.resume(0)
    made.at(60).session.keep_time()
    assert ((), False) == (made.game.offers, made.game.is_paused)


def test_what_was_declined_is_not_offered_again_by_the_same_seat_before_the_game_moves_on() -> None:
    made = table("player", "player", "player")
    made.session.pause(0, 60)
    made.session.answer(1, made.game.offers[0].id, accept=False)
    made.refused("offer/declined", made.session.pause, 0, 30)
    made.session.pause(1, 60)
    made.session.answer(1, made.game.offers[0].id, accept=False)
    made.act()
    made.session.pause(0, 30)
    assert 1 == len(made.game.offers)


def test_a_refusal_of_one_kind_does_not_bar_another() -> None:
    made = table("player", "player")
    made.act()
    made.session.pause(0, 60)
    made.session.answer(1, made.game.offers[0].id, accept=False)
    made.take_back(0)
    assert ["takeback"] == [offer.kind for offer in made.game.offers]


def test_who_was_refused_may_still_agree_to_what_the_other_offers() -> None:
    made = table("player", "player")
    made.session.pause(0, 60)
    made.session.answer(1, made.game.offers[0].id, accept=False)
    made.session.pause(1, 60)
    made.session.pause(0, 60)
    assert made.game.is_paused


def test_going_on_may_be_offered_again_after_a_refusal() -> None:
    made = table("player", "player")
    made.session.pause(0, 60)
    made.session.pause(1, 60)
    for _ in range(3):
        made.session.resume(0)
        made.session.answer(1, made.game.offers[0].id, accept=False)
    assert made.game.is_paused


def test_a_declined_rematch_is_not_offered_again_by_the_same_seat() -> None:
    made = over(table("player", "player"))
    made.session.rematch(0)
    made.session.answer(1, made.game.offers[0].id, accept=False)
    made.refused("offer/declined", made.session.rematch, 0)
    made.session.rematch(1)
    made.session.answer(0, made.game.offers[0].id, accept=True)
    assert "r" * 16 == made.game.rematch


def test_offers_have_their_time() -> None:
    waiting, playing, ended = table("player", "open"), table("player", "player"), over(table("player", "player"))
    for command in (lambda: waiting.session.pause(0, 60), lambda: waiting.session.resume(0)):
        waiting.refused("game/not_started", command)
    waiting.refused("game/not_over", waiting.session.rematch, 0)
    playing.refused("game/not_paused", playing.session.resume, 0)
    playing.refused("game/not_over", playing.session.rematch, 0)
    ended.refused("game/over", ended.session.pause, 0, 60)
    ended.refused("game/over", ended.session.resume, 0)


def test_who_plays_no_more_offers_nothing_but_a_rematch() -> None:
    made = table("player", "player", "player", "player", clock=RULE)
    made.session.resign(1)
    made.at(70).session.keep_time()
    made.refused("game/resigned", made.session.pause, 1, 60)
    made.refused("game/away", made.session.pause, 0, 60)
    made.session.pause(2, 60)
    made.session.pause(3, 60)
    made.refused("game/resigned", made.session.resume, 1)
    made.refused("game/away", made.session.resume, 0)


def test_while_the_game_is_paused_nobody_acts_or_offers_but_to_go_on() -> None:
    made = table("player", "ai")
    made.act()
    made.session.pause(0, 60)
    assert (None, BEGUN + 60_000) == (made.game.level_to_decide, made.game.due_at)
    made.refused("game/paused", made.act)
    made.refused("game/paused", made.session.pause, 0, 60)
    made.refused("game/paused", made.take_back, 0)
    made.session.resume(0)
    assert ("greedy", 0) == (made.game.level_to_decide, made.game.due_at)


def test_a_pause_can_be_resigned_from_and_aborted() -> None:
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


def test_a_rematch_that_is_agreed_on_is_not_agreed_on_again() -> None:
    made = over(table("player", "ai"))
    made.session.rematch(0)
    before = made.game
    made.session.rematch(0)
    assert before == made.game


def test_a_seat_that_changes_hands_leaves_no_offer_behind() -> None:
    """Those who agree would be others than those who were asked."""
    made = of_players(ANA, BEN)
    made.session.pause(0, 60)
    made.session.hand_over(1, None)
    assert () == made.game.offers
    made.session.pause(0, 60)
    made.session.join(1, None, ANA)
    assert () == made.game.offers


def test_who_withdraws_an_offer_may_make_it_again() -> None:
    made = of_players(ANA, BEN)
    made.session.pause(0, 60)
    made.session.answer(0, made.game.offers[0].id, accept=False)
    made.session.pause(0, 60)
    assert [[1]] == awaited(made)


def test_the_view_tells_each_offer_and_who_is_asked() -> None:
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
        }
    ] == view(made.game, LIFETIMES)["offers"]
