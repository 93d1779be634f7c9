"""Schemas of competitions: Swiss and arena."""

from __future__ import annotations

from service.competitions.model import ARENA, MAX_ENTRANTS, MAX_MINUTES, MAX_ROUNDS, SWISS
from service.competitions.progress import MIN_ENTRANTS
from service.games.state.moments import parse_ms
from service.games.state.statuses import WIN
from service.usecases.base.published_bots import EVERYBODY
from service.usecases.matchmaking.competitions import (
    LATEST_START_MS,
    LONGEST_BANK_S,
    LONGEST_TURN_S,
    START_ERROR,
    USUAL_MINUTES,
    USUAL_PAUSE_S,
    USUAL_ROUNDS,
)
from service.usecases.matchmaking.entering import MAX_COMPETITIONS_SHOWN
from service.web.api import Request, Schema
from service.web.http.auth import context
from service.web.schemas.base.accounts import Player
from service.web.schemas.base.checked_requests import CheckedRequest, Faults, Members
from service.web.schemas.base.fields import (
    VARIANT,
    array,
    choice,
    counter,
    flag,
    instant,
    integer,
    nest,
    number,
    text,
)
from service.web.schemas.base.names import (
    ADJUDICATED_RESULT,
    BOT_OPPONENTS,
    COMPETITION_FORMAT,
    COMPETITION_STATUS,
    COMPETITION_VISIBILITY,
    ENTRANT_STATUS,
    LISTED_STATUS,
    RULESET,
)
from service.web.schemas.base.queries import first_field, limit_field, query_integer
from service.web.schemas.base.request_fields import mixed_field, moment, name_field
from service.web.schemas.base.requests import ClockRequest, RulesetRequest
from service.web.schemas.games.games import ClockSettings

LONGEST_PAUSE_S = 3_600
LONGEST_INVITATION = 100
MAX_PLACE = 100_000
FIELDS_OF_OTHER_FORMATS = {SWISS: ("minutes",), ARENA: ("rounds", "pause_s")}
REPEATABLE_MS = 86_400_000
"""A request with an earlier `starts_at` repeats no accepted one, so the past start is an error of the body."""


class CompetitionSummary(Schema):
    """A competition without standings, as in lists and streams."""

    id = text("Anyone who knows the id can open the competition.")
    version = counter("Incremented with every change.", 1)
    name = text()
    format = choice(COMPETITION_FORMAT)
    host = nest(Player, "The host, or null if the account was deleted.", allow_none=True)
    ruleset = choice(RULESET)
    variant = text(VARIANT)
    seats = integer("Seats per game.", 2)
    clock = nest(ClockSettings)
    rated = flag()
    rounds = integer(
        "Rounds of a Swiss; null for an arena. Fewer than `planned_rounds` if it began with too few players, or if all "
        "but one have left.",
        1,
        allow_none=True,
    )
    planned_rounds = integer("Announced rounds of a Swiss; null for an arena.", 1, allow_none=True)
    minutes = integer("Duration of an arena; null for a Swiss.", 1, allow_none=True)
    pause_s = integer("Seconds between the rounds of a Swiss.")
    most_players = integer("", MIN_ENTRANTS)
    visibility = choice(COMPETITION_VISIBILITY)
    open_to = choice(BOT_OPPONENTS)
    by_invitation = flag("Whether entering requires `invitation`.")
    status = choice(COMPETITION_STATUS)
    round = integer("Current round of a Swiss, from 1; otherwise 0.")
    created_at = instant()
    starts_at = instant("Scheduled start, or null if the host starts it.", allow_none=True)
    began_at = instant("Actual start, or null.", allow_none=True)
    next_at = instant("Start of the next round of a Swiss, or null if unknown.", allow_none=True)
    ends_at = instant("When an arena stops pairing players, or null if unknown.", allow_none=True)
    ended_at = instant(allow_none=True)
    players = integer()


class Entrant(Schema):
    """A player in a competition."""

    number = integer("Fixed number of the entry.", 1)
    player = text("Id of the player, or null if the account was deleted.", allow_none=True)
    name = text("Name at the time of entry, or null.", allow_none=True)
    bot = flag()


class StandingInCompetition(Entrant):
    """A player's place in a competition."""

    component = "CompetitionStanding"

    rank = integer("", 1)
    points = integer("Rating at the time of entry; 1500 for a new player.", None)
    status = choice(ENTRANT_STATUS)
    score = number(
        "Swiss: 1 for a win or bye, 0.5 for a draw. Arena: 2 for a win, 1 for a draw, doubled after two wins in a row."
    )
    played = integer("Finished games.")
    wins = integer()
    buchholz_cut_1 = number("`buchholz` without the lowest score; null for an arena.", allow_none=True)
    buchholz = number("Sum of the opponents' scores; null for an arena.", allow_none=True)
    sonneborn_berger = number(
        "Scores of beaten opponents plus half the scores of drawn opponents; null for an arena.", allow_none=True
    )
    performance = integer(
        "Mean of the opponents' ratings, plus 500 for a win and minus 500 for a loss. Null for a Swiss or before the "
        "first result.",
        None,
        allow_none=True,
    )
    streak = integer("Current wins in a row; null for a Swiss.", allow_none=True)
    game_id = text("Id of the current game, or null.", allow_none=True)


class EntrantOfGame(Entrant):
    """A player of a competition game and their result."""

    component = "CompetitionGamePlayer"

    score = number("1 for a win or bye, 0.5 for a draw, 0 for a loss; null while the game is running.", allow_none=True)


class CompetitionGame(Schema):
    """A game of a competition, or a bye."""

    game_id = text("Id of the game, or null for a bye.", allow_none=True)
    round = integer("Round, from 1; null for an arena.", 1, allow_none=True)
    players = array(EntrantOfGame, "Both players by seat; the first begins. A bye has one player.")
    began_at = instant("Time of the pairing.")
    ended_at = instant("When the result became known, or null.", allow_none=True)
    adjudicated = flag("Whether the host or the operator decided the result.")


class Competition(CompetitionSummary):
    """A competition with standings and current games."""

    standings = array(StandingInCompetition, "Players in order of rank.")
    current_games = array(CompetitionGame, "Games of the current round, or running games of an arena.")
    invitation = text(
        "Code required to enter. Null if not required, or if the caller is not the host.", allow_none=True
    )


class CompetitionList(Schema):
    """Public competitions."""

    competitions = array(CompetitionSummary, "Running, then upcoming, then finished competitions.")


class AllCompetitions(Schema):
    """All competitions that are not over."""

    competitions = array(CompetitionSummary, "Last announced first.")


class OwnCompetitions(Schema):
    """Competitions of a player."""

    hosted = array(CompetitionSummary, "Hosted by the player, newest first.")
    entered = array(CompetitionSummary, "Entered by the player, newest first.")


class CompetitionGames(Schema):
    """Games and byes of a competition."""

    games = array(CompetitionGame, "Oldest first.")


class CompetitionRequest(RulesetRequest):
    """The competition to create."""

    name = name_field(required=True)
    format = choice(COMPETITION_FORMAT)
    ruleset = choice(RULESET)
    variant = text(VARIANT, 40)
    clock = nest(
        ClockRequest,
        f"Clock of each game: at most {LONGEST_TURN_S} seconds per turn and {LONGEST_BANK_S} in "
        "the bank. Running out of time always loses; `on_timeout` is ignored.",
    )
    rated = flag("Whether the games are rated.", load_default=False)
    rounds = integer(f"Rounds of a Swiss; {USUAL_ROUNDS} if null.", 1, MAX_ROUNDS, load_default=None)
    minutes = integer(f"Duration of an arena in minutes; {USUAL_MINUTES} if null.", 1, MAX_MINUTES, load_default=None)
    pause_s = integer(
        f"Seconds between the rounds of a Swiss; {USUAL_PAUSE_S} if null.", 0, LONGEST_PAUSE_S, load_default=None
    )
    most_players = integer("Maximum number of players.", MIN_ENTRANTS, MAX_ENTRANTS, load_default=64)
    visibility = choice(COMPETITION_VISIBILITY, "Visibility of the competition.", load_default="public")
    open_to = choice(BOT_OPPONENTS, "Players who may enter.", load_default=EVERYBODY)
    by_invitation = flag("Whether entering requires the `invitation`, which the host can read.", load_default=False)
    starts_at = instant(
        "Start, within 30 days. If null, the host starts the competition within a week.",
        validate=moment,
        load_default=None,
    )

    def contradictions(self, members: Members) -> Faults:
        """Return what the ruleset lacks, and errors in the clock, the members of the other format and the start."""
        faults, clock = super().contradictions(members), members.valid.get("clock", {})
        for name, most in (("turn_s", LONGEST_TURN_S), ("bank_s", LONGEST_BANK_S)):
            if clock.get(name, 0) > most:
                faults[f"/clock/{name}"] = f"must be at most {most} in a competition"
        for name in FIELDS_OF_OTHER_FORMATS.get(members.valid.get("format", ""), ()):
            if members.valid.get(name) is not None:
                faults[f"/{name}"] = f"cannot be combined with the format {members.valid['format']}"
        if members.valid.get("starts_at") is not None:
            ahead_ms = parse_ms(members.valid["starts_at"]) - context().now_ms()
            if not -REPEATABLE_MS <= ahead_ms <= LATEST_START_MS:
                faults["/starts_at"] = START_ERROR
        return faults


class AdjudicationRequest(CheckedRequest):
    """The result of a game."""

    result = choice(ADJUDICATED_RESULT)
    seat = integer("Winning seat. Required for `win`, and null otherwise.", 0, 1, load_default=None)

    def contradictions(self, members: Members) -> Faults:
        """Return an error if the seat does not fit the result."""
        result, seat = members.valid.get("result"), members.given.get("seat")
        fits = result is None or (result == WIN) == (seat is not None)
        return {} if fits else {"/seat": "must be the winning seat for a win, and null otherwise"}


class EnterRequest(Request):
    """Options for entering a competition."""

    invitation = text("The competition's `invitation`, if required.", LONGEST_INVITATION, load_default=None)
    mixed = mixed_field()


class CompetitionsQuery(Request):
    """Filters and paging."""

    status = choice(LISTED_STATUS, "Filter by status.", required=False)
    first = first_field(MAX_PLACE)
    limit = limit_field(most=MAX_COMPETITIONS_SHOWN)


class CompetitionGamesQuery(Request):
    """Filters and paging."""

    round = query_integer("Round of a Swiss; all rounds if omitted.", 1, MAX_ROUNDS)
    first = first_field(MAX_PLACE)
    limit = limit_field(MAX_COMPETITIONS_SHOWN, 500)
