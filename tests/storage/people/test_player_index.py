"""The index of players: pages by creation, ban, handle and name, over all buckets."""

from __future__ import annotations

import pytest
from redis import Redis

from service.storage.base.keys import Keys
from service.storage.people.player_index import BY_BAN, BY_CREATION, BY_HANDLE, BY_NAME, PlayerIndex
from service.storage.people.players import Players, StoredPlayer
from tests.storage.stored_players import TOKEN

TTL_S = 1000


def names(index: PlayerIndex, field: str, prefix: str = "") -> list[str]:
    """Return the ids of all entries, read in pages of two."""
    found: list[str] = []
    while page := index.page(field, prefix, found[-1] if found else None, 2):
        found += page
    return [entry.rpartition("\0")[2] for entry in found]


@pytest.mark.parametrize("buckets", [1, 16])
def test_players_are_found_by_creation_handle_name_and_ban(client: Redis, buckets: int) -> None:
    players, index = Players(client, buckets), PlayerIndex(client, buckets)
    for number, (player_id, name) in enumerate({"a": "Ana", "b": "ben", "c": "Anabel", "d": "Über"}.items()):
        player = StoredPlayer(player_id, f"2026-01-0{number + 1}T00:00:00.000Z", name=name, handle=f"H{number}")
        assert players.create(player, TOKEN, TTL_S)
    assert ["d", "c", "b", "a"] == names(index, BY_CREATION)
    assert [["a", "c"], ["b"], ["d"]] == [names(index, BY_NAME, prefix) for prefix in ("AN", "Ben", "ü")]
    assert (["a", "b", "c", "d"], ["b"]) == (names(index, BY_HANDLE, "h"), names(index, BY_HANDLE, "h1"))
    for player_id, at in {"b": "2026-02-02", "a": "2026-02-01"}.items():
        banned = players.get(player_id)
        assert banned is not None
        assert players.change(banned, {"banned_at": f"{at}T00:00:00.000Z", "name": None, "handle": "other"})
    assert (["b", "a"], ["c"]) == (names(index, BY_BAN), names(index, BY_NAME, "a"))
    assert (["a", "b"], ["c", "d"]) == (names(index, BY_HANDLE, "other"), names(index, BY_HANDLE, "h"))
    unbanned = players.get("b")
    assert unbanned is not None
    assert players.change(unbanned, {"banned_at": None})
    assert ["a"] == names(index, BY_BAN)


def test_a_deleted_player_leaves_the_index_and_an_expired_one_with_the_sweep(client: Redis) -> None:
    players, index = Players(client, 16), PlayerIndex(client, 16)
    ana, ben = (StoredPlayer(one, f"2026-01-0{n}T00:00:00.000Z", name=one) for n, one in enumerate(("ana", "ben"), 1))
    for player in (ana, ben):
        assert players.create(player, TOKEN, TTL_S)
    assert players.delete(ana, None)
    assert (["ben"], ["ben"]) == (names(index, BY_CREATION), names(index, BY_NAME))
    client.delete(Keys(16).player("ben"))
    index.sweep()
    assert [] == names(index, BY_CREATION) + names(index, BY_NAME)


def test_a_player_of_an_older_version_is_indexed_when_they_return(client: Redis) -> None:
    players, index = Players(client, 1), PlayerIndex(client, 1)
    ana = StoredPlayer("ana", "2026-01-01T00:00:00.000Z", name="Ana")
    assert players.create(ana, TOKEN, TTL_S)
    client.delete(Keys(1).home("ana").player_index)
    players.keep(ana, TTL_S, ana.created_at)
    assert (["ana"], ["ana"]) == (names(index, BY_CREATION), names(index, BY_NAME, "ana"))
