"""Pushes: what a device is told, in its language; retries, and devices that are forgotten."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from service.games.notices import NOTICES
from service.outgoing import web_push
from service.rulesets.registry import RULESETS
from service.storage.notifications.webhooks import DeliveryKey
from service.usecases.base.context import Caller, Context
from service.usecases.games.creating import NewSeat
from service.usecases.matchmaking import challenging
from service.usecases.matchmaking.seeking import NewSeek
from service.usecases.notifications import devices, dispatch, push_messages, webhooks
from service.usecases.notifications.devices import NewDevice
from service.usecases.notifications.dispatch import BACKOFF_S, MAX_FAILURES
from service.usecases.people import players
from tests import keeping
from tests.outgoing.push_service import Device, claims_of
from tests.rulesets.offers import PUBLISHED
from tests.usecases.hooked import outgoing, refused
from tests.usecases.players import Time, new_of, player

__all__ = ["outgoing"]  # fixtures
PERSON, AI = NewSeat("player"), NewSeat("ai", level="greedy")
ENDPOINT = "https://push.example/send/of-ana"


@pytest.fixture
def ana(context: Context, time: Time) -> Caller:
    """A player; time stands still."""
    return player(context, "Ana")[1]


def subscribed(context: Context, owner: Caller, device: Device, endpoint: str = ENDPOINT, **changes: Any) -> str:
    """The id of a device of the owner's."""
    members: dict[str, Any] = {"events": None, "language": "en", "name": None, **device.keys, **changes}
    return str(devices.subscribe(context, owner, NewDevice(endpoint, **members))["id"])


def due(context: Context) -> list[DeliveryKey]:
    """What is to be pushed now."""
    dispatch.drain(context)
    return context.devices.due(context.now_ms(), 50)


def pushed(context: Context, device: Device) -> list[dict[str, Any]]:
    """What the device is told now, as it reads it; pushed without a fault."""
    found = []
    for key in due(context):
        parcel = push_messages.take(context, key)
        if parcel is not None:
            found.append(device.read(parcel.body))
            push_messages.report(context, parcel, None, None, 7)
    return found


@pytest.mark.parametrize(
    ("language", "title", "text"),
    [("en", "Azul", "It is your turn."), ("de", "Azul", "Du bist am Zug.")],
)
def test_a_device_is_told_in_its_language_and_few_words(
    context: Context, ana: Caller, language: str, title: str, text: str
) -> None:
    context.settings = replace(context.settings, public_url="https://games.example")
    device = Device()
    subscribed(context, ana, device, language=language, events=("your_turn",))
    game, _ = new_of(context, ana, PERSON, AI)
    assert [
        {
            "type": "your_turn",
            "game_id": game,
            "url": f"https://games.example/play#/{game}",
            "title": title,
            "text": text,
            "language": language,
        }
    ] == pushed(context, device)
    assert [] == pushed(context, device)


def test_a_push_service_is_told_whose_it_is_and_how_urgent(context: Context, ana: Caller) -> None:
    key = web_push.new_private_key()
    context.settings = replace(context.settings, vapid_private_key=key, push_contact="mailto:games@games.example")
    subscribed(context, ana, Device())
    new_of(context, ana, PERSON, AI)
    parcels = [parcel for each in due(context) if (parcel := push_messages.take(context, each))]
    assert {ENDPOINT} == {parcel.url for parcel in parcels}
    for parcel in parcels:
        claims = claims_of(parcel.headers["Authorization"])
        assert ("https://push.example", "mailto:games@games.example") == (claims["aud"], claims["sub"])
        assert parcel.headers["Authorization"].endswith(f"k={devices.key(context)['public_key']}")
    assert ["high", "normal"] == sorted(parcel.headers["Urgency"] for parcel in parcels)
    assert (2, {16}) == (
        len({parcel.headers["Topic"] for parcel in parcels}),
        {len(p.headers["Topic"]) for p in parcels},
    )


def test_a_newer_push_replaces_an_older_one_of_the_same_game_only(context: Context, ana: Caller) -> None:
    subscribed(context, ana, Device(), events=("your_turn",))
    for _ in range(2):
        new_of(context, ana, PERSON, AI)
    topics = {parcel.headers["Topic"] for each in due(context) if (parcel := push_messages.take(context, each))}
    assert 2 == len(topics)


def test_a_challenge_is_pushed_with_the_challengers_name(context: Context, time: Time) -> None:
    (_, as_ana), (ben, as_ben) = player(context, "Ana"), player(context, "Ben")
    device = Device()
    subscribed(context, as_ben, device, language="de")
    challenging.challenge(context, as_ana, ben, NewSeek("queens-garden", "standard", 2))
    (told,) = pushed(context, device)
    assert ("challenge", None, "Azul: Der Garten der Königin", "Ana fordert dich zu einem Spiel heraus.") == (
        told["type"],
        told["game_id"],
        told["title"],
        told["text"],
    )


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("kind", NOTICES)
def test_every_notice_has_its_words(kind: str, language: str) -> None:
    samples: list[dict[str, Any]] = [
        {"offer": {"kind": "pause"}, "then": "lose", "challenge": {"status": "accepted", "ruleset": "azul"}},
        {"offer": {"kind": "takeback"}, "then": "ai", "challenge": {"challenger": {"name": "Ana"}}},
        {"game": {"id": "x", "ruleset": "azul"}},
    ]
    for data in samples:
        told = push_messages.pushed("https://games.example", {"type": kind, "data": data}, language)
        assert (True, True) == (len(told["text"]) > 8, "push-" not in told["text"])


def test_a_device_wants_what_it_wants_and_is_subscribed_once(context: Context, ana: Caller) -> None:
    first, second = Device(), Device()
    one = subscribed(context, ana, first, events=("game_over",))
    assert one == subscribed(context, ana, second, events=("game_started",), name="phone")
    (shown,) = devices.listed(context, ana)
    assert ("phone", ("game_started",)) == (shown["name"], shown["events"])
    new_of(context, ana, PERSON, AI)
    assert ["game_started"] == [told["type"] for told in pushed(context, second)]


def test_webhook_and_device_get_the_same_notice_once_each(context: Context, ana: Caller) -> None:
    device = Device()
    subscribed(context, ana, device, events=("your_turn",))
    hook = webhooks.create(context, ana, "https://bot.example/", ["your_turn"], None)["webhook"]["id"]
    new_of(context, ana, PERSON, AI)
    assert 2 == keeping.tell_webhooks(context)
    assert 1 == len(webhooks.delivered(context, ana, hook))
    assert 0 == keeping.tell_webhooks(context)  # they have been sent, and dialers have their time


@pytest.mark.parametrize("status", [404, 410])
def test_a_device_that_its_push_service_does_not_know_is_forgotten(context: Context, ana: Caller, status: int) -> None:
    subscribed(context, ana, Device(), events=("your_turn",))
    new_of(context, ana, PERSON, AI)
    parcel = push_messages.take(context, due(context)[0])
    assert parcel is not None
    push_messages.report(context, parcel, "status", status, 7)
    assert ([], []) == (devices.listed(context, ana), due(context))
    new_of(context, ana, PERSON, AI)
    assert [] == due(context)
    assert [] == context.outbox.hooked(5)


def test_what_fails_is_pushed_again_later_and_later_and_then_never(context: Context, ana: Caller, time: Time) -> None:
    subscribed(context, ana, Device(), events=("game_started",))
    new_of(context, ana, PERSON, AI)
    for back_off in (*BACKOFF_S, None):
        (key,) = due(context)
        parcel = push_messages.take(context, key)
        assert parcel is not None
        push_messages.report(context, parcel, "unreachable", None, 7)
        assert [] == due(context)
        time.pass_(back_off or 3_600)
    assert ([], [len(BACKOFF_S) + 1]) == (due(context), [one["failures"] for one in devices.listed(context, ana)])


def test_a_device_of_which_nothing_but_failure_is_heard_is_forgotten(context: Context, ana: Caller) -> None:
    subscribed(context, ana, Device(), events=("game_started",))
    for _ in range(MAX_FAILURES):
        assert 1 == len(devices.listed(context, ana))
        new_of(context, ana, PERSON, AI)
        parcel = push_messages.take(context, due(context)[0])
        assert parcel is not None
        push_messages.report(context, parcel, "late", None, 7)
    assert [] == devices.listed(context, ana)


def test_a_device_whose_token_has_ended_is_told_nothing(context: Context, time: Time) -> None:
    """It may be lost; another device of the player's goes on."""
    ana, as_ana = player(context)
    lost = Caller(players.add_token(context, as_ana, "phone", ["play"])["token"])
    phone, laptop = Device(), Device()
    subscribed(context, lost, phone, events=("your_turn",))
    kept = subscribed(context, as_ana, laptop, "https://push.example/send/laptop", events=("your_turn",))
    players.drop_token(context, as_ana, next(t["id"] for t in players.tokens(context, as_ana) if t["name"] == "phone"))
    new_of(context, as_ana, PERSON, AI)
    assert 1 == len([parcel for key in due(context) if (parcel := push_messages.take(context, key))])
    assert [kept] == [device.id for device in context.devices.of(ana)]


def test_a_player_who_is_deleted_has_no_devices(context: Context, time: Time) -> None:
    ana, as_ana = player(context)
    subscribed(context, as_ana, Device())
    players.delete(context, as_ana)
    assert ([], []) == (context.devices.of(ana), context.outbox.hooked(5))


def test_there_is_room_for_so_many_devices(context: Context, ana: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(context.devices, "most", 2)
    for number in range(2):
        subscribed(context, ana, Device(), f"{ENDPOINT}-{number}")
    assert "limit/devices" == refused(lambda: subscribed(context, ana, Device(), f"{ENDPOINT}-2"))
    subscribed(context, ana, Device(), f"{ENDPOINT}-1")  # it is there already


def test_where_nobody_is_called_no_device_is_subscribed(context: Context) -> None:
    context.settings = replace(context.settings, outgoing="off")
    assert "outgoing/off" == refused(lambda: subscribed(context, player(context)[1], Device()))


def test_all_processes_have_one_key_and_the_operators_comes_first(context: Context) -> None:
    made = devices.key(context)
    assert made == devices.key(context)
    assert 1 == len({context.push_keys.kept(web_push.new_private_key) for _ in range(3)})
    key = web_push.new_private_key()
    context.settings = replace(context.settings, vapid_private_key=key)
    assert web_push.public_key(key) == devices.key(context)["public_key"]


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_ruleset_has_a_title(ruleset: str) -> None:
    notice = {"type": "your_turn", "data": {"game": {"id": "x", "ruleset": ruleset}}}
    titles = {push_messages.pushed("", notice, language)["title"] for language in ("en", "de")}
    assert all(title.startswith("Azul") for title in titles) if ruleset in PUBLISHED else titles == {ruleset}


@pytest.mark.parametrize("took_it", [False, True])
def test_a_dialer_that_is_killed_leaves_it_to_the_next(
    context: Context, ana: Caller, time: Time, *, took_it: bool
) -> None:
    """A lease brings it back, whether the dialer had begun, or even posted it, or not."""
    device = Device()
    subscribed(context, ana, device, events=("your_turn",))
    new_of(context, ana, PERSON, AI)
    assert 1 == keeping.tell_webhooks(context)  # a dialer is woken
    if took_it:
        (key,) = context.devices.due(context.now_ms() + 60_000, 5)
        assert push_messages.take(context, key) is not None
    assert [] == due(context)
    time.pass_(dispatch.LEASE_S)
    assert ["your_turn"] == [told["type"] for told in pushed(context, device)]
    time.pass_(dispatch.LEASE_S)
    assert [] == due(context)
