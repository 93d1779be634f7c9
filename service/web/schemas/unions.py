"""Tagged unions, made from the registry: a ruleset added there appears in requests, answers and document by itself.

Every union is one of its leaves, and its tag says which: generators of clients know no other kind well. The `type` of
an action, a draw or an effect begins with its ruleset's id (`azul.draft`), positions, choices and components carry the
id itself.
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


def _of_all_rulesets(component: str, field: str, doc: str) -> type[Schema]:
    """What all rulesets know of a kind. The game's ruleset reads it; here it passes."""
    leaves = {name: leaf for ruleset in RULESETS.values() for name, leaf in getattr(ruleset.wire, field).items()}
    union = tagged(component, "type", leaves, doc)
    union._load = lambda _self, data, **_: data  # type: ignore[attr-defined]  # noqa: SLF001 - OneOfSchema's own
    return union


Action = _of_all_rulesets("Action", "action_schemas", "A decision of a seat.")
Draw = _of_all_rulesets("Draw", "draw_schemas", "What chance brought.")
Effect = _of_all_rulesets("Effect", "effect_schemas", "Something an action or a draw did.")
Position = tagged(
    "Position",
    "ruleset",
    {ruleset.id: ruleset.wire.position_schema for ruleset in RULESETS.values()},
    "What lies on the table.",
)
Choices = tagged(
    "Choices",
    "ruleset",
    {ruleset.id: ruleset.wire.choices_schema for ruleset in RULESETS.values()},
    "The legal actions in factored form.",
)
Components = tagged(
    "Components",
    "ruleset",
    {ruleset.id: ruleset.wire.components_schema for ruleset in RULESETS.values()},
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
