"""An event of an imported record, before it is checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from service.games.people_text import enforce_name
from service.games.state.model import Game
from service.games.state.moments import parse_ms, rfc3339
from service.games.state.takebacks import Line


class ImpossibleError(Exception):
    """The event is impossible at its place in the log."""


def require(condition: object, message: str) -> None:
    """Raise ImpossibleError unless the condition holds."""
    if not condition:
        raise ImpossibleError(message)


@dataclass(frozen=True)
class Entry:
    """An event of an export and its place in the log.

    `game`: the game before the event; `past`: earlier games by revision; `line`: the steps to the present position.
    `seed`: the source of the draws, if known. `latest_ms`: the latest possible time, if known.
    """

    members: Mapping[str, Any]
    game: Game
    past: Mapping[int, Game]
    line: Line
    seed: bytes | None
    latest_ms: int | None

    @property
    def head(self) -> tuple[int, str]:
        """Revision and time of the event, as stored."""
        return self.game.revision + 1, rfc3339(self.moment("at"))

    def moment(self, name: str) -> int:
        """Return a time of the event, in unix milliseconds."""
        try:
            return parse_ms(self.members.get(name))
        except ValueError as error:
            raise ImpossibleError(f"`{name}`: {error}") from None

    def seat(self) -> int:
        """Return the seat of the event."""
        seat = self.members.get("seat")
        require(type(seat) is int and 0 <= seat < len(self.game.seats), "The seat does not exist.")
        return int(seat)  # type: ignore[arg-type]

    def name(self) -> str | None:
        """Return the name of the holder of the seat."""
        name = self.members.get("name")
        require(name is None or isinstance(name, str), "The name must be a string or null.")
        try:
            return None if name is None else enforce_name(str(name))
        except ValueError as error:
            raise ImpossibleError(f"The name {error}.") from None

    def json_object(self, name: str) -> dict[str, Any]:
        """Return a member that is an object: an action or a draw."""
        value = self.members.get(name)
        require(isinstance(value, dict), f"`{name}` must be an object.")
        return dict(value or {})
