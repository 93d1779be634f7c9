"""Actions and draws: integers internally, JSON in the API. `decode(encode(a)) == a`, and vice versa.

Some actions have a valid shape but are illegal in every position, such as payments of mixed colours and patterns. Their
integer contains only the reason of the rules.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from service.rulesets.kernel import Ints, Record
from service.rulesets.parts.turns import NO_SEAT
from service.rulesets.queens_garden.rules import codes
from service.rulesets.queens_garden.rules.components import COLOURS, HEXAGONS, KINDS, MAX_BESIDE, PATTERNS, SPACES
from service.rulesets.queens_garden.rules.payments import pieces_to_pay
from service.rulesets.queens_garden.rules.state import FILLING, TOP, hexagon_at
from service.rulesets.queens_garden.rules.steps import Reason
from service.rulesets.queens_garden.wire.fields import HEXAGON_NAMES, hexagon_of
from service.rulesets.queens_garden.wire.schemas import ACTIONS, DRAWS
from service.rulesets.wire import Json, load_tagged, name_first_seat

BY = ("colour", "pattern")
VALUES = (COLOURS, PATTERNS)  # values of an acquisition, by BY
PLACE_NAMES = ("top", *(f"beside_{number}" for number in range(MAX_BESIDE)))


class _RefusedError(Exception):
    """The action has a valid shape but is illegal in every position."""


# ------------------------------------------------------------------------------------------- in


def encode(named: Json) -> int:
    """Return the integer of an action in JSON. Raises InconsistentStateError, with pointers."""
    action = load_tagged(ACTIONS, named)
    try:
        return int(_READ[action["type"]](action))
    except _RefusedError as refused:
        return codes.pack_refusal(refused.args[0])


def _acquire(action: Json) -> int:
    by = BY.index(action["by"])
    value, pieces = VALUES[by].index(action["value"]), 0
    taken = [hexagon_of(piece["hexagon"]) for piece in action["pieces"]]
    if len(set(taken)) < len(taken):
        raise _RefusedError(Reason.PIECES_REPEAT)
    for hexagon, piece in zip(taken, action["pieces"], strict=True):
        shared, other = divmod(hexagon, KINDS) if by == 0 else divmod(hexagon, KINDS)[::-1]
        if shared != value:
            raise _RefusedError(Reason.PIECE_DOES_NOT_MATCH)
        pieces |= _source(piece) << (codes.PIECE_BITS * other)
    return codes.pack_acquire(by, value, pieces)


def _source(piece: Json) -> int:
    """Return the source of a piece. Expansions cannot be taken from the top of the stack."""
    lies_at = PLACE_NAMES.index(piece["from"])
    if piece["kind"] == "tile":
        return codes.FIRST_TILE + lies_at
    if lies_at == TOP:
        raise _RefusedError(Reason.PIECE_NOT_THERE)
    return codes.FIRST_FACE + lies_at - 1


def _payment(hexagon: int, named: Json) -> int:
    """Return the pieces paid in addition to the placed hexagon."""
    tiles, expansions = ([hexagon_of(piece) for piece in named[kind]] for kind in ("tiles", "expansions"))
    given = [*tiles, *expansions]
    colour, pattern = divmod(hexagon, KINDS)
    by_pattern = not all(other // KINDS == colour for other in given)
    if by_pattern and not all(other % KINDS == pattern for other in given):
        raise _RefusedError(Reason.PAYMENT_MIXED)
    if len({hexagon, *given}) < 1 + len(given):
        raise _RefusedError(Reason.PAYMENT_REPEATS)
    if len(given) + named["jokers"] != pieces_to_pay(hexagon):
        raise _RefusedError(Reason.PAYMENT_NUMBER)
    masks = (
        sum(1 << (other // KINDS if by_pattern else other % KINDS) for other in pieces)
        for pieces in (tiles, expansions)
    )
    return int(codes.pack_payment(int(by_pattern), *masks))


def _place_tile(action: Json) -> int:
    hexagon = hexagon_of(action["hexagon"])
    space = SPACES.index(tuple(action["space"]))
    return int(codes.pack_place_tile(hexagon, space, _payment(hexagon, action["payment"])))


def _place_expansion(action: Json) -> int:
    hexagon = hexagon_of(action["hexagon"])
    payment = _payment(hexagon, action["payment"])
    return int(codes.pack_place_expansion(hexagon, action["area"], action["rotation"], payment))


def _buy_expansion(action: Json) -> int:
    return int(codes.pack_buy_expansion(action["area"]))


def _pass(action: Json) -> int:
    tiles, expansions = (np.zeros(HEXAGONS, np.int64) for _ in range(2))
    for kind, counts in (("tiles", tiles), ("expansions", expansions)):
        for piece in action["discard"][kind]:
            counts[hexagon_of(piece)] += 1
    return int(codes.pack_pass(tiles, expansions))


_READ = {
    "queens-garden.acquire": _acquire,
    "queens-garden.place_tile": _place_tile,
    "queens-garden.place_expansion": _place_expansion,
    "queens-garden.buy_expansion": _buy_expansion,
    "queens-garden.pass": _pass,
}

# ------------------------------------------------------------------------------------------ out


def type_of(action: int) -> str:
    """Return the `type` of the action in JSON, without decoding it."""
    return TYPES[codes.kind_of(action)]


def decode(action: int) -> Json:
    """Return the JSON of an action from `legal_actions`."""
    return {"type": type_of(action), **name_members(action)}


def name_members(action: int) -> Json:
    """Return the members of an action besides its type."""
    return _NAME[codes.kind_of(action)](action)


def _name_piece(source: int, hexagon: Json) -> Json:
    if source < codes.FIRST_FACE:
        return {"kind": "tile", "from": PLACE_NAMES[source - codes.FIRST_TILE], "hexagon": hexagon}
    return {"kind": "expansion", "from": PLACE_NAMES[1 + source - codes.FIRST_FACE], "hexagon": hexagon}


def name_payment(hexagon: int, payment: int) -> Json:
    """Return the pieces paid in addition to the placed hexagon."""
    axis, tiles, expansions = codes.unpack_payment(payment)
    value = hexagon % KINDS if axis else hexagon // KINDS
    named = [
        [HEXAGON_NAMES[hexagon_at(axis, value, other)] for other in range(KINDS) if mask >> other & 1]
        for mask in (tiles, expansions)
    ]
    return {"tiles": named[0], "expansions": named[1], "jokers": pieces_to_pay(hexagon) - len(named[0]) - len(named[1])}


def name_discards(action: int) -> Json:
    """Return the pieces that a pass discards."""
    tiles, expansions = np.empty(HEXAGONS, np.int64), np.empty(HEXAGONS, np.int64)
    codes.unpack_discards(action, tiles, expansions)
    return {"tiles": _hexagon_list(tiles), "expansions": _hexagon_list(expansions)}


def _hexagon_list(counts: Ints) -> list[Json]:
    return [HEXAGON_NAMES[hexagon] for hexagon, count in enumerate(counts.tolist()) for _ in range(count)]


def _name_acquire(action: int) -> Json:
    """Return an acquisition, with its pieces in the order of the other axis."""
    by, value, pieces = codes.unpack_acquire(action)
    taken = [(codes.piece_of(pieces, other), hexagon_at(by, value, other)) for other in range(KINDS)]
    named = [_name_piece(source, HEXAGON_NAMES[hexagon]) for source, hexagon in taken if source]
    return {"by": BY[by], "value": VALUES[by][value], "pieces": named}


def _name_place_tile(action: int) -> Json:
    hexagon, space, payment = codes.unpack_place_tile(action)
    named = {"hexagon": HEXAGON_NAMES[hexagon], "space": list(SPACES[space])}
    return {**named, "payment": name_payment(hexagon, payment)}


def _name_place_expansion(action: int) -> Json:
    hexagon, area, rotation, payment = (int(part) for part in codes.unpack_place_expansion(action))
    named = {"hexagon": HEXAGON_NAMES[hexagon], "area": area, "rotation": rotation}
    return {**named, "payment": name_payment(hexagon, payment)}


def _name_buy_expansion(action: int) -> Json:
    return {"area": action >> 3}


def _name_pass(action: int) -> Json:
    return {"discard": name_discards(action)}


TYPES = tuple(ACTIONS)  # by kind
_NAME = (_name_acquire, _name_place_tile, _name_place_expansion, _name_buy_expansion, _name_pass)

# ----------------------------------------------------------------------------------------- draws


def name_draw(table_state: Record, drawn: Sequence[int]) -> Json:
    """Return the JSON of a draw that the record was waiting for."""
    if table_state.start_seat == NO_SEAT:
        return name_first_seat("queens-garden", drawn)
    hexagons = [HEXAGON_NAMES[hexagon] for hexagon in drawn]
    return (
        {"type": "queens-garden.fill", "tiles": hexagons}
        if table_state.stage == FILLING
        else {"type": "queens-garden.turn", "faces": hexagons}
    )


def read_draw(named: Json) -> tuple[int, ...]:
    """Return the integers of a draw in JSON. Raises InconsistentStateError, with pointers."""
    draw = load_tagged(DRAWS, named)
    if "seat" in draw:
        return (int(draw["seat"]),)
    return tuple(hexagon_of(named) for named in draw["tiles" if draw["type"] == "queens-garden.fill" else "faces"])
