"""What the reasons for an action claim. A module for each ruleset checks every reason after the action."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from service.games.reasons import Reason
from service.rulesets.kernel import RngState
from service.rulesets.ruleset import Position
from tests.rulesets.playing import of_type

Json = dict[str, Any]


class Turn:
    """An action, its effects, and the positions before and after it as JSON."""

    def __init__(self, position: Position, action: int, rng: RngState) -> None:
        """Play the action. `rng`: for draws that follow it."""
        self.seat, self.rng = int(position.seat or 0), rng
        self.action = position.ruleset.wire.decode(action)
        self.effects, self.after = position.step(action)
        self.before = position.ruleset.view(position)
        self.result = position.ruleset.view(self.after)

    @property
    def board(self) -> Json:
        """The board of the seat after the action."""
        return dict(self.result["seats"][self.seat])

    def of_own(self, kind: str) -> list[Json]:
        """Return the effects of a type on the seat."""
        return [effect for effect in of_type(self.effects, kind) if effect["seat"] == self.seat]

    def has(self, kind: str) -> bool:
        """Return True if there is an effect of the type."""
        return bool(of_type(self.effects, kind))

    def next_effects(self, seat: int, kind: str) -> Iterable[tuple[Json, list[Json]]]:
        """Yield the next actions of a type with their effects, after the draws in between. The seat acts next."""
        position = self.after
        while position.status == "drawing":
            position = position.resolve_draw(position.sample(self.rng))
        assert seat == position.seat
        wire = position.ruleset.wire
        for action in position.legal_actions():
            if wire.type_of(action).endswith(kind):
                yield wire.decode(action), position.step(action)[0]


Claims = dict[str, Callable[[Turn, Reason], bool]]
