"""The draws of Tiny, for `openapi/clients/verify/verify.py`. It needs only Python."""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]
DIE = {str(number): 1 for number in range(1, 7)}


class Draws:
    """The draws of a game. They depend only on the number of seats."""

    def __init__(self, record: Json) -> None:
        self.seats = len(record["seats"])

    def draw(self, rng: Any, event: Json) -> Json:
        """Return the draw of this event."""
        draw = event["draw"]["type"]
        if draw == "tiny.first_seat":
            return {"type": draw, "seat": rng.number_below(self.seats)}
        return {"type": draw, "dice": [int(rng.tile(DIE)) for _ in range(self.seats + 1)]}

    def see(self, effect: Json) -> None:
        """Ignore the effect."""
