"""Schemas of published bots."""

from __future__ import annotations

from marshmallow import fields, validate

from service.rulesets.seats import MOST_SEATS
from service.storage.matchmaking.bots import MOST_BOTS_OF_AN_OWNER
from service.usecases.base.published_bots import EVERYBODY, MOST_GAMES_AT_ONCE
from service.web.api import Request, Schema
from service.web.schemas.base.accounts import Player
from service.web.schemas.base.endpoint_requests import BotEndpointRequest
from service.web.schemas.base.fields import choice, flag, text, when, whole
from service.web.schemas.base.names import BOT_OPPONENTS, BOT_RATED, RULESET
from service.web.schemas.base.queries import MOST
from service.web.schemas.base.request_fields import StrictBoolean
from service.web.schemas.base.requests import LONGEST_TURN_S

ONLINE = (
    "Whether the bot is available. Polling bots: a request or an open stream in the last 90 seconds. Called bots: no "
    "failure of the endpoint in the last 10 minutes."
)
RATED = "Opponents in rated games."
OPPONENTS = "Opponents that the bot accepts."
SEATS = "Numbers of seats that the bot plays with."
TURN_S = "Accepted seconds per turn."
BANK_S = "Accepted seconds in the bank."
UNCLOCKED = "Whether the bot accepts untimed games."
GAMES_AT_ONCE = "Maximum number of simultaneous games."
ARENA = "Whether the bot takes part in the bots' arena."


class Seconds(Schema):
    """A range of seconds."""

    least = whole()
    most = whole()


class Bot(Schema):
    """A published bot and the games it accepts."""

    player = fields.Nested(Player, required=True)
    owner = fields.Nested(
        Player, required=True, allow_none=True, metadata={"description": "The owner, or null if the bot has none."}
    )
    called = flag("Whether the service calls the bot's endpoint. Called bots accept challenges at once; others poll.")
    rulesets = fields.List(choice(RULESET), required=True)
    seats = fields.List(whole("", 2), required=True, metadata={"description": SEATS})
    turn_s = fields.Nested(Seconds, required=True, metadata={"description": TURN_S})
    bank_s = fields.Nested(Seconds, required=True, metadata={"description": BANK_S})
    unclocked = flag(UNCLOCKED)
    games_at_once = whole(GAMES_AT_ONCE, 1)
    rated = choice(BOT_RATED, RATED)
    opponents = choice(BOT_OPPONENTS, OPPONENTS)
    arena = flag(ARENA)
    points = whole("Rating for the requested ruleset and seats, else the best rating; 1500 for a new bot.", None)
    provisional = flag("Whether the rating is still uncertain.")
    online = flag(ONLINE)
    playing = whole("Number of current games from challenges, seeks and the bots' arena.")
    busy = flag("Whether `playing` has reached `games_at_once`; challenges are then refused.")
    published_at = when()


class PublishedBot(Schema):
    """A bot and its endpoint's secret, which is shown only once."""

    bot = fields.Nested(Bot, required=True)
    secret = text("Secret that signs the calls, if this request generated it; else null.", allow_none=True)


class BotPage(Schema):
    """A page of bots."""

    bots = fields.List(fields.Nested(Bot), required=True, metadata={"description": "Highest rated first."})
    next_cursor = text("Cursor of the next page, or null.", allow_none=True)


class OwnBots(Schema):
    """The bots of a player."""

    bots = fields.List(
        fields.Nested(Bot),
        required=True,
        metadata={"description": f"Highest rated first, at most {MOST_BOTS_OF_AN_OWNER}."},
    )


class SecondsRequest(Request):
    """A range of seconds."""

    least = fields.Integer(
        strict=True,
        load_default=0,
        validate=validate.Range(0, LONGEST_TURN_S),
        metadata={"description": "Minimum."},
    )
    most = fields.Integer(
        strict=True,
        load_default=LONGEST_TURN_S,
        validate=validate.Range(0, LONGEST_TURN_S),
        metadata={"description": "Maximum."},
    )


class BotRequest(Request):
    """Settings of a bot."""

    rulesets = fields.List(
        choice(RULESET),
        required=True,
        validate=validate.Length(1, len(RULESET)),
    )
    seats = fields.List(
        fields.Integer(strict=True, validate=validate.Range(2, MOST_SEATS)),
        load_default=[2],
        validate=validate.Length(1, MOST_SEATS - 1),
        metadata={"description": SEATS},
    )
    turn_s = fields.Nested(
        SecondsRequest,
        load_default={"least": 0, "most": LONGEST_TURN_S},
        metadata={"description": TURN_S},
    )
    bank_s = fields.Nested(
        SecondsRequest,
        load_default={"least": 0, "most": LONGEST_TURN_S},
        metadata={"description": BANK_S},
    )
    unclocked = StrictBoolean(load_default=True, metadata={"description": UNCLOCKED})
    games_at_once = fields.Integer(
        strict=True,
        load_default=1,
        validate=validate.Range(1, MOST_GAMES_AT_ONCE),
        metadata={"description": GAMES_AT_ONCE},
    )
    rated = fields.String(load_default=EVERYBODY, validate=validate.OneOf(BOT_RATED), metadata={"description": RATED})
    opponents = fields.String(
        load_default=EVERYBODY, validate=validate.OneOf(BOT_OPPONENTS), metadata={"description": OPPONENTS}
    )
    arena = StrictBoolean(load_default=False, metadata={"description": ARENA})
    endpoint = fields.Nested(
        BotEndpointRequest,
        allow_none=True,
        load_default=None,
        metadata={
            "description": "Endpoint of a called bot; null for a polling bot. If `secret` is omitted, the endpoint "
            "keeps its secret or gets a new one."
        },
    )


class AdoptRequest(Request):
    """The bot to adopt."""

    token = fields.String(
        required=True,
        validate=validate.Length(1, 100),
        metadata={"description": "A `play` token of the bot, as proof that you control it."},
    )


class BotsQuery(Request):
    """Filters and paging of the bots."""

    ruleset = fields.String(
        validate=validate.OneOf(RULESET), metadata={"description": "Only bots that play this ruleset."}
    )
    seats = fields.Integer(
        validate=validate.Range(2, MOST_SEATS),
        metadata={"description": "Only bots that play with this number of seats."},
    )
    online = fields.Boolean(
        truthy={"true"}, falsy={"false"}, metadata={"description": "Filter by whether the bot is online."}
    )
    cursor = fields.String(
        validate=validate.Length(1, 200), metadata={"description": "Cursor from `Link` or `next_cursor`."}
    )
    limit = fields.Integer(load_default=50, validate=validate.Range(1, 100), metadata={"description": MOST})
