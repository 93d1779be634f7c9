"""Real keepers, dialers and a push service: notices arrive at devices, which decrypt them.

The example `fcm.py` passes a webhook's notices on to a substitute for Firebase Cloud Messaging.
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
from tests.patience import HANG_S, wait_until
from tests.usecases.games.test_usecases import AI, PLAYER
from tests.usecases.players import new_game_of
from tests.workers.processes import Processes
from tests.workers.test_calls import calling, context
from tests.workers.test_deliveries import new_player
from tests.workers.test_processes import start_ready

__all__ = ["calling", "context"]  # fixtures
FCM = Path(__file__).parents[2] / "openapi" / "clients" / "push" / "fcm.py"


def subscribe(context: Context, owner: Caller, endpoint: str, device: Device, language: str = "en") -> None:
    devices.subscribe(
        context, owner, NewDevice(endpoint, **device.keys, events=("your_turn",), language=language, name=None)
    )


def test_devices_receive_encrypted_notices_and_expired_devices_are_deleted(
    context: Context, calling: Processes
) -> None:
    start_ready(context, calling, "dialer", "keeper")
    ana, phone, tablet = new_player(context), Device(), Device()
    with PushService(statuses={"/gone": 410}) as service:
        subscribe(context, ana, f"{service.origin}/phone", phone)
        subscribe(context, ana, f"{service.origin}/tablet?x=1", tablet, "de")
        subscribe(context, ana, f"{service.origin}/gone", Device())
        game, _ = new_game_of(context, ana, PLAYER, AI)
        wait_until(lambda: len(service.seen) == 3, calling.output)
        wait_until(lambda: len(devices.list_devices(context, ana)) == 2)
    by_path = {path: (headers, body) for path, headers, body in service.seen}
    told = [phone.read(by_path["/phone"][1]), tablet.read(by_path["/tablet?x=1"][1])]
    assert [("your_turn", game)] * 2 == [(one["type"], one["game_id"]) for one in told]
    assert ["It is your turn.", "Du bist am Zug."] == [one["text"] for one in told]
    for headers, body in by_path.values():
        assert service.origin == claims_of(headers["authorization"])["aud"]
        assert ("aes128gcm", "86400") == (headers["content-encoding"], headers["ttl"])
        assert headers["authorization"].endswith(f"k={devices.subscription_key(context)['public_key']}")
        assert len(body) < 1_000
    assert "Traceback" not in calling.output()


@contextmanager
def passing_on(port: int, **environment: str) -> Iterator[str]:
    """Run the example and yield its URL."""
    process = subprocess.Popen([sys.executable, str(FCM), str(port)], env={**os.environ, **environment})
    try:
        url = f"http://127.0.0.1:{port}/"
        wait_until(lambda: _listens(url))
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
    """Return a function that runs the example for one player's phones."""

    def begin(service: PushService, secret: str, phones: dict[str, list[str]]) -> Any:
        (tmp_path / "phones.json").write_bytes(orjson.dumps(phones))
        settings = {"SECRET": secret, "PHONES": str(tmp_path / "phones.json")}
        return passing_on(free_port(), FCM=service.origin, PROJECT="azul", ACCESS_TOKEN="of-google", **settings)

    return begin


def test_a_webhook_passes_notices_on_to_firebase(
    context: Context, calling: Processes, example: Callable[..., Any]
) -> None:
    start_ready(context, calling, "dialer", "keeper")
    ana, secret = new_player(context), signing.new_secret()
    with PushService() as firebase, example(firebase, secret, {ana.player_id: ["phone-1", "phone-2"]}) as url:
        hook = webhooks.create(context, ana, url, ["your_turn"], secret)["webhook"]["id"]
        game, _ = new_game_of(context, ana, PLAYER, AI)
        wait_until(lambda: len(firebase.seen) == 2, calling.output)
        wait_until(lambda: webhooks.list_deliveries(context, ana, hook)[0]["status"] == "delivered")
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
def test_notice_that_firebase_rejects_temporarily_is_sent_again(
    example: Callable[..., Any], firebase_says: int, answer: int
) -> None:
    secret = signing.new_secret()
    body = orjson.dumps({"type": "game_over", "data": {"player": "ana", "game": {"id": "x"}}})
    headers = signing.headers("msg_1", int(time.time()), body, secret)
    with PushService(statuses={"/v1/projects/azul/messages:send": firebase_says}) as firebase:
        with example(firebase, secret, {"ana": ["phone"]}) as url:
            assert answer == requests.post(url, body, headers=headers, timeout=HANG_S).status_code
            forged = requests.post(url, body + b" ", headers=headers, timeout=HANG_S)
        assert (401, 1) == (forged.status_code, len(firebase.seen))


def test_the_firebase_example_has_less_than_60_lines() -> None:
    assert len(FCM.read_text().splitlines()) < 60
