"""Tagged unions, made from the registry: a ruleset added there appears in requests, answers and document by itself.

Every union is one of its leaves, and its tag says which: generators of clients know no other kind well. The `type` of
an action, a draw or an effect begins with its ruleset's id (`azul.draft`), positions, choices and components carry the
id itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from marshmallow import Schema, ValidationError, fields
from marshmallow_oneofschema.one_of_schema import OneOfSchema

from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Wire

Leaves = Mapping[str, type[Schema]]


class _Registered(Mapping[str, type[Schema]]):
    """The leaves, by tag, of the rulesets that are in the registry now."""

    def __init__(self, of: Callable[[str, Wire], Leaves]) -> None:
        self._of = of

    def _all(self) -> Leaves:
        return {tag: leaf for ruleset in RULESETS.values() for tag, leaf in self._of(ruleset.id, ruleset.wire).items()}

    def __getitem__(self, tag: str) -> type[Schema]:
        return self._all()[tag]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())


def tagged(component: str, tag: str, schemas: Leaves, doc: str) -> type[Schema]:
    """A union of which `tag` chooses the variant."""
    members = {"type_field": tag, "type_field_remove": False, "type_schemas": schemas}
    return type(component, (OneOfSchema,), {**members, "component": component, "__doc__": doc})


def _by_type(component: str, leaves: Callable[[Wire], Leaves], doc: str) -> type[Schema]:
    """What all rulesets know of a kind. The game's ruleset reads it; here it passes."""
    union = tagged(component, "type", _Registered(lambda _, wire: leaves(wire)), doc)
    union._load = lambda _self, data, **_: data  # type: ignore[attr-defined]  # noqa: SLF001 - OneOfSchema's own
    return union


def _by_ruleset(component: str, leaf: Callable[[Wire], type[Schema]], doc: str) -> type[Schema]:
    """One leaf a ruleset."""
    return tagged(component, "ruleset", _Registered(lambda ruleset_id, wire: {ruleset_id: leaf(wire)}), doc)


Action = _by_type("Action", lambda wire: wire.action_schemas, "A decision of a seat.")
Draw = _by_type("Draw", lambda wire: wire.draw_schemas, "What chance brought.")
Effect = _by_type("Effect", lambda wire: wire.effect_schemas, "Something an action or a draw did.")
Position = _by_ruleset("Position", lambda wire: wire.position_schema, "What lies on the table.")
Choices = _by_ruleset("Choices", lambda wire: wire.choices_schema, "The legal actions in factored form.")
Components = _by_ruleset(
    "Components",
    lambda wire: wire.components_schema,
    "What is printed and in the box, for a front end to draw.",
)


class PostedPosition(fields.Nested):
    """A position in a request: documented as what it is, and read by its ruleset, which reports faults more exactly."""

    def __init__(self, **options: Any) -> None:
        super().__init__(Position, **options)

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> Any:
        if not isinstance(value, dict):
            raise ValidationError("must be an object")
        return value
