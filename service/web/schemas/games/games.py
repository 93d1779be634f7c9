"""Schemas of responses about games.

Most responses are stored bytes that do not pass through these schemas. The tests validate every response against the
document generated from them.
"""

from __future__ import annotations

from marshmallow import fields

from service.games.state.seats import SEAT_STATUSES
from service.web.api import Schema
from service.web.schemas.base.catalogue import Checks
from service.web.schemas.base.fields import (
    UNTIMED,
    VARIANT,
    array,
    by_name,
    choice,
    counter,
    flag,
    instant,
    integer,
    nest,
    number,
    seat_number,
    text,
)
from service.web.schemas.base.names import (
    CALL_FAILURE,
    GAME_STATUS,
    OFFER_KIND,
    OUTAGE,
    SEAT_KIND,
    STAND_IN,
    TOKEN_ROLE,
    VISIBILITY,
)
from service.web.schemas.base.unions import Action, Choices, Position


class Fault(Schema):
    """A validation error."""

    location = choice(["body", "query", "header"], "Part of the request.", data_key="in")
    pointer = text("JSON pointer to the invalid value.")
    detail = text()


class Problem(Schema):
    """A problem document (RFC 9457). Some codes add members."""

    type = text("URI that explains the code.")
    title = text()
    status = integer("HTTP status.", 400)
    code = text("Stable error code for programs.")
    request_id = text("Id of the request, for bug reports; also in `X-Request-Id`.")
    detail = text("Explanation of this occurrence.", required=False)
    errors = array(
        Fault,
        "Validation errors, for `request/invalid`, `notation/unreadable`, `game/illegal_action` and `bot/declines`.",
        required=False,
    )
    revision = counter(
        "Current revision of the game, for `game/stale_revision` and `game/revision_not_found`.", required=False
    )
    href = text("URL of the game, for `game/stale_revision`.", required=False)
    reason = text(
        "The ruleset's code, for `game/illegal_action`; the staff's, for `auth/banned` and `service/maintenance`; the "
        "failed check, for `identity/refused`.",
        required=False,
    )
    to_decide = integer("Seat to decide, for `game/not_your_turn`.", None, allow_none=True, required=False)
    since = counter("First available revision, for `game/rebased`.", required=False)
    until = instant(
        "When the pause, mute, ban, exclusion, maintenance or wait for a new handle ends, if it does.", required=False
    )
    became = text("Current status, for `challenge/answered` and `competition/closed`.", required=False)
    open_to = text("`people` or `bots`: who can join, for `competition/not_for_you`.", required=False)
    contact = text("URL of a contact for appeals, for `auth/banned`, if the service has one.", required=False)
    offer = counter("Id of the caller's open offer, for `offer/open`.", required=False)
    event = counter("Number of the illegal event, for `record/illegal_event`.", required=False)
    line = counter("Line of the error, for `notation/unreadable` and `request/malformed`.", 1, required=False)
    column = counter("Column of the error, for `notation/unreadable` and `request/malformed`.", 1, required=False)
    token = text("Unreadable text, for `notation/unreadable`.", required=False)
    field = text("JSON pointer to the equivalent, for `notation/unreadable`.", required=False)
    budget = text("Exhausted budget, for `limit/requests`.", required=False)
    limit = integer(
        "Maximum number, for `game/log_full`, `competition/full`, `bot/busy` and `limit/…`, if it is known.",
        None,
        required=False,
    )
    outage = choice(OUTAGE, "Reason, for `service/unavailable`.", required=False)
    checks = nest(Checks, "State of the service, for `service/not_ready`.", required=False)


class EndpointHealth(Schema):
    """State of the endpoint that plays a seat. Its URL is never shown."""

    health = choice(
        ["ok", "failing", "down"],
        "`failing`: attempts at the current decision failed; retrying. `down`: no longer called.",
    )
    failures = integer("Consecutive failed attempts.")
    failure = choice(CALL_FAILURE, allow_none=True)
    rule = text("Reason code of the rules if the action was illegal; else null.", allow_none=True)
    retry_at = instant("Time of the next attempt, or null.", allow_none=True)
    timeout_s = number("Time limit for a response, in seconds.")
    attempts = integer("Attempts per decision.", 1)
    on_failure = choice(STAND_IN)


class Seat(Schema):
    """A seat of a game."""

    kind = choice(SEAT_KIND)
    name = text("Name of the person or bot, the handle of an account without a name, or null.", allow_none=True)
    level = text("Level of the AI; for `http`, of the AI that takes over. Else null.", allow_none=True)
    player = text("Id of the player, or null if the seat belongs to no account.", allow_none=True)
    status = choice(
        SEAT_STATUSES,
        "`away`: after a time-out or endpoint failure, an AI plays until someone claims the seat. `resigned`, "
        "`timed_out`, `failed`: an AI plays on, and the seat ranks last.",
    )
    score = integer("Points, or null before the start.", None, allow_none=True)
    replaceable_at = instant(
        "When the seat of an absent person can be claimed with the invite token, or null.", allow_none=True
    )
    endpoint = nest(EndpointHealth, "State of the endpoint of an `http` seat; else null.", allow_none=True)


class ClockSettings(Schema):
    """Time per turn, plus a bank for longer turns."""

    turn_s = integer("Seconds per turn.")
    bank_s = integer("Seconds in each seat's bank.")
    on_timeout = choice(STAND_IN)
    level = text("Level of the AI that takes over.")


class Clock(ClockSettings):
    """A clock. A turn is a series of decisions of one seat, uninterrupted by other seats and draws."""

    bank_s = integer("Seconds in each seat's bank at the start. Turns beyond `turn_s` use the bank.")
    banks = array(number(), "Seconds left in each seat's bank when the current turn began.")
    seat = seat_number("Seat with the running clock, or null.", allow_none=True)
    deadline = instant("When turn and bank are used up, or null.", allow_none=True)


class Offer(Schema):
    """An open offer between the people of a game."""

    id = counter("Id of the offer: the revision of its event.", 1)
    kind = choice(OFFER_KIND)
    seat = seat_number("Seat that made the offer.")
    accepted = array(fields.Integer(), "Seats that accepted.")
    awaiting = array(fields.Integer(), "Seats that have not answered.")
    to = counter("Revision that a takeback restores, or null.", 1, allow_none=True)
    across_draw = flag("Whether a takeback undoes a draw. The game is then no longer `fair`.")
    seconds = integer("Maximum length of a pause in seconds, or null.", 1, allow_none=True)
    ends_at = instant("Latest time at which the offer lapses. Absent in games of earlier versions.", required=False)


class GameSummary(Schema):
    """Summary of a game."""

    id = text("Anyone who knows the id can read the game, unless it is private.")
    ruleset = text()
    ruleset_version = integer("Version of the rules.", 1)
    variant = text(VARIANT)
    visibility = choice(VISIBILITY)
    revision = counter("Number of events in the log; also the entity tag.", 1)
    status = choice(GAME_STATUS)
    fair = flag("Whether no one could know a draw in advance.")
    help = flag("Whether the game may be analysed before it is over.")
    rated = flag("Whether the game is rated. Absent in unrated games of earlier versions.", required=False)
    mixed = flag("Whether people and bots are rated together. Absent in games of earlier versions.", required=False)
    competition = text(
        "Id of the competition, or null. Absent in games of earlier versions.", allow_none=True, required=False
    )
    from_position = flag("Whether the game started from a posted position.")
    seats = array(Seat, "Seats in turn order.")
    to_decide = seat_number("Seat to decide, or null.", allow_none=True)
    clock = nest(Clock, UNTIMED, allow_none=True)
    paused_until = instant("When the pause ends, or null.", allow_none=True)
    created_at = instant()
    updated_at = instant("Time of the last event.")
    expires_at = instant("When the game is deleted without further events. An archive keeps finished games readable.")


class SeatOutcome(Schema):
    """Result of a seat."""

    score = integer("", None)
    rank = integer("Rank from 1. Tied seats share a rank.", 1)
    won = flag("Whether the seat ranks first.")
    breakdown = by_name("Points by source.", fields.Integer())


class Outcome(Schema):
    """Result of a game."""

    reason = choice(
        ["completed", "resignation", "timeout", "failure", "adjudication"],
        "`completed`: by the rules. `adjudication`: decided by the host of the competition or the operator. Otherwise "
        "all seats but one resigned, timed out or had a failing endpoint.",
    )
    seats = array(SeatOutcome)


class LegalAction(Schema):
    """A legal action of the seat to decide."""

    id = text("Stable within the ruleset.")
    action = nest(Action)
    notation = text("Notation, such as `3b4`.")
    text = text()


class NamedAction(Schema):
    """An action in all representations."""

    id = text()
    action = nest(Action)
    notation = text("Notation, such as `3b4`.")
    text = text()


class LineAction(NamedAction):
    """An action of an expected continuation."""

    seat = seat_number()


class Game(GameSummary):
    """A game, identical for every viewer."""

    position = nest(Position, "The position, or null before the start.", allow_none=True)
    outcome = nest(Outcome, "The outcome, or null before the end.", allow_none=True)
    offers = array(Offer)
    rematch_of = text("Id of the previous game, or null.", allow_none=True)
    rematch = text("Id of the agreed rematch, or null. The same tokens are valid there.", allow_none=True)
    seed_commitment = text("SHA-256 of the seed, in hex.")
    seed = text("32 bytes in hex; null until the game is over.", allow_none=True)
    actions = array(LegalAction, "Up to 500 legal actions; only with `include=actions`.", required=False)
    actions_total = integer("Number of legal actions; only with `include=actions`.", None, required=False)


class Tokens(Schema):
    """Bearer tokens of a game, which are shown only once."""

    host = text("Starts and aborts the game and replaces its tokens.")
    seats = by_name("Tokens by seat number, for `player` seats that belong to no account.")
    secrets = by_name("Signing secrets by seat number, with which endpoints verify requests.")
    invite = text("Reads a private game and claims its seats; in any game, claims seats of absent people.")
    watch = text("Reads a private game and its messages.")


class CreatedGame(Schema):
    """A new game and its tokens."""

    game = nest(Game)
    tokens = nest(Tokens)


class GivenSeat(Schema):
    """A seat with a new holder."""

    game = nest(Game)
    seat = seat_number()
    token = text("Token of the seat; null if it belongs to an account, whose token is used instead.", allow_none=True)


class GivenToken(Schema):
    """A new token. The role's previous token is revoked."""

    role = choice(TOKEN_ROLE)
    token = text("Shown only once.")


class Ticket(Schema):
    """A single-use ticket for requests that cannot send headers."""

    ticket = text("Value for `?ticket=`.")
    expires_at = instant("One minute after creation.")


class Message(Schema):
    """A message in a game."""

    number = integer("Message number, from 1.", 1)
    seat = seat_number("Seat of the sender, or null for the host.", allow_none=True)
    text = text("Plain text, not HTML.")
    at = instant()
    deletes = integer("Number of the message that a moderator deleted, or null.", 1, allow_none=True)


class Messages(Schema):
    """Messages, oldest first; the last 200 are kept."""

    messages = array(Message)


class Turns(Schema):
    """Games that wait for the caller's decision."""

    games = array(GameSummary, "Longest waiting first, at most 100.")


class GamePage(Schema):
    """A page of games, most recently changed first."""

    games = array(GameSummary)
    next_cursor = text("Cursor of the next page, or null.", allow_none=True)


class LegalActions(Schema):
    """A page of the legal actions of the seat to decide."""

    revision = counter("", 1)
    seat = seat_number("Seat to decide, or null.", allow_none=True)
    total = integer("Number of matching actions on all pages.")
    actions = array(LegalAction)
    next_cursor = text("Cursor of the next page, or null.", allow_none=True)


class LegalChoices(Schema):
    """The legal actions of the seat to decide as choices."""

    revision = counter("", 1)
    seat = seat_number("Seat to decide, or null.", allow_none=True)
    total = integer("Number of legal actions.")
    choices = nest(Choices, "The choices, or null if no seat decides.", allow_none=True)
