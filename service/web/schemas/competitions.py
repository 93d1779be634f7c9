"""Competitions of players: Swiss and arena."""

from __future__ import annotations

from marshmallow import fields, validate

from service.competitions.model import MOST_ENTRANTS, MOST_MINUTES, MOST_ROUNDS
from service.competitions.progress import LEAST_ENTRANTS
from service.usecases.core.bots import EVERYBODY
from service.usecases.requests.competitions import (
    LONGEST_BANK_S,
    LONGEST_TURN_S,
    MOST_COMPETITIONS_SHOWN,
    USUAL_MINUTES,
    USUAL_PAUSE_S,
    USUAL_ROUNDS,
)
from service.web.api import Request, Schema
from service.web.schemas.accounts import Player
from service.web.schemas.fields import choice, counter, flag, text, when, whole
from service.web.schemas.names import (
    BOT_OPPONENTS,
    COMPETITION_FORMAT,
    COMPETITION_STATUS,
    COMPETITION_VISIBILITY,
    ENTRANT_STATUS,
    LISTED_STATUS,
    RULESET,
)
from service.web.schemas.queries import MOST
from service.web.schemas.request_fields import StrictBoolean, mixed_field, moment, printable
from service.web.schemas.requests import ClockRequest
from service.web.schemas.seeks import ClockSettings

LONGEST_PAUSE_S = 3_600
LONGEST_INVITATION = 100
MOST_PLACE = 100_000


class CompetitionSummary(Schema):
    """A competition, as it stands in a list and in its stream: without the standings."""

    id = text("96 random bits. Who knows it finds the competition: it is the link.")
    version = counter("Grows with every change.", 1)
    name = text("What its host calls it.")
    format = choice(COMPETITION_FORMAT, "How players are paired.")
    host = fields.Nested(
        Player,
        required=True,
        allow_none=True,
        metadata={"description": "The player who has announced it; null: they are deleted."},
    )
    ruleset = choice(RULESET, "What is played.")
    variant = text("The ruleset's: a side of the board.")
    seats = whole("How many seats each game has.", 2)
    clock = fields.Nested(ClockSettings, required=True, metadata={"description": "The clock of each game."})
    rated = flag("Whether the games are rated.")
    rounds = whole(
        "Rounds of a Swiss: once it runs no more than there are others to meet. Null: it is an arena.",
        1,
        allow_none=True,
    )
    minutes = whole("Minutes of an arena; null: it is a Swiss.", 1, allow_none=True)
    pause_s = whole("Seconds between two rounds of a Swiss.")
    most_players = whole("How many may enter.", LEAST_ENTRANTS)
    visibility = choice(COMPETITION_VISIBILITY, "Whether it is listed.")
    open_to = choice(BOT_OPPONENTS, "The players who may enter: people, bots, or both.")
    by_invitation = flag("Whether one needs its invitation to enter.")
    status = choice(COMPETITION_STATUS, "How far it is.")
    round = whole("The round that was begun last; 0: none, or it is an arena.")
    created_at = when("When it was announced.")
    starts_at = when("When it begins; null: when its host starts it.", allow_none=True)
    began_at = when("When it began; null: not yet.", allow_none=True)
    next_at = when("When the next round of a Swiss begins; null: that is not known.", allow_none=True)
    ends_at = when("When nobody is paired any more in an arena; null: that is not known.", allow_none=True)
    ended_at = when("When it was over; null: it is not.", allow_none=True)
    players = whole("How many have entered.")


class Entrant(Schema):
    """A player in a competition."""

    number = whole("The number of the entry: the same as long as the competition is kept.", 1)
    player = text("The player's id; null: they are deleted.", allow_none=True)
    name = text("The name that they had when they entered; null: none.", allow_none=True)
    bot = flag("Whether they are a program.")


class StandingInCompetition(Entrant):
    """The place of a player in a competition."""

    component = "CompetitionStanding"

    rank = whole("The place, from 1.", 1)
    points = whole("Their rating when they entered; 1500 for somebody new.", None)
    status = choice(ENTRANT_STATUS, "Whether they are paired.")
    score = fields.Float(
        required=True,
        metadata={
            "description": "Swiss: 1 for a win or a bye, 0.5 for a draw. Arena: 2 for a win, 1 for a draw, "
            "doubled after two wins in a row."
        },
    )
    played = whole("Games that have ended.")
    wins = whole("Games that they have won.")
    buchholz_cut_1 = fields.Float(
        required=True,
        allow_none=True,
        metadata={"description": "Buchholz without the lowest of its scores. Null: it is an arena."},
    )
    buchholz = fields.Float(
        required=True,
        allow_none=True,
        metadata={"description": "The sum of the scores of those whom they have met. Null: it is an arena."},
    )
    sonneborn_berger = fields.Float(
        required=True,
        allow_none=True,
        metadata={
            "description": "The scores of those whom they have beaten, and half of those with whom they have drawn. "
            "Null: it is an arena."
        },
    )
    performance = whole(
        "In an arena, the mean of the opponents' ratings, 500 more for a win, 500 less for a loss; null: no game has "
        "ended, or it is a Swiss.",
        None,
        allow_none=True,
    )
    streak = whole("Wins in a row, in an arena; null: it is a Swiss.", allow_none=True)
    game_id = text("The game that they play now; null: none.", allow_none=True)


class EntrantOfGame(Entrant):
    """A player of a game of a competition, and what it has brought them."""

    component = "CompetitionGamePlayer"

    score = fields.Float(
        required=True,
        allow_none=True,
        metadata={"description": "1: won, or had a bye; 0.5: a draw; 0: lost; null: it is played."},
    )


class CompetitionGame(Schema):
    """A game of a competition, or a bye."""

    game_id = text("The game's id; null: it is a bye.", allow_none=True)
    round = whole("The round, from 1; null: it is an arena.", 1, allow_none=True)
    players = fields.List(
        fields.Nested(EntrantOfGame),
        required=True,
        metadata={"description": "The two by seat, of whom the first begins; of a bye the one who has it."},
    )
    began_at = when("When they were paired.")
    ended_at = when("When its result was known; null: it is played.", allow_none=True)


class Competition(CompetitionSummary):
    """A competition: how everybody stands, and what is played."""

    standings = fields.List(
        fields.Nested(StandingInCompetition), required=True, metadata={"description": "The entrants, best first."}
    )
    current_games = fields.List(
        fields.Nested(CompetitionGame),
        required=True,
        metadata={"description": "Those of this round, or in an arena those that are played."},
    )
    invitation = text("What one needs to enter, for its host alone; null: nothing, or not yours.", allow_none=True)


class CompetitionList(Schema):
    """Competitions that anybody finds."""

    competitions = fields.List(
        fields.Nested(CompetitionSummary),
        required=True,
        metadata={"description": "Those that run, then those that are to come, then those that are over."},
    )


class OwnCompetitions(Schema):
    """Competitions of a player."""

    hosted = fields.List(
        fields.Nested(CompetitionSummary),
        required=True,
        metadata={"description": "Those that they have announced, newest first."},
    )
    entered = fields.List(
        fields.Nested(CompetitionSummary),
        required=True,
        metadata={"description": "Those that they have entered, newest first."},
    )


class CompetitionGames(Schema):
    """Games and byes of a competition."""

    games = fields.List(
        fields.Nested(CompetitionGame), required=True, metadata={"description": "In the order of their beginning."}
    )


class CompetitionRequest(Request):
    """A competition to come."""

    name = fields.String(
        required=True,
        validate=[validate.Length(1, 40), printable],
        metadata={"description": "What it is called: 1 to 40 printable characters."},
    )
    format = choice(COMPETITION_FORMAT, "How players are paired.")
    ruleset = choice(RULESET, "What is played.")
    variant = fields.String(
        required=True, validate=validate.Length(1, 40), metadata={"description": "The ruleset's: a side of the board."}
    )
    clock = fields.Nested(
        ClockRequest,
        required=True,
        metadata={
            "description": f"The clock of each game: at most {LONGEST_TURN_S} seconds a turn and {LONGEST_BANK_S} in "
            "the bank. Who runs out of time has lost, whatever `on_timeout` says."
        },
    )
    rated = StrictBoolean(load_default=False, metadata={"description": "Whether the games are to be rated."})
    rounds = fields.Integer(
        strict=True,
        allow_none=True,
        load_default=None,
        validate=validate.Range(1, MOST_ROUNDS),
        metadata={"description": f"Rounds of a Swiss; null: {USUAL_ROUNDS}."},
    )
    minutes = fields.Integer(
        strict=True,
        allow_none=True,
        load_default=None,
        validate=validate.Range(1, MOST_MINUTES),
        metadata={"description": f"Minutes for which an arena pairs; null: {USUAL_MINUTES}."},
    )
    pause_s = fields.Integer(
        strict=True,
        allow_none=True,
        load_default=None,
        validate=validate.Range(0, LONGEST_PAUSE_S),
        metadata={"description": f"Seconds between two rounds of a Swiss; null: {USUAL_PAUSE_S}."},
    )
    most_players = fields.Integer(
        strict=True,
        load_default=64,
        validate=validate.Range(LEAST_ENTRANTS, MOST_ENTRANTS),
        metadata={"description": "How many may enter."},
    )
    visibility = fields.String(
        load_default="public",
        validate=validate.OneOf(COMPETITION_VISIBILITY),
        metadata={"description": "`unlisted`: who knows the link finds it, and nobody else."},
    )
    open_to = fields.String(
        load_default=EVERYBODY,
        validate=validate.OneOf(BOT_OPPONENTS),
        metadata={"description": "The players who may enter: people, bots, or both."},
    )
    by_invitation = StrictBoolean(
        load_default=False,
        metadata={"description": "Whether one needs the `invitation` to enter, which its host is told."},
    )
    starts_at = fields.String(
        allow_none=True,
        load_default=None,
        validate=moment,
        metadata={
            "description": "When it begins, within 30 days; null: when its host starts it, within a week.",
            "format": "date-time",
        },
    )


class EnterRequest(Request):
    """What whoever enters says."""

    invitation = fields.String(
        allow_none=True,
        load_default=None,
        validate=validate.Length(1, LONGEST_INVITATION),
        metadata={"description": "The competition's `invitation`, where one is needed."},
    )
    mixed = mixed_field()


class CompetitionsQuery(Request):
    """Which of them, and paging."""

    status = fields.String(validate=validate.OneOf(LISTED_STATUS), metadata={"description": "How far they are."})
    first = fields.Integer(
        load_default=0,
        validate=validate.Range(0, MOST_PLACE),
        metadata={"description": "The place where the page begins, from 0."},
    )
    limit = fields.Integer(
        load_default=50, validate=validate.Range(1, MOST_COMPETITIONS_SHOWN), metadata={"description": MOST}
    )


class CompetitionGamesQuery(Request):
    """Which of them, and paging."""

    round = fields.Integer(
        validate=validate.Range(1, MOST_ROUNDS), metadata={"description": "The round of a Swiss; without it, all."}
    )
    first = fields.Integer(
        load_default=0,
        validate=validate.Range(0, MOST_PLACE),
        metadata={"description": "The place where the page begins, from 0."},
    )
    limit = fields.Integer(
        load_default=MOST_COMPETITIONS_SHOWN, validate=validate.Range(1, 500), metadata={"description": MOST}
    )
