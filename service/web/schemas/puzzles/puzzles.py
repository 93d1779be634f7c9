"""Schemas of puzzles, attempts at them, and a player's progress."""

from __future__ import annotations

from marshmallow import fields, validate

from service.usecases.puzzles.solving import ATTEMPT_STATUSES
from service.web.api import Request, Schema
from service.web.schemas.base.fields import (
    VARIANT,
    array,
    choice,
    flag,
    instant,
    integer,
    nest,
    number,
    seat_number,
    text,
)
from service.web.schemas.base.names import RULESET
from service.web.schemas.base.requests import ActionRequest
from service.web.schemas.base.unions import Position
from service.web.schemas.games.games import LineAction

MAX_ANSWERS = 20
"""More than any puzzle has steps."""


class Puzzle(Schema):
    """A position in which one action is best and not obvious."""

    id = text()
    ruleset = choice(RULESET)
    variant = text(VARIANT)
    seats = integer("Number of seats.", 2)
    seat = seat_number("The solver's seat, which decides.")
    position = nest(Position)
    position_notation = text("The position in notation.")
    themes = array(text(), "What the solution achieves, such as `deny` or `line_completed`, or `last_round`.")
    rating = integer("Difficulty in points. Attempts change it slowly.", None)
    steps = integer("Number of decisions of the solver.", 1)
    source = text("`self_play`: from games of the AI.")
    attempts = integer("Players who tried the puzzle.")
    solved = integer("Those who solved it at the first attempt.")


class PuzzleQuery(Request):
    """Choice of a puzzle."""

    ruleset = choice(RULESET, "Filter by ruleset.", load_default=None)
    theme = text("Filter by theme.", 40, load_default=None)
    after = text("Without a player's token: id of the previous puzzle.", 40, load_default=None)


class AttemptPuzzleRequest(Request):
    """All decisions of the solver so far."""

    answers = array(ActionRequest, "Actions in order.", validate=validate.Length(1, MAX_ANSWERS))


class PuzzleRatingChange(Schema):
    """Points of a player before and after an attempt."""

    before = integer("", None)
    after = integer("", None)


class Refutation(Schema):
    """Why an answer is wrong."""

    line = array(LineAction, "Moves that may follow the answer.")
    why = text("Sentence on what the solution does that the answer does not, or null.", allow_none=True)
    win_lost = number("Lost probability of winning, or null if unknown.", allow_none=True)


class PuzzleAttempt(Schema):
    """Result of an attempt."""

    status = choice(ATTEMPT_STATUSES, "`continue`: right so far; send the next decision, too.")
    replies = array(LineAction, "Moves of the others after the last right answer; empty unless `continue`.")
    position = nest(Position, "The position for the next decision; null unless `continue`.", allow_none=True)
    position_notation = text("The same in notation.", allow_none=True)
    solution = array(LineAction, "The solution; null while `continue`.", allow_none=True)
    refutation = nest(Refutation, "Why the last answer is wrong; null unless `failed`.", allow_none=True)
    rated = flag("Whether this is the attempt that counts.")
    rating = nest(PuzzleRatingChange, "The player's puzzle rating; null unless `rated`.", allow_none=True)
    streak = integer("The player's puzzles solved in a row, or null.", allow_none=True)


class DailyPuzzle(Schema):
    """The puzzle of the day."""

    date = fields.String(required=True, metadata={"description": "Day in UTC.", "format": "date"})
    next_at = instant("When the next puzzle begins.")
    puzzle = nest(Puzzle)
    attempts = integer("Players who tried it today.")
    solved = integer("Those who solved it at the first attempt today.")
    share_text = text("Invitation with a link, without the solution.")


class RulesetPuzzles(Schema):
    """A player's puzzles of a ruleset."""

    ruleset = choice(RULESET)
    rating = integer("Puzzle rating in points.", None)
    provisional = flag("Whether the rating is uncertain.")
    attempts = integer("Puzzles tried.", 1)
    solved = integer("Puzzles solved at the first attempt.")


class OwnPuzzles(Schema):
    """A player's puzzle ratings and streaks."""

    rulesets = array(RulesetPuzzles)
    streak = integer("Puzzles solved in a row.")
    best_streak = integer("Most puzzles solved in a row.")
    daily_streak = integer("Days in a row with a solved daily puzzle.")


class PuzzleResult(Schema):
    """The attempt at a puzzle that counts."""

    puzzle_id = text()
    at = instant()
    solved = flag()
    answers = array(text(), "Ids of the actions.")
    rating = nest(PuzzleRatingChange)


class PuzzleExport(OwnPuzzles):
    """All data about a player's puzzles."""

    results = array(PuzzleResult)
