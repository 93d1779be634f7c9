"""The legal actions in factored form, and long lists page by page."""

from __future__ import annotations

import importlib

import pytest

from service.rulesets.registry import RULESETS
from tests.sampling import one_in
from tests.web.client import Json, body_of, faults, invalid_fields, read_pages
from tests.web.table import EVERY_VARIANT, PLAYERS, SEED, NewTable, Table

PAGE = 500
THOUSANDS = [ruleset.id for ruleset in RULESETS.values() if ruleset.max_actions > 10_000]


def choices_of(table: Table, **headers: str) -> Json:
    return body_of(table.host.get(f"{table.path}/actions?form=choices", **headers))


@pytest.mark.parametrize(("ruleset", "variant"), one_in(3, EVERY_VARIANT))
def test_the_choices_expand_to_the_listed_actions(new_game: NewTable, ruleset: str, variant: str) -> None:
    table = new_game(ruleset=ruleset, variant=variant, seed=SEED)
    for _ in range(8):
        answer = choices_of(table)
        choices = answer["choices"]
        assert {"form", "revision", "seat", "total", "choices"} == set(answer)
        assert ("choices", ruleset) == (answer["form"], choices["ruleset"])
        listed = table.anyone.get(f"{table.path}/actions?limit=1").json or {}
        assert "list" == listed["form"]
        for name in ("revision", "seat", "total"):
            assert listed[name] == answer[name]
        assert table.position().choices() == choices
        expand = importlib.import_module(f"tests.rulesets.{RULESETS[ruleset].folder.name}.choices").expand
        assert answer["total"] == sum(1 for _ in expand(choices))
        assert [] == faults({"$ref": "#/components/schemas/Choices"}, choices)
        table.act()


def test_the_list_is_the_default_form(table: Table) -> None:
    assert table.anyone.get(f"{table.path}/actions").data == table.anyone.get(f"{table.path}/actions?form=list").data


@pytest.mark.parametrize("query", ["limit=5", "limit=500", "cursor=3.500", "colour=blue", "type=azul.draft&line=2"])
def test_choices_accept_neither_pages_nor_filters(table: Table, query: str) -> None:
    named = [f"/{part.partition('=')[0]}" for part in query.split("&")]
    assert named == invalid_fields(table.anyone.get(f"{table.path}/actions?form=choices&{query}"))


def test_choices_are_not_sent_twice_for_a_revision(table: Table) -> None:
    path = f"{table.path}/actions?form=choices"
    tag = table.anyone.get(path).headers["ETag"]
    assert (304, b"") == ((again := table.anyone.get(path, If_None_Match=tag)).status_code, again.data)
    table.act()
    assert 200 == table.anyone.get(path, If_None_Match=tag).status_code


def test_without_a_seat_to_decide_choices_are_null(new_game: NewTable, table: Table) -> None:
    """Choices are null before the start and after the end."""
    no_choices = {"seat": None, "total": 0, "choices": None}
    waiting = new_game(seats=[PLAYERS[0], {"kind": "open"}])
    table.seat(1).post(f"{table.path}/resignation")
    for game in (waiting, table):
        answer = choices_of(game)
        assert no_choices == {name: answer[name] for name in no_choices}
        assert game.view()["revision"] == answer["revision"]


def test_a_game_read_with_its_actions_has_no_choices(table: Table) -> None:
    game = table.anyone.get(f"{table.path}?include=actions").json or {}
    assert not {"choices", "form"} & set(game)


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
