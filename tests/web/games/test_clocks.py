"""Clocks as a client sees them: what the view tells, when acting is too late, what a time-out brings; who is gone."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from service.games.state.moments import unix_ms
from service.usecases.base.context import Context
from service.usecases.games import timeouts
from tests.web.client import Client, Json, answered, invalid, refused
from tests.web.players import act
from tests.web.table import Table
from tests.web.wrong_bodies import Faults, wrong_bodies

CLOCK = {"turn_s": 10, "bank_s": 20, "on_timeout": "ai", "level": "random"}
GAME: Json = {"ruleset": "azul", "variant": "coloured", "seats": [{"kind": "player"}, {"kind": "open"}]}
Wait = Callable[[float], None]


def seconds_left(context: Context, view: Json) -> float:
    """Until the deadline, by the application's clock."""
    return (unix_ms(view["clock"]["deadline"]) - context.now_ms()) / 1000


@pytest.mark.usefixtures("wait_for")
def test_the_view_tells_the_rule_the_banks_and_the_deadline(new_game: Callable[..., Table], context: Context) -> None:
    view = new_game(clock=CLOCK).view()
    assert {**CLOCK, "banks": [20, 20], "seat": 0} == {
        name: value for name, value in view["clock"].items() if name != "deadline"
    }
    assert 30 == seconds_left(context, view)


@pytest.mark.parametrize("clock", [{"turn_s": 1}, {"bank_s": 1}])
def test_a_clock_may_give_all_its_time_by_turn_or_in_the_bank(new_game: Callable[..., Table], clock: Json) -> None:
    assert clock.items() <= new_game(clock=clock).view()["clock"].items()


def test_without_a_clock_time_does_not_count(table: Table) -> None:
    assert table.view()["clock"] is None


def test_what_a_turn_takes_beyond_its_time_is_taken_from_the_bank(
    new_game: Callable[..., Table], context: Context, wait_for: Wait
) -> None:
    table = new_game(clock=CLOCK)
    wait_for(5)
    assert [20, 20] == answered(table.act())["game"]["clock"]["banks"]
    wait_for(15)
    view = answered(table.act())["game"]
    assert ([20, 15], 0) == (view["clock"]["banks"], view["clock"]["seat"])
    table.act()
    assert 25 == seconds_left(context, table.view())


def test_after_the_deadline_nobody_decides_and_then_the_seat_is_away(
    new_game: Callable[..., Table], context: Context, wait_for: Wait
) -> None:
    table = new_game(clock=CLOCK)
    wait_for(31)
    assert (409, "game/time_is_up") == refused(table.act())
    assert timeouts.keep_time(context, table.id)
    view = table.view()
    assert ("away", None) == (view["seats"][0]["status"], view["clock"]["deadline"])
    assert ("playing", 0) == (view["status"], view["to_decide"])
    assert (409, "game/away") == refused(table.act())
    (event,) = answered(table.anyone.get(f"{table.path}/history?after={view['revision'] - 1}"))["events"]
    assert ("timeout", 0, "ai") == (event["kind"], event["seat"], event["then"])


@pytest.mark.parametrize("who", ["seat", "invite", "host"])
def test_the_seat_that_is_away_is_claimed_at_once_and_finds_time(
    new_game: Callable[..., Table], context: Context, wait_for: Wait, who: str
) -> None:
    table = new_game(clock=CLOCK)
    wait_for(31)
    timeouts.keep_time(context, table.id)
    assert table.view()["seats"][0]["replaceable_at"] is not None
    assert (403, "auth/invite_required") == refused(table.anyone.post(f"{table.path}/seats", {"seat": 0}))
    client = table.seat(0) if who == "seat" else table.anyone.with_token(table.tokens[who])
    given = answered(client.post(f"{table.path}/seats", {"seat": 0}), 201)
    seat, clock = given["game"]["seats"][0], given["game"]["clock"]
    assert ("active", None, 0) == (seat["status"], seat["replaceable_at"], clock["seat"])
    assert clock["banks"][0] >= 30
    body = {"id": table.actions(1)[0]["id"], "revision": given["game"]["revision"]}
    answered(table.anyone.with_token(given["token"]).post(f"{table.path}/actions", body), 201)


def test_who_loses_by_time_ranks_last_and_the_game_ends_with_one_seat_left(
    new_game: Callable[..., Table], context: Context, wait_for: Wait
) -> None:
    table = new_game(clock={**CLOCK, "on_timeout": "lose"})
    wait_for(31)
    assert timeouts.keep_time(context, table.id)
    view = table.view()
    assert ("finished", "timeout") == (view["status"], view["outcome"]["reason"])
    assert "timed_out" == view["seats"][0]["status"]
    assert [(2, False), (1, True)] == [(seat["rank"], seat["won"]) for seat in view["outcome"]["seats"]]
    assert view["seed"] is not None


def test_of_three_seats_one_that_loses_is_played_on_by_an_ai(
    new_game: Callable[..., Table], context: Context, wait_for: Wait
) -> None:
    table = new_game(seats=[{"kind": "player"}] * 3, clock={**CLOCK, "on_timeout": "lose"})
    wait_for(31)
    assert timeouts.keep_time(context, table.id)
    view = table.view()
    assert ("playing", "timed_out", 0) == (view["status"], view["seats"][0]["status"], view["to_decide"])
    for path in ("actions", "resignation", "takebacks"):
        body: Json | None = {"id": "0", "revision": view["revision"]} if path == "actions" else None
        assert (409, "game/timed_out") == refused(table.seat(0).post(f"{table.path}/{path}", body))
    assert (409, "game/timed_out") == refused(table.seat(0).post(f"{table.path}/seats", {"seat": 0}))


def test_a_pause_stops_the_clock_and_keeps_what_was_taken(
    new_game: Callable[..., Table], context: Context, wait_for: Wait
) -> None:
    table = new_game(clock=CLOCK)
    wait_for(15)
    for seat in (0, 1):
        paused = answered(table.seat(seat).post(f"{table.path}/pauses"), 201)["game"]
    assert paused["clock"]["deadline"] is None
    wait_for(1000)
    for seat in (0, 1):
        on = answered(table.seat(seat).post(f"{table.path}/resumption"), 201)["game"]
    assert 15 == seconds_left(context, on)
    wait_for(14)
    assert 1 == answered(table.act())["game"]["clock"]["banks"][0]


def test_an_ai_has_no_clock(new_game: Callable[..., Table]) -> None:
    table = new_game(seats=[{"kind": "player"}, {"kind": "ai", "level": "random"}], clock=CLOCK)
    view = answered(table.act())["game"]
    assert (1, None, None) == (view["to_decide"], view["clock"]["seat"], view["clock"]["deadline"])


def test_the_seat_of_who_is_gone_is_claimed_with_the_invitation(
    table: Table, context: Context, wait_for: Callable[[float], None]
) -> None:
    gone_at = table.view()["seats"][0]["replaceable_at"]
    assert [str, type(None)] == [type(seat["replaceable_at"]) for seat in table.view()["seats"]]
    invited, path = table.anyone.with_token(table.tokens["invite"]), f"{table.path}/seats"
    assert (409, "game/full") == refused(invited.post(path, {"seat": 0}))
    wait_for(context.settings.gone_s - 5)
    assert (409, "game/full") == refused(invited.post(path, {"seat": 0}))
    wait_for(6)
    assert gone_at == table.view()["seats"][0]["replaceable_at"]
    assert (403, "auth/invite_required") == refused(table.anyone.post(path, {"seat": 0}))
    assert (409, "game/full") == refused(invited.post(path, {"seat": 1}))
    given = answered(invited.post(path, {"seat": 0, "name": "Cleo"}), 201)
    assert "Cleo" == given["game"]["seats"][0]["name"]
    assert 401 == table.seat(0).post(f"{table.path}/resignation").status_code
    act(table, table.anyone.with_token(given["token"]))


def test_another_seats_token_is_no_invitation(
    table: Table, context: Context, wait_for: Callable[[float], None]
) -> None:
    wait_for(context.settings.gone_s + 1)
    assert (403, "auth/invite_required") == refused(table.seat(1).post(f"{table.path}/seats", {"seat": 0}))


NO_CLOCKS: Faults = {
    "/clock": [{}, {"turn_s": 0, "bank_s": 0}, [], "10+5", 10],
    "/clock/turn_s": [-1, 2_592_001, 1.5, "10", None],
    "/clock/bank_s": [-1, 10**30],
    "/clock/on_timeout": ["draw", None],
    "/clock/level": ["x"],
    "/clock/increment_s": [1],
}


def test_a_clock_that_cannot_be_is_refused(anyone: Client) -> None:
    for pointer, body in wrong_bodies({**GAME, "clock": {"turn_s": 10}}, NO_CLOCKS):
        assert [pointer] == invalid(anyone.post("/v1/games", body)), body


@pytest.mark.usefixtures("wait_for")
def test_a_turn_may_have_thirty_days(anyone: Client, context: Context) -> None:
    month = {"turn_s": 2_592_000, "bank_s": 2_592_000, "on_timeout": "lose"}
    made = answered(anyone.post("/v1/games", {**GAME, "seats": [{"kind": "player"}] * 2, "clock": month}), 201)
    assert 5_184_000 == seconds_left(context, made["game"])
