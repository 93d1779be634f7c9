"""Bots that one can find."""

from __future__ import annotations

from marshmallow import fields, validate

from service.rulesets.seats import MOST_SEATS
from service.storage.bots import MOST_BOTS_OF_AN_OWNER
from service.usecases.core.bots import EVERYBODY, MOST_GAMES_AT_ONCE
from service.web.api import Request, Schema
from service.web.schemas.accounts import Player
from service.web.schemas.endpoint_requests import BotEndpointRequest
from service.web.schemas.fields import choice, flag, text, when, whole
from service.web.schemas.names import BOT_OPPONENTS, BOT_RATED, RULESET
from service.web.schemas.queries import MOST
from service.web.schemas.request_fields import StrictBoolean
from service.web.schemas.requests import LONGEST_TURN_S

ONLINE = (
    "Whether it would play now: one that polls has sent a request, or followed a stream, in the last 90 seconds; the "
    "endpoint of one that is called has not failed in the last ten minutes."
)
RATED = "Against whom it plays rated games."
OPPONENTS = "Whom it plays with."
ARENA = "Whether it takes part in the bots' arena."


class Seconds(Schema):
    """Bounds of a time."""

    least = whole("The fewest seconds.")
    most = whole("The most seconds.")


class Bot(Schema):
    """A program that one can find and play with, and what it plays."""

    player = fields.Nested(Player, required=True)
    owner = fields.Nested(
        Player, required=True, allow_none=True, metadata={"description": "The player whose it is; null: nobody's."}
    )
    called = flag("Whether its endpoint is called for its decisions; it accepts challenges at once. Else it polls.")
    rulesets = fields.List(
        choice(RULESET, "A ruleset."), required=True, metadata={"description": "The rulesets that it plays."}
    )
    seats = fields.List(
        whole("A number of seats.", 2),
        required=True,
        metadata={"description": "The numbers of seats that it plays at."},
    )
    turn_s = fields.Nested(
        Seconds, required=True, metadata={"description": "The seconds for each turn of the clocks that it accepts."}
    )
    bank_s = fields.Nested(
        Seconds, required=True, metadata={"description": "The seconds in the bank of the clocks that it accepts."}
    )
    unclocked = flag("Whether it plays without a clock, too.")
    games_at_once = whole("The most games that it plays at once.", 1)
    rated = choice(BOT_RATED, RATED)
    opponents = choice(BOT_OPPONENTS, OPPONENTS)
    arena = flag(ARENA)
    points = whole("Its rating at the ruleset and seats asked for, or its best; 1500 for somebody new.", None)
    provisional = flag("Whether the rating is too uncertain to be taken for what it says.")
    online = flag(ONLINE)
    playing = whole("How many games it plays now, out of challenges, seeks and the bots' arena.")
    busy = flag("Whether it plays as many as it does at once: challenges are refused.")
    published_at = when("When it was published first.")


class PublishedBot(Schema):
    """A bot, and the secret of its endpoint, which is shown once."""

    bot = fields.Nested(Bot, required=True)
    secret = text(
        "What the calls of its endpoint are signed with, where it was made by this request; else null.", allow_none=True
    )


class BotPage(Schema):
    """Some of the bots."""

    bots = fields.List(fields.Nested(Bot), required=True, metadata={"description": "The bots, highest rated first."})
    next_cursor = text("The cursor of the next page; null on the last.", allow_none=True)


class OwnBots(Schema):
    """The bots of a player."""

    bots = fields.List(
        fields.Nested(Bot),
        required=True,
        metadata={"description": f"The bots, highest rated first, at most {MOST_BOTS_OF_AN_OWNER}."},
    )


class SecondsRequest(Request):
    """Bounds of a time."""

    least = fields.Integer(
        strict=True,
        load_default=0,
        validate=validate.Range(0, LONGEST_TURN_S),
        metadata={"description": "The fewest seconds."},
    )
    most = fields.Integer(
        strict=True,
        load_default=LONGEST_TURN_S,
        validate=validate.Range(0, LONGEST_TURN_S),
        metadata={"description": "The most seconds."},
    )


class BotRequest(Request):
    """What the bot plays."""

    rulesets = fields.List(
        choice(RULESET, "A ruleset."),
        required=True,
        validate=validate.Length(1, len(RULESET)),
        metadata={"description": "The rulesets that it plays."},
    )
    seats = fields.List(
        fields.Integer(
            strict=True, validate=validate.Range(2, MOST_SEATS), metadata={"description": "A number of seats."}
        ),
        load_default=[2],
        validate=validate.Length(1, MOST_SEATS - 1),
        metadata={"description": "The numbers of seats that it plays at."},
    )
    turn_s = fields.Nested(
        SecondsRequest,
        load_default={"least": 0, "most": LONGEST_TURN_S},
        metadata={"description": "The seconds for each turn of the clocks that it accepts."},
    )
    bank_s = fields.Nested(
        SecondsRequest,
        load_default={"least": 0, "most": LONGEST_TURN_S},
        metadata={"description": "The seconds in the bank of the clocks that it accepts."},
    )
    unclocked = StrictBoolean(load_default=True, metadata={"description": "Whether it plays without a clock, too."})
    games_at_once = fields.Integer(
        strict=True,
        load_default=1,
        validate=validate.Range(1, MOST_GAMES_AT_ONCE),
        metadata={"description": "The most games that it plays at once."},
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
            "description": "How it is called; null: it polls. Where `secret` is absent the endpoint keeps the one it "
            "has, or gets one."
        },
    )


class AdoptRequest(Request):
    """The bot that is to be the caller's."""

    token = fields.String(
        required=True,
        validate=validate.Length(1, 100),
        metadata={"description": "A token of the bot's of the scope `play`: who has it may say whose the bot is."},
    )


class BotsQuery(Request):
    """Filters and paging of the bots."""

    ruleset = fields.String(validate=validate.OneOf(RULESET), metadata={"description": "What it plays."})
    seats = fields.Integer(
        validate=validate.Range(2, MOST_SEATS), metadata={"description": "A number of seats that it plays at."}
    )
    online = fields.Boolean(truthy={"true"}, falsy={"false"}, metadata={"description": "Whether it would play now."})
    cursor = fields.String(
        validate=validate.Length(1, 200), metadata={"description": "The cursor, from `Link` or `next_cursor`."}
    )
    limit = fields.Integer(load_default=50, validate=validate.Range(1, 100), metadata={"description": MOST})
