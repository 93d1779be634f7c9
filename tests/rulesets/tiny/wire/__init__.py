"""Actions, draws, effects and positions of Tiny as JSON."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from marshmallow import fields, validate

from service.rulesets.kernel import DECIDING, DRAWING, OVER, Record, new_record
from service.rulesets.notation import FIRST_SEAT, SEAT_OR_NOBODY, ListOf, Members, Notation, Number, Tagged, words
from service.rulesets.seats import MAX_SEATS
from service.rulesets.shared_effects import settling_effects
from service.rulesets.wire import (
    InconsistentStateError,
    Json,
    WireSchema,
    index,
    load,
    load_tagged,
    number,
    one_of,
    tag,
)

from ..rules.game import FACES, ROUNDS, VARIANTS, act, apply_draw, rule, settle  # noqa: TID252 - works in any copy
from ..rules.steps import Effect  # noqa: TID252


class Take(WireSchema):
    """Take a die."""

    component = "TinyTake"
    type = tag("tiny.take")
    number = number(1, FACES)


class FirstSeat(WireSchema):
    """The seat that starts, as a draw and as its effect."""

    component = "TinyFirstSeat"
    type = tag("tiny.first_seat")
    seat = index(MAX_SEATS)


class Roll(WireSchema):
    """The dice of a round, as a draw and as its effect."""

    component = "TinyRoll"
    type = tag("tiny.roll")
    dice = fields.List(number(1, FACES), required=True)


class Taken(Take):
    """A seat took a die and scored its number."""

    component = "TinyTaken"
    type = tag("tiny.taken")
    seat = index(MAX_SEATS)


class RoundEnded(WireSchema):
    """A round ended."""

    component = "TinyRoundEnded"
    type = tag("tiny.round_ended")
    round = number(1, ROUNDS)


class Position(WireSchema):
    """A position: the dice on the table as counts by number."""

    component = "TinyPosition"
    ruleset = tag("tiny")
    variant = one_of(VARIANTS)
    to_decide = index(MAX_SEATS, allow_none=True)
    first_seat = index(MAX_SEATS, allow_none=True)
    rounds_played = number(0, ROUNDS)
    dice = fields.List(number(0, MAX_SEATS + 1), required=True, validate=validate.Length(equal=FACES))
    scores = fields.List(number(0, ROUNDS * FACES), required=True, validate=validate.Length(2, MAX_SEATS))


class Choices(WireSchema):
    """The numbers of the dice on the table."""

    component = "TinyChoices"
    ruleset = tag("tiny")
    take = fields.List(number(1, FACES), required=True)


class Components(WireSchema):
    """The number of rounds."""

    component = "TinyComponents"
    ruleset = tag("tiny")
    rounds = number()


NOTATION = Notation(
    action=Tagged({"tiny.take": Members({"number": Number()})}),
    draw=Tagged({"tiny.first_seat": FIRST_SEAT, "tiny.roll": Members({"dice": ListOf(Number(), ",")}, before="roll:")}),
    position=Members(
        {
            "ruleset": words(["tiny"]),
            "variant": words(VARIANTS),
            "to_decide": SEAT_OR_NOBODY,
            "first_seat": SEAT_OR_NOBODY,
            "rounds_played": Number(),
            "dice": ListOf(Number(), ","),
            "scores": ListOf(Number(), ","),
        },
        " ",
    ),
)
ACTIONS = {"tiny.take": Take}
DRAWS = {"tiny.first_seat": FirstSeat, "tiny.roll": Roll}
EFFECTS = {**DRAWS, "tiny.taken": Taken, "tiny.round_ended": RoundEnded}


def encode(named: Json) -> int:
    """Return an action as a number. Raises InconsistentStateError."""
    return int(load_tagged(ACTIONS, named)["number"]) - 1


def decode(action: int) -> Json:
    """Return an action as JSON."""
    return {"type": "tiny.take", "number": action + 1}


def name_draw(table_state: Record, drawn: Sequence[int]) -> Json:
    """Return a draw as JSON."""
    if table_state.start_seat < 0:
        return {"type": "tiny.first_seat", "seat": drawn[0]}
    return {"type": "tiny.roll", "dice": [number + 1 for number in drawn]}


def read_draw(named: Json) -> tuple[int, ...]:
    """Return a draw as numbers. Raises InconsistentStateError."""
    drawn = load_tagged(DRAWS, named)
    return (drawn["seat"],) if "seat" in drawn else tuple(number - 1 for number in drawn["dice"])


def effects_of_action(table_state: Record, action: int) -> list[Json]:
    """Apply an action and return its effects."""
    taken = {"type": "tiny.taken", "seat": int(table_state.seat), "number": action + 1}
    act(table_state, action)
    return [taken, *settling_effects("tiny", table_state, settle, Effect, {})]


def effects_of_draw(table_state: Record, drawn: Sequence[int]) -> list[Json]:
    """Apply a draw and return its effects."""
    effect = name_draw(table_state, drawn)
    apply_draw(table_state, np.array(drawn, np.int64))
    return [effect]


def to_json(table_state: Record) -> Json:
    """Return the position as JSON."""
    return {
        "ruleset": "tiny",
        "variant": VARIANTS[table_state.variant],
        "to_decide": int(table_state.seat) if table_state.status == DECIDING else None,
        "first_seat": None if table_state.start_seat < 0 else int(table_state.start_seat),
        "rounds_played": int(table_state.rounds_played),
        "dice": table_state.dice.tolist(),
        "scores": table_state.score[: table_state.seats].tolist(),
    }


def from_json(json: Json) -> Record:
    """Return the record of a position. Raises InconsistentStateError."""
    described, table_state = load(Position, json), new_record(rule.dtype)
    dice, seats = sum(described["dice"]), len(described["scores"])
    table_state.score[:seats] = described["scores"]
    table_state.variant, table_state.seats, table_state.dice = (
        VARIANTS.index(described["variant"]),
        seats,
        described["dice"],
    )
    table_state.rounds_played = described["rounds_played"]
    table_state.start_seat = -1 if described["first_seat"] is None else described["first_seat"]
    table_state.status = DECIDING if dice else OVER if described["rounds_played"] == ROUNDS else DRAWING
    table_state.seat = (table_state.start_seat + seats + 1 - dice) % seats if dice else 0
    fits = dice in (0, *range(2, seats + 2)) and (0 if dice else -1) <= table_state.start_seat < seats
    if not fits or to_json(table_state) != json:
        raise InconsistentStateError({"": "the fields contradict each other"})
    return table_state


def choices(table_state: Record) -> Json:
    """Return the legal actions as choices."""
    return {"ruleset": "tiny", "take": [k + 1 for k in range(FACES) if table_state.dice[k]]}
