"""The legal actions as choices, and long lists page by page."""

from __future__ import annotations

import importlib

import orjson
import pytest

from service.rulesets.kernel import generator
from service.rulesets.registry import RULESETS
from tests.rulesets.playing import random_walk
from tests.web.client import Json, body_of, faults, invalid_fields, read_pages
from tests.web.table import EVERY_VARIANT, PLAYERS, SEED, NewTable, Table

PAGE = 500
THOUSANDS = [ruleset.id for ruleset in RULESETS.values() if ruleset.max_actions > 10_000]
POSITIONS = 6  # of each game


def choices_of(table: Table) -> Json:
    return body_of(table.host.get(f"{table.path}/choices"))


def as_texts(actions: list[Json]) -> list[bytes]:
    return sorted(orjson.dumps(action, option=orjson.OPT_SORT_KEYS) for action in actions)


@pytest.mark.parametrize("seats", [2, pytest.param(4, marks=pytest.mark.nightly)])
@pytest.mark.parametrize(("ruleset", "variant"), EVERY_VARIANT)
def test_the_choices_lead_to_exactly_the_listed_actions(
    new_game: NewTable, ruleset: str, variant: str, seats: int
) -> None:
    """Every complete choice is listed, and every listed action can be chosen, from the start of a game to its end."""
    expand = importlib.import_module(f"tests.rulesets.{RULESETS[ruleset].folder.name}.choices").expand
    game = random_walk(RULESETS[ruleset].start(variant, seats, None), generator(bytes([seats]) * 32))
    positions = [position for position in game if position.seat is not None]
    for position in [*positions[:: len(positions) // POSITIONS], positions[-1]]:
        described = position.ruleset.view(position)
        players = [{"kind": "player"}] * seats
        table = new_game(ruleset=ruleset, variant=variant, seats=players, position=described, first_seat=None)
        pages = read_pages(table.anyone, f"{table.path}/actions", "actions")
        listed = [entry["action"] for page in pages for entry in page]
        answer = choices_of(table)
        expanded = [*expand(answer["choices"])]
        assert as_texts(listed) == as_texts(expanded)
        assert answer["total"] == len(listed)
        assert [] == faults({"$ref": "#/components/schemas/LegalChoices"}, answer)


def test_choices_have_the_revision_and_the_seat_of_the_list(table: Table) -> None:
    for _ in range(2):
        answer = choices_of(table)
        assert {"revision", "seat", "total", "choices"} == answer.keys()
        listed = body_of(table.anyone.get(f"{table.path}/actions?limit=1"))
        assert {"revision", "seat", "total", "actions", "next_cursor"} == listed.keys()
        for name in ("revision", "seat", "total"):
            assert listed[name] == answer[name]
        table.act()


@pytest.mark.parametrize("query", ["limit=5", "cursor=3.500", "colour=blue", "form=choices", "type=azul.draft&line=2"])
def test_choices_have_neither_pages_nor_filters(table: Table, query: str) -> None:
    named = {f"/{part.partition('=')[0]}" for part in query.split("&")}
    assert named == {*invalid_fields(table.anyone.get(f"{table.path}/choices?{query}"))}


def test_choices_are_not_sent_twice_for_a_revision(table: Table) -> None:
    path = f"{table.path}/choices"
    tag = table.anyone.get(path).headers["ETag"]
    assert f'"{table.view()["revision"]}"' == tag
    assert (304, b"") == ((again := table.anyone.get(path, If_None_Match=tag)).status_code, again.data)
    table.act()
    assert 200 == table.anyone.get(path, If_None_Match=tag).status_code


def test_without_a_seat_to_decide_choices_are_null(new_game: NewTable, table: Table) -> None:
    """Choices are null before the start and after the end."""
    no_choices = {"seat": None, "total": 0, "choices": None}
    waiting = new_game(seats=[PLAYERS[0], {"kind": "open"}])
    table.seat(1).post(f"{table.path}/resignation")
    for game in (waiting, table):
        assert {"revision": game.view()["revision"], **no_choices} == choices_of(game)


def test_a_game_read_with_its_actions_has_no_choices(table: Table) -> None:
    game = table.anyone.get(f"{table.path}?include=actions").json or {}
    assert "choices" not in game


@pytest.mark.parametrize("ruleset", THOUSANDS)
def test_thousands_of_actions_are_listed_page_by_page(new_game: NewTable, ruleset: str) -> None:
    """Each action appears once, in the order of the rules."""
    table = new_game(ruleset=ruleset, seed=SEED)
    while len(legal := table.position().legal_actions()) <= 2 * PAGE:
        table.act()
    assert len(legal) == choices_of(table)["total"]
    listed = read_pages(table.anyone, f"{table.path}/actions?limit={PAGE}", "actions")
    assert legal == [int(entry["id"]) for page in listed for entry in page]
    assert {PAGE} == {len(page) for page in listed[:-1]}
