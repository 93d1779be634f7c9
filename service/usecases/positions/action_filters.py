"""Filters of legal actions: the fields of actions whose values are strings or integers.

Lists and objects, such as payments, are not filters.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from marshmallow import Schema, fields, validate

from service.games.errors import GameError
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Ruleset

Value = str | int
Filters = Mapping[str, Value]
"""The required value of each field."""


def filters_by_ruleset() -> dict[str, dict[str, tuple[Value, ...]]]:
    """Return the values of each filter, by the ruleset's id: name -> id -> values."""
    filters: dict[str, dict[str, tuple[Value, ...]]] = {}
    for ruleset in RULESETS.values():
        for schema in ruleset.wire.action_schemas.values():
            for name, values in plain_fields(schema).items():
                of_ruleset = filters.setdefault(name, {})
                of_ruleset[ruleset.id] = tuple(dict.fromkeys((*of_ruleset.get(ruleset.id, ()), *values)))
    return dict(sorted(filters.items()))


@cache
def plain_fields(schema: type[Schema]) -> Mapping[str, tuple[Value, ...]]:
    """Return the values of the fields for strings or integers, by name."""
    values = {name: _values(field) for name, field in schema().fields.items()}
    return {name: found for name, found in values.items() if found}


def _values(field: fields.Field[Any]) -> tuple[Value, ...]:
    bounds: Any = next(iter(field.validators), None)
    if isinstance(field, fields.Integer) and isinstance(bounds, validate.Range):
        return () if None in (bounds.min, bounds.max) else tuple(range(bounds.min, bounds.max + 1))
    if isinstance(field, fields.String) and isinstance(bounds, validate.OneOf):
        return tuple(bounds.choices)
    return tuple(getattr(field, "plain_values", ()))


def read_filters(ruleset: Ruleset, given: Mapping[str, Value]) -> Filters:
    """Return the values of the ruleset for values that may be text. Raises: request/invalid."""
    schemas, missing = ruleset.wire.action_schemas, f"no action of `{ruleset.id}` has this field"
    if (kind := str(given.get("type"))) in schemas:
        schemas, missing = {kind: schemas[kind]}, f"`{kind}` does not have this field"
    filters: dict[str, Value] = {}
    errors: dict[str, str] = {}
    for name, value in given.items():
        values = {str(each): each for schema in schemas.values() for each in plain_fields(schema).get(name, ())}
        if not values:
            errors[f"/{name}"] = f"must be omitted: {missing}"
        elif str(value) not in values:
            errors[f"/{name}"] = f"must be one of: {', '.join(values)}"
        else:
            filters[name] = values[str(value)]
    if errors:
        raise GameError("request/invalid", errors=errors)
    return filters


def filter_actions(ruleset: Ruleset, actions: list[int], filters: Filters) -> list[int]:
    """Return the actions that have these fields.

    Decoding thousands of actions takes a tenth of a second, so only types with all these fields are decoded.
    """
    schemas = ruleset.wire.action_schemas
    kinds = {kind for kind in schemas if filters.keys() <= plain_fields(schemas[kind]).keys()}
    kinds &= {filters.get("type", kind) for kind in kinds}
    of_kind = [action for action in actions if ruleset.wire.type_of(action) in kinds]
    if filters.keys() <= {"type"}:
        return of_kind
    return [action for action in of_kind if filters.items() <= ruleset.wire.decode(action).items()]
