"""Webhooks as their owner sees them over HTTP: made, changed, tried, deleted; and what is refused."""

from __future__ import annotations

import base64
from collections.abc import Callable
from dataclasses import replace
from operator import itemgetter
from typing import Any

import pytest

from service.storage.notifications.webhooks import DeliveryKey
from service.usecases.base.context import Context
from service.usecases.notifications import dispatch
from tests import keeping
from tests.web.client import Json, answered, faults, invalid, refused, spec
from tests.web.players import Person, act, new_player, seated
from tests.web.wrong_bodies import MISSING, Faults, wrong_bodies

URL = "https://bot.example/azul?key=hush"
NOBODYS = "/v1/me/webhooks/AAAAAAAAAAAAAAAA"


def secret_of(length: int) -> str:
    return "whsec_" + base64.b64encode(b"s" * length).decode()


SECRET = secret_of(24)


def new(owner: Person, **body: Any) -> Json:
    """A new webhook and its secret."""
    return answered(owner.client.post("/v1/me/webhooks", {"url": URL, **body}), 201)


def path_of(made: Json) -> str:
    return f"/v1/me/webhooks/{made['webhook']['id']}"


def deliveries_to(context: Context, owner: Person, made: Json) -> list[Json]:
    """The deliveries, oldest first, after a keeper has looked."""
    keeping.tell_webhooks(context)
    results: list[Json] = answered(owner.client.get(f"{path_of(made)}/deliveries"))["deliveries"]
    return results[::-1]


def test_a_webhook_is_made_read_listed_and_deleted_and_its_secret_told_once(ana: Person) -> None:
    answer = ana.client.post("/v1/me/webhooks", {"url": URL})
    made = answered(answer, 201)
    fresh = {"enabled": True, "disabled_reason": None, "failures": 0, "events": None, "url": URL}
    assert fresh == {name: made["webhook"][name] for name in fresh}
    assert path_of(made) == answer.headers["Location"]
    assert made["secret"].startswith("whsec_")
    other = new(ana, events=["game_over", "your_turn"], secret=SECRET)
    assert (SECRET, ["game_over", "your_turn"]) == (other["secret"], other["webhook"]["events"])
    for path in ("/v1/me/webhooks", path_of(other), f"{path_of(other)}/deliveries"):
        assert b"whsec_" not in ana.client.get(path).data
    listed = answered(ana.client.get("/v1/me/webhooks"))["webhooks"]
    assert sorted([made["webhook"]["id"], other["webhook"]["id"]]) == sorted(hook["id"] for hook in listed)
    assert other["webhook"] == answered(ana.client.get(path_of(other)))
    assert 204 == ana.client.delete(path_of(other)).status_code
    assert (404, "webhook/not_found") == refused(ana.client.get(path_of(other)))
    assert (404, "webhook/not_found") == refused(ana.client.delete(path_of(other)))


@pytest.mark.parametrize("length", [24, 64])
def test_a_secret_of_24_to_64_bytes_is_taken(ana: Person, length: int) -> None:
    assert secret_of(length) == new(ana, secret=secret_of(length))["secret"]


def test_what_is_named_is_changed_and_the_rest_stays(ana: Person) -> None:
    made = new(ana, events=["your_turn"])
    assert made["webhook"] == answered(ana.client.patch(path_of(made), {}))
    changed = answered(ana.client.patch(path_of(made), {"url": "https://other.example/"}))
    assert ("https://other.example/", ["your_turn"]) == (changed["url"], changed["events"])
    assert answered(ana.client.patch(path_of(made), {"events": None}))["events"] is None
    disabled = answered(ana.client.patch(path_of(made), {"enabled": False}))
    assert (False, "owner") == (disabled["enabled"], disabled["disabled_reason"])
    assert (409, "webhook/disabled") == refused(ana.client.post(f"{path_of(made)}/ping"))
    enabled = answered(ana.client.patch(path_of(made), {"enabled": True}))
    assert (True, None) == (enabled["enabled"], enabled["disabled_reason"])


def test_a_ping_shows_whether_the_webhook_is_reached(ana: Person, context: Context) -> None:
    made = new(ana, events=["game_over"])  # a ping comes all the same
    answer = ana.client.post(f"{path_of(made)}/ping")
    delivery = answered(answer, 202)
    assert f"{path_of(made)}/deliveries" == answer.headers["Location"]
    assert ("ping", "waiting", []) == itemgetter("type", "status", "attempts")(delivery)
    assert {"player": ana.id} == delivery["payload"]["data"]
    parcel = dispatch.take(context, DeliveryKey(ana.id, made["webhook"]["id"], delivery["id"]))
    assert parcel is not None
    dispatch.report(context, parcel, "status", 503, 81)
    (actual,) = deliveries_to(context, ana, made)
    assert [("status", 503, 81)] == [*map(itemgetter("error", "status", "took_ms"), actual["attempts"])]
    assert actual["next_at"] > actual["attempts"][0]["at"]
    assert 1 == answered(ana.client.get(path_of(made)))["failures"]


def test_every_payload_is_what_the_document_says_of_its_type(ana: Person, ben: Person, context: Context) -> None:
    """Two games of two players: one with an offer, a time-out, an end and a rematch; and challenges both ways."""
    made = new(ana)
    table = seated(ana, ben, clock={"turn_s": 10, "on_timeout": "lose"})
    deliveries_to(context, ana, made)
    act(table, ana.client)
    answered(ben.client.post(f"{table.path}/pauses", {"seconds": 60}))
    act(table, ben.client)
    deliveries_to(context, ana, made)
    then = context.now_ms() + 11_000
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(context, "now_ms", lambda: then)
        keeping.wake_due(context)
    answered(ana.client.post(f"{table.path}/rematch"))
    answered(ben.client.post(f"{table.path}/rematch"))
    game = {"ruleset": "azul", "variant": "grey"}
    answered(ben.client.post(f"/v1/players/{ana.id}/challenges", game), 201)
    one = answered(ana.client.post(f"/v1/players/{ben.id}/challenges", game), 201)
    answered(ben.client.post(f"/v1/challenges/{one['id']}/decline"), 200)
    answered(ana.client.post(f"{path_of(made)}/ping"), 202)
    actual = deliveries_to(context, ana, made)
    schemas = {
        name: item["post"]["requestBody"]["content"]["application/json"]["schema"]
        for name, item in spec()["webhooks"].items()
        if name != "decision"
    }
    assert set(schemas) == {delivery["type"] for delivery in actual}
    for delivery in actual:
        assert delivery["type"] == delivery["payload"]["type"]
        assert [] == faults(schemas[delivery["type"]], delivery["payload"])


def test_the_headers_of_what_is_sent_are_in_the_document() -> None:
    for item in spec()["webhooks"].values():
        names = [reference["$ref"].rpartition("/")[2] for reference in item["post"]["parameters"]]
        deliveries_to = {spec()["components"]["parameters"][name]["name"] for name in names}
        assert {"webhook-id", "webhook-timestamp", "webhook-signature"} == deliveries_to


def test_nothing_of_a_webhook_is_seen_by_others(ana: Person, ben: Person, context: Context) -> None:
    made = new(ana)
    table = seated(ana, ben, visibility="public")
    act(table, ana.client)
    deliveries_to(context, ana, made)
    hidden = (b"bot.example", b"hush", made["secret"].encode(), made["webhook"]["id"].encode())
    paths = ("", "/history", "/export", "/events?after=1", "/messages")
    looks = [ben.client.flask.get(table.path + path, headers=_bearer(ben)) for path in paths]
    looks += [ben.client.get(f"/v1{path}") for path in ("/games", "/me", "/me/turns", "/me/games", "/me/webhooks")]
    for look in looks:
        content = next(iter(look.response)) if look.is_streamed else look.data
        assert 200 == look.status_code
        assert [] == [part for part in hidden if part in content]
        look.close()


def _bearer(person: Person) -> dict[str, str]:
    return {"Authorization": f"Bearer {person.token}"}


def every_command(path: str) -> dict[str, Callable[[Person], Any]]:
    """All that can be done with one webhook."""
    return {
        "get": lambda person: person.client.get(path),
        "patch": lambda person: person.client.patch(path, {"enabled": False}),
        "delete": lambda person: person.client.delete(path),
        "deliveries": lambda person: person.client.get(f"{path}/deliveries"),
        "ping": lambda person: person.client.post(f"{path}/ping"),
    }


@pytest.mark.parametrize("command", every_command(""))
def test_anothers_webhook_is_as_one_that_nobody_has(ana: Person, ben: Person, command: str) -> None:
    made = new(ana)
    for path in (path_of(made), NOBODYS, "/v1/me/webhooks/not-an-id", "/v1/me/webhooks/" + "x" * 60):
        assert (404, "webhook/not_found") == refused(every_command(path)[command](ben))
    assert answered(ana.client.get(path_of(made)))["enabled"]


FAULTS: Faults = {
    "/url": [
        *(MISSING, None, 7, "", "https://bot.example/" + "a" * 2000, "http://bot.example/", "https://bot.example:22/"),
        *("https://me:hush@bot.example/", "https://bot.example/#x", "https://bot.example/\n", "bot.example"),
    ],
    "/events": [[], "your_turn", ["your_turn"] * 9],
    "/events/0": ["ping", None],
    "/events/1": ["my_turn"],
    "/secret": ["", "hush", "whsec_AAAA", f"whsec_{'A' * 400}", secret_of(23), secret_of(65), 7],
    "/enabled": [True],
}


def test_a_fault_is_told_with_its_pointer(ana: Person) -> None:
    for pointer, body in wrong_bodies({"url": URL, "events": ["your_turn", "game_over"]}, FAULTS):
        assert [pointer] == invalid(ana.client.post("/v1/me/webhooks", body)), body
    assert [] == answered(ana.client.get("/v1/me/webhooks"))["webhooks"]


def test_a_fault_in_a_change_is_told_and_changes_nothing(ana: Person) -> None:
    made = new(ana, events=["your_turn"])
    faults: Faults = {"/url": [None, "http://bot.example/"], "/events": [[]], "/events/0": ["ping"]}
    faults |= {"/enabled": [None, "true"], "/secret": [SECRET]}
    for pointer, body in wrong_bodies({"events": ["your_turn"]}, faults):
        assert [pointer] == invalid(ana.client.patch(path_of(made), body)), body
    assert made["webhook"] == answered(ana.client.get(path_of(made)))


def test_the_sixth_webhook_is_refused_and_another_player_has_five_of_his_own(ana: Person, ben: Person) -> None:
    for _ in range(5):
        new(ana)
    answer = ana.client.post("/v1/me/webhooks", {"url": URL})
    assert (409, "limit/webhooks") == refused(answer)
    assert 5 == (answer.json or {})["limit"]
    new(ben)


def test_where_nobody_is_called_a_webhook_can_be_disabled_and_deleted_only(ana: Person, context: Context) -> None:
    made = new(ana)
    context.settings = replace(context.settings, outgoing="off")
    for answer in (
        ana.client.post("/v1/me/webhooks", {"url": URL}),
        ana.client.patch(path_of(made), {"enabled": True}),
        ana.client.patch(path_of(made), {"url": URL}),
        ana.client.post(f"{path_of(made)}/ping"),
    ):
        assert (403, "outgoing/off") == refused(answer)
    assert not answered(ana.client.patch(path_of(made), {"enabled": False}))["enabled"]
    assert 204 == ana.client.delete(path_of(made)).status_code


def test_a_new_token_leaves_the_webhooks_as_they_are(ana: Person) -> None:
    made = new(ana)
    token = answered(ana.client.post("/v1/me/token"), 201)["token"]
    assert made["webhook"] == answered(ana.client.with_token(token).get(path_of(made)))
    assert (401, "auth/token_unknown") == refused(ana.client.get(path_of(made)))


def test_a_player_without_webhooks_has_an_empty_list(anyone: Any) -> None:
    assert [] == answered(new_player(anyone).client.get("/v1/me/webhooks"))["webhooks"]
