"""Actions: by id or fields, once for each key, as a trial or for good."""

from __future__ import annotations

import orjson
import pytest

from tests.web.client import Client, body_of, check_replayed, read_pages
from tests.web.table import Table


def test_an_action_can_be_sent_as_its_id_or_its_fields(table: Table) -> None:
    chosen = table.actions()[0]
    revision = table.view()["revision"]
    done = table.seat(0).post(f"{table.path}/actions", {"action": chosen["action"]}, If_Match=f'"{revision}"')
    event = body_of(done)["events"][0]
    assert (201, revision + 1, "action", 0) == (done.status_code, event["revision"], event["kind"], event["seat"])
    assert chosen["action"] == event["action"]
    assert table.view() == body_of(done)["game"] == table.anyone.get(done.headers["Location"]).json
    assert f'"{revision + 1}"' == done.headers["ETag"]


def test_pages_contain_every_action_once(table: Table) -> None:
    pages = read_pages(table.anyone, f"{table.path}/actions?limit=7", "actions")
    assert table.actions() == [each for page in pages for each in page]


def test_a_repeated_request_gets_the_same_answer_and_acts_once(table: Table) -> None:
    body = {"id": table.actions()[0]["id"], "revision": table.view()["revision"]}
    first = table.seat(0).post(f"{table.path}/actions", body, Idempotency_Key="one")
    again = table.seat(0).post(f"{table.path}/actions", body, Idempotency_Key="one")
    assert first.json == again.json
    assert ("true", None) == tuple(each.headers.get("Idempotency-Replayed") for each in (again, first))
    assert (first.json or {})["game"] == table.view()


@pytest.mark.parametrize(("length", "status"), [(1, 201), (255, 201), (256, 400)])
def test_an_idempotency_key_with_a_token_has_1_to_255_characters(table: Table, length: int, status: int) -> None:
    body = {"id": table.actions(1)[0]["id"], "revision": table.view()["revision"]}
    answer = table.seat(0).post(f"{table.path}/actions", body, Idempotency_Key="k" * length)
    assert status == answer.status_code


@pytest.mark.parametrize(("length", "status"), [(21, 400), (22, 201)])
def test_an_idempotency_key_without_a_token_has_at_least_22_characters(
    anyone: Client, length: int, status: int
) -> None:
    body = {"ruleset": "azul", "variant": "grey", "seats": [{"kind": "player"}, {"kind": "open"}]}
    assert status == anyone.post("/v1/games", body, Idempotency_Key="k" * length).status_code


def test_a_repeated_create_request_creates_one_game(anyone: Client) -> None:
    body = {"ruleset": "azul", "variant": "grey", "seats": [{"kind": "player"}, {"kind": "open"}]}
    key = "0b6f6c1e-3b0a-4a9c-9d5e-2f0f5a7d1c11"
    first, again = (anyone.post("/v1/games", body, Idempotency_Key=key) for _ in range(2))
    check_replayed(first, again)
    path = f"{first.headers['Location']}/seats"
    claimed, repeated = (anyone.post(path, {}, Idempotency_Key=key) for _ in range(2))
    check_replayed(claimed, repeated)


def test_a_trial_returns_the_next_state_and_writes_nothing(table: Table) -> None:
    before = table.view()
    trial = body_of(table.seat(0).post(f"{table.path}/actions/preview", {"id": table.actions()[0]["id"]}), 200)
    assert before["revision"] + 1 == trial["game"]["revision"]
    assert before == table.view()
    assert trial["game"]["position"] == body_of(table.act())["game"]["position"]


def test_a_trial_does_not_reveal_draws(table: Table) -> None:
    """Otherwise a player could look at the next deal before choosing."""
    while table.position().play(table.position().legal_actions()[0]).status != "drawing":
        table.act()
    chosen = table.actions(1)[0]["id"]
    trial = table.seat(table.view()["to_decide"]).post(f"{table.path}/actions/preview", {"id": chosen}).json or {}
    assert (["action"], None) == ([event["kind"] for event in trial["events"]], trial["game"]["to_decide"])


def test_sentences_are_in_the_callers_language(table: Table) -> None:
    english, german = (
        (table.anyone.get(f"{table.path}/history", Accept_Language=language).json or {})["events"]
        for language in ("en", "de-AT")
    )
    assert english != german
    assert [{**event, "text": ""} for event in english] == [{**event, "text": ""} for event in german]


def test_the_log_is_read_in_pages_and_every_revision_can_be_seen(table: Table) -> None:
    for _ in range(3):
        table.act()
    whole = (table.anyone.get(f"{table.path}/history").json or {})["events"]
    assert list(range(1, table.view()["revision"] + 1)) == [event["revision"] for event in whole]
    assert whole == [
        event for page in read_pages(table.anyone, f"{table.path}/history?limit=2", "events") for event in page
    ]
    for event in whole:
        seen = table.anyone.get(f"{table.path}/history/{event['revision']}")
        assert event["revision"] == (seen.json or {})["revision"]
    assert table.anyone.get(table.path).data == orjson.dumps(table.view())
    beyond = table.anyone.get(f"{table.path}/history/{len(whole) + 1}")
    assert "game/revision_not_found" == (beyond.json or {})["code"]
    assert 304 == table.anyone.get(f"{table.path}/history/2", If_None_Match='"2"').status_code


@pytest.mark.parametrize("expected", ["*", '"{0}"', '"1", "{0}"', 'W/"{0}","x_y", "{0}" ,'])
@pytest.mark.parametrize("members", [(), ("revision",)])
def test_a_list_of_tags_and_any_revision_match(table: Table, expected: str, members: tuple[str, ...]) -> None:
    legal = body_of(table.anyone.get(f"{table.path}/actions"))
    body = {"id": legal["actions"][0]["id"], **{name: legal[name] for name in members}}
    path, tags = f"{table.path}/actions", expected.format(legal["revision"])
    assert 201 == table.seat(0).post(path, body, If_Match=tags).status_code
