"""Clocks over HTTP: the view, late actions, timeouts, and abandoned seats."""

from __future__ import annotations

import pytest

from service.games.state.moments import unix_ms
from service.usecases.base.context import Context
from service.usecases.games import timeouts
from tests.web.client import Client, Json, body_of, invalid_fields, refusal_of
from tests.web.players import act
from tests.web.table import NewTable, Table, Wait
from tests.web.wrong_bodies import Faults, wrong_bodies

CLOCK = {"turn_s": 10, "bank_s": 20, "on_timeout": "ai", "level": "random"}
GAME: Json = {"ruleset": "azul", "variant": "coloured", "seats": [{"kind": "player"}, {"kind": "open"}]}


def seconds_left(context: Context, view: Json) -> float:
    """Return the seconds until the deadline, by the application's clock."""
    return (unix_ms(view["clock"]["deadline"]) - context.now_ms()) / 1000


@pytest.mark.usefixtures("wait_for")
def test_the_view_contains_the_rule_the_banks_and_the_deadline(new_game: NewTable, context: Context) -> None:
    view = new_game(clock=CLOCK).view()
    assert {**CLOCK, "banks": [20, 20], "seat": 0} == {
        name: value for name, value in view["clock"].items() if name != "deadline"
    }
    assert 30 == seconds_left(context, view)


@pytest.mark.parametrize("clock", [{"turn_s": 1}, {"bank_s": 1}])
def test_a_clock_can_have_only_turn_time_or_only_a_bank(new_game: NewTable, clock: Json) -> None:
    assert clock.items() <= new_game(clock=clock).view()["clock"].items()


def test_a_game_without_a_clock_has_a_null_clock_in_its_view(table: Table) -> None:
    assert table.view()["clock"] is None


def test_time_beyond_the_turn_is_taken_from_the_bank(new_game: NewTable, context: Context, wait_for: Wait) -> None:
    table = new_game(clock=CLOCK)
    wait_for(5)
    assert [20, 20] == body_of(table.act())["game"]["clock"]["banks"]
    wait_for(15)
    view = body_of(table.act())["game"]
    assert ([20, 15], 0) == (view["clock"]["banks"], view["clock"]["seat"])
    table.act()
    assert 25 == seconds_left(context, table.view())


def test_after_the_deadline_the_seat_cannot_decide_and_becomes_away(
    new_game: NewTable, context: Context, wait_for: Wait
) -> None:
    table = new_game(clock=CLOCK)
    wait_for(31)
    assert (409, "game/time_is_up") == refusal_of(table.act())
    assert timeouts.keep_time(context, table.id)
    view = table.view()
    assert ("away", None) == (view["seats"][0]["status"], view["clock"]["deadline"])
    assert ("playing", 0) == (view["status"], view["to_decide"])
    assert (409, "game/away") == refusal_of(table.act())
    (event,) = body_of(table.anyone.get(f"{table.path}/history?after={view['revision'] - 1}"))["events"]
    assert ("timeout", 0, "ai") == (event["kind"], event["seat"], event["then"])


@pytest.mark.parametrize("who", ["seat", "invite", "host"])
def test_an_away_seat_is_claimed_at_once_with_time_in_its_bank(
    new_game: NewTable, context: Context, wait_for: Wait, who: str
) -> None:
    table = new_game(clock=CLOCK)
    wait_for(31)
    timeouts.keep_time(context, table.id)
    assert table.view()["seats"][0]["replaceable_at"] is not None
    assert (403, "auth/invite_required") == refusal_of(table.anyone.post(f"{table.path}/seats", {"seat": 0}))
    client = table.seat(0) if who == "seat" else table.anyone.with_token(table.tokens[who])
    claim = body_of(client.post(f"{table.path}/seats", {"seat": 0}), 201)
    seat, clock = claim["game"]["seats"][0], claim["game"]["clock"]
    assert ("active", None, 0) == (seat["status"], seat["replaceable_at"], clock["seat"])
    assert clock["banks"][0] >= 30
    body = {"id": table.actions(1)[0]["id"], "revision": claim["game"]["revision"]}
    body_of(table.anyone.with_token(claim["token"]).post(f"{table.path}/actions", body), 201)


def test_a_timed_out_player_ranks_last_and_a_duel_ends(new_game: NewTable, context: Context, wait_for: Wait) -> None:
    table = new_game(clock={**CLOCK, "on_timeout": "lose"})
    wait_for(31)
    assert timeouts.keep_time(context, table.id)
    view = table.view()
    assert ("finished", "timeout") == (view["status"], view["outcome"]["reason"])
    assert "timed_out" == view["seats"][0]["status"]
    assert [(2, False), (1, True)] == [(seat["rank"], seat["won"]) for seat in view["outcome"]["seats"]]
    assert view["seed"] is not None


def test_an_ai_plays_for_a_timed_out_seat_of_three(new_game: NewTable, context: Context, wait_for: Wait) -> None:
    table = new_game(seats=[{"kind": "player"}] * 3, clock={**CLOCK, "on_timeout": "lose"})
    wait_for(31)
    assert timeouts.keep_time(context, table.id)
    view = table.view()
    assert ("playing", "timed_out", 0) == (view["status"], view["seats"][0]["status"], view["to_decide"])
    for path in ("actions", "resignation", "takebacks"):
        body: Json | None = {"id": "0", "revision": view["revision"]} if path == "actions" else None
        assert (409, "game/timed_out") == refusal_of(table.seat(0).post(f"{table.path}/{path}", body))
    assert (409, "game/timed_out") == refusal_of(table.seat(0).post(f"{table.path}/seats", {"seat": 0}))


def test_a_pause_stops_the_clock_and_keeps_the_used_time(new_game: NewTable, context: Context, wait_for: Wait) -> None:
    table = new_game(clock=CLOCK)
    wait_for(15)
    for seat in (0, 1):
        paused = body_of(table.seat(seat).post(f"{table.path}/pauses"), 201)["game"]
    assert paused["clock"]["deadline"] is None
    wait_for(1000)
    for seat in (0, 1):
        resumed = body_of(table.seat(seat).post(f"{table.path}/resumption"), 201)["game"]
    assert 15 == seconds_left(context, resumed)
    wait_for(14)
    assert 1 == body_of(table.act())["game"]["clock"]["banks"][0]


def test_no_clock_runs_while_an_ai_decides(new_game: NewTable) -> None:
    table = new_game(seats=[{"kind": "player"}, {"kind": "ai", "level": "random"}], clock=CLOCK)
    view = body_of(table.act())["game"]
    assert (1, None, None) == (view["to_decide"], view["clock"]["seat"], view["clock"]["deadline"])


def test_an_abandoned_seat_is_claimed_with_the_invitation(table: Table, context: Context, wait_for: Wait) -> None:
    replaceable_at = table.view()["seats"][0]["replaceable_at"]
    assert [str, type(None)] == [type(seat["replaceable_at"]) for seat in table.view()["seats"]]
    invited, path = table.anyone.with_token(table.tokens["invite"]), f"{table.path}/seats"
    assert (409, "game/full") == refusal_of(invited.post(path, {"seat": 0}))
    wait_for(context.settings.gone_s - 5)
    assert (409, "game/full") == refusal_of(invited.post(path, {"seat": 0}))
    wait_for(6)
    assert replaceable_at == table.view()["seats"][0]["replaceable_at"]
    assert (403, "auth/invite_required") == refusal_of(table.anyone.post(path, {"seat": 0}))
    assert (409, "game/full") == refusal_of(invited.post(path, {"seat": 1}))
    claim = body_of(invited.post(path, {"seat": 0, "name": "Cleo"}), 201)
    assert "Cleo" == claim["game"]["seats"][0]["name"]
    assert 401 == table.seat(0).post(f"{table.path}/resignation").status_code
    act(table, table.anyone.with_token(claim["token"]))


def test_the_token_of_another_seat_does_not_replace_the_invitation(
    table: Table, context: Context, wait_for: Wait
) -> None:
    wait_for(context.settings.gone_s + 1)
    assert (403, "auth/invite_required") == refusal_of(table.seat(1).post(f"{table.path}/seats", {"seat": 0}))


INVALID_CLOCKS: Faults = {
    "/clock": [{}, {"turn_s": 0, "bank_s": 0}, [], "10+5", 10],
    "/clock/turn_s": [-1, 2_592_001, 1.5, "10", None],
    "/clock/bank_s": [-1, 10**30],
    "/clock/on_timeout": ["draw", None],
    "/clock/level": ["x"],
    "/clock/increment_s": [1],
}


def test_an_invalid_clock_is_refused(anyone: Client) -> None:
    for pointer, body in wrong_bodies({**GAME, "clock": {"turn_s": 10}}, INVALID_CLOCKS):
        assert [pointer] == invalid_fields(anyone.post("/v1/games", body)), body


@pytest.mark.usefixtures("wait_for")
def test_a_turn_can_last_thirty_days(anyone: Client, context: Context) -> None:
    month = {"turn_s": 2_592_000, "bank_s": 2_592_000, "on_timeout": "lose"}
    made = body_of(anyone.post("/v1/games", {**GAME, "seats": [{"kind": "player"}] * 2, "clock": month}), 201)
    assert 5_184_000 == seconds_left(context, made["game"])
