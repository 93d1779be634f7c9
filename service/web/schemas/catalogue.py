"""What is answered about the service itself: what can be played, against whom, and how it is."""

from __future__ import annotations

from marshmallow import fields

from service.web.api import Schema
from service.web.schemas.fields import choice, flag, text, whole
from service.web.schemas.names import OUTAGE
from service.web.schemas.unions import Components


class Links(Schema):
    """Where to begin."""

    document = text("The OpenAPI document.")
    reference = text("The document as pages for people.")
    guide = text("How to write a first game, for people.")
    table = text("A table to play at, for people.")
    rulesets = text("What can be played.")
    levels = text("Against which AIs.")
    games = text("The public games.")


class Index(Schema):
    """What this service is."""

    name = text("The service's name.")
    version = text("The version of the API.")
    links = fields.Nested(Links, required=True)


class Reason(Schema):
    """Why the rules may refuse an action."""

    code = text("The code as in `reason` of `game/illegal_action`.")
    text = text("The sentence for people.")


def _by_type() -> fields.Dict:
    return fields.Dict(
        keys=fields.String(), values=fields.String(), required=True, metadata={"description": "URLs by `type`."}
    )


class RulesetSchemas(Schema):
    """Where the document describes what this ruleset says."""

    position = text("URL of a schema.")
    choices = text("URL of the schema of the factored form of the legal actions.")
    action = text("URL of the union of `actions`.")
    draw = text("URL of the union of `draws`.")
    effect = text("URL of the union of `effects`.")
    actions = _by_type()
    draws = _by_type()
    effects = _by_type()


class RulesetSummary(Schema):
    """Something that can be played."""

    id = text("The ruleset's id.")
    version = whole("Raised whenever a rule changes; games keep theirs.", 1)
    variants = fields.List(fields.String(), required=True)
    seat_counts = fields.List(fields.Integer(), required=True)


class Ruleset(RulesetSummary):
    """What can be played, with all that a front end must draw and know."""

    components = fields.Nested(Components, required=True)
    reasons = fields.List(fields.Nested(Reason), required=True)
    schemas = fields.Nested(RulesetSchemas, required=True)


class RulesetList(Schema):
    """What can be played."""

    rulesets = fields.List(fields.Nested(RulesetSummary), required=True)


def _elo(description: str) -> fields.Float:
    return fields.Float(required=True, allow_none=True, metadata={"description": description})


class Strength(Schema):
    """Measured against the level below, which sat on all other seats: equal play wins 1 / seats."""

    ruleset = text("The ruleset.")
    variants = fields.List(
        fields.String(), required=True, metadata={"description": "The sides of the board, played by turns."}
    )
    seats = whole("How many sat at the table.", 2)
    level = text("The level.")
    against = text("The other level.")
    wins = fields.Float(required=True, metadata={"description": "Share of games won; a tie is shared."})
    low = fields.Float(required=True, metadata={"description": "Lower end of the 95 % interval."})
    high = fields.Float(required=True, metadata={"description": "The upper end of the interval."})
    games = whole("How many were played.")
    elo = _elo("Rating above `random`, at two seats; null with more, and where a step below was not measured.")
    elo_low = _elo("Lower end of its 95 % interval.")
    elo_high = _elo("The upper end of the interval.")
    measured = text("The date of the measurement.")
    command = text("What measured it.")


class Level(Schema):
    """How strong an AI plays."""

    id = text("The level's id.")
    name = text("The name for people.")
    strength = fields.List(
        fields.Nested(Strength),
        required=True,
        metadata={"description": "The measured strength; empty where nothing was measured."},
    )
    budget_s = fields.Float(required=True, metadata={"description": "Seconds it thinks about one decision, at most."})
    description = text("What to expect.")


class LevelList(Schema):
    """The levels, weakest first."""

    levels = fields.List(fields.Nested(Level), required=True)


class Health(Schema):
    """The process is alive."""

    status = choice(["ok"], "The word `ok`.")


class Checks(Schema):
    """What the service needs to serve games, and how much of it is there."""

    redis = flag("Whether the store answers, and can be written.")
    outage = choice(
        OUTAGE,
        "Why not; null where nothing is wrong. `read_only`, `out_of_memory`, `disk` and `too_few_replicas` leave "
        "reading possible.",
        allow_none=True,
    )
    workers = whole("Workers with a heartbeat.")
    keepers = whole("Keepers with a heartbeat.")
    dialers = whole("Dialers with a heartbeat; needed only where the operator allows calls.")
    queue_age_s = fields.Float(required=True, metadata={"description": "How long the oldest job has been waiting."})
    compiled = whole("Rulesets whose rules run compiled; the others are slow until they do.")


class Readiness(Checks):
    """Able to serve games, AI seats included."""

    status = choice(["ready"], "The word `ready`; a service that is not ready answers 503.")
