"""Candidates of analyses, and the reasons why the best action is better."""

from __future__ import annotations

from typing import Any

import orjson
import pytest
from flask import Flask

from tests.web.client import body_of, refusal_of
from tests.web.table import Table, Work
from tests.web.work.test_analyses import FAST, read_analysis, start_analysis


def test_a_candidate_is_compared_with_the_best_action(table: Table, work: Work) -> None:
    floor = next(action for action in table.actions() if action["action"]["line"] == "floor")
    for named in ({"id": floor["id"]}, {"action": floor["action"]}, {"notation": floor["notation"]}):
        task = start_analysis(table.anyone, f"{table.path}/analyses", {**FAST, "best": 1, "candidate": named})
    work()
    best, candidate = read_analysis(table.anyone, task)["decision"]["actions"]
    assert (floor["id"], floor["id"]) == (candidate["id"], candidate["line"][0]["id"])
    assert best["id"] != floor["id"]
    assert best["lead"] > candidate["lead"]
    assert best["why"].startswith("It ")
    assert candidate["why"].startswith("The best move ")
    german = body_of(table.anyone.get(f"/v1/analyses/{task['id']}", Accept_Language="de"))["decision"]["actions"]
    assert german[1]["why"].startswith("Der beste Zug ")


@pytest.mark.parametrize(
    ("candidate", "refusal", "pointer"),
    [
        ({"id": "299"}, (409, "game/illegal_action"), "/candidate"),
        ({"id": "one"}, (422, "request/invalid"), "/candidate/id"),
        ({}, (422, "request/invalid"), "/candidate"),
        ({"id": "1", "notation": "1b1"}, (422, "request/invalid"), "/candidate"),
        ({"notation": "zz"}, (422, "notation/unreadable"), "/candidate/notation"),
        ({"action": {"type": "azul.draft", "source": "centre"}}, (422, "request/invalid"), "/candidate/action/colour"),
        ("1b1", (422, "request/invalid"), "/candidate"),
    ],
)
def test_an_impossible_candidate_is_refused_with_its_pointer(
    table: Table, candidate: Any, refusal: tuple[int, str], pointer: str
) -> None:
    position = {"position": table.view()["position"]}
    for path, body in ((f"{table.path}/analyses", FAST), ("/v1/analyses", position)):
        answer = table.anyone.post(path, {**body, "candidate": candidate})
        assert refusal == refusal_of(answer)
        assert pointer in [error["pointer"] for error in (answer.json or {})["errors"]]


@pytest.mark.parametrize("reasons", [{}, {"reasons": [["of_a_later_version", 2, 1, {}]]}])
def test_an_analysis_of_another_version_has_no_reasons(
    app: Flask, table: Table, work: Work, reasons: dict[str, Any]
) -> None:
    task = start_analysis(table.anyone, f"{table.path}/analyses", FAST)
    work()
    tasks = app.extensions["context"].tasks
    stored = orjson.loads(tasks.get("analysis", task["id"]).result)
    for action in stored["result"]["actions"]:
        del action["reasons"]
        action.update(reasons)
    tasks.report(task["id"], "done", orjson.dumps(stored))
    assert {None} == {action["why"] for action in read_analysis(table.anyone, task)["decision"]["actions"]}
