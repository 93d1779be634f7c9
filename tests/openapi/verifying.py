"""The verifier of draws with the files of rulesets that define their own draws, and damaged records for it."""

from __future__ import annotations

import json
import random
import runpy
from collections.abc import Iterator
from typing import Any

from openapi.clients.verify.verify import DRAWS, BadEventError, verify
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Json

__all__ = ["NOT_RECORDS", "WITH_FILE", "damaged_records", "verdict", "verify"]
WITH_FILE = {name: ruleset.folder / "draws.py" for name, ruleset in RULESETS.items() if name not in DRAWS}
DRAWS.update({name: runpy.run_path(str(file))["Draws"] for name, file in WITH_FILE.items()})

NOT_RECORDS = {
    "empty": b"",
    "a text export": b'[Format "azul-games/1"]\n[Game "a-game"]\n[Ruleset "azul"]\n\n!created\n!start\nfirst:1\n',
    "a short text": b"[Azul]\n\n!start\n",
    "no UTF-8": b'{"id": "a-game", "ruleset": "\xff"}',
    "byte order mark": b'\xef\xbb\xbf{"id": "a-game"}',
    "NaN": b'{"id": "a-game", "seed_from": NaN}',
    "deeply nested": b"[" * 100_000,
    "a list": b"[]",
    "null": b"null",
    "no id": b"{}",
    "another object": b'{"id": "a-game", "seats": 2}',
}
"""Contents of files that are not records in JSON."""
ODD_VALUES: list[Any] = [
    *(None, True, False, -1, 0, 1, 1.5, 21, 10**9, "", "blue", "treee", "blue tree", "azul.deal"),
    *("summer-pavilion.tile_placed", "queens-garden.tile_placed", "queens-garden.round_ended", "constructor"),
    *([], ["blue"], [["blue"]], [None], {}, {"blue": 1}, {"tiles": []}, {"colour": ["blue"], "pattern": "tree"}),
]
DELETED = "(deleted)"
CHECKED_EVENTS = 60  # of damaged records, to save time
SELDOM_DAMAGED = {"action", "notation", "outcome", "text"}  # the verifier does not read them


def verdict(record: Json) -> str:
    """Return the number of verified draws, the wrong event, or that the record cannot be checked."""
    try:
        return str(verify(record))
    except BadEventError as error:
        return f"event {error.number}"
    except ValueError:
        return "unchecked"


def damaged_records(record: Json, number: int) -> Iterator[tuple[str, Json]]:
    """Yield copies in which one value is replaced or deleted, each with a description of the damage."""
    rng = random.Random(number)
    text = json.dumps({**record, "events": record["events"][:CHECKED_EVENTS]})
    places = list(_places(json.loads(text)))
    header = [place for place in places if place[0] != "events"]
    for _ in range(number):
        damaged = json.loads(text)
        *path, last = rng.choice(rng.choice((header, places, places)))
        parent = damaged
        for key in path:
            parent = parent[key]
        value = rng.choice([*ODD_VALUES, DELETED])
        if value is DELETED:
            del parent[last]
        else:
            parent[last] = value
        yield f"{[*path, last]}: {value}", damaged


def _places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of each value in a JSON value."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in pairs:
        yield (*path, key)
        if key not in SELDOM_DAMAGED:
            yield from _places(child, (*path, key))
