"""Challenges: sent, accepted, declined, withdrawn, expired; seen by long poll, stream and webhook."""

from __future__ import annotations

import itertools
import re
from functools import partial
from typing import Any
from unittest import mock

import orjson
import pytest

from service.usecases.base.context import Context
from service.usecases.keeping import duties
from service.usecases.matchmaking import paired_games, pairing
from service.usecases.notifications import dispatch
from tests.usecases.waiting import wait_result
from tests.web.client import Client, Json, body_of, invalid_fields, refusal_of
from tests.web.players import Person, new_player
from tests.web.table import Wait
from tests.web.wrong_bodies import Faults, wrong_bodies

NDJSON = "application/x-ndjson"
AZUL: Json = {"ruleset": "azul", "variant": "grey"}


def challenge(person: Person, other: Person, **more: Any) -> Json:
    return body_of(person.client.post(f"/v1/players/{other.id}/challenges", {**AZUL, **more}), 201)


def answer(person: Person, one: Json, word: str, **body: Any) -> Any:
    return person.client.post(f"/v1/challenges/{one['id']}/{word}", body)


def listed_ids(person: Person, query: str = "") -> tuple[list[str], list[str]]:
    challenges = body_of(person.client.get(f"/v1/me/challenges{query}"))
    return [one["id"] for one in challenges["received"]], [one["id"] for one in challenges["sent"]]


def status(person: Person, one: Json) -> str:
    return str(body_of(person.client.get(f"/v1/challenges/{one['id']}"))["status"])


def test_accepting_a_challenge_starts_a_game(ana: Person, ben: Person) -> None:
    one = challenge(ana, ben, clock={"turn_s": 60})
    assert ("Ana", "Ben") == (one["challenger"]["name"], one["challenged"]["name"])
    assert ("open", 2) == (one["status"], one["seats"])
    assert ([one["id"]], []) == listed_ids(ben)
    assert ([], [one["id"]]) == listed_ids(ana)
    accepted = answer(ben, one, "accept")
    game = body_of(accepted, 201)["game_id"]
    assert accepted.headers["Location"].endswith(game)
    view = body_of(ana.client.get(f"/v1/games/{game}"))
    assert ({ana.id, ben.id}, 60) == ({seat["player"] for seat in view["seats"]}, view["clock"]["turn_s"])
    assert ([], []) == listed_ids(ana) == listed_ids(ben)
    assert "accepted" == status(ana, one) == status(ben, one)
    assert (409, "challenge/answered") == refusal_of(answer(ben, one, "accept"))


def test_a_challenge_can_be_rated(ana: Person, ben: Person) -> None:
    one = challenge(ana, ben, clock={"turn_s": 60}, rated=True)
    game = body_of(answer(ben, one, "accept"), 201)["game_id"]
    assert body_of(ana.client.get(f"/v1/games/{game}"))["rated"]


def test_a_challenge_is_declined_with_a_reason(ana: Person, ben: Person) -> None:
    one = challenge(ana, ben)
    declined = body_of(answer(ben, one, "decline", reason="too_fast"), 200)
    assert ("declined", "too_fast") == (declined["status"], declined["reason"])
    shown = body_of(ana.client.get(f"/v1/challenges/{one['id']}"))
    assert ("declined", "too_fast", None) == (shown["status"], shown["reason"], shown["game_id"])
    refusal = answer(ben, one, "accept")
    assert (409, "challenge/answered", "declined") == (*refusal_of(refusal), refusal.json["became"])
    assert "none" == body_of(answer(ben, challenge(ana, ben), "decline"))["reason"]


def test_only_the_challenger_withdraws_a_challenge(ana: Person, ben: Person) -> None:
    one = challenge(ana, ben)
    path = f"/v1/challenges/{one['id']}"
    assert (404, "challenge/not_found") == refusal_of(ben.client.delete(path))
    assert 204 == ana.client.delete(path).status_code
    assert (409, "challenge/answered") == refusal_of(ana.client.delete(path))
    assert ("withdrawn", ([], [])) == (status(ben, one), listed_ids(ben))


def test_a_challenge_expires(ana: Person, ben: Person, wait_for: Wait) -> None:
    one = challenge(ana, ben, answer_s=30)
    wait_for(31)
    assert ([], []) == listed_ids(ana) == listed_ids(ben)
    assert "expired" == status(ana, one)
    refusal = answer(ben, one, "accept")
    assert (409, "challenge/answered", "expired") == (*refusal_of(refusal), refusal.json["became"])


def test_only_the_challenged_player_answers(anyone: Client, ana: Person, ben: Person) -> None:
    one = challenge(ana, ben)
    for person in (ana, new_player(anyone)):
        for word in ("accept", "decline"):
            assert (404, "challenge/not_found") == refusal_of(answer(person, one, word))
    assert (404, "challenge/not_found") == refusal_of(new_player(anyone).client.get(f"/v1/challenges/{one['id']}"))


def test_both_players_can_long_poll_for_the_other(ana: Person, ben: Person, context: Context) -> None:
    sent: list[Json] = []
    received, _ = wait_result(context, lambda: listed_ids(ben, "?wait=60"), lambda: sent.append(challenge(ana, ben)))
    assert [sent[0]["id"]] == received
    ask = partial(ana.client.get, f"/v1/challenges/{sent[0]['id']}?wait=60")
    shown = body_of(wait_result(context, ask, lambda: answer(ben, sent[0], "accept")))
    assert "accepted" == shown["status"]
    assert 200 == ana.client.get(f"/v1/games/{shown['game_id']}").status_code


def test_a_challenge_repeated_with_its_key_creates_one_challenge(ana: Person, ben: Person, anyone: Client) -> None:
    cleo, key = new_player(anyone), {"Idempotency-Key": "a-key-of-Ana"}

    def send(other: Person, **more: Any) -> Any:
        path = f"/v1/players/{other.id}/challenges"
        return ana.client.send("POST", path, json={**AZUL, **more}, headers=key)

    first, again = (body_of(send(ben), 201) for _ in range(2))
    assert (first, [first["id"]]) == (again, listed_ids(ana)[1])
    assert (422, "idempotency/mismatch") == refusal_of(send(ben, clock={"turn_s": 60}))
    assert cleo.id == body_of(send(cleo), 201)["challenged"]["id"]  # a key belongs to its path
    body_of(answer(ben, first, "accept"), 201)
    assert first == body_of(send(ben), 201)
    of_ben = ben.client.send("POST", f"/v1/players/{ana.id}/challenges", json=AZUL, headers=key)
    assert first["id"] != body_of(of_ben, 201)["id"]


def stream(person: Person, after: int | None = None) -> Any:
    headers = {"Authorization": f"Bearer {person.token}", "Accept": NDJSON}
    query = "" if after is None else f"?after={after}"
    answer = person.client.flask.get(f"/v1/me/challenges/events{query}", headers=headers)
    assert (200, NDJSON) == (answer.status_code, answer.mimetype)
    return answer


def read_items(answer: Any, count: int) -> list[tuple[str, str]]:
    chunks = (chunk for chunk in answer.response if chunk.strip())
    items = [orjson.loads(chunk) for chunk in itertools.islice(chunks, count)]
    return [(item["id"], item["status"]) for item in items]


def test_streams_of_both_players_contain_every_change(ana: Person, ben: Person) -> None:
    first = challenge(ana, ben)
    of_ana, of_ben = stream(ana), stream(ben)
    assert [(first["id"], "open")] == read_items(of_ana, 1) == read_items(of_ben, 1)
    second = challenge(ben, ana)
    assert [(second["id"], "open")] == read_items(of_ana, 1) == read_items(of_ben, 1)
    answer(ben, first, "decline")
    assert [(first["id"], "declined")] == read_items(of_ana, 1) == read_items(of_ben, 1)
    game = body_of(answer(ana, second, "accept"), 201)["game_id"]
    assert [(second["id"], "accepted")] == read_items(of_ana, 1)
    assert game == orjson.loads(next(iter(of_ben.response)))["game_id"]
    ana.client.delete(f"/v1/challenges/{challenge(ana, ben)['id']}")
    assert "withdrawn" == read_items(of_ben, 1)[0][1]
    for each in (of_ana, of_ben):
        each.close()


def test_a_stream_contains_the_expiry_of_a_challenge(ana: Person, ben: Person, wait_for: Wait) -> None:
    one = challenge(ana, ben, answer_s=30)
    answer_of = stream(ben)
    assert [(one["id"], "open")] == read_items(answer_of, 1)
    wait_for(31)
    assert [(one["id"], "expired")] == read_items(answer_of, 1)
    answer_of.close()


def test_a_stream_resumes_at_its_last_event(ana: Person, ben: Person, context: Any) -> None:
    first, second = challenge(ana, ben), challenge(ana, ben)
    seen = context.challenges.list_changes(ben.id, 0)[-1][0]
    answer(ben, first, "decline")
    third = challenge(ben, ana)
    for after, expected in (
        (None, [(second["id"], "open"), (third["id"], "open")]),
        (seen, [(first["id"], "declined"), (third["id"], "open")]),
        (0, [(second["id"], "open"), (first["id"], "declined"), (third["id"], "open")]),
    ):
        resumed = stream(ben, after)
        assert expected == read_items(resumed, len(expected)), after
        resumed.close()
    headers = {"Authorization": f"Bearer {ben.token}", "Last-Event-ID": str(seen)}
    with ben.client.flask.get("/v1/me/challenges/events", headers=headers) as response:
        content: Any = b"".join(itertools.islice(response.iter_encoded(), 2))
    _, version, _ = re.split(rb"id: (\d+)\ndata: ", content)
    assert seen < int(version)


def test_a_stream_continues_after_the_other_player_is_deleted(ana: Person, ben: Person) -> None:
    challenge(ana, ben)
    of_ben = stream(ben)
    read_items(of_ben, 1)
    assert 204 == ana.client.delete("/v1/me").status_code
    one = challenge(ben, new_player(ben.client))
    assert [(one["id"], "open")] == read_items(of_ben, 1)
    of_ben.close()


def test_webhooks_of_both_players_are_called(ana: Person, ben: Person, context: Any) -> None:
    for person in (ana, ben):
        body_of(person.client.post("/v1/me/webhooks", {"url": "https://bot.example/azul"}), 201)
    one = challenge(ana, ben)
    answer(ben, one, "decline", reason="later")
    dispatch.drain(context)

    def deliveries_to(person: Person) -> list[tuple[str, str]]:
        (hook,) = context.webhooks.get_all(person.id)
        payloads = [orjson.loads(each.payload) for each in context.webhooks.deliveries(person.id, hook.id)]
        return [(each["type"], each["data"]["challenge"]["status"]) for each in payloads]

    assert [("challenge", "open")] == deliveries_to(ben)
    assert [("challenge_answered", "declined")] == deliveries_to(ana)


def test_a_player_can_challenge_by_handle_up_to_ten_times_at_once(anyone: Client, ana: Person, ben: Person) -> None:
    body_of(ben.client.put("/v1/me/handle", {"handle": "Big-Ben"}))
    path = "/v1/players/bigben/challenges"
    made = [body_of(ana.client.post(path, AZUL), 201) for _ in range(10)]
    refusal = ana.client.post(path, AZUL)
    assert (409, "limit/challenges", 10) == (*refusal_of(refusal), (refusal.json or {})["limit"])
    answer(ben, made[0], "decline")
    body_of(ana.client.post(path, AZUL), 201)


def test_a_player_has_a_limited_number_of_received_challenges(
    anyone: Client, ana: Person, ben: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.storage.matchmaking.challenges.MAX_RECEIVED", 3)
    made = [challenge(new_player(anyone), ben)["id"] for _ in range(3)]
    newest = challenge(ana, ben)["id"]
    assert 3 == len(listed_ids(ben)[0])
    assert {newest} == {*listed_ids(ben)[0]} - {*made}


def test_challenges_of_a_deleted_player_are_deleted(ana: Person, ben: Person, context: Any) -> None:
    sent, received = challenge(ana, ben), challenge(ben, ana)
    assert 204 == ana.client.delete("/v1/me").status_code
    assert ([], []) == listed_ids(ben)
    for one in (sent, received):
        assert (404, "challenge/not_found") == refusal_of(answer(ben, one, "accept"))
    left = [key.decode() for key in context.store.redis.scan_iter("*challenge*")]
    assert [f"{{b00}}:challenges_told:{ben.id}"] == left  # ids of challenges, and nothing else


@pytest.mark.parametrize("rescue", ["keeper", "challenger"])
def test_a_killed_creation_is_completed_by_the_next_reader_or_keeper(
    ana: Person,
    ben: Person,
    context: Any,
    wait_for: Wait,
    rescue: str,
) -> None:
    one = challenge(ana, ben)
    with mock.patch.object(paired_games, "create", side_effect=SystemExit), pytest.raises(SystemExit):
        answer(ben, one, "accept")
    if rescue == "keeper":
        wait_for(pairing.DUE_MS / 1000 + 1)
        duties.run_due(context, duties.BackOff())
        game = context.challenges.get(one["id"]).game_id
    else:
        game = body_of(ana.client.get(f"/v1/challenges/{one['id']}"))["game_id"]
    view = body_of(ana.client.get(f"/v1/games/{game}"))
    assert {ana.id, ben.id} == {seat["player"] for seat in view["seats"]}


def test_accepting_a_challenge_withdrawn_at_the_same_time_is_refused(ana: Person, ben: Person, context: Any) -> None:
    one = challenge(ana, ben)
    change = context.challenges.change

    def change_after_withdrawal(*arguments: Any) -> bool:
        context.challenges.change = change
        assert 204 == ana.client.delete(f"/v1/challenges/{one['id']}").status_code
        return bool(change(*arguments))

    context.challenges.change = change_after_withdrawal
    refusal = answer(ben, one, "accept")
    assert (409, "challenge/answered", "withdrawn") == (*refusal_of(refusal), refusal.json["became"])
    assert [] == ben.turns()


def test_an_invalid_challenge_is_refused_with_its_pointer(ana: Person, ben: Person) -> None:
    path = f"/v1/players/{ben.id}/challenges"
    faults: Faults = {"/seats": [2], "/clock": [{}], "/answer_s": [29, 604_801]}
    faults |= {"/variant": ["standard"], "/ruleset": ["chess"]}
    for pointer, body in wrong_bodies(AZUL, faults):
        assert [pointer] == invalid_fields(ana.client.post(path, body)), body
    assert ["/clock"] == invalid_fields(ana.client.post(path, {**AZUL, "rated": True}))
    assert ["/reason"] == invalid_fields(answer(ben, challenge(ana, ben), "decline", reason="because"))
