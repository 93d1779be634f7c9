"""Schemas about the service: rulesets, AI levels and health."""

from __future__ import annotations

from marshmallow import fields

from service.web.api import Schema
from service.web.schemas.base.fields import array, by_name, choice, flag, integer, nest, number, text
from service.web.schemas.base.names import OUTAGE, WARNING
from service.web.schemas.base.unions import Components


class Links(Schema):
    """URLs of the entry points."""

    document = text()
    streams = text("Description of the event streams and webhooks.")
    reference = text("API reference as web pages.")
    guide = text("Tutorial for a first game.")
    table = text("Table to play at in a browser.")
    rulesets = text()
    levels = text()
    games = text()


class Index(Schema):
    """The service and its entry points."""

    name = text()
    version = text("API version.")
    links = nest(Links)


class Reason(Schema):
    """A reason why the rules refuse an action."""

    code = text("Code, as in `reason` of `game/illegal_action`.")
    text = text()


class RulesetSchemas(Schema):
    """URLs of the ruleset's schemas in the OpenAPI document."""

    position = text()
    choices = text("Legal actions as choices.")
    action = text("Union of `actions`.")
    draw = text("Union of `draws`.")
    effect = text("Union of `effects`.")
    actions = by_name("Schema URLs by `type`.")
    draws = by_name("Schema URLs by `type`.")
    effects = by_name("Schema URLs by `type`.")


class RulesetSummary(Schema):
    """A ruleset."""

    id = text()
    version = integer("Incremented with every rule change.", 1)
    variants = array(text())
    seat_counts = array(fields.Integer())


class Ruleset(RulesetSummary):
    """A ruleset with everything that a front end needs to draw it."""

    components = nest(Components)
    reasons = array(Reason)
    schemas = nest(RulesetSchemas)


class RulesetList(Schema):
    """The available rulesets."""

    rulesets = array(RulesetSummary)


def _elo(description: str) -> fields.Float:
    return number(description, allow_none=True)


class Strength(Schema):
    """Win rate against a weaker level on all other seats. Equal strength wins 1 / seats."""

    ruleset = text()
    variants = array(text(), "Variants, played in turn.")
    seats = integer("Number of seats.", 2)
    level = text()
    against = text("Level on the other seats.")
    wins = number("Share of games won. Ties count in part.")
    low = number("Lower bound of the 95 % interval.")
    high = number("Upper bound of the 95 % interval.")
    games = integer("Number of games.")
    elo = _elo("Elo above `random` with two seats; null with more seats or if a lower level was not measured.")
    elo_low = _elo("Lower bound of the 95 % interval.")
    elo_high = _elo("Upper bound of the 95 % interval.")
    measured = text("Date of the measurement.")
    command = text("Command that made the measurement.")


class Level(Schema):
    """A playing strength of the AI."""

    id = text()
    name = text("Display name.")
    strength = array(Strength)
    budget_s = number("Maximum thinking time per decision, in seconds of processor time.")
    description = text()


class LevelList(Schema):
    """The levels, weakest first."""

    levels = array(Level)


class Health(Schema):
    """The process is alive."""

    status = choice(["ok"])


class Checks(Schema):
    """State of the service's dependencies."""

    redis = flag("Whether Redis responds, accepts writes and has no newer version of the store.")
    outage = choice(
        OUTAGE,
        "Reason, or null. Reads still work if `read_only`, `out_of_memory`, `disk` or `too_few_replicas`.",
        allow_none=True,
    )
    workers = integer("Running workers.")
    keepers = integer("Running keepers.")
    dialers = integer("Running dialers, needed only if calls are enabled.")
    queue_age_s = number("Waiting time of the oldest job, in seconds.")
    warnings = array(choice(WARNING), "Faults with which the service still runs. `make doctor` explains them.")
    store_version = integer("Version of the store that this process uses. The operator's guide to upgrades lists all.")
    compiled = integer("Rulesets with compiled rules. Others are slow until they are compiled.")


class Readiness(Checks):
    """The service can serve games, including AI seats."""

    status = choice(
        ["ready", "degraded"],
        "`degraded`: games can be played, but there are `warnings`. A service that is not ready responds with 503.",
    )
