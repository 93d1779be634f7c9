"""Devices over HTTP: the key, subscriptions, their view, and invalid requests."""

from __future__ import annotations

import base64
from typing import Any

from tests.outgoing.push_service import Device
from tests.web.client import Client, Json, body_of, invalid_fields, refusal_of
from tests.web.players import Person
from tests.web.wrong_bodies import MISSING, Faults, wrong_bodies

ENDPOINT = "https://push.example/send/secret-of-ana"
KEYS = Device().keys


def body(**changes: Any) -> Json:
    return {"subscription": {"endpoint": ENDPOINT, "expirationTime": None, "keys": KEYS}, **changes}


def subscribe(person: Person, **changes: Any) -> Json:
    return body_of(person.client.post("/v1/me/devices", body(**changes)), 201)


def test_a_browser_subscribes_by_key_and_is_listed_until_deleted(anyone: Client, ana: Person, ben: Person) -> None:
    key = body_of(anyone.get("/v1/push-key"))["public_key"]
    assert 65 == len(base64.urlsafe_b64decode(key + "="))
    made = subscribe(ana, events=["your_turn"], language="de", name="phone")
    assert ("phone", "de", ["your_turn"], 0) == tuple(made[name] for name in ("name", "language", "events", "failures"))
    assert made == subscribe(ana, events=["your_turn"], language="de", name="phone") | {
        "created_at": made["created_at"]
    }
    assert [made["id"]] == [device["id"] for device in body_of(ana.client.get("/v1/me/devices"))["devices"]]
    assert (404, "device/not_found") == refusal_of(ben.client.delete(f"/v1/me/devices/{made['id']}"))
    assert 204 == ana.client.delete(f"/v1/me/devices/{made['id']}").status_code
    assert [] == body_of(ana.client.get("/v1/me/devices"))["devices"]


def test_the_keys_of_a_device_stay_secret(ana: Person) -> None:
    subscribe(ana)
    for path in ("/v1/me/devices", "/v1/me/export"):
        content = ana.client.get(path).text
        assert [] == [secret for secret in ("secret-of-ana", KEYS["p256dh"], KEYS["auth"]) if secret in content]
        assert "failures" in content


def test_a_forbidden_endpoint_is_refused(ana: Person) -> None:
    urls = ("http://push.example/x", "https://user@push.example/x", "https://push.example/x#y", "ftp://push.example/")
    for endpoint in (*urls, "nothing", "https://push.example:22/x"):
        answer = ana.client.post("/v1/me/devices", body(subscription={"endpoint": endpoint, "keys": KEYS}))
        assert ["/subscription/endpoint"] == invalid_fields(answer), endpoint
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


def test_an_invalid_subscription_is_refused_with_its_pointer(ana: Person) -> None:
    for pointer, invalid_body in wrong_bodies(body(events=["your_turn"]), FAULTS):
        assert [pointer] == invalid_fields(ana.client.post("/v1/me/devices", invalid_body)), invalid_body


def test_a_player_has_ten_devices_at_most(ana: Person) -> None:
    for number in range(10):
        subscribe(ana, subscription={"endpoint": f"{ENDPOINT}-{number}", "keys": KEYS})
    answer = ana.client.post("/v1/me/devices", body())
    assert (409, "limit/devices", 10) == (*refusal_of(answer), (answer.json or {})["limit"])
