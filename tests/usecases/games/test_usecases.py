"""Create, claim, act, read, and an AI's turn, on a real store."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import orjson
import pytest
import redis

from service.games.errors import GameError
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import SEAL_BYTES
from service.storage.base.packing import packed
from service.usecases.base import repository
from service.usecases.base.context import Caller, Context, Idempotency
from service.usecases.games import creating, playing, turns
from service.usecases.games.commands import Request
from service.usecases.games.creating import NewGame, NewSeat
from service.usecases.views import listings, reading
from service.usecases.views.listings import Filters
from tests import keeping
from tests.contents import everything
from tests.patience import HANG_S
from tests.usecases.answers import answered
from tests.usecases.waiting import pass_a_millisecond, woken

PLAYER, OPEN, AI = NewSeat("player"), NewSeat("open"), NewSeat("ai", level="greedy")
KEY = Idempotency("a key of more than 128 bits", "hash of the body")


def new(context: Context, *seats: NewSeat, **changes: Any) -> tuple[str, dict[str, Any]]:
    """A created game: (id, tokens)."""
    made = creating.create(context, Caller(), NewGame("azul", "coloured", seats, first_seat=0, **changes))
    return made["game"]["id"], made["tokens"]


def seat(tokens: dict[str, Any], number: int) -> Caller:
    return Caller(tokens["seats"][str(number)])


def first(context: Context, game: str) -> tuple[str, int]:
    """(id of the first legal action, revision)."""
    legal = answered(reading.legal(context, Caller(), game))
    return legal["actions"][0]["id"], legal["revision"]


def act(context: Context, game: str, caller: Caller, key: Idempotency | None = None) -> Any:
    action, revision = first(context, game)
    return playing.act(context, Request(caller, game, revision, key), action, None)


def refused(code: str) -> Any:
    """The block raises a GameError with this code."""
    return pytest.raises(GameError, match=code)


def lose_wake_ups(context: Context) -> None:
    queue: Any = context.queue.turns[0]
    queue.empty()


def test_a_refused_command_writes_nothing(context: Context, redis_client: redis.Redis) -> None:
    game, tokens = new(context, PLAYER, PLAYER)
    _, other_tokens = new(context, PLAYER, PLAYER)
    action, revision = first(context, game)
    before = everything(redis_client)
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
        with refused(code):
            playing.act(context, Request(caller, game, expected), action_id, fields)
    assert before == everything(redis_client)
    with refused("game/not_found"):
        playing.act(context, Request(seat(tokens, 0), "x" * 16), action, None)


def test_the_same_key_gets_the_same_answer_and_acts_once(context: Context) -> None:
    game, tokens = new(context, PLAYER, PLAYER)
    action, revision = first(context, game)
    once = playing.act(context, Request(seat(tokens, 0), game, revision, KEY), action, None)
    act(context, game, seat(tokens, 1))
    again = playing.act(context, Request(seat(tokens, 0), game, revision, KEY), action, None)
    assert (False, True) == (once.replayed, again.replayed)
    assert (once.revision, once.events) == (again.revision, again.events)
    assert orjson.loads(once.view) == orjson.loads(again.view)
    assert revision + 2 == reading.glance(context, Caller(), game)[0]


def test_a_request_served_before_is_answered_before_its_revision_is_judged(context: Context) -> None:
    game, tokens = new(context, PLAYER, PLAYER)
    action, revision = first(context, game)
    once = playing.act(context, Request(seat(tokens, 0), game, revision, KEY), action, None)
    for expected in (None, revision - 1, revision + 9):
        again = playing.act(context, Request(seat(tokens, 0), game, expected, KEY), action, None)
        assert (True, once.revision) == (again.replayed, again.revision)


def test_the_same_key_with_another_body_is_refused_and_another_caller_s_key_is_his_own(context: Context) -> None:
    game, tokens = new(context, PLAYER, PLAYER)
    act(context, game, seat(tokens, 0), KEY)
    with refused("idempotency/mismatch"):
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
def test_a_game_that_cannot_be_is_refused_with_the_field_at_fault(
    context: Context, redis_client: redis.Redis, changes: dict[str, Any], pointer: str
) -> None:
    wanted = replace(NewGame("azul", "coloured", (PLAYER, PLAYER)), **changes)
    with pytest.raises(GameError) as error:
        creating.create(context, Caller(), wanted)
    assert {pointer} == set(error.value.errors)
    assert [] == redis_client.keys("*")


def test_who_has_resigned_decides_no_more_and_the_ai_does(context: Context) -> None:
    game, tokens = new(context, PLAYER, PLAYER, PLAYER)
    playing.resign(context, Request(seat(tokens, 0), game), None)
    action, revision = first(context, game)
    for decide in (playing.act, playing.dry_run):
        with refused("game/resigned"):
            decide(context, Request(seat(tokens, 0), game, revision), action, None)
    turn = turns.take(context, game, revision, 0)
    assert turn is not None
    turns.act(context, turn, int(action))
    assert revision + 1 == reading.glance(context, Caller(), game)[0]
    playing.resign(context, Request(seat(tokens, 1), game), None)
    with refused("game/over"):
        playing.act(context, Request(seat(tokens, 0), game, revision + 2), action, None)


def test_an_ai_that_is_due_is_played_by_whoever_takes_the_turn(context: Context) -> None:
    game, tokens = new(context, PLAYER, AI)
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
    assert turns.act(context, rival, turn.position.legal_actions()[1]) is None  # too late: nothing is written
    assert revision + 1 == reading.glance(context, Caller(), game)[0]
    assert not turns.renew(context, rival)


def test_the_keeper_wakes_what_is_due_and_not_leased(context: Context) -> None:
    game, tokens = new(context, PLAYER, AI)
    assert 0 == keeping.wake_due(context)
    act(context, game, seat(tokens, 0))
    lose_wake_ups(context)  # the wake-up is lost
    assert 1 == keeping.wake_due(context)
    assert 0 == keeping.wake_due(context)
    assert 1 == context.queue.turns[0].count
    assert turns.take(context, game, reading.glance(context, Caller(), game)[0], 1) is not None
    lose_wake_ups(context)
    assert 0 == keeping.wake_due(context)


def test_a_snapshot_of_other_sources_is_not_trusted_and_the_log_is_replayed(
    context: Context, redis_client: redis.Redis
) -> None:
    game, tokens = new(context, PLAYER, PLAYER)
    act(context, game, seat(tokens, 0))
    known = repository.load(context, game).game
    key = context.store.keys.game(game).game
    redis_client.hset(key, mapping={"tag": "another", "snapshot": b"nonsense"})
    assert known == repository.load(context, game).game
    act(context, game, seat(tokens, 1))
    assert RULESETS["azul"].rules_hash.encode() == redis_client.hget(key, "tag")


@pytest.mark.parametrize(
    "damage", ["a bit", "cut", "gone", "longer", "the seal", "no seal", "a frame cut short", "a bit of a frame"]
)
def test_a_damaged_snapshot_is_not_trusted_and_the_log_is_replayed(
    context: Context, redis_client: redis.Redis, damage: str
) -> None:
    """Also one without a seal, as earlier versions stored it."""
    game, tokens = new(context, PLAYER, PLAYER)
    act(context, game, seat(tokens, 0))
    known = repository.load(context, game)
    kept, key = known.stored.snapshot, context.store.keys.game(game).game
    damaged = {
        "a bit": bytes([kept[0], kept[1] ^ 4]) + kept[2:],
        "cut": kept[:100],
        "gone": b"",
        "longer": kept + b"\0",
        "the seal": kept[:-1] + bytes([kept[-1] ^ 1]),
        "no seal": kept[:-SEAL_BYTES],
        "a frame cut short": packed(kept)[:-3],
        "a bit of a frame": packed(kept)[:40] + bytes([packed(kept)[40] ^ 4]) + packed(kept)[41:],
    }[damage]
    redis_client.hset(key, "snapshot", damaged)
    assert known.game == repository.load(context, game).game
    act(context, game, seat(tokens, 1))
    assert repository.load(context, game).stored.snapshot not in (kept, damaged)


def test_a_game_of_older_rules_is_rebased_and_played_on(
    context: Context, redis_client: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its position in wire form becomes the base; what lies before is text only."""
    game, tokens = new(context, PLAYER, PLAYER)
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
    assert view["position"] == orjson.loads(reading.at(context, Caller(), game, view["revision"]))["position"]
    with refused("game/rebased"):
        reading.at(context, Caller(), game, view["revision"] - 1)
    assert view["revision"] + 1 == len(reading.history(context, Caller(), game)["events"])
    monkeypatch.undo()
    with refused("game/newer_ruleset"):
        repository.load(context, game)
    assert turns.take(context, game, after["revision"], after["to_decide"]) is None


def test_every_revision_can_be_read_and_the_last_is_the_present(context: Context) -> None:
    game, tokens = new(context, PLAYER, PLAYER)
    views = [orjson.loads(act(context, game, seat(tokens, number % 2)).view) for number in range(6)]
    for view in views:
        context.views.clear()
        assert view == orjson.loads(reading.at(context, Caller(), game, view["revision"]))
    for unknown in (0, views[-1]["revision"] + 1):
        with refused("game/revision_not_found"):
            reading.at(context, Caller(), game, unknown)


def test_a_follower_sees_every_event_with_its_view_and_the_end(context: Context) -> None:
    game, tokens = new(context, PLAYER, PLAYER)
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
    game, _ = new(context, PLAYER, PLAYER)
    stream = reading.follow(context, Caller(), game, 3, keep_alive_s=0.1)
    assert [None, None] == [next(stream), next(stream)]


def test_waiting_ends_with_the_next_revision_or_with_time(context: Context) -> None:
    game, tokens = new(context, PLAYER, PLAYER)
    assert reading.wait(context, Caller(), game, 3, 0.1) is None
    wait, move = partial(reading.wait, context, Caller(), game, 3, HANG_S), partial(act, context, game, seat(tokens, 0))
    actual = woken(context, wait, move)
    assert actual is not None
    assert 4 == actual[0]


def test_the_listing_tells_public_games_that_were_not_aborted(context: Context, redis_client: redis.Redis) -> None:
    shown, tokens = new(context, PLAYER, OPEN, visibility="public")
    pass_a_millisecond(redis_client)
    new(context, PLAYER, OPEN, visibility="unlisted")
    new(context, PLAYER, OPEN, visibility="private")
    playing_game, playing_tokens = new(context, PLAYER, PLAYER, visibility="public")
    assert [playing_game, shown] == [game["id"] for game in answered(listings.listing(context, Filters()))[0]]
    assert [shown] == [game["id"] for game in answered(listings.listing(context, Filters(open_seats=True)))[0]]
    assert [playing_game] == [game["id"] for game in answered(listings.listing(context, Filters(status="playing")))[0]]
    page, cursor = answered(listings.listing(context, Filters(), limit=1))
    assert [shown] == [game["id"] for game in answered(listings.listing(context, Filters(), cursor=cursor))[0]]
    assert 1 == len(page)
    playing.abort(context, Request(Caller(tokens["host"]), shown))
    assert [playing_game] == [game["id"] for game in answered(listings.listing(context, Filters()))[0]]
    playing.resign(context, Request(seat(playing_tokens, 0), playing_game), None)
    assert [playing_game] == [game["id"] for game in answered(listings.listing(context, Filters(status="finished")))[0]]
