"""Who makes the decisions of a game: a player of the search, or a program."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Protocol

from service.rulesets.ruleset import Position, Ruleset
from workers.arena import programs
from workers.search import players
from workers.search.players import Player, Unreadable
from workers.search.search import Search
from workers.search.style import Style


class Side(Protocol):
    """A player at a game, on one seat or several."""

    def decide(self, position: Position, seed: bytes) -> int:
        """A legal action; `seed` is for the player's own chance (programs.Failed)."""


class Searcher:
    """A player of the search. It keeps its tree for as long as one seat goes on, and never into another's turn."""

    def __init__(self, player: Player) -> None:
        self._player = player
        self._search: Search | None = None
        self._seat: int | None = None

    def decide(self, position: Position, seed: bytes) -> int:
        """Its action."""
        search = self._search
        if search is None or self._seat != position.seat or search.position != position:
            search = Search(position, self._player, seed)
        action = search.choose().action
        search.advance(action)
        self._search, self._seat = search, position.seat
        return action


def of(ruleset: Ruleset, word: str) -> Side:
    """The player of that word, at a new game (Unreadable)."""
    return programs.running(word) if programs.is_written(word) else Searcher(_player(ruleset, word))


def described(ruleset: Ruleset, word: str) -> str:
    """What the word means today, all settings told: two matches of equal words may still be different (Unreadable)."""
    if programs.is_written(word):
        programs.check(word)
        return word
    player = _player(ruleset, word)
    if player.kind != "tree":
        return repr(replace(player, style=Style()))  # it has none
    return repr(player)


def _player(ruleset: Ruleset, word: str) -> Player:
    player = players.read(ruleset, word)
    few = player.simulations is not None and player.simulations < 1
    if few or not 0 <= player.budget_s < math.inf:
        raise Unreadable(f"{word}: no such time or number of simulations")
    return player
