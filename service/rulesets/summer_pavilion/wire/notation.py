"""Summer Pavilion as text: `r@b3+2` places red on space 3 of the blue star.

Grammar: `docs/reference/notation.md`.
"""

from __future__ import annotations

from service.rulesets.notation import (
    FIRST_SEAT,
    PASSED_WORD,
    SEAT_OR_NOBODY,
    Heap,
    ListOf,
    Mapped,
    Members,
    Notation,
    Number,
    Prefixed,
    Row,
    Tagged,
    Tiles,
    Word,
    words,
)
from service.rulesets.offer import SOURCE_WORD, TOKEN_WORD
from service.rulesets.summer_pavilion.letters import LETTERS
from service.rulesets.summer_pavilion.rules.components import COLOURS, OUTER_STARS, ROUNDS, SLOTS, STARS, VARIANTS
from service.rulesets.summer_pavilion.wire.schemas import PHASES
from service.rulesets.wire import Json, mover_of

HEAP, COLOUR_WORD = Heap(LETTERS), Word(LETTERS)
STAR_WORD = Word({**{star: LETTERS[star] for star in OUTER_STARS}, "centre": "c"})
SLOT_WORD = Word({slot: str(slot) for slot in range(1, SLOTS + 1)})
WILDS_WORD = Word({wilds: str(wilds) for wilds in range(1, SLOTS)})


def _from_short(short: Json) -> Json:
    """Add the members that follow from round and phase."""
    number, refills = short["round"], short["phase"] == "refill"
    return {
        **short,
        "wild": COLOURS[number - 1] if 0 < number <= ROUNDS else None,
        "to_decide": None if refills else short["to_decide"],
        "next_seat": short["to_decide"] if refills else None,
    }


BOARD_LINE = Members(
    {
        "score": Number(),
        "passed": PASSED_WORD,
        "hand": HEAP,
        "corners": HEAP,
        "leftover_penalty": Number(),
        "stars": Members(dict.fromkeys(STARS, Row(LETTERS)), "/"),
    },
    ";",
)

NOTATION = Notation(
    action=Tagged(
        {
            "summer-pavilion.acquire": Members({"source": SOURCE_WORD, "colour": COLOUR_WORD}),
            "summer-pavilion.place": Members(
                {
                    "colour": COLOUR_WORD,
                    "star": Prefixed("@", STAR_WORD),
                    "slot": SLOT_WORD,
                    "wilds": Prefixed("+", WILDS_WORD, usual=0),
                }
            ),
            "summer-pavilion.take_bonus": Members({"colour": COLOUR_WORD}, before="bonus:"),
            "summer-pavilion.pass": Members({"keep": Prefixed(":", HEAP, usual={})}, before="pass"),
        }
    ),
    draw=Tagged(
        {
            "summer-pavilion.first_seat": FIRST_SEAT,
            "summer-pavilion.deal": Members({"tiles": Tiles(LETTERS)}, before="deal:"),
            "summer-pavilion.refill": Members({"tiles": Tiles(LETTERS, none=None)}, before="refill:"),
        }
    ),
    position=Mapped(
        Members(
            {
                "ruleset": words(["summer-pavilion"]),
                "variant": words(VARIANTS),
                "round": Number(),
                "phase": words(PHASES),
                "to_decide": SEAT_OR_NOBODY,
                "start_seat": SEAT_OR_NOBODY,
                "start_token": TOKEN_WORD,
                "bonus_owed": Number(),
                "supply": HEAP,
                "factories": ListOf(HEAP, "/"),
                "centre": HEAP,
                "bag": HEAP,
                "tower": HEAP,
                "seats": ListOf(BOARD_LINE, " "),
            },
            " ",
        ),
        lambda position: {**position, "to_decide": mover_of(position)},
        _from_short,
    ),
)
