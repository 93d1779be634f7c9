"""Serve one of our players to other programs: `python -m research.matches.serve master`.

It speaks the protocol of programs.py. A searching player takes its own time per decision, or less if the question says
so. A question that cannot be answered gets `{"error": …}`, and the next one can follow.
"""

from __future__ import annotations

import argparse
import hashlib
import math
import secrets
import sys
from abc import ABC, abstractmethod

import orjson

from research.matches import command
from research.matches.programs import PROTOCOL
from research.matches.sides import Searcher
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import InconsistentStateError, Position
from service.rulesets.wire import Json
from workers.search.budgets import Budget
from workers.search.players import parse_player
from workers.warm import warm

RESERVED_S = 0.02  # of the question's time, for the transfer


class Answering(ABC):
    """Answers the questions of a match."""

    @abstractmethod
    def choose(self, position: Position, question: Json) -> int:
        """Return a legal action of the seat to decide. Raises ValueError if it cannot choose one."""

    def answer(self, line: bytes) -> Json:
        """Return the answer to a question."""
        try:
            question = orjson.loads(line)
            if question["type"] == "hello":
                return {"protocol": PROTOCOL}
            position = RULESETS[question["ruleset"]].read(question["position"])
            if position.seat is None:
                return {"error": "no seat decides in this position"}
            action = self.choose(position, question)
            return {"id": str(action), "action": position.ruleset.wire.decode(action)}
        except InconsistentStateError as error:
            return {"error": "the position is invalid", "errors": error.errors}
        except (orjson.JSONDecodeError, KeyError, TypeError, ValueError) as error:
            return {"error": f"the question cannot be read: {type(error).__name__} {error}"}

    def answer_all(self) -> None:
        """Answer until the input ends."""
        for line in sys.stdin.buffer:
            sys.stdout.buffer.write(orjson.dumps(self.answer(line)) + b"\n")
            sys.stdout.buffer.flush()


class Server(Answering):
    """Answers with the decisions of one of our players."""

    def __init__(self, word: str) -> None:
        """Raise UnreadableParametersError for an unknown player."""
        self._sides = {name: Searcher(parse_player(ruleset, word)) for name, ruleset in RULESETS.items()}

    def choose(self, position: Position, question: Json) -> int:
        """Return the player's action within the time of the question."""
        side, seconds = self._sides[position.ruleset.id], question.get("seconds")
        most_s = math.inf if seconds is None else max(0.0, float(seconds) - RESERVED_S)
        budget = Budget(min(side.player.budget_s, most_s), most_s)
        return side.decide(position, _seed(question.get("seed")), budget)


def _seed(seed: object) -> bytes:
    """Return 32 bytes derived from the question's seed, or random ones without a seed."""
    return secrets.token_bytes(32) if seed is None else hashlib.sha256(str(seed).encode()).digest()


def main() -> None:
    """Serve the player that the command line names."""
    parser = argparse.ArgumentParser(prog="python -m research.matches.serve", description="one of our players")
    parser.add_argument("player", help="a level, or a setting such as tree:playout_candidates=4@0.2s")
    player = parser.parse_args().player
    warm()
    Server(player).answer_all()


if __name__ == "__main__":
    sys.exit(command.exit_status(main))
