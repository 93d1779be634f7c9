#!/usr/bin/env python3
"""Check every draw of an exported game: `python verify.py record.json`. It needs only Python 3.9.

The record is the response of `GET /v1/games/{id}/export` for a finished game, or a game of a tournament. The program
checks that the seed matches `seed_commitment` and that each draw follows from the seed by the published algorithm
("Fair draws" in the API document). It does not check that actions are legal: `POST /v1/games/import` does.

For another ruleset, name its file as well: `python verify.py record.json service/rulesets/<name>/draws.py`. The file
contains a class `Draws`, which is created from the record and has the methods `draw` and `see` of `Draws` below.

Exit status: 0 all draws are correct; 1 an event is wrong, its number is printed; 2 nothing can be checked.
"""

from __future__ import annotations

import copy
import hashlib
import hmac
import itertools
import json
import runpy
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

Json = dict[str, Any]
Tiles = dict[str, int]

MASK = 2**64 - 1


class BadEventError(Exception):
    """An event that does not follow from the seed. Number 0 is the seed itself."""

    def __init__(self, number: int, why: str) -> None:
        super().__init__(f"event {number}: {why}")
        self.number = number


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
        self.seat = draw.get("seat", 0)
        self.tiles = iter(next((value for value in draw.values() if isinstance(value, list)), ()))

    def number_below(self, _bound: int) -> int:
        """Return the recorded seat."""
        return int(self.seat)

    def tile(self, bag: Tiles) -> str:
        """Return the recorded tile if the bag contains it, else another tile."""
        tile = name_of(next(self.tiles, None))
        return tile if bag.get(tile) else next(iter(bag))


def kind_of(typed: Json) -> str:
    """Return the type of a draw or an effect without the id of the ruleset."""
    return str(typed["type"]).rpartition(".")[2]


def name_of(tile: Any) -> str:
    """Return the key of a tile in a bag: a colour, or the colour and pattern of a hexagon."""
    return f"{tile['colour']} {tile['pattern']}" if isinstance(tile, dict) else str(tile)


def tile_of(name: str) -> Any:
    """Return the tile of a key, as in records."""
    colour, _, pattern = name.partition(" ")
    return {"colour": colour, "pattern": pattern} if pattern else colour


class Draws:
    """The state that the draws of a game depend on: the bag, and the spare tiles that return to it.

    Each ruleset has a subclass. Its methods `draw_<type>` and `see_<type>` handle draws and effects.
    """

    KINDS: Sequence[str] = ()
    COPIES = 0
    SPARE = "tower"

    def __init__(self, record: Json) -> None:
        self.seats = len(record["seats"])
        self.bag = dict.fromkeys(self.KINDS, self.COPIES)
        self.spare = dict.fromkeys(self.KINDS, 0)
        if record.get("position"):
            self.begin_at(record["position"])

    def begin_at(self, position: Json) -> None:
        """Use the position that the game starts from."""
        self.bag, self.spare = self.bag_of(position["bag"]), self.bag_of(position[self.SPARE])

    def bag_of(self, counts: Json) -> Tiles:
        """Return the bag for the counts in a position."""
        flat: Tiles = {}
        for colour, count in counts.items():
            flat.update({f"{colour} {p}": n for p, n in count.items()} if isinstance(count, dict) else {colour: count})
        return {name: flat.get(name, 0) for name in self.KINDS}

    def draw(self, rng: Generator, event: Json) -> Json:
        """Return the draw of this event, and remove its tiles from the bag."""
        draw: Callable[..., Json] = getattr(self, f"draw_{kind_of(event['draw'])}", lambda *_: {})
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
            bag[name] -= 1
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
            self.bag[name] += count
        self.spare = dict.fromkeys(self.KINDS, 0)

    def put_aside(self, tiles: Any) -> None:
        """Add tiles to the spare ones. `tiles`: a list, or counts by colour."""
        for tile in tiles:
            self.spare[name_of(tile)] += tiles[tile] if isinstance(tiles, dict) else 1


class Azul(Draws):
    """The draws of Azul. The spare tiles are in the box lid."""

    KINDS = ("blue", "yellow", "red", "black", "white")
    COPIES = 20
    SPARE = "box_lid"

    def begin_at(self, position: Json) -> None:
        """Use the position. Tiles on the floor reach the lid before the next refill."""
        super().begin_at(position)
        self.put_aside([tile for seat in position["seats"] for tile in seat["floor_line"] if tile in self.KINDS])

    def draw_deal(self, rng: Generator, _effects: list[Json]) -> Json:
        """Return four tiles for each factory."""
        return {"tiles": self.deal(rng, 4 * (2 * self.seats + 1))}

    def see_tiles_fallen(self, effect: Json) -> None:
        """Add the tiles to the lid."""
        self.spare[effect["colour"]] += effect["count"]

    see_line_fallen = see_tiles_fallen

    def see_tile_placed(self, effect: Json) -> None:
        """Add the other tiles of the line to the lid. One tile stays on the wall."""
        self.spare[effect["colour"]] += effect["line"]


class SummerPavilion(Draws):
    """The draws of Summer Pavilion. The supply has ten spaces."""

    KINDS = ("purple", "green", "orange", "yellow", "blue", "red")
    COPIES = 22
    supply = 0  # number of tiles

    def begin_at(self, position: Json) -> None:
        """Use the position."""
        super().begin_at(position)
        self.supply = sum(position["supply"].values())

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
        self.put_aside(effect["spent"])

    def see_passed(self, effect: Json) -> None:
        """Put aside the discarded tiles."""
        self.put_aside(effect["discarded"])

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
        display = position["display"]
        open_tiles = [*display["top"], *(tile for beside in display["beside"] for tile in beside["tiles"])]
        self.display = {name: sum(name_of(tile) == name for tile in open_tiles) for name in self.KINDS}
        self.unseen = {name: sum(name_of(face) == name for face in position["unseen"]) for name in self.KINDS}

    def draw_fill(self, rng: Generator, _effects: list[Json]) -> Json:
        """Return four tiles for the display."""
        if sum(self.bag.values()) < 4:
            self.refill()
        tiles = self.take(rng, self.bag, 4)
        for tile in tiles:
            self.display[name_of(tile)] += 1
        return {"tiles": tiles}

    def draw_turn(self, rng: Generator, effects: list[Json]) -> Json:
        """Return the faces that become visible for the first time."""
        shown = [expansion for effect in effects for expansion in effect.get("expansions", ())]
        count = sum(self.unseen[name_of(expansion["hexagon"])] for expansion in shown)
        return {"faces": self.take(rng, self.unseen, count)}

    def see_tile_placed(self, effect: Json) -> None:
        """Put aside the payment."""
        self.put_aside(effect["payment"]["tiles"])

    see_expansion_placed = see_tile_placed

    def see_passed(self, effect: Json) -> None:
        """Put aside the discarded tiles."""
        self.put_aside(effect["discarded"]["tiles"])

    def see_pieces_acquired(self, effect: Json) -> None:
        """Remove the tiles from the display."""
        for piece in effect["pieces"]:
            if piece["kind"] == "tile":
                self.display[name_of(piece["hexagon"])] -= 1

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

    Raises BadEventError for the first wrong event, ValueError if the record has no seed or the draws are unknown.
    """
    if not record.get("seed"):
        raise ValueError("the record has no seed: the game is not over")
    seed = bytes.fromhex(record["seed"])
    if hashlib.sha256(seed).hexdigest() != record["seed_commitment"]:
        raise BadEventError(0, "the seed does not match seed_commitment")
    if record["ruleset"] not in DRAWS:
        raise ValueError(f"the draws of {record['ruleset']} are unknown: name the file that contains them")
    draws, checked = DRAWS[record["ruleset"]](record), 0
    past = {0: draws}
    for number, event in enumerate(record["events"], 1):
        if event["revision"] != number:
            raise BadEventError(number, "an event is missing or out of order")
        draws = copy.deepcopy(past[event["to"]] if event["kind"] == "takeback" else draws)
        if event["kind"] == "draw":
            draw, from_seed = event["draw"], number > record.get("seed_from", 0)
            if draw != draws.draw(Generator(seed, number) if from_seed else RecordedDraw(draw), event):
                raise BadEventError(number, "the seed gives another draw" if from_seed else "impossible draw")
            checked += from_seed
        for effect in event["effects"]:
            draws.see(effect)
        past[number] = draws
    return checked


def main(arguments: list[str]) -> int:
    """Check the record and return the exit status."""
    if len(arguments) not in (1, 2):
        sys.stdout.write(f"{__doc__}\n")
        return 2
    record = json.loads(Path(arguments[0]).read_text("utf-8"))
    for file in arguments[1:]:
        DRAWS[record["ruleset"]] = runpy.run_path(file)["Draws"]
    try:
        checked = verify(record)
    except BadEventError as error:
        sys.stdout.write(f"{error}\n")
        return 1
    except ValueError as error:
        sys.stdout.write(f"{error}\n")
        return 2
    sys.stdout.write(f"{record['id']}: {checked} draws follow from the committed seed\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
