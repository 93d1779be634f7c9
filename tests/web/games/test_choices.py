"""The legal actions in factored form, and long lists page by page."""

from __future__ import annotations

import importlib
from collections.abc import Callable

import pytest

from service.rulesets.registry import RULESETS
from tests.sampling import one_in
from tests.web.client import Json, faults
from tests.web.conftest import EVERY_VARIANT, PLAYERS, SEED, Table

PAGE = 500
THOUSANDS = [ruleset.id for ruleset in RULESETS.values() if ruleset.most_actions > 10_000]


def choices_of(table: Table, **headers: str) -> Json:
    answer: Json | None = table.host.get(f"{table.path}/actions?form=choices", **headers).json
    assert answer is not None
    return answer


@pytest.mark.parametrize(("ruleset", "variant"), one_in(3, EVERY_VARIANT))
def test_the_choices_stand_for_the_listed_actions(new_game: Callable[..., Table], ruleset: str, variant: str) -> None:
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


def test_the_list_is_what_is_told_unless_choices_are_asked_for(table: Table) -> None:
    assert table.anyone.get(f"{table.path}/actions").data == table.anyone.get(f"{table.path}/actions?form=list").data


@pytest.mark.parametrize("more", ["limit=5", "limit=500", "cursor=3.500", "colour=blue", "type=azul.draft&line=2"])
def test_neither_pages_nor_filters_go_with_the_choices(table: Table, more: str) -> None:
    answer = table.anyone.get(f"{table.path}/actions?form=choices&{more}")
    assert (422, "request/invalid") == (answer.status_code, (answer.json or {})["code"])
    named = [f"/{part.partition('=')[0]}" for part in more.split("&")]
    assert named == [fault["pointer"] for fault in (answer.json or {})["errors"]]


@pytest.mark.parametrize("form", ["", "tree", "Choices", "list&form=choices"])
def test_another_form_is_refused(table: Table, form: str) -> None:
    answer = table.anyone.get(f"{table.path}/actions?form={form}")
    assert (422, ["/form"]) == (answer.status_code, [fault["pointer"] for fault in (answer.json or {})["errors"]])


def test_who_has_the_revision_gets_no_choices_again(table: Table) -> None:
    path = f"{table.path}/actions?form=choices"
    tag = table.anyone.get(path).headers["ETag"]
    assert (304, b"") == ((again := table.anyone.get(path, If_None_Match=tag)).status_code, again.data)
    table.act()
    assert 200 == table.anyone.get(path, If_None_Match=tag).status_code


def test_nobody_s_choices_are_null(new_game: Callable[..., Table], table: Table) -> None:
    """Before the start, and after the end."""
    nobody = {"seat": None, "total": 0, "choices": None}
    waiting = new_game(seats=[PLAYERS[0], {"kind": "open"}])
    table.seat(1).post(f"{table.path}/resignation")
    for game in (waiting, table):
        answer = choices_of(game)
        assert nobody == {name: answer[name] for name in nobody}
        assert game.view()["revision"] == answer["revision"]


def test_a_private_game_s_choices_are_told_to_its_own_only(new_game: Callable[..., Table]) -> None:
    table = new_game(visibility="private")
    stranger = table.anyone.get(f"{table.path}/actions?form=choices")
    assert (404, "game/not_found") == (stranger.status_code, (stranger.json or {})["code"])
    for token in (table.tokens["host"], table.tokens["watch"], table.tokens["seats"]["1"]):
        answer = table.anyone.with_token(token).get(f"{table.path}/actions?form=choices")
        assert 200 == answer.status_code


def test_a_game_read_with_its_actions_has_no_choices(table: Table) -> None:
    game = table.anyone.get(f"{table.path}?include=actions").json or {}
    assert not {"choices", "form"} & set(game)


@pytest.mark.parametrize("ruleset", THOUSANDS)
def test_thousands_of_actions_are_listed_page_by_page(new_game: Callable[..., Table], ruleset: str) -> None:
    """Each once, in the order of the rules, with all that a page has."""
    table = new_game(ruleset=ruleset, seed=SEED)
    while len(legal := table.position().legal_actions()) <= 2 * PAGE:
        table.act()
    actual, sizes, path = [], [], f"{table.path}/actions?limit={PAGE}"
    while path:
        page = table.anyone.get(path)
        answer = page.json or {}
        assert len(legal) == answer["total"]
        actual += [int(entry["id"]) for entry in answer["actions"]]
        sizes.append(len(answer["actions"]))
        link = page.headers.get("Link", "<>")
        path = link[1 : link.index(">")]
        assert bool(path) == (answer["next_cursor"] is not None)
    assert legal == actual
    assert {PAGE} == set(sizes[:-1])
    assert 0 < sizes[-1] <= PAGE
