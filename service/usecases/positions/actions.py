"""Actions as callers name them."""

from __future__ import annotations

import re

from service.games.errors import GameError
from service.rulesets.ruleset import Ruleset
from service.rulesets.wire import InconsistentStateError, Json
from service.usecases.positions.notations import read_notation

ACTION_ID = re.compile("[0-9]{1,19}")
MAX_ACTION = 2**63 - 1  # the kernel's actions are int64


def read_action(ruleset: Ruleset, action_id: str | None, action: Json | None, notation: str | None = None) -> int:
    """The action that was named, by its id, its fields or its notation.

    request/invalid, with pointers, if none names one; notation/unreadable.
    """
    if [action_id, action, notation].count(None) != 2:
        raise GameError("request/invalid", errors={"": "send exactly one of `id`, `action` and `notation`"})
    if action is not None:
        return _encoded(ruleset, action, "/action")
    if notation is not None:
        return _encoded(ruleset, read_notation(ruleset.wire.notation.action, notation, "/notation"), "/notation")
    if not (action_id and ACTION_ID.fullmatch(action_id) and int(action_id) <= MAX_ACTION):
        raise GameError("request/invalid", errors={"/id": "must be the `id` of a listed action"})
    return int(action_id)


def _encoded(ruleset: Ruleset, named: Json, at: str) -> int:
    """The action of those fields, which the body has `at` this pointer."""
    try:
        return ruleset.wire.encode(named)
    except InconsistentStateError as error:
        faults = {f"{at}{pointer}": text for pointer, text in error.errors.items()}
        raise GameError("request/invalid", errors=faults) from None
