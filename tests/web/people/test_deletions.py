"""All data of a player: exported, and deleted with the player."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from unittest import mock

import pytest
from redis import Redis
from zstandard import FRAME_HEADER

from service.storage.base.packing import unpack_all
from service.usecases.base import repository, reservations
from service.usecases.keeping import duties
from service.usecases.notifications import dispatch
from service.usecases.people import follow_ups
from tests.web.client import Client, body_of, refusal_of
from tests.web.players import Person, act, logged_acts, new_player, open_table, seat_players
from tests.web.table import Wait


def test_an_export_contains_all_data_and_no_secret(ana: Person, ben: Person) -> None:
    table, foreign = seat_players(ana, ben), seat_players(ben, ben)
    body_of(ben.client.post(f"{table.path}/messages", {"text": "good luck"}), 201)
    body_of(ana.client.put("/v1/me/handle", {"handle": "Ana-Bel"}))
    ana.client.put(f"/v1/me/blocked/{ben.id}", {})
    body_of(ana.client.post("/v1/me/webhooks", {"url": "https://bot.example/azul"}), 201)
    for text in ("hello", "thanks"):
        body_of(ana.client.post(f"{table.path}/messages", {"text": text}), 201)
    kept = body_of(ana.client.get("/v1/me/export"))
    assert ("Ana-Bel", "Ana") == (kept["player"]["handle"], kept["player"]["name"])
    assert ([True], [ben.id]) == ([one["current"] for one in kept["tokens"]], [one["id"] for one in kept["blocked"]])
    assert ["https://bot.example/azul"] == [webhook["url"] for webhook in kept["webhooks"]]
    assert [(table.id, [0])] == [(game["id"], game["seats"]) for game in kept["games"]]
    assert ["hello", "thanks"] == [message["text"] for message in kept["games"][0]["messages"]]
    assert not [word for word in (ana.token.partition(".")[2], "whsec_", foreign.id) if word in str(kept)]


def plain(stored: bytes) -> bytes:
    """Return stored bytes unpacked."""
    return b"".join(unpack_all(stored)) if stored.startswith(FRAME_HEADER) else stored


def left_of(store: Any, *words: str) -> set[str]:
    """Return the keys (with the field of a hash) that contain one of these words in name or content.

    The streams of hubs are excluded, because they keep recent ids for a while.
    """
    read: dict[bytes, Callable[[bytes], Any]] = {
        b"stream": store.xrange,
        b"zset": lambda key: store.zrange(key, 0, -1),
        b"set": store.smembers,
        b"string": store.get,
    }
    results = set()
    for key in store.scan_iter("{b*"):
        kind = store.type(key)
        if kind == b"hash":
            places = {key + b":" + field: field + plain(value) for field, value in store.hgetall(key).items()}
        else:
            places = {key: repr(read[kind](key)).encode()}
        for place, content in places.items():
            if not key.endswith(b":hub") and any(word.encode() in text for word in words for text in (key, content)):
                results.add(place.decode())
    return results


@pytest.mark.parametrize("state", ["open", "playing", "finished", "three seats", "handed over"])
def test_games_forget_deleted_players(
    anyone: Client, ben: Person, redis_client: Redis, context: Any, state: str
) -> None:
    """The store no longer contains id, name, handle or messages of the player. The others play on."""
    person = new_player(anyone, "Xanthippe")
    body_of(person.client.put("/v1/me/handle", {"handle": "Xanthi"}))
    body_of(person.client.post("/v1/me/webhooks", {"url": "https://bot.example/azul"}), 201)
    people = {"open": (person,), "playing": (person, ben), "finished": (ben, person)}.get(state, (ben, person, ben))
    table, own = open_table(person) if state == "open" else seat_players(*people), people.index(person)
    body_of(person.client.post(f"{table.path}/messages", {"text": "words of hers"}), 201)
    if state != "open":
        body_of(ben.client.post(f"{table.path}/messages", {"text": "of Ben"}), 201)
        for _ in range(40):
            act(table, people[table.view()["to_decide"]].client)
    if state == "finished":
        ben.client.post(f"{table.path}/resignation")
    if state == "handed over":
        body_of(person.client.post(f"{table.path}/seats/{own}/handover", {"name": "Eve"}), 201)
        (kept,) = body_of(person.client.get("/v1/me/export"))["games"]
        assert (table.id, []) == (kept["id"], kept["seats"])
        assert ["words of hers"] == [one["text"] for one in kept["messages"]]
        assert [] == body_of(person.client.get("/v1/me/games"))["games"]
    before = body_of(anyone.get(f"{table.path}/history"))["events"]
    occurrences = str(left_of(redis_client, "Xanthi", "words of hers"))
    assert all(name in occurrences for name in (":messages", *((":log:0", ":checkpoints:") if own else ())))
    person.client.put(f"/v1/me/blocked/{ben.id}", {})
    assert 204 == person.client.delete("/v1/me").status_code
    assert (401, "auth/token_unknown") == refusal_of(person.client.get("/v1/me"))
    assert (404, "player/not_found") == refusal_of(anyone.get("/v1/players/xanthi"))
    dispatch.drain(context)  # a keeper sends earlier notices
    assert set() == left_of(redis_client, person.id, "Xanthi", "xanthi", "words of hers")
    view = table.view()
    name = "Eve" if state == "handed over" else None
    assert (name, None) == (view["seats"][own]["name"], view["seats"][own]["player"])
    wanted = {"open": "aborted", "three seats": "playing", "handed over": "playing"}.get(state, "finished")
    assert wanted == view["status"]
    after = body_of(anyone.get(f"{table.path}/history"))["events"]
    assert [event["kind"] for event in before] == [event["kind"] for event in after][: len(before)]
    assert [event["action"] for event in before] == [event["action"] for event in after][: len(before)]
    if state == "three seats":
        assert "resigned" == view["seats"][own]["status"]
        (message,) = body_of(ben.client.get(f"{table.path}/messages"))["messages"]
        assert "of Ben" == message["text"]
    exported = body_of(anyone.get(f"{table.path}/export"))
    assert "Xanthi" not in str(exported)


def test_a_game_that_changes_during_the_erasure_forgets_the_player(
    ana: Person, ben: Person, context: Any, monkeypatch: pytest.MonkeyPatch, redis_client: Redis
) -> None:
    table = seat_players(ben, ana, ben)
    erase = context.store.erase

    def act_then_erase(*arguments: Any) -> None:
        monkeypatch.setattr(context.store, "erase", erase)
        act(table, ben.client)
        erase(*arguments)

    monkeypatch.setattr(context.store, "erase", act_then_erase)
    assert 204 == ana.client.delete("/v1/me").status_code
    assert set() == left_of(redis_client, ana.id, "Ana")
    assert [ben.id, None, ben.id] == [seat["player"] for seat in table.view()["seats"]]


@pytest.mark.parametrize("step", ["reconcile", "webhooks", "append", "erase", "forget_lists", "done"])
def test_a_keeper_completes_a_killed_deletion(
    ana: Person,
    ben: Person,
    context: Any,
    wait_for: Wait,
    redis_client: Redis,
    step: str,
) -> None:
    body_of(ana.client.put("/v1/me/handle", {"handle": "Ana-Bel"}))
    body_of(ana.client.post("/v1/me/webhooks", {"url": "https://bot.example/azul"}), 201)
    tables = [seat_players(ana, ben), seat_players(ben, ana), seat_players(ana, ben, ben)]
    places = {
        "reconcile": (reservations, "reconcile"),
        "webhooks": (context.webhooks, "delete"),
        "append": (repository, "append"),
        "erase": (context.store, "erase"),
        "forget_lists": (context.players, "delete_lists"),
        "done": (context.follow_ups, "remove"),
    }
    with mock.patch.object(*places[step], side_effect=SystemExit), pytest.raises(SystemExit):
        ana.client.delete("/v1/me")
    assert (401, "auth/token_unknown") == refusal_of(ana.client.get("/v1/me"))
    wait_for(follow_ups.DUE_AFTER_MS / 1000)
    duties.run_due(context, duties.BackOff())
    assert set() == left_of(redis_client, ana.id, "Ana")
    for table, number in zip(tables, (0, 1, 0), strict=True):
        assert table.view()["seats"][number]["player"] is None
    assert ["finished", "finished", "playing"] == [table.view()["status"] for table in tables]


# ------------------------------------------------------------------------------------------------------------- staff


def test_an_admin_exports_the_data_of_a_banned_player_and_it_is_logged(
    staff_admin: Client, ana: Person, ben: Person
) -> None:
    table, path = seat_players(ana, ben), f"/v1/admin/players/{ana.id}"
    body_of(ana.client.post(f"{table.path}/messages", {"text": "hello"}), 201)
    ana.client.put(f"/v1/me/blocked/{ben.id}", {})
    kept = body_of(ana.client.get("/v1/me/export"))
    body_of(staff_admin.post(f"{path}/acts", {"act": "ban", "reason": "Insults."}), 201)
    exported = body_of(staff_admin.post(f"{path}/export", {"reason": "Asked by e-mail."}))
    for one in (*kept["tokens"], *exported["tokens"]):
        one["current"] = one["last_used_at"] = None
    assert kept == exported
    acts = [("ban", ana.id, "Insults."), ("export_player", ana.id, "Asked by e-mail.")]
    assert acts == logged_acts(staff_admin)


def test_an_admin_deletes_a_player_as_they_could_themselves_and_it_is_logged(
    staff_admin: Client, ana: Person, ben: Person
) -> None:
    table, path = seat_players(ana, ben), f"/v1/admin/players/{ana.id}"
    assert 204 == staff_admin.delete(f"{path}?reason=Asked").status_code
    assert (401, "auth/token_unknown") == refusal_of(ana.client.get("/v1/me"))
    assert (404, "player/not_found") == refusal_of(staff_admin.delete(path))
    assert (404, "player/not_found") == refusal_of(staff_admin.post(f"{path}/export"))
    assert None is body_of(ben.client.get(table.path))["seats"][0]["player"]
    assert [("delete_player", ana.id, "Asked")] == logged_acts(staff_admin)
