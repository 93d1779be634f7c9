"""An action that is not listed, since another does exactly the same: it is taken all the same, and told as it came."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from service.rulesets.queens_garden import QUEENS_GARDEN
from tests.rulesets.queens_garden.build import on, view
from tests.rulesets.queens_garden.playing import acquire
from tests.web.client import Client, Json
from tests.web.recorded import exported, imported, plain
from tests.web.table import SEED, Table

BEGIN = on(top="b1 b1 y4 k4")  # one blue hexagon, one tree: the same
BY_COLOUR, BY_PATTERN = acquire("b", "t:b1"), acquire("1", "t:b1")
NAMES = [{"action": BY_PATTERN}, {"id": str(QUEENS_GARDEN.wire.encode(BY_PATTERN))}]


@pytest.fixture
def table(new_game: Callable[..., Table]) -> Table:
    """A game that begins there."""
    return new_game(ruleset="queens-garden", position=view(BEGIN), first_seat=None, seed=SEED)


def listed(table: Table, filters: str) -> list[Json]:
    """The acquisitions that pass some filters."""
    results: Json = table.anyone.get(f"{table.path}/actions?type=queens-garden.acquire{filters}").json or {}
    assert results["total"] == len(results["actions"])
    return [entry["action"] for entry in results["actions"]]


def posted(table: Table, named: Json, query: str = "") -> Json:
    """What an action of the first seat did."""
    revision = table.view()["revision"]
    answer = table.seat(0).post(f"{table.path}/actions{query}", {**named, "revision": revision})
    assert answer.status_code in (200, 201), answer.data
    return answer.json or {}


def test_one_of_two_actions_that_do_the_same_is_listed(table: Table) -> None:
    assert [BY_COLOUR, acquire("y", "t:y4"), acquire("k", "t:k4"), acquire("4", "t:y4 t:k4")] == listed(table, "")


@pytest.mark.parametrize("filters", ["&by=colour", "&value=blue", "&by=colour&value=blue"])
def test_who_goes_by_colour_finds_it(table: Table, filters: str) -> None:
    assert BY_COLOUR in listed(table, filters)


@pytest.mark.parametrize("filters", ["&by=pattern", "&value=tree", "&by=pattern&value=tree"])
def test_who_goes_by_pattern_finds_it_too(table: Table, filters: str) -> None:
    assert BY_PATTERN in listed(table, filters)
    assert BY_COLOUR not in listed(table, filters)


def test_who_asks_for_all_its_fields_finds_it(table: Table) -> None:
    pieces = '&pieces=[{"kind":"tile","from":"top","hexagon":{"colour":"blue","pattern":"tree"}}]'
    assert [BY_COLOUR] == listed(table, pieces)
    assert [BY_PATTERN] == listed(table, f"{pieces}&by=pattern&value=tree")


def test_the_choices_tell_the_pattern_with_the_colour(table: Table) -> None:
    choices: Json = table.anyone.get(f"{table.path}/actions?form=choices").json or {}
    actual = [(each["value"], each["alias"]) for each in choices["choices"]["acquire"]]
    assert [("blue", "tree"), ("yellow", None), ("dark_purple", None), ("flower", None)] == actual


@pytest.mark.parametrize("named", NAMES, ids=["fields", "id"])
def test_it_is_tried_and_done_and_told_as_it_was_posted(table: Table, named: Json) -> None:
    tried, done = posted(table, named, "?dry_run=true"), posted(table, named)
    assert [BY_PATTERN] * 2 == [answer["events"][0]["action"] for answer in (tried, done)]
    assert tried["events"][0]["effects"] == done["events"][0]["effects"]
    assert BY_PATTERN == exported(table)["events"][-2]["action"]


def test_the_game_goes_on_as_after_the_listed_one(new_game: Callable[..., Table]) -> None:
    tables = [new_game(ruleset="queens-garden", position=view(BEGIN), first_seat=None, seed=SEED) for _ in range(2)]
    for table, action in zip(tables, (BY_COLOUR, BY_PATTERN), strict=True):
        posted(table, {"action": action})
    first, second = (table.position() for table in tables)
    assert first == second


def test_a_record_that_holds_it_is_read(anyone: Client, table: Table) -> None:
    posted(table, {"action": BY_PATTERN})
    record = exported(table)
    again = imported(anyone, record)
    assert plain(record["events"]) == plain(exported(again)["events"])[: len(record["events"])]
    assert table.position() == again.position()


def test_a_position_tells_that_it_is_legal(anyone: Client) -> None:
    asked = {"position": view(BEGIN), "form": "list", "action": BY_PATTERN}
    answer: Json = anyone.post("/v1/positions", asked).json or {}
    assert BY_PATTERN not in [entry["action"] for entry in answer["legal"]["actions"]]
    assert (True, BY_PATTERN) == (answer["action"]["legal"], answer["action"]["action"])
