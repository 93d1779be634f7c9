"""How far a game is, and what must happen in it by itself."""

from __future__ import annotations

OPEN, PLAYING, FINISHED, ABORTED = "open", "playing", "finished", "aborted"
GAME_STATUSES = (OPEN, PLAYING, FINISHED, ABORTED)
UNFINISHED = (OPEN, PLAYING)
TURN, CALL, TIME = "turn", "call", "time"
DUE = (TURN, CALL, TIME)
"""An AI decides; an endpoint is asked; a time is up, of a clock or of a pause."""
