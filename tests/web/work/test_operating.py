"""Admins see the state of the service and its settings, and drain processes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from service.storage.work.queue import Queue
from service.usecases.base.context import Context
from tests.web.client import Client, Json, body_of, refusal_of
from tests.web.conftest import ADMIN_TOKEN
from tests.web.players import Person
from tests.web.table import NewTable, Wait


def state(admin: Client) -> Json:
    return body_of(admin.get("/v1/admin/state"))


def test_the_state_names_processes_queues_failures_and_unavailable_servers(
    admin: Client,
    context: Context,
    ana: Person,
    new_game: NewTable,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    new_game(visibility="private")
    hook = body_of(ana.client.post("/v1/me/webhooks", {"url": "https://bot.example/azul"}), 201)["webhook"]
    context.webhooks.change(ana.id, hook["id"], lambda one: replace(one, enabled=False, disabled_reason="failures"))
    context.queue.beat("worker", "one", 60)
    actual = state(admin)
    assert (1, []) == (actual["stored_games"], actual["late_games"])
    assert {"kind": "worker", "count": 1} in actual["living"]
    assert [{"name": "one", "kind": "worker", "drained": False}] == actual["processes"]
    assert {"turns", "background"} <= {one["name"] for one in actual["queues"]}
    assert [{"player": ana.id, "url": "https://bot.example/azul", "reason": "failures"}] == actual["disabled_webhooks"]
    monkeypatch.setattr(context, "queue", Queue(f"{context.settings.queue_url} unix://{tmp_path}/nowhere"))
    pings = {one["name"]: one["ping_s"] for one in state(admin)["servers"]}
    assert ({"games", "queue 1", "queue 2"}, None) == (set(pings), pings["queue 2"])
    assert pings["games"] > 0


def test_a_game_whose_ai_is_late_is_in_the_state(admin: Client, new_game: NewTable, wait_for: Wait) -> None:
    table = new_game(seats=[{"kind": "ai", "level": "greedy"}, {"kind": "player"}], first_seat=0)
    assert [] == state(admin)["late_games"]
    wait_for(10)
    assert [table.id] == [game["id"] for game in state(admin)["late_games"]]


def test_an_admin_drains_and_resumes_a_process(staff_admin: Client, context: Context) -> None:
    path = "/v1/admin/processes/host-1-ab/drain"
    assert (404, "process/not_found") == refusal_of(staff_admin.send("PUT", path))
    for method, drained in (("PUT", True), ("DELETE", False)):
        context.queue.beat("worker", "host-1-ab", 60)
        assert 204 == staff_admin.send(method, path).status_code
        context.queue.beat("worker", "host-1-ab", 60)
        assert [drained] == [one["drained"] for one in state(staff_admin)["processes"]]
    entries = body_of(staff_admin.get("/v1/admin/log"))["entries"]
    assert [("resume_process", "admin"), ("drain_process", "admin")] == [
        (entry["act"], entry["actor"]["name"]) for entry in entries[:2]
    ]


def test_settings_are_listed_without_secrets(admin: Client) -> None:
    answer = admin.get("/v1/admin/settings")
    values = {one["name"]: one["value"] for one in body_of(answer)["settings"]}
    assert ("***", "8000") == (values["ADMIN_TOKEN"], values["PORT"])
    assert ADMIN_TOKEN not in answer.text
