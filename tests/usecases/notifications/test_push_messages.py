"""Push messages: their content and language, retries, and devices that are removed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from service.games.notices import NOTICES
from service.outgoing import web_push
from service.rulesets.registry import RULESETS
from service.storage.notifications.webhooks import DeliveryKey
from service.usecases.base.context import Caller, Context
from service.usecases.base.outgoing import FAILING_MS, MAX_FAILURES
from service.usecases.games.creating import NewSeat
from service.usecases.matchmaking import challenging
from service.usecases.matchmaking.seeking import NewSeek
from service.usecases.notifications import devices, dispatch, push_messages, webhooks
from service.usecases.notifications.devices import NewDevice
from service.usecases.notifications.dispatch import BACKOFF_S
from service.usecases.people import players
from tests import keeping
from tests.outgoing.push_service import Device, claims_of
from tests.rulesets.offers import PUBLISHED
from tests.usecases.players import Time, new_game_of, player
from tests.usecases.webhook_deliveries import outgoing, refusal_code

__all__ = ["outgoing"]  # fixtures
PERSON, AI = NewSeat("player"), NewSeat("ai", level="greedy")
ENDPOINT = "https://push.example/send/of-ana"


@pytest.fixture
def ana(context: Context, time: Time) -> Caller:
    """Create a player and stop the clock."""
    return player(context, "Ana")[1]


def subscribe(context: Context, owner: Caller, device: Device, endpoint: str = ENDPOINT, **changes: Any) -> str:
    """Subscribe a device of the owner and return its id."""
    members: dict[str, Any] = {"events": None, "language": "en", "name": None, **device.keys, **changes}
    return str(devices.subscribe(context, owner, NewDevice(endpoint, **members))["id"])


def due(context: Context) -> list[DeliveryKey]:
    """Drain the outbox and return the pushes that are due."""
    dispatch.drain(context)
    return context.devices.due(context.now_ms(), 50)


def push_all(context: Context, device: Device) -> list[dict[str, Any]]:
    """Push everything due without a fault. Return the messages as the device decrypts them."""
    messages = []
    for key in due(context):
        parcel = push_messages.take(context, key)
        if parcel is not None:
            messages.append(device.read(parcel.body))
            push_messages.report(context, parcel, None, None, 7)
    return messages


@pytest.mark.parametrize(
    ("language", "title", "text"),
    [("en", "Azul", "It is your turn."), ("de", "Azul", "Du bist am Zug.")],
)
def test_a_push_message_is_short_and_in_the_devices_language(
    context: Context, ana: Caller, language: str, title: str, text: str
) -> None:
    context.settings = replace(context.settings, public_url="https://games.example")
    device = Device()
    subscribe(context, ana, device, language=language, events=("your_turn",))
    game, _ = new_game_of(context, ana, PERSON, AI)
    assert [
        {
            "type": "your_turn",
            "game_id": game,
            "url": f"https://games.example/play#/{game}",
            "title": title,
            "text": text,
            "language": language,
        }
    ] == push_all(context, device)
    assert [] == push_all(context, device)


def test_a_push_request_names_its_sender_and_urgency(context: Context, ana: Caller) -> None:
    key = web_push.new_private_key()
    context.settings = replace(context.settings, vapid_private_key=key, push_contact="mailto:games@games.example")
    subscribe(context, ana, Device())
    new_game_of(context, ana, PERSON, AI)
    urgency, parcels = {}, []
    for place in due(context):
        delivery, _ = context.devices.read(place)
        parcel = push_messages.take(context, place)
        assert delivery is not None
        assert parcel is not None
        urgency[delivery.type] = parcel.headers["Urgency"]
        parcels.append(parcel)
    assert {"your_turn": "high", "game_started": "normal"} == urgency
    assert {ENDPOINT} == {parcel.url for parcel in parcels}
    for parcel in parcels:
        claims = claims_of(parcel.headers["Authorization"])
        assert ("https://push.example", "mailto:games@games.example") == (claims["aud"], claims["sub"])
        assert parcel.headers["Authorization"].endswith(f"k={devices.subscription_key(context)['public_key']}")
    assert (2, {16}) == (
        len({parcel.headers["Topic"] for parcel in parcels}),
        {len(p.headers["Topic"]) for p in parcels},
    )


def test_a_newer_push_replaces_an_older_one_of_the_same_game_only(context: Context, ana: Caller) -> None:
    subscribe(context, ana, Device(), events=("your_turn",))
    for _ in range(2):
        new_game_of(context, ana, PERSON, AI)
    topics = {parcel.headers["Topic"] for each in due(context) if (parcel := push_messages.take(context, each))}
    assert 2 == len(topics)


def test_a_challenge_is_pushed_with_the_challengers_name(context: Context, time: Time) -> None:
    (_, as_ana), (ben, as_ben) = player(context, "Ana"), player(context, "Ben")
    device = Device()
    subscribe(context, as_ben, device, language="de")
    challenging.create(context, as_ana, ben, NewSeek("queens-garden", "standard", 2))
    (message,) = push_all(context, device)
    assert ("challenge", None, "Azul: Der Garten der Königin", "Ana fordert dich zu einem Spiel heraus.") == (
        message["type"],
        message["game_id"],
        message["title"],
        message["text"],
    )


@pytest.mark.parametrize(
    ("handle", "text"), [("ana", "ana challenges you to a game."), (None, "You have a new challenge.")]
)
def test_a_challenger_without_a_name_is_called_by_handle(handle: str | None, text: str) -> None:
    data = {"challenge": {"ruleset": "azul", "challenger": {"name": None, "handle": handle}}}
    assert text == push_messages.push_json("", {"type": "challenge", "data": data}, "en")["text"]


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("kind", NOTICES)
def test_every_notice_has_a_text(kind: str, language: str) -> None:
    samples: list[dict[str, Any]] = [
        {"offer": {"kind": "pause"}, "then": "lose", "challenge": {"status": "accepted", "ruleset": "azul"}},
        {"offer": {"kind": "takeback"}, "then": "ai", "challenge": {"challenger": {"name": "Ana"}}},
        {"game": {"id": "x", "ruleset": "azul"}},
    ]
    for data in samples:
        message = push_messages.push_json("https://games.example", {"type": kind, "data": data}, language)
        assert (True, True) == (len(message["text"]) > 8, "push-" not in message["text"])


def test_a_repeated_subscription_replaces_the_devices_events(context: Context, ana: Caller) -> None:
    first, second = Device(), Device()
    one = subscribe(context, ana, first, events=("game_over",))
    assert one == subscribe(context, ana, second, events=("game_started",), name="phone")
    (shown,) = devices.list_devices(context, ana)
    assert ("phone", ("game_started",)) == (shown["name"], shown["events"])
    new_game_of(context, ana, PERSON, AI)
    assert ["game_started"] == [message["type"] for message in push_all(context, second)]


def test_webhook_and_device_get_the_same_notice_once_each(context: Context, ana: Caller) -> None:
    device = Device()
    subscribe(context, ana, device, events=("your_turn",))
    hook = webhooks.create(context, ana, "https://bot.example/", ["your_turn"], None)["webhook"]["id"]
    new_game_of(context, ana, PERSON, AI)
    assert 2 == keeping.send_webhooks(context)
    assert 1 == len(webhooks.list_deliveries(context, ana, hook))
    assert 0 == keeping.send_webhooks(context)  # both were sent, and their leases have not expired


@pytest.mark.parametrize("status", [404, 410])
def test_a_device_unknown_to_its_push_service_is_removed(context: Context, ana: Caller, status: int) -> None:
    subscribe(context, ana, Device(), events=("your_turn",))
    new_game_of(context, ana, PERSON, AI)
    parcel = push_messages.take(context, due(context)[0])
    assert parcel is not None
    push_messages.report(context, parcel, "status", status, 7)
    assert ([], []) == (devices.list_devices(context, ana), due(context))
    new_game_of(context, ana, PERSON, AI)
    assert [] == due(context)
    assert [] == context.outbox.subscribers(5)


def test_failed_pushes_are_retried_with_growing_pauses_then_dropped(context: Context, ana: Caller, time: Time) -> None:
    subscribe(context, ana, Device(), events=("game_started",))
    new_game_of(context, ana, PERSON, AI)
    for back_off in (*BACKOFF_S, None):
        (key,) = due(context)
        parcel = push_messages.take(context, key)
        assert parcel is not None
        push_messages.report(context, parcel, "unreachable", None, 7)
        assert [] == due(context)
        time.pass_(back_off or 3_600)
    assert ([], [len(BACKOFF_S) + 1]) == (due(context), [one["failures"] for one in devices.list_devices(context, ana)])


def test_a_device_that_fails_for_a_day_is_removed_and_its_owner_notified(
    context: Context, ana: Caller, time: Time
) -> None:
    broken, other = subscribe(context, ana, Device(), events=("game_started",)), Device()
    for _ in range(MAX_FAILURES):
        assert 1 == len(devices.list_devices(context, ana))
        new_game_of(context, ana, PERSON, AI)
        parcel = push_messages.take(context, due(context)[0])
        assert parcel is not None
        push_messages.report(context, parcel, "late", None, 7)
        time.pass_(1 + FAILING_MS / 1000 / (MAX_FAILURES - 1))
    assert [] == devices.list_devices(context, ana)
    subscribe(context, ana, other, f"{ENDPOINT}/other", language="de", events=("endpoint_disabled",))
    (message,) = push_all(context, other)
    assert ("endpoint_disabled", None) == (message["type"], message["game_id"])
    assert message["text"].startswith("Ein Gerät war einen Tag lang nicht erreichbar")
    assert broken != devices.list_devices(context, ana)[0]["id"]


def test_a_device_whose_token_has_ended_receives_nothing(context: Context, time: Time) -> None:
    """The device may be lost. Another device of the player still receives messages."""
    ana, as_ana = player(context)
    lost = Caller(players.add_token(context, as_ana, "phone", ["play"])["token"])
    phone, laptop = Device(), Device()
    subscribe(context, lost, phone, events=("your_turn",))
    kept = subscribe(context, as_ana, laptop, "https://push.example/send/laptop", events=("your_turn",))
    players.drop_token(context, as_ana, next(t["id"] for t in players.tokens(context, as_ana) if t["name"] == "phone"))
    new_game_of(context, as_ana, PERSON, AI)
    assert 1 == len([parcel for key in due(context) if (parcel := push_messages.take(context, key))])
    assert [kept] == [device.id for device in context.devices.get_all(ana)]


def test_a_deleted_player_has_no_devices(context: Context, time: Time) -> None:
    ana, as_ana = player(context)
    subscribe(context, as_ana, Device())
    players.delete(context, as_ana)
    assert ([], []) == (context.devices.get_all(ana), context.outbox.subscribers(5))


def test_a_device_beyond_the_limit_is_refused(context: Context, ana: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(context.devices, "limit", 2)
    for number in range(2):
        subscribe(context, ana, Device(), f"{ENDPOINT}-{number}")
    assert "limit/devices" == refusal_code(lambda: subscribe(context, ana, Device(), f"{ENDPOINT}-2"))
    subscribe(context, ana, Device(), f"{ENDPOINT}-1")  # already subscribed


def test_without_outgoing_calls_no_device_is_subscribed(context: Context) -> None:
    context.settings = replace(context.settings, outgoing="off")
    assert "outgoing/off" == refusal_code(lambda: subscribe(context, player(context)[1], Device()))


def test_all_processes_share_one_key_and_the_operators_key_has_priority(context: Context) -> None:
    made = devices.subscription_key(context)
    assert made == devices.subscription_key(context)
    assert 1 == len({context.push_keys.get_or_create(web_push.new_private_key) for _ in range(3)})
    key = web_push.new_private_key()
    context.settings = replace(context.settings, vapid_private_key=key)
    assert web_push.public_key(key) == devices.subscription_key(context)["public_key"]


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_ruleset_has_a_title(ruleset: str) -> None:
    notice = {"type": "your_turn", "data": {"game": {"id": "x", "ruleset": ruleset}}}
    titles = {push_messages.push_json("", notice, language)["title"] for language in ("en", "de")}
    assert all(title.startswith("Azul") for title in titles) if ruleset in PUBLISHED else titles == {ruleset}


@pytest.mark.parametrize("took_it", [False, True])
def test_a_push_of_a_killed_dialer_is_sent_after_its_lease(
    context: Context, ana: Caller, time: Time, *, took_it: bool
) -> None:
    """The lease expires whether or not the dialer had started or even posted the push."""
    device = Device()
    subscribe(context, ana, device, events=("your_turn",))
    new_game_of(context, ana, PERSON, AI)
    assert 1 == keeping.send_webhooks(context)  # a dialer is woken
    if took_it:
        (key,) = context.devices.due(context.now_ms() + 60_000, 5)
        assert push_messages.take(context, key) is not None
    assert [] == due(context)
    time.pass_(dispatch.LEASE_S)
    assert ["your_turn"] == [message["type"] for message in push_all(context, device)]
    time.pass_(dispatch.LEASE_S)
    assert [] == due(context)
