"""Effects as named dicts: what all rulesets share."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from service.rulesets.kernel import Ints, Record
from service.rulesets.parts.steps import PackedEffect, unpack_effect
from service.rulesets.wire import Json

Details = Mapping[PackedEffect, Callable[..., Json | None]]
"""The fields of an effect, where they are not its numbers alone; None: the effect is left out."""


def first_seat_effects(
    ruleset: str, table_state: Record, drawn: Ints, apply_draw: Callable[[Record, Ints], None]
) -> list[Json]:
    """Lay the draw of the first seat on the record; its effects."""
    apply_draw(table_state, drawn)
    return [{"type": f"{ruleset}.first_seat_drawn", "seat": int(drawn[0])}]


def tell_settling(
    ruleset: str, table_state: Record, settle: Callable[[Record], int], effects: type[PackedEffect], details: Details
) -> Iterator[Json]:
    """The effects of all that follows by itself."""
    while packed := int(settle(table_state)):
        effect, numbers = unpack_effect(effects, packed)
        members = details[effect](table_state, **numbers) if effect in details else numbers
        if members is not None:
            yield {"type": f"{ruleset}.{effect.name.lower()}", **members}
