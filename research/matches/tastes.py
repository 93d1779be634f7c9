"""Players with a taste of their own: of what the search finds good they take what they like.

What may be liked is named as the ruleset's evaluation names its weights (`Ruleset.ai.trainable`): who counts Azul's
`token` five times likes to start rounds, who counts its `line` so finishes lines. `others` is what the best opponent
may expect: who counts that three times spoils what others plan.
"""

from __future__ import annotations

from collections.abc import Mapping

from service.rulesets.networks.learned import learned
from service.rulesets.ruleset import Position, Ruleset
from workers.search.decisions import Choice, Search
from workers.search.players import UnreadableParametersError

TASTE = "taste"
OTHERS = "others"
GOOD_SHARE = 0.1  # of the visits of the most visited action: an action with so many is good
MAX_GOOD = 20  # actions


class Taste:
    """How many times a player counts which weights of the evaluation."""

    def __init__(self, ruleset: Ruleset, times: Mapping[str, float]) -> None:
        self.times = times
        self._trainable = ruleset.ai.trainable
        weights = learned(ruleset.ai_folder, self._trainable.initial_weights)
        self._tables = self._trainable.tables(weights)
        self._liked = self._trainable.tables({name: times.get(name, 1.0) * table for name, table in weights.items()})

    def points(self, position: Position, seat: int) -> float:
        """Points that it adds to what a position is worth to the seat; 0 when the game is over."""
        if position.status == "over":
            return 0.0
        state, evaluate = position.table_state(), self._trainable.evaluate
        others = max(evaluate(state, other, self._tables) for other in range(position.seats) if other != seat)
        liked = evaluate(state, seat, self._liked) - evaluate(state, seat, self._tables)
        return liked - (self.times.get(OTHERS, 1.0) - 1.0) * others

    def choose(self, search: Search, choice: Choice) -> int:
        """The action that it likes best, where the search has found several good."""
        position, seat, scale = search.position, search.position.seat, search.player.parameters.scale
        if not choice.visits or seat is None:
            return choice.action
        good = (line for line in search.lines(MAX_GOOD) if line.visits >= GOOD_SHARE * choice.visits)
        return max(good, key=lambda line: line.value + self.points(position.play(line.action), seat) / scale).action


def divided(ruleset: Ruleset, word: str) -> tuple[str, Taste | None]:
    """(the word of the search, what the player likes) of `taste:WEIGHT=number,…@…`; any other word as it is.

    Unreadable: there is nothing of that name.
    """
    head, at, limit = word.partition("@")
    name, _, written = head.partition(":")
    if name != TASTE:
        return word, None
    likeable = (OTHERS, *ruleset.ai.trainable.initial_weights)
    fields = dict(field.partition("=")[::2] for field in written.split(",") if field)
    try:
        times = {field: float(number) for field, number in fields.items() if field in likeable}
    except ValueError:
        raise UnreadableParametersError(f"{word}: {TASTE}:WEIGHT=number,…[@SECONDSs or @SIMULATIONS]") from None
    if not times:
        raise UnreadableParametersError(f"{word}: in {ruleset.id} a player may like {', '.join(likeable)}")
    rest = ",".join(f"{field}={number}" for field, number in fields.items() if field not in likeable)
    return f"tree:{rest}{at}{limit}", Taste(ruleset, times)
