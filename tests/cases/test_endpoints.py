"""An endpoint's turn on a real store: what it is sent, what its answers do, and what is due after a failure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import orjson
import pytest
import redis
from standardwebhooks import Webhook

from service.cases import (
    Caller,
    Cases,
    creating,
    endpoints,
    imports,
    offering,
    open_cases,
    playing,
    positions,
    reading,
    records,
)
from service.cases.creating import NewEndpoint, NewGame, NewSeat
from service.games.errors import GameError
from service.games.moments import rfc3339
from service.operate.launcher import EmbeddedRedis
from service.outgoing import signing
from service.rulesets.registry import RULESETS
from service.settings import Settings
from tests import keeping
from tests.cases.people import Time, view
from tests.cases.test_cases import PLAYER, act, everything, new, seat

SECRET = signing.new_secret()
BOT = NewSeat("http", "Bot", "random", NewEndpoint("https://bot.example/", SECRET))


@pytest.fixture
def cases(valkey: EmbeddedRedis, redis_client: redis.Redis) -> Iterator[Cases]:
    """Doors to an empty store, of a service that calls."""
    opened = open_cases(Settings.from_environment({"REDIS_URL": valkey.socket_url, "OUTGOING": "on"}))
    yield opened
    opened.hub.close()


def with_bot(**changes: Any) -> NewSeat:
    assert BOT.endpoint is not None
    return replace(BOT, endpoint=replace(BOT.endpoint, **changes))


def call_of(cases: Cases, game: str) -> endpoints.Call:
    """The decision that an endpoint has to make now, taken."""
    found = view(cases, game)
    call = endpoints.take(cases, game, found["revision"], found["to_decide"])
    assert call is not None
    return call


def asked(cases: Cases, game: str) -> dict[str, Any]:
    """What it is sent, verified as it would."""
    asking = endpoints.asking(cases, call_of(cases, game))
    return dict(Webhook(SECRET).verify(asking.body.decode(), asking.headers))


def answer(cases: Cases, game: str, content: Any) -> None:
    raw = content if isinstance(content, bytes) else orjson.dumps(content)
    endpoints.decide(cases, call_of(cases, game), raw)


def failures(cases: Cases, game: str) -> list[tuple[str, str | None]]:
    events = reading.history(cases, Caller(), game)["events"]
    return [(event["reason"], event["rule"]) for event in events if event["kind"] == "call_failed"]


@pytest.mark.parametrize("ruleset", RULESETS)
def test_it_is_sent_the_view_what_is_legal_and_until_when(cases: Cases, time: Time, ruleset: str) -> None:
    new_game = NewGame(ruleset, RULESETS[ruleset].variants[0], (with_bot(timeout_s=2.5), PLAYER), first_seat=0)
    game = creating.create(cases, Caller(), new_game)["game"]["id"]
    told = asked(cases, game)
    data = told["data"]
    assert ("decision", 0) == (told["type"], data["seat"])
    assert view(cases, game) == data["game"]
    assert reading.legal(cases, Caller(), game)["actions"] == data["actions"]
    assert (data["total"], None) == (len(data["actions"]), data["choices"])
    assert rfc3339(time.ms + 2500) == data["deadline"]


def test_of_too_many_actions_it_is_sent_the_choices_and_where_it_may_ask_for_the_list(cases: Cases) -> None:
    game, tokens = new(cases, BOT, PLAYER, visibility="private")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(endpoints, "MOST_LISTED", 5)
        data = asked(cases, game)["data"]
    host = Caller(tokens["host"])
    assert (None, reading.legal(cases, host, game)["total"]) == (data["actions"], data["total"])
    assert reading.choices(cases, host, game)["choices"] == data["choices"]
    listed = positions.examine(data["game"]["position"], None, None, "list", slice(None), "en")
    assert reading.legal(cases, host, game)["actions"] == listed["legal"]["actions"]
    assert f"{cases.settings.base_url}/v1/positions" == data["positions_url"]


@pytest.mark.parametrize("by", ["id", "action"])
def test_its_answer_is_its_action(cases: Cases, by: str) -> None:
    game, _ = new(cases, BOT, PLAYER)
    chosen = asked(cases, game)["data"]["actions"][3]
    answer(cases, game, {by: chosen[by]})
    event = reading.history(cases, Caller(), game, 3)["events"][0]
    assert ("action", 0, chosen["action"]) == (event["kind"], event["seat"], event["action"])


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff",
        b"hello",
        b"[" * 60_000,
        None,
        [],
        7,
        "0",
        {},
        {"id": 3},
        {"id": None, "action": None},
        {"id": "x"},
        {"id": "-1"},
        {"id": "9" * 30},
        {"id": "1", "action": {"type": "azul.draft"}},
        {"action": []},
        {"action": {}},
        {"action": {"type": "azul.draft"}},
        {"action": {"type": "azul.draft", "source": "factory_0", "colour": ["blue"], "line": {}}},
    ],
)
def test_an_answer_that_names_no_action_is_a_failure(cases: Cases, content: Any) -> None:
    game, _ = new(cases, BOT, PLAYER)
    answer(cases, game, content)
    assert [("unreadable", None)] == failures(cases, game)


def test_an_illegal_answer_is_a_failure_with_the_rules_reason(cases: Cases) -> None:
    game, _ = new(cases, BOT, PLAYER)
    answer(cases, game, {"id": "270"})
    ((reason, rule),) = failures(cases, game)
    assert "illegal" == reason
    assert rule in RULESETS["azul"].reasons
    assert rule == view(cases, game)["seats"][0]["endpoint"]["rule"]


def test_the_next_attempt_is_due_when_it_was_told_to_be_and_the_keeper_sees_to_it(cases: Cases, time: Time) -> None:
    game, _ = new(cases, BOT, PLAYER)
    assert 1 == cases.queue.calls.count
    endpoints.fail(cases, call_of(cases, game), "late")
    assert 1 == cases.queue.calls.count
    time.pass_(0.999)
    assert 0 == keeping.wake_due(cases)
    time.pass_(0.001)
    assert 1 == keeping.wake_due(cases)
    assert (2, 0) == (cases.queue.calls.count, cases.queue.length())
    call_of(cases, game)


def test_after_the_last_attempt_an_ai_is_woken(cases: Cases, time: Time) -> None:
    game, _ = new(cases, with_bot(attempts=2), PLAYER)
    for _ in range(2):
        assert 0 == cases.queue.length()
        endpoints.fail(cases, call_of(cases, game), "status")
        time.pass_(1)
    assert 1 == cases.queue.length()
    told = view(cases, game)["seats"][0]
    assert ("away", "down") == (told["status"], told["endpoint"]["health"])


def test_a_decision_whose_dialers_die_is_taken_again_and_at_last_a_failure(cases: Cases, time: Time) -> None:
    game, _ = new(cases, BOT, PLAYER)
    for _ in range(endpoints.LOST_AFTER):
        call_of(cases, game)
        time.pass_(7.9)
        assert 0 == keeping.wake_due(cases)
        time.pass_(0.1)
        assert 1 == keeping.wake_due(cases)
    found = view(cases, game)
    assert endpoints.take(cases, game, found["revision"], 0) is None
    assert [("lost", None)] == failures(cases, game)


def test_an_answer_that_comes_too_late_for_the_game_changes_nothing(cases: Cases, redis_client: redis.Redis) -> None:
    game, tokens = new(cases, BOT, PLAYER)
    call = call_of(cases, game)
    playing.abort(cases, Caller(tokens["host"]), game, None)
    before = everything(redis_client)
    endpoints.decide(cases, call, orjson.dumps({"id": str(call.position.legal_actions()[0])}))
    endpoints.fail(cases, call, "late")
    assert before == everything(redis_client)
    assert endpoints.take(cases, game, view(cases, game)["revision"], 0) is None


def test_nobody_is_asked_where_a_person_or_an_ai_decides(cases: Cases) -> None:
    game, _ = new(cases, PLAYER, BOT)
    assert endpoints.take(cases, game, view(cases, game)["revision"], 0) is None
    assert endpoints.take(cases, "A" * 16, 1, 0) is None


def test_several_endpoints_in_one_game_each_have_their_own_secret(cases: Cases) -> None:
    game, tokens = new(cases, BOT, with_bot(secret=None), with_bot(url="https://other.example/", secret=None))
    assert SECRET == tokens["secrets"]["0"]
    for _ in range(3):
        call = call_of(cases, game)
        asking = endpoints.asking(cases, call)
        assert Webhook(tokens["secrets"][str(call.seat)]).verify(asking.body.decode(), asking.headers)
        endpoints.decide(cases, call, orjson.dumps({"id": str(call.position.legal_actions()[0])}))
    assert 3 == len(set(tokens["secrets"].values()))


def test_a_rematch_has_the_same_endpoints_in_good_health(cases: Cases, time: Time) -> None:
    game, tokens = new(cases, with_bot(attempts=1, on_failure="lose"), PLAYER)
    endpoints.fail(cases, call_of(cases, game), "late")
    found = orjson.loads(offering.rematch(cases, seat(tokens, 1), game, None, None).view)
    follows = found["rematch"]
    assert "failed" == found["seats"][0]["status"]
    told = view(cases, follows)["seats"][0]
    assert ("active", "ok") == (told["status"], told["endpoint"]["health"])
    if view(cases, follows)["to_decide"] == 1:
        act(cases, follows, seat(tokens, 1))
    assert asked(cases, follows)["data"]["total"]


def test_where_calling_is_switched_off_later_it_is_left_to_the_workers(cases: Cases, valkey: EmbeddedRedis) -> None:
    new(cases, BOT, PLAYER)
    calls: Any = cases.queue.calls
    calls.empty()
    without = open_cases(Settings.from_environment({"REDIS_URL": valkey.socket_url}))
    assert (1, 1) == (keeping.wake_due(without), without.queue.length())
    without.hub.close()


def test_an_imported_game_is_played_by_the_ai_that_stood_in(cases: Cases) -> None:
    game, _ = new(cases, BOT, PLAYER)
    endpoints.fail(cases, call_of(cases, game), "late")
    record = records.export(cases, Caller(), game)[1]
    assert [("http", "random"), ("player", None)] == [(one["kind"], one["level"]) for one in record["seats"]]
    made = imports.import_game(cases, Caller(), record)["game"]
    assert ("ai", "random", None) == tuple(made["seats"][0][name] for name in ("kind", "level", "endpoint"))


@pytest.mark.parametrize(
    ("url", "fault"),
    [
        ("http://bot.example/", "must be an https URL without user, password and fragment"),
        ("https://me:hush@bot.example/", "must be an https URL without user, password and fragment"),
        ("nonsense", "must be an https URL without user, password and fragment"),
        ("https://bot.example:8443/", "must have one of the ports 443"),
    ],
)
def test_what_may_not_be_called_is_refused_when_the_game_is_made(cases: Cases, url: str, fault: str) -> None:
    with pytest.raises(GameError) as error:
        new(cases, PLAYER, with_bot(url=url))
    assert {"/seats/1/endpoint/url": fault} == error.value.errors
