"""The users of deploy/redis have the rights that the service needs, and no others."""

from __future__ import annotations

import os
import re
import secrets
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import redis
import requests
from redis.backoff import NoBackoff
from redis.exceptions import AuthenticationError, NoPermissionError
from redis.retry import Retry

from service.app import create_app
from service.operate.redis.launcher import redis_binary
from service.settings import Settings
from service.storage.base.transactions import OWN_COMMANDS, TYPES
from service.usecases.base.context import open_context
from tests.deploy.conftest import Start, is_reachable
from tests.deploy.samples import DEPLOY
from tests.deploy.servers import play_a_game, server
from tests.e2e.stack import bearer, free_port
from tests.keeping import wake_due
from tests.patience import HANG_S, wait_until
from tests.tools import program
from tests.usecases.players import ai_acts

START = DEPLOY / "redis" / "start.sh"
NAMES = ("operator", "web", "workers")
DENIED = [
    *(["FLUSHALL"], ["CONFIG", "GET", "*"], ["KEYS", "*"], ["DEBUG", "SLEEP", "0"], ["SCAN", "0"], ["ACL", "LIST"]),
    *(["SHUTDOWN"], ["EVAL", "return 1", "0"], ["GET", "foreign"], ["SET", "b00:without_a_tag", "1"]),
    *(["PUBLISH", "rq:pubsub:somebody", "stop"], ["SUBSCRIBE", "news"]),
]

OPERATOR = "of-the-operator-" + "a" * 32


@dataclass
class Users:
    """A server with the users of users.acl."""

    port: int
    passwords: dict[str, str]

    def url(self, name: str) -> str:
        return f"redis://{name}:{self.passwords[name]}@127.0.0.1:{self.port}/0"

    def client(self, name: str) -> redis.Redis:
        return redis.Redis.from_url(self.url(name))

    def denials(self) -> list[str]:
        """Return what the server has denied to its users."""
        entries = self.client("operator").acl_log()
        return [f"{one['username']}: {one['reason']} {one['object']} ({one['context']})" for one in entries]


@pytest.fixture(scope="module", params=["embedded", "redis-server"])
def users(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Users]:
    """Run Valkey, and a redis-server on PATH, which is version 7.0 in Debian."""
    binary = str(redis_binary()) if request.param == "embedded" else program(request.param)
    folder = tmp_path_factory.mktemp("users")
    of_server = Users(free_port(), {name: secrets.token_hex(32) for name in NAMES})
    passwords = {f"{name.upper()}_PASSWORD": password for name, password in of_server.passwords.items()}
    options = {"bind": "127.0.0.1", "port": str(of_server.port), "save": "", "enable-debug-command": "local"}
    command = [
        str(START),
        binary,
        *(word for name, value in options.items() for word in (f"--{name}", value)),
    ]
    environment = {**os.environ, **passwords, "USERS_FILE": str(folder / "users.acl")}
    with server(command, folder, of_server.client("operator"), environment):
        yield of_server


def commands(name: str) -> set[str]:
    """Return the commands that users.acl allows a user."""
    (line,) = re.findall(rf"^user {name} .*$", (DEPLOY / "redis" / "users.acl").read_text("utf-8"), re.MULTILINE)
    return set(re.findall(r" \+(\S+)", line))


@pytest.mark.parametrize("name", ["web", "workers"])
def test_commands_of_the_scripts_are_allowed(name: str) -> None:
    scripts = [*(DEPLOY.parent / "service" / "storage").rglob("*.lua")]
    called = {
        word.lower() for path in scripts for word in re.findall(r"redis\.p?call\('([A-Z]+)'", path.read_text("utf-8"))
    }
    of_transactions = {word.lower() for word in TYPES if word not in OWN_COMMANDS}
    assert len(called) > 20
    assert set() == (called | of_transactions) - commands(name)


@pytest.mark.parametrize("name", ["web", "workers"])
def test_unwatch_is_allowed(users: Users, name: str) -> None:
    """RQ watches a job and does not enqueue it if another process has done so."""
    with users.client(name) as client, client.pipeline() as pipeline:
        pipeline.watch("rq:job:one")
        pipeline.unwatch()


@pytest.mark.parametrize("name", ["web", "workers"])
@pytest.mark.parametrize("command", DENIED, ids=lambda command: command[0].lower())
def test_other_commands_are_denied(users: Users, name: str, command: list[str]) -> None:
    with users.client(name) as client, pytest.raises(NoPermissionError):
        client.execute_command(*command)


def test_script_cannot_read_foreign_keys(users: Users) -> None:
    with users.client("web") as client, pytest.raises(NoPermissionError):
        client.register_script("return redis.call('GET', KEYS[1])")(keys=["foreign"])


def test_web_cannot_write_heartbeats_of_workers(users: Users) -> None:
    with users.client("web") as client, pytest.raises(NoPermissionError):
        client.zadd("beats:worker", {"me": 1})


def test_commands_without_a_password_are_denied(users: Users) -> None:
    once = Retry(NoBackoff(), 0)
    with redis.Redis(port=users.port, retry=once) as client, pytest.raises(AuthenticationError):
        client.ping()


@pytest.mark.parametrize("password", ["", "short", "x" * 201, f"{'x' * 40}/&", f"{'x' * 40}\n"])
def test_invalid_password_is_rejected_before_the_server_starts(password: str, tmp_path: Path) -> None:
    good = dict.fromkeys(("OPERATOR_PASSWORD", "WORKERS_PASSWORD"), "y" * 40)
    environment = {**os.environ, **good, "WEB_PASSWORD": password, "USERS_FILE": str(tmp_path / "users.acl")}
    ended = subprocess.run(
        [str(START), "echo", "started"], env=environment, capture_output=True, text=True, check=False
    )
    assert (2, "") == (ended.returncode, ended.stdout)
    assert "WEB_PASSWORD" in ended.stderr
    assert not (tmp_path / "users.acl").exists()


def test_server_rejects_the_file_without_passwords(tmp_path: Path) -> None:
    command = [str(redis_binary()), "--port", "0", "--aclfile", str(DEPLOY / "redis" / "users.acl")]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=HANG_S, check=False)
    assert ended.returncode != 0
    assert "password" in ended.stdout.lower()


def test_a_game_with_an_ai_works_with_the_documented_rights(users: Users) -> None:
    """Web, keeper and worker run in one process, each with its own user."""
    users.client("operator").acl_log_reset()
    settings = {name: Settings.from_environment({"REDIS_URL": users.url(name)}) for name in ("web", "workers")}
    client: Any = create_app(settings["web"]).test_client()
    worker = open_context(settings["workers"])
    seats = [{"kind": "player", "name": "Ana"}, {"kind": "ai", "level": "random"}]
    made = client.post("/v1/games", json={"ruleset": "azul", "variant": "grey", "seats": seats}).json
    path, token = f"/v1/games/{made['game']['id']}", bearer(made["tokens"]["seats"]["0"])
    for _ in range(6):
        if client.get(path).json["to_decide"] == 0:
            legal = client.get(f"{path}/actions", headers=token).json
            body = {"id": legal["actions"][0]["id"], "revision": legal["revision"]}
            assert 201 == client.post(f"{path}/actions", json=body, headers=token).status_code
        else:
            wake_due(worker)
            ai_acts(worker, made["game"]["id"])
    assert 5 < client.get(path).json["revision"]
    assert [] == users.denials()


@pytest.mark.nightly
def test_analysis_rating_and_competition_work_with_the_documented_rights(
    users: Users, run: Start, serve: Callable[..., str], tmp_path: Path
) -> None:
    """All kinds of processes run as in Procfile and deploy/kubernetes."""
    users.client("operator").acl_log_reset()
    environment = {"REDIS_URL": users.url("workers"), "WORKERS": "1", "OUTGOING": "loopback", "DIALERS": "1"}
    environment["BACKGROUND_NICE"] = "0"
    metrics = {"METRICS_PORT": str(free_port()), "DATA_DIR": str(tmp_path)}
    programs = [("workers",), ("workers", "--background"), ("workers", "--dial"), ("workers.keeper",)]
    running = [run("-m", *program, **environment) for program in programs]
    running.append(run("-m", "workers.exporter", **environment, **metrics))
    url = serve(REDIS_URL=users.url("web"), OUTGOING="loopback", ADMIN_TOKEN=OPERATOR)
    api = f"{url}/v1"
    wait_until(lambda: is_reachable(api.replace("/v1", "/readyz")), "all processes live")
    assert "finished" == play_a_game(api)["status"]
    assert analyse_a_decision(api)["actions"]
    assert "applied" == rate_a_game(api)
    assert "over" == play_a_competition(api)
    assert requests.get(f"{api}/admin/state", headers=bearer(OPERATOR), timeout=HANG_S).ok
    scraped = requests.get(f"http://127.0.0.1:{metrics['METRICS_PORT']}/metrics", timeout=HANG_S)
    assert 'azul_queue_oldest_seconds{queue="turns"}' in scraped.text
    for process in running:
        process.process.terminate()
    assert [0] * len(running) == [process.process.wait(HANG_S) for process in running]
    assert [] == users.denials()


def post(url: str, body: dict[str, Any], token: str = "") -> dict[str, Any]:
    """Return the body of a successful response."""
    answer = requests.post(url, json=body, headers=bearer(token) if token else {}, timeout=HANG_S)
    assert answer.ok, answer.text
    return dict(answer.json())


def analyse_a_decision(api: str) -> dict[str, Any]:
    """Return the analysis of a game's first decision by a background worker."""
    seats = [{"kind": "player", "name": name} for name in ("Ana", "Ben")]
    game = post(f"{api}/games", {"ruleset": "azul", "variant": "grey", "seats": seats})["game"]
    task = post(f"{api}/games/{game['id']}/analyses", {"kind": "decision", "seconds": 0.1})

    def decision() -> dict[str, Any] | None:
        found = requests.get(f"{api}/analyses/{task['id']}", timeout=HANG_S).json()
        return dict(found["decision"]) if found["status"] == "done" else None

    return dict(wait_until(decision, "the analysis is done"))


def play_a_competition(api: str) -> str:
    """Return the status of a competition of two players after one of them has resigned."""
    tokens = [post(f"{api}/players", {})["token"] for _ in range(2)]
    wanted = {"name": "Open", "format": "swiss", "ruleset": "azul", "variant": "grey", "clock": {"turn_s": 60}}
    url = f"{api}/competitions/{post(f'{api}/competitions', {**wanted, 'rounds': 1}, tokens[0])['id']}"
    for token in tokens:
        post(f"{url}/join", {}, token)
    post(f"{url}/start", {}, tokens[0])
    games = wait_until(lambda: requests.get(url, timeout=HANG_S).json()["current_games"], "it has begun")
    wait_until(lambda: is_reachable(f"{api}/games/{games[0]['game_id']}"), "the game exists")
    post(f"{api}/games/{games[0]['game_id']}/resignation", {}, tokens[0])
    wait_until(lambda: requests.get(url, timeout=HANG_S).json()["ended_at"], "it is over")
    return str(requests.get(url, timeout=HANG_S).json()["status"])


def rate_a_game(api: str) -> str:
    """Return the status of the rating of a game by seeks in which one player has resigned."""
    wanted = {"ruleset": "azul", "variant": "grey", "clock": {"turn_s": 60, "bank_s": 600}, "rated": True}
    tokens = [post(f"{api}/players", {})["token"] for _ in range(2)]
    seeks = [post(f"{api}/seeks", wanted, token) for token in tokens]
    game_id = seeks[1]["game_id"]
    wait_until(lambda: is_reachable(f"{api}/games/{game_id}"), "the game exists")
    for _ in tokens:  # a game in which one of them has not decided is not rated
        view = requests.get(f"{api}/games/{game_id}", timeout=HANG_S).json()
        player = view["seats"][view["to_decide"]]["player"]
        actions = requests.get(f"{api}/games/{game_id}/actions", timeout=HANG_S).json()["actions"]
        token = next(one for one in tokens if one.startswith(player))
        post(f"{api}/games/{game_id}/actions", {"id": actions[0]["id"], "revision": view["revision"]}, token)
    post(f"{api}/games/{game_id}/resignation", {}, tokens[0])

    def final_status() -> str | None:
        status = requests.get(f"{api}/games/{game_id}/rating", timeout=HANG_S).json()["status"]
        return None if status == "pending" else str(status)

    return str(wait_until(final_status, "the rating is settled"))
