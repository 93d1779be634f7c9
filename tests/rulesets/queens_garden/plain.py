"""What may be done in a position, told a second time: from the rules page alone, over the wire form, plain and slow."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from tests.rulesets.queens_garden.build import spot
from tests.rulesets.queens_garden.geometry import (
    AREA_RINGS,
    AREAS,
    CENTRES,
    FOUNTAIN_RING,
    Space,
    connected,
    neighbours,
)
from tests.rulesets.queens_garden.letters import ORDER, Json, name_of, tiles_in
from tests.rulesets.queens_garden.playing import acquire, buy, expand, leave, place

TILE_SPACES, EXPANSION_SPACES, PRICE = 12, 2, 6
Garden = Mapping[Space, str]


def legal_actions(view: Json) -> Iterator[Json]:
    """Every action of the seat to decide."""
    seat = view["seats"][view["to_decide"]]
    yield from acquisitions(view["display"], seat)
    yield from placements(seat)
    yield from expansions(seat)
    if view["supply"] and seat["score"] >= PRICE:
        yield from (buy(area) for area in AREAS if not seat["areas"][area])
    yield from passes(seat)


def without_aliases(actions: Iterable[Json]) -> Iterator[Json]:
    """Of acquisitions that take the same pieces the first: colours come before patterns."""
    seen = set()
    for action in actions:
        taken = frozenset(str(piece) for piece in action.get("pieces", ()))
        if not taken or taken not in seen:
            yield action
        seen.add(taken)


def held(seat: Json) -> tuple[list[str], list[str], int]:
    """Tiles, expansions and jokers of a storage."""
    return sorted(tiles_in(seat["tiles"])), [name_of(face) for face in seat["expansions"]], seat["jokers"]


def garden_of(seat: Json) -> dict[Space, str]:
    """The garden by spaces."""
    return {(q, r): name_of(each["hexagon"]) for each in seat["garden"] for q, r in [each["space"]]}


def acquisitions(display: Json, seat: Json) -> Iterator[Json]:
    """Of each different hexagon that matches one piece, if all of it fits."""
    tiles, mine, jokers = held(seat)
    sources: dict[str, set[str]] = {}
    for tile in display["top"]:
        sources.setdefault(name_of(tile), set()).add(f"t:{name_of(tile)}")
    for each in display["beside"]:
        for tile in each["tiles"]:
            sources.setdefault(name_of(tile), set()).add(f"{each['number']}:{name_of(tile)}")
        if each["face"]:
            sources.setdefault(name_of(each["face"]), set()).add(f"{each['number']}^{name_of(each['face'])}")
    for mark in (*ORDER, *"123456"):
        matching = [words for name, words in sorted(sources.items()) if mark in name]
        for chosen in itertools.product(*matching):
            faces = sum("^" in word for word in chosen)
            room = len(tiles) + jokers + len(chosen) - faces <= TILE_SPACES
            if chosen and room and len(mine) + faces <= EXPANSION_SPACES:
                yield acquire(mark, " ".join(chosen))


def payments(name: str, seat: Json) -> Iterator[str]:
    """What may be given for a hexagon beside itself."""
    tiles, mine, jokers = held(seat)
    number = int(name[1]) - 1
    pieces = [*sorted(set(tiles)), *(f"^{face}" for face in mine)]
    for size in range(number + 1):
        for chosen in itertools.combinations(pieces, size):
            shown = [name, *(word[-2:] for word in chosen)]
            alike = len({each[0] for each in shown}) == 1 or len({each[1] for each in shown}) == 1
            if alike and len(set(shown)) == len(shown) and number - size <= jokers:
                yield " ".join([*chosen, "*" * (number - size)])


def may_lie(garden: Garden, name: str, space: Space) -> bool:
    """The rule of neighbours and the rule of groups, over the whole garden."""
    beside = [garden[other] for other in neighbours(space) if other in garden]
    if beside and not any(set(name) & set(other) for other in beside):
        return False
    after = {**garden, space: name}
    for mark in name:
        (group,) = [
            part for part in connected([each for each, shown in after.items() if mark in shown]) if space in part
        ]
        if max(Counter(after[each] for each in group).values()) > 1:
            return False
    return True


def open_spaces(seat: Json) -> list[Space]:
    """The spaces of boards without a hexagon."""
    spaces = [*FOUNTAIN_RING]
    for area in AREAS:
        if seat["areas"][area]:
            spaces += [*AREA_RINGS[area], *([CENTRES[area]] if seat["areas"][area]["face"] == "down" else [])]
    return [space for space in spaces if space not in garden_of(seat)]


def placements(seat: Json) -> Iterator[Json]:
    """Each tile on each space that takes it, with each payment."""
    garden = garden_of(seat)
    for name in sorted(set(held(seat)[0])):
        spaces = [space for space in open_spaces(seat) if may_lie(garden, name, space)]
        for space, paid in itertools.product(spaces, list(payments(name, seat))):
            yield place(name, space, paid)


def expansions(seat: Json) -> Iterator[Json]:
    """Each stored expansion on each free area, each way round, with each payment."""
    garden = garden_of(seat)
    for name in held(seat)[1]:
        paid = list(payments(name, seat))
        for area, rotation in itertools.product(AREAS, range(6)):
            if not seat["areas"][area] and may_lie(garden, name, spot(area, rotation)):
                yield from (expand(name, area, rotation, line) for line in paid)


def passes(seat: Json) -> Iterator[Json]:
    """Each choice of discards."""
    tiles, mine, _ = held(seat)
    kinds = [[[name] * number for number in range(tiles.count(name) + 1)] for name in sorted(set(tiles))]
    kinds += [[[], [f"^{face}"]] for face in mine]
    for chosen in itertools.product(*kinds):
        yield leave(" ".join(word for words in chosen for word in words))
