"""All of a game's keys live in one hash slot."""

from __future__ import annotations

import pytest
from redis.crc import key_slot

from service.storage.keys import Keys


def test_all_keys_of_a_game_hash_to_one_slot_and_the_buckets_to_sixteen() -> None:
    keys = Keys(16)
    slots = set()
    for _ in range(400):
        game = keys.game(keys.new_game_id())
        names = [*game.committed(), game.beside("idem:x"), game.bucket.created("digest"), game.bucket.follow_ups_due]
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


def test_no_two_names_of_a_game_are_the_same() -> None:
    game = Keys(16).game("abc")
    names = [*game.committed(), game.beside("idem:x"), game.bucket.created("x")]
    assert len(names) == len(set(names))


def test_a_new_game_lands_in_the_bucket_its_create_is_remembered_in() -> None:
    keys = Keys(16)
    for digest in ("a", "b", "c", "d"):
        assert keys.bucket_of(digest) == keys.bucket_of(keys.new_game_id(digest))


def test_a_game_id_is_sixteen_characters_that_a_job_id_may_hold() -> None:
    ids = {Keys(1).new_game_id() for _ in range(1000)}
    assert len(ids) == 1000
    assert {16} == {len(game_id) for game_id in ids}
    assert all(game_id.replace("-", "").replace("_", "").isalnum() and game_id.isascii() for game_id in ids)


@pytest.mark.parametrize("buckets", [0, 101, -1])
def test_a_number_of_buckets_that_the_tag_cannot_hold_is_refused(buckets: int) -> None:
    with pytest.raises(ValueError, match="buckets"):
        Keys(buckets)
