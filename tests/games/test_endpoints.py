"""Seats played by an endpoint: failures are counted, then an AI takes over or the seat loses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from operator import attrgetter
from typing import Any

import orjson
import pytest

from service.games.errors import GameError
from service.games.game_export import export_game, replay_game
from service.games.session import GameSession
from service.games.state.endpoints import FAILURES, NO_ANSWER, PAUSES_S, Endpoint, pause_after
from service.games.state.model import Game
from service.games.state.moments import unix_ms
from service.games.state.seats import Seat
from service.games.view import outcome, replaceable_at, view
from service.outgoing import outbound_http
from tests.games.tables import BEGAN_MS, RULE, Table, reread
from tests.games.tables import table as new_table
from tests.games.test_log import LIFETIMES, SEED, fold_all, reload

ENDPOINT = Endpoint("https://bot.example/move?key=hush", "whsec_" + "A" * 32, 2.5, 3, "ai")
LOSING = replace(ENDPOINT, on_failure="lose", attempts=1)


def table(*endpoints: Endpoint | None, **changes: Any) -> Table:
    """Create a game of endpoints and (for None) people. AIs of level `random` substitute."""
    seats = tuple(Seat("player") if one is None else Seat("http", "Bot", "random") for one in endpoints)
    return new_table("player", "player", seats=seats, endpoints=endpoints, **changes)


def health(made: Table, seat: int = 0) -> tuple[str, int, str | None]:
    endpoint_view = view(made.game, LIFETIMES)["seats"][seat]["endpoint"]
    return endpoint_view["health"], endpoint_view["failures"], endpoint_view["failure"]


def test_every_error_code_of_outgoing_calls_is_a_failure() -> None:
    assert set(outbound_http.CODES) == set(NO_ANSWER)


def test_an_endpoint_is_called_at_once_and_no_level_plays() -> None:
    made = table(ENDPOINT, None)
    callee = attrgetter("endpoint_to_decide", "level_to_decide", "due_at")
    assert (0, (ENDPOINT, None, 0)) == (made.game.to_decide, callee(made.game))
    made.act()
    assert (None, None, None) == callee(made.game)


def test_failures_are_retried_with_growing_pauses() -> None:
    made = table(replace(ENDPOINT, attempts=10), None)
    waits = []
    for _ in range(9):
        made.session.fail("late")
        assert made.game.due_at is not None
        waits.append((made.game.due_at - BEGAN_MS) // 1000)
    assert [*PAUSES_S, 60, 60, 60, 60, 60] == waits
    assert [*PAUSES_S, 60] == [pause_after(failures) for failures in range(1, 6)]
    assert ("failing", 9, "late") == health(made)


def test_a_decision_resets_the_failures() -> None:
    made = table(ENDPOINT, None)
    made.session.fail("illegal", "line_holds_other_colour")
    assert ("failing", 1, "illegal") == health(made)
    assert "line_holds_other_colour" == view(made.game, LIFETIMES)["seats"][0]["endpoint"]["rule"]
    made.act()
    assert Seat("http", "Bot", "random") == made.game.seats[0]
    assert ("ok", 0, None) == health(made)


def test_after_the_last_attempt_an_ai_takes_over_permanently() -> None:
    made = table(ENDPOINT, None)
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


def test_a_failed_seat_loses_if_agreed() -> None:
    made = table(LOSING, None)
    made.session.fail("tls")
    ended = made.outcome
    assert ("finished", "failed", "failure") == (made.game.status, made.game.seats[0].status, ended["reason"])
    assert [False, True] == [seat["won"] for seat in ended["seats"]]


@pytest.mark.parametrize("decisions", [0, 1, 2])
def test_a_rated_game_is_aborted_if_a_seat_fails_before_everybody_has_decided(decisions: int) -> None:
    made = table(LOSING, LOSING, rated=True)
    for _ in range(decisions):
        made.act()
    seat = made.game.to_decide
    made.session.fail("tls")
    assert ("finished" if decisions == 2 else "aborted") == made.game.status
    assert ("failed", "tls") == (made.game.seats[seat or 0].status, made.game.seats[seat or 0].failure)
    kinds = [event["kind"] for event in made.log[-2:]]
    assert (["call_failed", "abort"] if decisions < 2 else ["action", "call_failed"]) == kinds


def test_in_a_game_of_three_a_failed_seat_ranks_last_and_an_ai_plays_for_it() -> None:
    made = table(LOSING, ENDPOINT, None)
    made.session.fail("tls")
    assert ("playing", "random", 0) == (made.game.status, made.game.level_to_decide, made.game.due_at)
    while not made.game.is_over:
        made.act()
    ended = made.outcome
    assert ("completed", 3) == (ended["reason"], ended["seats"][0]["rank"])


@pytest.mark.parametrize(
    "command",
    [
        lambda session: session.join(0, "Zoe"),
        lambda session: session.hand_over(0, "Zoe"),
        lambda session: session.resign(0),
    ],
)
def test_a_failed_seat_cannot_be_claimed_handed_over_or_resigned(command: Callable[[GameSession], None]) -> None:
    made = table(LOSING, ENDPOINT, None)
    made.session.fail("tls")
    made.assert_refused("game/timed_out", command, made.session)


def test_a_person_can_claim_a_seat_that_an_ai_took_over() -> None:
    made = table(replace(ENDPOINT, attempts=1), None, clock=RULE)
    assert replaceable_at(made.game, 0, 600) is None
    made.wait_until(3).session.fail("late")
    assert "2026-01-01T00:00:03.000Z" == replaceable_at(made.game, 0, 600)
    made.session.join(0, "Zoe")
    seat = made.game.seats[0]
    assert ("player", "Zoe", None, "active") == (seat.kind, seat.name, seat.level, seat.status)
    assert view(made.game, LIFETIMES)["seats"][0]["endpoint"] is None
    assert 73 == made.deadline_s()


def test_an_endpoint_has_no_clock_and_a_pause_stops_it() -> None:
    made = table(ENDPOINT, None, clock=RULE)
    assert made.deadline_s() is None
    made.session.pause(1, 60)
    assert (None, BEGAN_MS + 60_000) == (made.game.endpoint_to_decide, made.game.due_at)
    made.wait_until(60).session.keep_time()
    assert ENDPOINT == made.game.endpoint_to_decide


def test_a_takeback_needs_no_consent_of_an_endpoint() -> None:
    made = table(None, ENDPOINT)
    made.act()
    made.take_back(0)
    assert ("takeback", 0) == (made.session.events[-1].kind, made.game.to_decide)


def test_views_events_and_records_do_not_contain_the_url() -> None:
    made = table(ENDPOINT, None)
    made.session.fail("late")
    actual = orjson.dumps([view(made.game, LIFETIMES), made.log, export_game(made.game, made.log)])
    assert [] == [secret for secret in (b"bot.example", b"hush", b"whsec") if secret in actual]


@pytest.mark.parametrize("endpoint", [ENDPOINT, LOSING, replace(ENDPOINT, attempts=1)])
def test_failures_replay_from_the_log_and_from_the_store(endpoint: Endpoint) -> None:
    made = table(endpoint, None, ENDPOINT)
    made.session.fail("illegal", "no_such_tiles")
    made.act()
    made.act()
    made.session.fail("late")
    assert made.game == fold_all(Game.new(made.game.meta), reread(made.session.events))
    assert made.game == reload(made.game)


def test_games_of_older_versions_have_no_endpoints() -> None:
    meta = new_table("player", "ai").game.meta
    stored = meta.to_json()
    del stored["endpoints"]
    assert meta == type(meta).from_json(orjson.loads(orjson.dumps(stored)))


def as_recorded(made: Table) -> tuple[Any, list[dict[str, Any]]]:
    """Return the beginning of the game as an import creates it, with AIs for endpoints, and its events."""
    seats = tuple(Seat("ai", seat.name, seat.level) if seat.kind == "http" else seat for seat in made.game.meta.seats)
    return replace(made.game.meta, seats=seats, endpoints=()), made.log


@pytest.mark.parametrize("endpoint", [ENDPOINT, LOSING, replace(ENDPOINT, attempts=1)])
def test_a_record_with_failures_is_replayed(endpoint: Endpoint) -> None:
    made = table(endpoint, None, ENDPOINT)
    made.session.fail("illegal", "no_such_tiles")
    if made.game.seats[0].status == "away":
        made.session.join(0, "Zoe")
    while not made.game.is_over:
        made.act()
    meta, events = as_recorded(made)
    replayed = replay_game(meta, events, SEED).game
    assert (made.game.position, outcome(made.game)) == (replayed.position, outcome(replayed))


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
def test_an_impossible_failure_is_refused_with_its_number(changes: dict[str, Any]) -> None:
    made = table(ENDPOINT, None)
    made.session.fail("late")
    meta, events = as_recorded(made)
    with pytest.raises(GameError) as error:
        replay_game(meta, [*events[:-1], {**events[-1], **changes}], SEED)
    assert ("record/illegal_event", len(events)) == (error.value.code, error.value.extra["event"])


def test_every_failure_has_a_retry_time() -> None:
    made = table(replace(ENDPOINT, attempts=len(FAILURES) + 1), None)
    for reason in FAILURES:
        made.session.fail(reason)
    assert list(FAILURES) == [event["reason"] for event in made.log if event["kind"] == "call_failed"]
    assert all(unix_ms(event["retry_at"]) > BEGAN_MS for event in made.log if event["kind"] == "call_failed")
