"""All that is kept of a player: it is exported, and goes when the player is deleted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from unittest import mock

import pytest
import redis
from zstandard import FRAME_HEADER

from service.storage.base.packing import unpacked_all
from service.usecases.base import claims, repository
from service.usecases.keeping import duties
from service.usecases.notifications import dispatch
from service.usecases.people import follow_ups
from tests.web.client import Client, answered, refused
from tests.web.players import Person, act, new_player, open_table, seated


def test_a_player_gets_all_that_is_kept_and_no_secret(ana: Person, ben: Person) -> None:
    table, foreign = seated(ana, ben), seated(ben, ben)
    answered(ben.client.post(f"{table.path}/messages", {"text": "good luck"}), 201)
    answered(ana.client.put("/v1/me/handle", {"handle": "Ana-Bel"}))
    ana.client.put(f"/v1/me/blocked/{ben.id}", {})
    answered(ana.client.post("/v1/me/webhooks", {"url": "https://bot.example/azul"}), 201)
    for said in ("hello", "thanks"):
        answered(ana.client.post(f"{table.path}/messages", {"text": said}), 201)
    kept = answered(ana.client.get("/v1/me/export"))
    assert ("Ana-Bel", "Ana") == (kept["player"]["handle"], kept["player"]["name"])
    assert ([True], [ben.id]) == ([one["current"] for one in kept["tokens"]], [one["id"] for one in kept["blocked"]])
    assert ["https://bot.example/azul"] == [webhook["url"] for webhook in kept["webhooks"]]
    assert [(table.id, [0])] == [(game["id"], game["seats"]) for game in kept["games"]]
    assert ["hello", "thanks"] == [message["text"] for message in kept["games"][0]["messages"]]
    assert not [word for word in (ana.token.partition(".")[2], "whsec_", foreign.id) if word in str(kept)]


def plain(stored: bytes) -> bytes:
    """What is packed, as it was before."""
    return b"".join(unpacked_all(stored)) if stored.startswith(FRAME_HEADER) else stored


def left_of(store: Any, *words: str) -> set[str]:
    """The keys (of a hash, with the field) in which one of these words stands, in name or content.

    The hubs tell what has happened, for a while.
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
def test_a_player_who_is_deleted_is_forgotten_by_their_games(
    anyone: Client, ben: Person, redis_client: redis.Redis, context: Any, state: str
) -> None:
    """Nothing in the store tells id, name, handle or words of the player any more; the others play on."""
    person = new_player(anyone, "Xanthippe")
    answered(person.client.put("/v1/me/handle", {"handle": "Xanthi"}))
    answered(person.client.post("/v1/me/webhooks", {"url": "https://bot.example/azul"}), 201)
    people = {"open": (person,), "playing": (person, ben), "finished": (ben, person)}.get(state, (ben, person, ben))
    table, own = open_table(person) if state == "open" else seated(*people), people.index(person)
    answered(person.client.post(f"{table.path}/messages", {"text": "words of hers"}), 201)
    if state != "open":
        answered(ben.client.post(f"{table.path}/messages", {"text": "of Ben"}), 201)
        for _ in range(40):
            act(table, people[table.view()["to_decide"]].client)
    if state == "finished":
        ben.client.post(f"{table.path}/resignation")
    if state == "handed over":
        answered(person.client.post(f"{table.path}/seats/{own}/handover", {"name": "Eve"}), 201)
        (kept,) = answered(person.client.get("/v1/me/export"))["games"]
        assert (table.id, []) == (kept["id"], kept["seats"])
        assert ["words of hers"] == [one["text"] for one in kept["messages"]]
        assert [] == answered(person.client.get("/v1/me/games"))["games"]
    before = answered(anyone.get(f"{table.path}/history"))["events"]
    held = str(left_of(redis_client, "Xanthi", "words of hers"))
    assert all(name in held for name in (":messages", *((":log:0", ":checkpoints:") if own else ())))
    person.client.put(f"/v1/me/blocked/{ben.id}", {})
    assert 204 == person.client.delete("/v1/me").status_code
    assert (401, "auth/token_unknown") == refused(person.client.get("/v1/me"))
    assert (404, "player/not_found") == refused(anyone.get("/v1/players/xanthi"))
    dispatch.drain(context)  # a keeper's, of what was to be told before
    assert set() == left_of(redis_client, person.id, "Xanthi", "xanthi", "words of hers")
    view = table.view()
    name = "Eve" if state == "handed over" else None
    assert (name, None) == (view["seats"][own]["name"], view["seats"][own]["player"])
    wanted = {"open": "aborted", "three seats": "playing", "handed over": "playing"}.get(state, "finished")
    assert wanted == view["status"]
    after = answered(anyone.get(f"{table.path}/history"))["events"]
    assert [event["kind"] for event in before] == [event["kind"] for event in after][: len(before)]
    assert [event["action"] for event in before] == [event["action"] for event in after][: len(before)]
    if state == "three seats":
        assert "resigned" == view["seats"][own]["status"]
        (message,) = answered(ben.client.get(f"{table.path}/messages"))["messages"]
        assert "of Ben" == message["text"]
    exported = answered(anyone.get(f"{table.path}/export"))
    assert "Xanthi" not in str(exported)


def test_a_game_that_changes_while_it_forgets_a_player_forgets_them_after_that(
    ana: Person, ben: Person, context: Any, monkeypatch: pytest.MonkeyPatch, redis_client: redis.Redis
) -> None:
    table = seated(ben, ana, ben)
    erase = context.store.erase

    def late(*arguments: Any) -> None:
        monkeypatch.setattr(context.store, "erase", erase)
        act(table, ben.client)
        erase(*arguments)

    monkeypatch.setattr(context.store, "erase", late)
    assert 204 == ana.client.delete("/v1/me").status_code
    assert set() == left_of(redis_client, ana.id, "Ana")
    assert [ben.id, None, ben.id] == [seat["player"] for seat in table.view()["seats"]]


@pytest.mark.parametrize("step", ["settle", "webhooks", "append", "erase", "forget_lists", "done"])
def test_a_deletion_that_is_killed_at_a_step_is_done_by_a_keeper(
    ana: Person,
    ben: Person,
    context: Any,
    wait_for: Callable[[float], None],
    redis_client: redis.Redis,
    step: str,
) -> None:
    answered(ana.client.put("/v1/me/handle", {"handle": "Ana-Bel"}))
    answered(ana.client.post("/v1/me/webhooks", {"url": "https://bot.example/azul"}), 201)
    tables = [seated(ana, ben), seated(ben, ana), seated(ana, ben, ben)]
    places = {
        "settle": (claims, "settle"),
        "webhooks": (context.webhooks, "delete"),
        "append": (repository, "append"),
        "erase": (context.store, "erase"),
        "forget_lists": (context.players, "forget_lists"),
        "done": (context.follow_ups, "done"),
    }
    with mock.patch.object(*places[step], side_effect=SystemExit), pytest.raises(SystemExit):
        ana.client.delete("/v1/me")
    assert (401, "auth/token_unknown") == refused(ana.client.get("/v1/me"))
    wait_for(follow_ups.DUE_AFTER_MS / 1000)
    duties.look(context, duties.BackOff())
    assert set() == left_of(redis_client, ana.id, "Ana")
    for table, number in zip(tables, (0, 1, 0), strict=True):
        assert table.view()["seats"][number]["player"] is None
    assert ["finished", "finished", "playing"] == [table.view()["status"] for table in tables]
