"""Golden playthroughs: whole games with every action, draw and effect.

A file contains the choices of a game (actions and draws) and their results. `python -m tests.rulesets.golden` replays
the choices and writes the files again; review the difference before you commit it. `--check` only compares. `--new`
first creates new games: for every ruleset, variant and number of seats one from a fixed seed. Its seats choose the best
of a few random actions, so that they score points. Further arguments are names of playthroughs to process.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterator
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from service.rulesets.kernel import generator
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Position, Ruleset

FOLDER = Path(__file__).parent / "golden"
FEW = 12


def games(*, new: bool = False) -> Iterator[tuple[str, Ruleset, str, int]]:
    """Yield name, ruleset, variant and seats of each playthrough. A ruleset without files has none until `--new`."""
    for ruleset in RULESETS.values():
        if not new and not any(FOLDER.glob(f"{ruleset.id}.*.json")):
            continue
        for variant in ruleset.variants:
            for seats in ruleset.seat_counts:
                yield f"{ruleset.id}.{variant}.{seats}", ruleset, variant, seats


def new_choices(name: str, ruleset: Ruleset, variant: str, seats: int) -> list[dict[str, Any]]:
    """Return the named draws and actions of a game in which seats choose the best of a few random actions."""
    rng = generator(sha256(name.encode()).digest())
    position = ruleset.start(variant, seats, None)
    choices = []
    while position.status != "over":
        if position.status == "drawing":
            drawn = position.sample(rng)
            choices.append({"draw": ruleset.wire.name_draw(position.table_state(), drawn)})
            position = position.resolve_draw(drawn)
        else:
            action = max({position.random_action(rng) for _ in range(FEW)}, key=partial(worth, position))
            choices.append({"action": ruleset.wire.decode(action)})
            position = position.play(action)
    return choices


def worth(position: Position, action: int) -> float:
    """Return the estimate for the deciding seat after the action."""
    return float(position.ruleset.rules.estimate(position.play(action).table_state(), position.seat))


def check_estimate(position: Position) -> None:
    """Raise ValueError if an estimate is not finite. Uncompiled, an estimate that reads beyond a table raises."""
    rules = position.ruleset.rules
    if not all(math.isfinite(rules.estimate(position.table_state(), seat)) for seat in range(position.seats)):
        raise ValueError(f"an estimate that is no number: {position!r}")


def playthrough(name: str, ruleset: Ruleset, variant: str, seats: int, choices: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the results of the choices: a row for each step, and the outcome."""
    position = ruleset.start(variant, seats, None)
    steps = []
    step: dict[str, Any]
    for choice in choices:
        if "draw" in choice:
            drawn = ruleset.wire.read_draw(choice["draw"])
            step = {
                "draw": ruleset.wire.name_draw(position.table_state(), drawn),
                "effects": position.step_draw(drawn)[0],
            }
            position = position.resolve_draw(drawn)
        else:
            action = ruleset.wire.encode(choice["action"])
            step = {
                "seat": position.seat,
                "legal": len(position.legal_actions()),
                "action": ruleset.wire.decode(action),
                "effects": position.step(action)[0],
            }
            position = position.play(action)
        check_estimate(position)
        digest = sha256(json.dumps(ruleset.view(position), sort_keys=True).encode()).hexdigest()
        steps.append({**step, "view": digest[:16]})
    if position.status != "over":
        raise ValueError(f"{name} does not end")
    outcome = [
        {"score": seat.score, "rank": seat.rank, "breakdown": dict(seat.breakdown)} for seat in position.outcome()
    ]
    return {"game": name, "steps": steps, "view": ruleset.view(position), "outcome": outcome}


def text_of(playthrough: dict[str, Any]) -> str:
    """Return the content of the file: one step a line, so that a difference shows where a game changed."""
    steps = ",\n".join(json.dumps(step, sort_keys=True) for step in playthrough["steps"])
    rest = {key: value for key, value in playthrough.items() if key != "steps"}
    head = '{"generated": "by python -m tests.rulesets.golden", '
    return head + json.dumps(rest, sort_keys=True)[1:-1] + ', "steps": [\n' + steps + "\n]}\n"


def main() -> int:
    """Write or check the files. Return 1 if a playthrough differs."""
    differ = []
    played = 0
    named = {word for word in sys.argv[1:] if not word.startswith("-")}
    for name, ruleset, variant, seats in games(new="--new" in sys.argv[1:]):
        if named and name not in named:
            continue
        path = FOLDER / f"{name}.json"
        if "--new" in sys.argv[1:]:
            choices = new_choices(name, ruleset, variant, seats)
        else:
            choices = json.loads(path.read_text())["steps"]
        text = text_of(playthrough(name, ruleset, variant, seats, choices))
        if "--check" not in sys.argv[1:]:
            path.write_text(text)
        elif path.read_text() != text:
            differ.append(name)
        played += 1
    print(f"{played} playthroughs, {len(differ)} differ: {', '.join(differ)}".removesuffix(": "))
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
