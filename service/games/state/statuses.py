"""Statuses of games, and kinds of work that is due without a request."""

from __future__ import annotations

OPEN, PLAYING, FINISHED, ABORTED = "open", "playing", "finished", "aborted"
GAME_STATUSES = (OPEN, PLAYING, FINISHED, ABORTED)
UNFINISHED = (OPEN, PLAYING)
WIN, DRAW, DOUBLE_FORFEIT = "win", "draw", "double_forfeit"
RESULTS = (WIN, DRAW, DOUBLE_FORFEIT)
"""Results of an adjudicated game."""
ROUNDS_CHANGED = "rounds_changed"
"""The notice that a competition has fewer rounds than planned."""
TURN, CALL, TIME = "turn", "call", "time"
DUE = (TURN, CALL, TIME)
"""An AI has to decide; an endpoint must be called; a clock or a pause will expire."""
