"""Archived games of a player: they stay in lists and exports, and forget a deleted player."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import orjson
import pytest
from redis import Redis

from service.storage.base.packing import unpack
from service.usecases.base.context import Caller, Context
from service.usecases.keeping import archiving, rated_games
from service.usecases.keeping.rated_games import REMOVE
from service.usecases.people import player_exports, players
from service.usecases.views import listings, reading
from service.usecases.views.listings import ANY, Filters
from tests.usecases.games.test_archiving import (
    archive_due,
    archived_game,
    context,
    finished_game,
    objects,
    remove_from_redis,
)
from tests.usecases.people.test_rated_games import CLOCK, existing_ratings, run_follow_ups
from tests.usecases.people.test_rating_removals import SECRET
from tests.usecases.players import Time, player

__all__ = ["context"]  # a fixture


def listed_games(
    context: Context, caller: Caller, limit: int = 50, filters: Filters = ANY, player_id: str | None = None
) -> list[str]:
    """Return the ids of a player's games (default: the caller's) over all pages."""
    ids, cursor = list[str](), None
    while True:
        if player_id is None:
            page, cursor = listings.list_own(context, caller, filters, cursor, limit)
        else:
            page, cursor = listings.of_player(context, caller, player_id, filters, cursor, limit)
        ids += [orjson.loads(orjson.dumps(game))["id"] for game in page]
        if cursor is None:
            return ids


@pytest.mark.parametrize("limit", [1, 2, 3, 50])
def test_a_list_contains_archived_games_once(context: Context, time: Time, redis_client: Redis, limit: int) -> None:
    (_, as_ana), (_, as_ben) = player(context), player(context)
    games = []
    for _ in range(5):
        time.pass_(10)
        games.append(finished_game(context, as_ana, as_ben, decisions=0))
    archive_due(context)
    assert games[::-1] == listed_games(context, as_ana, limit)
    for game in games[:3]:
        remove_from_redis(redis_client, game)
    assert games[::-1] == listed_games(context, as_ana, limit)
    reading.glance(context, as_ana, games[0])  # it is put back, and in no list
    assert games[::-1] == listed_games(context, as_ana, limit)
    assert games[::-1] == listed_games(context, as_ana, limit, Filters(status="finished"))
    assert [] == listed_games(context, as_ana, limit, Filters(status="playing"))
    assert [] == listed_games(context, as_ana, limit, Filters(ruleset="summer-pavilion"))


def test_strangers_see_only_public_archived_games(context: Context, redis_client: Redis) -> None:
    (ana, as_ana), (_, as_ben) = player(context), player(context)
    public, private = (
        finished_game(context, as_ana, as_ben, decisions=0, visibility=each) for each in ("public", "private")
    )
    archive_due(context)
    for game in (public, private):
        remove_from_redis(redis_client, game)
    assert [public] == listed_games(context, Caller(), player_id=ana)
    assert {public, private} == set(listed_games(context, as_ana))


def test_an_archived_rated_game_is_removed_from_the_ratings(context: Context, redis_client: Redis) -> None:
    context.settings = replace(context.settings, admin_token=SECRET)
    (ana, as_ana), (ben, as_ben) = player(context), player(context)
    archived, other = (finished_game(context, as_ana, as_ben, rated=True, clock=CLOCK) for _ in range(2))
    run_follow_ups(context)
    for _ in range(2):  # the second time, the archive contains the mark
        archive_due(context)
        remove_from_redis(redis_client, archived)
        rated_games.change(context, Caller(SECRET), ana, REMOVE, [archived], None, "Cheating.")
        assert [1, 1] == [one.games for one in existing_ratings(context, ana, ben)]
    rated = rated_games.list_rated(context, Caller(SECRET), ben)
    assert {archived: True, other: False} == {game["game_id"]: game["removed"] for game in rated}


@pytest.mark.parametrize("cursor", ["archived.x", "archived.1", "archived.1.ä", "archived..", "x"])
def test_an_invalid_cursor_is_refused(context: Context, cursor: str) -> None:
    _, ana = player(context)
    with pytest.raises(ValueError, match="cursor"):
        listings.list_own(context, ana, ANY, cursor, 5)


def test_a_players_export_contains_archived_games(context: Context, redis_client: Redis) -> None:
    (_, ana), (_, ben) = player(context), player(context)
    games = sorted(finished_game(context, ben, ana) for _ in range(3))
    archive_due(context)
    before = player_exports.export(context, ana)["games"]
    for game in games[:2]:
        remove_from_redis(redis_client, game)
    assert before == player_exports.export(context, ana)["games"]
    assert [(game, [1]) for game in games] == [(each["id"], each["seats"]) for each in before]


def objects_with(context: Context, word: str) -> list[str]:
    """Return the names of the objects that contain a word."""
    return [path.name for path in objects(context) if word.encode() in unpack(path.read_bytes())]


def test_archived_games_forget_a_deleted_player(context: Context, time: Time, redis_client: Redis) -> None:
    (ana, as_ana), (ben, as_ben) = player(context, "Anabel of the archive"), player(context)
    in_redis, archived_only = (finished_game(context, as_ana, as_ben) for _ in range(2))
    archive_due(context)
    remove_from_redis(redis_client, archived_only)
    assert 2 == len(objects_with(context, ana)) == len(objects_with(context, "Anabel of the archive"))
    players.delete(context, as_ana)
    while archive_due(context):
        pass
    assert [] == objects_with(context, ana) == objects_with(context, "Anabel of the archive")
    assert 2 == len(objects_with(context, ben))
    assert [] == context.archive_queue.game_ids(ana)
    for game in (in_redis, archived_only):
        assert [None, ben] == [
            seat["player"] for seat in orjson.loads(reading.glance(context, as_ben, game)[1])["seats"]
        ]
    assert {in_redis, archived_only} == set(listed_games(context, as_ben))


@pytest.mark.parametrize(
    "step", ["archive_queue.restore", "store.erase", "archive.write", "archive_queue.remove", "archive_queue.cancel"]
)
def test_a_later_keeper_completes_an_erasure(context: Context, time: Time, redis_client: Redis, step: str) -> None:
    (ana, as_ana), (_, as_ben) = player(context), player(context)
    games = [finished_game(context, as_ana, as_ben) for _ in range(2)]
    archive_due(context)
    for game in games:
        remove_from_redis(redis_client, game)
    players.delete(context, as_ana)
    attribute, name = step.split(".")
    with pytest.MonkeyPatch.context() as patch:

        def kill(*_: Any, **__: Any) -> None:
            raise KeyboardInterrupt

        patch.setattr(getattr(context, attribute), name, kill)
        with pytest.raises(KeyboardInterrupt):
            archive_due(context)
    for game in games:  # delete again what the keeper restored
        redis_client.delete(*(key for key in redis_client.scan_iter(f"*{game}*")), "none")
    for _ in range(3):
        time.pass_(archiving.LEASE_MS / 1000 + 1)
        archive_due(context)
    assert [] == objects_with(context, ana) == context.archive_queue.game_ids(ana)
    assert 2 == len(objects(context))


def test_an_unavailable_archive_forgets_a_player_later(context: Context, time: Time, redis_client: Redis) -> None:
    (ana, as_ana), (_, as_ben) = player(context), player(context)
    archived_game(context, redis_client, as_ana, as_ben)
    players.delete(context, as_ana)
    folder = context.settings.data_dir / "archive"
    folder.rename(folder.with_name("elsewhere"))
    folder.write_text("a file where the folder should be")
    assert 0 == archive_due(context)
    folder.unlink()
    folder.with_name("elsewhere").rename(folder)
    time.pass_(2)
    assert 1 == archive_due(context)
    assert [] == objects_with(context, ana)
