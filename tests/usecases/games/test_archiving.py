"""The archive: each finished game is written exactly once, whichever process dies, and reads as it did in Redis."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest
from redis import Redis
from zstandard import get_frame_parameters

from service.games.errors import GameError
from service.games.state.clocks import ClockRule
from service.operate.redis.launcher import EmbeddedRedis
from service.rulesets.registry import RULESETS
from service.settings import Settings
from service.storage.base import packing
from service.storage.base.packing import UnreadableFrameError, unpack
from service.storage.games import records
from service.storage.games.archive import Archive, ArchiveUnavailableError
from service.usecases.base import access, repository
from service.usecases.base.context import UNKNOWN_MS, Caller, Context, open_context
from service.usecases.games import creating, offering, playing, seating
from service.usecases.games.commands import Request
from service.usecases.games.creating import NewSeat
from service.usecases.keeping import archiving
from service.usecases.keeping.duties import BackOff
from service.usecases.people import follow_ups, ratings
from service.usecases.views import exports, reading
from tests.sampling import one_in
from tests.usecases.games.test_usecases import raises_error
from tests.usecases.players import Time, new_game_of, play, player

OWN, OPEN = NewSeat("player"), NewSeat("open")
STEPS = ("write", "add", "mark_archived")


@pytest.fixture
def context(valkey: EmbeddedRedis, redis_client: Redis, tmp_path: Path) -> Iterator[Context]:
    """Open a context on an empty store and an empty archive."""
    env = {"REDIS_URL": valkey.socket_url, "ARCHIVE_URL": "local", "DATA_DIR": str(tmp_path)}
    opened = open_context(Settings.from_environment(env))
    yield opened
    opened.hub.close()


def objects(context: Context) -> list[Path]:
    return sorted(path for path in (context.settings.data_dir / "archive").rglob("*") if path.is_file())


def archive_due(context: Context) -> int:
    """Run a keeper. Return the number of games it processed."""
    return archiving.run_due(context, BackOff()).done


def finished_game(context: Context, *callers: Caller, decisions: int = 3, **changes: Any) -> str:
    """Create a game of these players. The last one resigns after some decisions."""
    ruleset = RULESETS[changes.pop("ruleset", "azul")]
    seats = (OWN, *[OPEN] * (len(callers) - 1))
    new = creating.NewGame(ruleset.id, ruleset.variants[0], seats, first_seat=0, **changes)
    made = creating.create(context, callers[0], new)
    game = str(made["game"]["id"])
    for caller in callers[1:]:
        seating.claim(context, caller, game, None, None, shown_token=made["tokens"]["invite"])
    play(context, game, dict(enumerate(callers)), decisions)
    playing.resign(context, Request(callers[-1], game), None)
    return game


def remove_from_redis(client: Redis, game: str) -> None:
    """Delete all keys of a game from Redis."""
    keys = [key for key in client.scan_iter() if game.encode() in key]
    assert keys
    client.delete(*keys)


def archived_game(context: Context, client: Redis, *callers: Caller, **changes: Any) -> str:
    """Create a finished game (see `finished_game`) that is in the archive only."""
    game = finished_game(context, *callers, **changes)
    archive_due(context)
    remove_from_redis(client, game)
    return game


def readable_content(context: Context, game: str, caller: Caller) -> list[Any]:
    """Return everything that can be read of a game."""
    revision = repository.load(context, game).game.revision
    return [
        reading.glance(context, caller, game),
        reading.history(context, caller, game, 0, 500),
        [reading.view_at(context, caller, game, number) for number in (1, 3, revision)],
        exports.export(context, caller, game),
        access.seats_of(repository.load(context, game, caller).roles),
    ]


# ----------------------------------------------------------------------------------------------------- writing


def test_a_finished_game_is_archived_once_and_an_unfinished_one_is_not(context: Context) -> None:
    (_, ana), (_, ben) = player(context), player(context)
    new_game_of(context, ana, OWN, OPEN)
    assert 0 == archive_due(context)
    game = finished_game(context, ana, ben)
    assert [] == objects(context)
    assert (1, 0) == (archive_due(context), archive_due(context))
    (written,) = objects(context)
    assert f"{game}.zst" == written.name
    frame = written.read_bytes()
    record = records.read(frame)
    assert get_frame_parameters(frame).dict_id in packing._record_dictionaries()
    assert len(frame) < len(packing.pack(record.lines(), packing.ARCHIVED))
    assert [content for _, content in context.store.log(game)] == list(record.events)
    assert 16 > record.revision == repository.load(context, game).game.revision


def test_without_an_archive_no_game_is_queued_for_it(valkey: EmbeddedRedis, redis_client: Redis) -> None:
    context = open_context(Settings.from_environment({"REDIS_URL": valkey.socket_url}))
    (_, ana), (_, ben) = player(context), player(context)
    game = finished_game(context, ana, ben)
    assert 0 == redis_client.zcard(context.store.keys.home(game).to_archive)
    remove_from_redis(redis_client, game)
    with raises_error("game/not_found"):
        reading.glance(context, ana, game)
    context.hub.close()


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("when", ["before", "after"])
def test_a_keeper_killed_at_any_step_archives_each_game_exactly_once(
    context: Context, time: Time, redis_client: Redis, step: str, when: str
) -> None:
    (ana, as_ana), (ben, as_ben) = player(context), player(context)
    game = finished_game(context, as_ana, as_ben)
    before = readable_content(context, game, as_ana)
    with pytest.MonkeyPatch.context() as patch:
        target: Any = context.archive if step == "write" else context.archive_queue
        method = getattr(target, step)

        def kill(*args: Any) -> None:
            if when == "after":
                method(*args)
            raise KeyboardInterrupt

        patch.setattr(target, step, kill)
        with pytest.raises(KeyboardInterrupt):
            archive_due(context)
    assert 0 == archive_due(context)
    time.pass_(archiving.LEASE_MS / 1000 + 1)
    assert int((step, when) != ("mark_archived", "after")) == archive_due(context)
    assert [f"{game}.zst"] == [written.name for written in objects(context)]
    assert [[game], [game]] == [context.archive_queue.game_ids(player_id) for player_id in (ana, ben)]
    remove_from_redis(redis_client, game)
    assert before == readable_content(context, game, as_ana)


def test_a_rated_game_is_archived_with_its_rating_changes(context: Context, time: Time, redis_client: Redis) -> None:
    (_, ana), (_, ben) = player(context), player(context)
    game = finished_game(context, ana, ben, rated=True, clock=ClockRule(60, 0, "ai", "greedy"))
    archive_due(context)
    assert [] == objects(context)
    follow_ups.run_due(context)
    applied = ratings.of_game(context, ana, game)
    assert "applied" == applied["status"]
    time.pass_(archiving.RATING_RETRY_MS / 1000)
    assert 1 == archive_due(context)
    remove_from_redis(redis_client, game)
    assert applied == ratings.of_game(context, ana, game)


def test_a_game_created_by_an_older_version_is_archived(context: Context, redis_client: Redis) -> None:
    """Records of older versions contain no field for ratings."""
    (_, ana), (_, ben) = player(context), player(context)
    game = finished_game(context, ana, ben)
    key = context.store.keys.game(game).game
    stored: Any = redis_client.hget(key, "meta")
    meta = orjson.loads(unpack(stored))
    del meta["rated"]
    redis_client.hset(key, "meta", orjson.dumps(meta))
    assert 1 == archive_due(context)
    remove_from_redis(redis_client, game)
    assert game == orjson.loads(reading.glance(context, ana, game)[1])["id"]


def test_a_finished_game_without_facts_is_not_archived(context: Context, redis_client: Redis) -> None:
    (_, ana), (_, ben) = player(context), player(context)
    game = finished_game(context, ana, ben)
    redis_client.hdel(context.store.keys.game(game).game, "facts")
    archive_due(context)
    assert [] == objects(context)
    assert 0 == redis_client.zcard(context.store.keys.home(game).to_archive)


def test_a_game_that_changes_while_it_is_archived_is_archived_again(context: Context, time: Time) -> None:
    (_, ana), (_, ben) = player(context), player(context)
    game = finished_game(context, ana, ben)
    archive: Any = context.archive
    with pytest.MonkeyPatch.context() as patch:

        def change_then_write(*args: Any) -> None:
            offering.rematch(context, Request(ben, game), None)
            Archive.write(archive, *args)

        patch.setattr(archive, "write", change_then_write)
        archive_due(context)
    (written,) = objects(context)
    first = records.read(written.read_bytes()).revision
    assert 1 == archive_due(context)
    assert first + 1 == records.read(written.read_bytes()).revision
    assert 0 == archive_due(context)


def test_a_stale_write_of_a_second_keeper_is_repeated(context: Context) -> None:
    (_, ana), (_, ben) = player(context), player(context)
    game = finished_game(context, ana, ben)
    (slow,) = context.archive_queue.take(context.now_ms(), context.now_ms() + 1000, 9)
    assert context.archive_queue.mark_archived(slow, 1)
    assert not context.archive_queue.mark_archived(slow, 1)
    assert 1 == archive_due(context)
    assert [f"{game}.zst"] == [written.name for written in objects(context)]


# --------------------------------------------------------------------------------------------------- outages


def test_games_stay_longer_in_redis_while_the_archive_is_unavailable(
    context: Context, time: Time, redis_client: Redis
) -> None:
    (_, ana), (_, ben) = player(context), player(context)
    game = finished_game(context, ana, ben)
    redis_client.pexpire(context.store.keys.game(game).game, 60_000)
    redis_client.hset(context.store.keys.game(game).game, "expires", context.now_ms() + 60_000)
    folder, back_off = context.settings.data_dir / "archive", BackOff()
    folder.write_text("a file where the folder should be")
    for again_s in (1, 2, 4):
        assert 0 == archiving.run_due(context, back_off).done
        time.pass_(again_s - 0.1)
        assert 0 == archiving.run_due(context, back_off).done
        time.pass_(0.2)
    for key in (context.store.keys.game(game).game, context.store.keys.game(game).tokens):
        assert 86_400 < int(redis_client.ttl(key))
    folder.unlink()
    assert 1 == archiving.run_due(context, back_off).done
    assert [f"{game}.zst"] == [written.name for written in objects(context)]


def test_a_failed_write_leaves_the_older_record_in_place(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = context.archive
    assert archive is not None
    archive.write("game", b"old")

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("os.fsync", full)
        with pytest.raises(ArchiveUnavailableError):
            archive.write("game", b"new")
    assert b"old" == archive.read("game")
    assert 1 == len(objects(context))


def test_reading_an_archived_game_raises_while_the_archive_is_down(context: Context, redis_client: Redis) -> None:
    (_, ana), (_, ben) = player(context), player(context)
    game = archived_game(context, redis_client, ana, ben)
    (written,) = objects(context)
    content = written.read_bytes()
    written.unlink()
    written.mkdir()
    with pytest.raises(ArchiveUnavailableError):
        reading.glance(context, ana, game)
    written.rmdir()
    written.write_bytes(content)
    assert game == orjson.loads(reading.glance(context, ana, game)[1])["id"]


def test_a_damaged_record_raises_and_restores_nothing(context: Context, redis_client: Redis) -> None:
    (_, ana), (_, ben) = player(context), player(context)
    game = archived_game(context, redis_client, ana, ben)
    (written,) = objects(context)
    content = written.read_bytes()
    for damaged in (content[:-5], b"", b"no record", content[:30] + bytes([content[30] ^ 1]) + content[31:]):
        written.write_bytes(damaged)
        with pytest.raises(UnreadableFrameError):
            reading.glance(context, ana, game)
    assert not redis_client.exists(context.store.keys.game(game).game)


# --------------------------------------------------------------------------------------------------- reading


@pytest.mark.parametrize("ruleset", one_in(3, ["azul", "summer-pavilion", "queens-garden"]))
def test_an_archived_game_reads_the_same_everywhere(context: Context, redis_client: Redis, ruleset: str) -> None:
    (_, ana), (_, ben) = player(context), player(context)
    game = finished_game(context, ana, ben, decisions=40, ruleset=ruleset)
    before = readable_content(context, game, ana)
    archive_due(context)
    remove_from_redis(redis_client, game)
    assert before == readable_content(context, game, ana)


def test_a_private_game_stays_private(context: Context, redis_client: Redis) -> None:
    (_, ana), (_, ben), (_, eve) = player(context), player(context), player(context)
    game = archived_game(context, redis_client, ana, ben, decisions=0, visibility="private")
    for stranger in (eve, Caller()):
        with raises_error("game/not_found"):
            reading.glance(context, stranger, game)
    assert game == orjson.loads(reading.glance(context, ben, game)[1])["id"]


def test_an_unknown_id_is_looked_up_once(context: Context, time: Time, monkeypatch: pytest.MonkeyPatch) -> None:
    reads = list[str]()
    archive: Any = context.archive
    monkeypatch.setattr(archive, "read", reads.append)
    unknown = context.store.new_game_id()
    for _ in range(3):
        with raises_error("game/not_found"):
            reading.glance(context, Caller(), unknown)
        with raises_error("game/not_found"):
            repository.load(context, unknown)
    assert [unknown] == reads
    time.pass_(UNKNOWN_MS / 1000)
    with raises_error("game/not_found"):
        repository.load(context, unknown)
    assert [unknown] * 2 == reads


def test_an_archived_game_refuses_the_same_commands_as_a_finished_one(context: Context, redis_client: Redis) -> None:
    (_, ana), (_, ben) = player(context), player(context)
    game = finished_game(context, ana, ben)
    archive_due(context)

    def codes() -> list[str]:
        results = []
        commands: list[Callable[[], object]] = [
            lambda: playing.resign(context, Request(ana, game), None),
            lambda: playing.act(context, Request(ana, game), "0", None),
            lambda: offering.take_back(context, Request(ana, game), None),
            lambda: playing.resign(context, Request(Caller(), game), None),
        ]
        for command in commands:
            with pytest.raises(GameError) as error:
                command()
            results.append(error.value.code)
        return results

    before = codes()
    remove_from_redis(redis_client, game)
    assert before == codes()


def test_a_rematch_of_an_archived_game_is_archived_with_it(context: Context, redis_client: Redis) -> None:
    (_, ana), (_, ben) = player(context), player(context)
    game = archived_game(context, redis_client, ana, ben)
    offering.rematch(context, Request(ana, game), None)
    rematch = offering.rematch(context, Request(ben, game), None).rematch
    assert rematch is not None
    assert 1 == archive_due(context)
    remove_from_redis(redis_client, game)
    assert rematch == repository.load(context, game).game.rematch


def test_a_token_rotated_after_archiving_stays_rotated(context: Context, redis_client: Redis) -> None:
    (_, ana), (_, ben) = player(context), player(context)
    game = archived_game(context, redis_client, ana, ben)
    old, new = (str(seating.rotate(context, ana, game, "watch")["token"]) for _ in range(2))
    archive_due(context)
    remove_from_redis(redis_client, game)
    assert [set(), {"watch"}] == [set(repository.load(context, game, Caller(token)).roles) for token in (old, new)]
