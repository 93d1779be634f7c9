"""Seats that an endpoint plays: failures are counted, and then an AI plays on for good, or the seat loses."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import orjson
import pytest

from service.games import log
from service.games.errors import GameError
from service.games.game_export import export_game, replay_game
from service.games.state.endpoints import FAILURES, NO_ANSWER, PAUSES_S, Endpoint, pause_after
from service.games.state.model import Game
from service.games.state.moments import unix_ms
from service.games.state.seats import Seat
from service.games.view import outcome, replaceable_at, view
from service.outgoing import outbound_http
from tests.games.tables import BEGUN, RULE, Table, read_again
from tests.games.tables import table as new_table
from tests.games.test_log import LIFETIMES, SEED

AGREED = Endpoint("https://bot.example/move?key=hush", "whsec_" + "A" * 32, 2.5, 3, "ai")
LOSING = replace(AGREED, on_failure="lose", attempts=1)


def table(*endpoints: Endpoint | None, **changes: Any) -> Table:
    """A game whose seats are endpoints' or, for None, people's; AIs of level `random` stand in."""
    seats = tuple(Seat("player") if one is None else Seat("http", "Bot", "random") for one in endpoints)
    return new_table("player", "player", seats=seats, endpoints=endpoints, **changes)


def health(made: Table, seat: int = 0) -> tuple[str, int, str | None]:
    described = view(made.game, LIFETIMES)["seats"][seat]["endpoint"]
    return described["health"], described["failures"], described["failure"]


def test_the_dialers_codes_are_failures() -> None:
    assert set(outbound_http.CODES) == set(NO_ANSWER)


def test_an_endpoint_that_decides_is_asked_at_once_and_no_level_plays() -> None:
    made = table(AGREED, None)
    assert (0, AGREED, None, 0) == (
        made.game.to_decide,
        made.game.endpoint_to_decide,
        made.game.level_to_decide,
        made.game.due_at,
    )
    made.act()
    assert (None, None, None) == (made.game.endpoint_to_decide, made.game.level_to_decide, made.game.due_at)


def test_after_a_failure_it_is_asked_again_later_and_later() -> None:
    made = table(replace(AGREED, attempts=10), None)
    waits = []
    for _ in range(9):
        made.session.fail("late")
        assert made.game.due_at is not None
        waits.append((made.game.due_at - BEGUN) // 1000)
    assert [*PAUSES_S, 60, 60, 60, 60, 60] == waits
    assert [*PAUSES_S, 60] == [pause_after(failures) for failures in range(1, 6)]
    assert ("failing", 9, "late") == health(made)


def test_a_decision_makes_all_good() -> None:
    made = table(AGREED, None)
    made.session.fail("illegal", "line_holds_other_colour")
    assert ("failing", 1, "illegal") == health(made)
    assert "line_holds_other_colour" == view(made.game, LIFETIMES)["seats"][0]["endpoint"]["rule"]
    made.act()
    assert Seat("http", "Bot", "random") == made.game.seats[0]
    assert ("ok", 0, None) == health(made)


def test_after_the_last_attempt_an_ai_plays_on_for_good() -> None:
    made = table(AGREED, None)
    for reason in ("late", "unreadable", "status"):
        made.session.fail(reason)
    last = made.log[-1]
    assert ("ai", None, 0, "random") == (last["then"], last["retry_at"], made.game.due_at, made.game.level_to_decide)
    made.act()
    made.act()
    assert ("down", 3, "status") == health(made)
    assert ("random", None) == (made.game.level_to_decide, made.game.endpoint_to_decide)
    with pytest.raises(GameError, match="not_your_turn"):
        made.session.fail("late")


def test_where_it_was_agreed_the_seat_loses() -> None:
    made = table(LOSING, None)
    made.session.fail("tls")
    ended = outcome(made.game)
    assert ended is not None
    assert ("finished", "failed", "failure") == (made.game.status, made.game.seats[0].status, ended["reason"])
    assert [False, True] == [seat["won"] for seat in ended["seats"]]


def test_of_three_the_seat_that_fails_ranks_last_and_an_ai_plays_on_for_it() -> None:
    made = table(LOSING, AGREED, None)
    made.session.fail("tls")
    assert ("playing", "random", 0) == (made.game.status, made.game.level_to_decide, made.game.due_at)
    while not made.game.is_over:
        made.act()
    ended = outcome(made.game)
    assert ended is not None
    assert ("completed", 3) == (ended["reason"], ended["seats"][0]["rank"])


def test_a_seat_that_has_fallen_to_an_ai_may_be_claimed_by_a_person() -> None:
    made = table(replace(AGREED, attempts=1), None, clock=RULE)
    assert replaceable_at(made.game, 0, 600) is None
    made.at(3).session.fail("late")
    assert "2026-01-01T00:00:03.000Z" == replaceable_at(made.game, 0, 600)
    made.session.join(0, "Zoe")
    seat = made.game.seats[0]
    assert ("player", "Zoe", None, "active") == (seat.kind, seat.name, seat.level, seat.status)
    assert view(made.game, LIFETIMES)["seats"][0]["endpoint"] is None
    assert 73 == made.deadline_s()


def test_an_endpoint_has_no_clock_and_a_pause_stops_it() -> None:
    made = table(AGREED, None, clock=RULE)
    assert made.deadline_s() is None
    made.session.pause(1, 60)
    assert (None, BEGUN + 60_000) == (made.game.endpoint_to_decide, made.game.due_at)
    made.at(60).session.keep_time()
    assert AGREED == made.game.endpoint_to_decide


def test_a_person_takes_back_without_asking_an_endpoint() -> None:
    made = table(None, AGREED)
    made.act()
    made.take_back(0)
    assert ("takeback", 0) == (made.session.events[-1].kind, made.game.to_decide)


def test_nothing_of_where_it_stands_is_in_view_events_or_record() -> None:
    made = table(AGREED, None)
    made.session.fail("late")
    actual = orjson.dumps([view(made.game, LIFETIMES), made.log, export_game(made.game, made.log)])
    assert [] == [secret for secret in (b"bot.example", b"hush", b"whsec") if secret in actual]


@pytest.mark.parametrize("endpoint", [AGREED, LOSING, replace(AGREED, attempts=1)])
def test_failures_replay_from_the_log_and_out_of_the_store(endpoint: Endpoint) -> None:
    made = table(endpoint, None, AGREED)
    made.session.fail("illegal", "no_such_tiles")
    made.act()
    made.act()
    made.session.fail("late")
    assert made.game == log.fold_all(Game.new(made.game.meta), read_again(made.session.events))
    kept = orjson.loads(orjson.dumps([made.game.meta.to_json(), made.game.state_json()]))
    meta = type(made.game.meta).from_json(kept[0])
    assert made.game == Game.restored(meta, made.game.revision, kept[1], made.game.position)


def test_games_of_before_have_no_endpoints() -> None:
    meta = new_table("player", "ai").game.meta
    kept = meta.to_json()
    del kept["endpoints"]
    assert meta == type(meta).from_json(orjson.loads(orjson.dumps(kept)))


def as_recorded(made: Table) -> tuple[Any, list[dict[str, Any]]]:
    """The beginning of a game as an import makes it, with AIs for endpoints, and its events."""
    seats = tuple(Seat("ai", seat.name, seat.level) if seat.kind == "http" else seat for seat in made.game.meta.seats)
    return replace(made.game.meta, seats=seats, endpoints=()), made.log


@pytest.mark.parametrize("endpoint", [AGREED, LOSING, replace(AGREED, attempts=1)])
def test_a_record_with_failures_is_played_again(endpoint: Endpoint) -> None:
    made = table(endpoint, None, AGREED)
    made.session.fail("illegal", "no_such_tiles")
    if made.game.seats[0].status == "away":
        made.session.join(0, "Zoe")
    while not made.game.is_over:
        made.act()
    meta, events = as_recorded(made)
    again = replay_game(meta, events, SEED).game
    assert (made.game.position, outcome(made.game)) == (again.position, outcome(again))


@pytest.mark.parametrize(
    "changes",
    [
        {"seat": 1},
        {"seat": 7},
        {"reason": "bored"},
        {"reason": None},
        {"then": "win"},
        {"rule": 7},
        {"rule": "x" * 101},
        {"retry_at": "soon"},
    ],
)
def test_a_failure_that_cannot_be_is_told_by_its_number(changes: dict[str, Any]) -> None:
    made = table(AGREED, None)
    made.session.fail("late")
    meta, events = as_recorded(made)
    with pytest.raises(GameError) as error:
        replay_game(meta, [*events[:-1], {**events[-1], **changes}], SEED)
    assert ("record/illegal_event", len(events)) == (error.value.code, error.value.extra["event"])


def test_every_failure_has_its_moment() -> None:
    made = table(replace(AGREED, attempts=len(FAILURES) + 1), None)
    for reason in FAILURES:
        made.session.fail(reason)
    assert list(FAILURES) == [event["reason"] for event in made.log if event["kind"] == "call_failed"]
    assert all(unix_ms(event["retry_at"]) > BEGUN for event in made.log if event["kind"] == "call_failed")
