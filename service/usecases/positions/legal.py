"""The legal actions of a position, as they are listed: a page of them, of all or of those that are wanted."""

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
"""Some members of a named action."""


def matching(ruleset: Ruleset, actions: Sequence[int], filters: Members) -> list[int]:
    """Those of some legal actions that have the members.

    Naming thousands takes a tenth of a second, so types that cannot match are passed over, and where all members
    of a type are told there is one action to look for.
    """
    matches: set[int] = set()
    if isinstance(filters.get("type"), str):
        filters = ruleset.typed(dict(filters))
    for kind, schema in ruleset.wire.action_schemas.items():
        members = _members(schema)
        if not filters.keys() <= members or filters.get("type", kind) != kind:
            continue
        of_kind = [action for action in actions if ruleset.wire.type_of(action) == kind]
        if filters.keys() >= members - {"type"}:
            matches |= set(of_kind).intersection([_number(ruleset, {"type": kind, **filters})])
        elif filters.keys() == {"type"}:
            matches |= set(of_kind)
        else:
            exactly = _exactly(filters)
            matches |= {action for action in of_kind if exactly == _exactly(ruleset.wire.decode(action), filters)}
    return [action for action in actions if action in matches]


@cache
def _members(schema: type[Schema]) -> frozenset[str]:
    return frozenset(schema().fields)


def _number(ruleset: Ruleset, named: Json) -> int | None:
    """The action of that name; None if it is none."""
    try:
        return ruleset.wire.encode(named)
    except InconsistentStateError:
        return None


def _exactly(named: Members, names: Iterable[str] | None = None) -> bytes:
    """For comparison: as JSON, in which 1 is not true."""
    return orjson.dumps({name: named[name] for name in names or named}, option=orjson.OPT_SORT_KEYS)


def legal_actions(position: Position) -> list[int]:
    """All of them. service/compiling: they are many, and the rules are still being compiled."""
    try:
        return position.quick_legal_actions()
    except NotCompiledError:
        raise GameError("service/compiling") from None


def listed(
    position: Position | None, language: str, filters: Members, page: slice
) -> tuple[int, list[orjson.Fragment]]:
    """How many legal actions have the members that are wanted, and a page of them with id, name and sentence.

    Thousands may be legal, so names and sentences, which take longest, are made for the page alone.
    """
    if position is None:
        return 0, []
    matches = having(position, filters) if filters else legal_actions(position)
    return len(matches), [
        named_action_json(position.ruleset, position.variant, action, language) for action in matches[page]
    ]


def having(position: Position, filters: Members) -> list[int]:
    """The legal actions that have the members: an alias, too, where the action that is listed for it has them not."""
    aliases = position.aliases()
    matches = matching(position.ruleset, [*legal_actions(position), *aliases], filters)
    duplicates = {alias for alias in aliases.keys() & set(matches) if aliases[alias] in matches}
    return [action for action in matches if action not in duplicates]
