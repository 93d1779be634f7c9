"""Schemas of challenges from one player to another."""

from __future__ import annotations

from marshmallow import fields, validate

from service.usecases.matchmaking.challenging import DECLINE_REASONS
from service.web.api import Request, Schema
from service.web.schemas.base.accounts import Player
from service.web.schemas.base.fields import UNTIMED, VARIANT, choice, flag, text, when, whole
from service.web.schemas.base.names import CHALLENGE_STATUS, DECLINE_REASON, RULESET
from service.web.schemas.base.queries import wait_field
from service.web.schemas.base.request_fields import mixed_field
from service.web.schemas.matchmaking.seeks import ClockSettings, SettingsRequest

MOST_VERSION = 10**15 - 1  # unix ms, with as many digits as Last-Event-ID may have
SHORTEST_ANSWER_S, LONGEST_ANSWER_S = 30, 604_800


class Challenge(Schema):
    """An offer of a game to another player."""

    id = text()
    challenger = fields.Nested(
        Player,
        required=True,
        allow_none=True,
        metadata={"description": "The sender, or null if the account was deleted."},
    )
    challenged = fields.Nested(
        Player,
        required=True,
        allow_none=True,
        metadata={"description": "The recipient, or null if the account was deleted."},
    )
    ruleset = choice(RULESET)
    variant = text(VARIANT)
    seats = whole("Number of seats.", 2)
    clock = fields.Nested(ClockSettings, required=True, allow_none=True, metadata={"description": UNTIMED})
    rated = flag()
    mixed = flag("Whether to allow rated games of people and bots.")
    created_at = when()
    ends_at = when("When the challenge expires.")
    status = choice(CHALLENGE_STATUS)
    reason = choice(DECLINE_REASON, "Why the challenge was declined, or null.", allow_none=True)
    game_id = text("Id of the resulting game, or null.", allow_none=True)


class ChallengeList(Schema):
    """Open challenges."""

    received = fields.List(
        fields.Nested(Challenge),
        required=True,
        metadata={"description": "Challenges to the player, oldest first."},
    )
    sent = fields.List(
        fields.Nested(Challenge),
        required=True,
        metadata={"description": "Challenges from the player, oldest first."},
    )


class ChallengeRequest(SettingsRequest):
    """The game to offer."""

    answer_s = fields.Integer(
        strict=True,
        load_default=300,
        validate=validate.Range(SHORTEST_ANSWER_S, LONGEST_ANSWER_S),
        metadata={"description": "Seconds until the challenge expires."},
    )


class AcceptRequest(Request):
    """Options for accepting a challenge."""

    mixed = mixed_field()


class DeclineRequest(Request):
    """Reason for declining a challenge."""

    reason = fields.String(
        load_default=DECLINE_REASONS[0],
        validate=validate.OneOf(DECLINE_REASON),
        metadata={"description": "Reason shown to the challenger."},
    )


class ChallengesQuery(Request):
    """Long polling."""

    wait = wait_field("Seconds to wait for a challenge to the player before returning the current list.")


class ChallengeStreamQuery(Request):
    """Where to resume."""

    after = fields.Integer(
        load_default=None,
        validate=validate.Range(0, MOST_VERSION),
        metadata={"description": "Last version that the client has seen."},
    )


class ChallengeQuery(Request):
    """Long polling."""

    wait = wait_field("Seconds to wait for an answer before returning the current state.")
