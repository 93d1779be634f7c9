"""A service that is stopped in order: streams end whole, no decision is lost, and games go on afterwards."""

from __future__ import annotations

import threading
from pathlib import Path

import requests

from tests.e2e.stack import Stack
from tests.e2e.test_games import whole_log
from tests.patience import until

NDJSON = "application/x-ndjson"


def test_a_service_that_is_stopped_sends_those_home_who_follow_or_wait_and_goes_on_where_it_was(tmp_path: Path) -> None:
    seats = [{"kind": "ai", "level": "planner"}] * 2
    followed, waited = list[bytes](), list[requests.Response]()

    def follow(path: str, **headers: str) -> None:
        with requests.get(
            f"{stack.api}{path}", headers={"Accept": NDJSON, **headers}, stream=True, timeout=60
        ) as answer:
            followed.append(b"".join(answer.iter_content(None)))  # raises where it is cut off

    def wait(path: str, etag: str) -> None:
        waited.append(requests.get(f"{stack.api}{path}?wait=25", headers={"If-None-Match": etag}, timeout=60))

    with Stack(tmp_path) as stack:
        game = stack.create(ruleset="azul", variant="grey", seats=seats)["game"]["id"]
        open_game = stack.create(ruleset="azul", variant="grey", seats=[{"kind": "player"}, {"kind": "open"}])["game"]
        person = requests.post(f"{stack.api}/players", json={}, timeout=10).json()["token"]
        token = {"Authorization": f"Bearer {person}"}
        wanted = {"ruleset": "azul", "variant": "grey", "keep_s": 600}
        seek = requests.post(f"{stack.api}/seeks", json=wanted, headers=token, timeout=10).json()
        cup = {"name": "Open", "format": "swiss", "ruleset": "azul", "variant": "grey", "clock": {"turn_s": 60}}
        cup = requests.post(f"{stack.api}/competitions", json=cup, headers=token, timeout=10).json()
        paths = [f"/games/{game}/events", f"/seeks/{seek['id']}/events", "/me/challenges/events"]
        paths.append(f"/competitions/{cup['id']}/events")
        threads = [threading.Thread(target=follow, args=(path,), kwargs=token) for path in paths]
        etag = f'"{open_game["revision"]}"'
        threads.append(threading.Thread(target=wait, args=(f"/games/{open_game['id']}", etag)))
        for thread in threads:
            thread.start()
        until(lambda: stack.get(f"/games/{game}").json()["revision"] > 10, "the AIs play")
        log = whole_log(stack, game)
        assert 0 == stack.stop()
        for thread in threads:
            thread.join(30)
        assert 4 == len(followed)
        assert [304] == [answer.status_code for answer in waited]
    with Stack(tmp_path) as stack:
        assert log == whole_log(stack, game)[: len(log)]
        assert "open" == stack.get(f"/seeks/{seek['id']}", headers=token).json()["status"]
        until(lambda: stack.get(f"/games/{game}").json()["status"] == "finished", "the AIs play to the end")
