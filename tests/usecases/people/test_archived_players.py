"""Archived games of a player: their lists and export go on with them, and they forget a player who is deleted."""

from __future__ import annotations

from typing import Any

import orjson
import pytest
import redis

from service.storage.base.packing import unpacked
from service.usecases.base.context import Caller, Context
from service.usecases.keeping import archiving
from service.usecases.people import player_exports, players
from service.usecases.views import listings, reading
from service.usecases.views.listings import ANY, Filters
from tests.usecases.games.test_archiving import context, finished, forgotten, keep, objects
from tests.usecases.players import Time, player

__all__ = ["context"]  # a fixture


def listed(
    context: Context, caller: Caller, limit: int = 50, filters: Filters = ANY, of: str | None = None
) -> list[str]:
    """The games of a player, the caller unless told, page by page."""
    ids, cursor = list[str](), None
    while True:
        if of is None:
            page, cursor = listings.own(context, caller, filters, cursor, limit)
        else:
            page, cursor = listings.of_player(context, caller, of, filters, cursor, limit)
        ids += [orjson.loads(orjson.dumps(game))["id"] for game in page]
        if cursor is None:
            return ids


@pytest.mark.parametrize("limit", [1, 2, 3, 50])
def test_a_players_list_goes_on_with_what_is_only_archived_and_tells_each_game_once(
    context: Context, time: Time, redis_client: redis.Redis, limit: int
) -> None:
    (_, as_ana), (_, as_ben) = player(context), player(context)
    games = []
    for _ in range(5):
        time.pass_(10)
        games.append(finished(context, as_ana, as_ben, decisions=0))
    keep(context)
    assert games[::-1] == listed(context, as_ana, limit)
    for game in games[:3]:
        forgotten(redis_client, game)
    assert games[::-1] == listed(context, as_ana, limit)
    reading.glance(context, as_ana, games[0])  # it is put back, and in no list
    assert games[::-1] == listed(context, as_ana, limit)
    assert games[::-1] == listed(context, as_ana, limit, Filters(status="finished"))
    assert [] == listed(context, as_ana, limit, Filters(status="playing"))
    assert [] == listed(context, as_ana, limit, Filters(ruleset="summer-pavilion"))


def test_strangers_are_told_of_public_archived_games_alone(context: Context, redis_client: redis.Redis) -> None:
    (ana, as_ana), (_, as_ben) = player(context), player(context)
    public, private = (
        finished(context, as_ana, as_ben, decisions=0, visibility=each) for each in ("public", "private")
    )
    keep(context)
    for game in (public, private):
        forgotten(redis_client, game)
    assert [public] == listed(context, Caller(), of=ana)
    assert {public, private} == set(listed(context, as_ana))


@pytest.mark.parametrize("cursor", ["archived.x", "archived.1", "archived.1.ä", "archived..", "x"])
def test_a_cursor_that_is_none_is_refused(context: Context, cursor: str) -> None:
    _, ana = player(context)
    with pytest.raises(ValueError, match="cursor"):
        listings.own(context, ana, ANY, cursor, 5)


def test_a_players_export_names_archived_games(context: Context, redis_client: redis.Redis) -> None:
    (_, ana), (_, ben) = player(context), player(context)
    games = sorted(finished(context, ben, ana) for _ in range(3))
    keep(context)
    before = player_exports.export(context, ana)["games"]
    for game in games[:2]:
        forgotten(redis_client, game)
    assert before == player_exports.export(context, ana)["games"]
    assert [(game, [1]) for game in games] == [(each["id"], each["seats"]) for each in before]


def named(context: Context, word: str) -> list[str]:
    """The objects in which the word stands."""
    return [path.name for path in objects(context) if word.encode() in unpacked(path.read_bytes())]


def test_archived_games_forget_a_player_who_is_deleted(context: Context, time: Time, redis_client: redis.Redis) -> None:
    (ana, as_ana), (ben, as_ben) = player(context, "Anabel of the archive"), player(context)
    there, gone = (finished(context, as_ana, as_ben) for _ in range(2))
    keep(context)
    forgotten(redis_client, gone)
    assert 2 == len(named(context, ana)) == len(named(context, "Anabel of the archive"))
    players.delete(context, as_ana)
    while keep(context):
        pass
    assert [] == named(context, ana) == named(context, "Anabel of the archive")
    assert 2 == len(named(context, ben))
    assert [] == context.archivals.game_ids(ana)
    for game in (there, gone):
        assert [None, ben] == [
            seat["player"] for seat in orjson.loads(reading.glance(context, as_ben, game)[1])["seats"]
        ]
    assert {there, gone} == set(listed(context, as_ben))


@pytest.mark.parametrize(
    "step", ["archivals.restore", "store.erase", "archive.write", "archivals.remove", "archivals.forgotten"]
)
def test_who_is_killed_while_a_game_forgets_a_player_leaves_that_to_the_next(
    context: Context, time: Time, redis_client: redis.Redis, step: str
) -> None:
    (ana, as_ana), (_, as_ben) = player(context), player(context)
    games = [finished(context, as_ana, as_ben) for _ in range(2)]
    keep(context)
    for game in games:
        forgotten(redis_client, game)
    players.delete(context, as_ana)
    door, name = step.split(".")
    with pytest.MonkeyPatch.context() as patch:

        def killed(*_: Any, **__: Any) -> None:
            raise KeyboardInterrupt

        patch.setattr(getattr(context, door), name, killed)
        with pytest.raises(KeyboardInterrupt):
            keep(context)
    for game in games:  # what was put back is forgotten again
        redis_client.delete(*(key for key in redis_client.scan_iter(f"*{game}*")), "none")
    for _ in range(3):
        time.pass_(archiving.LEASE_MS / 1000 + 1)
        keep(context)
    assert [] == named(context, ana) == context.archivals.game_ids(ana)
    assert 2 == len(objects(context))


def test_an_archive_that_is_away_forgets_a_player_later(
    context: Context, time: Time, redis_client: redis.Redis
) -> None:
    (ana, as_ana), (_, as_ben) = player(context), player(context)
    game = finished(context, as_ana, as_ben)
    keep(context)
    forgotten(redis_client, game)
    players.delete(context, as_ana)
    folder = context.settings.data_dir / "archive"
    folder.rename(folder.with_name("elsewhere"))
    folder.write_text("a file where the folder should be")
    assert 0 == keep(context)
    folder.unlink()
    folder.with_name("elsewhere").rename(folder)
    time.pass_(2)
    assert 1 == keep(context)
    assert [] == named(context, ana)
