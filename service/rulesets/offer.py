"""JSON of the factory offer of Azul and Summer Pavilion: factories, centre and start token (see factories.py)."""

from __future__ import annotations

from collections.abc import Sequence

from service.rulesets.kernel import Record
from service.rulesets.notation import Word
from service.rulesets.parts.factories import (
    CENTRE,
    FACTORIES,
    MAX_FACTORIES,
    SOURCE_NAMES,
    TOKEN_IN_CENTRE,
    TOKEN_PLACES,
    factory_count,
)
from service.rulesets.seats import MAX_SEATS
from service.rulesets.wire import (
    Json,
    Names,
    Problems,
    WireSchema,
    camel,
    from_counts,
    new_schema,
    number,
    seat_problems,
)


def source_names(ruleset: str) -> Names:
    """Return the enum of a ruleset's sources."""
    return Names(f"{camel(ruleset)}Source", "Source of tiles.", SOURCE_NAMES)


def factories_by_seats_schema(ruleset: str) -> type[WireSchema]:
    """Return the schema of the number of factories by number of seats."""
    members = {"seats": number(min(FACTORIES), MAX_SEATS), "factories": number(FACTORIES[2], MAX_FACTORIES)}
    return new_schema(f"{camel(ruleset)}FactoriesBySeats", "Number of factories by number of seats.", members)


def token_place(table_state: Record) -> str:
    """Return the place of the start token."""
    return TOKEN_PLACES[int(table_state["start_token"]) - TOKEN_IN_CENTRE]


def lay_offer(table_state: Record, position: Json, colours: Sequence[str]) -> None:
    """Fill factories, centre and start token of the record from a position."""
    table_state.start_token = TOKEN_PLACES.index(position["start_token"]) + TOKEN_IN_CENTRE
    for source, tiles in [*enumerate(position["factories"]), (CENTRE, position["centre"])]:
        table_state.tiles[source] = from_counts(tiles, colours)
        for colour, name in enumerate(colours):
            table_state.holders[colour] |= (name in tiles) << source


def offer_problems(position: Json, *seats: str) -> Problems:
    """Yield problems of factories, seats (in the named fields) and start token that do not fit the number of seats."""
    count = len(position["seats"])
    if len(position["factories"]) != factory_count(count):
        yield "/factories", f"must have {factory_count(count)} factories for {count} seats"
    yield from seat_problems(position, *seats)
    if position["start_token"] not in TOKEN_PLACES[: count + 1]:
        yield "/start_token", "must be 'centre' or a seat of this game"


SOURCE_WORD = Word({**{name: str(number) for number, name in enumerate(SOURCE_NAMES)}, SOURCE_NAMES[CENTRE]: "c"})
"""A source in notation: the number of a factory, or `c`."""
TOKEN_WORD = Word({TOKEN_PLACES[0]: "c", **{place: str(seat) for seat, place in enumerate(TOKEN_PLACES[1:])}})
"""Where the start token is, in notation: `c`, or the number of a seat."""
