"""Notices: which players are notified of which events."""

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
    """Return the notices caused by the command."""
    before, event_count = made.game, len(made.session.events)
    command(*args, **more)
    return notices(before, made.game, made.session.events[event_count:])


def short(all_notices: list[Notice]) -> set[tuple[str, str]]:
    return {(notice.player, notice.type) for notice in all_notices}


def test_the_start_notifies_all_players_and_the_first_to_decide() -> None:
    made = of_players(ANA, BEN)
    actual = notices(Game.new(made.game.meta), made.game, made.session.events)
    assert {(ANA, "game_started"), (BEN, "game_started"), (ANA, "your_turn")} == short(actual)
    assert {ANA: 0, BEN: 1} == {notice.player: notice.seat for notice in actual}


def test_a_game_with_open_seats_notifies_nobody() -> None:
    made = table("player", "open")
    assert [] == notices(Game.new(made.game.meta), made.game, made.session.events)
    assert {(BEN, "game_started")} == short(notices_of(made, made.session.join, 1, None, BEN))


def test_a_turn_notifies_its_player_with_its_start() -> None:
    made = of_players(ANA, BEN)
    (notice,) = notices_of(made.wait_until(5), made.act)
    assert Notice(BEN, "your_turn", 1, {"since": made.session.current_time}) == notice


def test_a_player_who_decides_again_is_not_notified() -> None:
    """The response to their own decision already shows the next one."""
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
def test_a_player_who_decides_again_is_notified_after_a_change(event: Event) -> None:
    made = of_players(ANA, BEN)
    assert {(ANA, "your_turn")} == short(notices(made.game, made.game, [event]))


def test_turns_of_ais_and_anonymous_seats_notify_nobody() -> None:
    for second in ("ai", None):
        made = of_players(ANA, second)
        assert [] == notices_of(made, made.act)


def test_a_player_of_several_seats_is_notified_once_per_type() -> None:
    made = of_players(ANA, BEN, BEN)
    actual = notices(Game.new(made.game.meta), made.game, made.session.events)
    assert [(ANA, 0), (BEN, 1)] == [(notice.player, notice.seat) for notice in actual if notice.type == "game_started"]
    assert {(BEN, "your_turn")} == short(notices_of(made, made.act))
    assert [] == notices_of(made, made.act)  # the next seat is theirs, too


def test_an_offer_notifies_the_players_who_must_answer() -> None:
    made = of_players(ANA, BEN, None)
    (notice,) = notices_of(made, made.session.pause, 0, 60)
    assert (BEN, "offer", 1) == (notice.player, notice.type, notice.seat)
    offer = notice.more["offer"]
    assert ("pause", 0, [1, 2], 60) == tuple(offer[name] for name in ("kind", "seat", "awaiting", "seconds"))
    assert made.game.revision == offer["id"]


def test_the_end_of_a_pause_notifies_the_player_to_decide() -> None:
    made = of_players(ANA, BEN)
    made.session.pause(1, 60)
    assert [] == notices_of(made, made.session.answer, 0, made.game.offers[0].id, accept=True)
    assert {(ANA, "your_turn")} == short(notices_of(made.wait_until(61), made.session.keep_time))


@pytest.mark.parametrize(("rule", "then"), [(RULE, "ai"), (LOSING, "lose")])
def test_a_timeout_notifies_its_player_of_the_consequence(rule: Any, then: str) -> None:
    made = of_players(ANA, BEN, "ai", clock=rule)
    actual = notices_of(made.wait_until(71), made.session.keep_time)
    assert [Notice(ANA, "seat_lost", 0, {"then": then})] == actual


def test_a_returning_player_is_notified_of_their_turn() -> None:
    made = of_players(ANA, BEN, clock=RULE)
    made.wait_until(71).session.keep_time()
    assert {(ANA, "your_turn")} == short(notices_of(made, made.session.join, 0, None, ANA))


def test_the_end_of_a_game_notifies_every_player() -> None:
    finished, aborted = of_players(ANA, BEN), of_players(ANA, BEN)
    everybody = {(ANA, "game_over"), (BEN, "game_over")}
    assert everybody == short(notices_of(finished, finished.session.resign, 1))
    assert everybody == short(notices_of(aborted, aborted.session.end))


def test_an_abort_before_the_start_notifies_the_seated_players() -> None:
    made = table("open", "open")
    made.session.join(0, None, ANA)
    assert {(ANA, "game_over")} == short(notices_of(made, made.session.end))


def test_a_rematch_notifies_all_players_with_its_id() -> None:
    made = of_players(ANA, BEN)
    made.session.end()
    assert {(BEN, "offer")} == short(notices_of(made, made.session.rematch, 0))
    actual = notices_of(made, made.session.answer, 1, made.game.offers[0].id, accept=True)
    assert {(ANA, "rematch"), (BEN, "rematch")} == short(actual)
    assert [{"game_id": "r" * 16}] * 2 == [notice.more for notice in actual]


def test_every_notice_has_a_known_type() -> None:
    made = of_players(ANA, BEN, clock=RULE)
    actual = {notice.type for notice in notices(Game.new(made.game.meta), made.game, made.session.events)}
    assert actual < set(NOTICES)
