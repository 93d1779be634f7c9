"""What is answered, beside what the rulesets say themselves.

Answers are mostly stored bytes and never pass through these; the tests hold every answer against the document that
is generated from them.
"""

from __future__ import annotations

from marshmallow import fields, validate

from service.games.endpoints import FAILURES_TOLD
from service.games.seats import SEAT_STATUSES
from service.web.api import Schema
from service.web.schemas.catalogue import Checks
from service.web.schemas.fields import choice, counter, flag, seat_number, text, when, whole
from service.web.schemas.names import (
    CALL_FAILURE,
    GAME_STATUS,
    OFFER_KIND,
    OUTAGE,
    SEAT_KIND,
    STAND_IN,
    TOKEN_ROLE,
    VISIBILITY,
)
from service.web.schemas.unions import Action, Choices, Position, tagged


class Fault(Schema):
    """One fault of a request."""

    location = choice(["body", "query", "header"], "The part of the request.", data_key="in")
    pointer = text("JSON pointer into that part.")
    detail = text("What is wrong there.")


class Problem(Schema):
    """A problem document (RFC 9457). Some codes add members of their own."""

    type = text("URI of the code's explanation.")
    title = text("What it is, for people.")
    status = whole("The HTTP status.", 400)
    code = text("What it is, for programs; /docs lists them all.")
    request_id = text("The request's id, for reports; also in X-Request-Id.")
    detail = fields.String(metadata={"description": "What it is in this case, for people."})
    errors = fields.List(
        fields.Nested(Fault), metadata={"description": "The faults, for `request/invalid` and `notation/unreadable`."}
    )
    revision = counter("The game's present revision, of `game/stale_revision`.", required=False)
    href = fields.String(metadata={"description": "The game, of `game/stale_revision`."})
    reason = fields.String(metadata={"description": "The ruleset's code, of `game/illegal_action`."})
    to_decide = fields.Integer(
        allow_none=True, metadata={"description": "The seat whose turn it is, for `game/not_your_turn`."}
    )
    since = counter("The first revision that can be shown, of `game/rebased`.", required=False)
    until = when("When the game goes on by itself, of `game/paused`.", required=False)
    offer = counter("The caller's open offer, of `offer/open`.", required=False)
    event = counter("The number of the event, of `record/illegal_event`.", required=False)
    line = counter("The line at fault, of `notation/unreadable`.", 1, required=False)
    column = counter("The character at fault in that line, of `notation/unreadable`.", 1, required=False)
    token = fields.String(metadata={"description": "What stands there, of `notation/unreadable`."})
    field = fields.String(
        metadata={"description": "JSON pointer to what it would be in JSON, of `notation/unreadable`."}
    )
    budget = fields.String(metadata={"description": "The budget that is used up, for `limit/requests`."})
    limit = fields.Integer(
        metadata={"description": "How many one may have, of `limit/…` other than `requests`, and of `game/log_full`."}
    )
    outage = fields.String(validate=validate.OneOf(OUTAGE), metadata={"description": "Why, of `service/unavailable`."})
    checks = fields.Nested(Checks, metadata={"description": "What is there, of `service/not_ready`."})


class EndpointHealth(Schema):
    """The state of the endpoint that plays a seat; its URL is shown to nobody."""

    health = choice(
        ["ok", "failing", "down"],
        "`failing`: it has not answered the present decision yet; `down`: it is not asked any more.",
    )
    failures = whole("How often in a row there was no decision.")
    failure = choice(CALL_FAILURE, FAILURES_TOLD, allow_none=True)
    rule = text("The rules' reason, where its answer was illegal.", allow_none=True)
    retry_at = when("When it is asked again; null: now, or never.", allow_none=True)
    timeout_s = fields.Float(required=True, metadata={"description": "Seconds an answer may take."})
    attempts = whole("How often it is asked for one decision.", 1)
    on_failure = choice(STAND_IN, "What follows then: an `ai` plays on for good, or the seat must `lose`.")


class Seat(Schema):
    """A place at the game."""

    kind = choice(SEAT_KIND, "`player`: a person holds it; `open`: to be claimed; `http`: an endpoint is asked.")
    name = text("The person's, or the bot's.", allow_none=True)
    level = text("The AI's; of an endpoint's seat, of the AI that plays when it has failed.", allow_none=True)
    player = text("Id of the player who has it; null where a token of the game is all there is.", allow_none=True)
    status = choice(
        SEAT_STATUSES,
        "`active`; `away`: its person ran out of time, or its endpoint failed, and an AI plays until somebody claims "
        "it; `resigned`, `timed_out`, `failed`: an AI plays on, and it ranks last.",
    )
    score = whole("Points; null before the start.", None, allow_none=True)
    replaceable_at = when(
        "The moment from which the seat may be claimed with the invite token, as its person is gone; null: it may not.",
        allow_none=True,
    )
    endpoint = fields.Nested(
        EndpointHealth,
        required=True,
        allow_none=True,
        metadata={"description": "The endpoint of a seat of kind `http`; else null."},
    )


class Clock(Schema):
    """Everybody's time. A turn is a run of decisions of one seat that neither another seat nor a draw interrupts."""

    turn_s = whole("Seconds every turn has of its own.")
    bank_s = whole("Seconds a seat had in its bank at the start; what a turn takes beyond its own time comes from it.")
    on_timeout = choice(STAND_IN, "What happens when time is up: an `ai` plays on, or the seat must `lose`.")
    level = text("The AI's, that plays on.")
    banks = fields.List(
        fields.Float(),
        required=True,
        metadata={"description": "Seconds left by seat, as of the beginning of the present turn."},
    )
    seat = seat_number("The seat whose turn is counted; null where none is.", allow_none=True)
    deadline = when("When its time is up, turn and bank; null while none runs.", allow_none=True)


class Offer(Schema):
    """Something that the people of the game must agree about."""

    id = counter("The offer's id, which an answer names; the revision of its event.", 1)
    kind = choice(OFFER_KIND, "What is offered.")
    seat = seat_number("The seat that offers.")
    accepted = fields.List(fields.Integer(), required=True, metadata={"description": "The seats that agreed."})
    awaiting = fields.List(fields.Integer(), required=True, metadata={"description": "The seats that must answer."})
    to = counter("The revision whose position a takeback restores.", 1, allow_none=True)
    across_draw = flag("Whether a takeback undoes a draw; the game is then no longer `fair`.")
    seconds = whole("The longest that a pause lasts, in seconds.", 1, allow_none=True)


class GameSummary(Schema):
    """A game in a listing."""

    id = text("96 random bits.")
    ruleset = text("The ruleset's id.")
    ruleset_version = whole("The version of the rules that the game is played by.", 1)
    variant = text("The side of the board.")
    visibility = choice(VISIBILITY, "The callers who may read the game.")
    revision = counter("Number of events in its log; also its entity tag.", 1)
    status = choice(GAME_STATUS, "`open`: seats are still to be claimed.")
    fair = flag("Whether nobody could know a draw before it was made.")
    help = flag("Whether it may be analysed before it is over.")
    rated = fields.Boolean(
        metadata={
            "description": "Whether its end changes ratings; absent from what earlier versions stored: it is not."
        }
    )
    mixed = fields.Boolean(
        metadata={
            "description": "Whether people and programs are rated in it together: whoever takes a seat says so, too. "
            "Absent from what earlier versions stored: they are not."
        }
    )
    from_position = flag("Whether it began at a position that its creator posted, not at the set-up.")
    seats = fields.List(fields.Nested(Seat), required=True, metadata={"description": "The seats in the order of play."})
    to_decide = seat_number("The seat to decide; null while nobody is.", allow_none=True)
    clock = fields.Nested(
        Clock, required=True, allow_none=True, metadata={"description": "The clock; null: time does not count."}
    )
    paused_until = when("When the pause ends by itself; null: the game is not paused.", allow_none=True)
    created_at = when("When it was created.")
    updated_at = when("When its last event happened.")
    expires_at = when(
        "When it will be deleted if nothing happens. A finished game can be read after that where there is an archive."
    )


class SeatOutcome(Schema):
    """How a seat ended."""

    score = whole("The points.", None)
    rank = whole("1 is first; equal seats share a rank.", 1)
    won = flag("Whether it ranks first.")
    breakdown = fields.Dict(
        keys=fields.String(),
        values=fields.Integer(),
        required=True,
        metadata={"description": "Where the points came from."},
    )


class Outcome(Schema):
    """How a game ended."""

    reason = choice(
        ["completed", "resignation", "timeout", "failure"],
        "Why the game ended: by the rules, or all but one resigned, ran out of time, or had an endpoint that failed.",
    )
    seats = fields.List(fields.Nested(SeatOutcome), required=True)


class LegalAction(Schema):
    """An action the seat to decide may take."""

    id = text("Stable within the ruleset.")
    action = fields.Nested(Action, required=True)
    notation = text("The action as a short text, such as `3b4`.")
    text = text("The sentence for people.")


class Game(GameSummary):
    """A game as everybody may see it: the same for every viewer."""

    position = fields.Nested(
        Position, required=True, allow_none=True, metadata={"description": "The position; null before the start."}
    )
    outcome = fields.Nested(
        Outcome, required=True, allow_none=True, metadata={"description": "The outcome; null before the end."}
    )
    offers = fields.List(
        fields.Nested(Offer), required=True, metadata={"description": "The offers that wait for answers."}
    )
    rematch_of = text("Id of the game before.", allow_none=True)
    rematch = text("Id of the game that follows, once it is agreed; the same tokens hold there.", allow_none=True)
    seed_commitment = text("SHA-256 of the seed, in hex.")
    seed = text("32 bytes in hex; null until the game is over.", allow_none=True)
    actions = fields.List(
        fields.Nested(LegalAction),
        metadata={"description": "The legal actions, at most 500; only with `include=actions`."},
    )
    actions_total = fields.Integer(
        metadata={"description": "The number of legal actions; only with `include=actions`."}
    )


class Tokens(Schema):
    """Bearer tokens; each is shown once and cannot be shown again."""

    host = text("Starts and aborts the game, changes its tokens.")
    seats = fields.Dict(
        keys=fields.String(),
        values=fields.String(),
        required=True,
        metadata={"description": "The tokens, by number, of the seats of kind `player` that belong to no player."},
    )
    secrets = fields.Dict(
        keys=fields.String(),
        values=fields.String(),
        required=True,
        metadata={"description": "The secrets, by number of the seat, with which endpoints verify our requests."},
    )
    invite = text("Reads a private game and claims its seats; in every game, claims the seats of people who are gone.")
    watch = text("Reads a private game, and what its people say.")


class CreatedGame(Schema):
    """A new game."""

    game = fields.Nested(Game, required=True)
    tokens = fields.Nested(Tokens, required=True)


class GivenSeat(Schema):
    """A seat that has a new holder."""

    game = fields.Nested(Game, required=True)
    seat = seat_number("The seat.")
    token = text("Decides for the seat; null where it is a player's, whose own token does.", allow_none=True)


class GivenToken(Schema):
    """A new token; the role's former one ended with it."""

    role = choice(TOKEN_ROLE, "The role that the token is of.")
    token = text("It is told once.")


class Ticket(Schema):
    """A ticket for a query where no header can be sent; it can be used once."""

    ticket = text("The value for `?ticket=`.")
    expires_at = when("A minute after it was given.")


class Message(Schema):
    """A message in a game."""

    number = whole("The message's number, counted from 1.", 1)
    seat = seat_number("The seat that sent it; null: the host.", allow_none=True)
    text = text("The text as it was written: not HTML.")
    at = when("The moment it was sent.")


class Messages(Schema):
    """Messages, oldest first; the last 200 are kept."""

    messages = fields.List(fields.Nested(Message), required=True)


class Turns(Schema):
    """Games that wait for the caller's decision."""

    games = fields.List(
        fields.Nested(GameSummary), required=True, metadata={"description": "Longest waiting first, at most 100."}
    )


class GamePage(Schema):
    """A page of the listing, last changed first."""

    games = fields.List(fields.Nested(GameSummary), required=True)
    next_cursor = text("The cursor of the next page; null on the last.", allow_none=True)


def _form(name: str) -> fields.String:
    return fields.String(required=True, validate=validate.OneOf([name]), metadata={"enum": [name]})


class LegalActions(Schema):
    """What the seat to decide may do, each action by itself."""

    form = _form("list")
    revision = counter("The game's revision.", 1)
    seat = seat_number("The seat to decide; null where nobody is.", allow_none=True)
    total = whole("How many pass the filters, on all pages.")
    actions = fields.List(fields.Nested(LegalAction), required=True)
    next_cursor = text("The cursor of the next page; null on the last.", allow_none=True)


class LegalChoices(Schema):
    """What the seat to decide may do, in factored form: for a front end that highlights what can be chosen next."""

    form = _form("choices")
    revision = counter("The game's revision.", 1)
    seat = seat_number("The seat to decide; null where nobody is.", allow_none=True)
    total = whole("How many actions the choices stand for.")
    choices = fields.Nested(
        Choices,
        required=True,
        allow_none=True,
        metadata={"description": "The choices; null where nobody is to decide."},
    )


Legal = tagged(
    "Legal", "form", {"list": LegalActions, "choices": LegalChoices}, "The legal actions, in the form asked for."
)
