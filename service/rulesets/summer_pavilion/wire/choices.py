"""Legal actions as choices, for front ends that highlight the next options without a list of all actions.

Built by the helpers that the rules use to list and sample actions; the conformance suite compares both forms.
"""

from __future__ import annotations

from service.rulesets.kernel import Record
from service.rulesets.parts.factories import CENTRE, SOURCE_NAMES, TOKEN_IN_CENTRE
from service.rulesets.summer_pavilion.rules.acquiring import sources_of
from service.rulesets.summer_pavilion.rules.components import (
    COLOURS,
    CORNER_SPACES,
    MIN_SCORE,
    NUMBERS,
    RUN,
    SLOTS,
    STARS,
)
from service.rulesets.summer_pavilion.rules.game import payable
from service.rulesets.summer_pavilion.rules.placing import bonus_of, fewest_wilds, most_wilds
from service.rulesets.summer_pavilion.rules.state import ACQUIRING, KINDS, PLAYING, wild_colour
from service.rulesets.summer_pavilion.wire.fields import MAX_BONUS_TILES, SOURCE, colour, slot, star, tiles
from service.rulesets.summer_pavilion.wire.schemas import ONE_COLOUR_AND_WILD
from service.rulesets.wire import Json, WireSchema, list_field, nest, number, one_of, tag, to_counts


def choices(table_state: Record) -> Json:
    """Return the legal actions as SummerPavilionChoices."""
    options: Json = {"ruleset": "summer-pavilion", "acquire": [], "place": [], "take_bonus": [], "pass": None}
    if table_state.stage == ACQUIRING:
        return {**options, "acquire": _acquisitions(table_state)}
    board = table_state.boards[table_state.seat]
    if table_state.stage == PLAYING:
        hand = to_counts(board.hand.tolist(), COLOURS)
        return {**options, "place": _placements(table_state, board), "pass": {"hand": hand, "most": CORNER_SPACES}}
    return {**options, "take_bonus": list(to_counts(table_state.supply.tolist(), COLOURS))}


def _acquisitions(table_state: Record) -> list[Json]:
    sources = [int(sources_of(table_state, colour)) for colour in range(KINDS)]
    options = [
        {
            "source": name,
            "colours": [
                {"colour": COLOURS[colour], "points": _token_points(table_state, place, colour)}
                for colour in range(KINDS)
                if sources[colour] >> place & 1
            ],
        }
        for place, name in enumerate(SOURCE_NAMES)
    ]
    return [choice for choice in options if choice["colours"]]


def _token_points(table_state: Record, source: int, colour: int) -> int:
    """Return the points of taking the start token with these tiles: a point less per tile, or 0 without the token."""
    if source != CENTRE or table_state.start_token != TOKEN_IN_CENTRE:
        return 0
    tiles, wild = table_state.tiles[source], int(wild_colour(table_state))
    count = 1 if colour == wild else int(tiles[colour]) + bool(tiles[wild])
    return -min(count, int(table_state.score[table_state.seat]) - MIN_SCORE)


def _placements(table_state: Record, board: Record) -> list[Json]:
    """Return the placements by star and slot."""
    payments: dict[tuple[int, int], Json] = {}  # by number and colour; independent of the space
    options = []
    for place, name in enumerate(STARS):
        slots = [int(payable(table_state, board, place, colour)) for colour in range(KINDS)]
        for space, printed in enumerate(NUMBERS[table_state.variant, place].tolist()):
            paid = [(printed, colour) for colour in range(KINDS) if slots[colour] >> space & 1]
            for new in set(paid) - set(payments):
                payments[new] = _payment(table_state, board, *new)
            if paid:
                colours = [payments[one] for one in paid]
                named = {"star": name, "slot": space + 1, "number": printed}
                points = int(RUN[board.filled[place], space])
                bonus = min(int(bonus_of(board, place, space)), int(table_state.supply.sum()))
                options.append({**named, "points": points, "bonus": bonus, "colours": colours})
    return options


def _payment(table_state: Record, board: Record, printed: int, colour: int) -> Json:
    return {
        "colour": COLOURS[colour],
        "fewest_wilds": int(fewest_wilds(board, printed, colour)),
        "most_wilds": int(most_wilds(table_state, board, printed, colour)),
    }


class OfferedColour(WireSchema):
    """The `colour` of a `summer-pavilion.acquire` action."""

    component = "SummerPavilionOfferedColour"
    colour = colour()
    points = number(-ONE_COLOUR_AND_WILD, 0, "Points for the start token: 0 or a loss.")


class AcquireChoice(WireSchema):
    """The `source` of a `summer-pavilion.acquire` action. Choose its `colour` from `colours`."""

    component = "SummerPavilionAcquireChoice"
    source = one_of(SOURCE)
    colours = list_field(OfferedColour, 1, KINDS)


class ColourChoice(WireSchema):
    """The `colour` of a `summer-pavilion.place` action. Its `wilds` are `fewest_wilds` to `most_wilds`."""

    component = "SummerPavilionColourChoice"
    colour = colour()
    fewest_wilds = number(0, SLOTS - 1)
    most_wilds = number(0, SLOTS - 1)


class PlaceChoice(WireSchema):
    """The `star` and `slot` of a `summer-pavilion.place` action. `colours` are the options of the next step."""

    component = "SummerPavilionPlaceChoice"
    star = star()
    slot = slot()
    colours = list_field(ColourChoice, 1, KINDS)
    points = number(1, SLOTS, "Points of the placement.")
    bonus = number(0, MAX_BONUS_TILES, "Bonus tiles to take after the placement.")
    number = number(1, SLOTS, "Printed number: the tiles to pay.")


class PassChoice(WireSchema):
    """The `keep` of a `summer-pavilion.pass` action: any tiles of `hand`, at most `most` of them."""

    component = "SummerPavilionPassChoice"
    hand = tiles()
    most = number(CORNER_SPACES, CORNER_SPACES)


class SummerPavilionChoices(WireSchema):
    """The choices in Summer Pavilion, by type of action: `acquire` for `summer-pavilion.acquire`, and so on.

    Members are empty or null in other phases.
    """

    class Meta(WireSchema.Meta):
        """`pass` is a Python keyword."""

        include = {"pass": nest(PassChoice, "Choose what to `keep`.", allow_none=True)}  # noqa: RUF012 - marshmallow's

    component = "SummerPavilionChoices"
    ruleset = tag("summer-pavilion")
    acquire = list_field(AcquireChoice, 0, len(SOURCE_NAMES), "Choose an entry, then one of its `colours`.")
    place = list_field(PlaceChoice, 0, len(STARS) * SLOTS, "Choose an entry, then one of its `colours`, then `wilds`.")
    take_bonus = list_field(colour(), 0, KINDS, "Choose the `colour`.")
