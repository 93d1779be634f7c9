#!/usr/bin/env python3
"""Check every draw of an exported game: `python verify.py record.json`. It needs only Python 3.9.

The record is the response of `GET /v1/games/{id}/export` for a finished game, or a game of a tournament, in JSON. The
program checks that the seed matches `seed_commitment` and that each draw follows from the seed by the published
algorithm ("Fair draws" in the API document). It does not check that actions are legal: `POST /v1/games/import` does.

For another ruleset, name its file as well: `python verify.py record.json service/rulesets/<name>/draws.py`. The file
contains a class `Draws`, which is created from the record and has the methods `draw` and `see` of `Draws` below.

Exit status: 0 all draws are correct; 1 an event is wrong or damaged, its number is printed; 2 nothing can be checked,
for example because the file is not a record.
"""

from __future__ import annotations

import copy
import hashlib
import hmac
import itertools
import json
import re
import runpy
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

Json = dict[str, Any]
Tiles = dict[str, int]
T = TypeVar("T")

MASK = 2**64 - 1


class BadEventError(Exception):
    """An event that does not follow from the seed or is damaged. Number 0 is the seed itself."""

    def __init__(self, number: int, why: str) -> None:
        super().__init__(f"event {number}: {why}")
        self.number = number


def get(data: Any, key: str, kind: type[T]) -> T:
    """Return a value of an object. Raises ValueError if it is missing or has another type; True is not an int."""
    value = data.get(key) if isinstance(data, dict) else None
    if type(value) is not kind:
        raise ValueError(f"`{key}` is missing or has the wrong type")
    return value


def number_to(most: int, data: Json, key: str) -> int:
    """Return a number from 0 to `most`. Raises ValueError if it is another value."""
    value = get(data, key, int)
    if not 0 <= value <= most:
        raise ValueError(f"`{key}` must be a number from 0 to {most}")
    return value


class Generator:
    """xoshiro256** with the key HMAC-SHA256(seed, number of the event)."""

    def __init__(self, seed: bytes, number: int) -> None:
        key = hmac.new(seed, str(number).encode(), hashlib.sha256).digest()
        self.state = [int.from_bytes(key[at : at + 8], "little") for at in range(0, 32, 8)]

    def next_bits(self) -> int:
        """Return the next 64 bits."""
        s = self.state
        product = s[1] * 5 & MASK
        result = (product << 7 | product >> 57) * 9 & MASK
        shifted = s[1] << 17 & MASK
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= shifted
        s[3] = (s[3] << 45 | s[3] >> 19) & MASK
        return result

    def number_below(self, bound: int) -> int:
        """Return a number from 0 to bound - 1."""
        while True:
            product = (self.next_bits() >> 32) * bound
            if product & 0xFFFFFFFF >= (2**32 - bound) % bound:
                return product >> 32

    def tile(self, bag: Tiles) -> str:
        """Return a tile of the bag."""
        rest = self.number_below(sum(bag.values()))
        for tile, count in bag.items():
            if rest < count:
                return tile
            rest -= count
        raise AssertionError(bag)


class RecordedDraw(Generator):
    """Yields the draw in the record, for draws before the import of the game."""

    def __init__(self, draw: Json) -> None:
        self.draw = draw
        self.tiles = iter(next((value for value in draw.values() if isinstance(value, list)), ()))

    def number_below(self, bound: int) -> int:
        """Return the recorded seat."""
        return number_to(bound - 1, self.draw, "seat")

    def tile(self, bag: Tiles) -> str:
        """Return the recorded tile. Raises ValueError if the bag does not contain it."""
        tile = name_of(next(self.tiles, None))
        if not bag.get(tile):
            raise ValueError("impossible draw")
        return tile


def kind_of(typed: Json) -> str:
    """Return the type of a draw or an effect without the id of the ruleset."""
    return get(typed, "type", str).rpartition(".")[2]


def name_of(tile: Any) -> str:
    """Return the key of a tile in a bag: a colour, or the colour and pattern of a hexagon."""
    return f"{get(tile, 'colour', str)} {get(tile, 'pattern', str)}" if isinstance(tile, dict) else str(tile)


def tile_of(name: str) -> Any:
    """Return the tile of a key, as in records."""
    colour, _, pattern = name.partition(" ")
    return {"colour": colour, "pattern": pattern} if pattern else colour


def count_of(tiles: Tiles, name: str) -> int:
    """Return the number of these tiles. Raises ValueError if the ruleset has no such tile."""
    if name not in tiles:
        raise ValueError(f"unknown tile: {name}")
    return tiles[name]


def add(tiles: Tiles, name: str, count: int) -> None:
    """Add this many tiles, or remove them if `count` is negative. Raises ValueError if fewer than 0 would remain."""
    if count_of(tiles, name) + count < 0:
        raise ValueError(f"too few tiles: {name}")
    tiles[name] += count


class Draws:
    """The state that the draws of a game depend on: the bag, and the spare tiles that return to it.

    Each ruleset has a subclass. Its methods `draw_<type>` and `see_<type>` handle draws and effects.
    """

    KINDS: Sequence[str] = ()
    COPIES = 0
    SPARE = "tower"

    def __init__(self, record: Json) -> None:
        self.seats = len(get(record, "seats", list))
        self.bag = dict.fromkeys(self.KINDS, self.COPIES)
        self.spare = dict.fromkeys(self.KINDS, 0)
        if record.get("position") is not None:
            self.begin_at(get(record, "position", dict))

    def begin_at(self, position: Json) -> None:
        """Use the position that the game starts from."""
        self.bag, self.spare = self.bag_of(position, "bag"), self.bag_of(position, self.SPARE)

    def bag_of(self, data: Json, key: str) -> Tiles:
        """Return the bag for counts by colour, or by colour and pattern."""
        bag, counts = dict.fromkeys(self.KINDS, 0), get(data, key, dict)
        for colour, count in counts.items():
            if isinstance(count, dict):
                for pattern in count:
                    add(bag, f"{colour} {pattern}", number_to(self.COPIES, count, pattern))
            else:
                add(bag, colour, number_to(self.COPIES, counts, colour))
        return bag

    def draw(self, rng: Generator, event: Json) -> Json:
        """Return the draw of this event, and remove its tiles from the bag."""
        kind = kind_of(event["draw"])
        draw: Callable[..., Json] | None = getattr(self, f"draw_{kind}", None)
        if draw is None:
            raise ValueError(f"unknown draw: {kind}")
        return {"type": event["draw"]["type"], **draw(rng, event["effects"])}

    def see(self, effect: Json) -> None:
        """Apply an effect to the state."""
        getattr(self, f"see_{kind_of(effect)}", lambda _: None)(effect)

    def draw_first_seat(self, rng: Generator, _effects: list[Json]) -> Json:
        """Return the seat."""
        return {"seat": rng.number_below(self.seats)}

    def take(self, rng: Generator, bag: Tiles, most: int) -> list[Any]:
        """Draw up to `most` tiles, one by one."""
        tiles: list[Any] = []
        while len(tiles) < most and any(bag.values()):
            name = rng.tile(bag)
            add(bag, name, -1)
            tiles.append(tile_of(name))
        return tiles

    def deal(self, rng: Generator, wanted: int) -> list[Any]:
        """Draw tiles from the bag. When it is empty, the spare tiles return to it."""
        tiles = self.take(rng, self.bag, wanted)
        if len(tiles) < wanted:
            self.refill()
            tiles += self.take(rng, self.bag, wanted - len(tiles))
        return tiles

    def refill(self) -> None:
        """Return the spare tiles to the bag."""
        for name, count in self.spare.items():
            add(self.bag, name, count)
        self.spare = dict.fromkeys(self.KINDS, 0)

    def put_aside(self, tiles: Tiles) -> None:
        """Add tiles to the spare ones."""
        for name, count in tiles.items():
            add(self.spare, name, count)


class Azul(Draws):
    """The draws of Azul. The spare tiles are in the box lid."""

    KINDS = ("blue", "yellow", "red", "black", "white")
    COPIES = 20
    SPARE = "box_lid"

    def begin_at(self, position: Json) -> None:
        """Use the position. Tiles on the floor reach the lid before the next refill."""
        super().begin_at(position)
        fallen = [tile for seat in get(position, "seats", list) for tile in get(seat, "floor_line", list)]
        self.put_aside(Counter(tile for tile in fallen if tile in self.KINDS))

    def draw_deal(self, rng: Generator, _effects: list[Json]) -> Json:
        """Return four tiles for each factory."""
        return {"tiles": self.deal(rng, 4 * (2 * self.seats + 1))}

    def see_tiles_fallen(self, effect: Json) -> None:
        """Add the tiles to the lid."""
        add(self.spare, get(effect, "colour", str), number_to(self.COPIES, effect, "count"))

    see_line_fallen = see_tiles_fallen

    def see_tile_placed(self, effect: Json) -> None:
        """Add the other tiles of the line to the lid. One tile stays on the wall."""
        add(self.spare, get(effect, "colour", str), number_to(self.COPIES, effect, "line"))


class SummerPavilion(Draws):
    """The draws of Summer Pavilion. The supply has ten spaces."""

    KINDS = ("purple", "green", "orange", "yellow", "blue", "red")
    COPIES = 22
    supply = 0  # number of tiles

    def begin_at(self, position: Json) -> None:
        """Use the position."""
        super().begin_at(position)
        self.supply = sum(self.bag_of(position, "supply").values())

    def draw_refill(self, rng: Generator, _effects: list[Json], others: int = 0) -> Json:
        """Return the missing tiles of the supply, then `others`."""
        tiles = self.deal(rng, 10 - self.supply + others)
        self.supply = min(10, self.supply + len(tiles))
        return {"tiles": tiles}

    def draw_deal(self, rng: Generator, effects: list[Json]) -> Json:
        """Return the missing tiles of the supply, then four tiles for each factory."""
        return self.draw_refill(rng, effects, 4 * (2 * self.seats + 1))

    def see_tile_placed(self, effect: Json) -> None:
        """Put aside the payment."""
        self.put_aside(self.bag_of(effect, "spent"))

    def see_passed(self, effect: Json) -> None:
        """Put aside the discarded tiles."""
        self.put_aside(self.bag_of(effect, "discarded"))

    def see_bonus_taken(self, _effect: Json) -> None:
        """Remove a tile from the supply."""
        self.supply -= 1


class QueensGarden(Draws):
    """The draws of Queen's Garden: tiles from the bag, and the unseen faces of expansions."""

    COLOURS = ("blue", "dark_green", "light_green", "yellow", "light_purple", "dark_purple")
    PATTERNS = ("tree", "bird", "butterfly", "flower", "plant", "bellflower")
    KINDS = tuple(" ".join(hexagon) for hexagon in itertools.product(COLOURS, PATTERNS))
    COPIES = 3

    def __init__(self, record: Json) -> None:
        self.display = dict.fromkeys(self.KINDS, 0)  # the tiles there
        self.unseen = dict.fromkeys(self.KINDS, 1)
        super().__init__(record)

    def begin_at(self, position: Json) -> None:
        """Use the position."""
        super().begin_at(position)
        display = get(position, "display", dict)
        beside = [tile for tiles in get(display, "beside", list) for tile in get(tiles, "tiles", list)]
        self.display, self.unseen = dict.fromkeys(self.KINDS, 0), dict.fromkeys(self.KINDS, 0)
        for tile in get(display, "top", list) + beside:
            add(self.display, name_of(tile), 1)
        for face in get(position, "unseen", list):
            add(self.unseen, name_of(face), 1)

    def draw_fill(self, rng: Generator, _effects: list[Json]) -> Json:
        """Return four tiles for the display."""
        if sum(self.bag.values()) < 4:
            self.refill()
        tiles = self.take(rng, self.bag, 4)
        for tile in tiles:
            add(self.display, name_of(tile), 1)
        return {"tiles": tiles}

    def draw_turn(self, rng: Generator, effects: list[Json]) -> Json:
        """Return the faces that become visible for the first time."""
        turned = [get(effect, "expansions", list) for effect in effects if kind_of(effect) == "expansions_turned"]
        shown = [name_of(get(expansion, "hexagon", dict)) for expansions in turned for expansion in expansions]
        count = sum(count_of(self.unseen, face) for face in shown)
        return {"faces": self.take(rng, self.unseen, count)}

    def see_tile_placed(self, effect: Json) -> None:
        """Put aside the payment."""
        self.put_aside(Counter(map(name_of, get(get(effect, "payment", dict), "tiles", list))))

    see_expansion_placed = see_tile_placed

    def see_passed(self, effect: Json) -> None:
        """Put aside the discarded tiles."""
        self.put_aside(Counter(map(name_of, get(get(effect, "discarded", dict), "tiles", list))))

    def see_pieces_acquired(self, effect: Json) -> None:
        """Remove the tiles from the display."""
        for piece in get(effect, "pieces", list):
            if get(piece, "kind", str) == "tile":
                add(self.display, name_of(get(piece, "hexagon", dict)), -1)

    def see_round_ended(self, _effect: Json) -> None:
        """Put aside the rest of the display."""
        self.put_aside(self.display)
        self.display = dict.fromkeys(self.KINDS, 0)


DRAWS: dict[str, Callable[[Json], Any]] = {
    "azul": Azul,
    "summer-pavilion": SummerPavilion,
    "queens-garden": QueensGarden,
}
"""The draws by ruleset."""


def verify(record: Json) -> int:
    """Return the number of checked draws.

    Raises BadEventError for the first wrong event, ValueError if nothing can be checked.
    """
    ruleset, events = get(record, "ruleset", str), get(record, "events", list)
    seed, seed_from = seed_of(record), get({"seed_from": 0, **record}, "seed_from", int)
    if ruleset not in DRAWS:
        raise ValueError(f"the draws of {ruleset} are unknown: name the file that contains them")
    past, checked = [DRAWS[ruleset](record)], 0
    for number, event in enumerate(events, 1):
        rng = Generator(seed, number) if number > seed_from else None
        try:
            past.append(draws_after(event, past, rng))
        except Exception as error:
            raise BadEventError(number, reason(error)) from error
        checked += rng is not None and event["kind"] == "draw"
    return checked


def seed_of(record: Json) -> bytes:
    """Return the seed, which must match `seed_commitment`."""
    seed = record.get("seed")
    if seed is None:
        raise ValueError("the record has no seed: the game is not over")
    if not isinstance(seed, str) or not re.fullmatch("[0-9a-fA-F]{64}", seed):
        raise BadEventError(0, "the seed must have 64 hexadecimal digits")
    if hashlib.sha256(bytes.fromhex(seed)).hexdigest() != record.get("seed_commitment"):
        raise BadEventError(0, "the seed does not match seed_commitment")
    return bytes.fromhex(seed)


def draws_after(event: Any, past: list[Any], rng: Generator | None) -> Any:
    """Return the draws after an event. `past`: those after each earlier event; `rng`: None before the import."""
    if get(event, "revision", int) != len(past):
        raise ValueError("an event is missing or out of order")
    kind, effects = get(event, "kind", str), get(event, "effects", list)
    draws = copy.deepcopy(past[number_to(len(past) - 1, event, "to") if kind == "takeback" else -1])
    if kind == "draw":
        draw = get(event, "draw", dict)
        if is_different(draw, draws.draw(rng or RecordedDraw(draw), event)):
            raise ValueError("the seed gives another draw" if rng else "impossible draw")
    for effect in effects:
        draws.see(effect)
    return draws


def is_different(one: Json, other: Json) -> bool:
    """Return whether the values differ in JSON, where true is not 1."""
    return json.dumps(one, sort_keys=True) != json.dumps(other, sort_keys=True)


def reason(error: Exception) -> str:
    """Return the message of an error, with the type if it is unusual."""
    return str(error) if isinstance(error, (OSError, ValueError)) else repr(error)


def number_of(text: str) -> float:
    """Return a number with a decimal point or an exponent. JSON does not distinguish 1.0 from 1."""
    number = float(text)
    return int(number) if number.is_integer() else number


def read(path: str) -> Json:
    """Return the record in a file. Raises ValueError if the file contains none."""
    try:
        # JSON has neither NaN nor Infinity: int() raises ValueError
        record: Json = json.loads(Path(path).read_text("utf-8"), parse_float=number_of, parse_constant=int)
        get(record, "id", str)
    except (OSError, ValueError, RecursionError) as error:
        raise ValueError(f"{path} cannot be read as a record in JSON: {error}") from error
    return record


def main(arguments: list[str]) -> int:
    """Check the record and return the exit status."""
    if len(arguments) not in (1, 2):
        sys.stdout.write(f"{__doc__}\n")
        return 2
    try:
        record = read(arguments[0])
        for file in arguments[1:]:
            DRAWS[get(record, "ruleset", str)] = runpy.run_path(file)["Draws"]
        line, status = f"{record['id']}: {verify(record)} draws follow from the committed seed", 0
    except BadEventError as error:
        line, status = str(error), 1
    except Exception as error:  # noqa: BLE001 - status 1, that of a traceback, means a wrong event
        line, status = reason(error), 2
    line = " ".join(line.split())  # parts of the record may contain line breaks
    sys.stdout.write(line.encode("ascii", "backslashreplace").decode() + "\n")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
