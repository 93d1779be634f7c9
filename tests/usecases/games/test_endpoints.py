"""An endpoint's turn on a real store: the request, the effect of its answer, and the retry after a failure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import orjson
import pytest
from redis import Redis
from standardwebhooks import Webhook

from service.games.state.moments import rfc3339
from service.operate.redis.launcher import EmbeddedRedis
from service.outgoing import signing
from service.rulesets.registry import RULESETS
from service.settings import Settings
from service.storage.work.queue import CALLS
from service.usecases.base.context import Caller, Context, open_context
from service.usecases.games import creating, endpoints, offering, playing
from service.usecases.games.commands import Request
from service.usecases.games.creating import NewEndpoint, NewGame, NewSeat
from service.usecases.positions import positions
from service.usecases.views import exports, reading
from service.usecases.work import imports
from tests import keeping
from tests.contents import redis_contents
from tests.usecases.answers import to_json
from tests.usecases.games.test_usecases import PLAYER, act, new_game, seat
from tests.usecases.players import Time, new_game_of, player, view

SECRET = signing.new_secret()
BOT = NewSeat("http", "Bot", "random", NewEndpoint("https://bot.example/", SECRET))


@pytest.fixture
def context(valkey: EmbeddedRedis, redis_client: Redis) -> Iterator[Context]:
    """Open a context on an empty store, with outgoing calls enabled."""
    opened = open_context(Settings.from_environment({"REDIS_URL": valkey.socket_url, "OUTGOING": "on"}))
    yield opened
    opened.hub.close()


def with_bot(**changes: Any) -> NewSeat:
    assert BOT.endpoint is not None
    return replace(BOT, endpoint=replace(BOT.endpoint, **changes))


def call_of(context: Context, game: str) -> endpoints.Call:
    """Take the decision that an endpoint has to make now."""
    results = view(context, game)
    call = endpoints.take(context, game, results["revision"], results["to_decide"])
    assert call is not None
    return call


def decision_request(context: Context, game: str) -> dict[str, Any]:
    """Return the request that the endpoint receives, with its signature verified."""
    request = endpoints.build_request(context, call_of(context, game))
    return dict(Webhook(SECRET).verify(request.body.decode(), request.headers))


def answer(context: Context, game: str, content: Any) -> None:
    raw = content if isinstance(content, bytes) else orjson.dumps(content)
    endpoints.decide(context, call_of(context, game), raw)


def take_queued(context: Context) -> list[str]:
    """Take and finish all queued decisions. Return game, revision, seat and attempt of each."""
    queue, names = context.dial_queues[CALLS], list[str]()
    while (name := queue.take(context.now_ms(), context.now_ms() + 1, 1_000)) is not None:
        queue.finish(name)
        names.append(name.partition(" ")[2])
    return names


def failures(context: Context, game: str) -> list[tuple[str, str | None]]:
    events = reading.history(context, Caller(), game)["events"]
    return [(event["reason"], event["rule"]) for event in events if event["kind"] == "call_failed"]


@pytest.mark.parametrize("ruleset", RULESETS)
def test_an_endpoint_receives_view_legal_actions_and_deadline(context: Context, time: Time, ruleset: str) -> None:
    new_game = NewGame(ruleset, RULESETS[ruleset].variants[0], (with_bot(timeout_s=2.5), PLAYER), first_seat=0)
    game = creating.create(context, Caller(), new_game)["game"]["id"]
    actual = decision_request(context, game)
    data = actual["data"]
    assert ("decision", 0) == (actual["type"], data["seat"])
    assert view(context, game) == data["game"]
    assert to_json(reading.list_legal_actions(context, Caller(), game))["actions"] == data["actions"]
    assert (data["total"], None) == (len(data["actions"]), data["choices"])
    assert rfc3339(time.ms + 2500) == data["deadline"]


def test_an_endpoint_receives_choices_and_a_url_instead_of_a_long_list(context: Context) -> None:
    game, tokens = new_game(context, BOT, PLAYER, visibility="private")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(endpoints, "MAX_LISTED", 5)
        data = decision_request(context, game)["data"]
    host = Caller(tokens["host"])
    assert (None, reading.list_legal_actions(context, host, game)["total"]) == (data["actions"], data["total"])
    assert reading.legal_choices(context, host, game)["choices"] == data["choices"]
    listed = to_json(positions.examine(positions.read(data["game"]["position"]), None, "list", slice(None), "en"))
    assert to_json(reading.list_legal_actions(context, host, game))["actions"] == listed["legal"]["actions"]
    assert f"{context.settings.base_url}/v1/positions" == data["positions_url"]


@pytest.mark.parametrize("by", ["id", "action", "notation"])
def test_the_answer_of_an_endpoint_is_its_action(context: Context, by: str) -> None:
    game, _ = new_game(context, BOT, PLAYER)
    chosen = decision_request(context, game)["data"]["actions"][3]
    answer(context, game, {by: chosen[by]})
    event = reading.history(context, Caller(), game, 3)["events"][0]
    assert ("action", 0, chosen["action"]) == (event["kind"], event["seat"], event["action"])


@pytest.mark.parametrize(
    "content",
    [
        *(b"", b"\xff", b"hello", b"[" * 60_000, None, [], 7, "0", {}),
        *({"id": wrong} for wrong in (3, "x", "-1", "9" * 30)),
        *({"notation": wrong} for wrong in (3, "0b")),
        {"action": []},
        {"action": {}},
        {"action": {"type": "azul.draft"}},
        {"action": {"type": "azul.draft", "source": "factory_0", "colour": ["blue"], "line": {}}},
        {"id": None, "action": None},
        {"id": "1", "action": {"type": "azul.draft"}},
        {"id": "1", "notation": "0b1"},
    ],
)
def test_an_answer_that_names_no_action_is_a_failure(context: Context, content: Any) -> None:
    game, _ = new_game(context, BOT, PLAYER)
    answer(context, game, content)
    assert [("unreadable", None)] == failures(context, game)


def test_an_illegal_answer_is_a_failure_with_the_reason_of_the_rules(context: Context) -> None:
    game, _ = new_game(context, BOT, PLAYER)
    answer(context, game, {"id": "270"})
    ((reason, rule),) = failures(context, game)
    assert "illegal" == reason
    assert rule in RULESETS["azul"].reasons
    assert rule == view(context, game)["seats"][0]["endpoint"]["rule"]


def test_the_keeper_wakes_a_dialer_when_the_next_attempt_is_due(context: Context, time: Time) -> None:
    game, _ = new_game(context, BOT, PLAYER)
    assert [f"{game} 3 0 0"] == take_queued(context)
    endpoints.record_failure(context, call_of(context, game), "late")
    assert [] == take_queued(context)
    time.pass_(0.999)
    assert 0 == keeping.wake_due(context)
    time.pass_(0.001)
    assert 1 == keeping.wake_due(context)
    assert ([f"{game} 4 0 0"], 0) == (take_queued(context), context.queue.turns[0].count)
    call_of(context, game)


def test_a_failing_endpoint_rests_in_all_games_of_its_owner_and_recovers_in_all(context: Context, time: Time) -> None:
    games = [new_game(context, with_bot(attempts=9), PLAYER)[0] for _ in range(3)]
    stranger = new_game_of(context, player(context)[1], with_bot(attempts=9), PLAYER)[0]
    began = time.ms
    for game, pause_s in ((games[0], 40), (games[1], 0)):
        endpoints.record_failure(context, call_of(context, game), "late")
        time.pass_(pause_s)
    assert [None, None] == [endpoints.take(context, games[2], 3, 0), endpoints.take(context, games[0], 4, 0)]
    call_of(context, stranger)
    assert 0 == keeping.wake_due(context)
    time.pass_(20)
    assert began + 60_000 == time.ms
    keeping.wake_due(context)
    assert {*games} == {name.split()[0] for name in take_queued(context)} - {stranger}
    answer(context, games[2], {"id": str(call_of(context, games[2]).position.legal_actions()[0])})
    assert call_of(context, games[0]).failures is None


def test_an_endpoint_rests_for_a_minute_at_most(context: Context, time: Time) -> None:
    games = [new_game(context, with_bot(attempts=9), PLAYER)[0] for _ in range(3)]
    for game in games[:2]:
        endpoints.record_failure(context, call_of(context, game), "late")
        time.pass_(10_000)
    endpoints.record_failure(context, call_of(context, games[0]), "late")
    assert endpoints.take(context, games[2], 3, 0) is None
    time.pass_(60)
    call_of(context, games[2])


def test_after_the_last_attempt_an_ai_is_woken(context: Context, time: Time) -> None:
    game, _ = new_game(context, with_bot(attempts=2), PLAYER)
    for _ in range(2):
        assert 0 == context.queue.turns[0].count
        endpoints.record_failure(context, call_of(context, game), "status")
        time.pass_(1)
    assert 1 == context.queue.turns[0].count
    actual = view(context, game)["seats"][0]
    assert ("away", "down") == (actual["status"], actual["endpoint"]["health"])


def test_a_decision_whose_dialers_die_is_retried_and_finally_fails(context: Context, time: Time) -> None:
    game, _ = new_game(context, BOT, PLAYER)
    for _ in range(endpoints.MAX_LOST_LEASES):
        call_of(context, game)
        time.pass_(7.9)
        assert 0 == keeping.wake_due(context)
        time.pass_(0.1)
        assert 1 == keeping.wake_due(context)
    actual = view(context, game)
    assert endpoints.take(context, game, actual["revision"], 0) is None
    assert [("lost", None)] == failures(context, game)


def test_a_repeated_wake_up_causes_one_call(context: Context) -> None:
    game, _ = new_game(context, BOT, PLAYER)
    revision = view(context, game)["revision"]
    assert endpoints.take(context, game, revision, 0, 0) is not None
    assert endpoints.take(context, game, revision, 0, 0) is None
    assert endpoints.take(context, game, revision, 0, 1) is not None


def test_an_answer_after_the_end_of_the_game_changes_nothing(context: Context, redis_client: Redis) -> None:
    game, tokens = new_game(context, BOT, PLAYER)
    call = call_of(context, game)
    playing.abort(context, Request(Caller(tokens["host"]), game))
    before = redis_contents(redis_client)
    endpoints.decide(context, call, orjson.dumps({"id": str(call.position.legal_actions()[0])}))
    endpoints.record_failure(context, call, "late")
    assert before == redis_contents(redis_client)
    assert endpoints.take(context, game, view(context, game)["revision"], 0) is None


def test_no_endpoint_is_called_for_a_person_or_an_ai(context: Context) -> None:
    game, _ = new_game(context, PLAYER, BOT)
    assert endpoints.take(context, game, view(context, game)["revision"], 0) is None
    assert endpoints.take(context, "A" * 16, 1, 0) is None


def test_several_endpoints_in_one_game_each_have_their_own_secret(context: Context) -> None:
    game, tokens = new_game(context, BOT, with_bot(secret=None), with_bot(url="https://other.example/", secret=None))
    assert SECRET == tokens["secrets"]["0"]
    for _ in range(3):
        call = call_of(context, game)
        request = endpoints.build_request(context, call)
        assert Webhook(tokens["secrets"][str(call.seat)]).verify(request.body.decode(), request.headers)
        endpoints.decide(context, call, orjson.dumps({"id": str(call.position.legal_actions()[0])}))
    assert 3 == len(set(tokens["secrets"].values()))


def test_a_rematch_has_the_same_endpoints_in_good_health(context: Context, time: Time) -> None:
    game, tokens = new_game(context, with_bot(attempts=1, on_failure="lose"), PLAYER)
    endpoints.record_failure(context, call_of(context, game), "late")
    seen = orjson.loads(offering.rematch(context, Request(seat(tokens, 1), game), None).view)
    follows = seen["rematch"]
    assert "failed" == seen["seats"][0]["status"]
    actual = view(context, follows)["seats"][0]
    assert ("active", "ok") == (actual["status"], actual["endpoint"]["health"])
    if view(context, follows)["to_decide"] == 1:
        act(context, follows, seat(tokens, 1))
    assert decision_request(context, follows)["data"]["total"]


def test_workers_decide_when_outgoing_calls_are_switched_off(context: Context, valkey: EmbeddedRedis) -> None:
    new_game(context, BOT, PLAYER)
    calls: Any = context.queue.calls
    calls.empty()
    silent_context = open_context(Settings.from_environment({"REDIS_URL": valkey.socket_url}))
    assert (1, 1) == (keeping.wake_due(silent_context), silent_context.queue.turns[0].count)
    silent_context.hub.close()


def test_in_an_imported_game_the_fallback_ai_plays_for_the_endpoint(context: Context) -> None:
    game, _ = new_game(context, BOT, PLAYER)
    endpoints.record_failure(context, call_of(context, game), "late")
    exported = exports.export(context, Caller(), game)[1]
    assert [("http", "random"), ("player", None)] == [(one["kind"], one["level"]) for one in exported["seats"]]
    made = imports.import_game(context, Caller(), exported)["game"]
    assert ("ai", "random", None) == tuple(made["seats"][0][name] for name in ("kind", "level", "endpoint"))
