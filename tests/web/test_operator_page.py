"""The operator's page: its access, forms, content and actions."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from werkzeug.test import TestResponse

from service.storage.people.leaderboards import Place
from service.storage.work.queue import Queue
from service.usecases.base.context import Context
from service.usecases.people import leaderboard_names
from tests.web.client import Client, body_of, refusal_of
from tests.web.conftest import ADMIN_TOKEN
from tests.web.players import Person
from tests.web.table import NewTable


class Browser:
    """A browser with the token as its password."""

    def __init__(self, flask: Any, password: str = ADMIN_TOKEN) -> None:
        self.flask = flask
        self.password = password

    def get(self, path: str = "") -> TestResponse:
        return self.flask.get(f"/admin{path}", auth=("operator", self.password))  # type: ignore[no-any-return]

    def post(self, path: str, **form: str) -> TestResponse:
        return self.flask.post(f"/admin{path}", data=form, auth=("operator", self.password))  # type: ignore[no-any-return]

    def code(self, path: str = "") -> str:
        """Return the code of the first form on the page."""
        found = re.search(r'name="code" value="([0-9a-f]{64})"', self.get(path).text)
        assert found is not None
        return found[1]


@pytest.fixture
def browser(anyone: Client) -> Browser:
    return Browser(anyone.flask)


def test_without_an_operators_token_the_page_is_missing(anyone: Client, context: Context) -> None:
    context.settings = replace(context.settings, admin_token="")
    assert 404 == Browser(anyone.flask).get().status_code


def test_the_page_requires_the_token(browser: Browser, anyone: Client, new_game: NewTable) -> None:
    table = new_game(visibility="private")
    for answer in (anyone.get("/admin"), Browser(anyone.flask, "b" * 48).get(), table.host.get("/admin")):
        assert (401, True) == (answer.status_code, answer.headers["WWW-Authenticate"].startswith("Basic "))
        assert table.id not in answer.text
    for answer in (browser.get(), anyone.with_token(ADMIN_TOKEN).get("/admin")):
        assert (200, "text/html", "no-store") == (answer.status_code, answer.mimetype, answer.headers["Cache-Control"])
        assert "form-action 'self'" in answer.headers["Content-Security-Policy"]
        assert ADMIN_TOKEN not in answer.text


def test_the_page_shows_games_queues_processes_and_failures(
    browser: Browser, context: Context, ana: Person, new_game: NewTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = [new_game(visibility="private"), new_game(seats=[{"kind": "player"}, {"kind": "ai", "level": "greedy"}])]
    hook = body_of(ana.client.post("/v1/me/webhooks", {"url": "https://bot.example/azul"}), 201)["webhook"]
    context.webhooks.change(ana.id, hook["id"], lambda one: replace(one, enabled=False, disabled_reason="failures"))
    context.queue.beat("worker", "one", 60)
    page = browser.get().text
    assert all(table.id in page for table in tables)
    for text in ("2 games are stored", "1 worker", "https://bot.example/azul", "failures", "turns", "decision"):
        assert text in page, text
    late = page.partition("AIs that are late")[2].partition("</table>")[0]
    assert [False, False] == [table.id in late for table in tables]


def test_a_process_is_drained_and_resumed(browser: Browser, context: Context) -> None:
    context.queue.beat("worker", "host-1-ab", 60)
    for act, state in (("drain", "drained"), ("go-on", "at work")):
        assert 303 == browser.post(f"/processes/host-1-ab/{act}", code=browser.code()).status_code
        context.queue.beat("worker", "host-1-ab", 60)
        row = browser.get().text.partition("<code>host-1-ab</code>")[2].partition("</tr>")[0]
        assert f"<td>{state}</td>" in row
    for act in ("drain", "go-on"):
        assert 403 == browser.post(f"/processes/host-1-ab/{act}").status_code
    assert {"host-1-ab": False} == context.queue.names("worker")


def test_an_unavailable_queue_server_is_shown(
    browser: Browser, context: Context, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(context, "queue", Queue(f"{context.settings.queue_url} unix://{tmp_path}/nowhere"))
    page = browser.get().text
    assert 1 == page.count("It does not answer.")
    assert "queue 2" in page


def test_a_late_ai_is_shown(
    browser: Browser, context: Context, new_game: NewTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = new_game(seats=[{"kind": "ai", "level": "greedy"}, {"kind": "player"}], first_seat=0)
    now = context.now_ms()
    monkeypatch.setattr(context, "now_ms", lambda: now + 10_000)
    late = browser.get().text.partition("AIs that are late")[2].partition("</table>")[0]
    assert table.id in late


def test_games_come_in_pages(browser: Browser, new_game: NewTable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.usecases.keeping.operating.MAX_ON_A_PAGE", 2)
    tables, seen, path = {new_game().id for _ in range(5)}, set[str](), ""
    for _ in range(3):
        page = browser.get(path).text
        seen |= {one for one in tables if one in page}
        next_link = re.search(r'href="admin(\?cursor=[^"]+)"', page)
        path = next_link[1] if next_link else ""
    assert (tables, "") == (seen, path)
    assert 422 == browser.get("?cursor=none").status_code


def test_a_game_is_ended_only_by_a_form_of_the_page(browser: Browser, new_game: NewTable) -> None:
    table = new_game()
    for form in ({}, {"code": "a" * 64}, {"code": "ü" * 64}):
        assert 403 == browser.post(f"/games/{table.id}/end", **form).status_code
    assert "playing" == table.view()["status"]
    answer = browser.post(f"/games/{table.id}/end", code=browser.code())
    assert (303, "aborted") == (answer.status_code, table.view()["status"])
    assert browser.get().text.count("<button>End</button>") == 0


def test_a_banned_player_leaves_the_leaderboards(
    browser: Browser, ana: Person, anyone: Client, context: Context
) -> None:
    name = leaderboard_names.board("azul", "two", leaderboard_names.PEOPLE, leaderboard_names.QUARTER, 0)
    context.leaderboards.place(name, Place(ana.id, 1700, context.now_ms(), is_ranked=True), 60)
    assert 1 == body_of(anyone.get("/v1/leaderboards/azul"))["total"]
    assert 303 == browser.post(f"/players/{ana.id}/ban", code=browser.code(f"/players?player={ana.id}")).status_code
    assert 0 == body_of(anyone.get("/v1/leaderboards/azul"))["total"]


def test_a_banned_player_is_refused_until_unbanned(browser: Browser, ana: Person, ben: Person, anyone: Client) -> None:
    body_of(ana.client.put("/v1/me/handle", {"handle": "Ana-1"}))
    body_of(ana.client.post("/v1/seeks", {"ruleset": "azul", "variant": "grey"}), 201)
    body_of(ana.client.post(f"/v1/players/{ben.id}/challenges", {"ruleset": "azul", "variant": "grey"}), 201)
    page = browser.get("/players?player=ana1")
    assert (200, True) == (page.status_code, ana.id in page.text)
    code = browser.code("/players?player=ana1")
    assert 303 == browser.post(f"/players/{ana.id}/ban", code=code).status_code
    assert (403, "auth/banned") == refusal_of(ana.client.get("/v1/me"))
    assert (401, "auth/token_unknown") == refusal_of(
        ana.client.post("/v1/seeks", {"ruleset": "azul", "variant": "grey"})
    )
    assert [] == body_of(anyone.get("/v1/seeks"))["seeks"]
    assert [] == body_of(ben.client.get("/v1/me/challenges"))["received"]
    assert "Let them in again" in browser.get("/players?player=ana1").text
    assert 303 == browser.post(f"/players/{ana.id}/unban", code=code).status_code
    assert ana.id == body_of(ana.client.get("/v1/me"))["id"]
    assert 404 == browser.get("/players?player=nobody").status_code
    assert 404 == browser.post("/players/AAAAAAAAAAAAAAAA/ban", code=code).status_code
