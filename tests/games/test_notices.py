"""Notices: which player is told what, when something has happened in a game."""

from __future__ import annotations

from typing import Any

import pytest

from service.games.events import ActionEvent, DrawEvent, Event, ImportedEvent, ResumeEvent, TakebackEvent
from service.games.notices import NOTICES, Notice, notices
from service.games.state.model import Game
from tests.games.tables import LOSING, RULE, Table, table
from tests.games.test_log import AT
from tests.games.test_offers import ANA, BEN, of_players


def notices_of(made: Table, command: Any, *args: Any, **more: Any) -> list[Notice]:
    """What the players are told of what the command does."""
    before, known = made.game, len(made.session.events)
    command(*args, **more)
    return notices(before, made.game, made.session.events[known:])


def short(found: list[Notice]) -> set[tuple[str, str]]:
    return {(notice.player, notice.type) for notice in found}


def test_when_a_game_starts_all_its_players_are_told_and_the_first_to_decide_of_that_too() -> None:
    made = of_players(ANA, BEN)
    actual = notices(Game.new(made.game.meta), made.game, made.session.events)
    assert {(ANA, "game_started"), (BEN, "game_started"), (ANA, "your_turn")} == short(actual)
    assert {ANA: 0, BEN: 1} == {notice.player: notice.seat for notice in actual}


def test_a_game_with_open_seats_tells_nobody_until_it_is_full() -> None:
    made = table("player", "open")
    assert [] == notices(Game.new(made.game.meta), made.game, made.session.events)
    assert {(BEN, "game_started")} == short(notices_of(made, made.session.join, 1, None, BEN))


def test_a_player_is_told_when_the_decision_falls_to_him_and_since_when() -> None:
    made = of_players(ANA, BEN)
    (notice,) = notices_of(made.at(5), made.act)
    assert Notice(BEN, "your_turn", 1, {"since": made.session.now}) == notice


def test_who_goes_on_deciding_is_not_told_again() -> None:
    """Their own last decision tells them that they are to make the next."""
    made = of_players(ANA, "ai")
    assert made.game.to_decide == 0
    assert [] == notices(made.game, made.game, [ActionEvent(5, AT, 0, {})])


@pytest.mark.parametrize(
    "event",
    [
        DrawEvent(5, AT, {}),
        TakebackEvent(5, AT, 0, 3, across_draw=False, position={}),
        ResumeEvent(5, AT, None),
        ImportedEvent(5, AT, "g"),
    ],
)
def test_who_goes_on_deciding_is_told_again_where_something_has_changed_meanwhile(event: Event) -> None:
    made = of_players(ANA, BEN)
    assert {(ANA, "your_turn")} == short(notices(made.game, made.game, [event]))


def test_while_an_ai_or_somebody_without_a_player_decides_nobody_is_told() -> None:
    for second in ("ai", None):
        made = of_players(ANA, second)
        assert [] == notices_of(made, made.act)


def test_who_has_several_seats_is_told_once_of_each_type() -> None:
    made = of_players(ANA, BEN, BEN)
    actual = notices(Game.new(made.game.meta), made.game, made.session.events)
    assert [(ANA, 0), (BEN, 1)] == [(notice.player, notice.seat) for notice in actual if notice.type == "game_started"]
    assert {(BEN, "your_turn")} == short(notices_of(made, made.act))
    assert [] == notices_of(made, made.act)  # the next seat is theirs, too


def test_an_offer_is_told_to_those_who_must_answer_with_all_the_view_tells_of_it() -> None:
    made = of_players(ANA, BEN, None)
    (notice,) = notices_of(made, made.session.pause, 0, 60)
    assert (BEN, "offer", 1) == (notice.player, notice.type, notice.seat)
    offer = notice.more["offer"]
    assert ("pause", 0, [1, 2], 60) == tuple(offer[name] for name in ("kind", "seat", "awaiting", "seconds"))
    assert made.game.revision == offer["id"]


def test_a_pause_ends_with_a_notice_to_who_decides() -> None:
    made = of_players(ANA, BEN)
    made.session.pause(1, 60)
    assert [] == notices_of(made, made.session.answer, 0, made.game.offers[0].id, accept=True)
    assert {(ANA, "your_turn")} == short(notices_of(made.at(61), made.session.keep_time))


@pytest.mark.parametrize(("rule", "then"), [(RULE, "ai"), (LOSING, "lose")])
def test_who_runs_out_of_time_is_told_what_that_brings(rule: Any, then: str) -> None:
    made = of_players(ANA, BEN, "ai", clock=rule)
    actual = notices_of(made.at(71), made.session.keep_time)
    assert [Notice(ANA, "seat_lost", 0, {"then": then})] == actual


def test_who_comes_back_to_his_seat_is_waited_for_again() -> None:
    made = of_players(ANA, BEN, clock=RULE)
    made.at(71).session.keep_time()
    assert {(ANA, "your_turn")} == short(notices_of(made, made.session.join, 0, None, ANA))


def test_the_end_is_told_to_every_player_finished_or_aborted() -> None:
    finished, aborted = of_players(ANA, BEN), of_players(ANA, BEN)
    everybody = {(ANA, "game_over"), (BEN, "game_over")}
    assert everybody == short(notices_of(finished, finished.session.resign, 1))
    assert everybody == short(notices_of(aborted, aborted.session.end))


def test_an_abort_before_the_start_is_told_to_who_was_there() -> None:
    made = table("open", "open")
    made.session.join(0, None, ANA)
    assert {(ANA, "game_over")} == short(notices_of(made, made.session.end))


def test_a_rematch_is_told_to_all_with_its_id() -> None:
    made = of_players(ANA, BEN)
    made.session.end()
    assert {(BEN, "offer")} == short(notices_of(made, made.session.rematch, 0))
    actual = notices_of(made, made.session.answer, 1, made.game.offers[0].id, accept=True)
    assert {(ANA, "rematch"), (BEN, "rematch")} == short(actual)
    assert [{"game_id": "r" * 16}] * 2 == [notice.more for notice in actual]


def test_there_is_no_type_that_is_not_in_the_table() -> None:
    made = of_players(ANA, BEN, clock=RULE)
    actual = {notice.type for notice in notices(Game.new(made.game.meta), made.game, made.session.events)}
    assert actual < set(NOTICES)
