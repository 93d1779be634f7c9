"""Our own players, for arenas of others: `python -m workers.arena.serve master` speaks the protocol of programs.py.

A player that thinks takes its own time for a decision, or less where the question says so. A question that cannot be
answered is answered by `{"error": …}`, and the next may follow.
"""

from __future__ import annotations

import argparse
import functools
import hashlib
import secrets
import sys
import time

import orjson

from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Inconsistent
from service.rulesets.wire import Json
from workers.arena import command, sides
from workers.arena.programs import PROTOCOL
from workers.search import players
from workers.search.search import Search

SPARE_S = 0.02  # of the time that a question grants


class Server:
    """Answers questions as the player of a word. A tree is kept while one seat goes on."""

    def __init__(self, word: str) -> None:
        """Unreadable: no player is written so."""
        self._player = functools.cache(lambda name: players.read(RULESETS[name], word))
        self._search: Search | None = None
        self._seat: int | None = None
        for ruleset in RULESETS.values():
            sides.described(ruleset, word)

    def answer(self, line: bytes) -> Json:
        """To one question."""
        try:
            asked = orjson.loads(line)
            if asked["type"] == "hello":
                return {"protocol": PROTOCOL}
            return self._decide(asked)
        except Inconsistent as error:
            return {"error": "there is no such position", "errors": error.errors}
        except (orjson.JSONDecodeError, KeyError, TypeError, ValueError) as error:
            return {"error": f"the question cannot be read: {type(error).__name__} {error}"}

    def _decide(self, asked: Json) -> Json:
        began = time.monotonic()
        position = RULESETS[asked["ruleset"]].read(asked["position"])
        if position.seat is None:
            return {"error": "nobody decides here"}
        search = self._search
        if search is None or (self._seat, search.position) != (position.seat, position):
            search = Search(position, self._player(asked["ruleset"]), _seed(asked.get("seed")))
        seconds = asked.get("seconds")
        budget_s = search.player.budget_s
        if seconds is not None:
            budget_s = min(budget_s, max(0.0, float(seconds) - SPARE_S))
        action = search.choose(began + budget_s).action
        search.advance(action)
        self._search, self._seat = search, position.seat
        return {"id": str(action), "action": position.ruleset.decode(action)}


def _seed(told: object) -> bytes:
    """32 bytes that depend on the question's seed; by chance, where it has none."""
    return secrets.token_bytes(32) if told is None else hashlib.sha256(str(told).encode()).digest()


def main() -> None:
    """Answer until the input ends."""
    parser = argparse.ArgumentParser(prog="python -m workers.arena.serve", description="one of our players")
    parser.add_argument("player", help="a level, or a setting such as tree:few=4@0.2s")
    server = Server(parser.parse_args().player)
    for line in sys.stdin.buffer:
        sys.stdout.buffer.write(orjson.dumps(server.answer(line)) + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    sys.exit(command.told(main))
