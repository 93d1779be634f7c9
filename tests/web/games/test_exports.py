"""Games written out as records and read in again."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from service.rulesets.ruleset import Ruleset
from tests.rulesets.golden import games
from tests.sampling import one_in
from tests.web.client import Client, Json, answered, invalid, refused
from tests.web.recorded import AT, exported, imported, of_golden, plain
from tests.web.table import Table


def refused_at(anyone: Client, record: Json) -> int:
    """The number of the event for which a record is refused."""
    answer = anyone.post("/v1/games/import", record)
    assert (422, "record/illegal_event") == refused(answer), answer.json
    return int(answer.json["event"])  # type: ignore[index]


def test_a_key_of_a_create_may_be_used_for_an_import_too(anyone: Client) -> None:
    key = "0b6f6c1e-3b0a-4a9c-9d5e-2f0f5a7d1c11"
    body = {"ruleset": "azul", "variant": "grey", "seats": [{"kind": "player"}] * 2}
    made = answered(anyone.post("/v1/games", body, Idempotency_Key=key), 201)
    table = Table(made["game"]["id"], made["tokens"], anyone)
    assert 201 == anyone.post("/v1/games/import", exported(table), Idempotency_Key=key).status_code


@pytest.mark.parametrize(("name", "ruleset", "variant", "seats"), one_in(6, games()), ids=lambda given: str(given)[:24])
def test_every_golden_playthrough_round_trips(
    anyone: Client, name: str, ruleset: Ruleset, variant: str, seats: int
) -> None:
    record, golden = of_golden(name, ruleset, variant, seats)
    table = imported(anyone, record)
    actual, again = table.view(), exported(table)
    outcome = [{name: seat[name] for name in ("score", "rank", "breakdown")} for seat in actual["outcome"]["seats"]]
    assert (golden["view"], golden["outcome"]) == (actual["position"], outcome)
    assert ("finished", False) == (actual["status"], actual["fair"])
    assert [step["effects"] for step in golden["steps"]] == [event["effects"] for event in again["events"][2:-1]]
    assert plain(record["events"]) == plain(again["events"][:-1])
    assert {"kind": "imported", "source": "golden"}.items() <= again["events"][-1].items()
    twice = exported(imported(anyone, again))
    assert plain(again["events"]) == plain(twice["events"][:-1])


@pytest.fixture
def finished(new_game: Callable[..., Table]) -> Json:
    """The record of a game that ended by a resignation after some decisions; its draws come from its seed."""
    table = new_game(first_seat=None)
    for _ in range(25):
        table.act()
    table.seat(1).post(f"{table.path}/resignation")
    return exported(table)


def test_a_record_tells_the_seed_once_the_game_is_over_and_its_draws_come_from_it(
    table: Table, finished: Json, anyone: Client
) -> None:
    assert exported(table)["seed"] is None
    assert finished["seed"] is not None
    again = exported(imported(anyone, finished))
    assert all(finished[name] == again[name] for name in ("seed", "seed_commitment", "outcome"))


def test_a_record_that_was_tampered_with_is_refused_at_the_first_bad_event(anyone: Client, finished: Json) -> None:
    def spoilt(number: int, **changes: Any) -> Json:
        record = deepcopy(finished)
        record["events"][number - 1].update(changes)
        return record

    events = finished["events"]
    action = next(event for event in events if event["kind"] == "action")
    deal = next(event for event in events if event["kind"] == "draw" and event["draw"]["type"] == "azul.deal")
    other = next(event for event in reversed(events) if event["kind"] == "draw")
    last = events[-1]["revision"]
    number = action["revision"]
    assert number == refused_at(anyone, spoilt(number, seat=1 - action["seat"]))
    assert number == refused_at(anyone, spoilt(number, action={**action["action"], "colour": "pink"}))
    assert number == refused_at(anyone, spoilt(number, action={**action["action"], "source": "factory_8"}))
    assert number == refused_at(anyone, spoilt(number, revision=number + 1))
    assert number == refused_at(anyone, spoilt(number, at="2020-01-01T00:00:00.000Z"))
    assert number == refused_at(anyone, spoilt(number, kind="sneeze"))
    tiles = list(reversed(deal["draw"]["tiles"]))
    assert deal["revision"] == refused_at(anyone, spoilt(deal["revision"], draw={**deal["draw"], "tiles": tiles}))
    assert number == refused_at(anyone, {**finished, "events": [*events[: number - 1], *events[number:]]})
    assert last + 1 == refused_at(anyone, {**finished, "events": [*events, {**other, "revision": last + 1, "at": AT}]})


def test_a_seed_that_is_not_the_promised_one_is_refused(anyone: Client, finished: Json) -> None:
    assert ["/seed"] == invalid(anyone.post("/v1/games/import", {**finished, "seed": "11" * 32}))


def test_an_unfinished_game_goes_on_where_it_was(table: Table, anyone: Client) -> None:
    for _ in range(4):
        table.act()
    copy = imported(anyone, exported(table))
    before, actual = table.view(), copy.view()
    assert (before["position"], before["to_decide"]) == (actual["position"], actual["to_decide"])
    assert before["seed_commitment"] != actual["seed_commitment"]
    assert 201 == copy.act().status_code
    assert 401 == table.seat(0).post(f"{copy.path}/resignation").status_code


def test_an_unfinished_game_whose_seed_is_known_goes_on_with_another_that_nobody_knows(
    anyone: Client, finished: Json
) -> None:
    """Else whoever has the record foretells what is still to be drawn."""
    actual = imported(anyone, {**finished, "events": finished["events"][:-1]}).view()
    assert ("playing", None) == (actual["status"], actual["seed"])
    assert actual["seed_commitment"] != finished["seed_commitment"]


def test_a_game_that_had_two_seeds_can_be_imported_again_and_again(table: Table, anyone: Client) -> None:
    """That of the record it began with, which nobody was told, and its own from then on."""
    for _ in range(4):
        table.act()
    copy = imported(anyone, exported(table))
    while "draw" not in [event["kind"] for event in answered(copy.act())["events"]]:
        pass
    copy.seat(0).post(f"{copy.path}/resignation")
    record = exported(copy)
    again = exported(imported(anyone, record))
    assert record["seed_from"] == again["seed_from"] == exported(imported(anyone, again))["seed_from"] > 0


def test_what_people_did_beside_playing_is_in_the_record(new_game: Callable[..., Table], anyone: Client) -> None:
    table = new_game(clock={"turn_s": 60, "bank_s": 60})
    table.act()
    for offer in ("takebacks", "pauses", "resumption"):
        made = answered(table.seat(0).post(f"{table.path}/{offer}"), 201)
        answer = f"{table.path}/offers/{made['game']['offers'][0]['id']}/answer"
        assert 201 == table.seat(1).post(answer, {"accept": True}).status_code
    table.act()
    assert 201 == table.seat(1).post(f"{table.path}/seats/1/handover", {"name": "Eve"}).status_code
    record = exported(table)
    copy = imported(anyone, record)
    assert plain(record["events"]) == plain(exported(copy)["events"][:-1])
    actual = copy.view()
    assert table.view()["position"] == actual["position"]
    assert (["Ana", "Eve"], 60) == ([seat["name"] for seat in actual["seats"]], actual["clock"]["turn_s"])


def test_a_game_from_a_posted_position_keeps_it_in_its_record(new_game: Callable[..., Table], anyone: Client) -> None:
    start = new_game(ruleset="summer-pavilion", variant="grey").view()["position"]
    table = new_game(ruleset="summer-pavilion", variant="grey", position=start, first_seat=None)
    table.act()
    copy = imported(anyone, exported(table))
    assert (True, table.view()["position"]) == (copy.view()["from_position"], copy.view()["position"])


def test_moments_of_a_record_are_kept_as_we_tell_them(anyone: Client, finished: Json) -> None:
    """The client holds what is exported against the document."""
    events = [{**event, "at": event["at"].replace(".000Z", "Z")} for event in finished["events"]]
    actual = {**finished, "created_at": "2026-01-01T01:00:00+01:00", "events": events}
    copy = exported(imported(anyone, actual))
    assert AT == copy["created_at"]
    assert [event["at"] for event in finished["events"]] == [event["at"] for event in copy["events"][:-1]]
    for wrong in ("20260101T000000", "2026-01-01", "0001-01-01T00:00:00+01:00", "9999-12-31T23:59:59-01:00"):
        assert ["/created_at"] == invalid(anyone.post("/v1/games/import", {**actual, "created_at": wrong}))
        assert 1 == refused_at(anyone, {**actual, "events": [{**events[0], "at": wrong}, *events[1:]]})


def test_a_record_of_the_future_is_refused(anyone: Client, finished: Json) -> None:
    """A day is allowed for, since clocks differ; a pause that would keep a game for ever is none."""
    last = len(finished["events"])
    to_come = {**finished["events"][-1], "at": "2999-01-01T00:00:00.000Z"}
    assert last == refused_at(anyone, {**finished, "events": [*finished["events"][:-1], to_come]})
    pause = {**finished["events"][-1], "kind": "pause", "until": "9999-12-31T23:59:59.999Z"}
    assert last == refused_at(anyone, {**finished, "events": [*finished["events"][:-1], pause]})


def test_a_record_larger_than_any_game_is_refused(anyone: Client, finished: Json) -> None:
    padded = {**finished, "events": [{**event, "text": "x" * 50_000} for event in finished["events"] * 4]}
    assert (413, "request/too_large") == refused(anyone.post("/v1/games/import", padded))
    assert ["/events"] == invalid(anyone.post("/v1/games/import", {**finished, "events": [{}] * 10_001}))


@pytest.mark.parametrize(
    ("kind", "member", "moment"),
    [
        ("pause", "until", "2100-01-01T00:00:00.000Z"),
        ("pause", "until", "9999-12-31T23:59:59.999999-12:00"),
        ("start", "at", "9999-12-31T23:59:59.000Z"),
        ("start", "at", "1066-10-14T09:00:00.000Z"),
    ],
)
def test_a_moment_too_far_away_cannot_be(new_game: Callable[..., Table], kind: str, member: str, moment: str) -> None:
    """No pause lasts for ever, and nothing that follows from a moment leaves the calendar."""
    table = new_game(seats=[{"kind": "player"}, {"kind": "ai", "level": "random"}])
    table.seat(0).post(f"{table.path}/pauses", {"seconds": 60})
    record = exported(table)
    number = next(number for number, event in enumerate(record["events"]) if event["kind"] == kind)
    for event in record["events"][number:]:
        event[member] = moment
    assert (422, "record/illegal_event") == refused(table.anyone.post("/v1/games/import", record))
