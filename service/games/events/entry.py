"""An event of an export, checked before it is believed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from service.games.model import Game
from service.games.moments import parse_ms, rfc3339
from service.games.takebacks import Line


class ImpossibleError(Exception):
    """Why an event cannot stand where it does."""


def must(condition: object, why: str) -> None:
    """ImpossibleError unless the condition holds."""
    if not condition:
        raise ImpossibleError(why)


@dataclass(frozen=True)
class Entry:
    """An event as given, and where it is to stand: the game, the games before it by revision, their line.

    `seed`: what the draws come from, if that is known. `latest_ms`: when it can have been, if that is known.
    """

    given: Mapping[str, Any]
    game: Game
    past: Mapping[int, Game]
    line: Line
    seed: bytes | None
    latest_ms: int | None

    @property
    def head(self) -> tuple[int, str]:
        """Revision and moment of the event, as it is kept."""
        return self.game.revision + 1, rfc3339(self.moment("at"))

    def moment(self, name: str) -> int:
        """A given moment, in unix milliseconds."""
        try:
            return parse_ms(self.given.get(name))
        except ValueError as error:
            raise ImpossibleError(f"`{name}`: {error}") from None

    def seat(self) -> int:
        """Whose event it is."""
        seat = self.given.get("seat")
        must(type(seat) is int and 0 <= seat < len(self.game.seats), "there is no such seat")
        return int(seat)  # type: ignore[arg-type]

    def name(self) -> str | None:
        """The name at the seat."""
        name = self.given.get("name")
        must(name is None or (isinstance(name, str) and 0 < len(name) <= 40 and name.isprintable()), "its name is none")
        return name

    def named(self, name: str) -> dict[str, Any]:
        """An action or a draw."""
        value = self.given.get(name)
        must(isinstance(value, dict), f"`{name}` is not an object")
        return dict(value or {})
