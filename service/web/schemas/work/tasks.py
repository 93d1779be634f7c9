"""Schemas of analyses, tournaments and imports."""

from __future__ import annotations

from marshmallow import fields, validate

from service.games.state.seats import AI, HTTP
from service.usecases.work.analyses import FORCED, LABELS
from service.web.api import Schema
from service.web.schemas.base.fields import (
    VARIANT,
    array,
    choice,
    counter,
    instant,
    integer,
    nest,
    number,
    seat_number,
    text,
)
from service.web.schemas.base.names import ANALYSIS_KIND, LEVEL, RULESET, TASK_STATUS
from service.web.schemas.games.games import LineAction, NamedAction, Tokens


def probability(description: str = "") -> fields.Float:
    """Return a required number field from 0 to 1."""
    return number(description, validate=validate.Range(0, 1))


class Task(Schema):
    """A long-running task."""

    id = text("Anyone who knows the id can read the task.")
    status = choice(TASK_STATUS)
    version = counter("Incremented with every report.")
    expires_at = instant()


class AnalysedAction(NamedAction):
    """An action and its evaluation by the search."""

    visits = counter("Number of simulations through this action.")
    lead = number("Expected final lead over the best opponent, in points.")
    win_probability = probability("Probability that the seat wins.")
    line = array(LineAction, "Expected continuation up to the next draw, starting with this action.")
    why = text(
        "What the best action does that this one does not; for the best action, that the next one does not. Null if "
        "no reason is known.",
        allow_none=True,
    )


class DecisionAnalysis(Schema):
    """Evaluation of a decision by the search."""

    seat = seat_number()
    simulations = counter("Number of simulations.")
    actions = array(AnalysedAction, "Evaluated actions, best first; a `candidate` that is not one of them is last.")


class ReviewedDecision(Schema):
    """A decision of a finished game."""

    revision = counter()
    seat = seat_number()
    played = nest(NamedAction)
    best = nest(NamedAction)
    lead_best = number("Expected final lead after `best`, in points.")
    lead_played = number("Expected final lead after `played`, in points.")
    points_lost = number("`lead_best` minus `lead_played`, at least 0.")
    win_probability_best = probability(
        "Probability that the seat wins after `best`, for players with the mean rating of the seats."
    )
    win_probability_played = probability("Probability that the seat wins after `played`, likewise.")
    win_lost = probability("Lost probability, at least 0.")
    label = choice(
        (FORCED, *LABELS),
        "Label by `win_lost`, rounded to whole percent: `good` from 2 %, `inaccuracy` from 5 %, `mistake` from 10 %, "
        "`blunder` from 15 %.",
    )


class LabelCounts(Schema):
    """Number of decisions by label and lost probability of winning."""

    forced = integer("Only one legal action.")
    best = integer("Less than 2 %.")
    good = integer("Less than 5 %.")
    inaccuracy = integer("Less than 10 %.")
    mistake = integer("Less than 15 %.")
    blunder = integer("15 % or more.")


class ReviewedSeat(Schema):
    """Review of a seat."""

    seat = seat_number()
    decisions = integer("Number of decisions.")
    mean_points_lost = number("Mean points lost per unforced decision.")
    labels = nest(LabelCounts)


class StorySentence(Schema):
    """A sentence about a game."""

    revision = counter("Revision of the decision that the sentence is about, or of the end of the game.")
    text = text("The sentence, in the language of the request.")


class Review(Schema):
    """Review of a finished game."""

    decisions = array(ReviewedDecision)
    seats = array(ReviewedSeat)
    decisive = array(counter(), "Revisions of up to three decisions that cost the most win probability, worst first.")
    story = array(
        StorySentence,
        "How the game went, in three to six sentences in the order of reading. Fewer if the game has hardly any "
        "decisions; empty if the game was deleted.",
    )


class Analysis(Task):
    """An analysis and its progress."""

    kind = choice(ANALYSIS_KIND)
    ruleset = choice(RULESET)
    game_id = text("Id of the game, or null for a posted position.", allow_none=True)
    revision = counter("Revision of the decision, or null for reviews and posted positions.", allow_none=True)
    seconds = number("Search time per decision.")
    progress = probability("Share of the work done.")
    decision = nest(DecisionAnalysis, "Result so far; null for reviews and before the first result.", allow_none=True)
    review = nest(Review, "The review, or null until complete.", allow_none=True)


class Refusal(Schema):
    """Why a task failed, as in a problem document."""

    code = text("Stable code, such as `record/illegal_event`.")
    title = text()
    detail = text(allow_none=True)
    event = counter("Number of the first illegal event, from 1, or null.", allow_none=True)


class Import(Task):
    """An import and its progress."""

    game_id = text("Id of the game, or null until it exists.", allow_none=True)
    refusal = nest(
        Refusal, "Why the record was refused. Null if not failed, or if a retry may succeed.", allow_none=True
    )


class AcceptedImport(Import):
    """An accepted import and the tokens of the future game."""

    tokens = nest(Tokens)


class Result(Schema):
    """A share of wins."""

    games = integer()
    wins = number(
        "Share of games won. Ties count in part. Null before the first game.",
        validate=validate.Range(0, 1),
        allow_none=True,
    )
    interval = array(probability(), "Wilson 95 % interval of `wins`.", validate=validate.Length(equal=2))


class MatchResult(Result):
    """A match of two participants. `wins` counts for the first."""

    participants = array(text(), validate=validate.Length(equal=2))
    mean_scores = array(
        number(allow_none=True),
        "Mean scores of both participants; null before the first game.",
        validate=validate.Length(equal=2),
    )


class Standing(Result):
    """Result of a participant over all matches."""

    participant = text()


class Participant(Schema):
    """A participant of a tournament."""

    name = text("Name of the bot, or id of the level.")
    kind = choice((AI, HTTP), "`ai`: a level. `http`: a called bot.")
    level = choice(LEVEL, "The level; for a bot, the level that takes over.")


class Tournament(Task):
    """A tournament and its progress."""

    ruleset = choice(RULESET)
    variant = text(VARIANT)
    seats = integer("Seats per game.", 2)
    participants = array(Participant)
    deals = integer("Deals per match.", 1)
    seed = text("Seed of all deals, in hex.")
    games = integer("Games to play in all.")
    games_played = integer()
    matches = array(MatchResult, "One match per pair.")
    standings = array(Standing, "Participants, best first.")
