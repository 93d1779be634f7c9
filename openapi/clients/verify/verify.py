#!/usr/bin/env python3
"""Check every draw of an exported game: `python verify.py record.json`. It needs only Python 3.9.

The record is the response of `GET /v1/games/{id}/export` for a finished game, or a game of a tournament. The program
checks that the seed matches `seed_commitment` and that each draw follows from the seed by the published algorithm
("Fair draws" in the API document). It does not check that actions are legal: `POST /v1/games/import` does.

Exit status: 0 all draws are correct; 1 an event is wrong, its number is printed; 2 nothing can be checked.
"""

from __future__ import annotations

import copy
import hashlib
import hmac
import json
import sys
from pathlib import Path
from typing import Any

Json = dict[str, Any]
Tiles = dict[str, int]

MASK = 2**64 - 1
COLOURS = {
    "azul": ["blue", "yellow", "red", "black", "white"],
    "summer-pavilion": ["purple", "green", "orange", "yellow", "blue", "red"],
    "queens-garden": ["blue", "dark_green", "light_green", "yellow", "light_purple", "dark_purple"],
}
PATTERNS = ["tree", "bird", "butterfly", "flower", "plant", "bellflower"]
HEXAGONS = [f"{colour} {pattern}" for colour in COLOURS["queens-garden"] for pattern in PATTERNS]
COPIES = {"azul": 20, "summer-pavilion": 22, "queens-garden": 3}
SUPPLY_SPACES = 10


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

    def next(self) -> int:
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

    def below(self, bound: int) -> int:
        """Return a number from 0 to bound - 1."""
        while True:
            product = (self.next() >> 32) * bound
            if product & 0xFFFFFFFF >= (2**32 - bound) % bound:
                return product >> 32

    def tile(self, bag: Tiles) -> str:
        """Return a tile of the bag."""
        rest = self.below(sum(bag.values()))
        for tile, count in bag.items():
            if rest < count:
                return tile
            rest -= count
        raise AssertionError(bag)


class RecordedDraw(Generator):
    """Yields the draw in the record, for draws before the import of the game."""

    def __init__(self, draw: Json) -> None:
        self.draw = draw
        self.tiles = iter(draw.get("tiles") or draw.get("faces") or ())

    def below(self, _bound: int) -> int:
        """Return the recorded seat."""
        return int(self.draw["seat"])

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


class Table:
    """The state that draws depend on: the bag, the tiles that return to it, and the visible tiles."""

    def __init__(self, record: Json) -> None:
        self.ruleset, self.seats = record["ruleset"], len(record["seats"])
        self.order = HEXAGONS if self.ruleset == "queens-garden" else COLOURS[self.ruleset]
        self.bag = dict.fromkeys(self.order, COPIES[self.ruleset])
        self.spare = dict.fromkeys(self.order, 0)  # box lid, or tower
        self.display = dict.fromkeys(self.order, 0)  # Queen's Garden: the tiles there
        self.unseen = dict.fromkeys(self.order, 1)  # Queen's Garden: faces that were never visible
        self.supply = 0  # Summer Pavilion: number of tiles
        if record.get("position"):
            self.begin_at(record["position"])

    def begin_at(self, position: Json) -> None:
        """Use the position that the game starts from."""
        self.bag = self.counted(position["bag"])
        self.spare = self.counted(position["box_lid" if self.ruleset == "azul" else "tower"])
        if self.ruleset == "azul":  # tiles on the floor reach the lid before the next refill
            self.put_aside([tile for seat in position["seats"] for tile in seat["floor_line"] if tile in self.order])
        elif self.ruleset == "summer-pavilion":
            self.supply = sum(position["supply"].values())
        elif self.ruleset == "queens-garden":
            display = position["display"]
            open_tiles = [*display["top"], *(tile for beside in display["beside"] for tile in beside["tiles"])]
            self.display = {name: sum(name_of(tile) == name for tile in open_tiles) for name in self.order}
            self.unseen = {name: sum(name_of(face) == name for face in position["unseen"]) for name in self.order}

    def counted(self, counts: Json) -> Tiles:
        """Return the bag for the counts in a position."""
        flat: Tiles = {}
        for colour, count in counts.items():
            flat.update({f"{colour} {p}": n for p, n in count.items()} if isinstance(count, dict) else {colour: count})
        return {name: flat.get(name, 0) for name in self.order}

    def drawn(self, rng: Generator, event: Json) -> Json:
        """Return the draw of this event, and remove its tiles from the bag."""
        named = event["draw"]["type"]
        kind = kind_of(event["draw"])
        if kind == "first_seat":
            return {"type": named, "seat": rng.below(self.seats)}
        if kind == "turn":
            return {"type": named, "faces": self.taken(rng, self.unseen, self.turning(event["effects"]))}
        if kind == "fill":
            if sum(self.bag.values()) < 4:
                self.refill()
            tiles = self.taken(rng, self.bag, 4)
            for tile in tiles:
                self.display[name_of(tile)] += 1
            return {"type": named, "tiles": tiles}
        wanted = 4 * (2 * self.seats + 1) if kind == "deal" else 0
        if self.ruleset == "summer-pavilion":
            wanted += SUPPLY_SPACES - self.supply
        tiles = self.taken(rng, self.bag, wanted)
        if len(tiles) < wanted:
            self.refill()
            tiles += self.taken(rng, self.bag, wanted - len(tiles))
        self.supply = min(SUPPLY_SPACES, self.supply + len(tiles))
        return {"type": named, "tiles": tiles}

    def turning(self, effects: list[Json]) -> int:
        """Return how many faces become visible for the first time."""
        shown = [expansion for effect in effects for expansion in effect.get("expansions", ())]
        return sum(self.unseen[name_of(expansion["hexagon"])] for expansion in shown)

    def taken(self, rng: Generator, bag: Tiles, most: int) -> list[Any]:
        """Draw up to `most` tiles, one by one."""
        tiles: list[Any] = []
        while len(tiles) < most and any(bag.values()):
            name = rng.tile(bag)
            bag[name] -= 1
            tiles.append(tile_of(name))
        return tiles

    def refill(self) -> None:
        """Return the spare tiles to the bag."""
        for name, count in self.spare.items():
            self.bag[name] += count
        self.spare = dict.fromkeys(self.order, 0)

    def see(self, effect: Json) -> None:
        """Apply an effect to the state."""
        kind = kind_of(effect)
        if self.ruleset == "azul":
            if kind in ("tiles_fallen", "line_fallen"):
                self.spare[effect["colour"]] += effect["count"]
            elif kind == "tile_placed":
                self.spare[effect["colour"]] += effect["line"]  # one tile stays on the wall
        elif kind in ("tile_placed", "expansion_placed"):
            self.put_aside(effect["payment"]["tiles"] if "payment" in effect else effect["spent"])
        elif kind == "passed":
            self.put_aside(effect["discarded"].get("tiles", effect["discarded"]))
        elif kind == "bonus_taken":
            self.supply -= 1
        else:
            self.see_display(effect)

    def see_display(self, effect: Json) -> None:
        """Queen's Garden: remove acquired tiles from the display. After a round, the rest goes to the tower."""
        if kind_of(effect) == "pieces_acquired":
            for piece in effect["pieces"]:
                if piece["kind"] == "tile":
                    self.display[name_of(piece["hexagon"])] -= 1
        elif kind_of(effect) == "round_ended":
            for name, count in self.display.items():
                self.spare[name] += count
            self.display = dict.fromkeys(self.order, 0)

    def put_aside(self, tiles: Any) -> None:
        """Add tiles to the spare ones. `tiles`: a list, or counts by colour."""
        for tile in tiles:
            self.spare[name_of(tile)] += tiles[tile] if isinstance(tiles, dict) else 1


def verify(record: Json) -> int:
    """Return the number of checked draws.

    Raises BadEventError for the first wrong event, ValueError if the record has no seed.
    """
    if not record.get("seed"):
        raise ValueError("the record has no seed: the game is not over")
    seed = bytes.fromhex(record["seed"])
    if hashlib.sha256(seed).hexdigest() != record["seed_commitment"]:
        raise BadEventError(0, "the seed does not match seed_commitment")
    table, checked = Table(record), 0
    past = {0: table}
    for number, event in enumerate(record["events"], 1):
        if event["revision"] != number:
            raise BadEventError(number, "an event is missing or out of order")
        table = copy.deepcopy(past[event["to"]] if event["kind"] == "takeback" else table)
        if event["kind"] == "draw":
            draw, from_seed = event["draw"], number > record.get("seed_from", 0)
            if draw != table.drawn(Generator(seed, number) if from_seed else RecordedDraw(draw), event):
                raise BadEventError(number, "the seed gives another draw" if from_seed else "impossible draw")
            checked += from_seed
        for effect in event["effects"]:
            table.see(effect)
        past[number] = table
    return checked


def main(arguments: list[str]) -> int:
    """Check the record and return the exit status."""
    if len(arguments) != 1:
        sys.stdout.write(f"{__doc__}\n")
        return 2
    record = json.loads(Path(arguments[0]).read_text("utf-8"))
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
