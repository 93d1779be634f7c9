"""Positions without a game: whether one can be, what is legal there, what an action does, how the seats stand.

Nothing is stored and nobody is asked who they are: nothing hidden stands in a position.
"""

from __future__ import annotations

from dataclasses import asdict

from service.games.errors import GameError
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import IllegalActionError, Position
from service.rulesets.wire import InconsistentStateError, Json
from service.usecases.base.i18n import named_action
from service.usecases.positions.actions import read_action
from service.usecases.positions.legal import legal_actions, listed


def read(json: Json) -> Position:
    """The position in a request's `position`. request/invalid, with pointers, if there is no such position."""
    ruleset = RULESETS.get(str(json.get("ruleset")))
    if ruleset is None:
        raise GameError("request/invalid", errors={"/position/ruleset": f"must be one of: {', '.join(RULESETS)}"})
    try:
        return ruleset.read_posted(json)
    except InconsistentStateError as error:
        faults = {f"/position{pointer}": text for pointer, text in error.errors.items()}
        raise GameError("request/invalid", errors=faults) from None


def examine(
    json: Json,
    action_id: str | None,
    action: Json | None,
    form: str | None,
    page: slice,
    language: str,
    notation: str | None = None,
) -> Json:
    """What the position is, what is legal in it, and what the action would do, up to the first draw.

    `notation`: of the action. `form`: of the legal actions, `list` (a page of them) or `choices`; None leaves them out.
    """
    position = read(json)
    answer = {**_position_json(position), "legal": None, "action": None}
    if form == "list":
        total, actions = listed(position if position.seat is not None else None, language, {}, page)
        answer["legal"] = {"form": form, "total": total, "actions": actions}
    elif form == "choices":
        total = len(legal_actions(position))
        answer["legal"] = {"form": form, "total": total, "choices": position.choices()}
    if (action_id, action, notation) != (None, None, None):
        answer["action"] = _tried(position, read_action(position.ruleset, action_id, action, notation), language)
    return answer


def _position_json(position: Position) -> Json:
    return {
        "position": position.ruleset.view(position),
        "notation": position.notation,
        "status": position.status,
        "to_decide": position.seat,
        "seats": [asdict(seat) for seat in position.outcome()],
    }


def _tried(position: Position, action: int, language: str) -> Json:
    """Whether the action is legal, and what it would do; else why it is not."""
    ruleset = position.ruleset
    tried: Json = {"id": str(action), "action": None, "notation": None, "text": None, "legal": False, "reason": None}
    try:
        effects, after = position.step(action)
    except IllegalActionError as illegal:
        sentence = ruleset.texts.reason(language, illegal.reason)
        return {**tried, "reason": {"code": illegal.reason, "text": sentence}, "effects": [], "after": None}
    tried |= {**named_action(ruleset, position.variant, action, language), "legal": True}
    return {**tried, "effects": effects, "after": _position_json(after)}
