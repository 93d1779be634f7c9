"""Games exported as records and imported again."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from service.rulesets.ruleset import Ruleset
from tests.rulesets.golden import games
from tests.sampling import one_in
from tests.web.client import Client, Json, body_of, invalid_fields, refusal_of
from tests.web.game_records import AT, export_table, golden_record, import_record, plain_events
from tests.web.table import NewTable, Table


def refused_event(anyone: Client, record: Json) -> int:
    """Return the number of the event for which a record is refused."""
    answer = anyone.post("/v1/games/import", record)
    assert (422, "record/illegal_event") == refusal_of(answer), answer.json
    return int(answer.json["event"])  # type: ignore[index]


def test_creates_and_imports_have_separate_idempotency_keys(anyone: Client) -> None:
    key = "0b6f6c1e-3b0a-4a9c-9d5e-2f0f5a7d1c11"
    body = {"ruleset": "azul", "variant": "grey", "seats": [{"kind": "player"}] * 2}
    made = body_of(anyone.post("/v1/games", body, Idempotency_Key=key), 201)
    table = Table(made["game"]["id"], made["tokens"], anyone)
    assert 201 == anyone.post("/v1/games/import", export_table(table), Idempotency_Key=key).status_code


@pytest.mark.parametrize(("name", "ruleset", "variant", "seats"), one_in(6, games()), ids=lambda given: str(given)[:24])
def test_golden_playthroughs_round_trip(anyone: Client, name: str, ruleset: Ruleset, variant: str, seats: int) -> None:
    record, golden = golden_record(name, ruleset, variant, seats)
    table = import_record(anyone, record)
    actual, again = table.view(), export_table(table)
    outcome = [{name: seat[name] for name in ("score", "rank", "breakdown")} for seat in actual["outcome"]["seats"]]
    assert (golden["view"], golden["outcome"]) == (actual["position"], outcome)
    assert ("finished", False) == (actual["status"], actual["fair"])
    assert [step["effects"] for step in golden["steps"]] == [event["effects"] for event in again["events"][2:-1]]
    assert plain_events(record["events"]) == plain_events(again["events"][:-1])
    assert {"kind": "imported", "source": "golden"}.items() <= again["events"][-1].items()
    second_export = export_table(import_record(anyone, again))
    assert plain_events(again["events"]) == plain_events(second_export["events"][:-1])


@pytest.fixture
def finished_record(new_game: NewTable) -> Json:
    """Return the record of a resigned game whose draws come from its seed."""
    table = new_game(first_seat=None)
    for _ in range(25):
        table.act()
    table.seat(1).post(f"{table.path}/resignation")
    return export_table(table)


def test_the_record_of_a_finished_game_contains_the_seed_of_its_draws(
    table: Table, finished_record: Json, anyone: Client
) -> None:
    assert export_table(table)["seed"] is None
    assert finished_record["seed"] is not None
    again = export_table(import_record(anyone, finished_record))
    assert all(finished_record[name] == again[name] for name in ("seed", "seed_commitment", "outcome"))


def test_a_forged_record_is_refused_at_the_first_wrong_event(anyone: Client, finished_record: Json) -> None:
    def changed_record(number: int, **changes: Any) -> Json:
        record = deepcopy(finished_record)
        record["events"][number - 1].update(changes)
        return record

    events = finished_record["events"]
    action = next(event for event in events if event["kind"] == "action")
    deal = next(event for event in events if event["kind"] == "draw" and event["draw"]["type"] == "azul.deal")
    other = next(event for event in reversed(events) if event["kind"] == "draw")
    last = events[-1]["revision"]
    number = action["revision"]
    assert number == refused_event(anyone, changed_record(number, seat=1 - action["seat"]))
    assert number == refused_event(anyone, changed_record(number, action={**action["action"], "colour": "pink"}))
    assert number == refused_event(anyone, changed_record(number, action={**action["action"], "source": "factory_8"}))
    assert number == refused_event(anyone, changed_record(number, revision=number + 1))
    assert number == refused_event(anyone, changed_record(number, at="2020-01-01T00:00:00.000Z"))
    assert number == refused_event(anyone, changed_record(number, kind="sneeze"))
    tiles = list(reversed(deal["draw"]["tiles"]))
    assert deal["revision"] == refused_event(
        anyone, changed_record(deal["revision"], draw={**deal["draw"], "tiles": tiles})
    )
    assert number == refused_event(anyone, {**finished_record, "events": [*events[: number - 1], *events[number:]]})
    assert last + 1 == refused_event(
        anyone, {**finished_record, "events": [*events, {**other, "revision": last + 1, "at": AT}]}
    )


def test_a_seed_that_contradicts_the_commitment_is_refused(anyone: Client, finished_record: Json) -> None:
    assert ["/seed"] == invalid_fields(anyone.post("/v1/games/import", {**finished_record, "seed": "11" * 32}))


def test_an_imported_unfinished_game_continues(table: Table, anyone: Client) -> None:
    for _ in range(4):
        table.act()
    copy = import_record(anyone, export_table(table))
    before, actual = table.view(), copy.view()
    assert (before["position"], before["to_decide"]) == (actual["position"], actual["to_decide"])
    assert before["seed_commitment"] != actual["seed_commitment"]
    assert 201 == copy.act().status_code
    assert 401 == table.seat(0).post(f"{copy.path}/resignation").status_code


def test_an_imported_unfinished_game_with_a_known_seed_gets_a_new_secret_seed(
    anyone: Client, finished_record: Json
) -> None:
    """Otherwise anyone with the record could predict the draws."""
    actual = import_record(anyone, {**finished_record, "events": finished_record["events"][:-1]}).view()
    assert ("playing", None) == (actual["status"], actual["seed"])
    assert actual["seed_commitment"] != finished_record["seed_commitment"]


def test_a_game_with_two_seeds_can_be_imported_repeatedly(table: Table, anyone: Client) -> None:
    """The seed of its record stays secret, and it has its own seed afterwards."""
    for _ in range(4):
        table.act()
    copy = import_record(anyone, export_table(table))
    while "draw" not in [event["kind"] for event in body_of(copy.act())["events"]]:
        pass
    copy.seat(0).post(f"{copy.path}/resignation")
    record = export_table(copy)
    again = export_table(import_record(anyone, record))
    assert record["seed_from"] == again["seed_from"] == export_table(import_record(anyone, again))["seed_from"] > 0


def test_a_record_contains_offers_and_handovers(new_game: NewTable, anyone: Client) -> None:
    table = new_game(clock={"turn_s": 60, "bank_s": 60})
    table.act()
    for offer in ("takebacks", "pauses", "resumption"):
        made = body_of(table.seat(0).post(f"{table.path}/{offer}"), 201)
        answer = f"{table.path}/offers/{made['game']['offers'][0]['id']}/answer"
        assert 201 == table.seat(1).post(answer, {"accept": True}).status_code
    table.act()
    assert 201 == table.seat(1).post(f"{table.path}/seats/1/handover", {"name": "Eve"}).status_code
    record = export_table(table)
    copy = import_record(anyone, record)
    assert plain_events(record["events"]) == plain_events(export_table(copy)["events"][:-1])
    actual = copy.view()
    assert table.view()["position"] == actual["position"]
    assert (["Ana", "Eve"], 60) == ([seat["name"] for seat in actual["seats"]], actual["clock"]["turn_s"])


def test_a_game_from_a_posted_position_keeps_it_in_its_record(new_game: NewTable, anyone: Client) -> None:
    start = new_game(ruleset="summer-pavilion", variant="grey").view()["position"]
    table = new_game(ruleset="summer-pavilion", variant="grey", position=start, first_seat=None)
    table.act()
    copy = import_record(anyone, export_table(table))
    assert (True, table.view()["position"]) == (copy.view()["from_position"], copy.view()["position"])


def test_moments_of_a_record_are_normalised(anyone: Client, finished_record: Json) -> None:
    """The client compares the export with the document."""
    events = [{**event, "at": event["at"].replace(".000Z", "Z")} for event in finished_record["events"]]
    actual = {**finished_record, "created_at": "2026-01-01T01:00:00+01:00", "events": events}
    copy = export_table(import_record(anyone, actual))
    assert AT == copy["created_at"]
    assert [event["at"] for event in finished_record["events"]] == [event["at"] for event in copy["events"][:-1]]
    for wrong in ("20260101T000000", "2026-01-01", "0001-01-01T00:00:00+01:00", "9999-12-31T23:59:59-01:00"):
        assert ["/created_at"] == invalid_fields(anyone.post("/v1/games/import", {**actual, "created_at": wrong}))
        assert 1 == refused_event(anyone, {**actual, "events": [{**events[0], "at": wrong}, *events[1:]]})


def test_a_record_with_events_in_the_future_is_refused(anyone: Client, finished_record: Json) -> None:
    """A day is allowed because clocks differ. A pause without end is refused."""
    last = len(finished_record["events"])
    to_come = {**finished_record["events"][-1], "at": "2999-01-01T00:00:00.000Z"}
    assert last == refused_event(anyone, {**finished_record, "events": [*finished_record["events"][:-1], to_come]})
    pause = {**finished_record["events"][-1], "kind": "pause", "until": "9999-12-31T23:59:59.999Z"}
    assert last == refused_event(anyone, {**finished_record, "events": [*finished_record["events"][:-1], pause]})


def test_a_record_larger_than_any_game_is_refused(anyone: Client, finished_record: Json) -> None:
    padded = {**finished_record, "events": [{**event, "text": "x" * 50_000} for event in finished_record["events"] * 4]}
    assert (413, "request/too_large") == refusal_of(anyone.post("/v1/games/import", padded))
    assert ["/events"] == invalid_fields(anyone.post("/v1/games/import", {**finished_record, "events": [{}] * 10_001}))


@pytest.mark.parametrize(
    ("kind", "member", "moment"),
    [
        ("pause", "until", "2100-01-01T00:00:00.000Z"),
        ("pause", "until", "9999-12-31T23:59:59.999999-12:00"),
        ("start", "at", "9999-12-31T23:59:59.000Z"),
        ("start", "at", "1066-10-14T09:00:00.000Z"),
    ],
)
def test_an_event_in_distant_past_or_future_is_refused(new_game: NewTable, kind: str, member: str, moment: str) -> None:
    """No pause lasts forever, and no derived moment leaves the calendar."""
    table = new_game(seats=[{"kind": "player"}, {"kind": "ai", "level": "random"}])
    table.seat(0).post(f"{table.path}/pauses", {"seconds": 60})
    record = export_table(table)
    number = next(number for number, event in enumerate(record["events"]) if event["kind"] == kind)
    for event in record["events"][number:]:
        event[member] = moment
    assert (422, "record/illegal_event") == refusal_of(table.anyone.post("/v1/games/import", record))
