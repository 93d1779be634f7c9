"""Real keepers and dialers, and a push service at this machine: notices arrive at devices, which decrypt them.

And the example that passes a webhook's notices on to Firebase Cloud Messaging, with a stand-in of its endpoint.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import orjson
import pytest
import requests

from service.outgoing import signing
from service.usecases.base.context import Caller, Context
from service.usecases.notifications import devices, webhooks
from service.usecases.notifications.devices import NewDevice
from tests.e2e.stack import free_port
from tests.outgoing.push_service import Device, PushService, claims_of
from tests.patience import HANG_S, until
from tests.usecases.games.test_usecases import AI, PLAYER
from tests.usecases.players import new_of
from tests.workers.processes import Processes
from tests.workers.test_calls import calling, context
from tests.workers.test_deliveries import new_player, started

__all__ = ["calling", "context"]  # fixtures
FCM = Path(__file__).parents[2] / "openapi" / "clients" / "push" / "fcm.py"


def subscribed(context: Context, owner: Caller, endpoint: str, device: Device, language: str = "en") -> None:
    devices.subscribe(
        context, owner, NewDevice(endpoint, **device.keys, events=("your_turn",), language=language, name=None)
    )


def test_devices_get_what_they_alone_can_read_and_those_that_are_gone_are_forgotten(
    context: Context, calling: Processes
) -> None:
    started(context, calling)
    ana, phone, tablet = new_player(context), Device(), Device()
    with PushService(statuses={"/gone": 410}) as service:
        subscribed(context, ana, f"{service.origin}/phone", phone)
        subscribed(context, ana, f"{service.origin}/tablet?x=1", tablet, "de")
        subscribed(context, ana, f"{service.origin}/gone", Device())
        game, _ = new_of(context, ana, PLAYER, AI)
        until(lambda: len(service.seen) == 3, calling.output)
        until(lambda: len(devices.listed(context, ana)) == 2)
    by_path = {path: (headers, body) for path, headers, body in service.seen}
    told = [phone.read(by_path["/phone"][1]), tablet.read(by_path["/tablet?x=1"][1])]
    assert [("your_turn", game)] * 2 == [(one["type"], one["game_id"]) for one in told]
    assert ["It is your turn.", "Du bist am Zug."] == [one["text"] for one in told]
    for headers, body in by_path.values():
        assert service.origin == claims_of(headers["authorization"])["aud"]
        assert ("aes128gcm", "86400") == (headers["content-encoding"], headers["ttl"])
        assert headers["authorization"].endswith(f"k={devices.key(context)['public_key']}")
        assert len(body) < 1_000
    assert "Traceback" not in calling.output()


@contextmanager
def passing_on(port: int, **environment: str) -> Iterator[str]:
    """The example, at work: its URL."""
    process = subprocess.Popen([sys.executable, str(FCM), str(port)], env={**os.environ, **environment})
    try:
        url = f"http://127.0.0.1:{port}/"
        until(lambda: _listens(url))
        yield url
    finally:
        process.kill()
        process.wait()


def _listens(url: str) -> bool:
    try:
        requests.get(url, timeout=HANG_S)
    except requests.ConnectionError:
        return False
    return True


@pytest.fixture
def example(tmp_path: Path) -> Callable[..., Any]:
    """The example for one player's phones."""

    def begin(service: PushService, secret: str, phones: dict[str, list[str]]) -> Any:
        (tmp_path / "phones.json").write_bytes(orjson.dumps(phones))
        told = {"SECRET": secret, "PHONES": str(tmp_path / "phones.json")}
        return passing_on(free_port(), FCM=service.origin, PROJECT="azul", ACCESS_TOKEN="of-google", **told)

    return begin


def test_a_webhook_passes_notices_on_to_firebase(
    context: Context, calling: Processes, example: Callable[..., Any]
) -> None:
    started(context, calling)
    ana, secret = new_player(context), signing.new_secret()
    with PushService() as firebase, example(firebase, secret, {ana.player_id: ["phone-1", "phone-2"]}) as url:
        hook = webhooks.create(context, ana, url, ["your_turn"], secret)["webhook"]["id"]
        game, _ = new_of(context, ana, PLAYER, AI)
        until(lambda: len(firebase.seen) == 2, calling.output)
        until(lambda: webhooks.delivered(context, ana, hook)[0]["status"] == "delivered")
    assert {"/v1/projects/azul/messages:send"} == {path for path, _, _ in firebase.seen}
    assert {"Bearer of-google"} == {headers["authorization"] for _, headers, _ in firebase.seen}
    assert [
        {
            "message": {
                "token": f"phone-{number}",
                "notification": {"title": "Azul", "body": "It is your turn."},
                "data": {"type": "your_turn", "game_id": game},
                "android": {"priority": "high", "collapse_key": "your_turn"},
            }
        }
        for number in (1, 2)
    ] == sorted((orjson.loads(body) for _, _, body in firebase.seen), key=lambda sent: sent["message"]["token"])


@pytest.mark.parametrize(("firebase_says", "answer"), [(200, 204), (404, 204), (429, 503), (503, 503)])
def test_what_firebase_cannot_take_now_comes_again(
    example: Callable[..., Any], firebase_says: int, answer: int
) -> None:
    secret = signing.new_secret()
    body = orjson.dumps({"type": "game_over", "data": {"player": "ana", "game": {"id": "x"}}})
    headers = signing.headers(secret, "msg_1", int(time.time()), body)
    with PushService(statuses={"/v1/projects/azul/messages:send": firebase_says}) as firebase:
        with example(firebase, secret, {"ana": ["phone"]}) as url:
            assert answer == requests.post(url, body, headers=headers, timeout=HANG_S).status_code
            forged = requests.post(url, body + b" ", headers=headers, timeout=HANG_S)
        assert (401, 1) == (forged.status_code, len(firebase.seen))


def test_the_example_is_short() -> None:
    assert len(FCM.read_text().splitlines()) < 60
