"""A bot, and the two ways to run it.

    python bot.py http://127.0.0.1:8000 [GAME [INVITE]]     plays wherever it is waited for (poll.py)
    python bot.py                                           plays in the arena, which asks by lines of JSON

Put your strength into `choose`; the rest may stay as it is.
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
    """One of the legal actions: in Azul what brings most tiles onto a line, else, and among equals, by chance."""
    return max(actions, key=lambda action: (worth(position, seat, action["action"]), random.random()))


def worth(position: Any, seat: int, action: Any) -> float:
    """Tiles that find their place, less what falls to the floor; a line that is filled counts one more."""
    if action["type"] != "azul.draft":
        return 0.0
    source = action["source"]
    lies = position["centre"] if source == "centre" else position["factories"][int(source.removeprefix("factory_"))]
    count = lies[action["colour"]]
    if action["line"] == "floor":
        return -FALLEN * count
    line = position["seats"][seat]["pattern_lines"][action["line"]]
    free = line["capacity"] - line["count"]
    placed = min(count, free)
    return placed - FALLEN * (count - placed) + FULL * (placed == free)


def answer(asked: Any) -> Any:
    """The arena's question, answered."""
    if asked["type"] == "hello":
        return {"protocol": 1}
    return {"id": choose(asked["position"], asked["seat"], asked["actions"])["id"]}


def main(words: list[str]) -> None:
    """With the URL of a service: play there for ever. Without: until the arena ends the input."""
    if words:
        poll.main(*words, decide=choose)
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
