"""Schemas of published bots."""

from __future__ import annotations

from marshmallow import validate

from service.rulesets.registry import RULESETS
from service.rulesets.seats import MAX_SEATS
from service.storage.matchmaking.bots import MAX_BOTS_OF_AN_OWNER
from service.usecases.base.published_bots import EVERYBODY, MAX_GAMES_AT_ONCE, NEVER, PEOPLE_ALONE
from service.web.api import Request, Schema
from service.web.schemas.base.accounts import Player
from service.web.schemas.base.checked_requests import CheckedRequest, Faults, Members
from service.web.schemas.base.endpoint_requests import BotEndpointRequest
from service.web.schemas.base.fields import array, choice, flag, instant, integer, nest, text
from service.web.schemas.base.names import BOT_OPPONENTS, BOT_RATED, RULESET
from service.web.schemas.base.queries import cursor_field, limit_field, query_flag, query_integer
from service.web.schemas.base.requests import LONGEST_TURN_S

TWO_SEATS = 2
ONLINE = (
    "Whether the bot is available. Polling bots: a request or an open stream in the last 90 seconds. Called bots: no "
    "failure of the endpoint in the last 10 minutes."
)
RATED = "Opponents in rated games."
OPPONENTS = "Opponents that the bot accepts."
SEATS = "Numbers of seats that the bot plays with."
TURN_DESCRIPTION = "Accepted seconds per turn."
BANK_DESCRIPTION = "Accepted seconds in the bank."
UNCLOCKED = (
    "Whether the bot accepts proposals without a clock. The game then gets one of 10 minutes a turn and an hour in the "
    "bank, or the nearest clock that the bot accepts."
)
GAMES_AT_ONCE = "Maximum number of simultaneous games."
ARENA = "Whether the bot takes part in the bots' arena."


class Seconds(Schema):
    """A range of seconds."""

    least = integer()
    most = integer()


class Bot(Schema):
    """A published bot and the games it accepts."""

    player = nest(Player)
    owner = nest(Player, "The owner, or null if the bot has none.", allow_none=True)
    called = flag("Whether the service calls the bot's endpoint. Called bots accept challenges at once; others poll.")
    disabled = flag("Whether the endpoint has failed for a day. Its owner must publish the bot again.")
    rulesets = array(choice(RULESET))
    seats = array(integer("", 2), SEATS)
    turn_s = nest(Seconds, TURN_DESCRIPTION)
    bank_s = nest(Seconds, BANK_DESCRIPTION)
    unclocked = flag(UNCLOCKED)
    games_at_once = integer(GAMES_AT_ONCE, 1)
    rated = choice(BOT_RATED, RATED)
    opponents = choice(BOT_OPPONENTS, OPPONENTS)
    arena = flag(ARENA)
    points = integer("Rating for the requested ruleset and seats, else the best rating; 1500 for a new bot.", None)
    provisional = flag("Whether the rating is still uncertain.")
    online = flag(ONLINE)
    playing = integer("Number of current games.")
    busy = flag("Whether `playing` has reached `games_at_once`; challenges are then refused.")
    published_at = instant()


class PublishedBot(Schema):
    """A bot and its endpoint's secret, which is shown only once."""

    bot = nest(Bot)
    secret = text("New secret that signs the calls. Null if `publishBot` set or kept it.", allow_none=True)


class BotPage(Schema):
    """A page of bots."""

    bots = array(Bot, "Highest rated first.")
    next_cursor = text("Cursor of the next page, or null.", allow_none=True)


class OwnBots(Schema):
    """The bots of a player."""

    bots = array(Bot, f"Highest rated first, at most {MAX_BOTS_OF_AN_OWNER}.")


class SecondsRequest(CheckedRequest):
    """A range of seconds."""

    least = integer("Minimum.", 0, LONGEST_TURN_S, load_default=0)
    most = integer("Maximum.", 0, LONGEST_TURN_S, load_default=LONGEST_TURN_S)

    def contradictions(self, members: Members) -> Faults:
        """Return an error if the range is empty."""
        is_empty = members.valid.get("least", 0) > members.valid.get("most", LONGEST_TURN_S)
        return {"/least": "must not be greater than `most`"} if is_empty else {}


class BotRequest(CheckedRequest):
    """Settings of a bot."""

    rulesets = array(choice(RULESET), validate=validate.Length(1, len(RULESET)))
    seats = array(integer("", 2, MAX_SEATS), SEATS, validate=validate.Length(1, MAX_SEATS - 1), load_default=[2])
    turn_s = nest(SecondsRequest, TURN_DESCRIPTION, load_default={"least": 0, "most": LONGEST_TURN_S})
    bank_s = nest(SecondsRequest, BANK_DESCRIPTION, load_default={"least": 0, "most": LONGEST_TURN_S})
    unclocked = flag(UNCLOCKED, load_default=True)
    games_at_once = integer(GAMES_AT_ONCE, 1, MAX_GAMES_AT_ONCE, load_default=1)
    rated = choice(BOT_RATED, RATED, load_default=EVERYBODY)
    opponents = choice(BOT_OPPONENTS, OPPONENTS, load_default=EVERYBODY)
    arena = flag(ARENA, load_default=False)
    endpoint = nest(
        BotEndpointRequest,
        "Endpoint of a called bot; null for a polling bot. If `secret` is omitted, the endpoint "
        "keeps its secret or gets a new one.",
        load_default=None,
    )

    def contradictions(self, members: Members) -> Faults:
        """Return contradictions with the rulesets, and between the clocks and the kinds of games."""
        faults, seats = {}, members.valid.get("seats")
        rulesets = members.valid.get("rulesets", (None,))
        if seats is not None and None not in rulesets:
            counts = sorted({count for ruleset in rulesets for count in RULESETS[ruleset].seat_counts})
            if not {*seats} <= {*counts, None}:
                faults["/seats"] = f"must only contain: {', '.join(map(str, counts))}"
        longest = [members.valid.get(name, {}).get("most", 1) for name in ("turn_s", "bank_s")]
        if not any(longest) and members.valid.get("unclocked") is False:
            faults["/turn_s/most"] = "must be greater than 0, unless `bank_s` has time or `unclocked` is true"
        if not members.valid.get("arena"):
            return faults
        if members.valid.get("rated") == NEVER:
            faults["/arena"] = "requires `rated` other than `never`: arena games are rated"
        elif members.valid.get("opponents") == PEOPLE_ALONE:
            faults["/arena"] = "requires `opponents` to include bots"
        elif seats is not None and not {TWO_SEATS, None} & {*seats}:
            faults["/arena"] = "requires `seats` to contain 2"
        return faults


class AdoptRequest(Request):
    """The bot to adopt."""

    token = text("A `play` token of the bot, as proof that you control it.", 100)


class BotsQuery(Request):
    """Filters and paging of the bots."""

    ruleset = choice(RULESET, "Only bots that play this ruleset.", required=False)
    seats = query_integer("Only bots that play with this number of seats.", 2, MAX_SEATS)
    online = query_flag("Filter by whether the bot is online.")
    cursor = cursor_field()
    limit = limit_field()
