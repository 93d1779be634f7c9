"""What is answered about analyses, tournaments and imports."""

from __future__ import annotations

from marshmallow import fields, validate

from service.games.seats import AI, HTTP
from service.usecases.tasks.analyses import FORCED, LABELS
from service.web.api import Schema
from service.web.schemas.fields import choice, counter, seat_number, text, when, whole
from service.web.schemas.games import Tokens
from service.web.schemas.names import ANALYSIS_KIND, LEVEL, RULESET, TASK_STATUS
from service.web.schemas.unions import Action


def number(description: str) -> fields.Float:
    """A number that is always there."""
    return fields.Float(required=True, metadata={"description": description})


def probability(description: str) -> fields.Float:
    """0 to 1."""
    return fields.Float(required=True, validate=validate.Range(0, 1), metadata={"description": description})


class Task(Schema):
    """Work that was asked for, as far as it has come."""

    id = text("Whoever knows it may look.")
    status = choice(TASK_STATUS, "`failed`: it will not be done; ask again.")
    version = counter("The version, which grows with every report; `after` takes it.")
    expires_at = when("When it is deleted.")


class NamedAction(Schema):
    """An action, for programs and for people."""

    id = text("The action's id.")
    action = fields.Nested(Action, required=True)
    notation = text("The action as a short text, such as `3b4`.")
    text = text("The sentence for people.")


class LineAction(NamedAction):
    """An action in a line of best play."""

    seat = seat_number("The seat that acts.")


class AnalysedAction(NamedAction):
    """An action, and what the search thinks of it."""

    visits = counter("How many simulations went through it: the more, the surer.")
    lead = number("Points by which the seat is expected to be ahead of its best opponent at the end.")
    win_probability = probability("How likely the seat wins.")
    line = fields.List(
        fields.Nested(LineAction),
        required=True,
        metadata={"description": "How it would go on, this action first, up to where chance acts."},
    )


class DecisionAnalysis(Schema):
    """What the search thinks of a decision."""

    seat = seat_number("The seat to decide.")
    simulations = counter("How many games were thought through.")
    actions = fields.List(
        fields.Nested(AnalysedAction), required=True, metadata={"description": "The standings, best first."}
    )


class ReviewedDecision(Schema):
    """A decision of a game that is over."""

    revision = counter("The revision of the event.")
    seat = seat_number("The seat that decided.")
    played = fields.Nested(NamedAction, required=True)
    best = fields.Nested(NamedAction, required=True)
    lead_best = number("Points ahead of the best opponent at the end, after the best action.")
    lead_played = number("The same after what was played.")
    points_lost = number("The difference, never below 0.")
    win_probability_best = probability("How likely the seat wins after the best action.")
    win_probability_played = probability("The same after what was played.")
    win_lost = probability("The difference, never below 0.")
    label = choice(
        (FORCED, *LABELS),
        "The label by `win_lost` alone, rounded to whole percent: from 2 % `good`, 5 % `inaccuracy`, 10 % `mistake`, "
        "15 % `blunder`.",
    )


class LabelCounts(Schema):
    """How many decisions of a seat were called what."""

    forced = whole("There was one legal action.")
    best = whole("Less than 2 % of the probability to win lost.")
    good = whole("Less than 5 %.")
    inaccuracy = whole("Less than 10 %.")
    mistake = whole("Less than 15 %.")
    blunder = whole("15 % or more.")


class ReviewedSeat(Schema):
    """How a seat played."""

    seat = seat_number("The seat.")
    decisions = whole("How many it made.")
    mean_points_lost = number("The mean points lost by each decision that was not forced.")
    labels = fields.Nested(LabelCounts, required=True)


class Review(Schema):
    """Every decision of a game that is over."""

    decisions = fields.List(
        fields.Nested(ReviewedDecision), required=True, metadata={"description": "The decisions, in order."}
    )
    seats = fields.List(fields.Nested(ReviewedSeat), required=True, metadata={"description": "The figures by seat."})
    decisive = fields.List(
        counter("A revision."),
        required=True,
        metadata={"description": "The decisions that cost most probability of winning, at most three, worst first."},
    )


class Analysis(Task):
    """An analysis, as far as it has come."""

    kind = choice(ANALYSIS_KIND, "What is analysed.")
    ruleset = choice(RULESET, "The ruleset of the game or position.")
    game_id = text("The game's id; null for a posted position.", allow_none=True)
    revision = counter(
        "The revision on which the decision is made; null for reviews and posted positions.", allow_none=True
    )
    seconds = number("The seconds of thought for each decision.")
    progress = probability("How much of it is done.")
    decision = fields.Nested(
        DecisionAnalysis,
        required=True,
        allow_none=True,
        metadata={"description": "What is known so far; null for a review, and before anything is."},
    )
    review = fields.Nested(
        Review, required=True, allow_none=True, metadata={"description": "The review; null until it is done."}
    )


class Refusal(Schema):
    """Why something that was asked for cannot be done; as in a problem document."""

    code = text("A stable code, `record/illegal_event` for one.")
    title = text("What it means, for people.")
    detail = text("What is wrong here.", allow_none=True)
    event = counter("Number of the first event, from 1, that cannot be where it stands.", allow_none=True)


class Import(Task):
    """A record that is read in, as far as that has come."""

    game_id = text("The game, once it is done.", allow_none=True)
    refusal = fields.Nested(
        Refusal,
        required=True,
        allow_none=True,
        metadata={"description": "Why it failed; null as long as it has not, or where asking again may help."},
    )


class AcceptedImport(Import):
    """A record that will be read in, and the tokens of the game to come."""

    tokens = fields.Nested(Tokens, required=True)


class Result(Schema):
    """How often somebody won."""

    games = whole("The number of games that have been played.")
    wins = fields.Float(
        required=True,
        allow_none=True,
        validate=validate.Range(0, 1),
        metadata={"description": "Share of wins, a tie counting in parts; null before the first game."},
    )
    interval = fields.List(
        probability("A bound of the interval."),
        required=True,
        validate=validate.Length(equal=2),
        metadata={"description": "Wilson's 95 % interval of `wins`."},
    )


class MatchResult(Result):
    """Two participants against each other; `wins` are the first one's."""

    participants = fields.List(fields.String(), required=True, validate=validate.Length(equal=2))
    mean_scores = fields.List(
        fields.Float(allow_none=True),
        required=True,
        validate=validate.Length(equal=2),
        metadata={"description": "The mean scores of the first and the second; null before the first game."},
    )


class Standing(Result):
    """A participant over all its matches."""

    participant = text("The participant's name.")


class Participant(Schema):
    """A participant of a tournament."""

    name = text("The bot's, or the level.")
    kind = choice((AI, HTTP), "`ai`: a level; `http`: a bot that is called.")
    level = choice(LEVEL, "The level; of a bot, the one that plays a game on in which it has failed.")


class Tournament(Task):
    """A tournament, as far as it has come."""

    ruleset = choice(RULESET, "What is played.")
    variant = text("The side of the board.")
    seats = whole("The seats of each game.", 2)
    participants = fields.List(fields.Nested(Participant), required=True, metadata={"description": "The participants."})
    deals = whole("The deals of each match.", 1)
    seed = text("The seed of all deals, in hex.")
    games = whole("How many are to be played.")
    games_played = whole("How many have been.")
    matches = fields.List(
        fields.Nested(MatchResult), required=True, metadata={"description": "The matches: each pair of participants."}
    )
    standings = fields.List(
        fields.Nested(Standing), required=True, metadata={"description": "The actions, best first."}
    )
