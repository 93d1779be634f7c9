"""How many unfinished games a caller may have created at one time."""

from __future__ import annotations

import redis

from service.storage.base.limits import OpenGames, key_of
from tests.patience import by_redis
from tests.usecases.waiting import lives
from tests.web.limited import LOCAL, NEW_GAME, Serve, code, create


def test_another_game_is_refused_until_one_has_ended(serve: Serve) -> None:
    client = serve(LIMIT_OPEN_GAMES="2")
    first, _ = create(client), create(client)
    refused = client.post("/v1/games", NEW_GAME)
    assert (429, "limit/open_games", 2) == (refused.status_code, code(refused), (refused.json or {})["limit"])
    assert "Retry-After" in refused.headers
    assert 201 == first.host.post(f"{first.path}/abort").status_code
    create(client)
    assert 429 == client.post("/v1/games", NEW_GAME).status_code


def test_a_game_that_waits_for_players_is_unfinished_too(serve: Serve) -> None:
    client = serve(LIMIT_OPEN_GAMES="1")
    waiting = {**NEW_GAME, "seats": [{"kind": "player"}, {"kind": "open"}]}
    assert [201, 429] == [client.post("/v1/games", waiting).status_code for _ in range(2)]


def test_a_place_is_kept_as_long_as_a_game_is(serve: Serve, redis_client: redis.Redis) -> None:
    client, began = serve(LIMIT_OPEN_GAMES="1", GAME_TTL_S="259200"), by_redis(redis_client)
    create(client)
    assert lives(redis_client, key_of(LOCAL, OpenGames.BUDGET), 259_200, began)


def test_a_rematch_counts_as_a_game_and_is_refused_before_anything_is_written(serve: Serve) -> None:
    client = serve(LIMIT_OPEN_GAMES="2")
    ended = create(client)
    assert 201 == ended.seat(0).post(f"{ended.path}/resignation").status_code
    offered = ended.seat(0).post(f"{ended.path}/rematch")
    answer = f"{ended.path}/offers/{(offered.json or {})['game']['offers'][0]['id']}/answer"
    others = [create(client), create(client)]
    before = ended.view()
    refused = ended.seat(1).post(answer, {"accept": True})
    assert (429, "limit/open_games") == (refused.status_code, code(refused))
    assert before == ended.view()
    others[0].host.post(f"{others[0].path}/abort")
    agreed = ended.seat(1).post(answer, {"accept": True})
    assert 200 == client.get(f"/v1/games/{(agreed.json or {})['game']['rematch']}").status_code


def test_where_limits_are_off_games_are_not_counted(serve: Serve) -> None:
    client = serve(LIMIT_OPEN_GAMES="1", RATE_LIMITS="off")
    for _ in range(3):
        create(client)
