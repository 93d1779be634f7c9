"""Tagged unions, made from the registry: a ruleset added there appears in requests, answers and document by itself.

Within a ruleset the tag `type` chooses the variant. Between rulesets tags may collide (two of them know a `pass`),
so an action of whatever game is one of the rulesets' unions, without a discriminator; a position carries its
ruleset's id and is discriminated by that.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from marshmallow import Schema, ValidationError
from marshmallow_oneofschema.one_of_schema import OneOfSchema

from service.rulesets.registry import RULESETS


def tagged(component: str, tag: str, schemas: Mapping[str, type[Schema]], doc: str) -> type[Schema]:
    """A union of which `tag` chooses the variant."""
    members = {"type_field": tag, "type_field_remove": False, "type_schemas": dict(schemas)}
    return type(component, (OneOfSchema,), {**members, "component": component, "__doc__": doc})


class Either(OneOfSchema):
    """A union without a common tag: the first variant that fits. `type_schemas` by ruleset."""

    type_field_remove = False

    def _load(self, data: Any, *, partial: Any = None, unknown: Any = None, **kwargs: Any) -> Any:
        faults: dict[str, Any] = {}
        for name, schema in self.type_schemas.items():
            try:
                return _instance(schema).load(data, partial=partial, unknown=unknown, **kwargs)
            except ValidationError as error:
                faults[name] = error.messages
        raise ValidationError(faults)


def _instance(schema: type[Schema] | Schema) -> Schema:
    return schema() if isinstance(schema, type) else schema


def _name(ruleset_id: str) -> str:
    return "".join(part.capitalize() for part in ruleset_id.split("-"))


def _by_ruleset(component: str, field: str, doc: str) -> type[Schema]:
    unions = {
        ruleset.id: tagged(f"{_name(ruleset.id)}{component}", "type", getattr(ruleset, field), f"{doc} {ruleset.id}.")
        for ruleset in RULESETS.values()
    }
    members = {"type_schemas": unions, "component": component, "__doc__": f"{doc} one of the rulesets."}
    return type(component, (Either,), members)


Action = _by_ruleset("Action", "action_schemas", "A decision of a seat, in")
Draw = _by_ruleset("Draw", "draw_schemas", "What chance brought, in")
Effect = _by_ruleset("Effect", "effect_schemas", "Something an action or a draw did, in")
Position = tagged(
    "Position",
    "ruleset",
    {ruleset.id: ruleset.position_schema for ruleset in RULESETS.values()},
    "What lies on the table.",
)
Components = tagged(
    "Components",
    "ruleset",
    {ruleset.id: ruleset.components_schema for ruleset in RULESETS.values()},
    "What is printed and in the box, for a front end to draw.",
)
EITHER = ("Action", "Draw", "Effect")  # unions whose document has no discriminator
