"""The sentence of an event: the rulesets' own for actions and draws, these for what happens between people."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from service.games.model import Game
from service.rulesets.ruleset import Json, Ruleset
from service.rulesets.texts import Texts

ACTIONS_REMEMBERED = 4_096  # a process, some 1.5 KB each
TEXTS = Texts(Path(__file__).parent / "texts")


def sentence(game: Game, event: Json, language: str) -> str:
    """What happened, for people."""
    kind = event["kind"]
    if kind == "draw":
        return game.ruleset.texts.tagged(language, "draw", event["draw"])
    if kind == "action":
        return game.ruleset.texts.tagged(language, "action", event["action"])
    return TEXTS.message(
        language,
        f"event-{kind}",
        {
            "seat": _number(event.get("seat")),
            "name": event.get("name") or "none",
            "offer": str(event.get("offer_kind")),
            "accept": str(event.get("accept")),
            "then": str(event.get("then")),
        },
    )


def _number(seat: int | None) -> int:
    return 0 if seat is None else seat


def refusal(game: Game, reason: str, language: str) -> str:
    """Why an action is illegal, for people."""
    return game.ruleset.texts.reason(language, reason)


@lru_cache(ACTIONS_REMEMBERED)
def named_action(ruleset: Ruleset, action: int, language: str) -> Json:
    """An action by its id, its fields and a sentence; not to be changed, since others are told the same."""
    fields = ruleset.wire.decode(action)
    return {"id": str(action), "action": fields, "text": ruleset.texts.tagged(language, "action", fields)}
