"""The legal actions of a position, as they are listed: a page of them, of all or of those that are wanted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

import orjson
from marshmallow import Schema

from service.rulesets.ruleset import Position, Ruleset
from service.rulesets.wire import Inconsistent, Json
from service.usecases.core.i18n import named_action

Members = Mapping[str, Any]
"""Some members of a named action."""


def matching(ruleset: Ruleset, actions: Sequence[int], wanted: Members) -> list[int]:
    """Those of some legal actions that have the members.

    Naming thousands takes a tenth of a second, so types that cannot match are passed over, and where all members
    of a type are told there is one action to look for.
    """
    found: set[int] = set()
    if isinstance(wanted.get("type"), str):
        wanted = ruleset.typed(wanted)
    for kind, schema in ruleset.wire.action_schemas.items():
        members = _members(schema)
        if not wanted.keys() <= members or wanted.get("type", kind) != kind:
            continue
        of_kind = [action for action in actions if ruleset.wire.type_of(action) == kind]
        if wanted.keys() >= members - {"type"}:
            found |= set(of_kind).intersection([_number(ruleset, {"type": kind, **wanted})])
        elif wanted.keys() == {"type"}:
            found |= set(of_kind)
        else:
            exactly = _exactly(wanted)
            found |= {action for action in of_kind if exactly == _exactly(ruleset.wire.decode(action), wanted)}
    return [action for action in actions if action in found]


@cache
def _members(schema: type[Schema]) -> frozenset[str]:
    return frozenset(schema().fields)


def _number(ruleset: Ruleset, named: Json) -> int | None:
    """The action of that name; None if it is none."""
    try:
        return ruleset.wire.encode(named)
    except Inconsistent:
        return None


def _exactly(named: Members, names: Iterable[str] | None = None) -> bytes:
    """For comparison: as JSON, in which 1 is not true."""
    return orjson.dumps({name: named[name] for name in names or named}, option=orjson.OPT_SORT_KEYS)


def listed(position: Position | None, language: str, wanted: Members, page: slice) -> tuple[int, list[Json]]:
    """How many legal actions have the members that are wanted, and a page of them with id, name and sentence.

    Thousands may be legal, so names and sentences, which take longest, are made for the page alone.
    """
    if position is None:
        return 0, []
    ruleset = position.ruleset
    found = having(position, wanted) if wanted else position.legal_actions()
    return len(found), [named_action(ruleset, action, language) for action in found[page]]


def having(position: Position, wanted: Members) -> list[int]:
    """The legal actions that have the members: an alias, too, where the action that is listed for it has them not."""
    aliases = position.aliases()
    found = matching(position.ruleset, [*position.legal_actions(), *aliases], wanted)
    told_twice = {alias for alias in aliases.keys() & set(found) if aliases[alias] in found}
    return [action for action in found if action not in told_twice]
