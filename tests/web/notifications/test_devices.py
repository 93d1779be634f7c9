"""Devices over HTTP: the key, subscribing, what is told of them, and what is wrong with a request."""

from __future__ import annotations

import base64
from typing import Any

from tests.outgoing.push_service import Device
from tests.web.client import Client, Json, answered, invalid, refused
from tests.web.players import Person
from tests.web.wrong_bodies import MISSING, Faults, wrong_bodies

ENDPOINT = "https://push.example/send/secret-of-ana"
KEYS = Device().keys


def body(**changes: Any) -> Json:
    return {"subscription": {"endpoint": ENDPOINT, "expirationTime": None, "keys": KEYS}, **changes}


def subscribe(person: Person, **changes: Any) -> Json:
    return answered(person.client.post("/v1/me/devices", body(**changes)), 201)


def test_a_browser_subscribes_by_the_key_and_is_listed_until_it_is_deleted(
    anyone: Client, ana: Person, ben: Person
) -> None:
    key = answered(anyone.get("/v1/push-key"))["public_key"]
    assert 65 == len(base64.urlsafe_b64decode(key + "="))
    made = subscribe(ana, events=["your_turn"], language="de", name="phone")
    assert ("phone", "de", ["your_turn"], 0) == tuple(made[name] for name in ("name", "language", "events", "failures"))
    assert made == subscribe(ana, events=["your_turn"], language="de", name="phone") | {
        "created_at": made["created_at"]
    }
    assert [made["id"]] == [device["id"] for device in answered(ana.client.get("/v1/me/devices"))["devices"]]
    assert (404, "device/not_found") == refused(ben.client.delete(f"/v1/me/devices/{made['id']}"))
    assert 204 == ana.client.delete(f"/v1/me/devices/{made['id']}").status_code
    assert [] == answered(ana.client.get("/v1/me/devices"))["devices"]


def test_what_reaches_a_device_is_told_to_nobody(ana: Person) -> None:
    subscribe(ana)
    for path in ("/v1/me/devices", "/v1/me/export"):
        content = ana.client.get(path).text
        assert [] == [secret for secret in ("secret-of-ana", KEYS["p256dh"], KEYS["auth"]) if secret in content]
        assert "failures" in content


def test_an_endpoint_that_must_not_be_called_is_refused(ana: Person) -> None:
    urls = ("http://push.example/x", "https://user@push.example/x", "https://push.example/x#y", "ftp://push.example/")
    for endpoint in (*urls, "nothing", "https://push.example:22/x"):
        answer = ana.client.post("/v1/me/devices", body(subscription={"endpoint": endpoint, "keys": KEYS}))
        assert ["/subscription/endpoint"] == invalid(answer), endpoint
        assert ("ports" in (answer.json or {})["errors"][0]["detail"]) == (":22" in endpoint), endpoint


FAULTS: Faults = {
    "/subscription": [None],
    "/subscription/keys": [MISSING],
    "/subscription/keys/p256dh": [MISSING, "A" * 87],
    "/subscription/keys/auth": ["short"],
    "/subscription/expirationTime": ["soon", 1e300],
    "/events": [[]],
    "/events/0": ["everything"],
    "/language": ["fr"],
    "/name": [""],
    "/platform": ["android"],
}


def test_what_is_wrong_with_a_subscription_is_told(ana: Person) -> None:
    for pointer, wrong in wrong_bodies(body(events=["your_turn"]), FAULTS):
        assert [pointer] == invalid(ana.client.post("/v1/me/devices", wrong)), wrong


def test_a_player_has_ten_devices_at_most(ana: Person) -> None:
    for number in range(10):
        subscribe(ana, subscription={"endpoint": f"{ENDPOINT}-{number}", "keys": KEYS})
    answer = ana.client.post("/v1/me/devices", body())
    assert (409, "limit/devices", 10) == (*refused(answer), (answer.json or {})["limit"])
