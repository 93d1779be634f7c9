"""Pages of the legal actions of a position, with filters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

import orjson
from marshmallow import Schema

from service.games.errors import GameError
from service.rulesets.ruleset import NotCompiledError, Position, Ruleset
from service.rulesets.wire import InconsistentStateError, Json
from service.usecases.base.i18n import named_action_json

Members = Mapping[str, Any]
"""Some fields of an action, as a filter."""


def filter_actions(ruleset: Ruleset, actions: Sequence[int], filters: Members) -> list[int]:
    """Return the actions that have these fields.

    Decoding thousands of actions takes a tenth of a second. So types that cannot match are skipped, and if all fields
    of a type are given, the only possible action is encoded.
    """
    matches: set[int] = set()
    if isinstance(filters.get("type"), str):
        filters = ruleset.with_full_type(dict(filters))
    for kind, schema in ruleset.wire.action_schemas.items():
        members = _members(schema)
        if not filters.keys() <= members or filters.get("type", kind) != kind:
            continue
        of_kind = [action for action in actions if ruleset.wire.type_of(action) == kind]
        if filters.keys() >= members - {"type"}:
            matches |= set(of_kind).intersection([_encode_or_none(ruleset, {"type": kind, **filters})])
        elif filters.keys() == {"type"}:
            matches |= set(of_kind)
        else:
            expected = _comparable(filters)
            matches |= {action for action in of_kind if expected == _comparable(ruleset.wire.decode(action), filters)}
    return [action for action in actions if action in matches]


@cache
def _members(schema: type[Schema]) -> frozenset[str]:
    return frozenset(schema().fields)


def _encode_or_none(ruleset: Ruleset, fields: Json) -> int | None:
    try:
        return ruleset.wire.encode(fields)
    except InconsistentStateError:
        return None


def _comparable(fields: Members, names: Iterable[str] | None = None) -> bytes:
    """Return fields as JSON for comparisons. In JSON, 1 differs from true."""
    return orjson.dumps({name: fields[name] for name in names or fields}, option=orjson.OPT_SORT_KEYS)


def legal_actions(position: Position) -> list[int]:
    """Return the legal actions. Raises: service/compiling if there are many and the rules are not compiled yet."""
    try:
        return position.quick_legal_actions()
    except NotCompiledError:
        raise GameError("service/compiling") from None


def list_actions(
    position: Position | None, language: str, filters: Members, page: slice
) -> tuple[int, list[orjson.Fragment]]:
    """Return the number of legal actions that have the fields, and a page of them with id, notation and sentence.

    Only the page gets notation and sentences, because these take most of the time and thousands of actions can be
    legal.
    """
    if position is None:
        return 0, []
    matches = filter_legal(position, filters) if filters else legal_actions(position)
    return len(matches), [
        named_action_json(position.ruleset, position.variant, action, language) for action in matches[page]
    ]


def filter_legal(position: Position, filters: Members) -> list[int]:
    """Return the legal actions that have these fields.

    An alias is included only if the listed action does not have them.
    """
    aliases = position.aliases()
    matches = filter_actions(position.ruleset, [*legal_actions(position), *aliases], filters)
    duplicates = {alias for alias in aliases.keys() & set(matches) if aliases[alias] in matches}
    return [action for action in matches if action not in duplicates]
