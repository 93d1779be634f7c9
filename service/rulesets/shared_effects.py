"""Effects as JSON, and merits of actions: what all rulesets share."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from service.rulesets.kernel import Ints, Record
from service.rulesets.parts.steps import PackedEffect, unpack_effect
from service.rulesets.wire import Json

Details = Mapping[PackedEffect, Callable[..., Json | None]]
"""Functions that return an effect's fields if they differ from its numbers, or None to omit the effect."""


def effect_json(ruleset: str, name: str, **members: Any) -> Json:
    """Return an effect of a ruleset."""
    return {"type": f"{ruleset}.{name}", **members}


def first_seat_effects(
    ruleset: str, table_state: Record, drawn: Ints, apply_draw: Callable[[Record, Ints], None]
) -> list[Json]:
    """Apply the draw of the first seat to the record and return its effects."""
    apply_draw(table_state, drawn)
    return [effect_json(ruleset, "first_seat_drawn", seat=int(drawn[0]))]


def settling_effects(
    ruleset: str, table_state: Record, settle: Callable[[Record], int], effects: type[PackedEffect], details: Details
) -> Iterator[Json]:
    """Yield the effects of the automatic steps."""
    while packed := int(settle(table_state)):
        effect, numbers = unpack_effect(effects, packed)
        members = details[effect](table_state, **numbers) if effect in details else numbers
        if members is not None:
            yield effect_json(ruleset, effect.name.lower(), **members)


class Merit(NamedTuple):
    """A number for what an action achieves; greater is better. Merits with the same name and key can be compared.

    A merit that an action lacks is 0.
    """

    name: str  # as in the message `why-<name>`
    value: int
    worth: float = 1.0  # points by which an increment of 1 counts, to rank merits; 0: never mentioned
    details: Mapping[str, Any] = {}  # arguments of the message
    key: Any = None
