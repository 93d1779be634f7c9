"""Posted positions: examined on their own, and as the start of a game."""

from __future__ import annotations

from operator import itemgetter
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from werkzeug.test import TestResponse

from service.rulesets.kernel import generator
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Position
from tests.rulesets import grammar
from tests.rulesets.offers import WITH_BOUNDS, WITH_PICTURE
from tests.web.client import Client, Json, body_of, invalid_fields, pointers, refusal_of
from tests.web.games.test_board import SVG
from tests.web.table import EVERY_VARIANT, NewTable

SEED = b"\5" * 32
LINE = grammar.examples("azul")[-1]


def reached_position(ruleset: str, variant: str, decisions: int = 30, seats: int = 2) -> Position:
    """Return a position reached by random play in which a seat decides."""
    rng = generator(SEED)
    position = RULESETS[ruleset].start(variant, seats, 0)
    while position.status == "drawing" or (decisions > 0 and position.status == "deciding"):
        if position.status == "drawing":
            position = position.resolve_draw(position.sample(rng))
        else:
            position = position.play(position.random_action(rng))
            decisions -= 1
    return position


def invalid_at(anyone: Client, body: Any, path: str = "/v1/positions") -> list[str]:
    return invalid_fields(anyone.post(path, body))


def examine(anyone: Client, position: Position, **options: Any) -> Json:
    return body_of(anyone.post("/v1/positions", {"position": position.ruleset.view(position), **options}), 200)


@pytest.mark.parametrize(("ruleset", "variant"), EVERY_VARIANT)
def test_a_reached_position_is_returned_with_its_scores(anyone: Client, ruleset: str, variant: str) -> None:
    position = reached_position(ruleset, variant, seats=3)
    actual = examine(anyone, position)
    assert position.ruleset.view(position) == actual["position"]
    summary = itemgetter("status", "to_decide", "legal", "action")(actual)
    assert ("deciding", position.seat, None, None) == summary
    assert list(position.scores) == [seat["score"] for seat in actual["seats"]]
    assert [dict(seat.breakdown) for seat in position.outcome()] == [seat["breakdown"] for seat in actual["seats"]]


@pytest.mark.parametrize(("ruleset", "variant"), EVERY_VARIANT)
def test_the_legal_actions_come_in_both_forms_and_in_pages(anyone: Client, ruleset: str, variant: str) -> None:
    position = reached_position(ruleset, variant)
    legal = position.legal_actions()
    whole = examine(anyone, position, form="list")["legal"]
    assert len(legal) == whole["total"]
    assert [str(action) for action in legal[:500]] == [action["id"] for action in whole["actions"]]
    page = examine(anyone, position, form="list", first=1, limit=2)["legal"]
    assert whole["actions"][1:3] == page["actions"]
    assert whole["choices"] is None
    choices = examine(anyone, position, form="choices")["legal"]
    assert {"total": len(legal), "actions": None, "choices": position.choices()} == choices


@pytest.mark.parametrize(("ruleset", "variant"), EVERY_VARIANT)
def test_an_action_is_tried_up_to_the_first_draw(anyone: Client, ruleset: str, variant: str) -> None:
    position = reached_position(ruleset, variant)
    action = position.legal_actions()[-1]
    by_id = examine(anyone, position, id=str(action))["action"]
    assert by_id == examine(anyone, position, action=position.ruleset.wire.decode(action))["action"]
    after = position.play(action)
    assert (True, None, position.step(action)[0]) == (by_id["legal"], by_id["reason"], by_id["effects"])
    assert position.ruleset.view(after) == by_id["after"]["position"]
    assert (after.status, after.seat) == (by_id["after"]["status"], by_id["after"]["to_decide"])


def test_an_illegal_action_is_answered_with_its_reason(anyone: Client) -> None:
    position = reached_position("azul", "coloured", 0)
    action = {"type": "azul.draft", "source": "centre", "colour": "blue", "line": 0}
    trial = examine(anyone, position, action=action)["action"]
    assert (False, None, []) == itemgetter("legal", "after", "effects")(trial)
    assert "source_empty" == trial["reason"]["code"]


def test_an_inconsistent_position_is_refused_with_pointers(anyone: Client) -> None:
    view = RULESETS["azul"].view(reached_position("azul", "coloured"))
    assert ["/position/bag"] == invalid_at(anyone, {"position": {**view, "bag": 5}})
    assert ["/position/bag/blue"] == invalid_at(anyone, {"position": {**view, "bag": {"blue": 99}}})
    assert ["/position/ruleset"] == invalid_at(anyone, {"position": {**view, "ruleset": ["azul"]}})
    assert ["/position/ruleset"] == invalid_at(anyone, {"position": {}})
    assert ["/position"] == invalid_at(anyone, {"position": 5})
    assert ["/position"] == invalid_at(anyone, {})
    assert ["/id"] == invalid_at(anyone, {"position": view, "id": "blue"})
    assert ["/action/colour"] == invalid_at(
        anyone, {"position": view, "action": {"type": "azul.draft", "source": "centre", "colour": "pink", "line": 0}}
    )
    assert [""] == invalid_at(anyone, {"position": view, "id": "1", "action": {"type": "azul.draft"}})


@pytest.mark.parametrize(("ruleset", "variant"), [side for side in EVERY_VARIANT if side[0] in WITH_BOUNDS])
def test_a_position_that_could_exceed_the_value_ranges_is_refused(anyone: Client, ruleset: str, variant: str) -> None:
    """Otherwise its game could be created but not read again."""
    view = RULESETS[ruleset].view(reached_position(ruleset, variant))
    view["seats"][1]["score"] = 999
    assert ["/position/seats/1/score"] == invalid_at(anyone, {"position": view})
    game = {"ruleset": ruleset, "variant": variant, "seats": [{"kind": "player"}] * 2, "position": view}
    assert ["/position/seats/1/score"] == invalid_at(anyone, game, "/v1/games")


@pytest.mark.parametrize(("ruleset", "variant"), EVERY_VARIANT)
def test_a_game_begins_at_a_posted_position(new_game: NewTable, ruleset: str, variant: str, anyone: Client) -> None:
    position = reached_position(ruleset, variant)
    view = position.ruleset.view(position)
    table = new_game(ruleset=ruleset, variant=variant, position=view, first_seat=None)
    actual = table.view()
    summary = itemgetter("from_position", "fair", "position", "to_decide")(actual)
    assert (True, True, view, position.seat) == summary
    assert 201 == table.act().status_code
    revision = actual["revision"]
    assert view == (anyone.get(f"{table.path}/history/{revision}").json or {})["position"]


def test_a_posted_position_is_normalised(new_game: NewTable, anyone: Client) -> None:
    """Truth values may be numbers and hexagons in another order. The record contains the normal form."""
    view = RULESETS["queens-garden"].view(reached_position("queens-garden", "standard", 20))
    seats = [{**seat, "passed": int(seat["passed"]), "garden": seat["garden"][::-1]} for seat in view["seats"]]
    posted = {**view, "seats": seats, "unseen": view["unseen"][::-1]}
    table = new_game(ruleset="queens-garden", position=posted, first_seat=None)
    record = table.host.get(f"{table.path}/export").json or {}
    assert (view, view) == (table.view()["position"], record["position"])
    copy = anyone.post("/v1/games/import", {**record, "position": posted}).json or {}
    assert view == (anyone.get(f"/v1/games/{copy['game']['id']}/export").json or {})["position"]


def test_a_posted_position_must_match_the_settings_of_its_game(anyone: Client) -> None:
    view = RULESETS["azul"].view(reached_position("azul", "coloured"))
    game = {"ruleset": "azul", "variant": "coloured", "seats": [{"kind": "player"}] * 2, "position": view}
    assert ["/position/variant"] == invalid_at(anyone, {**game, "variant": "grey"}, "/v1/games")
    assert ["/position/seats"] == invalid_at(anyone, {**game, "seats": [{"kind": "player"}] * 3}, "/v1/games")
    assert ["/first_seat"] == invalid_at(anyone, {**game, "first_seat": 0}, "/v1/games")
    other = {**game, "ruleset": "summer-pavilion"}
    assert ["/position/ruleset"] == invalid_at(anyone, other, "/v1/games")


def board_of(anyone: Client, **query: str) -> TestResponse:
    return anyone.flask.get("/v1/positions/board.svg", query_string=query, headers={"Accept-Language": "de"})


@pytest.mark.parametrize("ruleset", WITH_PICTURE)
def test_a_position_is_drawn_with_numbered_seats_in_a_theme_and_layout(anyone: Client, ruleset: str) -> None:
    position = reached_position(ruleset, RULESETS[ruleset].variants[0])
    answer = board_of(anyone, position_notation=position.notation)
    root = ET.fromstring(answer.data)  # noqa: S314 - our own
    assert (200, "image/svg+xml", "de") == (answer.status_code, answer.mimetype, answer.headers["Content-Language"])
    assert {"Platz 1", "Platz 2"} <= {element.text for element in root.iter(f"{SVG}text")}
    others = ({"theme": "dark"}, {"layout": "narrow"})
    pictures = {board_of(anyone, position_notation=position.notation, **other).data for other in others}
    assert 3 == len({answer.data, *pictures})


@pytest.mark.parametrize(
    ("query", "code", "field"),
    [
        ({}, "request/invalid", "/position_notation"),
        ({"position_notation": "azul coloured 1"}, "notation/unreadable", "/position_notation"),
        ({"position_notation": LINE.replace("b9", "b8")}, "request/invalid", "/position_notation"),
        ({"position_notation": LINE, "theme": "pink"}, "request/invalid", "/theme"),
    ],
)
def test_a_position_that_cannot_be_drawn_is_refused(anyone: Client, query: Json, code: str, field: str) -> None:
    answer = board_of(anyone, **query)
    assert (422, code) == refusal_of(answer)
    assert [field] == pointers(answer)
