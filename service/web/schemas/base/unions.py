"""Tagged unions built from the registry: a registered ruleset appears in requests, responses and document.

Each union is exactly one of its leaves, selected by its tag, which client generators support best. The `type` of an
action, a draw or an effect starts with the ruleset's id (`azul.draft`). Positions, choices and components use the id.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from marshmallow import Schema, ValidationError, fields
from marshmallow_oneofschema.one_of_schema import OneOfSchema

from service.rulesets.interface import Wire
from service.rulesets.registry import RULESETS
from service.rulesets.wire import InconsistentStateError, nested_messages
from service.usecases.positions import notations, positions

Leaves = Mapping[str, type[Schema]]


class _Registered(Mapping[str, type[Schema]]):
    """The leaves of the registered rulesets, by tag."""

    def __init__(self, select: Callable[[str, Wire], Leaves]) -> None:
        self._select = select

    def _leaf_schemas(self) -> Leaves:
        return {
            tag: leaf for ruleset in RULESETS.values() for tag, leaf in self._select(ruleset.id, ruleset.wire).items()
        }

    def __getitem__(self, tag: str) -> type[Schema]:
        return self._leaf_schemas()[tag]

    def __iter__(self) -> Iterator[str]:
        return iter(self._leaf_schemas())

    def __len__(self) -> int:
        return len(self._leaf_schemas())


def tagged_union(component: str, tag: str, schemas: Leaves, doc: str) -> type[Schema]:
    """Return a union whose member `tag` selects the leaf."""
    members = {"type_field": tag, "type_field_remove": False, "type_schemas": schemas}
    return type(component, (OneOfSchema,), {**members, "component": component, "__doc__": doc})


def _by_type(component: str, leaves: Callable[[Wire], Leaves], doc: str) -> type[Schema]:
    """Return a union over all rulesets that passes data unchanged; the game's ruleset validates it."""
    union = tagged_union(component, "type", _Registered(lambda _, wire: leaves(wire)), doc)
    union._load = lambda _self, data, **_: data  # type: ignore[attr-defined]  # noqa: SLF001 - OneOfSchema's own
    return union


def _by_ruleset(component: str, leaf: Callable[[Wire], type[Schema]], doc: str) -> type[Schema]:
    """Return a union with one leaf per ruleset."""
    return tagged_union(component, "ruleset", _Registered(lambda ruleset_id, wire: {ruleset_id: leaf(wire)}), doc)


Action = _by_type("Action", lambda wire: wire.action_schemas, "An action of a seat.")
Draw = _by_type("Draw", lambda wire: wire.draw_schemas, "A random draw.")
Effect = _by_type("Effect", lambda wire: wire.effect_schemas, "A consequence of an action or a draw.")
Position = _by_ruleset("Position", lambda wire: wire.position_schema, "The state of the table.")
Choices = _by_ruleset(
    "Choices",
    lambda wire: wire.choices_schema,
    "Legal actions as options for each step of a decision; see `getLegalChoices`.",
)
Components = _by_ruleset("Components", lambda wire: wire.components_schema, "Game components, for front ends to draw.")


class PostedPosition(fields.Nested):
    """A position in a request, loaded as a `Position`. Its ruleset validates it and reports more precise errors."""

    def __init__(self, **options: Any) -> None:
        super().__init__(Position, **options)

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> Any:
        if not isinstance(value, dict):
            raise ValidationError("must be an object")
        try:
            return positions.read(value)
        except InconsistentStateError as error:
            raise ValidationError(nested_messages(error.errors)) from None


class PositionInNotation(fields.String):
    """A position in notation, loaded as a `Position`. Raises: notation/unreadable."""

    def _deserialize(self, value: Any, *more: Any, **options: Any) -> Any:
        text = super()._deserialize(value, *more, **options)
        try:
            return positions.read(notations.read_position(text))
        except InconsistentStateError as error:
            raise ValidationError("; ".join(f"{at}: {fault}" for at, fault in error.errors.items())) from None


class StartingPosition(PostedPosition):
    """The position that a game starts from, loaded as JSON in its canonical form."""

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> Any:
        position = super()._deserialize(value)
        return position.ruleset.view(position)


def starting_position() -> StartingPosition:
    """Return the field for the position that a game starts from."""
    description = "Starting position, or null for the standard setup."
    return StartingPosition(load_default=None, metadata={"description": description})
