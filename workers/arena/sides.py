"""Who makes the decisions of a game: a player of the search, or a program."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Protocol

from service.rulesets.ruleset import Position, Ruleset
from workers.arena import programs
from workers.search import players
from workers.search.parameters import Parameters
from workers.search.players import Player, Unreadable
from workers.search.search import Search


class Side(Protocol):
    """A player at a game, on one seat or several."""

    def decide(self, position: Position, seed: bytes) -> int:
        """A legal action; `seed` is for the player's own chance (programs.Failed)."""


class Searcher:
    """A player of the search. It keeps its tree for as long as one seat goes on, and never into another's turn."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self._search: Search | None = None

    def decide(self, position: Position, seed: bytes, deadline: float | None = None) -> int:
        """Its action, by the deadline (of time.monotonic()) or in its own time."""
        if self._search is None or not self._search.goes_on_at(position):
            self._search = Search(position, self.player, seed)
        action = self._search.choose(deadline).action
        self._search.advance(action)
        return action


def of(ruleset: Ruleset, word: str) -> Side:
    """The player of that word, at a new game (Unreadable)."""
    return programs.running(word) if programs.is_written(word) else Searcher(player_of(ruleset, word))


def described(ruleset: Ruleset, word: str) -> str:
    """The word with all its settings: equal words may mean different settings at different times (Unreadable)."""
    if programs.is_written(word):
        programs.check(word)
        return word
    player = player_of(ruleset, word)
    if player.kind != "tree":
        return repr(replace(player, parameters=Parameters()))  # it has none
    return repr(player)


def player_of(ruleset: Ruleset, word: str) -> Player:
    """The player of the search of that word (Unreadable)."""
    player = players.read(ruleset, word)
    few = player.simulations is not None and player.simulations < 1
    if few or not 0 <= player.budget_s < math.inf:
        raise Unreadable(f"{word}: no such time or number of simulations")
    return player
