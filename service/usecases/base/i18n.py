"""Sentences about events and notices in the caller's language."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path

import orjson

from service.games.events import ActionEvent, DrawEvent, Event
from service.games.reasons import Reason
from service.games.state.model import Game
from service.rulesets.registry import RULESETS
from service.rulesets.ruleset import Json, Ruleset
from service.rulesets.texts import Texts

MAX_NAMED_ACTIONS = 4_096  # per process, about 1.5 KB each
TEXTS = Texts(Path(__file__).parent / "texts")


def sentence(game: Game, event: Event, language: str) -> str:
    """Return a sentence that describes the event."""
    if isinstance(event, DrawEvent):
        return game.ruleset.texts.sentence(language, event.kind, event.draw, game.meta.variant)
    if isinstance(event, ActionEvent):
        who = TEXTS.message(language, "who", {"seat": event.seat})
        return move(game, event.action, who, language)
    members = event.members
    return TEXTS.message(
        language,
        f"event-{event.kind}".replace("_", "-"),
        {
            "seat": members.get("seat") or 0,
            "name": members.get("name") or "none",
            "offer": str(members.get("offer_kind")),
            "accept": str(members.get("accept")),
            "then": str(members.get("then")),
            "result": str(members.get("result")),
            "cause": str(members.get("cause")),
        },
    )


def move(game: Game, action: Json, name: str, language: str) -> str:
    """Return a sentence about an action in the past tense; `name` is its subject."""
    predicate = game.ruleset.texts.sentence(language, "log", action, game.meta.variant)
    return TEXTS.message(language, "move", {"name": name, "move": predicate})


def title(ruleset: str | None, language: str) -> str:
    """Return the title of a ruleset, or its id if it has no texts. None is the family of games."""
    if ruleset is None:
        return "Azul"
    texts = RULESETS[ruleset].texts
    return texts.message(language, "picture-title") if texts.has_message(language, "picture-title") else ruleset


def character(level_id: str, language: str) -> str:
    """Return the name of the character that plays a level, or the level's id if it no longer exists."""
    message = f"character-{level_id}"
    return TEXTS.message(language, message) if TEXTS.has_message(language, message) else level_id


def number_equal(names: Sequence[str]) -> list[str]:
    """Return the names at the seats; equal ones get numbers."""
    return [f"{name} {names[: at + 1].count(name)}" if names.count(name) > 1 else name for at, name in enumerate(names)]


def push_text(kind: str, data: Json, language: str) -> str:
    """Return the text that a device shows for a notice of this type."""
    challenge = data.get("challenge") or {}
    challenger, competition = challenge.get("challenger") or {}, data.get("competition") or {}
    members = {
        "offer": str((data.get("offer") or {}).get("kind")),
        "then": str(data.get("then")),
        "status": str(challenge.get("status")),
        "name": challenger.get("name") or challenger.get("handle") or competition.get("name") or "none",
        "rounds": competition.get("rounds") or 1,
        "kind": str((data.get("endpoint") or {}).get("kind")),
    }
    return TEXTS.message(language, f"push-{kind}".replace("_", "-"), members)


def reason_text(game: Game, reason: str, language: str) -> str:
    """Return why an action is illegal."""
    return game.ruleset.texts.reason(language, reason)


def why_text(
    ruleset: Ruleset, variant: str, reasons: Sequence[Reason], language: str, subject: str = "it"
) -> str | None:
    """Return a sentence with the first reasons, or None without reasons. `subject`: `it` or `best`, the best move.

    Reasons of later versions, which have no message yet, are omitted.
    """

    def predicates() -> Iterator[str]:
        for reason in reasons:
            numbers = {"best": abs(reason.best), "other": abs(reason.other), "difference": reason.best - reason.other}
            message = f"why-{reason.name}".replace("_", "-")
            if ruleset.texts.has_message(language, message):
                yield ruleset.texts.message(language, message, {**numbers, "variant": variant, **reason.details})

    said = predicates()
    first, second = next(said, None), next(said, "none")
    if first is None:
        return None
    return TEXTS.message(language, "why", {"subject": subject, "first": first, "second": second})


@lru_cache(MAX_NAMED_ACTIONS)
def named_action(ruleset: Ruleset, variant: str, action: int, language: str) -> Json:
    """Return an action's id, fields, notation and description. The result is cached; do not change it."""
    fields = ruleset.wire.decode(action)
    return {
        "id": str(action),
        "action": fields,
        "notation": ruleset.wire.notation.action.write(fields),
        "text": ruleset.texts.sentence(language, "action", fields, variant),
    }


@lru_cache(MAX_NAMED_ACTIONS)
def named_action_json(ruleset: Ruleset, variant: str, action: int, language: str) -> orjson.Fragment:
    """Return `named_action` as JSON. Serializing a hundred actions takes longer than finding them."""
    return orjson.Fragment(orjson.dumps(named_action(ruleset, variant, action, language)))
