"""Tagged unions, made from the registry: a ruleset added there appears in requests, answers and document by itself.

Within a ruleset the tag `type` chooses the variant, so its actions, draws and effects are three unions of its own,
each discriminated by `type`. Between rulesets tags collide (two of them know a `pass`), and some variants are even
the same (who starts is drawn in all of them). So an action of whatever game is *any* of the rulesets' unions, without
a discriminator: `oneOf` would refuse what fits two of them. Which one is meant the game says, by its `ruleset`, and
only that ruleset reads it. Positions, choices and components carry their ruleset's id and are discriminated by that.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from marshmallow import Schema, ValidationError, fields
from marshmallow_oneofschema.one_of_schema import OneOfSchema

from service.rulesets.registry import RULESETS


def tagged(component: str, tag: str, schemas: Mapping[str, type[Schema]], doc: str) -> type[Schema]:
    """A union of which `tag` chooses the variant."""
    members = {"type_field": tag, "type_field_remove": False, "type_schemas": dict(schemas)}
    return type(component, (OneOfSchema,), {**members, "component": component, "__doc__": doc})


class AnyOf(OneOfSchema):
    """A union of the rulesets' unions, `type_schemas` by ruleset. The game's ruleset reads it; here it passes."""

    def _load(self, data: Any, **_: Any) -> Any:
        return data


def _name(ruleset_id: str) -> str:
    return "".join(part.capitalize() for part in ruleset_id.split("-"))


def _by_ruleset(component: str, field: str, doc: str) -> type[AnyOf]:
    unions = {
        ruleset.id: tagged(f"{_name(ruleset.id)}{component}", "type", getattr(ruleset, field), f"{doc}")
        for ruleset in RULESETS.values()
    }
    return type(component, (AnyOf,), {"type_schemas": unions, "component": component, "__doc__": doc})


Action = _by_ruleset("Action", "action_schemas", "A decision of a seat, as the game's ruleset names it.")
Draw = _by_ruleset("Draw", "draw_schemas", "What chance brought, as the game's ruleset names it.")
Effect = _by_ruleset("Effect", "effect_schemas", "Something an action or a draw did, as the game's ruleset names it.")
Position = tagged(
    "Position",
    "ruleset",
    {ruleset.id: ruleset.position_schema for ruleset in RULESETS.values()},
    "What lies on the table.",
)
Choices = tagged(
    "Choices",
    "ruleset",
    {ruleset.id: ruleset.choices_schema for ruleset in RULESETS.values()},
    "The legal actions in factored form.",
)
Components = tagged(
    "Components",
    "ruleset",
    {ruleset.id: ruleset.components_schema for ruleset in RULESETS.values()},
    "What is printed and in the box, for a front end to draw.",
)


class PostedPosition(fields.Nested):
    """A position in a request: documented as what it is, and read by its ruleset, which tells faults more exactly."""

    def __init__(self, **options: Any) -> None:
        super().__init__(Position, **options)

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> Any:
        if not isinstance(value, dict):
            raise ValidationError("must be an object")
        return value


ANY_OF: dict[str, type[AnyOf]] = {union.__name__: union for union in (Action, Draw, Effect)}
