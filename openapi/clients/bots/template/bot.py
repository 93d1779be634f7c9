"""A bot for the service and for benchmark matches.

    python bot.py http://127.0.0.1:8000 [GAME [INVITE]]     play on a service (see poll.py)
    python bot.py                                           play a match, which sends lines of JSON

Put your strategy into `choose`. You do not need to change the rest.
"""

from __future__ import annotations

import json
import random
import sys
from typing import Any

import poll

FALLEN = 2.0
FULL = 1.0


def choose(position: Any, seat: int, actions: list[Any]) -> Any:
    """Return the action with the highest worth, at random among equals."""
    return max(actions, key=lambda action: (worth(position, seat, action["action"]), random.random()))


def worth(position: Any, seat: int, action: Any) -> float:
    """Return the placed tiles minus the fallen tiles, plus a bonus for a full line. 0 for other rulesets."""
    if action["type"] != "azul.draft":
        return 0.0
    source = action["source"]
    tiles = position["centre"] if source == "centre" else position["factories"][int(source.removeprefix("factory_"))]
    count = tiles[action["colour"]]
    if action["line"] == "floor":
        return -FALLEN * count
    line = position["seats"][seat]["pattern_lines"][action["line"]]
    free = line["capacity"] - line["count"]
    placed = min(count, free)
    return placed - FALLEN * (count - placed) + FULL * (placed == free)


def answer(question: Any) -> Any:
    """Return the answer to a question of a match."""
    if question["type"] == "hello":
        return {"protocol": 1}
    return {"id": choose(question["position"], question["seat"], question["actions"])["id"]}


def main(arguments: list[str]) -> None:
    """Play on the service whose URL is given; without a URL, answer a match until the input ends."""
    if arguments:
        poll.main(*arguments, decide=choose)
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
