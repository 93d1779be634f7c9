"""Queen's Garden a second time: from the rules page alone, over the JSON of positions, plain and slow.

`legal` lists what the seat to decide may do, `play` and `resolve_draw` apply it, `standing` orders the seats at the
end. Nothing is checked. Nothing here is the service's: the soak holds the compiled rules against it.
"""

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
    SPACES,
    Space,
    connected_parts,
    elements_at,
    jokers_of,
    neighbours,
    spaces_around,
)
from tests.rulesets.queens_garden.letters import (
    ORDER,
    ROUNDS,
    STACK_OF,
    Json,
    counts,
    hexagon,
    in_order,
    name_of,
    tiles_in,
)
from tests.rulesets.queens_garden.playing import acquire, buy, expand, leave, place

TILE_SPACES, EXPANSION_SPACES, PRICE = 12, 2, 6
TILES_ON_TOP, MIN_GROUP = 4, 3
WHEEL = (("bd", "1"), ("k", "23"), ("yp", "4"), ("l", "56"))  # colours and patterns that a round shows
PATTERN_POINTS = {"1": 1, "2": 1, "3": 2, "4": 2, "5": 3, "6": 3}
GROUP_BONUS = {"standard": {6: 6}, "reverse": {4: 2, 5: 4, 6: 6}}
Garden = Mapping[Space, str]


def legal(view: Json) -> Iterator[Json]:
    """Yield the actions of the deciding seat."""
    seat = view["seats"][view["to_decide"]]
    yield from acquisitions(view["display"], seat)
    yield from placements(seat)
    yield from expansions(seat)
    if view["supply"] and seat["score"] >= PRICE:
        yield from (buy(area) for area in AREAS if not seat["areas"][area])
    yield from passes(seat)


def without_aliases(actions: Iterable[Json]) -> Iterator[Json]:
    """Return the first of the acquisitions that take the same pieces. Colours come before patterns."""
    seen = set()
    for action in actions:
        taken = frozenset(str(piece) for piece in action.get("pieces", ()))
        if not taken or taken not in seen:
            yield action
        seen.add(taken)


def storage_of(seat: Json) -> tuple[list[str], list[str], int]:
    """Return tiles, expansions and jokers of a storage."""
    return sorted(tiles_in(seat["tiles"])), [name_of(face) for face in seat["expansions"]], seat["jokers"]


def garden_of(seat: Json) -> dict[Space, str]:
    """Return the garden by spaces."""
    return {(q, r): name_of(each["hexagon"]) for each in seat["garden"] for q, r in [each["space"]]}


def acquisitions(display: Json, seat: Json) -> Iterator[Json]:
    """Yield the acquisitions: one piece of each different hexagon that matches, if all of them fit."""
    tiles, mine, jokers = storage_of(seat)
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
    """Yield the payments for a hexagon."""
    tiles, mine, jokers = storage_of(seat)
    number = int(name[1]) - 1
    pieces = [*sorted(set(tiles)), *(f"^{face}" for face in mine)]
    for size in range(number + 1):
        for chosen in itertools.combinations(pieces, size):
            shown = [name, *(word[-2:] for word in chosen)]
            alike = len({each[0] for each in shown}) == 1 or len({each[1] for each in shown}) == 1
            if alike and len(set(shown)) == len(shown) and number - size <= jokers:
                yield " ".join([*chosen, "*" * (number - size)])


def may_lie(garden: Garden, name: str, space: Space) -> bool:
    """Return whether the rules of neighbours and of groups allow a hexagon on a space."""
    next_to = [garden[other] for other in neighbours(space) if other in garden]
    if next_to and not any(set(name) & set(other) for other in next_to):
        return False
    after = {**garden, space: name}
    for mark in name:
        (group,) = [
            part for part in connected_parts([each for each, shown in after.items() if mark in shown]) if space in part
        ]
        if max(Counter(after[each] for each in group).values()) > 1:
            return False
    return True


def open_spaces(seat: Json) -> list[Space]:
    """Return the spaces without a hexagon."""
    spaces = [*FOUNTAIN_RING]
    for area in AREAS:
        if seat["areas"][area]:
            spaces += [*AREA_RINGS[area], *([CENTRES[area]] if seat["areas"][area]["face"] == "down" else [])]
    return [space for space in spaces if space not in garden_of(seat)]


def placements(seat: Json) -> Iterator[Json]:
    """Yield the placements: each tile on each space that takes it, with each payment."""
    garden = garden_of(seat)
    for name in sorted(set(storage_of(seat)[0])):
        spaces = [space for space in open_spaces(seat) if may_lie(garden, name, space)]
        for space, paid in itertools.product(spaces, list(payments(name, seat))):
            yield place(name, space, paid)


def expansions(seat: Json) -> Iterator[Json]:
    """Yield the placements of stored expansions on free areas, in every rotation, with each payment."""
    garden = garden_of(seat)
    for name in storage_of(seat)[1]:
        paid = list(payments(name, seat))
        for area, rotation in itertools.product(AREAS, range(6)):
            if not seat["areas"][area] and may_lie(garden, name, spot(area, rotation)):
                yield from (expand(name, area, rotation, line) for line in paid)


def passes(seat: Json) -> Iterator[Json]:
    """Yield the passes, with each choice of discards."""
    tiles, mine, _ = storage_of(seat)
    kinds = [[[name] * number for number in range(tiles.count(name) + 1)] for name in sorted(set(tiles))]
    kinds += [[[], [f"^{face}"]] for face in mine]
    for chosen in itertools.product(*kinds):
        yield leave(" ".join(word for words in chosen for word in words))


# ---------------------------------------------------------------------------------------------- decisions


def play(position: Json, action: Json) -> None:
    """Apply a decision and everything that follows from it."""
    number = position["to_decide"]
    seat = position["seats"][number]
    match action["type"].rpartition(".")[2]:
        case "acquire":
            take_pieces(position, seat, action["pieces"])
        case "place_tile":
            place_tile(position, seat, action)
        case "place_expansion":
            place_expansion(position, seat, action)
        case "buy_expansion":
            position["supply"] -= 1
            seat["score"] -= PRICE
            seat["areas"][action["area"]] = {"face": "down"}
        case "pass":
            pass_round(position, number, action["discard"])
    go_on(position, number)


def take_pieces(position: Json, seat: Json, taken: list[Json]) -> None:
    """Pieces go to the storage; a top that lost a tile moves beside the stack."""
    display = position["display"]
    for piece in taken:
        name, place = piece["hexagon"], piece["from"]
        if place == "top":
            display["top"].remove(name)
            store(seat, [name_of(name)], [])
            continue
        (one,) = [each for each in display["beside"] if f"beside_{each['number']}" == place]
        if piece["kind"] == "tile":
            one["tiles"].remove(name)
            store(seat, [name_of(name)], [])
        else:
            display["beside"].remove(one)
            store(seat, [], [name_of(name)])
    if any(piece["from"] == "top" for piece in taken):
        move_top(display)


def move_top(display: Json) -> None:
    """Move the top expansion with its tiles beside the stack."""
    display["beside"].append({"number": display["left"], "tiles": display["top"], "face": None})
    display |= {"stack": display["stack"] - 1, "top": [], "left": display["left"] + 1}


def store(seat: Json, tiles: list[str], faces: list[str]) -> None:
    """Pieces more in a storage."""
    seat["tiles"] = counts([*tiles_in(seat["tiles"]), *tiles])
    seat["expansions"] = [hexagon(name) for name in in_order([*map(name_of, seat["expansions"]), *faces])]


def hand_in(position: Json, seat: Json, tiles: list[str], faces: list[str]) -> None:
    """Pieces fewer in a storage: tiles go to the tower, expansions under the supply."""
    seat["tiles"] = remove_tiles(seat["tiles"], tiles)
    seat["expansions"] = [each for each in seat["expansions"] if name_of(each) not in faces]
    position["tower"] = counts([*tiles_in(position["tower"]), *tiles])
    position["supply"] += len(faces)


def remove_tiles(heap: Json, tiles: list[str]) -> Json:
    """Return a pile without some tiles."""
    return counts((Counter(tiles_in(heap)) - Counter(tiles)).elements())


def pay(position: Json, seat: Json, paid: Json) -> None:
    """Pay for a placement."""
    hand_in(position, seat, [*map(name_of, paid["tiles"])], [*map(name_of, paid["expansions"])])
    seat["jokers"] -= paid["jokers"]


def is_face_up(area: Json | None) -> bool:
    """Return True if the area has an expansion with a pavilion."""
    return area is not None and area["face"] == "up"


def show(seat: Json, name: str, space: Space, *, printed: bool) -> None:
    """Add a hexagon to a garden."""
    seat["garden"].append({"space": list(space), "hexagon": hexagon(name), "printed": printed})
    seat["garden"].sort(key=lambda each: SPACES.index(tuple(each["space"])))


def place_tile(position: Json, seat: Json, action: Json) -> None:
    """Place a tile, and take the jokers of completed elements, as many as there is room for."""
    name, space = name_of(action["hexagon"]), tuple(action["space"])
    seat["tiles"] = remove_tiles(seat["tiles"], [name])
    pay(position, seat, action["payment"])
    show(seat, name, space, printed=False)
    missing = {f"pavilion{area}" for area in AREAS if not is_face_up(seat["areas"][area])}
    there = [element for element in elements_at(space) if element not in missing]
    completed = [element for element in there if garden_of(seat).keys() >= {*spaces_around(element)}]
    room = TILE_SPACES - seat["jokers"] - len(tiles_in(seat["tiles"]))
    seat["jokers"] += min(room, sum(map(jokers_of, completed)))


def place_expansion(position: Json, seat: Json, action: Json) -> None:
    """Place an expansion from the storage face up."""
    area, rotation = action["area"], action["rotation"]
    seat["expansions"].remove(action["hexagon"])
    pay(position, seat, action["payment"])
    seat["areas"][area] = {"face": "up", "rotation": rotation}
    show(seat, name_of(action["hexagon"]), spot(area, rotation), printed=True)


def pass_round(position: Json, number: int, discarded: Json) -> None:
    """End the round for the seat. The first to pass takes the marker."""
    seat = position["seats"][number]
    if position["marker"] == "display":
        position["marker"] = f"seat_{number}"
        lose(seat, 1)
    tiles, faces = [*map(name_of, discarded["tiles"])], [*map(name_of, discarded["expansions"])]
    hand_in(position, seat, tiles, faces)
    lose(seat, sum(map(value, [*tiles, *faces])))
    seat["passed"] = True


def value(name: str) -> int:
    """Return the cost and score of a hexagon."""
    return int(name[1])


def lose(seat: Json, points: int) -> None:
    """Subtract points from a score, down to 0."""
    seat["score"] = max(0, seat["score"] - points)


# ------------------------------------------------------------------------------------ who and what is next


def go_on(position: Json, number: int) -> None:
    """Chance fills the top and shows faces, then the next seat decides; or the round ends."""
    position["to_decide"] = position["next_seat"] = None
    seats = len(position["seats"])
    following = [(number + step) % seats for step in range(1, seats + 1)]
    left = [seat for seat in following if not position["seats"][seat]["passed"]]
    if left:
        position["next_seat"] = left[0]
        settle(position)
    else:
        end_round(position)


def settle(position: Json) -> None:
    """Set the draw that comes before the next decision, if any. A top without tiles moves beside the stack."""
    display = position["display"]
    waits = display["stack"] and not display["top"]
    while waits and display["stack"] and not (position["bag"] or position["tower"]):
        move_top(display)
    if waits and display["stack"]:
        position["phase"] = "fill"
    elif face_down(position):
        position["phase"] = "turn"
    else:
        position |= {"phase": "play", "to_decide": position["next_seat"], "next_seat": None}


def face_down(position: Json) -> list[Json]:
    """Return the expansions beside the stack that turn face up."""
    return [each for each in position["display"]["beside"] if not each["tiles"] and not each["face"]]


def resolve_draw(position: Json, draw: Json) -> None:
    """Set the first seat, the tiles on top of the stack, or faces."""
    if draw["type"] == "queens-garden.first_seat":
        position["start_seat"] = position["next_seat"] = draw["seat"]
        return
    if draw["type"] == "queens-garden.fill":
        bag = tiles_in(position["bag"])
        if len(bag) < TILES_ON_TOP:
            bag += tiles_in(position["tower"])
            position["tower"] = {}
        assert min(TILES_ON_TOP, len(bag)) == len(draw["tiles"])
        position["bag"] = remove_tiles(counts(bag), [*map(name_of, draw["tiles"])])
        position["display"]["top"] = [*draw["tiles"]]
    else:
        for each, face in zip(face_down(position), draw["faces"], strict=True):
            each["face"] = face
            position["unseen"].remove(face)
    settle(position)


def end_round(position: Json) -> None:
    """Gardens score; then the next stack is laid out, or the game is over."""
    for seat in position["seats"]:
        seat["score"] += points_of_round(position, seat)
    if position["round"] == ROUNDS:
        position["phase"] = "over"
        for seat in position["seats"]:
            end(position["variant"], seat)
        return
    display, first = position["display"], int(position["marker"].removeprefix("seat_"))
    lying = [tile for place in (display["top"], *(each["tiles"] for each in display["beside"])) for tile in place]
    position["tower"] = counts([*tiles_in(position["tower"]), *map(name_of, lying)])
    position["supply"] += display["stack"] + len(display["beside"])
    stack = STACK_OF[len(position["seats"])]
    position["round"] += 1
    position["round_stacks"] -= stack
    position |= {"start_seat": first, "next_seat": first, "marker": "display"}
    position["display"] = {"stack": stack, "top": [], "beside": [], "left": 0}
    for seat in position["seats"]:
        seat["passed"] = False
    settle(position)


def points_of_round(position: Json, seat: Json) -> int:
    """Return the points of the wheel, plus one for each pavilion."""
    colours, patterns = WHEEL[position["round"] - 1]
    points = sum(map(is_face_up, seat["areas"]))
    for name in garden_of(seat).values():
        points += name[0] in colours
        if name[1] in patterns:
            points += PATTERN_POINTS[name[1]] if position["variant"] == "standard" else 2
    return points


def end(variant: str, seat: Json) -> None:
    """Score the storage, then groups of three and more."""
    tiles, faces, jokers = storage_of(seat)
    before = seat["score"]
    lose(seat, sum(map(value, [*tiles, *faces])) - jokers)
    seat["storage_points"] = seat["score"] - before
    garden = garden_of(seat)
    for mark in (*ORDER, *"123456"):
        for group in connected_parts([space for space, shown in garden.items() if mark in shown]):
            if len(group) >= MIN_GROUP:
                seat["score"] += sum(value(garden[space]) for space in group)
                seat["score"] += GROUP_BONUS[variant].get(len(group), 0)


def standing(position: Json, seat: int) -> tuple[int, ...]:
    """Return the values that order the seats at the end."""
    return (position["seats"][seat]["score"],)
