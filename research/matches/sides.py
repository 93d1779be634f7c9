"""Sides of a match: a player of the search, or an external program."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from research.matches import programs, tastes
from service.rulesets.ruleset import Position, Ruleset
from service.rulesets.seats import MAX_SEATS
from workers.search import players
from workers.search.budgets import Budget
from workers.search.decisions import Searches
from workers.search.parameters import Parameters
from workers.search.players import Player


class Side(Protocol):
    """A player in a game, on one or more seats."""

    def decide(self, position: Position, seed: bytes) -> int:
        """Return a legal action. `seed`: for the player's own chance. Raises ProgramFailedError."""


class Searcher:
    """A player of the search, on one or more seats. It keeps a search tree for each seat during a game."""

    def __init__(self, player: Player, taste: tastes.Taste | None = None) -> None:
        self.player = player
        self._taste = taste
        self._searches = Searches(MAX_SEATS)

    def decide(self, position: Position, seed: bytes, budget: Budget | None = None) -> int:
        """Return the action. `budget`: by default the player's own."""
        search = self._searches.search_for(position.seat, position, self.player, seed)
        choice = search.choose(budget)
        action = self._taste.choose(search, choice) if self._taste else choice.action
        search.advance(action)
        return action


def create_side(ruleset: Ruleset, word: str) -> Side:
    """Return the player with this notation, for a new game. Raises UnreadableParametersError."""
    if programs.is_program(word):
        return programs.running_program(word)
    return Searcher(*_parse(ruleset, word))


def describe(ruleset: Ruleset, word: str) -> str:
    """Return the notation with all current settings, because defaults can change. Raises UnreadableParametersError."""
    if programs.is_program(word):
        programs.check(word)
        return word
    player, taste = _parse(ruleset, word)
    if player.kind != "tree":
        return repr(replace(player, parameters=Parameters()))  # it uses none
    return f"{player!r}, {taste.times}" if taste else repr(player)


def _parse(ruleset: Ruleset, word: str) -> tuple[Player, tastes.Taste | None]:
    """Return the player of the search with this notation, and its taste. Raises UnreadableParametersError."""
    word, taste = tastes.split_taste(ruleset, word)
    return players.parse_player(ruleset, word, (tastes.TASTE, programs.NAME)), taste
