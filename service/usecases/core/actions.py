"""Actions as callers name them."""

from __future__ import annotations

import re

from service.games.errors import GameError
from service.rulesets.ruleset import Ruleset
from service.rulesets.wire import Inconsistent, Json

ACTION_ID = re.compile("[0-9]{1,19}")
MOST_ACTION = 2**63 - 1  # the kernel's actions are int64


def read_action(ruleset: Ruleset, action_id: str | None, action: Json | None) -> int:
    """The action that was named, by its id or its fields. request/invalid, with pointers, if neither names one."""
    if (action_id is None) == (action is None):
        raise GameError("request/invalid", errors={"": "exactly one of `id` and `action` is needed"})
    if action is not None:
        try:
            return ruleset.wire.encode(action)
        except Inconsistent as error:
            raise GameError(
                "request/invalid", errors={f"/action{pointer}": text for pointer, text in error.errors.items()}
            ) from None
    if not (action_id and ACTION_ID.fullmatch(action_id) and int(action_id) <= MOST_ACTION):
        raise GameError("request/invalid", errors={"/id": "must be the id of an action"})
    return int(action_id)
