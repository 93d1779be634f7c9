"""Tests of the bot. They need no service."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from bot import choose, worth

LINES = [{"capacity": size, "colour": None, "count": 0} for size in range(1, 6)]
POSITION = {
    "centre": {"red": 3},
    "factories": [{"blue": 2, "white": 2}, {}, {}, {}, {}],
    "seats": [{"pattern_lines": LINES}, {"pattern_lines": LINES}],
}


def draft(source: str, colour: str, line: int | str) -> Any:
    return {"type": "azul.draft", "source": source, "colour": colour, "line": line}


def test_a_line_that_is_filled_is_worth_most() -> None:
    values = [worth(POSITION, 0, draft("factory_0", "blue", line)) for line in (0, 1, 2, "floor")]
    assert values == [0.0, 3.0, 2.0, -4.0]
    assert worth(POSITION, 0, draft("centre", "red", 2)) == 4.0


def test_it_chooses_what_is_worth_most() -> None:
    actions = [{"id": str(line), "action": draft("centre", "red", line)} for line in (0, 1, 2, 3)]
    assert choose(POSITION, 0, actions)["id"] == "2"


def test_it_plays_a_match() -> None:
    question = {"type": "decide", "position": {}, "seat": 0, "actions": [{"id": "7", "action": {"type": "other"}}]}
    questions = "".join(f"{json.dumps(line)}\n" for line in ({"type": "hello", "protocol": 1}, question))
    program = [sys.executable, str(Path(__file__).with_name("bot.py"))]
    finished = subprocess.run(program, input=questions, capture_output=True, text=True, check=True, timeout=30)
    assert [json.loads(line) for line in finished.stdout.splitlines()] == [{"protocol": 1}, {"id": "7"}]
