"""The story of a reviewed game: three to six sentences from its review and its result.

Each sentence is a message of `texts` about one fact. Messages have variants (`turn-a`, `turn-b`). The game's id selects
one, so the story of a game is always the same.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from functools import cache
from itertools import takewhile
from pathlib import Path
from string import ascii_lowercase
from typing import Any

from service.games.state.seats import AI
from service.rulesets.registry import RULESETS
from service.rulesets.texts import Texts
from service.rulesets.wire import Json
from service.usecases.base import i18n
from service.usecases.work.reviewed_game import ReviewedGame
from service.usecases.work.story_facts import Fact, find_facts

STORY_TEXTS = Texts(Path(__file__).parent / "texts")


def story(game: ReviewedGame, language: str) -> list[Json]:
    """Return the sentences, each with the revision that it is about."""
    names = i18n.number_equal([_name(seat, at, language) for at, seat in enumerate(game.view["seats"])])
    return [{"revision": fact.revision, "text": _sentence(game, fact, names, language)} for fact in find_facts(game)]


def _name(seat: Json, number: int, language: str) -> str:
    """Return the name of the player or of the AI's character, or else of the seat."""
    if seat["name"]:
        return str(seat["name"])
    if seat["kind"] == AI and seat["level"]:
        return i18n.character(seat["level"], language)
    return i18n.TEXTS.message(language, "who", {"seat": number})


def _sentence(game: ReviewedGame, fact: Fact, names: Sequence[str], language: str) -> str:
    possible = _variants(fact.message, language)
    chosen = possible[zlib.crc32(f"{game.view['id']} {fact.message}".encode()) % len(possible)]
    return STORY_TEXTS.message(language, chosen, _arguments(game, fact, names, language))


@cache
def _variants(message: str, language: str) -> Sequence[str]:
    """Return the ids of the message's variants."""
    possible = (f"{message}-{letter}" for letter in ascii_lowercase)
    return [*takewhile(lambda variant: STORY_TEXTS.has_message(language, variant), possible)]


def _arguments(game: ReviewedGame, fact: Fact, names: Sequence[str], language: str) -> dict[str, Any]:
    """Return the arguments of a fact's message."""
    texts = RULESETS[game.view["ruleset"]].texts
    arguments: dict[str, Any] = {"round": game.round_at(fact.revision), **fact.numbers}
    arguments |= {role: names[seat] for role, seat in fact.seats.items()}
    if fact.decision is not None:
        arguments["played"] = game.action_text("story", fact.decision["played"], language)
        arguments["instead"] = game.action_text("instead", fact.decision["best"], language)
    if fact.listed:
        scores = [{"name": names[seat], "score": game.score(seat)} for seat in fact.listed]
        standings = [STORY_TEXTS.message(language, "standing", each) for each in scores]
        arguments["names"] = _join([names[seat] for seat in fact.listed], language)
        arguments["standings"] = _join(standings, language)
    if fact.bonus:
        arguments["bonus"] = texts.message(language, f"bonus-{fact.bonus}")
    has_tie_break = texts.has_message(language, "tie-break")
    arguments["tie_break"] = texts.message(language, "tie-break") if has_tie_break else "none"
    return arguments


def _join(parts: Sequence[str], language: str) -> str:
    *first, last = parts
    return STORY_TEXTS.message(language, "listed", {"first": ", ".join(first), "last": last}) if first else last
