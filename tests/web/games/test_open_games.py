"""The limit on a caller's unfinished games."""

from __future__ import annotations

from redis import Redis

from service.storage.base.limits import budget_key
from service.storage.base.shares import OpenGames
from service.usecases.base.context import Caller
from tests.patience import redis_now_ms
from tests.usecases.waiting import has_lifetime
from tests.web.limited_service import LOCAL, NEW_GAME, Serve, code, create


def test_a_game_beyond_the_limit_is_refused_until_one_ends(serve: Serve) -> None:
    client = serve(LIMIT_OPEN_GAMES="2")
    first, _ = create(client), create(client)
    refusal = client.post("/v1/games", NEW_GAME)
    assert (429, "limit/open_games", 2) == (refusal.status_code, code(refusal), (refusal.json or {})["limit"])
    assert "Retry-After" in refusal.headers
    assert 201 == first.host.post(f"{first.path}/abort").status_code
    create(client)
    assert 429 == client.post("/v1/games", NEW_GAME).status_code


def test_a_game_waiting_for_players_counts_as_unfinished(serve: Serve) -> None:
    client = serve(LIMIT_OPEN_GAMES="1")
    waiting = {**NEW_GAME, "seats": [{"kind": "player"}, {"kind": "open"}]}
    assert [201, 429] == [client.post("/v1/games", waiting).status_code for _ in range(2)]


def test_an_entry_lives_as_long_as_its_game(serve: Serve, redis_client: Redis) -> None:
    client, began = serve(LIMIT_OPEN_GAMES="1", GAME_TTL_S="259200"), redis_now_ms(redis_client)
    create(client)
    assert has_lifetime(redis_client, budget_key(Caller(origin=LOCAL).share, OpenGames.BUDGET), 259_200, began)


def test_a_rematch_counts_as_a_game_and_is_refused_before_anything_is_written(serve: Serve) -> None:
    client = serve(LIMIT_OPEN_GAMES="2")
    ended = create(client)
    assert 201 == ended.seat(0).post(f"{ended.path}/resignation").status_code
    offer = ended.seat(0).post(f"{ended.path}/rematch")
    answer = f"{ended.path}/offers/{(offer.json or {})['game']['offers'][0]['id']}/answer"
    others = [create(client), create(client)]
    before = ended.view()
    refusal = ended.seat(1).post(answer, {"accept": True})
    assert (429, "limit/open_games") == (refusal.status_code, code(refusal))
    assert before == ended.view()
    others[0].host.post(f"{others[0].path}/abort")
    acceptance = ended.seat(1).post(answer, {"accept": True})
    assert 200 == client.get(f"/v1/games/{(acceptance.json or {})['game']['rematch']}").status_code


def test_without_limits_games_are_not_counted(serve: Serve) -> None:
    client = serve(LIMIT_OPEN_GAMES="1", RATE_LIMITS="off")
    for _ in range(3):
        create(client)
