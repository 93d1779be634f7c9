"""Who makes the decisions of a game: a player of the search, or a program."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Protocol

from research.matches import programs, tastes
from service.rulesets.ruleset import Position, Ruleset
from service.rulesets.seats import MAX_SEATS
from workers.search import players
from workers.search.decisions import Searches
from workers.search.parameters import Parameters
from workers.search.players import Player, UnreadableParametersError


class Side(Protocol):
    """A player at a game, on one seat or several."""

    def decide(self, position: Position, seed: bytes) -> int:
        """A legal action; `seed` is for the player's own chance (programs.Failed)."""


class Searcher:
    """A player of the search, on one seat or several. It keeps a tree for each for as long as its play goes on."""

    def __init__(self, player: Player, taste: tastes.Taste | None = None) -> None:
        self.player = player
        self._taste = taste
        self._searches = Searches(MAX_SEATS)

    def decide(self, position: Position, seed: bytes, deadline: float | None = None) -> int:
        """Its action, by the deadline (of time.monotonic()) or in its own time."""
        search = self._searches.at(position.seat, position, self.player, seed)
        choice = search.choose(deadline)
        action = self._taste.choose(search, choice) if self._taste else choice.action
        search.advance(action)
        return action


def of(ruleset: Ruleset, word: str) -> Side:
    """The player of that word, at a new game (Unreadable)."""
    if programs.is_written(word):
        return programs.running(word)
    word, taste = tastes.divided(ruleset, word)
    return Searcher(player_of(ruleset, word), taste)


def described(ruleset: Ruleset, word: str) -> str:
    """The word with all its settings: equal words may mean different settings at different times (Unreadable)."""
    if programs.is_written(word):
        programs.check(word)
        return word
    word, taste = tastes.divided(ruleset, word)
    player = player_of(ruleset, word)
    if player.kind != "tree":
        return repr(replace(player, parameters=Parameters()))  # it has none
    return f"{player!r}, {taste.times}" if taste else repr(player)


def player_of(ruleset: Ruleset, word: str) -> Player:
    """The player of the search of that word (Unreadable)."""
    player = players.read(ruleset, word)
    few = player.simulations is not None and player.simulations < 1
    if few or not 0 <= player.budget_s < math.inf:
        raise UnreadableParametersError(f"{word}: no such time or number of simulations")
    return player
