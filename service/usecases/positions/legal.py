"""Pages of the legal actions of a position, with filters."""

from __future__ import annotations

import orjson

from service.games.errors import GameError
from service.rulesets.ruleset import NotCompiledError, Position
from service.usecases.base.i18n import named_action_json
from service.usecases.positions.action_filters import Filters, filter_actions


def legal_actions(position: Position) -> list[int]:
    """Return the legal actions. Raises: service/compiling if there are many and the rules are not compiled yet."""
    try:
        return position.quick_legal_actions()
    except NotCompiledError:
        raise GameError("service/compiling") from None


def list_actions(
    position: Position | None, language: str, filters: Filters, page: slice
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


def filter_legal(position: Position, filters: Filters) -> list[int]:
    """Return the legal actions that have these fields.

    An alias is included only if the listed action does not have them.
    """
    aliases = position.aliases()
    matches = filter_actions(position.ruleset, [*legal_actions(position), *aliases], filters)
    duplicates = {alias for alias in aliases.keys() & set(matches) if aliases[alias] in matches}
    return [action for action in matches if action not in duplicates]
