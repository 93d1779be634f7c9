"""Several questions in one exchange."""

from __future__ import annotations

from typing import Any

import pytest
from redis import Redis
from redis.exceptions import ResponseError

from service.storage.base.limits import Limits
from service.storage.base.pipelining import Question, ask, ask_all, raise_errors
from service.storage.games.store import Store
from service.storage.people.players import Players
from tests.storage.commits import new_game
from tests.storage.stored_players import TOKEN, keep


def question(*commands: tuple[Any, ...]) -> Question[list[Any]]:
    return Question(commands, raise_errors)


def test_each_question_gets_its_own_replies(redis: Redis) -> None:
    other, third = question(("SET", "a", 1), ("GET", "a")), question(("GET", "b"))
    assert [b"2"] == ask(redis, question(("SETEX", "c", 9, 2), ("GET", "c")), other, third)[1:]
    assert ([b"1"], [None]) == (other.answer[1:], third.answer)


def test_a_server_and_a_cluster_return_the_same_replies(redis: Redis) -> None:
    ask_all(redis, (("HSET", "hash", "a", 1), ("ZADD", "zset", 1, "a", 2, "b"), ("XADD", "stream", "1-0", "a", 1)))
    reads = (("HGETALL", "hash"), ("ZRANGE", "zset", 0, -1, "WITHSCORES"), ("ZSCORE", "zset", "b"))
    expected = [{b"a": b"1"}, [(b"a", 1.0), (b"b", 2.0)], 2.0]
    content, members, score = ask_all(redis, reads)
    assert expected == [content, list(map(tuple, members)), score]
    assert expected[:1] == ask_all(redis, reads[:1])
    assert [[(b"1-0", {b"a": b"1"})]] == ask_all(redis, [("XRANGE", "stream", "-", "+")])
    assert [] == ask_all(redis, [])


def test_an_answered_question_is_not_sent_again(redis: Redis) -> None:
    count = question(("INCR", "count"))
    for _ in range(3):
        ask(redis, question(("GET", "a")), count)
    assert ([1], b"1") == (count.answer, redis.get("count"))


def test_an_error_of_an_accompanying_question_is_raised_first(redis: Redis) -> None:
    def refuse(_replies: list[Any]) -> None:
        raise PermissionError

    along = Question((("INCR", "count"),), refuse)
    with pytest.raises(PermissionError):
        ask(redis, question(("LPOP", "count")), along)
    assert along.is_asked
    with pytest.raises(ResponseError):  # not asked again, so nobody refuses
        ask(redis, question(("LPOP", "count")), along)


def test_a_game_is_loaded_with_its_player_and_the_count_of_the_request(redis: Redis) -> None:
    store, players, limits = Store(redis, 16), Players(redis, 16), Limits(redis)
    ana = keep(players)
    game = new_game(store, tokens={"player:ana": "seat:0"})
    view = b""
    for left in (2, 1, 0, -1):
        player, count = players.question("ana", TOKEN.digest), limits.question("192.0.2.7", "reads", 3, 60)
        stored = store.load(game, "player:ana", player, count)
        assert stored is not None
        assert ("seat:0", ana, left) == (stored.roles, player.answer, count.answer.left)
        view = stored.view
        if left == 1 and not hasattr(redis, "nodes_manager"):
            redis.script_flush()  # as after a restart of the server
    count = limits.question("192.0.2.7", "reads", 3, 60)
    seen = store.glance(game, count)
    assert (view, -1) == (seen and seen.view, count.answer.left)
