"""An alias is a legal action that is not listed. Events contain it in the form of the request."""

from __future__ import annotations

import pytest

from service.rulesets.queens_garden import QUEENS_GARDEN
from tests.rulesets.queens_garden.build import state, view
from tests.rulesets.queens_garden.playing import acquire
from tests.web.client import Client, Json
from tests.web.game_records import export_table, import_record, plain_events
from tests.web.table import SEED, NewTable, Table

BEGIN = state(top="b1 b1 y4 k4")  # one blue hexagon, one tree: the same
BY_COLOUR, BY_PATTERN = acquire("b", "t:b1"), acquire("1", "t:b1")
NAMES = [{"action": BY_PATTERN}, {"id": str(QUEENS_GARDEN.wire.encode(BY_PATTERN))}]


@pytest.fixture
def table(new_game: NewTable) -> Table:
    """Create a game with one hexagon in each group that matches two ways."""
    return new_game(ruleset="queens-garden", position=view(BEGIN), first_seat=None, seed=SEED)


def listed_actions(table: Table, filters: str) -> list[Json]:
    """Return the listed acquisitions that pass the filters."""
    results: Json = table.anyone.get(f"{table.path}/actions?type=queens-garden.acquire{filters}").json or {}
    assert results["total"] == len(results["actions"])
    return [entry["action"] for entry in results["actions"]]


def play_action(table: Table, body: Json, query: str = "") -> Json:
    """Play an action of the first seat and return the response."""
    revision = table.view()["revision"]
    answer = table.seat(0).post(f"{table.path}/actions{query}", {**body, "revision": revision})
    assert answer.status_code in (200, 201), answer.data
    return answer.json or {}


def test_only_one_of_two_equivalent_actions_is_listed(table: Table) -> None:
    assert [BY_COLOUR, acquire("y", "t:y4"), acquire("k", "t:k4"), acquire("4", "t:y4 t:k4")] == listed_actions(
        table, ""
    )


@pytest.mark.parametrize("filters", ["&by=colour", "&value=blue", "&by=colour&value=blue"])
def test_filters_by_colour_find_the_listed_action(table: Table, filters: str) -> None:
    assert BY_COLOUR in listed_actions(table, filters)


@pytest.mark.parametrize("filters", ["&by=pattern", "&value=tree", "&by=pattern&value=tree"])
def test_filters_by_pattern_find_the_alias(table: Table, filters: str) -> None:
    assert BY_PATTERN in listed_actions(table, filters)
    assert BY_COLOUR not in listed_actions(table, filters)


def test_the_choices_contain_the_alias_of_a_colour(table: Table) -> None:
    choices: Json = table.anyone.get(f"{table.path}/choices").json or {}
    actual = [(each["value"], each["alias"]) for each in choices["choices"]["acquire"]]
    assert [("blue", "tree"), ("yellow", None), ("dark_purple", None), ("flower", None)] == actual


@pytest.mark.parametrize("body", NAMES, ids=["fields", "id"])
def test_an_alias_is_tried_and_played_and_recorded_as_sent(table: Table, body: Json) -> None:
    trial, done = play_action(table, body, "/preview"), play_action(table, body)
    assert [BY_PATTERN] * 2 == [answer["events"][0]["action"] for answer in (trial, done)]
    assert trial["events"][0]["effects"] == done["events"][0]["effects"]
    assert BY_PATTERN == export_table(table)["events"][-2]["action"]


def test_the_alias_leads_to_the_same_position(new_game: NewTable) -> None:
    tables = [new_game(ruleset="queens-garden", position=view(BEGIN), first_seat=None, seed=SEED) for _ in range(2)]
    for table, action in zip(tables, (BY_COLOUR, BY_PATTERN), strict=True):
        play_action(table, {"action": action})
    first, second = (table.position() for table in tables)
    assert first == second


def test_a_record_with_an_alias_is_imported(anyone: Client, table: Table) -> None:
    play_action(table, {"action": BY_PATTERN})
    record = export_table(table)
    again = import_record(anyone, record)
    assert plain_events(record["events"]) == plain_events(export_table(again)["events"])[: len(record["events"])]
    assert table.position() == again.position()


def test_a_posted_position_accepts_the_alias(anyone: Client) -> None:
    request = {"position": view(BEGIN), "form": "list", "action": BY_PATTERN}
    answer: Json = anyone.post("/v1/positions", request).json or {}
    assert BY_PATTERN not in [entry["action"] for entry in answer["legal"]["actions"]]
    assert (True, BY_PATTERN) == (answer["action"]["legal"], answer["action"]["action"])
