"""The archive: each finished game once and whole, whoever dies at whatever step; read as if Redis still had it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest
import redis
from zstandard import get_frame_parameters

from service.games.errors import GameError
from service.games.state.clocks import ClockRule
from service.operate.redis.launcher import EmbeddedRedis
from service.rulesets.registry import RULESETS
from service.settings import Settings
from service.storage.base import packing
from service.storage.base.packing import UnreadableFrameError, unpacked
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
from tests.usecases.games.test_usecases import refused
from tests.usecases.players import Time, new_of, play, player

OWN, OPEN = NewSeat("player"), NewSeat("open")
STEPS = ("write", "add", "archived")


@pytest.fixture
def context(valkey: EmbeddedRedis, redis_client: redis.Redis, tmp_path: Path) -> Iterator[Context]:
    """Doors to an empty store, and to an empty archive."""
    env = {"REDIS_URL": valkey.socket_url, "ARCHIVE_URL": "local", "DATA_DIR": str(tmp_path)}
    opened = open_context(Settings.from_environment(env))
    yield opened
    opened.hub.close()


def objects(context: Context) -> list[Path]:
    return sorted(path for path in (context.settings.data_dir / "archive").rglob("*") if path.is_file())


def keep(context: Context) -> int:
    """What a keeper does; in how many games."""
    return archiving.look_after(context, BackOff()).done


def finished(context: Context, *callers: Caller, decisions: int = 3, **changes: Any) -> str:
    """A game of these players that the last one has given up after some decisions."""
    ruleset = RULESETS[changes.pop("ruleset", "azul")]
    seats = (OWN, *[OPEN] * (len(callers) - 1))
    new = creating.NewGame(ruleset.id, ruleset.variants[0], seats, first_seat=0, **changes)
    made = creating.create(context, callers[0], new)
    game = str(made["game"]["id"])
    for caller in callers[1:]:
        seating.claim(context, caller, game, None, None, shown=made["tokens"]["invite"])
    play(context, game, dict(enumerate(callers)), decisions)
    playing.resign(context, Request(callers[-1], game), None)
    return game


def forgotten(client: redis.Redis, game: str) -> None:
    """Redis has the game no more."""
    keys = [key for key in client.scan_iter() if game.encode() in key]
    assert keys
    client.delete(*keys)


def told(context: Context, game: str, caller: Caller) -> list[Any]:
    """All that can be read of a game."""
    revision = repository.load(context, game).game.revision
    return [
        reading.glance(context, caller, game),
        reading.history(context, caller, game, 0, 500),
        [reading.at(context, caller, game, then) for then in (1, 3, revision)],
        exports.export(context, caller, game),
        access.seats_of(repository.load(context, game, caller).roles),
    ]


# ----------------------------------------------------------------------------------------------------- writing


def test_a_finished_game_is_archived_once_and_an_unfinished_one_is_not(context: Context) -> None:
    (_, ana), (_, ben) = player(context), player(context)
    new_of(context, ana, OWN, OPEN)
    assert 0 == keep(context)
    game = finished(context, ana, ben)
    assert [] == objects(context)
    assert (1, 0) == (keep(context), keep(context))
    (written,) = objects(context)
    assert f"{game}.zst" == written.name
    frame = written.read_bytes()
    record = records.read(frame)
    assert get_frame_parameters(frame).dict_id in packing._of_records()
    assert len(frame) < len(packing.packed(record.lines(), packing.ARCHIVED))
    assert [content for _, content in context.store.log(game)] == list(record.events)
    assert 16 > record.revision == repository.load(context, game).game.revision


def test_without_an_archive_nothing_waits_for_one(valkey: EmbeddedRedis, redis_client: redis.Redis) -> None:
    context = open_context(Settings.from_environment({"REDIS_URL": valkey.socket_url}))
    (_, ana), (_, ben) = player(context), player(context)
    game = finished(context, ana, ben)
    assert 0 == redis_client.zcard(context.store.keys.home(game).to_archive)
    forgotten(redis_client, game)
    with refused("game/not_found"):
        reading.glance(context, ana, game)
    context.hub.close()


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("when", ["before", "after"])
def test_who_is_killed_at_a_step_loses_nothing_and_doubles_nothing(
    context: Context, time: Time, redis_client: redis.Redis, step: str, when: str
) -> None:
    (ana, as_ana), (ben, as_ben) = player(context), player(context)
    game = finished(context, as_ana, as_ben)
    before = told(context, game, as_ana)
    with pytest.MonkeyPatch.context() as patch:
        door: Any = context.archive if step == "write" else context.archivals
        done = getattr(door, step)

        def killed(*args: Any) -> None:
            if when == "after":
                done(*args)
            raise KeyboardInterrupt

        patch.setattr(door, step, killed)
        with pytest.raises(KeyboardInterrupt):
            keep(context)
    assert 0 == keep(context)
    time.pass_(archiving.LEASE_MS / 1000 + 1)
    assert int((step, when) != ("archived", "after")) == keep(context)
    assert [f"{game}.zst"] == [written.name for written in objects(context)]
    assert [[game], [game]] == [context.archivals.game_ids(one) for one in (ana, ben)]
    forgotten(redis_client, game)
    assert before == told(context, game, as_ana)


def test_a_rated_game_is_archived_with_what_it_brings_its_players(
    context: Context, time: Time, redis_client: redis.Redis
) -> None:
    (_, ana), (_, ben) = player(context), player(context)
    game = finished(context, ana, ben, rated=True, clock=ClockRule(60, 0, "ai", "greedy"))
    keep(context)
    assert [] == objects(context)
    follow_ups.look_after(context)
    applied = ratings.of_game(context, ana, game)
    assert "applied" == applied["status"]
    time.pass_(archiving.RATED_AGAIN_MS / 1000)
    assert 1 == keep(context)
    forgotten(redis_client, game)
    assert applied == ratings.of_game(context, ana, game)


def test_a_game_that_an_older_version_has_begun_is_archived(context: Context, redis_client: redis.Redis) -> None:
    """What was agreed then tells nothing of ratings."""
    (_, ana), (_, ben) = player(context), player(context)
    game = finished(context, ana, ben)
    key = context.store.keys.game(game).game
    stored: Any = redis_client.hget(key, "meta")
    meta = orjson.loads(unpacked(stored))
    del meta["rated"]
    redis_client.hset(key, "meta", orjson.dumps(meta))
    assert 1 == keep(context)
    forgotten(redis_client, game)
    assert game == orjson.loads(reading.glance(context, ana, game)[1])["id"]


def test_a_finished_game_without_facts_is_not_archived(context: Context, redis_client: redis.Redis) -> None:
    (_, ana), (_, ben) = player(context), player(context)
    game = finished(context, ana, ben)
    redis_client.hdel(context.store.keys.game(game).game, "facts")
    keep(context)
    assert [] == objects(context)
    assert 0 == redis_client.zcard(context.store.keys.home(game).to_archive)


def test_what_changes_while_it_is_archived_is_archived_again(context: Context, time: Time) -> None:
    (_, ana), (_, ben) = player(context), player(context)
    game = finished(context, ana, ben)
    archive: Any = context.archive
    with pytest.MonkeyPatch.context() as patch:

        def changing(*args: Any) -> None:
            offering.rematch(context, Request(ben, game), None)
            Archive.write(archive, *args)

        patch.setattr(archive, "write", changing)
        keep(context)
    (written,) = objects(context)
    first = records.read(written.read_bytes()).revision
    assert 1 == keep(context)
    assert first + 1 == records.read(written.read_bytes()).revision
    assert 0 == keep(context)


def test_who_writes_an_older_state_after_another_has_it_written_again(context: Context) -> None:
    (_, ana), (_, ben) = player(context), player(context)
    game = finished(context, ana, ben)
    (slow,) = context.archivals.take(context.now_ms(), context.now_ms() + 1000, 9)
    assert context.archivals.archived(slow, 1)
    assert not context.archivals.archived(slow, 1)
    assert 1 == keep(context)
    assert [f"{game}.zst"] == [written.name for written in objects(context)]


# --------------------------------------------------------------------------------------------------- outages


def test_an_archive_that_is_away_loses_nothing_and_keeps_the_game_longer(
    context: Context, time: Time, redis_client: redis.Redis
) -> None:
    (_, ana), (_, ben) = player(context), player(context)
    game = finished(context, ana, ben)
    redis_client.pexpire(context.store.keys.game(game).game, 60_000)
    redis_client.hset(context.store.keys.game(game).game, "expires", context.now_ms() + 60_000)
    folder, back_off = context.settings.data_dir / "archive", BackOff()
    folder.write_text("a file where the folder should be")
    for again_s in (1, 2, 4):
        assert 0 == archiving.look_after(context, back_off).done
        time.pass_(again_s - 0.1)
        assert 0 == archiving.look_after(context, back_off).done
        time.pass_(0.2)
    for key in (context.store.keys.game(game).game, context.store.keys.game(game).tokens):
        assert 86_400 < int(redis_client.ttl(key))
    folder.unlink()
    assert 1 == archiving.look_after(context, back_off).done
    assert [f"{game}.zst"] == [written.name for written in objects(context)]


def test_a_write_that_is_cut_off_leaves_what_was_there(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_reading_what_only_the_archive_has_says_that_it_is_away(context: Context, redis_client: redis.Redis) -> None:
    (_, ana), (_, ben) = player(context), player(context)
    game = finished(context, ana, ben)
    keep(context)
    forgotten(redis_client, game)
    (written,) = objects(context)
    content = written.read_bytes()
    written.unlink()
    written.mkdir()
    with pytest.raises(ArchiveUnavailableError):
        reading.glance(context, ana, game)
    written.rmdir()
    written.write_bytes(content)
    assert game == orjson.loads(reading.glance(context, ana, game)[1])["id"]


def test_a_record_that_is_damaged_is_told_and_puts_nothing_back(context: Context, redis_client: redis.Redis) -> None:
    (_, ana), (_, ben) = player(context), player(context)
    game = finished(context, ana, ben)
    keep(context)
    forgotten(redis_client, game)
    (written,) = objects(context)
    content = written.read_bytes()
    for damaged in (content[:-5], b"", b"no record", content[:30] + bytes([content[30] ^ 1]) + content[31:]):
        written.write_bytes(damaged)
        with pytest.raises(UnreadableFrameError):
            reading.glance(context, ana, game)
    assert not redis_client.exists(context.store.keys.game(game).game)


# --------------------------------------------------------------------------------------------------- reading


@pytest.mark.parametrize("ruleset", one_in(3, ["azul", "summer-pavilion", "queens-garden"]))
def test_an_archived_game_is_read_as_before_in_every_way(
    context: Context, redis_client: redis.Redis, ruleset: str
) -> None:
    (_, ana), (_, ben) = player(context), player(context)
    game = finished(context, ana, ben, decisions=40, ruleset=ruleset)
    before = told(context, game, ana)
    keep(context)
    forgotten(redis_client, game)
    assert before == told(context, game, ana)


def test_a_private_game_stays_private(context: Context, redis_client: redis.Redis) -> None:
    (_, ana), (_, ben), (_, eve) = player(context), player(context), player(context)
    game = finished(context, ana, ben, decisions=0, visibility="private")
    keep(context)
    forgotten(redis_client, game)
    for stranger in (eve, Caller()):
        with refused("game/not_found"):
            reading.glance(context, stranger, game)
    assert game == orjson.loads(reading.glance(context, ben, game)[1])["id"]


def test_an_unknown_id_is_looked_for_once(context: Context, time: Time, monkeypatch: pytest.MonkeyPatch) -> None:
    looked = list[str]()
    archive: Any = context.archive
    monkeypatch.setattr(archive, "read", looked.append)
    unknown = context.store.new_game_id()
    for _ in range(3):
        with refused("game/not_found"):
            reading.glance(context, Caller(), unknown)
        with refused("game/not_found"):
            repository.load(context, unknown)
    assert [unknown] == looked
    time.pass_(UNKNOWN_MS / 1000)
    with refused("game/not_found"):
        repository.load(context, unknown)
    assert [unknown] * 2 == looked


def test_what_cannot_be_done_with_a_finished_game_cannot_be_with_an_archived_one(
    context: Context, redis_client: redis.Redis
) -> None:
    (_, ana), (_, ben) = player(context), player(context)
    game = finished(context, ana, ben)
    keep(context)

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
    forgotten(redis_client, game)
    assert before == codes()


def test_a_rematch_of_an_archived_game_is_archived_with_it(context: Context, redis_client: redis.Redis) -> None:
    (_, ana), (_, ben) = player(context), player(context)
    game = finished(context, ana, ben)
    keep(context)
    forgotten(redis_client, game)
    offering.rematch(context, Request(ana, game), None)
    again = offering.rematch(context, Request(ben, game), None).rematch
    assert again is not None
    assert 1 == keep(context)
    forgotten(redis_client, game)
    assert again == repository.load(context, game).game.rematch


def test_a_token_that_was_changed_after_all_stays_so(context: Context, redis_client: redis.Redis) -> None:
    (_, ana), (_, ben) = player(context), player(context)
    game = finished(context, ana, ben)
    keep(context)
    forgotten(redis_client, game)
    old, new = (str(seating.rotate(context, ana, game, "watch")["token"]) for _ in range(2))
    keep(context)
    forgotten(redis_client, game)
    assert [set(), {"watch"}] == [set(repository.load(context, game, Caller(token)).roles) for token in (old, new)]
