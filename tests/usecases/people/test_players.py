"""Players: one token for all their games, turns that wait for them, and the expiry of their data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from redis import Redis

from service.games.state.clocks import ClockRule
from service.operate.redis.launcher import EmbeddedRedis
from service.settings import Settings
from service.storage.matchmaking.starts import LONGEST_CONSENT_MS
from service.usecases.base import profiles, repository
from service.usecases.base.context import Caller, Context, Idempotency, open_context
from service.usecases.games import chat, creating, offering, playing, seating, tickets
from service.usecases.games.commands import Request
from service.usecases.keeping import duties
from service.usecases.matchmaking import pairing
from service.usecases.people import follow_ups, players
from service.usecases.views import listings
from service.usecases.views.listings import ANY
from tests import keeping
from tests.contents import redis_contents
from tests.patience import HANG_S
from tests.storage.commits import pass_a_millisecond
from tests.usecases.answers import to_json
from tests.usecases.games.test_usecases import AI, KEY, OPEN, PLAYER, act, raises_error, seat
from tests.usecases.players import Time, elapse, new_game_of, player
from tests.usecases.waiting import wait_result, waits_without_news

SHORT = ClockRule(turn_s=2, bank_s=0, on_timeout="ai", level="random")
CLOCK = ClockRule(turn_s=600, bank_s=60, on_timeout="ai", level="random")


@pytest.fixture(params=[1, 16], ids=["one bucket", "sixteen buckets"])
def bucket_context(valkey: EmbeddedRedis, redis_client: Redis, request: pytest.FixtureRequest) -> Iterator[Context]:
    """Open a context on an empty store with this number of buckets."""
    environment = {"REDIS_URL": valkey.socket_url, "BUCKETS": str(request.param)}
    opened = open_context(Settings.from_environment(environment))
    yield opened
    opened.hub.close()


def ids(games: Any) -> list[str]:
    return [described["id"] for described in to_json(games)]


def test_a_players_token_is_returned_once_and_not_stored(context: Context, redis_client: Redis) -> None:
    made = players.create(context, {"name": "Ana"})
    caller = Caller(made["token"])
    assert made["token"].startswith(made["player"]["id"] + ".")
    assert made["player"] == players.get_own(context, caller)
    assert set(profiles.PUBLIC_FIELDS) == set(made["player"])
    secret = made["token"].partition(".")[2].encode()
    assert not [key for key, dump in redis_contents(redis_client).items() if secret in (dump or b"")]


def test_a_player_needs_no_name(context: Context) -> None:
    assert players.create(context, {})["player"]["name"] is None


def test_rotating_a_players_token_ends_the_old_one_and_keeps_seats(context: Context) -> None:
    ana, as_ana = player(context, "Ana")
    game, _ = new_game_of(context, as_ana, PLAYER, AI)
    made = players.rotate(context, as_ana)
    assert (ana, "Ana") == (made["player"]["id"], made["player"]["name"])
    for ask in (players.get_own, players.rotate, lambda c, caller: players.turns(c, caller, 0)):
        with raises_error("auth/token_unknown"):
            ask(context, as_ana)
    with raises_error("auth/token_unknown"):
        act(context, game, as_ana)
    assert [game] == ids(players.turns(context, Caller(made["token"]), 0))
    act(context, game, Caller(made["token"]))


def test_a_game_is_among_the_turns_while_it_waits_for_the_players_decision(bucket_context: Context) -> None:
    _, as_ana = player(bucket_context)
    _, as_ben = player(bucket_context)
    game, _ = new_game_of(bucket_context, as_ana, PLAYER, OPEN)
    assert [] == players.turns(bucket_context, as_ana, 0)
    seating.claim(bucket_context, as_ben, game, None, None)
    for _ in range(2):
        assert ([game], []) == (
            ids(players.turns(bucket_context, as_ana, 0)),
            ids(players.turns(bucket_context, as_ben, 0)),
        )
        act(bucket_context, game, as_ana)
        assert ([], [game]) == (
            ids(players.turns(bucket_context, as_ana, 0)),
            ids(players.turns(bucket_context, as_ben, 0)),
        )
        act(bucket_context, game, as_ben)
    playing.resign(bucket_context, Request(as_ben, game), None)
    assert [] == players.turns(bucket_context, as_ana, 0)
    assert [game] == ids(listings.list_own(bucket_context, as_ana, ANY, None, 10)[0])


def test_a_paused_game_is_not_among_the_turns(context: Context) -> None:
    _, as_ana = player(context)
    game, _ = new_game_of(context, as_ana, PLAYER, AI)
    offering.pause(context, Request(as_ana, game), None, 60)
    assert [] == players.turns(context, as_ana, 0)
    offering.resume(context, Request(as_ana, game), None)
    assert [game] == ids(players.turns(context, as_ana, 0))


def test_a_game_whose_seat_an_ai_plays_does_not_wait_for_the_player(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = Time(context, monkeypatch)
    _, as_ana = player(context)
    game, _ = new_game_of(context, as_ana, PLAYER, PLAYER, clock=CLOCK)
    now.pass_(660)
    assert 1 == keeping.wake_due(context)
    assert [] == players.turns(context, as_ana, 0)
    seating.claim(context, as_ana, game, 0, None)
    assert [game] == ids(players.turns(context, as_ana, 0))


def test_the_longest_waiting_game_is_listed_first(bucket_context: Context, redis_client: Redis) -> None:
    _, as_ana = player(bucket_context)
    games = []
    for _ in range(5):
        games.append(new_game_of(bucket_context, as_ana, PLAYER, AI)[0])
        pass_a_millisecond(redis_client)
    assert games == ids(players.turns(bucket_context, as_ana, 0))


def test_an_offer_does_not_change_how_long_a_game_waits(context: Context, redis_client: Redis) -> None:
    _, as_ana = player(context)
    longest, tokens = new_game_of(context, as_ana, PLAYER, PLAYER)
    pass_a_millisecond(redis_client)
    shorter, _ = new_game_of(context, as_ana, PLAYER, AI)
    pass_a_millisecond(redis_client)
    offering.pause(context, Request(seat(tokens, 1), longest), None, 60)
    assert [longest, shorter] == ids(players.turns(context, as_ana, 0))


def test_a_players_games_are_paged_and_sorted_by_last_change(bucket_context: Context, redis_client: Redis) -> None:
    _, as_ana = player(bucket_context)
    made = []
    for _ in range(7):
        made.append(new_game_of(bucket_context, as_ana, PLAYER, AI)[0])
        pass_a_millisecond(redis_client)
    act(bucket_context, made[2], as_ana)
    expected = [made[2], *(game for game in reversed(made) if game != made[2])]
    actual, cursor = [], None
    while True:
        page, cursor = listings.list_own(bucket_context, as_ana, ANY, cursor, 3)
        actual += ids(page)
        if cursor is None:
            break
    assert expected == actual
    assert "position" not in to_json(page[0])


def test_a_wait_for_a_turn_ends_when_the_turn_is_committed(bucket_context: Context) -> None:
    """The bucket of the game does not matter."""
    _, as_ana = player(bucket_context)
    for _ in range(4):
        game, tokens = new_game_of(bucket_context, Caller(), PLAYER, OPEN)
        seating.claim(bucket_context, as_ana, game, None, None)
        act_now = partial(act, bucket_context, game, seat(tokens, 0))
        assert [game] == ids(
            wait_result(bucket_context, lambda: players.turns(bucket_context, as_ana, HANG_S), act_now)
        )
        act(bucket_context, game, as_ana)


def test_a_wait_for_a_turn_times_out(context: Context) -> None:
    _, as_ana = player(context)
    assert [] == players.turns(context, as_ana, 0.01)


def test_a_waiting_turn_is_returned_at_once(context: Context) -> None:
    _, as_ana = player(context)
    game, _ = new_game_of(context, as_ana, PLAYER, AI)
    with waits_without_news(context) as waits:
        assert [game] == ids(players.turns(context, as_ana, 20))
    assert [] == waits


def test_playing_prolongs_a_player(context: Context, redis_client: Redis) -> None:
    ana, as_ana = player(context)
    game, _ = new_game_of(context, as_ana, PLAYER, AI)
    key = context.store.keys.player(ana)
    for seen in (lambda: players.get_own(context, as_ana), lambda: act(context, game, as_ana)):
        redis_client.expire(key, 100)
        seen()
        assert redis_client.ttl(key) > 1000


def test_an_expired_player_gets_no_seat(context: Context, redis_client: Redis) -> None:
    ana, as_ana = player(context)
    game, _ = new_game_of(context, Caller(), PLAYER, OPEN)
    redis_client.delete(context.store.keys.player(ana))
    with raises_error("auth/token_unknown"):
        seating.claim(context, as_ana, game, None, None)
    with raises_error("auth/token_unknown"):
        players.get_own(context, as_ana)


def test_the_key_of_a_create_belongs_to_its_caller(context: Context) -> None:
    """The response contains the tokens of a game, so another caller with the key must not get it."""
    wanted = creating.NewGame("azul", "grey", (PLAYER, OPEN))
    callers = [Caller(), player(context)[1], player(context)[1], Caller("a token of some game")]
    assert 4 == len({creating.create(context, caller, wanted, KEY)["game"]["id"] for caller in callers})


# Expiry


def names(redis_client: Redis) -> set[str]:
    """Return all keys but those of the queue, of the hubs, and of the figures of days."""
    results = (key.decode() for key in redis_client.scan_iter())
    return {key for key in results if "rq:" not in key and ":figures:" not in key and not key.endswith(":hub")}


def live_fully(context: Context, creator: Caller) -> list[str]:
    """Play two games (the second a rematch of the first) with all data that can accompany a game."""
    key = Idempotency("key of a create, more than 128 bits", "hash of the body")
    wanted = creating.NewGame("azul", "grey", (PLAYER, OPEN, OPEN), visibility="public", clock=SHORT)
    made = creating.create(context, creator, wanted, key)
    game, host = made["game"]["id"], Caller(made["tokens"]["host"])
    me = creator if creator.token else seat(made["tokens"], 0)
    claims = [
        seating.claim(context, creator, game, number, None, None, KEY if number == 1 else None) for number in (1, 2)
    ]
    callers = [me, *(Caller(claim["token"]) if claim["token"] else creator for claim in claims)]
    to_decide = repository.load(context, game).game.to_decide
    assert to_decide is not None
    act(context, game, callers[to_decide], KEY)
    chat.post_message(context, me, game, "hello", None)
    offering.pause(context, Request(me, game, idempotency=KEY), 0 if creator.token else None, 60)
    seating.rotate(context, host, game, "watch")
    seating.hand_over(context, me, game, 0, None, KEY)
    for number in (1, 2):
        playing.resign(context, Request(callers[number], game), number)
    if creator.token is None:
        return [game]
    own, _ = new_game_of(context, creator, PLAYER, AI, visibility="public")
    playing.abort(context, Request(creator, own))
    offering.rematch(context, Request(creator, own), None)
    rematch = repository.load(context, own).game.rematch
    assert rematch is not None
    chat.post_message(context, creator, rematch, "again", None)
    return [game, own, rematch]


@pytest.mark.parametrize("as_player", [False, True], ids=["tokens", "a player"])
def test_expired_games_and_players_leave_no_keys(
    bucket_context: Context, redis_client: Redis, monkeypatch: pytest.MonkeyPatch, *, as_player: bool
) -> None:
    """The player's own keys stay until they expire, too."""
    time = Time(bucket_context, monkeypatch)
    bucket_context.settings = replace(bucket_context.settings, game_ttl_s=100, finished_ttl_s=200, player_ttl_s=600)
    before = names(redis_client)
    creator = player(bucket_context)[1] if as_player else Caller()
    games = live_fully(bucket_context, creator)
    assert before < names(redis_client)
    elapse(time, redis_client, 300)
    assert {None} == set(bucket_context.store.glances(games))
    duties.sweep(bucket_context)
    follow_ups.run_due(bucket_context)  # there is nothing left to be counted
    pairing.run_due(bucket_context)
    keys, own, start = bucket_context.store.keys, set(), set()
    if creator.player_id:
        own = {keys.player(creator.player_id), keys.home(creator.player_id).player_index}
        start = {keys.matchmaking_bucket.live_start(creator.player_id)}
    assert before | own | start == names(redis_client)
    elapse(time, redis_client, 301)
    assert before | start == names(redis_client)
    elapse(time, redis_client, LONGEST_CONSENT_MS / 1000)
    assert before == names(redis_client)


def test_a_ticket_lives_no_longer_than_its_game(context: Context, redis_client: Redis, time: Time) -> None:
    context.settings = replace(context.settings, game_ttl_s=30)
    before = names(redis_client)
    game, tokens = new_game_of(context, Caller(), PLAYER, OPEN)
    tickets.issue(context, seat(tokens, 0), game)
    elapse(time, redis_client, tickets.TICKET_S - 1)
    duties.sweep(context)
    assert before == names(redis_client)


def test_a_players_lists_live_as_long_as_the_longest_lived_game_in_them(
    context: Context, redis_client: Redis, time: Time
) -> None:
    _, as_ana = player(context)
    context.settings = replace(context.settings, game_ttl_s=300)
    long, _ = new_game_of(context, as_ana, PLAYER, AI)
    context.settings = replace(context.settings, game_ttl_s=100)
    short, _ = new_game_of(context, as_ana, PLAYER, AI)
    assert {long, short} == set(ids(players.turns(context, as_ana, 0)))
    elapse(time, redis_client, 101)
    assert [long] == ids(players.turns(context, as_ana, 0)) == ids(listings.list_own(context, as_ana, ANY, None, 10)[0])
    elapse(time, redis_client, 200)
    duties.sweep(context)
    keys, ana_id = context.store.keys, as_ana.player_id or ""
    assert {keys.player(ana_id), keys.home(ana_id).player_index} == names(redis_client)


def test_a_long_poll_is_not_ended_by_a_game_that_has_expired(context: Context, redis_client: Redis) -> None:
    _, as_ana = player(context)
    game, _ = new_game_of(context, as_ana, PLAYER, AI)
    redis_client.delete(*context.store.keys.game(game).commit_keys()[:4])
    with waits_without_news(context) as waits:
        assert [] == players.turns(context, as_ana, 20)
    assert [20] == waits
