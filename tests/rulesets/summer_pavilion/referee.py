"""Summer Pavilion a second time: from the rules page alone, over the JSON of positions, plain and slow.

`legal` lists what the seat to decide may do, `play` and `resolve_draw` apply it, `standing` orders the seats at the
end. Nothing is checked. Nothing here is the service's: the soak holds the compiled rules against it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from tests.rulesets.heaps import add_tiles

Json = dict[str, Any]
Space = tuple[str, int]  # star, slot 1..6

COLOURS = ("purple", "green", "orange", "yellow", "blue", "red")  # in the order in which they are wild
OUTER_STARS = ("orange", "red", "blue", "yellow", "green", "purple")  # clockwise
STAR_POINTS = {"red": 14, "blue": 15, "yellow": 16, "orange": 17, "green": 18, "purple": 20}
MIXED_STAR_POINTS = 12
NUMBER_POINTS = {1: 4, 2: 8, 3: 12, 4: 16}
SUPPLY_SPACES, TILES_A_FACTORY, MAX_KEPT, ROUNDS = 10, 4, 4, 6


def features() -> Iterator[tuple[set[Space], int]]:
    """Yield the spaces around each window, statue and pillar, and its bonus tiles."""
    for number, star in enumerate(OUTER_STARS):
        following = OUTER_STARS[(number + 1) % 6]
        yield {(star, 5), (star, 6)}, 3
        yield {(star, 1), (star, 2), (following, 3), (following, 4)}, 2
        yield {(star, 2), (star, 3), ("centre", (number - 1) % 6 + 1), ("centre", number + 1)}, 1


FEATURES = list(features())


def number_on(position: Json, star: str, slot: int) -> int:
    """Return the number printed on a space."""
    if position["variant"] == "coloured":
        return slot
    return 3 if star == "centre" else (3, 2, 1, 4, 5, 6)[slot - 1]


def starter(position: Json) -> int:
    """Return the seat that begins phase 2 and the next round."""
    holder = position["start_token"]
    return int(position["start_seat"] if holder == "centre" else holder.removeprefix("seat_"))


def lose(seat: Json, points: int) -> None:
    """Subtract points from a score, down to 1."""
    seat["score"] = max(1, seat["score"] - points)


# ------------------------------------------------------------------------------------------ what is legal


def legal(position: Json) -> Iterator[Json]:
    """Yield the actions of the deciding seat."""
    seat = position["seats"][position["to_decide"]]
    if position["phase"] == "acquire":
        for source, tiles in sources(position).items():
            for colour in tiles:
                if colour != position["wild"] or len(tiles) == 1:
                    yield {"type": "summer-pavilion.acquire", "source": source, "colour": colour}
    elif position["phase"] == "take_bonus":
        yield from ({"type": "summer-pavilion.take_bonus", "colour": colour} for colour in position["supply"])
    else:
        yield from placements(position, seat)
        kept = itertools.product(*(range(min(MAX_KEPT, count) + 1) for count in seat["hand"].values()))
        for counts in kept:
            if sum(counts) <= MAX_KEPT:
                keep = {colour: count for colour, count in zip(seat["hand"], counts, strict=True) if count}
                yield {"type": "summer-pavilion.pass", "keep": keep}


def sources(position: Json) -> dict[str, Json]:
    """Return the tiles in the factories and in the centre."""
    factories = {f"factory_{number}": tiles for number, tiles in enumerate(position["factories"])}
    return {**factories, "centre": position["centre"]}


def placements(position: Json, seat: Json) -> Iterator[Json]:
    """Yield the placements: each colour of the hand on each space that takes it, with each number of wilds."""
    for (star, tiles), colour in itertools.product(seat["stars"].items(), seat["hand"]):
        if not can_take(position["variant"], star, tiles, colour):
            continue
        for slot in range(1, 7):
            if tiles[slot - 1] is None:
                for wilds in payments(seat["hand"], colour, position["wild"], number_on(position, star, slot)):
                    place = {"type": "summer-pavilion.place", "star": star, "slot": slot}
                    yield {**place, "colour": colour, "wilds": wilds}


def can_take(variant: str, star: str, tiles: list[str | None], colour: str) -> bool:
    """Return True if a star can take one more tile of the colour."""
    if variant == "coloured" and star != "centre":
        return star == colour
    laid = [tile for tile in tiles if tile]
    all_alike, all_different = {*laid} <= {colour}, colour not in laid and len({*laid}) == len(laid)
    return all_different or (variant == "grey" and all_alike)


def payments(hand: Json, colour: str, wild: str, number: int) -> Iterator[int]:
    """Yield the numbers of wilds with which a space of this number can be paid."""
    for wilds in range(number if colour != wild else 1):
        if hand.get(colour, 0) >= number - wilds and (not wilds or hand.get(wild, 0) >= wilds):
            yield wilds


# ---------------------------------------------------------------------------------------------- decisions


def play(position: Json, action: Json) -> None:
    """Apply a decision and everything that follows from it."""
    number = position["to_decide"]
    seat = position["seats"][number]
    match action["type"].rpartition(".")[2]:
        case "acquire":
            acquire(position, number, action)
        case "place":
            position["bonus_owed"] = place(position, seat, action)
        case "take_bonus":
            add_tiles(position["supply"], action["colour"], -1)
            add_tiles(seat["hand"], action["colour"])
            position["bonus_owed"] -= 1
        case "pass":
            pass_round(position, seat, action["keep"])
    if position["phase"] == "acquire":
        go_on_acquiring(position, (number + 1) % len(position["seats"]))
    elif position["bonus_owed"]:
        position["phase"] = "take_bonus"
    else:
        end_turn(position, number)


def acquire(position: Json, number: int, action: Json) -> None:
    """Take all tiles of a colour and one wild tile, or only one wild tile from a source without other colours."""
    seat, source = position["seats"][number], sources(position)[action["source"]]
    colour, wild = action["colour"], position["wild"]
    taken = {colour: 1 if colour == wild else source[colour]}
    if wild in source:
        taken[wild] = 1
    for tile, count in taken.items():
        add_tiles(source, tile, -count)
        add_tiles(seat["hand"], tile, count)
    if action["source"] != "centre":
        for tile in [*source]:
            add_tiles(position["centre"], tile, source.pop(tile))
    elif position["start_token"] == "centre":
        position["start_token"] = f"seat_{number}"
        lose(seat, sum(taken.values()))


def go_on_acquiring(position: Json, following: int) -> None:
    """Let the next seat acquire, or begin phase 2."""
    acquires = any(sources(position).values())
    position["phase"] = "acquire" if acquires else "play"
    position["to_decide"] = following if acquires else starter(position)


def place(position: Json, seat: Json, action: Json) -> int:
    """Place a tile, put the payment into the tower, and return the bonus tiles owed."""
    star, slot, colour, wilds = (action[name] for name in ("star", "slot", "colour", "wilds"))
    number = number_on(position, star, slot)
    for heap, sign in ((seat["hand"], -1), (position["tower"], 1)):
        add_tiles(heap, colour, sign * (number - wilds))
        add_tiles(heap, position["wild"], sign * wilds)
    add_tiles(position["tower"], colour, -1)
    ring = seat["stars"][star]
    ring[slot - 1] = colour
    seat["score"] += run(ring, slot - 1)
    filled = {(name, at) for name, tiles in seat["stars"].items() for at, tile in enumerate(tiles, 1) if tile}
    completed = [tiles for around, tiles in FEATURES if (star, slot) in around and around <= filled]
    lying: int = sum(position["supply"].values())
    return min(sum(completed), lying)


def run(ring: list[str | None], at: int) -> int:
    """Length of the unbroken run of tiles through a space of a star."""
    after = next((step for step in range(1, 6) if not ring[(at + step) % 6]), 6)
    before = next((step for step in range(1, 6) if not ring[(at - step) % 6]), 6)
    return min(6, after + before - 1)


def pass_round(position: Json, seat: Json, keep: Json) -> None:
    """Keep some tiles. Each other tile costs a point."""
    for tile, count in seat["hand"].items():
        add_tiles(position["tower"], tile, count - keep.get(tile, 0))
    lose(seat, sum(seat["hand"].values()) - sum(keep.values()))
    seat |= {"hand": {}, "corners": dict(keep), "passed": True}


def end_turn(position: Json, number: int) -> None:
    """Fill the supply, let the next seat play, or end the round."""
    seats = len(position["seats"])
    following = [(number + step) % seats for step in range(1, seats + 1)]
    left = [seat for seat in following if not position["seats"][seat]["passed"]]
    position["to_decide"] = None
    if not left:
        position["phase"] = "deal" if position["round"] < ROUNDS else "over"
        if position["phase"] == "over":
            end(position)
    elif sum(position["supply"].values()) < SUPPLY_SPACES and (position["bag"] or position["tower"]):
        position["phase"], position["next_seat"] = "refill", left[0]
    else:
        position["phase"], position["to_decide"] = "play", left[0]


# ----------------------------------------------------------------------------------- chance, and the end


def resolve_draw(position: Json, draw: Json) -> None:
    """Set the first seat; or draw tiles for the supply up to ten, then four for each factory."""
    if draw["type"] == "summer-pavilion.first_seat":
        position["start_seat"] = draw["seat"]
        return
    heaps = [position["supply"]] * (SUPPLY_SPACES - sum(position["supply"].values()))
    if draw["type"] == "summer-pavilion.deal":
        begin_round(position)
        heaps += [factory for factory in position["factories"] for _ in range(TILES_A_FACTORY)]
    assert min(len(heaps), sum(position["bag"].values()) + sum(position["tower"].values())) == len(draw["tiles"])
    for heap, tile in zip(heaps, draw["tiles"], strict=False):
        if not position["bag"]:
            position["bag"], position["tower"] = position["tower"], {}
        add_tiles(position["bag"], tile, -1)
        add_tiles(heap, tile)
    if draw["type"] == "summer-pavilion.deal":
        go_on_acquiring(position, position["start_seat"])
    else:
        position |= {"phase": "play", "to_decide": position["next_seat"], "next_seat": None}


def begin_round(position: Json) -> None:
    """Put the token into the centre, and move corners back to the hands."""
    first, number = starter(position), position["round"] + 1
    position |= {"round": number, "wild": COLOURS[number - 1], "start_seat": first, "start_token": "centre"}
    for seat in position["seats"]:
        seat |= {"hand": seat["corners"], "corners": {}, "passed": False}


def end(position: Json) -> None:
    """Completed stars and numbers score, then what was kept costs."""
    for seat in position["seats"]:
        for star in seat["stars"].values():
            if None not in star:
                seat["score"] += STAR_POINTS[star[0]] if star[0] == star[1] else MIXED_STAR_POINTS
        spaces = [(star, at, tile) for star, tiles in seat["stars"].items() for at, tile in enumerate(tiles, 1)]
        still_open = {number_on(position, star, slot) for star, slot, tile in spaces if not tile}
        seat["score"] += sum(points for number, points in NUMBER_POINTS.items() if number not in still_open)
        before = seat["score"]
        lose(seat, sum(seat["corners"].values()))
        seat["leftover_penalty"] = before - seat["score"]
        for tile, count in seat["corners"].items():
            add_tiles(position["tower"], tile, count)
        seat["corners"] = {}


def standing(position: Json, seat: int) -> tuple[int, ...]:
    """Return the values that order the seats at the end."""
    return (position["seats"][seat]["score"],)
