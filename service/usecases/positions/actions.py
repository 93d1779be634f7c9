"""Read actions from requests."""

from __future__ import annotations

import re

from service.games.errors import GameError
from service.rulesets.ruleset import Position, Ruleset
from service.rulesets.wire import InconsistentStateError, Json
from service.usecases.positions.notations import read_notation

ACTION_ID = re.compile("[0-9]{1,19}")
ONE_FORM = "send exactly one of `id`, `action` and `notation`"
MAX_ACTION = 2**63 - 1  # the kernel's actions are int64
ActionForms = tuple[str | None, Json | None, str | None]
"""An action's id, fields and notation, exactly one of which is given."""


def read_action(ruleset: Ruleset, action_id: str | None, action: Json | None, notation: str | None = None) -> int:
    """Return the action given by its id, fields or notation.

    Raises: request/invalid, with JSON pointers, notation/unreadable.
    """
    if [action_id, action, notation].count(None) != 2:
        raise GameError("request/invalid", errors={"": ONE_FORM})
    if action is not None:
        return _encode(ruleset, action, "/action")
    if notation is not None:
        return _encode(ruleset, read_notation(ruleset.wire.notation.action, notation, "/notation"), "/notation")
    if not (action_id and ACTION_ID.fullmatch(action_id) and int(action_id) <= MAX_ACTION):
        raise GameError("request/invalid", errors={"/id": "must be the `id` of a listed action"})
    return int(action_id)


def read_legal_action(position: Position, forms: ActionForms, pointer: str, language: str) -> int:
    """Return a legal action that the request body has at the pointer.

    Raises: request/invalid, notation/unreadable, game/illegal_action, with JSON pointers.
    """
    try:
        action = read_action(position.ruleset, *forms)
    except GameError as error:
        error.errors = {f"{pointer}{inner}": text for inner, text in error.errors.items()}
        raise
    if (reason := position.refusal(action)) is not None:
        text = position.ruleset.texts.reason(language, reason)
        raise GameError("game/illegal_action", text, errors={pointer: text}, reason=reason)
    return action


def _encode(ruleset: Ruleset, fields: Json, at: str) -> int:
    """Return the action with these fields, which the request body has at the pointer `at`."""
    try:
        return ruleset.wire.encode(fields)
    except InconsistentStateError as error:
        errors = {f"{at}{pointer}": text for pointer, text in error.errors.items()}
        raise GameError("request/invalid", errors=errors) from None
