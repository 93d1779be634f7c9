"""Webhooks over HTTP: created, changed, pinged, deleted, and refusals."""

from __future__ import annotations

import base64
from collections.abc import Callable
from dataclasses import replace
from operator import itemgetter
from typing import Any

import pytest

from service.storage.notifications.webhooks import DeliveryKey
from service.usecases.base import outgoing
from service.usecases.base.context import Context
from service.usecases.matchmaking import competitions
from service.usecases.notifications import dispatch
from tests import keeping
from tests.usecases.competing import SWISS, announce, enter_players, run_keeper
from tests.web.client import Json, body_of, faults, invalid_fields, refusal_of, spec
from tests.web.notifications.pings import URL, deliver_ping
from tests.web.players import Person, act, new_player, seat_players
from tests.web.wrong_bodies import MISSING, Faults, wrong_bodies

MISSING_WEBHOOK = "/v1/me/webhooks/AAAAAAAAAAAAAAAA"


def secret_of(length: int) -> str:
    return "whsec_" + base64.b64encode(b"s" * length).decode()


SECRET = secret_of(24)


def new_webhook(owner: Person, **body: Any) -> Json:
    """Create a webhook. Return it with its secret."""
    return body_of(owner.client.post("/v1/me/webhooks", {"url": URL, **body}), 201)


def path_of(made: Json) -> str:
    return f"/v1/me/webhooks/{made['webhook']['id']}"


def deliveries_to(context: Context, owner: Person, made: Json) -> list[Json]:
    """Run a keeper and return the deliveries, oldest first."""
    keeping.send_webhooks(context)
    results: list[Json] = body_of(owner.client.get(f"{path_of(made)}/deliveries"))["deliveries"]
    return results[::-1]


def test_a_webhook_is_created_read_listed_and_deleted_and_its_secret_shown_once(ana: Person) -> None:
    answer = ana.client.post("/v1/me/webhooks", {"url": URL})
    made = body_of(answer, 201)
    fresh = {"enabled": True, "disabled_reason": None, "failures": 0, "events": None, "url": URL}
    assert fresh == {name: made["webhook"][name] for name in fresh}
    assert path_of(made) == answer.headers["Location"]
    assert made["secret"].startswith("whsec_")
    other = new_webhook(ana, events=["game_over", "your_turn"], secret=SECRET)
    assert (SECRET, ["game_over", "your_turn"]) == (other["secret"], other["webhook"]["events"])
    for path in ("/v1/me/webhooks", path_of(other), f"{path_of(other)}/deliveries"):
        assert b"whsec_" not in ana.client.get(path).data
    listed = body_of(ana.client.get("/v1/me/webhooks"))["webhooks"]
    assert sorted([made["webhook"]["id"], other["webhook"]["id"]]) == sorted(hook["id"] for hook in listed)
    assert other["webhook"] == body_of(ana.client.get(path_of(other)))
    assert 204 == ana.client.delete(path_of(other)).status_code
    assert (404, "webhook/not_found") == refusal_of(ana.client.get(path_of(other)))
    assert (404, "webhook/not_found") == refusal_of(ana.client.delete(path_of(other)))


@pytest.mark.parametrize("length", [24, 64])
def test_a_secret_of_24_to_64_bytes_is_accepted(ana: Person, length: int) -> None:
    assert secret_of(length) == new_webhook(ana, secret=secret_of(length))["secret"]


def test_a_change_affects_only_the_named_fields(ana: Person) -> None:
    made = new_webhook(ana, events=["your_turn"])
    assert made["webhook"] == body_of(ana.client.patch(path_of(made), {}))
    changed = body_of(ana.client.patch(path_of(made), {"url": "https://other.example/"}))
    assert ("https://other.example/", ["your_turn"]) == (changed["url"], changed["events"])
    assert body_of(ana.client.patch(path_of(made), {"events": None}))["events"] is None
    disabled = body_of(ana.client.patch(path_of(made), {"enabled": False}))
    assert (False, "owner") == (disabled["enabled"], disabled["disabled_reason"])
    assert (409, "webhook/disabled") == refusal_of(ana.client.post(f"{path_of(made)}/ping"))
    enabled = body_of(ana.client.patch(path_of(made), {"enabled": True}))
    assert (True, None) == (enabled["enabled"], enabled["disabled_reason"])


def test_a_ping_records_the_result_of_its_attempt(ana: Person, context: Context) -> None:
    made = new_webhook(ana, events=["game_over"])  # a ping ignores the events
    answer = ana.client.post(f"{path_of(made)}/ping")
    delivery = body_of(answer, 202)
    assert f"{path_of(made)}/deliveries" == answer.headers["Location"]
    assert ("ping", "waiting", []) == itemgetter("type", "status", "attempts")(delivery)
    assert {"player": ana.id} == delivery["payload"]["data"]
    parcel = dispatch.take(context, DeliveryKey(ana.id, made["webhook"]["id"], delivery["id"]))
    assert parcel is not None
    dispatch.report(context, parcel, "status", 503, 81)
    (actual,) = deliveries_to(context, ana, made)
    assert [("status", 503, 81)] == [*map(itemgetter("error", "status", "took_ms"), actual["attempts"])]
    assert actual["next_at"] > actual["attempts"][0]["at"]
    assert 1 == body_of(ana.client.get(path_of(made)))["failures"]


def test_a_delivery_is_sent_again_and_counts_as_one_more_attempt(ana: Person, context: Context) -> None:
    ids = deliver_ping(context, ana)
    path = f"/v1/me/webhooks/{ids['webhook']}/deliveries"
    answer = ana.client.post(f"{path}/{ids['delivery']}/attempts")
    delivery = body_of(answer, 202)
    assert path == answer.headers["Location"]
    assert ("waiting", 1, ids["delivery"]) == (delivery["status"], len(delivery["attempts"]), delivery["id"])
    assert (409, "delivery/waiting") == refusal_of(ana.client.post(f"{path}/{ids['delivery']}/attempts"))
    parcel = dispatch.take(context, DeliveryKey(ana.id, ids["webhook"], ids["delivery"]))
    assert parcel is not None
    dispatch.report(context, parcel, "status", 503, 81)
    (actual,) = body_of(ana.client.get(path))["deliveries"]
    assert ("failed", None) == (actual["status"], actual["next_at"])
    assert [None, 503] == [one["status"] for one in actual["attempts"]]


def test_a_delivery_with_all_its_attempts_is_refused_with_the_limit(
    ana: Person, context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = deliver_ping(context, ana)
    monkeypatch.setattr(dispatch, "MAX_DELIVERY_ATTEMPTS", 1)
    answer = ana.client.post(f"/v1/me/webhooks/{ids['webhook']}/deliveries/{ids['delivery']}/attempts")
    assert (409, "limit/attempts", 1) == (*refusal_of(answer), (answer.json or {})["limit"])
    assert int(answer.headers["Retry-After"]) > 0


@pytest.mark.parametrize("delivery", ["AAAAAAAAAAAAAAAA", "not-an-id", "x" * 60, "%20"])
def test_an_unknown_delivery_is_not_found(ana: Person, delivery: str) -> None:
    path = f"{path_of(new_webhook(ana))}/deliveries/{delivery}/attempts"
    assert (404, "delivery/not_found") == refusal_of(ana.client.post(path))


def test_a_rotated_secret_is_shown_once_with_the_end_of_the_old_one(
    ana: Person, context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = new_webhook(ana)
    monkeypatch.setattr(context, "now_ms", lambda: 1_800_000_000_000)
    rotated = body_of(ana.client.post(f"{path_of(made)}/secret", {"overlap_s": 60}), 201)
    assert "2027-01-15T08:01:00.000Z" == rotated["webhook"]["old_secrets_end_at"]
    assert rotated["secret"].startswith("whsec_")
    assert rotated["secret"] != made["secret"]
    assert rotated["webhook"] == body_of(ana.client.get(path_of(made)))
    assert b"whsec_" not in ana.client.get(path_of(made)).data
    given = body_of(ana.client.post(f"{path_of(made)}/secret", {"secret": SECRET}), 201)
    assert (SECRET, "2027-01-16T08:00:00.000Z") == (given["secret"], given["webhook"]["old_secrets_end_at"])
    assert 204 == ana.client.delete(f"{path_of(made)}/old-secrets").status_code
    assert body_of(ana.client.get(path_of(made)))["old_secrets_end_at"] is None
    assert ["/secret"] == invalid_fields(ana.client.post(f"{path_of(made)}/secret", {"secret": SECRET}))


def test_an_invalid_rotation_is_refused_with_its_pointer(ana: Person) -> None:
    made = new_webhook(ana, secret=SECRET)
    wrong: Faults = {"/secret": ["hush", secret_of(23), 7], "/overlap_s": [-1, 7 * 86_400 + 1, "60", 1.5, None]}
    for pointer, body in wrong_bodies({"overlap_s": 60}, wrong):
        assert [pointer] == invalid_fields(ana.client.post(f"{path_of(made)}/secret", body)), body
    assert body_of(ana.client.get(path_of(made)))["old_secrets_end_at"] is None


def test_every_payload_matches_its_schema(ana: Person, ben: Person, context: Context) -> None:
    """Two games cover an offer, a timeout, an end and a rematch. Challenges go both ways. A Swiss has fewer rounds."""
    made = new_webhook(ana)
    table = seat_players(ana, ben, clock={"turn_s": 10, "on_timeout": "lose"})
    deliveries_to(context, ana, made)
    act(table, ana.client)
    body_of(ben.client.post(f"{table.path}/pauses", {"seconds": 60}))
    act(table, ben.client)
    deliveries_to(context, ana, made)
    later = context.now_ms() + 11_000
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(context, "now_ms", lambda: later)
        keeping.wake_due(context)
    body_of(ana.client.post(f"{table.path}/rematch"))
    body_of(ben.client.post(f"{table.path}/rematch"))
    game = {"ruleset": "azul", "variant": "grey"}
    body_of(ben.client.post(f"/v1/players/{ana.id}/challenges", game), 201)
    outgoing.notify_owners(context, [ana.id], "bot", ben.id, "failing", later)
    one = body_of(ana.client.post(f"/v1/players/{ben.id}/challenges", game), 201)
    body_of(ben.client.post(f"/v1/challenges/{one['id']}/decline"), 200)
    competition, host = announce(context, replace(SWISS, rounds=5))
    body_of(ana.client.post(f"/v1/competitions/{competition}/join"), 200)
    enter_players(context, competition, 1)
    competitions.start(context, host, competition)
    run_keeper(context)
    body_of(ana.client.post(f"{path_of(made)}/ping"), 202)
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


def test_the_document_contains_the_headers_of_deliveries() -> None:
    for item in spec()["webhooks"].values():
        names = [reference["$ref"].rpartition("/")[2] for reference in item["post"]["parameters"]]
        deliveries_to = {spec()["components"]["parameters"][name]["name"] for name in names}
        assert {"webhook-id", "webhook-timestamp", "webhook-signature"} == deliveries_to


def test_a_webhook_is_hidden_from_other_callers(ana: Person, ben: Person, context: Context) -> None:
    made = new_webhook(ana)
    table = seat_players(ana, ben, visibility="public")
    act(table, ana.client)
    deliveries_to(context, ana, made)
    hidden = (b"bot.example", b"hush", made["secret"].encode(), made["webhook"]["id"].encode())
    paths = ("", "/history", "/export", "/events?after=1", "/messages")
    responses = [ben.client.flask.get(table.path + path, headers=_bearer(ben)) for path in paths]
    responses += [ben.client.get(f"/v1{path}") for path in ("/games", "/me", "/me/turns", "/me/games", "/me/webhooks")]
    for response in responses:
        content = next(iter(response.response)) if response.is_streamed else response.data
        assert 200 == response.status_code
        assert [] == [part for part in hidden if part in content]
        response.close()


def _bearer(person: Person) -> dict[str, str]:
    return {"Authorization": f"Bearer {person.token}"}


def every_command(path: str) -> dict[str, Callable[[Person], Any]]:
    """Return every request that concerns one webhook."""
    return {
        "get": lambda person: person.client.get(path),
        "patch": lambda person: person.client.patch(path, {"enabled": False}),
        "delete": lambda person: person.client.delete(path),
        "deliveries": lambda person: person.client.get(f"{path}/deliveries"),
        "ping": lambda person: person.client.post(f"{path}/ping"),
        "rotate": lambda person: person.client.post(f"{path}/secret"),
        "end secrets": lambda person: person.client.delete(f"{path}/old-secrets"),
        "resend": lambda person: person.client.post(f"{path}/deliveries/AAAAAAAAAAAAAAAA/attempts"),
    }


@pytest.mark.parametrize("command", every_command(""))
def test_a_webhook_of_another_player_is_not_found(ana: Person, ben: Person, command: str) -> None:
    made = new_webhook(ana)
    for path in (path_of(made), MISSING_WEBHOOK, "/v1/me/webhooks/not-an-id", "/v1/me/webhooks/" + "x" * 60):
        assert (404, "webhook/not_found") == refusal_of(every_command(path)[command](ben))
    assert body_of(ana.client.get(path_of(made)))["enabled"]


FAULTS: Faults = {
    "/url": [
        *(MISSING, None, 7, "", "https://bot.example/" + "a" * 2000, "http://bot.example/", "https://bot.example:22/"),
        *("https://me:hush@bot.example/", "https://bot.example/#x", "https://bot.example/\n", "bot.example"),
    ],
    "/events": [[], "your_turn", ["your_turn"] * 30],
    "/events/0": ["ping", None],
    "/events/1": ["my_turn"],
    "/secret": ["", "hush", "whsec_AAAA", f"whsec_{'A' * 400}", secret_of(23), secret_of(65), 7],
    "/enabled": [True],
}


def test_an_invalid_webhook_is_refused_with_its_pointer(ana: Person) -> None:
    for pointer, body in wrong_bodies({"url": URL, "events": ["your_turn", "game_over"]}, FAULTS):
        assert [pointer] == invalid_fields(ana.client.post("/v1/me/webhooks", body)), body
    assert [] == body_of(ana.client.get("/v1/me/webhooks"))["webhooks"]


def test_an_invalid_change_is_refused_and_changes_nothing(ana: Person) -> None:
    made = new_webhook(ana, events=["your_turn"])
    faults: Faults = {"/url": [None, "http://bot.example/"], "/events": [[]], "/events/0": ["ping"]}
    faults |= {"/enabled": [None, "true"], "/secret": [SECRET]}
    for pointer, body in wrong_bodies({"events": ["your_turn"]}, faults):
        assert [pointer] == invalid_fields(ana.client.patch(path_of(made), body)), body
    assert made["webhook"] == body_of(ana.client.get(path_of(made)))


def test_the_sixth_webhook_of_a_player_is_refused(ana: Person, ben: Person) -> None:
    for _ in range(5):
        new_webhook(ana)
    answer = ana.client.post("/v1/me/webhooks", {"url": URL})
    assert (409, "limit/webhooks") == refusal_of(answer)
    assert 5 == (answer.json or {})["limit"]
    new_webhook(ben)


def test_without_outgoing_calls_a_webhook_can_only_be_disabled_and_deleted(ana: Person, context: Context) -> None:
    made = new_webhook(ana)
    context.settings = replace(context.settings, outgoing="off")
    for answer in (
        ana.client.post("/v1/me/webhooks", {"url": URL}),
        ana.client.patch(path_of(made), {"enabled": True}),
        ana.client.patch(path_of(made), {"url": URL}),
        ana.client.post(f"{path_of(made)}/ping"),
        ana.client.post(f"{path_of(made)}/deliveries/AAAAAAAAAAAAAAAA/attempts"),
    ):
        assert (403, "outgoing/off") == refusal_of(answer)
    assert not body_of(ana.client.patch(path_of(made), {"enabled": False}))["enabled"]
    assert 204 == ana.client.delete(path_of(made)).status_code


def test_a_new_token_keeps_the_webhooks(ana: Person) -> None:
    made = new_webhook(ana)
    token = body_of(ana.client.post("/v1/me/token"), 201)["token"]
    assert made["webhook"] == body_of(ana.client.with_token(token).get(path_of(made)))
    assert (401, "auth/token_unknown") == refusal_of(ana.client.get(path_of(made)))


def test_a_player_without_webhooks_has_an_empty_list(anyone: Any) -> None:
    assert [] == body_of(new_player(anyone).client.get("/v1/me/webhooks"))["webhooks"]
