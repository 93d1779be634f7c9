"""Players with a taste: among the actions that the search finds good, they choose the ones they like.

A taste multiplies weights of the ruleset's evaluation (`Ruleset.ai.trainable`). A player that multiplies Azul's `token`
by five likes to start rounds, and one that multiplies `line` likes to finish lines. `others` is the expectation of the
best opponent. A player that multiplies it by three hinders others.
"""

from __future__ import annotations

from collections.abc import Mapping

from service.rulesets.networks.trained_weights import load_weights
from service.rulesets.ruleset import Position, Ruleset
from workers.search.decisions import Choice, Search
from workers.search.players import UnreadableParametersError

TASTE = "taste"
OTHERS = "others"
GOOD_SHARE = 0.1  # share of the visits of the most visited action that makes an action good
MAX_GOOD = 20  # actions


class Taste:
    """Factors of the evaluation's weights."""

    def __init__(self, ruleset: Ruleset, times: Mapping[str, float]) -> None:
        self.times = times
        self._trainable = ruleset.ai.trainable
        weights = load_weights(ruleset.ai_folder, self._trainable.initial_weights)
        self._tables = self._trainable.tables(weights)
        self._liked = self._trainable.tables({name: times.get(name, 1.0) * table for name, table in weights.items()})

    def points(self, position: Position, seat: int) -> float:
        """Return the points that the taste adds to the value of a position for a seat, 0 if the game is over."""
        if position.status == "over":
            return 0.0
        state, evaluate = position.table_state(), self._trainable.evaluate
        others = max(evaluate(state, other, self._tables) for other in range(position.seats) if other != seat)
        liked = evaluate(state, seat, self._liked) - evaluate(state, seat, self._tables)
        return liked - (self.times.get(OTHERS, 1.0) - 1.0) * others

    def choose(self, search: Search, choice: Choice) -> int:
        """Return the favourite among the good actions of the search."""
        position, seat, scale = search.position, search.position.seat, search.player.parameters.scale
        if not choice.visits or seat is None:
            return choice.action
        good = (line for line in search.lines(MAX_GOOD) if line.visits >= GOOD_SHARE * choice.visits)
        return max(good, key=lambda line: line.value + self.points(position.play(line.action), seat) / scale).action


def split_taste(ruleset: Ruleset, word: str) -> tuple[str, Taste | None]:
    """Split `taste:WEIGHT=number,…@…` into the notation of the search and the taste.

    Any other notation is returned unchanged with None. Raises UnreadableParametersError for an unknown weight.
    """
    head, at, limit = word.partition("@")
    name, _, settings = head.partition(":")
    if name != TASTE:
        return word, None
    likeable = (OTHERS, *ruleset.ai.trainable.initial_weights)
    fields = dict(field.partition("=")[::2] for field in settings.split(",") if field)
    try:
        times = {field: float(number) for field, number in fields.items() if field in likeable}
    except ValueError:
        raise UnreadableParametersError(
            f"{word}: expected {TASTE}:WEIGHT=number,…[@SECONDSs or @SIMULATIONS]"
        ) from None
    if not times:
        raise UnreadableParametersError(f"{word}: the weights of {ruleset.id} are {', '.join(likeable)}")
    rest = ",".join(f"{field}={number}" for field, number in fields.items() if field not in likeable)
    return f"tree:{rest}{at}{limit}", Taste(ruleset, times)
