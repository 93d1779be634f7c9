"""The template for rulesets is compiled and played over HTTP. The registry contains it during these tests.

`tests/e2e/test_template.py` copies it to `service/rulesets` instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from service.rulesets.registry import RULESETS
from tests import burst
from tests.rulesets.tiny import TINY
from tests.rulesets.tiny.rules.game import ROUNDS
from tests.sampling import one_in
from tests.web.client import Json, forget_document
from tests.web.table import NewTable, Table
from workers import jobs

LATE = {
    "ruleset": "tiny",
    "variant": "plain",
    "to_decide": None,
    "first_seat": 0,
    "rounds_played": ROUNDS - 3,
    "dice": [0] * 6,
    "scores": [0, 0],
}
"""The start of the third last round."""


@pytest.fixture(scope="module", autouse=True)
def _register_tiny() -> Iterator[None]:
    """Compile the template, and add it to the registry and to the document that responses are compared with."""
    if not TINY.rules.library.path.exists():
        from service.rulesets.compiler import compile_ruleset

        compile_ruleset(TINY.rules)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(RULESETS, TINY.id, TINY)
        forget_document()
        yield
    forget_document()


@pytest.fixture
def tiny(new_game: NewTable) -> NewTable:
    """Return a function that creates games of the tiny ruleset."""
    return lambda **changes: new_game(ruleset=TINY.id, **changes)


@pytest.fixture
def workers(app: Flask, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Return a function that decides for AIs until a person's turn."""
    context = app.extensions["context"]
    monkeypatch.setattr(jobs, "context", lambda: context)
    return lambda: burst.work([context.queue.turns[0]])


def played_out(table: Table, before_each_turn: Callable[[], None] = lambda: None) -> Json:
    """Play to the end, with the first listed action for people. Return the final view."""
    before_each_turn()
    while table.view()["status"] == "playing":
        assert 201 == table.act().status_code
        before_each_turn()
    return table.view()


def events(table: Table, kind: str, **headers: str) -> list[Any]:
    answer = table.anyone.get(f"{table.path}/history", **headers).json or {}
    return [event for event in answer["events"] if kind == event["kind"]]


@pytest.mark.parametrize("seats", one_in(3, TINY.seat_counts))
def test_people_play_the_template_to_the_end(tiny: NewTable, seats: int) -> None:
    table = tiny(seats=[{"kind": "player"}] * seats, first_seat=None)
    view = played_out(table)
    scores = [seat["score"] for seat in view["seats"]]
    assert ("finished", "completed") == (view["status"], view["outcome"]["reason"])
    assert scores == view["position"]["scores"] == [seat["breakdown"]["dice"] for seat in view["outcome"]["seats"]]
    assert ROUNDS * seats == len(events(table, "action"))
    assert ["tiny.first_seat", *["tiny.roll"] * ROUNDS] == [event["draw"]["type"] for event in events(table, "draw")]


@pytest.mark.parametrize("level", ["random", "greedy", "master"])
def test_ais_play_the_template(tiny: NewTable, workers: Callable[[], None], level: str) -> None:
    """Its estimate is the score, so greedy takes the highest die, and the search is no worse."""
    table = tiny(seats=[{"kind": "player"}, {"kind": "ai", "level": level}], position=LATE, first_seat=None)
    view = played_out(table, workers)
    assert TINY.rules.are_compiled()
    assert "finished" == view["status"]
    ai_actions = [event for event in events(table, "action") if event["seat"] == 1]
    assert 3 == len(ai_actions)
    if level != "random":
        assert view["seats"][0]["score"] <= view["seats"][1]["score"]


def test_greedy_takes_the_highest_die(tiny: NewTable, workers: Callable[[], None]) -> None:
    table = tiny(seats=[{"kind": "ai", "level": "greedy"}, {"kind": "player"}])
    [roll] = events(table, "draw")
    workers()
    [action] = events(table, "action")
    assert max(roll["draw"]["dice"]) == action["action"]["number"]


def test_sentences_of_the_template_list_the_fields(tiny: NewTable) -> None:
    table = tiny()
    missing = next(number for number in range(1, 7) if not table.view()["position"]["dice"][number - 1])
    body = {"action": {"type": "tiny.take", "number": missing}, "revision": table.view()["revision"]}
    answer = table.seat(0).post(f"{table.path}/actions", body)
    assert (409, "no_such_die", "no such die") == (answer.status_code, *_fields(answer.json, "reason", "detail"))
    table.act()
    [actual] = events(table, "action", **{"Accept-Language": "de"})
    assert f"Platz 1 take: number {actual['action']['number']}." == actual["text"]


def test_the_template_has_no_picture(tiny: NewTable) -> None:
    answer = _board(tiny())
    assert (404, "ruleset/no_picture") == (answer.status_code, *_fields(answer.json, "code"))


def test_the_template_is_listed_and_its_records_are_imported(tiny: NewTable) -> None:
    table = tiny()
    assert TINY.id in [ruleset["id"] for ruleset in (table.anyone.get("/v1/rulesets").json or {})["rulesets"]]
    assert {"ruleset": "tiny", "rounds": ROUNDS} == (table.anyone.get("/v1/rulesets/tiny").json or {})["components"]
    choices = table.anyone.get(f"{table.path}/choices").json or {}
    assert [{"type": "tiny.take", "number": number} for number in choices["choices"]["take"]] == table.legal()
    ended = played_out(table)
    record = table.anyone.get(f"{table.path}/export").json
    imported = table.anyone.post("/v1/games/import", record)
    assert (201, ended["position"]) == (imported.status_code, (imported.json or {})["game"]["position"])


def test_the_committed_document_does_not_contain_the_template(tiny: NewTable) -> None:
    assert "tiny" not in tiny().anyone.get("/v1/openapi.json").text.lower()


def _board(table: Table) -> TestResponse:
    return table.anyone.get(f"{table.path}/board.svg")


def _fields(answer: Any, *names: str) -> list[Any]:
    return [answer[name] for name in names]
