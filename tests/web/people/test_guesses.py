"""Guesses of secrets: an address may make some, everybody else is unaffected."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from redis import Redis
from werkzeug.test import TestResponse

from service.web.http import guesses
from tests.outgoing.oidc_provider import OidcProvider, oidc_provider
from tests.patience import let_expire
from tests.web.client import Client, body_of
from tests.web.conftest import ADMIN_TOKEN
from tests.web.limited_service import KEY, KEYS, NEW_GAME, Serve, code, create
from tests.web.players import new_staff_token
from tests.web.table import Table

__all__ = ["oidc_provider"]  # a fixture
ELSEWHERE = "192.0.2.1"
DAYS = itertools.count(0, 86_400)
FEW = {"LIMIT_GUESSES": "3/3600", "ADMIN_TOKEN": ADMIN_TOKEN}


def enter(client: Client, token: str, path: str = "games", address: str = "127.0.0.1") -> Any:
    """Read as the operator with a token."""
    bearer = {"Authorization": f"Bearer {token}"}
    return client.flask.get(f"/v1/admin/{path}", headers=bearer, environ_base={"REMOTE_ADDR": address})


def exhaust(client: Client) -> None:
    """Use up the guesses of the client's address."""
    assert [403] * 3 == [enter(client, f"guess {number}").status_code for number in range(3)]


@pytest.fixture(autouse=True)
def seconds(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Replace the clock of the limit. Each test begins a day later, because the instances remember addresses."""
    now = [float(next(DAYS))]
    monkeypatch.setattr(guesses, "time", SimpleNamespace(monotonic=lambda: now[0]))
    return now


def test_guesses_of_the_operators_token_are_limited_by_address(
    serve: Serve, redis_client: Redis, seconds: list[float]
) -> None:
    client = serve(**FEW)
    exhaust(client)
    for token, path in (("another guess", "games"), (ADMIN_TOKEN, "games"), (ADMIN_TOKEN, "log")):
        answer = enter(client, token, path)
        assert (429, "limit/requests", "guesses") == (answer.status_code, code(answer), (answer.json or {})["budget"])
        assert 3590 < int(answer.headers["Retry-After"]) <= 3600
    assert 200 == enter(client, ADMIN_TOKEN, address=ELSEWHERE).status_code
    assert 200 == client.get("/v1/levels").status_code
    let_expire(redis_client, 3600)
    seconds[0] += 3600
    assert [200, 403] == [enter(client, token).status_code for token in (ADMIN_TOKEN, "another guess")]


def test_right_tokens_and_visits_without_one_are_no_guesses(serve: Serve) -> None:
    client = serve(**FEW)
    for _ in range(5):
        assert 200 == enter(client, ADMIN_TOKEN).status_code
        assert 401 == client.get("/v1/admin/games").status_code
        assert 200 == client.get("/admin").status_code
        assert 404 == client.with_token(ADMIN_TOKEN).get(f"/v1/games/{'A' * 16}").status_code
        assert 403 == client.with_token(ADMIN_TOKEN).get("/v1/me").status_code
        unknown = client.flask.get(f"/v1/games/{'A' * 16}", auth=("a proxy", "its password"))
        assert 404 == unknown.status_code
    exhaust(client)


def test_tokens_of_staff_are_no_guesses_and_work_without_guesses(serve: Serve) -> None:
    client = serve(**FEW)
    operator = client.with_token(ADMIN_TOKEN)
    token, revoked = (new_staff_token(operator, "moderator") for _ in range(2))
    operator.delete(f"/v1/admin/staff/{revoked.split('.')[1]}")
    for _ in range(5):
        assert 401 == client.with_token(revoked).get("/v1/admin/log").status_code
        assert 403 == client.with_token(token).get("/v1/admin/games").status_code
    exhaust(client)
    assert 200 == client.with_token(token).get("/v1/admin/log").status_code


def test_instances_share_the_count_of_guesses(serve: Serve) -> None:
    one, other = serve(**FEW), serve(**FEW)
    exhaust(one)
    assert [429, 429] == [enter(other, token).status_code for token in ("another guess", ADMIN_TOKEN)]


def test_guesses_are_unlimited_without_a_limit(serve: Serve) -> None:
    client = serve(**{**FEW, "LIMIT_GUESSES": "0"})
    assert {403} == {enter(client, "guess").status_code for _ in range(25)}


# ------------------------------------------------------------------------------------------------------ other places

Guess = Callable[[Client, Table], TestResponse]


def ticket(client: Client, table: Table) -> TestResponse:
    return client.get(f"{table.path}/events?ticket=guess")


def picture(client: Client, table: Table) -> TestResponse:
    return client.get(f"{table.path}/board.svg?ticket=guess")


def api_key(client: Client, _table: Table) -> TestResponse:
    return client.get("/v1/levels", X_Api_Key="guess")


def operators_list(client: Client, _table: Table) -> TestResponse:
    return client.with_token("guess").get("/v1/admin/games")


def private_game(client: Client, table: Table) -> TestResponse:
    return client.with_token("guess").get(table.path)


def abortion(client: Client, table: Table) -> TestResponse:
    return client.with_token("guess").post(f"{table.path}/abort")


def competition(client: Client, _table: Table) -> TestResponse:
    return client.with_token("guess").send("DELETE", "/v1/competitions/AAAAAAAAAAAAAAAA")


def invitation(client: Client, _table: Table) -> TestResponse:
    clock = {"turn_s": 30, "bank_s": 60}
    new = {
        "name": "Open",
        "format": "swiss",
        "ruleset": "azul",
        "variant": "grey",
        "clock": clock,
        "by_invitation": True,
    }
    host, guest = (client.with_token(body_of(client.post("/v1/players"), 201)["token"]) for _ in range(2))
    made = body_of(host.post("/v1/competitions", new), 201)
    return guest.post(f"/v1/competitions/{made['id']}/join", {"invitation": "guess"})


@pytest.mark.parametrize(
    "guess", [ticket, picture, api_key, operators_list, private_game, abortion, competition, invitation]
)
def test_wrong_secrets_are_limited_everywhere(serve: Serve, guess: Guess) -> None:
    client = serve(**FEW, API_KEYS=KEYS)
    made = body_of(client.post("/v1/games", {**NEW_GAME, "visibility": "private"}), 201)
    table = Table(made["game"]["id"], made["tokens"], client)
    answers = [guess(client, table) for _ in range(4)]
    assert [False, False, False, True] == [answer.status_code == 429 for answer in answers]
    assert int(answers[-1].headers["Retry-After"]) > 0
    assert 429 == enter(client, ADMIN_TOKEN).status_code


def test_guesses_of_a_sign_ins_secret_are_limited_and_do_not_use_it_up(
    serve: Serve, oidc_provider: OidcProvider
) -> None:
    client = serve(**FEW)
    context = client.flask.application.extensions["context"]
    context.settings = replace(context.settings, oidc_providers=(oidc_provider.provider("google"),))
    begun = body_of(client.post("/v1/sign-ins", {"provider": "google"}), 201)
    path, id_token = f"/v1/sign-ins/{begun['id']}/token", oidc_provider.token(begun["nonce"])
    answers = [client.post(path, {"secret": f"guess {number}", "id_token": id_token}) for number in range(4)]
    assert [403, 403, 403, 429] == [answer.status_code for answer in answers]
    right = {"secret": begun["secret"], "id_token": id_token, "create": True}
    assert 201 == client.post(path, right).status_code


def test_the_operators_token_is_good_for_nothing_while_its_address_has_no_guesses(serve: Serve) -> None:
    client = serve(**FEW)
    made = body_of(client.post("/v1/games", {**NEW_GAME, "visibility": "private"}), 201)
    operator, path = client.with_token(ADMIN_TOKEN), f"/v1/games/{made['game']['id']}"
    assert 200 == operator.get(path).status_code
    exhaust(client)
    for bearer in (operator, client.with_token("guess")):  # a right guess is answered like a wrong one
        assert [429] * 2 == [bearer.get(one).status_code for one in ("/v1/admin/games", path)]
        assert 429 == bearer.post(f"{path}/abort").status_code
    assert "playing" == body_of(client.with_token(made["tokens"]["host"]).get(path))["status"]


def test_other_secrets_stay_good_while_their_address_has_no_guesses(serve: Serve) -> None:
    client = serve(**FEW, API_KEYS=KEYS)
    table = create(client)
    exhaust(client)
    given = body_of(table.host.post(f"{table.path}/tickets"), 201)["ticket"]
    assert 200 == client.get(f"{table.path}/board.svg?ticket={given}").status_code
    assert 200 == client.get("/v1/levels", X_Api_Key=KEY).status_code
    assert 201 == table.act().status_code


def test_expired_tokens_are_no_guesses(serve: Serve) -> None:
    client = serve(**FEW)
    table = create(client)
    for token in ("x" * 43, f"{'A' * 16}.{'x' * 43}", f"{'A' * 16}.{'0' * 16}.{'x' * 43}"):
        expired = client.with_token(token)
        assert {401} == {expired.post(f"{table.path}/abort").status_code for _ in range(4)}
    exhaust(client)
