"""Create, claim, act, read, and an AI's turn, on a real store."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import orjson
import pytest
from redis import Redis

from service.games.errors import GameError
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import SEAL_BYTES
from service.storage.base.packing import pack
from service.stored_json import NewerRecordError
from service.usecases.base import repository
from service.usecases.base.context import Caller, Context, Idempotency
from service.usecases.games import creating, playing, turns
from service.usecases.games.commands import Request
from service.usecases.games.creating import NewGame, NewSeat
from service.usecases.views import listings, reading
from service.usecases.views.listings import Filters
from tests import keeping
from tests.contents import redis_contents
from tests.patience import HANG_S
from tests.storage.commits import pass_a_millisecond
from tests.usecases.answers import to_json
from tests.usecases.waiting import wait_result

PLAYER, OPEN, AI = NewSeat("player"), NewSeat("open"), NewSeat("ai", level="greedy")
KEY = Idempotency("a key of more than 128 bits", "hash of the body")


def new_game(context: Context, *seats: NewSeat, **changes: Any) -> tuple[str, dict[str, Any]]:
    """Create a game: (id, tokens)."""
    made = creating.create(context, Caller(), NewGame("azul", "coloured", seats, first_seat=0, **changes))
    return made["game"]["id"], made["tokens"]


def seat(tokens: dict[str, Any], number: int) -> Caller:
    return Caller(tokens["seats"][str(number)])


def first_action(context: Context, game: str) -> tuple[str, int]:
    """Return the id of the first legal action and the revision."""
    legal = to_json(reading.list_legal_actions(context, Caller(), game))
    return legal["actions"][0]["id"], legal["revision"]


def act(context: Context, game: str, caller: Caller, key: Idempotency | None = None) -> Any:
    action, revision = first_action(context, game)
    return playing.act(context, Request(caller, game, (revision,), key), action, None)


def raises_error(code: str) -> Any:
    """Expect a GameError with this code."""
    return pytest.raises(GameError, match=code)


def lose_wake_ups(context: Context) -> None:
    queue: Any = context.queue.turns[0]
    queue.empty()


def test_a_refused_command_writes_nothing(context: Context, redis_client: Redis) -> None:
    game, tokens = new_game(context, PLAYER, PLAYER)
    _, other_tokens = new_game(context, PLAYER, PLAYER)
    action, revision = first_action(context, game)
    before = redis_contents(redis_client)
    attempts: list[tuple[str, Caller, str | None, dict[str, Any] | None, int | None]] = [
        ("auth/token_required", Caller(), action, None, revision),
        ("auth/token_unknown", Caller("no token"), action, None, revision),
        ("auth/token_unknown", seat(other_tokens, 0), action, None, revision),
        ("auth/wrong_seat", Caller(tokens["host"]), action, None, revision),
        ("auth/token_required", Caller(), action, None, None),
        ("auth/wrong_seat", Caller(tokens["host"]), action, None, None),
        ("game/not_your_turn", seat(tokens, 1), action, None, revision),
        ("game/revision_required", seat(tokens, 0), action, None, None),
        ("game/stale_revision", seat(tokens, 0), action, None, revision - 1),
        ("game/stale_revision", seat(tokens, 0), action, None, revision + 1),
        ("game/illegal_action", seat(tokens, 0), "270", None, revision),
        ("request/invalid", seat(tokens, 0), "x", None, revision),
        ("request/invalid", seat(tokens, 0), None, None, revision),
        ("request/invalid", seat(tokens, 0), action, {"type": "azul.draft"}, revision),
        ("request/invalid", seat(tokens, 0), None, {"type": "azul.draft"}, revision),
    ]
    for code, caller, action_id, fields, expected in attempts:
        with raises_error(code):
            playing.act(context, Request(caller, game, None if expected is None else (expected,)), action_id, fields)
    assert before == redis_contents(redis_client)
    with raises_error("game/not_found"):
        playing.act(context, Request(seat(tokens, 0), "x" * 16), action, None)


def test_the_same_key_gets_the_same_answer_and_acts_once(context: Context) -> None:
    game, tokens = new_game(context, PLAYER, PLAYER)
    action, revision = first_action(context, game)
    first_reply = playing.act(context, Request(seat(tokens, 0), game, (revision,), KEY), action, None)
    act(context, game, seat(tokens, 1))
    second_reply = playing.act(context, Request(seat(tokens, 0), game, (revision,), KEY), action, None)
    assert (False, True) == (first_reply.replayed, second_reply.replayed)
    assert (first_reply.revision, first_reply.events) == (second_reply.revision, second_reply.events)
    assert orjson.loads(first_reply.view) == orjson.loads(second_reply.view)
    assert revision + 2 == reading.glance(context, Caller(), game)[0]


def test_a_replayed_request_ignores_its_revision(context: Context) -> None:
    game, tokens = new_game(context, PLAYER, PLAYER)
    action, revision = first_action(context, game)
    first_reply = playing.act(context, Request(seat(tokens, 0), game, (revision,), KEY), action, None)
    for expected in (None, (revision - 1,), (revision + 9,)):
        second_reply = playing.act(context, Request(seat(tokens, 0), game, expected, KEY), action, None)
        assert (True, first_reply.revision) == (second_reply.replayed, second_reply.revision)


def test_a_key_with_another_body_is_refused_and_keys_belong_to_callers(context: Context) -> None:
    game, tokens = new_game(context, PLAYER, PLAYER)
    act(context, game, seat(tokens, 0), KEY)
    with raises_error("idempotency/mismatch"):
        act(context, game, seat(tokens, 0), replace(KEY, body_hash="another"))
    assert not act(context, game, seat(tokens, 1), KEY).replayed


@pytest.mark.parametrize(
    ("changes", "pointer"),
    [
        ({"ruleset": "chess"}, "/ruleset"),
        ({"variant": "red"}, "/variant"),
        ({"seats": (PLAYER,)}, "/seats"),
        ({"seats": (PLAYER,) * 5}, "/seats"),
        ({"first_seat": 2}, "/first_seat"),
        ({"seats": (PLAYER, NewSeat("ai"))}, "/seats/1/level"),
        ({"seats": (PLAYER, NewSeat("ai", level="god"))}, "/seats/1/level"),
        ({"seats": (PLAYER, NewSeat("player", level="greedy"))}, "/seats/1/level"),
        ({"seed": bytes(32)}, "/seed"),
    ],
)
def test_an_invalid_game_is_refused_with_the_invalid_field(changes: dict[str, Any], pointer: str) -> None:
    request = replace(NewGame("azul", "coloured", (PLAYER, PLAYER)), **changes)
    with pytest.raises(GameError) as error:
        creating.validate(request)
    assert {pointer} == set(error.value.errors)


def test_an_ai_decides_for_a_player_who_resigned(context: Context) -> None:
    game, tokens = new_game(context, PLAYER, PLAYER, PLAYER)
    playing.resign(context, Request(seat(tokens, 0), game), None)
    action, revision = first_action(context, game)
    for decide in (playing.act, playing.preview):
        with raises_error("game/resigned"):
            decide(context, Request(seat(tokens, 0), game, (revision,)), action, None)
    turn = turns.take(context, game, revision, 0)
    assert turn is not None
    turns.act(context, turn, int(action))
    assert revision + 1 == reading.glance(context, Caller(), game)[0]
    playing.resign(context, Request(seat(tokens, 1), game), None)
    with raises_error("game/over"):
        playing.act(context, Request(seat(tokens, 0), game, (revision + 2,)), action, None)


def test_one_decision_counts_though_two_workers_have_leased_the_turn(context: Context) -> None:
    game, tokens = new_game(context, PLAYER, AI)
    act(context, game, seat(tokens, 0))
    revision = reading.glance(context, Caller(), game)[0]
    assert turns.take(context, game, revision, 0) is None
    assert turns.take(context, game, revision - 1, 1) is None
    turn = turns.take(context, game, revision, 1)
    assert turn is not None
    assert ("greedy", 1) == (turn.level, turn.attempt)
    assert turns.renew(context, turn)
    rival = turns.take(context, game, revision, 1)
    assert rival is not None
    assert 2 == rival.attempt
    assert turns.act(context, turn, turn.position.legal_actions()[0]) is None  # the next decision is the player's
    assert turns.act(context, rival, turn.position.legal_actions()[1]) is None  # too late: it writes nothing
    assert revision + 1 == reading.glance(context, Caller(), game)[0]
    assert not turns.renew(context, rival)


def test_the_keeper_wakes_due_turns_without_a_lease(context: Context) -> None:
    game, tokens = new_game(context, PLAYER, AI)
    assert 0 == keeping.wake_due(context)
    act(context, game, seat(tokens, 0))
    lose_wake_ups(context)
    assert 1 == keeping.wake_due(context)
    assert 0 == keeping.wake_due(context)
    assert 1 == context.queue.turns[0].count
    assert turns.take(context, game, reading.glance(context, Caller(), game)[0], 1) is not None
    lose_wake_ups(context)
    assert 0 == keeping.wake_due(context)


def test_a_snapshot_of_other_sources_is_ignored_and_the_log_replayed(context: Context, redis_client: Redis) -> None:
    game, tokens = new_game(context, PLAYER, PLAYER)
    act(context, game, seat(tokens, 0))
    loaded_before = repository.load(context, game).game
    key = context.store.keys.game(game).game
    redis_client.hset(key, mapping={"tag": "another", "snapshot": b"nonsense"})
    assert loaded_before == repository.load(context, game).game
    act(context, game, seat(tokens, 1))
    assert RULESETS["azul"].rules_hash.encode() == redis_client.hget(key, "tag")


@pytest.mark.parametrize(
    "damage", ["a bit", "cut", "gone", "longer", "the seal", "no seal", "a frame cut short", "a bit of a frame"]
)
def test_a_damaged_snapshot_is_ignored_and_the_log_replayed(context: Context, redis_client: Redis, damage: str) -> None:
    """Earlier versions stored snapshots without a seal."""
    game, tokens = new_game(context, PLAYER, PLAYER)
    act(context, game, seat(tokens, 0))
    loaded_before = repository.load(context, game)
    snapshot, key = loaded_before.stored.snapshot, context.store.keys.game(game).game
    damaged = {
        "a bit": bytes([snapshot[0], snapshot[1] ^ 4]) + snapshot[2:],
        "cut": snapshot[:100],
        "gone": b"",
        "longer": snapshot + b"\0",
        "the seal": snapshot[:-1] + bytes([snapshot[-1] ^ 1]),
        "no seal": snapshot[:-SEAL_BYTES],
        "a frame cut short": pack(snapshot)[:-3],
        "a bit of a frame": pack(snapshot)[:40] + bytes([pack(snapshot)[40] ^ 4]) + pack(snapshot)[41:],
    }[damage]
    redis_client.hset(key, "snapshot", damaged)
    assert loaded_before.game == repository.load(context, game).game
    act(context, game, seat(tokens, 1))
    assert repository.load(context, game).stored.snapshot not in (snapshot, damaged)


def test_a_game_of_older_rules_is_rebased_and_played_on(
    context: Context, redis_client: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its position in wire form becomes the base. Older events remain as text."""
    game, tokens = new_game(context, PLAYER, PLAYER)
    act(context, game, seat(tokens, 0))
    view = orjson.loads(reading.glance(context, Caller(), game)[1])
    newer = replace(RULESETS["azul"], version=2, reasons=(*RULESETS["azul"].reasons, "new"))
    newer.__dict__["rules_hash"] = "the hash of the newer sources"
    monkeypatch.setitem(RULESETS, "azul", newer)
    loaded = repository.load(context, game).game
    assert loaded.base is not None
    assert (view["revision"], 2) == (loaded.base.revision, loaded.base.ruleset_version)
    act(context, game, seat(tokens, 1))
    after = orjson.loads(reading.glance(context, Caller(), game)[1])
    assert (2, view["revision"] + 1) == (after["ruleset_version"], after["revision"])
    assert view["position"] == orjson.loads(reading.view_at(context, Caller(), game, view["revision"]))["position"]
    with raises_error("game/rebased"):
        reading.view_at(context, Caller(), game, view["revision"] - 1)
    assert view["revision"] + 1 == len(reading.history(context, Caller(), game)["events"])
    monkeypatch.undo()
    with pytest.raises(NewerRecordError):
        repository.load(context, game)
    assert turns.take(context, game, after["revision"], after["to_decide"]) is None


def test_every_revision_can_be_read(context: Context) -> None:
    game, tokens = new_game(context, PLAYER, PLAYER)
    views = [orjson.loads(act(context, game, seat(tokens, number % 2)).view) for number in range(6)]
    for view in views:
        context.views.clear()
        assert view == orjson.loads(reading.view_at(context, Caller(), game, view["revision"]))
    for unknown in (0, views[-1]["revision"] + 1):
        with raises_error("game/revision_not_found"):
            reading.view_at(context, Caller(), game, unknown)


def test_a_follower_sees_every_event_with_its_view_and_the_end(context: Context) -> None:
    game, tokens = new_game(context, PLAYER, PLAYER)
    stream = reading.follow(context, Caller(), game, None, keep_alive_s=5)
    snapshot = next(stream)
    assert snapshot is not None
    assert ("snapshot", 3) == (snapshot["type"], snapshot["revision"])
    written = act(context, game, seat(tokens, 0))
    item = next(stream)
    assert item is not None
    assert (written.events[0], orjson.loads(written.view)) == (item["event"], item["game"])
    playing.resign(context, Request(seat(tokens, 0), game), None)
    assert ["resignation"] == [item["event"]["kind"] for item in stream if item is not None]
    resumed = [item for item in reading.follow(context, Caller(), game, 3) if item is not None]
    assert ["action", "resignation"] == [item["event"]["kind"] for item in resumed]


def test_a_quiet_stream_is_kept_alive(context: Context) -> None:
    game, _ = new_game(context, PLAYER, PLAYER)
    stream = reading.follow(context, Caller(), game, 3, keep_alive_s=0.1)
    assert [None, None] == [next(stream), next(stream)]


def test_a_wait_ends_with_the_next_revision_or_times_out(context: Context) -> None:
    game, tokens = new_game(context, PLAYER, PLAYER)
    assert reading.wait(context, Caller(), game, 3, 0.1) is None
    wait_for_revision, act_now = (
        partial(reading.wait, context, Caller(), game, 3, HANG_S),
        partial(act, context, game, seat(tokens, 0)),
    )
    actual = wait_result(context, wait_for_revision, act_now)
    assert actual is not None
    assert 4 == actual[0]


def test_the_listing_contains_public_games_that_were_not_aborted(context: Context, redis_client: Redis) -> None:
    shown, tokens = new_game(context, PLAYER, OPEN, visibility="public")
    pass_a_millisecond(redis_client)
    new_game(context, PLAYER, OPEN, visibility="unlisted")
    new_game(context, PLAYER, OPEN, visibility="private")
    playing_game, playing_tokens = new_game(context, PLAYER, PLAYER, visibility="public")
    assert [playing_game, shown] == [game["id"] for game in to_json(listings.listing(context, Filters()))[0]]
    assert [shown] == [game["id"] for game in to_json(listings.listing(context, Filters(open_seats=True)))[0]]
    assert [playing_game] == [game["id"] for game in to_json(listings.listing(context, Filters(status="playing")))[0]]
    page, cursor = to_json(listings.listing(context, Filters(), limit=1))
    assert [shown] == [game["id"] for game in to_json(listings.listing(context, Filters(), cursor=cursor))[0]]
    assert 1 == len(page)
    playing.abort(context, Request(Caller(tokens["host"]), shown))
    assert [playing_game] == [game["id"] for game in to_json(listings.listing(context, Filters()))[0]]
    playing.resign(context, Request(seat(playing_tokens, 0), playing_game), None)
    assert [playing_game] == [game["id"] for game in to_json(listings.listing(context, Filters(status="finished")))[0]]
