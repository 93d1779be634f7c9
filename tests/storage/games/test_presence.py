"""Stored viewers of a game."""

from __future__ import annotations

from service.storage.base.connect import connect
from service.storage.games.presence import Presence
from service.storage.games.store import Store
from tests.storage.commits import new_game, now_ms


def test_viewers_are_stored_on_a_cluster(cluster_url: str) -> None:
    with connect(cluster_url) as client:
        store, presence = Store(client, 16), Presence(client, 16)
        for _ in range(5):
            game = new_game(store)
            assert [True, True, False] == [presence.show(game, viewer, 60, 2) for viewer in ("1", "2", "3")]
            presence.leave(game, "1")
            assert ["2"] == presence.viewers(game, now_ms())
