"""Positions without a game: validation, legal actions, effects of an action, outcome.

Nothing is stored and no authentication is necessary, because positions contain no hidden information.
"""

from __future__ import annotations

from dataclasses import asdict

from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import IllegalActionError, Position
from service.rulesets.wire import InconsistentStateError, Json
from service.usecases.base.i18n import named_action
from service.usecases.positions.actions import ActionForms, read_action
from service.usecases.positions.legal import legal_actions, list_actions


def read(json: Json) -> Position:
    """Return the position of JSON from an untrusted client. Raises: InconsistentStateError."""
    ruleset = RULESETS.get(str(json.get("ruleset")))
    if ruleset is None:
        raise InconsistentStateError({"/ruleset": f"must be one of: {', '.join(RULESETS)}"})
    return ruleset.read_posted(json)


def examine(position: Position, action: ActionForms | None, form: str | None, page: slice, language: str) -> Json:
    """Return the position, its legal actions, and the effects of `action`, if given, up to the first draw.

    `form` selects the legal actions: `list` (a page of them) or `choices`; None omits them.
    """
    answer = {**_position_json(position), "legal": None, "action": None}
    if form == "list":
        total, actions = list_actions(position if position.seat is not None else None, language, {}, page)
        answer["legal"] = {"total": total, "actions": actions, "choices": None}
    elif form == "choices":
        total = len(legal_actions(position))
        answer["legal"] = {"total": total, "actions": None, "choices": position.choices()}
    if action is not None:
        answer["action"] = _try_action(position, read_action(position.ruleset, *action), language)
    return answer


def _position_json(position: Position) -> Json:
    return {
        "position": position.ruleset.view(position),
        "notation": position.notation,
        "status": position.status,
        "to_decide": position.seat,
        "seats": [asdict(seat) for seat in position.outcome()],
    }


def _try_action(position: Position, action: int, language: str) -> Json:
    """Return whether the action is legal, with its effects or the reason."""
    ruleset = position.ruleset
    result: Json = {"id": str(action), "action": None, "notation": None, "text": None, "legal": False, "reason": None}
    try:
        effects, after = position.step(action)
    except IllegalActionError as illegal:
        sentence = ruleset.texts.reason(language, illegal.reason)
        return {**result, "reason": {"code": illegal.reason, "text": sentence}, "effects": [], "after": None}
    result |= {**named_action(ruleset, position.variant, action, language), "legal": True}
    return {**result, "effects": effects, "after": _position_json(after)}
