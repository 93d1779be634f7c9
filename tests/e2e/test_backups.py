"""A backup made while people and AIs play, put back on another machine: each game as it was at that moment."""

from __future__ import annotations

import random
import threading
from pathlib import Path
from typing import Any

from service.operate.backups import backup, restore
from service.rulesets.registry import RULESETS
from tests.e2e.stack import Stack
from tests.e2e.test_games import play_to_the_end, whole_log
from tests.patience import until


def revisions(stack: Stack, games: list[dict[str, Any]]) -> list[int]:
    """As the games are now."""
    return [stack.get(f"/games/{created['game']['id']}").json()["revision"] for created in games]


def test_games_go_on_while_a_backup_is_made_and_from_where_they_were_after_it_is_put_back(tmp_path: Path) -> None:
    folders = [tmp_path / "one", tmp_path / "other"]
    for folder in folders:
        folder.mkdir()
    seats = [{"kind": "player"}, {"kind": "ai", "level": "greedy"}]
    with Stack(folders[0]) as stack:
        games = [stack.create(ruleset=one.id, variant=one.variants[0], seats=seats) for one in RULESETS.values()]
        players = [
            threading.Thread(target=play_to_the_end, args=(stack, created, random.Random(7))) for created in games
        ]
        for player in players:
            player.start()
        until(lambda: all(revision > 20 for revision in revisions(stack, games)), "games are under way")
        before = revisions(stack, games)
        path = backup(stack.data_dir)
        after = revisions(stack, games)
        for player in players:
            player.join()
        logs = [whole_log(stack, created["game"]["id"]) for created in games]
    restore(folders[1] / "var", path)
    with Stack(folders[1]) as stack:
        for created, log, least, most in zip(games, logs, before, after, strict=True):
            game = created["game"]["id"]
            view = stack.get(f"/games/{game}").json()
            kept = whole_log(stack, game)
            assert log[:least] == kept[:least]
            assert all(event["seat"] != 0 for event in kept[most:])  # since then only the AI has gone on
            assert "finished" == play_to_the_end(stack, {**created, "game": view}, random.Random(8))["status"]
