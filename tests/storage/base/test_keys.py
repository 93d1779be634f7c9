"""All keys of a game are in one hash slot."""

from __future__ import annotations

import pytest
from redis.crc import key_slot

from service.storage.base.keys import Buckets, Keys


def test_all_keys_of_a_game_hash_to_one_slot_and_all_buckets_to_sixteen_slots() -> None:
    keys = Keys(16)
    slots = set()
    for _ in range(400):
        game = keys.game(keys.new_id())
        names = [
            *game.commit_keys(),
            game.subkey("idem:x"),
            game.bucket.create_replay("digest"),
            game.bucket.follow_ups_due,
        ]
        (slot,) = {key_slot(name.encode()) for name in names}
        slots.add(slot)
    assert len(slots) == 16


def test_all_keys_of_a_players_ratings_hash_to_the_players_slot() -> None:
    keys = Keys(16)
    for number in range(100):
        home = keys.home(player := f"player-{number}")
        names = [home.ratings(player), home.rated_games(player), home.rating_days(player, "azul:two")]
        assert {key_slot(keys.player(player).encode())} == {key_slot(name.encode()) for name in names}
        assert 4 == len({keys.player(player), *names})


def test_the_keys_of_a_game_are_distinct() -> None:
    game = Keys(16).game("abc")
    names = [*game.commit_keys(), game.subkey("idem:x"), game.bucket.create_replay("x")]
    assert len(names) == len(set(names))


def test_a_new_game_is_in_the_bucket_of_its_replay_entry() -> None:
    keys = Keys(16)
    for digest in ("a", "b", "c", "d"):
        assert keys.create_replays(digest) == [keys.home(keys.new_id(digest)).create_replay(digest)]


def test_a_game_id_has_sixteen_characters_valid_in_a_job_id() -> None:
    ids = {Keys(1).new_id() for _ in range(1000)}
    assert len(ids) == 1000
    assert {16} == {len(game_id) for game_id in ids}
    assert all(game_id.replace("-", "").replace("_", "").isalnum() and game_id.isascii() for game_id in ids)


def test_added_buckets_move_no_existing_key() -> None:
    before, grown, again = Keys(4), Keys((4, 16)), Keys((4, 16, 20))
    names = [f"name-{number}-of-length-17"[:17] for number in range(10, 60)]
    old, new, newest = ([keys.new_id() for _ in range(400)] for keys in (before, grown, again))
    assert [before.game(one) for one in old] == [grown.game(one) for one in old] == [again.game(one) for one in old]
    assert [grown.game(one) for one in new] == [again.game(one) for one in new]
    assert [4, 16, 20] == [len({again.bucket_number(one) for one in ids}) for ids in (old, new, newest)]
    assert [17] == [*{len(one) for one in (*new, *newest)}]
    assert [before.reservation("handle", name) for name in names] == [
        again.reservation("handle", name) for name in names
    ]
    assert 20 == len([*again.all_buckets()])


def test_replay_entries_of_creates_are_found_after_buckets_were_added() -> None:
    before, grown = Keys(4), Keys((4, 16))
    for digest in map(str, range(50)):
        places = grown.create_replays(digest)
        assert {*before.create_replays(digest), grown.home(grown.new_id(digest)).create_replay(digest)} == {*places}
        assert grown.home(grown.new_id(digest)).create_replay(digest) == places[0]


@pytest.mark.parametrize("buckets", [0, 101, -1, (4, 4), (16, 4), (4, 101), tuple(range(1, 12)), ()])
def test_an_invalid_number_of_buckets_is_refused(buckets: Buckets) -> None:
    with pytest.raises(ValueError, match="buckets"):
        Keys(buckets)
